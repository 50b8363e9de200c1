/**
 * Natives, kept before author code can replace them. The bridge calls a method
 * of the page's realm through `call`, so a patched prototype sees none of it.
 */

export const apply = Reflect.apply;
export const defineProperty = Object.defineProperty;
export const getOwnPropertyDescriptor = Object.getOwnPropertyDescriptor;
export const now = Date.now.bind(Date);
export const setTimer = window.setTimeout.bind(window);

/** Return `method` as a function whose first argument is its `this`. */
export function uncurried<Self, Args extends unknown[], Result>(
  method: (this: Self, ...args: Args) => Result,
): (self: Self, ...args: Args) => Result {
  return (self, ...args) => apply(method, self, args);
}

/** Return the getter of an accessor as a function of the object. */
export function getterOf<Self extends object, Name extends keyof Self>(
  prototype: Self,
  name: Name,
): (self: Self) => Self[Name] {
  const get = getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) {
    return (self) => self[name];
  }
  return (self) => apply(get, self, []) as Self[Name];
}

export const listen = uncurried(EventTarget.prototype.addEventListener);
export const getAttribute = uncurried(Element.prototype.getAttribute);
export const removeAttribute = uncurried(Element.prototype.removeAttribute);
export const hasAttribute = uncurried(Element.prototype.hasAttribute);
