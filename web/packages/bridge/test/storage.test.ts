import { beforeEach, expect, test } from "vitest";
import { installStorage, QUOTA_CHARS } from "../src/storage.ts";

/** A realm as far as the shim needs one: a `Storage` of its own on a window of its own. */
function realm() {
  class Storage {}
  const view = { Storage } as unknown as Window & typeof globalThis;
  installStorage(view);
  return view;
}

let store: Storage;
let view: Window & typeof globalThis;

beforeEach(() => {
  view = realm();
  store = view.localStorage;
});

test("items are strings, and what is not there is null", () => {
  store.setItem("n", 1 as unknown as string);
  expect(store.getItem("n")).toBe("1");
  expect(store.getItem("m")).toBeNull();
  store.setItem("o", {} as unknown as string);
  expect(store.getItem("o")).toBe("[object Object]");
});

test("a property is an item", () => {
  store["theme"] = "dark";
  expect(store.getItem("theme")).toBe("dark");
  expect(store["theme"]).toBe("dark");
  expect(store["gone"]).toBeUndefined();
  expect("theme" in store).toBe(true);
  expect("gone" in store).toBe(false);
  delete store["theme"];
  expect(store.getItem("theme")).toBeNull();
  expect(delete store["gone"]).toBe(true);
});

test("a method's name is an item too, and stays a method", () => {
  store["getItem"] = "x" as unknown as Storage["getItem"];
  expect(typeof store.getItem).toBe("function");
  expect(store.getItem("getItem")).toBe("x");
  store.setItem("length", "7");
  expect(store.length).toBe(2);
});

test("keys are counted, numbered and listed", () => {
  store.setItem("a", "1");
  store.setItem("b", "2");
  expect(store.length).toBe(2);
  expect([store.key(0), store.key(1), store.key(2), store.key(-1)]).toEqual([
    "a",
    "b",
    null,
    null,
  ]);
  expect(store.key("x" as unknown as number)).toBe("a");
  expect(Object.keys(store)).toEqual(["a", "b"]);
  expect({ ...store }).toEqual({ a: "1", b: "2" });
  expect(JSON.stringify(store)).toBe('{"a":"1","b":"2"}');
  store.clear();
  expect(store.length).toBe(0);
  expect(Object.keys(store)).toEqual([]);
});

test("an empty key is a key", () => {
  store.setItem("", "");
  expect(store.getItem("")).toBe("");
  expect(store.key(0)).toBe("");
  expect(store.length).toBe(1);
});

test("a property can be defined by a value only", () => {
  Object.defineProperty(store, "a", { value: 1 });
  expect(store.getItem("a")).toBe("1");
  expect(Reflect.defineProperty(store, "b", { get: () => 1 })).toBe(false);
  expect(() => Object.freeze(store)).toThrow(TypeError);
});

test("the quota holds for keys and values together, and a refused write changes nothing", () => {
  store.setItem("a", "x".repeat(QUOTA_CHARS - 1));
  expect(() => store.setItem("b", "")).toThrow("exceeded the quota");
  try {
    store["a"] = "x".repeat(QUOTA_CHARS);
    expect.unreachable();
  } catch (error) {
    expect((error as DOMException).name).toBe("QuotaExceededError");
    expect((error as DOMException).code).toBe(22);
  }
  expect(store.getItem("a")?.length).toBe(QUOTA_CHARS - 1);
  store.removeItem("a");
  store.setItem("b", "x".repeat(QUOTA_CHARS - 1));
});

test("too few arguments and foreign objects are refused as browsers do", () => {
  const loose = store as unknown as Record<string, (...args: unknown[]) => unknown>;
  expect(() => loose["setItem"]?.("a")).toThrow(TypeError);
  expect(() => loose["getItem"]?.()).toThrow("1 argument required, but only 0 present");
  expect(() => loose["key"]?.()).toThrow(TypeError);
  expect(() => view.Storage.prototype.getItem.call({} as Storage, "a")).toThrow(
    "Illegal invocation",
  );
  expect(() => store.setItem(Symbol() as unknown as string, "a")).toThrow(TypeError);
});

test("both storages are instances, apart, and cannot be replaced by assignment", () => {
  store.setItem("a", "1");
  expect(view.sessionStorage.getItem("a")).toBeNull();
  expect(store instanceof view.Storage).toBe(true);
  expect(view.localStorage).toBe(store);
});

test("a page that wraps the prototype's methods sees its own wrapper called", () => {
  const seen: string[] = [];
  const native = view.Storage.prototype.setItem;
  view.Storage.prototype.setItem = function (this: Storage, key: string, value: string) {
    seen.push(key);
    native.call(this, key, value);
  };
  store.setItem("a", "1");
  expect(seen).toEqual(["a"]);
  expect(store.getItem("a")).toBe("1");
});
