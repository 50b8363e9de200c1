import { defineProperty } from "./natives.ts";

/** What one storage holds, in UTF-16 units of keys and values: browsers give as much. */
export const QUOTA_CHARS = 5 * 1024 * 1024;

class Items {
  readonly byKey = new Map<string, string>();
  chars = 0;

  set(key: string, value: string): void {
    const old = this.byKey.get(key);
    const before = old === undefined ? 0 : key.length + old.length;
    const chars = this.chars - before + key.length + value.length;
    if (chars > QUOTA_CHARS) {
      throw new DOMException(
        `Failed to execute 'setItem' on 'Storage': Setting the value of '${key.slice(0, 100)}' exceeded the quota.`,
        "QuotaExceededError",
      );
    }
    this.byKey.set(key, value);
    this.chars = chars;
  }

  remove(key: string): void {
    const old = this.byKey.get(key);
    if (old !== undefined) {
      this.byKey.delete(key);
      this.chars -= key.length + old.length;
    }
  }
}

const stores = new WeakMap<object, Items>();

function itemsOf(store: unknown): Items {
  const items = typeof store === "object" && store !== null ? stores.get(store) : null;
  if (items === null || items === undefined) {
    throw new TypeError("Illegal invocation");
  }
  return items;
}

function need(method: string, args: ArrayLike<unknown>, wanted: number): void {
  if (args.length < wanted) {
    throw new TypeError(
      `Failed to execute '${method}' on 'Storage': ${wanted} argument${wanted === 1 ? "" : "s"} required, but only ${args.length} present.`,
    );
  }
}

/** The methods of `Storage.prototype`, for objects that `memoryStorage` made. */
const methods = {
  getItem(this: unknown, ...args: unknown[]): string | null {
    need("getItem", args, 1);
    return itemsOf(this).byKey.get(`${args[0]}`) ?? null;
  },
  setItem(this: unknown, ...args: unknown[]): void {
    need("setItem", args, 2);
    itemsOf(this).set(`${args[0]}`, `${args[1]}`);
  },
  removeItem(this: unknown, ...args: unknown[]): void {
    need("removeItem", args, 1);
    itemsOf(this).remove(`${args[0]}`);
  },
  clear(this: unknown): void {
    const items = itemsOf(this);
    items.byKey.clear();
    items.chars = 0;
  },
  key(this: unknown, ...args: unknown[]): string | null {
    need("key", args, 1);
    const index = Number(args[0]) >>> 0;
    return [...itemsOf(this).byKey.keys()][index] ?? null;
  },
};

/**
 * A property that the prototype chain has wins over an item of the same name when
 * it is read, and loses when it is written: that is what browsers do.
 */
function handlerOf(items: Items): ProxyHandler<Storage> {
  const isItem = (target: Storage, name: PropertyKey): name is string =>
    typeof name === "string" && !Reflect.has(target, name) && items.byKey.has(name);
  return {
    get: (target, name, receiver) =>
      isItem(target, name)
        ? items.byKey.get(name)
        : Reflect.get(target, name, receiver === undefined ? target : receiver),
    set: (target, name, value) => {
      if (typeof name !== "string") {
        return Reflect.set(target, name, value);
      }
      items.set(name, `${value}`);
      return true;
    },
    has: (target, name) => Reflect.has(target, name) || isItem(target, name),
    deleteProperty: (target, name) => {
      if (isItem(target, name)) {
        items.remove(name);
        return true;
      }
      return Reflect.deleteProperty(target, name);
    },
    ownKeys: (target) => [...items.byKey.keys(), ...Reflect.ownKeys(target)],
    getOwnPropertyDescriptor: (target, name) =>
      isItem(target, name)
        ? {
            value: items.byKey.get(name),
            writable: true,
            enumerable: true,
            configurable: true,
          }
        : Reflect.getOwnPropertyDescriptor(target, name),
    defineProperty: (target, name, descriptor) => {
      if (typeof name !== "string") {
        return Reflect.defineProperty(target, name, descriptor);
      }
      if (!("value" in descriptor)) {
        return false;
      }
      items.set(name, `${descriptor.value}`);
      return true;
    },
    preventExtensions: () => false,
  };
}

function memoryStorage(prototype: object): Storage {
  const items = new Items();
  const store = new Proxy(Object.create(prototype) as Storage, handlerOf(items));
  stores.set(store, items);
  return store;
}

/**
 * Give the window storages that are kept in memory and are gone with the document.
 *
 * An opaque page has no storage of its own, so the prototype's methods have
 * nothing else to work on and can be ours; `instanceof Storage` and pages that
 * wrap `Storage.prototype.setItem` keep working.
 */
export function installStorage(view: Window & typeof globalThis): void {
  const prototype = view.Storage.prototype;
  for (const [name, value] of Object.entries(methods)) {
    defineProperty(prototype, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  defineProperty(prototype, "length", {
    get(this: unknown) {
      return itemsOf(this).byKey.size;
    },
    enumerable: true,
    configurable: true,
  });
  for (const name of ["localStorage", "sessionStorage"] as const) {
    const store = memoryStorage(prototype);
    defineProperty(view, name, {
      get: () => store,
      enumerable: true,
      configurable: true,
    });
  }
}
