"""What follows on an artifact that is cut, or that only points at a file."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.support.chromium import RunningServer
from tests.support.workspace_page import (
    answer_with,
    new_project,
    preview_frame,
    reply_ended,
    send,
)

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
