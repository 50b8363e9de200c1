import { apply, defineProperty } from "./natives.ts";

/**
 * Let `pushState` and `replaceState` keep their state where the address may not
 * change: an opaque document may not take another address, and routers that
 * nobody guards die of the exception.
 */
export function installHistory(view: Window & typeof globalThis): void {
  for (const name of ["pushState", "replaceState"] as const) {
    const native = view.History.prototype[name];
    const gentle = function (this: History, ...args: Parameters<typeof native>): void {
      try {
        apply(native, this, args);
      } catch (error) {
        const isRefusal =
          error instanceof view.DOMException && error.name === "SecurityError";
        if (!isRefusal) {
          throw error;
        }
        apply(native, this, [args[0], ""]);
      }
    };
    defineProperty(gentle, "name", { value: name });
    defineProperty(view.History.prototype, name, {
      value: gentle,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}
