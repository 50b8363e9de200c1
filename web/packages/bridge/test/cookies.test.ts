import { expect, test } from "vitest";
import { CookieJar, MAX_COOKIE_CHARS, MAX_COOKIES } from "../src/cookies.ts";

function jar(...written: string[]): string {
  const cookies = new CookieJar();
  for (const text of written) {
    cookies.write(text);
  }
  return cookies.read();
}

test("cookies are read as they were written, without their attributes", () => {
  expect(jar("a=1", "b=x=y; Path=/; Secure; SameSite=Strict")).toBe("a=1; b=x=y");
  expect(jar(" a = 1 ; path=/")).toBe("a=1");
});

test("a cookie is written once, and over", () => {
  expect(jar("a=1", "b=2", "a=3")).toBe("a=3; b=2");
});

test("a cookie without a name is its value", () => {
  expect(jar("lonely")).toBe("lonely");
  expect(jar("=lonely")).toBe("lonely");
  expect(jar("")).toBe("");
  expect(jar(";path=/")).toBe("");
});

test("an expired cookie goes", () => {
  expect(jar("a=1", "a=; expires=Thu, 01 Jan 1970 00:00:00 GMT")).toBe("");
  expect(jar("a=1", "a=1; max-age=0")).toBe("");
  expect(jar("a=1", "a=1; Max-Age=-5")).toBe("");
  expect(jar("a=1; max-age=60; expires=Thu, 01 Jan 1970 00:00:00 GMT")).toBe("a=1");
  expect(jar("a=1; expires=nonsense")).toBe("a=1");
});

test("what no browser keeps is not kept", () => {
  expect(jar("a=1; HttpOnly")).toBe("");
  expect(jar(`a=${"x".repeat(MAX_COOKIE_CHARS)}`)).toBe("");
});

test("beyond the limit the oldest cookie goes", () => {
  const names = Array.from({ length: MAX_COOKIES + 1 }, (_, index) => `c${index}=1`);
  const read = jar(...names).split("; ");
  expect(read).toHaveLength(MAX_COOKIES);
  expect(read[0]).toBe("c1=1");
});
