"""Versions, drafts and conflicts, as a person meets them: nothing written is ever lost."""

from __future__ import annotations

import json
import re

import pytest
from playwright.async_api import Page, expect

from tests.support.chromium import RunningServer
from tests.support.files_page import LONG_PAGE, Files, editor, open_tab

pytestmark = pytest.mark.browser

_STUB = "<!doctype html>\n<html><body><h2>Part 1</h2></body></html>\n"


async def _with_three_versions(page: Page, server: RunningServer) -> Files:
    files = await Files.of_new_project(page, server)
    await files.write("landing.html", LONG_PAGE)
    for number in (2, 5):
        text = await files.text("landing.html")
        changed = text.replace(f"<h2>Part {number}</h2>", f"<h2>Act {number}</h2>")
        await files.write("landing.html", changed, over=True)
    await open_tab(page, "Versions")
    return files


async def test_a_version_shows_what_it_changed_and_comes_back_as_a_new_one(
    workspace: Page, server: RunningServer
):
    files = await _with_three_versions(workspace, server)
    versions = workspace.get_by_role("list", name="Versions of landing.html")
    await expect(versions.get_by_role("listitem")).to_have_count(3)
    await expect(versions.get_by_text("Current")).to_have_count(1)
    await versions.get_by_role("button", name=re.compile("^Revision 2 You")).click()
    await expect(workspace).to_have_url(re.compile("tab=versions&to="))
    changes = workspace.get_by_role("region", name="Changes of landing.html")
    await expect(changes.locator("del")).to_have_text("Part")
    await expect(changes.locator("ins")).to_have_text("Act")

    await workspace.get_by_role("button", name="Restore revision 2").click()
    await expect(
        workspace.get_by_text("Revision 2 is back, as revision 4.")
    ).to_be_visible()
    assert await files.numbers("landing.html") == [4, 3, 2, 1]
    restored = await files.text("landing.html")
    assert "<h2>Act 2</h2>" in restored
    assert "<h2>Act 5</h2>" not in restored

    await workspace.get_by_role("button", name="Undo").click()
    await expect(workspace.get_by_text("Revision 2 is back")).to_be_hidden()
    assert await files.numbers("landing.html") == [5, 4, 3, 2, 1]
    assert "<h2>Act 5</h2>" in await files.text("landing.html")


async def test_lines_that_two_versions_share_open_where_one_asks_for_them(
    workspace: Page, server: RunningServer
):
    await _with_three_versions(workspace, server)
    await workspace.get_by_role("button", name=re.compile("^Revision 2 You")).click()
    changes = workspace.get_by_role("region", name="Changes of landing.html")
    await expect(changes.locator("ins")).to_have_text("Act")
    await expect(changes.get_by_text("<h2>Part 0</h2>")).to_have_count(0)
    await changes.get_by_role("button", name=re.compile("lines unchanged$")).click()
    await expect(changes.get_by_text("<h2>Part 0</h2>").first).to_be_visible()
    await expect(changes).to_be_focused()


async def test_two_versions_are_compared_the_older_one_first(
    workspace: Page, server: RunningServer
):
    await _with_three_versions(workspace, server)
    versions = workspace.get_by_role("list", name="Versions of landing.html")
    await versions.get_by_role("button", name="Compare revision 3").click()
    await versions.get_by_role("button", name="Compare revision 1").click()
    await expect(
        workspace.get_by_role("heading", name="Revision 1 compared with Revision 3")
    ).to_be_visible()
    await expect(
        workspace.get_by_text("2 lines added, 2 lines removed")
    ).to_be_visible()
    address = workspace.url
    await workspace.reload()
    await expect(workspace.locator("ins")).to_have_count(2)
    assert workspace.url == address

    # beside the list there is room for both sides, once the chat is hidden
    await workspace.get_by_role("button", name="Hide the chat").click()
    changes = workspace.get_by_role("region", name="Changes of landing.html")
    await expect(changes).to_have_attribute("data-split", "true")
    await workspace.get_by_role("button", name="Side by side").click()
    await expect(changes).to_have_attribute("data-split", "false")
    await versions.get_by_role("button", name="Compare revision 1").click()
    await expect(
        workspace.get_by_role("heading", name="Revision 3", exact=True)
    ).to_be_visible()


async def test_a_version_that_lost_something_names_it(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    shorter = re.sub(
        r'<section id="part-7">.*?</section>\n', "", LONG_PAGE, flags=re.DOTALL
    )
    await files.write("landing.html", shorter, over=True)
    await open_tab(workspace, "Versions")
    await workspace.get_by_role("button", name=re.compile("^Revision 2 ")).click()
    await expect(workspace.get_by_text("This change lost")).to_be_visible()
    await expect(workspace.get_by_text("Section “Part 7”")).to_be_visible()


async def test_line_breaks_that_changed_are_told_though_no_line_did(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("notes.md", "# Notes\n\nWords\n")
    await files.write("notes.md", "# Notes\r\n\r\nWords\r\n", over=True)
    await open_tab(workspace, "Versions")
    await workspace.get_by_role("button", name=re.compile("^Revision 2 ")).click()
    await expect(
        workspace.get_by_text("Line breaks of lines 1 to 3 changed: LF became CRLF.")
    ).to_be_visible()


async def test_a_draft_says_what_would_vanish_and_is_dropped(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    answer = await files.write("landing.html", _STUB, over=True)
    assert answer["verdict"] == "quarantined"
    banner = workspace.get_by_role("region", name=re.compile("^Kept aside"))
    await expect(banner.get_by_text(re.compile("would vanish"))).to_be_visible()
    await expect(banner.get_by_text("Section “Part 0”")).to_be_visible()
    await expect(banner.get_by_text(re.compile(answer["draft"]))).to_be_visible()
    # the banner is what the server holds, so it is there after a reload
    await workspace.reload()
    await banner.get_by_role("button", name="Compare", exact=True).click()
    await expect(
        workspace.get_by_role("heading", name="Revision 1 compared with The draft")
    ).to_be_visible()
    await banner.get_by_role("button", name="Drop it").click()
    await expect(banner).to_be_hidden()
    await expect(workspace.get_by_text("is as it was.")).to_be_visible()
    assert await files.text("landing.html") == LONG_PAGE


async def test_a_draft_is_taken_and_the_old_text_stays_a_version(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    await files.write("landing.html", _STUB, over=True)
    await workspace.get_by_role("button", name="Take the new version").click()
    await expect(
        workspace.get_by_text("landing.html has the new version now.")
    ).to_be_visible()
    assert await files.text("landing.html") == _STUB
    await open_tab(workspace, "Versions")
    await workspace.get_by_role("button", name=re.compile("^Revision 1 ")).click()
    await workspace.get_by_role("button", name="Restore revision 1").click()
    await expect(
        workspace.get_by_text(re.compile("^Revision 1 is back"))
    ).to_be_visible()
    assert await files.text("landing.html") == LONG_PAGE


async def test_a_draft_is_decided_range_by_range(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    await files.write("landing.html", _STUB, over=True)
    await workspace.get_by_role("button", name="Choose line by line").click()
    view = workspace.get_by_role("region", name="Two texts of landing.html")
    await view.get_by_role("button", name="All mine").click()
    await view.get_by_role("button", name="Edit the result").click()
    field = view.get_by_role("textbox", name="Text of landing.html")
    await field.fill(LONG_PAGE.replace("<h2>Part 3</h2>", "<h2>By hand</h2>"))
    await view.get_by_role("button", name="Save the result").click()
    await expect(view).to_be_hidden()
    assert "<h2>By hand</h2>" in await files.text("landing.html")
    _, drafts = await files.ask("GET", "/quarantine")
    assert json.loads(drafts) == {"drafts": []}


async def test_what_two_tabs_wrote_at_a_time_is_kept_and_chosen_from(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    field = await editor(workspace, "landing.html")
    mine = LONG_PAGE.replace("Part 1<", "Mine 1<").replace("Part 8<", "Mine 8<")
    await field.fill(mine)

    other = await workspace.context.new_page()
    await other.goto(workspace.url)
    theirs = await editor(other, "landing.html")
    await theirs.fill(
        LONG_PAGE.replace("Part 1<", "Theirs 1<").replace("Part 10<", "Theirs 10<")
    )
    await other.keyboard.press("Control+s")
    await expect(theirs).to_be_hidden()

    await expect(
        workspace.get_by_text("landing.html was changed while you were writing")
    ).to_be_visible()
    await workspace.get_by_role("button", name="Save", exact=True).click()
    view = workspace.get_by_role("region", name="Two texts of landing.html")
    await expect(view.get_by_text("3 differences · 1 to decide")).to_be_visible()
    save = view.get_by_role("button", name="Save the result")
    await expect(save).to_have_attribute("aria-disabled", "true")

    # neither text disappears on reload
    await workspace.reload()
    await expect(view.get_by_text("<h2>Mine 1</h2>")).to_be_visible()
    await expect(view.get_by_text("<h2>Theirs 1</h2>")).to_be_visible()
    first = view.get_by_role("group", name="Difference 1 of 3")
    await first.get_by_role("radio", name="Take: Both").check()
    await expect(view.get_by_text("All decided")).to_be_visible()
    await save.click()
    await expect(view).to_be_hidden()
    saved = await files.text("landing.html")
    for heading in ("Mine 1", "Theirs 1", "Mine 8", "Theirs 10"):
        assert f"<h2>{heading}</h2>" in saved
    assert await files.numbers("landing.html") == [3, 2, 1]


async def test_an_unsaved_text_survives_a_reload_and_is_discarded_by_name(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("notes.md", "# Notes\n")
    field = await editor(workspace, "notes.md")
    await field.fill("# Notes\n\nUnsaved.\n")
    await workspace.reload()
    await expect(field).to_have_value("# Notes\n\nUnsaved.\n")
    await workspace.get_by_role("button", name="Discard", exact=True).click()
    dialog = workspace.get_by_role("dialog", name="Discard your text?")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await dialog.get_by_role("button", name="Discard mine").click()
    await expect(field).to_be_hidden()
    await expect(
        workspace.get_by_role("button", name="Edit", exact=True)
    ).to_be_focused()
    assert await files.numbers("notes.md") == [1]


async def test_a_file_that_is_deleted_under_ones_hands_is_saved_anew(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("notes.md", "# Notes\n")
    field = await editor(workspace, "notes.md")
    await field.fill("# Mine\n")
    digest = await files.digest("notes.md")
    status, _ = await files.ask("DELETE", "/files/notes.md", if_match=f'"{digest}"')
    assert status == 204
    await expect(
        workspace.get_by_text("notes.md was deleted while you were writing.")
    ).to_be_visible()
    await workspace.get_by_role("button", name="Save", exact=True).click()
    await expect(field).to_be_hidden()
    assert await files.text("notes.md") == "# Mine\n"


async def test_a_change_on_disk_is_said_and_compared(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    await open_tab(workspace, "Source")
    await expect(workspace.get_by_text("<h2>Part 2</h2>")).to_be_visible()
    changed = LONG_PAGE.replace("<h2>Part 2</h2>", "<h2>From an editor</h2>")
    (files.folder / "landing.html").write_text(changed, "utf-8")
    await expect(
        workspace.get_by_text("landing.html was changed on disk")
    ).to_be_visible()
    await expect(workspace.get_by_text("<h2>From an editor</h2>")).to_be_visible()
    await workspace.get_by_role("button", name="Compare", exact=True).click()
    await expect(workspace.locator("ins")).to_have_text("From an editor")
    await expect(
        workspace.get_by_text("landing.html was changed on disk")
    ).to_be_hidden()
    await workspace.get_by_role("button", name="All versions").click()
    await expect(
        workspace.get_by_role("button", name=re.compile("^Revision 2 Outside Vitrail"))
    ).to_have_count(1)


async def test_the_source_says_who_wrote_each_line(
    workspace: Page, server: RunningServer
):
    await _with_three_versions(workspace, server)
    await open_tab(workspace, "Source")
    await workspace.get_by_role("button", name="Who wrote each line").click()
    await workspace.get_by_role(
        "button", name="You, Revision 2 wrote these lines: show its change"
    ).click()
    await expect(workspace.get_by_role("heading", name="Revision 2")).to_be_visible()
    await expect(workspace.locator("ins")).to_have_text("Act")


async def test_a_long_history_is_scrolled_not_drawn_at_once(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("notes.md", "0\n")
    await workspace.evaluate(
        """async (project) => {
          const path = `/api/projects/${project}/files/notes.md`;
          let match = (await fetch(path)).headers.get("etag");
          for (let place = 1; place < 230; place += 1) {
            const answer = await fetch(path, {
              method: "PUT", headers: { "if-match": match }, body: `${place}\\n`,
            });
            match = answer.headers.get("etag");
          }
        }""",
        files.project,
    )
    await open_tab(workspace, "Versions")
    await expect(workspace.get_by_text("230 versions")).to_be_visible()
    versions = workspace.get_by_role("list", name="Versions of notes.md")
    first = versions.get_by_role("button", name=re.compile("^Revision 1 "))
    assert await versions.get_by_role("listitem").count() < 60
    await versions.evaluate("(one) => { one.parentElement.scrollTop = 1e6 }")
    await expect(versions.get_by_text("Revision 20", exact=True)).to_be_visible()
    await versions.evaluate("(one) => { one.parentElement.scrollTop = 1e6 }")
    await expect(first).to_be_visible()
    assert await versions.get_by_role("listitem").count() < 60
