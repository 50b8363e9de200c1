"""What one typed and a model's new version dropped, as it goes back in the workspace."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.support.chromium import RunningServer
from tests.support.files_page import LONG_PAGE, Files, open_tab
from tests.support.workspace_page import answer_with, reply_ended, send

pytestmark = pytest.mark.browser

_TYPED = "<p>We open at seven on Sundays.</p>"


def _reply(body: str) -> str:
    return (
        f'<artifact identifier="landing" type="text/html" title="Spring">{body}</artifact>'
        "\n"
    )


async def test_one_click_puts_back_what_was_typed_where_it_stood(
    workspace: Page, server: RunningServer, tmp_path: Path
):
    await answer_with(workspace, tmp_path / "first", _reply(LONG_PAGE))
    files = await Files.of_new_project(workspace, server)
    await send(workspace, "Make a page")
    await reply_ended(workspace)
    shown = await files.text("landing.html")
    mine = shown.replace("<h2>Part 3</h2>", f"<h2>Part 3</h2>\n{_TYPED}")
    await files.write("landing.html", mine, over=True)
    newer = shown.replace("<h2>Part 9</h2>", "<h2>Offers</h2>")
    await answer_with(workspace, tmp_path / "second", _reply(newer))
    await send(workspace, "Name part nine")
    await reply_ended(workspace, 2)
    assert _TYPED not in await files.text("landing.html")

    await open_tab(workspace, "Versions")
    await workspace.get_by_role("button", name=re.compile("^Revision 3 ")).click()
    button = workspace.get_by_role("button", name="Put back “")
    await expect(button).to_have_count(1)
    await button.click()
    await expect(workspace.get_by_text("is in the file again")).to_be_visible()
    assert await files.text("landing.html") == newer.replace(
        "<h2>Part 3</h2>", f"<h2>Part 3</h2>\n{_TYPED}"
    )

    # The button follows the file: nothing to put back, until it is gone once more.
    back = workspace.get_by_role("button", name="In the file: “")
    await expect(back).to_be_disabled()
    await expect(button).to_have_count(0)
    await workspace.reload()
    await expect(back).to_be_disabled()
    await files.write("landing.html", newer, over=True)
    await expect(button).to_be_enabled()
    await expect(back).to_have_count(0)
