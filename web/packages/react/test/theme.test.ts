import { describe, expect, test } from "vitest";
import { ROLE_PAIRS } from "../src/theme/pairs.ts";
import { contrast } from "./contrast.ts";
import { sources } from "./sources.ts";

const ROLE = /--vitrail-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g;

const [rolesFile] = sources("roles.css");
const roles = new Map(
  [...(rolesFile?.text ?? "").matchAll(ROLE)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);

test("contrast of black and white is 21", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
});

describe.each(["light", "dark"] as const)("in the %s scheme", (scheme) => {
  const cases = ROLE_PAIRS.flatMap((pair) =>
    pair.grounds.map((ground) => ({ ...pair, ground })),
  );
  test.each(cases)("$foreground on $ground reaches $minimum", (pair) => {
    const foreground = roles.get(pair.foreground);
    const ground = roles.get(pair.ground);
    expect(foreground, pair.foreground).toBeDefined();
    expect(ground, pair.ground).toBeDefined();
    const ratio = contrast(foreground?.[scheme] ?? "", ground?.[scheme] ?? "");
    expect(ratio).toBeGreaterThanOrEqual(pair.minimum);
  });
});

test("every role of ui.md has a light and a dark value", () => {
  const wanted = [
    "surface",
    "surface-raised",
    "surface-sunken",
    "text",
    "text-muted",
    "text-faint",
    "border",
    "border-strong",
    "accent",
    "accent-soft",
    "on-accent",
    ...["success", "warning", "danger", "info"].flatMap((state) => [
      state,
      `${state}-soft`,
    ]),
    "selection",
    "focus",
    "diff-added",
    "diff-removed",
  ];
  expect(wanted.filter((role) => !roles.has(role))).toEqual([]);
});
