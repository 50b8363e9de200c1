"""Every screen of the workspace passes axe-core, light and dark, wide and narrow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.chromium import RunningServer
from tests.support.files_page import LONG_PAGE, Files, file_actions, open_tab
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


async def _files_with_history(page: Page, server: RunningServer) -> tuple[Files, str]:
    """Return files with two versions of a page, and the text of the second."""
    files = await Files.of_new_project(page, server)
    await files.write("landing.html", LONG_PAGE)
    await files.write("css/style.css", "p { color: teal }\n")
    changed = LONG_PAGE.replace("<h2>Part 2</h2>", "<h2>Act 2</h2>")
    await files.write("landing.html", changed, over=True)
    if page.viewport_size is not None and page.viewport_size["width"] < 600:
        await page.get_by_role("button", name="Artifact", exact=True).click()
    await open_tab(page, "Files")
    await expect(page.get_by_role("row")).to_have_count(4)
    return files, changed


async def _act(page: Page, act: str) -> None:
    """Do an act of the source, by its button or, on a phone, from the one menu."""
    await open_tab(page, "Source")
    menu = page.get_by_role("button", name="Actions of this view")
    if not await menu.count():
        await page.get_by_role("button", name=act, exact=True).click()
        return
    await menu.click()
    await page.get_by_role("menuitem", name=act, exact=True).click()
    await expect(page.get_by_role("menu")).to_have_count(0)
    # focus is back on the button, whose name shows then
    await page.evaluate("document.activeElement.blur()")
    await expect(page.get_by_role("tooltip")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
async def test_files_and_their_versions_are_accessible(
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
    await _files_with_history(page, server)
    found["files"] = await faults(page)
    await file_actions(page, "css/style.css", "Rename")
    found["renaming"] = await faults(page)
    await page.keyboard.press("Escape")
    await file_actions(page, "css/style.css", "Delete")
    found["deleting"] = await faults(page)
    await page.get_by_role("button", name="Delete file").click()
    await page.get_by_text("Deleted files").click()
    found["deleted files"] = await faults(page)
    await page.get_by_role("button", name="Open landing.html").click()
    await _act(page, "Who wrote each line")
    wrote = page.get_by_role("button", name=re.compile("wrote these"))
    await expect(wrote).to_have_count(3)
    found["who wrote each line"] = await faults(page)
    await open_tab(page, "Versions")
    await expect(page.get_by_text("2 versions")).to_be_visible()
    found["versions"] = await faults(page)
    await page.get_by_role("button", name=re.compile("^Revision 2 ")).click()
    await expect(page.locator("ins")).to_have_count(1)
    found["a version"] = await faults(page)
    await context.close()
    assert {screen: told for screen, told in found.items() if told} == {}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
async def test_two_texts_and_drafts_are_accessible(
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
    files, changed = await _files_with_history(page, server)
    await page.get_by_role("button", name="Open landing.html").click()
    await _act(page, "Edit")
    field = page.get_by_role("textbox", name="Text of landing.html")
    await field.fill(changed.replace("<h2>Part 4</h2>", "<h2>Mine</h2>"))
    theirs = changed.replace("<h2>Part 4</h2>", "<h2>Theirs</h2>")
    await files.write("landing.html", theirs, over=True)
    await expect(page.get_by_text("was changed while you were writing")).to_be_visible()
    found["editing"] = await faults(page)
    await page.get_by_role("button", name="Look at both").click()
    await expect(page.get_by_role("group", name="Difference 1 of 1")).to_be_visible()
    found["two texts"] = await faults(page)
    await page.get_by_role("button", name="All mine").click()
    await page.get_by_role("button", name="Save the result").click()
    await expect(page.get_by_text("Two texts of")).to_be_hidden()
    await files.write("landing.html", "<!doctype html><h2>Part 1</h2>", over=True)
    await expect(page.get_by_role("button", name="Drop it")).to_be_visible()
    found["a draft"] = await faults(page)
    overflow = await page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    await context.close()
    assert not overflow
    assert {screen: told for screen, told in found.items() if told} == {}
