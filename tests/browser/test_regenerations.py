"""A model that writes a page again, as the person meets it who worked on it meanwhile."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.support.chromium import RunningServer
from tests.support.files_page import LONG_PAGE, Files, open_tab
from tests.support.workspace_page import (
    THINKING,
    answer_when_told,
    answer_with,
    reply_ended,
    send,
)

pytestmark = pytest.mark.browser

_STUB = f"<!doctype html>\n<html><body><h2>Part 1</h2><p>{'Words. ' * 9}</p></body></html>\n"


def _reply(body: str) -> str:
    return (
        "Here it is.\n"
        f'<artifact identifier="landing" type="text/html" title="Spring">{body}</artifact>'
        "\n"
    )


def _with_parts(text: str, **names: str) -> str:
    """Return a page with other names for some parts: ``part_3="Mine"``."""
    for part, name in names.items():
        number = part.removeprefix("part_")
        text = text.replace(f"<h2>Part {number}</h2>", f"<h2>{name}</h2>")
    return text


async def _with_first_page(page: Page, server: RunningServer, agent: Path) -> Files:
    """Let a model write the first version of ``landing.html`` in a new project."""
    await answer_with(page, agent, _reply(LONG_PAGE))
    files = await Files.of_new_project(page, server)
    await send(page, "Make a page")
    await reply_ended(page)
    return files


async def _contents(files: Files, path: str) -> list[str]:
    """Return the texts of all revisions of a file, the newest first."""
    _, told = await files.ask("GET", f"/history/{path}")
    return [
        (await files.ask("GET", f"/revisions/{one['id']}/content"))[1]
        for one in json.loads(told)["revisions"]
    ]


async def test_where_both_changed_one_passage_the_person_chooses_and_nothing_is_lost(
    workspace: Page, server: RunningServer, tmp_path: Path
):
    files = await _with_first_page(workspace, server, tmp_path / "first")
    shown = await files.text("landing.html")
    models = _with_parts(shown, part_3="Model 3", part_9="Model 9")
    persons = _with_parts(shown, part_3="Mine 3", part_6="Mine 6")
    told = await answer_when_told(workspace, tmp_path / "second", _reply(models))
    await send(workspace, "Make it better")
    await expect(workspace.get_by_text(THINKING)).to_be_visible()
    await files.write("landing.html", persons, over=True)
    told.touch()
    await reply_ended(workspace, 2)

    assert await files.text("landing.html") == persons
    banner = workspace.get_by_role("region", name=re.compile("^Kept aside"))
    await expect(banner).to_contain_text("You and the model changed the same lines.")
    await banner.get_by_role("button", name="Choose line by line").click()
    view = workspace.get_by_role("region", name="Two texts of landing.html")
    # what only one of them changed is proposed, so that only one place is asked
    await expect(view.get_by_text("3 differences · 1 to decide")).to_be_visible()
    await expect(
        workspace.get_by_role("button", name="Edit", exact=True)
    ).to_be_hidden()
    first = view.get_by_role("group", name="Difference 1 of 3")
    await first.get_by_role("radio", name="Take: The model's").check()
    await view.get_by_role("button", name="Save the result").click()
    await expect(view).to_be_hidden()

    saved = await files.text("landing.html")
    assert saved == _with_parts(
        shown, part_3="Model 3", part_6="Mine 6", part_9="Model 9"
    )
    assert persons in await _contents(files, "landing.html")
    (draft,) = await _contents(files, "landing.draft.html")
    assert "<h2>Model 3</h2>" in draft


async def test_what_each_changed_elsewhere_is_kept_of_both(
    workspace: Page, server: RunningServer, tmp_path: Path
):
    files = await _with_first_page(workspace, server, tmp_path / "first")
    shown = await files.text("landing.html")
    models = _with_parts(shown, part_9="Model 9")
    told = await answer_when_told(workspace, tmp_path / "second", _reply(models))
    await send(workspace, "Make it better")
    await expect(workspace.get_by_text(THINKING)).to_be_visible()
    persons = _with_parts(shown, part_6="Mine 6")
    await files.write("landing.html", persons, over=True)
    told.touch()
    await reply_ended(workspace, 2)
    saved = await files.text("landing.html")
    assert saved == _with_parts(shown, part_6="Mine 6", part_9="Model 9")
    await expect(
        workspace.get_by_role("region", name=re.compile("^Kept aside"))
    ).to_be_hidden()


async def test_a_page_that_shrank_waits_and_its_card_leads_to_the_decision(
    workspace: Page, server: RunningServer, tmp_path: Path
):
    files = await _with_first_page(workspace, server, tmp_path / "first")
    shown = await files.text("landing.html")
    await answer_with(workspace, tmp_path / "second", _reply(_STUB))
    await send(workspace, "Make it shorter")
    await reply_ended(workspace, 2)
    assert await files.text("landing.html") == shown
    card = workspace.get_by_role("article", name="Spring").last
    await expect(card).to_contain_text("landing.html was not changed")
    await workspace.get_by_role("button", name="Hide the artifact").click()
    await card.get_by_role("button", name="Decide about landing.html").click()
    banner = workspace.get_by_role("region", name=re.compile("^Kept aside"))
    await expect(banner).to_be_visible()
    await banner.get_by_role("button", name="Take the new version").click()
    await expect(
        workspace.get_by_text("landing.html has the new version now.")
    ).to_be_visible()
    assert await files.text("landing.html") == f"{_STUB}"
    assert shown in await _contents(files, "landing.html")
    await expect(card).to_contain_text("It has been decided since.")
    await open_tab(workspace, "Versions")
    await expect(
        workspace.get_by_role("button", name=re.compile("^Revision 2 "))
    ).to_be_visible()
