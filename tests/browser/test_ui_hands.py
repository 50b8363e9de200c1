"""The workspace by keyboard, on a phone, and without a connection."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.chromium import RunningServer
from tests.support.workspace_page import (
    answer_with,
    composer,
    new_project,
    play,
    preview_frame,
    reply_ended,
    send,
)

pytestmark = pytest.mark.browser


async def test_everything_is_reached_by_keyboard(workspace: Page):
    keyboard = workspace.keyboard
    await expect(workspace.get_by_role("button", name="New project")).to_be_visible()
    await keyboard.press("Control+k")
    await expect(workspace.get_by_role("combobox")).to_be_focused()
    await keyboard.type("connect")
    await keyboard.press("Enter")
    dialog = workspace.get_by_role("dialog", name="Connect a model")
    await expect(dialog).to_be_visible()
    await keyboard.press("Escape")
    await expect(dialog).to_be_hidden()

    await workspace.get_by_role("button", name="New project").focus()
    await keyboard.press("Enter")
    await expect(workspace.get_by_label("Name of the project")).to_be_focused()
    await keyboard.press("Escape")
    await expect(workspace.get_by_label("Name of the project")).to_be_hidden()
    await expect(workspace.get_by_role("button", name="New project")).to_be_focused()

    await keyboard.press("Control+k")
    await keyboard.type("play landing")
    await keyboard.press("Enter")
    await workspace.wait_for_url("**/p/**")
    await expect(composer(workspace)).to_be_focused()


async def test_the_panes_are_moved_and_folded_by_keyboard_and_remembered(
    workspace: Page,
):
    await play(workspace, "SVG mark")
    await reply_ended(workspace)
    edge = workspace.get_by_role("separator", name="Width of the chat")
    before = int(await edge.get_attribute("aria-valuenow") or 0)
    await edge.focus()
    await workspace.keyboard.press("ArrowRight")
    await workspace.keyboard.press("Shift+ArrowRight")
    await expect(edge).to_have_attribute("aria-valuenow", str(before + 80))
    box = await workspace.locator("#pane-chat").bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(before + 80, abs=1)
    await workspace.reload()
    await expect(edge).to_have_attribute("aria-valuenow", str(before + 80))
    await edge.focus()
    await workspace.keyboard.press("Enter")
    await expect(composer(workspace)).to_be_hidden()
    await workspace.get_by_role("button", name="Show the chat").click()
    await expect(composer(workspace)).to_be_visible()
    rail = workspace.get_by_role("separator", name="Width of the rail")
    await rail.focus()
    await workspace.keyboard.press("Enter")
    await expect(workspace.get_by_role("navigation")).to_be_hidden()
    await workspace.get_by_role("button", name="Show the rail").click()
    await expect(workspace.get_by_role("navigation")).to_be_visible()


async def test_on_a_phone_the_artifact_is_a_sheet_and_nothing_is_cut(
    browser: Browser, server: RunningServer
):
    context = await browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = await context.new_page()
    await page.goto(server.link)
    await play(page, "Landing page")
    await reply_ended(page)
    await page.get_by_role("button", name="Open landing.html").click()
    await expect(preview_frame(page).locator("h1")).to_be_visible()
    sheet = await page.locator("#pane-stage").bounding_box()
    assert sheet == {"x": 0, "y": 0, "width": 390, "height": 844}
    await page.get_by_role("button", name="Back to the chat").click()
    await expect(composer(page)).to_be_in_viewport()
    overflow = await page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    assert not overflow
    small = await page.locator("button:visible, a:visible").evaluate_all(
        """all => all.filter((one) => !one.closest('.prose'))
          .map((one) => [one.getAttribute('aria-label') ?? one.innerText,
                         one.getBoundingClientRect()])
          .filter(([, box]) => box.height < 44 && box.width > 0)
          .map(([name]) => name)"""
    )
    assert small == []
    await context.close()


async def test_a_lost_connection_is_said_and_comes_back_by_itself(
    workspace: Page, server: RunningServer
):
    await new_project(workspace, "Offline")
    await expect(composer(workspace)).to_be_focused()
    server.stop()
    banner = workspace.get_by_text("Connection lost.")
    await expect(banner).to_be_visible()
    await composer(workspace).fill("hello")
    for control in (
        workspace.get_by_role("button", name="Send"),
        workspace.get_by_role("button", name="Answers: Recordings"),
        workspace.get_by_role("list", name="Suggestions").get_by_role("button").first,
    ):
        await expect(control).to_have_attribute("aria-disabled", "true")
        await expect(control).to_have_attribute(
            "aria-description", re.compile("connection is lost")
        )
    await (
        workspace.get_by_role("list", name="Suggestions")
        .get_by_role("button")
        .first.click(force=True)
    )
    await expect(workspace.get_by_role("article")).to_have_count(0)
    await workspace.get_by_role("button", name="Try now").click()
    await expect(banner).to_be_visible()
    server.start()
    await server.ready()
    await expect(banner).to_be_hidden(timeout=20_000)
    await expect(composer(workspace)).to_have_value("hello")


async def test_a_conversation_is_renamed_and_deleted_by_keyboard(workspace: Page):
    await play(workspace, "SVG mark")
    await reply_ended(workspace)
    rail = workspace.get_by_role("navigation")
    actions = rail.get_by_role("button", name=re.compile("^Actions for the conv"))
    await actions.focus()
    await workspace.keyboard.press("Enter")
    await workspace.keyboard.press("Enter")
    field = rail.get_by_role("textbox")
    await expect(field).to_be_focused()
    await field.fill("The mark")
    await workspace.keyboard.press("Enter")
    await expect(rail.get_by_role("link", name="The mark", exact=True)).to_be_visible()
    await expect(actions).to_be_focused()

    await workspace.keyboard.press("Enter")
    await workspace.get_by_role("menuitem", name="Delete").click()
    dialog = workspace.get_by_role("dialog", name="Delete “The mark”?")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await workspace.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await actions.click()
    await workspace.get_by_role("menuitem", name="Delete").click()
    await dialog.get_by_role("button", name="Delete conversation").click()
    await expect(dialog).to_be_hidden()
    await expect(rail.get_by_text("The mark")).to_have_count(0)
    # one is left with a place to write, and the file it made is still there
    await expect(composer(workspace)).to_be_visible()
    await expect(workspace.get_by_role("article")).to_have_count(0)
    await workspace.get_by_role("tab", name="Files").click()
    await expect(
        workspace.get_by_role("button", name=re.compile("^Open "))
    ).to_have_count(1)


async def test_the_readers_place_is_held_while_a_reply_grows(
    workspace: Page, server: RunningServer
):
    reply = "A line of a long reply.\n\n" * 120
    await answer_with(workspace, server.data.parent / "agent", reply, delay_s=0.02)
    await new_project(workspace, "Long")
    await send(workspace, "Go on")
    log = workspace.get_by_role("log", name="Conversation")
    await workspace.wait_for_function(
        "() => { const log = document.querySelector('[role=log]');"
        " return log && log.scrollHeight > log.clientHeight + 200 }"
    )
    await log.evaluate("(one) => { one.scrollTop = 40 }")
    await expect(workspace.get_by_role("button", name="Latest")).to_be_visible()
    await reply_ended(workspace)
    assert await log.evaluate("(one) => one.scrollTop") == 40
    await workspace.get_by_role("button", name="Latest").click()
    await expect(workspace.get_by_role("button", name="Latest")).to_be_hidden()
