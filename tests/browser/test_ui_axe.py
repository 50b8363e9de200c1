"""Every screen of the workspace passes axe-core, light and dark, wide and narrow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.chromium import RunningServer
from tests.support.files_page import LONG_PAGE, Files, editor, file_actions, open_tab
from tests.support.workspace_page import new_project, play, preview_frame, reply_ended

pytestmark = pytest.mark.browser

_AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """
() => axe.run(document, {
  iframes: false,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}).then((found) => found.violations.map((one) =>
  `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`))
"""


async def faults(page: Page) -> list[str]:
    """Return what axe-core finds on the page as it is."""
    await page.evaluate(_AXE.read_text("utf-8"))
    found: list[str] = await page.evaluate(_RUN)
    return found


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
async def test_every_screen_is_accessible(
    browser: Browser,
    server: RunningServer,
    scheme: Literal["light", "dark"],
    width: int,
):
    context = await browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme
    )
    page = await context.new_page()
    found: dict[str, list[str]] = {}

    async def look(screen: str) -> None:
        found[screen] = await faults(page)

    await page.goto(server.link)
    await expect(page.get_by_role("button", name="Play Landing page")).to_be_visible()
    await look("home, empty")
    await page.get_by_role("button", name="Connect a model").click()
    await page.get_by_role("radio").first.check()
    await page.get_by_role("button", name="Test", exact=True).click()
    await look("connect a model")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox")).to_be_focused()
    await look("palette")
    await page.keyboard.press("Escape")
    await new_project(page, "Spring launch")
    await look("empty project")
    await page.goto(f"{server.origin}/")
    await play(page, "Landing page", speed=8)
    await expect(page.locator("article[data-state=streaming]")).to_be_visible()
    await look("streaming")
    await reply_ended(page)
    await page.get_by_text("What the model was shown").click()
    await expect(page.get_by_text("The full prompt")).to_be_visible()
    await look("done")
    await page.get_by_role("button", name="Open landing.html").click()
    await expect(preview_frame(page).locator("h1")).to_be_visible()
    await look("preview")
    await page.get_by_role("tab", name="Source").click()
    await expect(page.get_by_text("<!doctype html>", exact=True)).to_be_visible()
    await look("source")
    await page.get_by_role("tab", name="Files").click()
    await look("files")
    await page.goto(f"{server.origin}/p/nothing-here")
    await expect(page.get_by_text("There is no project of that name.")).to_be_visible()
    await look("missing project")
    await context.close()
    assert {screen: told for screen, told in found.items() if told} == {}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
async def test_models_and_forms_are_accessible(
    browser: Browser,
    server: RunningServer,
    scheme: Literal["light", "dark"],
    width: int,
):
    context = await browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme
    )
    page = await context.new_page()
    found: dict[str, list[str]] = {}
    await page.goto(server.link)
    await page.get_by_role("link", name="Models", exact=True).click()
    await page.get_by_role("button", name=re.compile("^OpenAI-compatible")).click()
    await expect(page.get_by_label("API key")).to_be_visible()
    await expect(page.get_by_text("Nothing answers").last).to_be_visible()
    found["models"] = await faults(page)
    await page.get_by_role("link", name="Vitrail").click()
    await play(page, "Questions first")
    await reply_ended(page)
    await page.get_by_label("Other", exact=True).first.check()
    await page.locator("article form button[type=submit]").click()
    await expect(page.get_by_text("This needs an answer, or a skip.")).to_be_visible()
    found["question form"] = await faults(page)
    await context.close()
    assert {screen: told for screen, told in found.items() if told} == {}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
async def test_files_and_their_history_are_accessible(
    browser: Browser,
    server: RunningServer,
    scheme: Literal["light", "dark"],
    width: int,
):
    context = await browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme
    )
    page = await context.new_page()
    found: dict[str, list[str]] = {}

    async def look(screen: str) -> None:
        found[screen] = await faults(page)

    await page.goto(server.link)
    files = await Files.of_new_project(page, server)
    await files.write("landing.html", LONG_PAGE)
    await files.write("css/style.css", "p { color: teal }\n")
    changed = LONG_PAGE.replace("<h2>Part 2</h2>", "<h2>Act 2</h2>")
    await files.write("landing.html", changed, over=True)
    if width < 600:
        await page.get_by_role("button", name="Artifact", exact=True).click()
    await open_tab(page, "Files")
    await expect(page.get_by_role("row")).to_have_count(4)
    await look("files")
    await file_actions(page, "css/style.css", "Rename")
    await look("renaming")
    await page.keyboard.press("Escape")
    await file_actions(page, "css/style.css", "Delete")
    await look("deleting")
    await page.get_by_role("button", name="Delete file").click()
    await page.get_by_text("Deleted files").click()
    await look("deleted files")
    await page.get_by_role("button", name="Open landing.html").click()
    await open_tab(page, "Source")
    await page.get_by_role("button", name="Who wrote each line").click()
    await expect(
        page.get_by_role("button", name=re.compile("wrote these"))
    ).to_have_count(3)
    await look("who wrote each line")
    await open_tab(page, "Versions")
    await expect(page.get_by_text("2 versions")).to_be_visible()
    await look("versions")
    await page.get_by_role("button", name=re.compile("^Revision 2 ")).click()
    await expect(page.locator("ins")).to_have_count(1)
    await look("a version")
    field = await editor(page, "landing.html")
    await field.fill(changed.replace("<h2>Part 4</h2>", "<h2>Mine</h2>"))
    await files.write(
        "landing.html", changed.replace("<h2>Part 4</h2>", "<h2>Theirs</h2>"), over=True
    )
    await expect(page.get_by_text("was changed while you were writing")).to_be_visible()
    await look("editing what was changed")
    await page.get_by_role("button", name="Look at both").click()
    await expect(page.get_by_role("group", name="Difference 1 of 1")).to_be_visible()
    await look("two texts")
    await page.get_by_role("button", name="All mine").click()
    await page.get_by_role("button", name="Save the result").click()
    await expect(page.get_by_text("Two texts of")).to_be_hidden()
    await files.write("landing.html", "<!doctype html><h2>Part 1</h2>", over=True)
    await expect(page.get_by_role("button", name="Drop it")).to_be_visible()
    await look("a draft")
    overflow = await page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    await context.close()
    assert not overflow
    assert {screen: told for screen, told in found.items() if told} == {}
