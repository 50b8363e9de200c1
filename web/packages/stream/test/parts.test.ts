import { readdirSync, readFileSync } from "node:fs";
import {
  type Event,
  isKnownEvent,
  type Part,
  type UnknownEvent,
} from "@vitrail/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Folded, PartsFold } from "../src/parts.ts";
import { said } from "./history.ts";

const CASES = new URL("../../../../tests/cases/parts/", import.meta.url);
const NOTHING: Folded = { parts: [], chars: 0 };

interface Case {
  readonly rule: string;
  readonly events: readonly (Event | UnknownEvent)[];
  readonly parts: readonly Part[];
}

function fold(base: Folded, events: readonly (Event | UnknownEvent)[]): Folded {
  const folding = new PartsFold(base);
  for (const event of events) if (isKnownEvent(event)) folding.add(event);
  return folding.finish();
}

describe("the cases that the server folds too", () => {
  const names = readdirSync(CASES).filter((name) => name.endsWith(".json"));

  test("there are some", () => {
    expect(names.length).toBeGreaterThan(10);
  });

  for (const name of names) {
    const one = JSON.parse(readFileSync(new URL(name, CASES), "utf8")) as Case;
    test(`${name}: ${one.rule}`, () => {
      const whole = fold(NOTHING, one.events);
      expect(whole.parts).toEqual(one.parts);
      for (let at = 0; at <= one.events.length; at += 1) {
        const first = fold(NOTHING, one.events.slice(0, at));
        expect(fold(first, one.events.slice(at))).toEqual(whole);
      }
    });
  }
});

describe("folding parts", () => {
  const events = fc.array(said, { maxLength: 30 });

  test("goes on from where it stopped, by the wire form alone", () => {
    fc.assert(
      fc.property(events, fc.nat(), (all, n) => {
        const at = n % (all.length + 1);
        const stopped = JSON.parse(
          JSON.stringify(fold(NOTHING, all.slice(0, at))),
        ) as Folded;
        expect(fold(stopped, all.slice(at))).toEqual(fold(NOTHING, all));
      }),
    );
  });

  test("leaves what it was given as it was", () => {
    fc.assert(
      fc.property(events, events, (before, after) => {
        const base = fold(NOTHING, before);
        const copy = structuredClone(base);
        fold(base, after);
        expect(base).toEqual(copy);
      }),
    );
  });
});
