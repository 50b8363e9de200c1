import type { Envelope } from "@vitrail/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Connection } from "../src/client/connection.ts";
import { browserEvents, type EventClient } from "../src/client/events.ts";
import { LEADERLESS_MS } from "../src/client/tabs.ts";
import { FakeBrowser, FakeServer, FakeTab, settle } from "./fake_browser.ts";

/** A tab of the workspace and what its listener was handed. */
class Tab {
  readonly seqs: number[] = [];
  readonly texts: string[] = [];
  readonly resets: number[] = [];
  connection: Connection = { state: "idle" };
  readonly client: EventClient;
  readonly from: number;
  readonly page: FakeTab;

  constructor(page: FakeTab, after: number) {
    this.page = page;
    this.from = after;
    this.client = browserEvents({ around: page });
    this.client.start(after, {
      onEvents: (envelopes) => {
        this.seqs.push(...envelopes.map((made) => made.seq));
        this.texts.push(...envelopes.map(textOf));
      },
      onReset: (seq) => this.resets.push(seq),
      onConnection: (connection) => {
        this.connection = connection;
      },
    });
  }
}

function textOf(made: Envelope): string {
  return "delta" in made.event ? String(made.event.delta) : "";
}

async function openTabs(count: number) {
  const server = new FakeServer();
  const browser = new FakeBrowser(server);
  const tabs = Array.from({ length: count }, () => new Tab(browser.openTab(), 0));
  await settle();
  return { server, browser, tabs };
}

describe("the tabs of one browser", () => {
  test("eight tabs share one stream and each gets each event once", async () => {
    const { server, tabs } = await openTabs(8);
    for (let seq = 1; seq <= 50; seq += 1) server.emit(seq * 3);
    await settle();
    expect(server.openStreams).toBe(1);
    for (const tab of tabs) {
      expect(tab.seqs).toEqual(server.log.map((made) => made.seq));
      expect(tab.texts).toEqual(server.log.map(textOf));
      expect(tab.connection).toEqual({ state: "open" });
    }
  });

  test("when the leading tab goes another goes on from its last number", async () => {
    const { server, tabs } = await openTabs(3);
    server.emit(1);
    server.emit(2);
    await settle();
    tabs[0]?.page.kill();
    await settle();
    server.emit(5);
    await settle();
    expect(server.asked).toEqual([0, 2]);
    expect(tabs[1]?.seqs).toEqual([1, 2, 5]);
    expect(tabs[2]?.seqs).toEqual([1, 2, 5]);
  });

  test("a tab that comes late reads what it missed, then follows", async () => {
    const { server, browser, tabs } = await openTabs(2);
    for (const seq of [1, 2, 3, 4]) server.emit(seq);
    await settle();
    const late = new Tab(browser.openTab(), 2);
    await settle();
    server.emit(7);
    await settle();
    expect(late.seqs).toEqual([3, 4, 7]);
    expect(tabs[1]?.seqs).toEqual([1, 2, 3, 4, 7]);
    expect(server.openStreams).toBe(1);
  });

  test("a tab that slept through the change of the lead misses nothing", async () => {
    const { server, tabs } = await openTabs(3);
    const [first, , sleeper] = tabs;
    sleeper?.page.freeze();
    server.emit(1);
    await settle();
    first?.page.kill();
    await settle();
    server.emit(2);
    await settle();
    sleeper?.page.thaw();
    await settle();
    server.emit(3);
    await settle();
    expect(sleeper?.seqs).toEqual([1, 2, 3]);
  });

  test("a lead that falls silent is taken over", async () => {
    const server = new FakeServer();
    const browser = new FakeBrowser(server);
    browser.hang();
    const tabs = [0, 1, 2].map(() => new Tab(browser.openTab(), 0));
    server.emit(1);
    await browser.time.advance(LEADERLESS_MS + 1);
    server.emit(2);
    await settle();
    expect(tabs.map((tab) => tab.seqs)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    await browser.time.advance(LEADERLESS_MS * 3);
    expect(server.openStreams).toBe(1);
  });

  test("a tab in the back asks the leading one to try again", async () => {
    const { server, browser, tabs } = await openTabs(2);
    server.isUp = false;
    server.breakAll();
    await browser.time.advance(60_000);
    expect(tabs[1]?.connection.state).toBe("waiting");
    server.isUp = true;
    tabs[1]?.page.wake();
    await settle();
    expect(tabs.map((tab) => tab.connection.state)).toEqual(["open", "open"]);
  });

  test("a page that was put away lets go of the lead and goes on when it is back", async () => {
    const { server, tabs } = await openTabs(2);
    server.emit(1);
    await settle();
    tabs[0]?.page.putAway();
    await settle();
    server.emit(2);
    await settle();
    expect(tabs[1]?.seqs).toEqual([1, 2]);
    tabs[0]?.page.bringBack();
    await settle();
    server.emit(3);
    await settle();
    expect(tabs[0]?.seqs).toEqual([1, 2, 3]);
    expect(server.openStreams).toBe(1);
  });

  test("another log is a reset for every tab", async () => {
    const { server, tabs } = await openTabs(3);
    server.emit(50);
    await settle();
    server.sendAll('id: 2\nevent: reset\ndata: {"seq":2}\n\n');
    await settle();
    server.emit(3);
    await settle();
    for (const tab of tabs) {
      expect(tab.resets).toEqual([2]);
      expect(tab.seqs).toEqual([50, 3]);
    }
  });

  test("a browser without locks reads one stream a tab", async () => {
    const server = new FakeServer();
    const browser = new FakeBrowser(server);
    const tabs = [0, 1].map(() => new Tab(new FakeTab(browser, { locks: false }), 0));
    await settle();
    server.emit(1);
    await settle();
    expect(server.openStreams).toBe(2);
    expect(tabs.map((tab) => tab.seqs)).toEqual([[1], [1]]);
    for (const tab of tabs) tab.client.stop();
    await settle();
    expect(server.openStreams).toBe(0);
  });
});

type Step =
  | { do: "emit"; count: number }
  | { do: "open"; back: number }
  | { do: "close" | "freeze" | "thaw" | "stop"; tab: number }
  | { do: "break" | "end" | "wait" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("emit"), count: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("open"), back: fc.nat(6) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("close", "freeze", "thaw", "stop"),
      tab: fc.nat(7),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("break", "end", "wait") }) },
);

/** A browser that steps are done to, at once or after all that was ready has run. */
class Bench {
  readonly server = new FakeServer();
  readonly browser = new FakeBrowser(this.server);
  tabs: Tab[] = [];
  #seq = 0;

  async do(step: Step): Promise<void> {
    switch (step.do) {
      case "emit":
        for (let n = 0; n < step.count; n += 1) {
          this.#seq += 2;
          this.server.emit(this.#seq);
        }
        break;
      case "open":
        if (this.tabs.length < 8) {
          this.tabs.push(
            new Tab(this.browser.openTab(), Math.max(0, this.#seq - step.back)),
          );
        }
        break;
      case "break":
        this.server.breakAll();
        break;
      case "end":
        this.server.endAll();
        break;
      case "wait":
        await this.browser.time.advance(2000);
        break;
      default:
        this.#doTo(step.do, step.tab);
    }
  }

  #doTo(what: "close" | "freeze" | "thaw" | "stop", index: number): void {
    const tab = this.tabs[index % Math.max(this.tabs.length, 1)];
    if (tab === undefined) return;
    if (what === "freeze" || what === "thaw") {
      tab.page[what]();
      return;
    }
    if (what === "stop") tab.client.stop();
    else tab.page.kill();
    this.tabs = this.tabs.filter((other) => other !== tab);
  }
}

describe("whatever happens to tabs and lines", () => {
  test("each tab is handed each later event once and in order", {
    timeout: 60_000,
  }, async () => {
    const run = async (steps: readonly (readonly [Step, boolean])[]) => {
      const bench = new Bench();
      for (const [one, rests] of steps) {
        await bench.do(one);
        if (rests) await settle();
      }
      for (const tab of bench.tabs) tab.page.thaw();
      await bench.browser.time.advance(LEADERLESS_MS);
      for (const tab of bench.tabs) {
        const later = bench.server.log.filter((made) => made.seq > tab.from);
        expect(tab.seqs).toEqual(later.map((made) => made.seq));
      }
      expect(bench.server.openStreams).toBe(Math.min(bench.tabs.length, 1));
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.boolean()), { minLength: 8, maxLength: 30 }),
        run,
      ),
      { numRuns: 150 },
    );
  });
});
