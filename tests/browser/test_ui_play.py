"""The workspace's main paths: play, look, ask again, come back."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Page, Route, expect

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


async def test_the_artifact_opens_by_itself_once_and_never_after_it_was_closed(
    workspace: Page,
):
    await play(workspace, "Landing page")
    await reply_ended(workspace)
    await expect(preview_frame(workspace).locator("h1")).to_be_visible()
    await expect(workspace).to_have_title("Landing page · Vitrail")

    await workspace.get_by_role("button", name="Hide the artifact").click()
    await expect(composer(workspace)).to_be_focused()
    await workspace.get_by_role("button", name=re.compile("Shorter headline")).click()
    await reply_ended(workspace, 2)
    saved = workspace.get_by_text("Saved landing.html, revision 2")
    await expect(saved).to_be_visible()
    await expect(workspace.get_by_role("tab", name="Preview")).to_be_hidden()
    await workspace.reload()
    await expect(saved).to_be_visible()
    await expect(workspace.get_by_role("tab", name="Preview")).to_be_hidden()

    await workspace.get_by_role("button", name="Open landing.html").last.click()
    await expect(preview_frame(workspace).locator("h1")).to_be_visible()


async def test_two_artifacts_of_one_reply_are_two_cards(workspace: Page):
    await play(workspace, "Two artifacts in one reply")
    await reply_ended(workspace)
    cards = workspace.locator("article[data-state]")
    await expect(cards).to_have_count(2)
    assert await cards.evaluate_all("all => all.map((one) => one.dataset.state)") == [
        "saved",
        "saved",
    ]
    await workspace.get_by_role("tab", name="Files").click()
    await expect(workspace.get_by_role("row")).to_have_count(3)


async def test_an_address_names_the_conversation_the_file_and_the_tab(workspace: Page):
    await play(workspace, "Landing page")
    await reply_ended(workspace)
    await workspace.get_by_role("tab", name="Source").click()
    await expect(workspace).to_have_url(
        re.compile(r"/c/.+\?file=landing\.html&tab=source")
    )
    await expect(workspace.get_by_text("<!doctype html>", exact=True)).to_be_visible()
    address = workspace.url
    await workspace.evaluate("localStorage.clear()")
    await workspace.goto(address)
    await expect(workspace.get_by_role("tab", name="Source")).to_have_attribute(
        "aria-selected", "true"
    )
    await expect(workspace.get_by_text("Saved, revision 1")).to_be_visible()


async def test_the_preview_keeps_its_document_while_other_tabs_are_looked_at(
    workspace: Page,
):
    await play(workspace, "Landing page")
    await reply_ended(workspace)
    heading = preview_frame(workspace).locator("h1")
    await heading.evaluate("(one) => { one.dataset.kept = 'yes' }")
    for _ in range(3):
        await workspace.get_by_role("tab", name="Source").click()
        await workspace.get_by_role("tab", name="Preview").click()
    await expect(heading).to_be_visible()
    await expect(heading).to_have_attribute("data-kept", "yes")


async def test_stop_in_one_tab_ends_the_reply_in_all_and_keeps_what_came(
    workspace: Page, server: RunningServer
):
    body = "".join(
        f"<p>Line {number} of a page that takes long</p>\n" for number in range(400)
    )
    reply = (
        "Here it comes.\n\n"
        '<artifact identifier="slow" type="text/html" title="Slow page">\n'
        f"<!doctype html>\n{body}</artifact>\nDone.\n"
    )
    await answer_with(workspace, server.data.parent / "agent", reply, delay_s=0.05)
    await new_project(workspace, "Slow")
    await send(workspace, "Go on")
    await expect(
        workspace.get_by_text(re.compile(r"Streaming, \d+ lines")).first
    ).to_be_visible()
    other = await workspace.context.new_page()
    await other.goto(workspace.url)
    await expect(
        other.get_by_text(re.compile(r"Streaming, \d+ lines")).first
    ).to_be_visible()
    await other.get_by_role("button", name="Stop", exact=True).click()
    for page in (workspace, other):
        await expect(page.get_by_text("Stopped. What came is kept.")).not_to_have_count(
            0
        )
        card = page.locator("article[data-state]")
        await expect(card).to_have_attribute("data-state", "saved-cut")
        await expect(card).to_contain_text("Stopped before its end")
        await expect(page.get_by_role("button", name="Send")).to_be_visible()


async def _manifest_status(page: Page, path: str) -> object:
    return await page.evaluate(
        """async (path) => {
          const ask = (url) => fetch(url).then((answer) => answer.json());
          const [project] = await ask('/api/projects');
          const page = await ask(`/api/projects/${project.id}`);
          return page.files.find((file) => file.path === path)?.manifest?.status;
        }""",
        path,
    )


async def test_bug_27_one_ordered_copy_through_reloads_resumes_and_a_stop(
    workspace: Page, server: RunningServer
):
    lines = 400
    body = "".join(f"<p>Line {number} of the page</p>\n" for number in range(lines))
    reply = (
        "Before the page.\n\n"
        '<artifact identifier="slow" type="text/html" title="Slow page">\n'
        f"<!doctype html>\n{body}</artifact>\nDone.\n"
    )
    await answer_with(workspace, server.data.parent / "agent", reply, delay_s=0.03)
    await new_project(workspace, "Resumed")
    await send(workspace, "Go on")
    growing = re.compile(r"Streaming, \d{2,} lines")
    await expect(workspace.get_by_text(growing).first).to_be_visible()

    await workspace.reload()
    second = await workspace.context.new_page()
    await second.goto(workspace.url)
    for page in (workspace, second):
        await expect(page.get_by_text(growing).first).to_be_visible()
    await second.get_by_role("button", name="Stop", exact=True).click()
    third = await workspace.context.new_page()
    await third.goto(workspace.url)
    await workspace.reload()

    copies: list[str] = []
    for page in (workspace, second, third):
        card = page.locator("article[data-state]")
        await expect(card).to_have_attribute("data-state", "saved-cut")
        await expect(card).to_have_count(1)
        await expect(page.get_by_role("article", name="Message from")).to_have_count(2)
        await expect(page.get_by_text("Before the page.")).to_have_count(1)
        await expect(page.get_by_role("button", name="Send")).to_be_visible()
        copies.append(await page.get_by_role("log").text_content() or "")
    assert len(set(copies)) == 1

    kept = await workspace.evaluate(
        """async () => {
          const ask = (url) => fetch(url).then((answer) => answer.json());
          const [project] = await ask('/api/projects');
          const url = `/api/projects/${project.id}/files/slow.html`;
          return (await fetch(url)).text();
        }"""
    )
    numbers = [int(number) for number in re.findall(r"<p>Line (\d+) of", kept)]
    assert 10 <= len(numbers) < lines
    assert numbers == list(range(len(numbers)))
    assert await _manifest_status(workspace, "slow.html") == "error"


async def test_a_message_that_failed_is_kept_and_says_what_to_do(
    workspace: Page, server: RunningServer
):
    await answer_with(workspace, server.data.parent / "agent", "x")
    await workspace.evaluate(
        """() => fetch('/api/settings/model', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ agent: 'command', command: ['/nowhere/at-all'] }),
        })"""
    )
    await workspace.reload()
    await new_project(workspace, "Fails")
    await send(workspace, "Make a page")
    alert = workspace.get_by_role("alert")
    await expect(alert).to_be_visible()
    await expect(alert.get_by_role("button", name="Connect a model")).to_be_visible()
    await expect(composer(workspace)).to_have_value("Make a page")


async def test_who_sends_while_the_page_still_loads_is_answered_by_their_model(
    workspace: Page, server: RunningServer
):
    await answer_with(workspace, server.data.parent / "agent", "Here I am.")
    await new_project(workspace, "Early")
    sent = asyncio.Event()

    async def hold(route: Route) -> None:
        await sent.wait()
        await route.continue_()

    await workspace.route("**/api/settings/model", hold)
    await workspace.reload()
    await send(workspace, "Make a page")
    await expect(composer(workspace)).to_have_value("Make a page")
    sent.set()
    await reply_ended(workspace)
    await expect(workspace.get_by_text("Here I am.")).to_be_visible()
    await expect(composer(workspace)).to_have_value("")
