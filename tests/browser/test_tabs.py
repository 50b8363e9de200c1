"""Tabs of one browser: one stream for all, each event once and in order in each.

The first tests run the stream package alone in eight pages of one context, with
the browser's own locks and channels, against the real server; so that what each
tab was handed is seen to the number. The last one looks at eight workspaces.
"""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page, Request, Route, expect

from tests.support.chromium import RunningServer
from tests.support.web_bundle import web_bundle

TABS = 8

_CLIENT = "packages/stream/src/client/index.ts"
_FOLLOW = """
(after) => {
  window.seen = [];
  window.resets = [];
  window.states = [];
  window.client = vitrailStream.browserEvents();
  window.client.start(after, {
    onEvents: (envelopes) => window.seen.push(...envelopes.map((one) => one.seq)),
    onReset: (seq) => window.resets.push(seq),
    onConnection: (connection) => window.states.push(connection.state),
  });
}
"""
_HAS = "(seq) => (window.seen.at(-1) ?? 0) >= seq"


class Streams:
    """The event streams that the pages of a context have open."""

    def __init__(self, context: BrowserContext) -> None:
        self._begun: set[Request] = set()
        context.on("request", self._began)
        context.on("requestfinished", self._ended)
        context.on("requestfailed", self._ended)

    @property
    def count(self) -> int:
        """How many are open; a page that was closed has none."""
        return sum(not request.frame.page.is_closed() for request in self._begun)

    def _began(self, request: Request) -> None:
        if "/api/events" in request.url:
            self._begun.add(request)

    def _ended(self, request: Request) -> None:
        self._begun.discard(request)


class Browserful:
    """Tabs of one context that follow one server's events."""

    def __init__(self, context: BrowserContext, server: RunningServer) -> None:
        self.context = context
        self.server = server
        self.streams = Streams(context)
        self.tabs: list[Page] = []

    async def call(self, method: str, path: str, body: object = None) -> Any:
        """Ask the API as a program does."""
        answer = await self.context.request.fetch(
            self.server.origin + path,
            method=method,
            headers={
                "Authorization": f"Bearer {self.server.token}",
                "Content-Type": "application/json",
            },
            data=None if body is None else json.dumps(body),
        )
        assert answer.ok, await answer.text()
        return await answer.json()

    async def open_tab(self, *, after: int = 0) -> Page:
        """Open an empty page of the app's origin that follows the events."""
        page = await self.context.new_page()
        self.tabs.append(page)
        await page.goto(f"{self.server.origin}/empty-page")
        await page.evaluate(web_bundle(_CLIENT, "vitrailStream") + "; void 0")
        await page.evaluate(_FOLLOW, after)
        return page

    async def play(self, *, speed: float) -> str:
        """Play the landing page in a project of its own; return the run's id."""
        project = await self.call("POST", "/api/projects", {"title": "Tabs"})
        conversation = await self.call(
            "POST", f"/api/projects/{project['id']}/conversations", {}
        )
        return await self.run(conversation["id"], speed=speed)

    async def run(self, conversation_id: str, *, speed: float) -> str:
        """Play the landing page in a conversation; return the run's id."""
        body = {
            "text": "Play",
            "agent": "replay",
            "recording": "landing-page",
            "speed": speed,
        }
        path = f"/api/conversations/{conversation_id}/runs"
        started = await self.call("POST", path, body)
        run_id: str = started["run"]["id"]
        return run_id

    async def last_seq(self) -> int:
        status = await self.call("GET", "/api/status")
        seq: int = status["seq"]
        return seq

    async def numbers(self) -> list[int]:
        """The numbers of the whole log, by a stream of a page that has no tabs beside it."""
        other = await self.context.browser.new_context()  # type: ignore[union-attr] # launched by us
        await other.add_cookies(await self.context.cookies())  # type: ignore[arg-type] # their own form
        await _serve_empty_page(other)
        alone = Browserful(other, self.server)
        page = await alone.open_tab()
        await page.wait_for_function(_HAS, arg=await self.last_seq())
        seen: list[int] = await page.evaluate("window.seen")
        await other.close()
        return seen

    async def all_have(self, seq: int) -> None:
        await asyncio.gather(
            *(tab.wait_for_function(_HAS, arg=seq, timeout=40_000) for tab in self.tabs)
        )


async def _serve_empty_page(context: BrowserContext) -> None:
    async def answer(route: Route) -> None:
        await route.fulfill(content_type="text/html", body="<!doctype html>")

    await context.route("**/empty-page", answer)


@pytest_asyncio.fixture(loop_scope="session")
async def browserful(
    context: BrowserContext, server: RunningServer
) -> AsyncIterator[Browserful]:
    """Give a signed-in context without a tab."""
    page = await context.new_page()
    await page.goto(server.link)
    await page.close()
    await _serve_empty_page(context)
    yield Browserful(context, server)


@pytest.mark.browser
async def test_eight_tabs_share_one_stream_and_each_gets_each_event_once(
    browserful: Browserful,
):
    for _ in range(TABS):
        await browserful.open_tab()
    run = await browserful.play(speed=10)
    await _run_ends(browserful, run)
    await browserful.all_have(await browserful.last_seq())
    expected = await browserful.numbers()
    assert len(expected) > 60
    for tab in browserful.tabs:
        assert await tab.evaluate("window.seen") == expected
        assert await tab.evaluate("window.resets") == []
    assert browserful.streams.count == 1


@pytest.mark.browser
async def test_tabs_that_go_and_a_server_that_is_killed_lose_and_double_nothing(
    browserful: Browserful,
):
    first = await browserful.open_tab()
    for _ in range(TABS - 1):
        await browserful.open_tab()
    run = await browserful.play(speed=4)
    await first.wait_for_function("() => window.seen.length > 40")
    await browserful.tabs.pop(0).close()  # the leading tab, in the middle of a stream
    late = await browserful.open_tab(after=20)
    await late.wait_for_function("() => window.seen.length > 60")
    await browserful.server.restart(signal.SIGKILL)
    await browserful.tabs.pop(0).close()
    again = await browserful.play(speed=40)
    await _run_ends(browserful, again)
    assert (await browserful.call("GET", f"/api/runs/{run}"))["run"]["state"] == (
        "interrupted"
    )
    await browserful.all_have(await browserful.last_seq())
    expected = await browserful.numbers()
    for tab in browserful.tabs:
        after = 20 if tab is late else 0
        assert await tab.evaluate("window.seen") == [n for n in expected if n > after]
    assert browserful.streams.count == 1


async def _run_ends(browserful: Browserful, run: str) -> None:
    watch = browserful.tabs[-1]
    async with asyncio.timeout(40):
        while True:
            # counted before the question: an end that comes after it is one more
            count = await watch.evaluate("window.seen.length")
            page = await browserful.call("GET", f"/api/runs/{run}")
            if page["run"]["state"] != "running":
                return
            await watch.wait_for_function(
                "(count) => window.seen.length !== count", arg=count
            )


@pytest.mark.browser
async def test_eight_workspaces_show_one_reply_and_one_of_them_stops_it_for_all(
    browserful: Browserful,
):
    project = await browserful.call("POST", "/api/projects", {"title": "Eight"})
    conversation = await browserful.call(
        "POST", f"/api/projects/{project['id']}/conversations", {}
    )
    # slow, so that all are open long before it ends by itself
    await browserful.run(conversation["id"], speed=0.3)
    place = f"/p/{project['name']}/c/{conversation['id']}"
    tabs = [await browserful.context.new_page() for _ in range(TABS)]
    for tab in tabs:
        await tab.goto(browserful.server.origin + place)
    for tab in tabs:
        await expect(tab.get_by_role("button", name="Stop")).to_be_visible()
    await tabs[5].get_by_role("button", name="Stop").click()
    for tab in tabs:
        await expect(tab.get_by_role("button", name="Stop")).to_be_hidden()
    told = [
        await tab.get_by_role("article", name="Message from Recording").inner_text()
        for tab in tabs
    ]
    assert len(set(told)) == 1
    assert browserful.streams.count == 1
    for tab in tabs:  # six connections a host: none of them may wait for ever
        assert await tab.evaluate("fetch('/api/status').then((r) => r.status)") == 200
