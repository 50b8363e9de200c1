"""What follows on an artifact that is cut, or that only points at a file."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, Route, expect

from tests.support.chromium import RunningServer
from tests.support.workspace_page import (
    answer_with,
    new_project,
    preview_frame,
    reply_ended,
    send,
)
from vitrail.adapters.agents.fake_openai import FakeOpenAI, stream_answer

pytestmark = pytest.mark.browser


def page_of(heading: str, identifier: str) -> str:
    return (
        f'<artifact identifier="{identifier}" type="text/html" title="{heading}">\n'
        "<!doctype html>\n<html><head><title>A page</title></head>\n"
        f"<body><main><h1>{heading}</h1><p>Words enough to be a page of its own."
        "</p></main></body></html>\n</artifact>\n"
    )


POINTER = (
    '<artifact identifier="again" type="text/html" title="Again">\n'
    "See first.html\n</artifact>\n"
)


async def test_an_artifact_that_only_points_at_a_file_opens_that_file(
    workspace: Page, server: RunningServer
):
    agent = server.data.parent / "agent"
    await answer_with(
        workspace, agent, page_of("First", "first") + page_of("Second", "second")
    )
    await new_project(workspace, "Pointers")
    await send(workspace, "Two pages")
    await reply_ended(workspace)
    await workspace.get_by_role("button", name="Open second.html").click()
    await expect(preview_frame(workspace).locator("h1")).to_have_text("Second")

    await answer_with(workspace, agent, POINTER)
    await send(workspace, "Show the first one")
    await reply_ended(workspace, 2)
    card = workspace.locator("article[data-state=pointer]")
    await expect(card).to_contain_text("Opened first.html")
    await expect(card).to_contain_text("nothing was saved")
    await expect(preview_frame(workspace).locator("h1")).to_have_text("First")

    # A pointer that is loaded again opens nothing.
    await workspace.get_by_role("button", name="Open second.html").click()
    await workspace.reload()
    await expect(card).to_be_visible()
    await expect(preview_frame(workspace).locator("h1")).to_have_text("Second")
    await card.get_by_role("button", name="Open first.html").click()
    await expect(preview_frame(workspace).locator("h1")).to_have_text("First")


async def test_a_pointer_opens_no_stage_that_the_person_closed(
    workspace: Page, server: RunningServer
):
    agent = server.data.parent / "agent"
    await answer_with(workspace, agent, page_of("First", "first"))
    await new_project(workspace, "Closed")
    await send(workspace, "One page")
    await reply_ended(workspace)
    await workspace.get_by_role("button", name="Hide the artifact").click()
    await answer_with(workspace, agent, POINTER)
    await send(workspace, "Show it")
    await reply_ended(workspace, 2)
    await expect(workspace.locator("article[data-state=pointer]")).to_be_visible()
    await expect(workspace.get_by_role("tab", name="Preview")).to_be_hidden()


def beginning(*, rest: str = "") -> str:
    lines = "".join(f"<p>Line {number} of a page.</p>\n" for number in range(60))
    return (
        '<artifact identifier="long" type="text/html" title="Long page">\n'
        "<!doctype html>\n<html><head><title>Long</title></head>\n"
        f"<body><h1>Long page</h1>\n{lines}{rest}"
    )


REPEATED = "<p>Line 58 of a page.</p>\n<p>Line 59 of a page.</p>\n"
REST = f"{REPEATED}<p>And its end.</p></body></html>\n</artifact>\n"


async def use_model(page: Page, base_url: str) -> None:
    """Let the model server answer from now on."""
    body = {"baseUrl": base_url, "model": "fake-1", "apiKey": "sk-1", "isDefault": True}
    status = await page.evaluate(
        """(body) => fetch('/api/providers/openai', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).then((answer) => answer.status)""",
        body,
    )
    assert status == 200
    await page.reload()


async def test_an_artifact_cut_by_the_length_limit_goes_on_with_one_press(
    workspace: Page,
):
    answers = [
        stream_answer(beginning(), finish="length"),
        stream_answer(REST),
    ]
    async with FakeOpenAI(*answers) as model:
        await use_model(workspace, model.base_url)
        await new_project(workspace, "Long")
        await send(workspace, "A long page")
        await reply_ended(workspace)
        card = workspace.locator("article[data-state=saved-cut]")
        await expect(card).to_contain_text("Cut off: the end is missing")
        again = workspace.get_by_role("button", name="Continue", exact=True)
        await expect(again).to_have_count(2)
        await expect(card).to_contain_text("The model can go on where it stopped.")
        await workspace.reload()
        await card.get_by_role("button", name="Continue", exact=True).click()
        await reply_ended(workspace, 2)
        done = workspace.locator("article[data-state=saved]")
        await expect(done).to_contain_text("Saved long.html, revision 2")
        await expect(card).to_contain_text("It goes on below.")
        await expect(again).to_have_count(0)
        page = preview_frame(workspace)
        await expect(page.get_by_text("And its end.")).to_have_count(1)
        await expect(page.get_by_text("Line 58 of a page.")).to_have_count(1)


async def test_what_refuses_to_continue_is_said_at_the_card(workspace: Page):
    async with FakeOpenAI(stream_answer(beginning(), finish="length")) as model:
        await use_model(workspace, model.base_url)
        await new_project(workspace, "Refused")
        await send(workspace, "A long page")
        await reply_ended(workspace)
    card = workspace.locator("article[data-state=saved-cut]")
    problem = {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "detail": "There is nothing to continue.",
        "code": "nothing-to-continue",
        "retryable": False,
        "diagnostics": [],
        "details": {},
    }

    async def refuse(route: Route) -> None:
        await route.fulfill(
            status=409, content_type="application/problem+json", json=problem
        )

    await workspace.route("**/continue", refuse)
    await card.get_by_role("button", name="Continue", exact=True).click()
    await expect(card.get_by_role("alert")).to_contain_text(
        "There is nothing to continue."
    )
    await expect(
        card.get_by_role("button", name="Continue", exact=True)
    ).to_be_visible()
