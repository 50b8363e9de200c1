/**
 * Prism as its language files want it: under a global name, and set to do
 * nothing by itself, before any of them is read.
 */
Reflect.set(globalThis, "Prism", { manual: true, disableWorkerMessageHandler: true });

export {};
