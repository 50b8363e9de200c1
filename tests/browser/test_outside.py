"""A page that another program wrote in the project's folder, as a person meets it."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.support.chromium import RunningServer
from tests.support.files_page import LONG_PAGE, Files, open_tab

pytestmark = pytest.mark.browser

_STUB = "<!doctype html>\n<html><body><h2>Part 1</h2></body></html>\n"


async def test_what_another_program_replaced_is_brought_back_by_one_click(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    page = files.folder / "landing.html"
    page.write_text(_STUB)
    asked = workspace.get_by_role(
        "region", name="Another program replaced landing.html"
    )
    await expect(asked).to_be_visible()
    await expect(asked).to_contain_text("landing.html is the new version now")
    assert page.read_text() == _STUB
    await asked.get_by_role("button", name="Bring the old one back").click()
    await expect(workspace.get_by_text("landing.html is as it was")).to_be_visible()
    await expect(asked).to_be_hidden()
    assert page.read_text() == LONG_PAGE
    assert await files.numbers("landing.html") == [3, 2, 1]


async def test_it_stays_where_the_person_wants_it_and_is_listed_as_itself(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    page = files.folder / "landing.html"
    page.write_text(_STUB)
    asked = workspace.get_by_role(
        "region", name="Another program replaced landing.html"
    )
    await expect(asked).to_be_visible()
    await open_tab(workspace, "Files")
    await expect(workspace.get_by_role("tabpanel")).to_contain_text("landing.html")
    await asked.get_by_role("button", name="Keep the new version").click()
    await expect(
        workspace.get_by_text("landing.html stays as it is now.")
    ).to_be_visible()
    assert page.read_text() == _STUB
    assert await files.numbers("landing.html") == [2, 1]
