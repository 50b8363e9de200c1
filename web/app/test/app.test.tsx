import { expect, test } from "vitest";
import { formatRoute, parseRoute } from "../src/routes.ts";

test("every address comes back as it went", () => {
  for (const address of [
    "/",
    "/p/spring",
    "/p/spring/c/new",
    "/p/a%20b/c/1?file=x%2Fy.html&tab=source",
  ]) {
    const [path = "", search = ""] = address.split(/(?=\?)/);
    expect(formatRoute(parseRoute(path, search))).toBe(address);
  }
});
