"""The preview in the workspace, from the person's side."""

from __future__ import annotations

import json
import re
import urllib.request
from dataclasses import dataclass

import pytest
from playwright.async_api import FrameLocator, Page, Route, expect

from tests.support.chromium import RunningServer

pytestmark = pytest.mark.browser


@dataclass
class Desk:
    """A project of the running server, and the workspace that shows it."""

    server: RunningServer
    page: Page
    project_id: str
    name: str

    def call(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> dict[str, object]:
        """Ask the API as a program with the token does."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(  # noqa: S310 - the test's own server
            f"{self.server.origin}/api{path}",
            method=method,
            data=body or None,
            headers={"authorization": f"Bearer {self.server.token}", **named},
        )
        with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310 - the same
            answer: dict[str, object] = json.loads(response.read() or b"{}")
        return answer

    def put(self, path: str, content: str, *, over: str | None = None) -> str:
        """Write a file, over the digest it has; return its new digest."""
        condition = {"if_match": f'"{over}"'} if over else {"if_none_match": "*"}
        answer = self.call(
            "PUT",
            f"/projects/{self.project_id}/files/{path}",
            content.encode(),
            content_type="application/octet-stream",
            **condition,
        )
        file = answer["file"]
        assert isinstance(file, dict)
        return str(file["digest"])

    async def show(self, path: str) -> FrameLocator:
        """Open a file's preview in the workspace."""
        await self.page.goto(
            f"{self.server.origin}/p/{self.name}?file={path}&tab=preview"
        )
        return self.frame

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("iframe >> visible=true")


def page_of(words: str, more: str = "") -> str:
    return (
        "<!doctype html><html lang=en><head><title>T</title></head>"
        f"<body><h1>{words}</h1><p>Some words that make this a page.</p>{more}</body></html>"
    )


@pytest.fixture
async def desk(workspace: Page, server: RunningServer) -> Desk:
    made = Desk(server, workspace, "", "")
    answer = made.call(
        "POST", "/projects", b'{"title": "Tea"}', content_type="application/json"
    )
    return Desk(server, workspace, str(answer["id"]), str(answer["name"]))


async def test_a_page_is_shown_from_the_preview_site(desk: Desk) -> None:
    desk.put("index.html", page_of("One"))
    frame = await desk.show("index.html")
    await expect(frame.locator("h1")).to_have_text("One")
    element = desk.page.locator("iframe")
    assert await element.get_attribute("sandbox") == (
        "allow-scripts allow-downloads allow-forms"
    )
    address = await element.get_attribute("src")
    assert address is not None
    host = rf"http://[0-9a-f]{{20}}\.localhost:{desk.server.preview_port}/p/"
    assert re.match(host, address)


async def test_bug_11_switching_three_times_shows_the_content_every_time(
    desk: Desk,
) -> None:
    desk.put("index.html", page_of("One"))
    frame = await desk.show("index.html")
    await expect(frame.locator("h1")).to_have_text("One")
    await desk.page.evaluate(
        """async () => {
            const tabs = [...document.querySelectorAll('[role=tab]')];
            for (let turn = 0; turn < 3; turn += 1) {
                for (const name of ['Source', 'Preview']) {
                    tabs.find((tab) => tab.textContent.includes(name)).dispatchEvent(
                        new MouseEvent('mousedown', {bubbles: true, button: 0}));
                    await new Promise((done) => setTimeout(done, 16));
                }
            }
        }"""
    )
    await expect(frame.locator("h1")).to_have_text("One")
    await expect(frame.locator("h1")).to_be_visible()


async def test_bug_12_a_link_to_a_page_changes_the_active_file(desk: Desk) -> None:
    desk.put("index.html", page_of("One", "<a href=about.html>About</a>"))
    desk.put("about.html", page_of("About", "<a href=index.html>Back</a>"))
    frame = await desk.show("index.html")
    await frame.locator("a").click()
    await expect(frame.locator("h1")).to_have_text("About")
    await expect(desk.page).to_have_url(re.compile("file=about.html"))
    await frame.locator("a").click()
    await expect(frame.locator("h1")).to_have_text("One")


async def test_a_new_revision_is_shown_by_itself(desk: Desk) -> None:
    digest = desk.put("index.html", page_of("One"))
    frame = await desk.show("index.html")
    await expect(frame.locator("h1")).to_have_text("One")
    desk.put("index.html", page_of("Two"), over=digest)
    await expect(frame.locator("h1")).to_have_text("Two")
    await expect(desk.page.locator("iframe")).to_have_count(1)


async def test_a_page_that_loops_is_told_and_can_be_loaded_again(desk: Desk) -> None:
    loop = "<button onclick='setTimeout(() => { for (;;); }, 50)'>Go</button>"
    digest = desk.put("index.html", page_of("Loop", loop))
    frame = await desk.show("index.html")
    await frame.locator("button").click()
    notice = desk.page.get_by_text("The page does not answer.")
    await expect(notice).to_be_visible()
    desk.put("index.html", page_of("Mended"), over=digest)
    await expect(frame.locator("h1")).to_have_text("Mended", timeout=15_000)
    await expect(notice).not_to_be_visible()


async def test_a_page_that_loops_from_the_start_is_told(desk: Desk) -> None:
    digest = desk.put("index.html", page_of("Loop", "<script>for (;;);</script>"))
    frame = await desk.show("index.html")
    notice = desk.page.get_by_text("The page does not answer.")
    await expect(notice).to_be_visible()
    desk.put("index.html", page_of("Mended"), over=digest)
    await expect(frame.locator("h1")).to_have_text("Mended")
    await expect(notice).not_to_be_visible()


async def test_a_page_that_leaves_is_told(desk: Desk) -> None:
    leave = (
        "<script>onload = () => setTimeout(() => location = 'about.html', 300)</script>"
    )
    desk.put("about.html", page_of("About"))
    desk.put("index.html", page_of("Leaving", leave))
    await desk.show("index.html")
    notice = desk.page.get_by_text("The page went away from its own document.")
    await expect(notice).to_be_visible()


async def test_where_the_preview_site_is_out_of_reach_the_app_shows_the_page(
    desk: Desk,
) -> None:
    async def refuse(route: Route) -> None:
        await route.abort("connectionrefused")

    site = re.compile(rf"//([0-9a-f]+\.)?localhost:{desk.server.preview_port}/")
    await desk.page.route(site, refuse)
    desk.put("index.html", page_of("One", "<script>document.title = origin</script>"))
    frame = await desk.show("index.html")
    await expect(frame.locator("h1")).to_have_text("One")
    await expect(desk.page.get_by_text("shares the workspace's")).to_be_visible()
    assert await frame.locator("title").text_content() == "null"


async def test_a_closed_preview_is_told_and_opened_again(desk: Desk) -> None:
    desk.put("index.html", page_of("One"))
    frame = await desk.show("index.html")
    await expect(frame.locator("h1")).to_have_text("One")
    address = await desk.page.locator("iframe").get_attribute("src")
    assert address is not None
    capability = address.split("/p/")[1].split("/")[0]
    desk.call("DELETE", f"/previews/{capability}")
    await desk.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(desk.page.get_by_text("preview has expired")).to_be_visible()
    await desk.page.get_by_role("button", name="Load the preview again").last.click()
    await expect(frame.locator("h1")).to_have_text("One")
    await expect(desk.page.get_by_text("preview has expired")).not_to_be_visible()


async def test_open_alone_is_a_page_of_the_app_around_the_frame(desk: Desk) -> None:
    desk.put("index.html", page_of("One"))
    await desk.page.goto(f"{desk.server.origin}/p/{desk.name}/view?file=index.html")
    await expect(desk.frame.locator("h1")).to_have_text("One")
    assert desk.page.url.startswith(desk.server.origin)


async def test_a_kind_that_is_not_drawn_yet_shows_its_source(desk: Desk) -> None:
    desk.put("notes.md", "# Notes\n\n" + "A line of words.\n" * 5)
    await desk.show("notes.md")
    panel = desk.page.get_by_role("tabpanel", name="Preview")
    await expect(panel).to_contain_text("# Notes")
