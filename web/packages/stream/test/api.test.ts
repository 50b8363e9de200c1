import { describe, expect, test } from "vitest";
import { ApiError, createApi } from "../src/client/index.ts";

/** An API on a server that gives one answer, and what it was asked. */
function answering(answer: () => Response | Promise<Response>) {
  const asked: { url: string; init: RequestInit }[] = [];
  const api = createApi({
    fetch: async (url, init) => {
      asked.push({ url, init });
      return answer();
    },
  });
  return { api, asked };
}

async function errorFrom(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error(`expected an ApiError, got ${String(error)}`);
}

const PROBLEM = {
  title: "Precondition Failed",
  status: 412,
  detail: "The file changed since.",
  code: "revision-conflict",
  retryable: false,
  diagnostics: [{ code: "x", severity: "info", message: "m", span: null }],
  actualDigest: "abc",
  details: { head: "abc" },
};

describe("the API", () => {
  test("a write names the bytes it replaces, and its path by segments", async () => {
    const { api, asked } = answering(() => Response.json({}));
    await api.writeFile("p1", "a b/ü?#.html", "<p>", { ifMatch: "ab12" });
    await api.writeFile("p1", "new.html", "<p>", { create: true });
    expect(asked[0]?.url).toBe("/api/projects/p1/files/a%20b/%C3%BC%3F%23.html");
    expect(asked[0]?.init).toMatchObject({ method: "PUT", body: "<p>" });
    expect(new Headers(asked[0]?.init.headers).get("if-match")).toBe('"ab12"');
    expect(new Headers(asked[1]?.init.headers).get("if-none-match")).toBe("*");
  });

  test("every change of a file names the bytes that it was made for", async () => {
    const { api, asked } = answering(() => Response.json({}));
    const given = { ifMatch: "ab12" };
    await api.removeFile("p1", "a/b.html", { digest: "ab12", parts: false });
    await api.removeFile("p1", "a/b.html", { digest: "ab12", parts: true });
    const move = { from: "a.html", to: "b.html", digest: "ab12", parts: true };
    await api.moveFile("p1", move);
    await api.restoreFile("p1", "a.html", "r1", given);
    await api.acceptDraft("p1", "q1", { content: "x" }, given);
    await api.restoreFile("p1", "a.html", "r1", { create: true });
    await api.putBack("p1", "a.html", { revision: "r1", passages: [[3, 9]] }, given);
    const told = asked.map(({ url, init }) => {
      const headers = new Headers(init.headers);
      const condition = headers.get("if-match") ?? headers.get("if-none-match");
      return [init.method, url, condition, init.body ?? null];
    });
    expect(told).toEqual([
      ["DELETE", "/api/projects/p1/files/a/b.html", '"ab12"', null],
      ["DELETE", "/api/projects/p1/files/a/b.html?parts=true", '"ab12"', null],
      [
        "POST",
        "/api/projects/p1/moves",
        '"ab12"',
        '{"from":"a.html","to":"b.html","parts":true}',
      ],
      ["POST", "/api/projects/p1/restore/a.html", '"ab12"', '{"revision":"r1"}'],
      ["POST", "/api/projects/p1/quarantine/q1/accept", '"ab12"', '{"content":"x"}'],
      ["POST", "/api/projects/p1/restore/a.html", "*", '{"revision":"r1"}'],
      [
        "POST",
        "/api/projects/p1/restore/a.html",
        '"ab12"',
        '{"revision":"r1","passages":[[3,9]]}',
      ],
    ]);
  });

  test("a reason to replace fits into a header, whatever its words", async () => {
    const { api, asked } = answering(() => Response.json({}));
    await api.importArchive("p1", new Blob(["x"]), { replace: "Kürzer 🧪\n\u0007" });
    const said = new Headers(asked[0]?.init.headers).get("vitrail-replace") ?? "";
    expect(said).toMatch(/^[ -~]+$/);
    expect(JSON.parse(said)).toEqual({ reason: "Kürzer 🧪\n\u0007" });
    await api.importProject("Spring & more", new Blob(["x"]));
    expect(asked[1]?.url).toBe("/api/imports?title=Spring+%26+more");
  });

  test("a history is asked for by pages and by its two sides", async () => {
    const { api, asked } = answering(() => Response.json({}));
    await api.revisions("p1", "a/ü.html", { before: 7, limit: 50 });
    await api.revisions("p1", "a.html", { before: null, limit: 50 });
    await api.diff("p1", "a.html", { from: "r1", to: "r2" });
    await api.diff("p1", "a.html", { from: null, to: "r1" });
    expect(asked.map(({ url }) => url)).toEqual([
      "/api/projects/p1/history/a/%C3%BC.html?limit=50&before=7",
      "/api/projects/p1/history/a.html?limit=50",
      "/api/projects/p1/diff/a.html?to=r2&from=r1",
      "/api/projects/p1/diff/a.html?to=r1",
    ]);
  });

  test("an id is one segment, whatever is in it", async () => {
    const { api, asked } = answering(() => new Response(null, { status: 204 }));
    await api.deleteProject("../x");
    expect(asked[0]?.url).toBe("/api/projects/..%2Fx");
  });

  test("a problem document becomes a typed error", async () => {
    const { api } = answering(() =>
      Response.json(PROBLEM, { status: 412, headers: { "retry-after": "3" } }),
    );
    const error = await errorFrom(api.projects());
    expect(error).toMatchObject({
      code: "revision-conflict",
      actualDigest: "abc",
      detail: "The file changed since.",
      message: "The file changed since.",
      status: 412,
      retryable: false,
      retryAfterS: 3,
      diagnostics: PROBLEM.diagnostics,
      details: PROBLEM.details,
    });
  });

  test.each([
    ["a page", () => new Response("<h1>Bad gateway</h1>", { status: 502 }), true],
    ["other JSON", () => Response.json({ error: 1 }, { status: 404 }), false],
    ["a success that is no JSON", () => new Response("<p>"), false],
  ])("%s in place of an answer is response-invalid", async (_, answer, retryable) => {
    const error = await errorFrom(answering(answer).api.projects());
    expect(error.code).toBe("response-invalid");
    expect(error.retryable).toBe(retryable);
  });

  test("no answer is server-unreachable and may be tried again", async () => {
    const { api } = answering(() => Promise.reject(new TypeError("refused")));
    const error = await errorFrom(api.status());
    expect(error).toMatchObject({
      code: "server-unreachable",
      status: 0,
      retryable: true,
    });
  });

  test("a call that its signal ended rejects with that, not with an error of ours", async () => {
    const stop = new AbortController();
    const { api } = answering(() => {
      stop.abort();
      return Promise.reject(new DOMException("aborted", "AbortError"));
    });
    await expect(api.status({ signal: stop.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  test("a file's text comes with its digest, byte order mark and all", async () => {
    const { api } = answering(
      () => new Response("\ufeffü\r\n", { headers: { etag: '"ab12"' } }),
    );
    expect(await api.fileText("p", "a.txt")).toEqual({
      text: "\ufeffü\r\n",
      digest: "ab12",
    });
  });

  test("a file that is not UTF-8 is refused in words", async () => {
    const { api } = answering(() => new Response(new Uint8Array([0xff, 0xfe, 0])));
    expect((await errorFrom(api.fileText("p", "a.bin"))).code).toBe("not-text");
  });
});
