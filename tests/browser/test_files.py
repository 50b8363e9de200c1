"""The files panel: folders, names, what goes and comes back, what is added and refused."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.support.chromium import RunningServer
from tests.support.files_page import LONG_PAGE, Files, file_actions, open_tab

pytestmark = pytest.mark.browser

_PAGE = '<!doctype html>\n<link rel="stylesheet" href="css/style.css">\n<p>Words</p>\n'


def archive_of(**files: str) -> bytes:
    """Return a ZIP archive of texts by their names."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return written.getvalue()


async def test_folders_fold_and_each_file_says_who_changed_it(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("css/deep/style.css", "p { color: teal }\n")
    await files.write("css/other.css", "\n")
    await files.write("index.html", _PAGE)
    await open_tab(workspace, "Files")
    table = workspace.get_by_role("table", name="Files of the project")
    await expect(table.get_by_role("row")).to_have_count(6)
    row = table.get_by_role("row").filter(has_text="style.css")
    await expect(row.get_by_text("18 B").last).to_be_visible()
    await expect(row.get_by_title("You").last).to_be_visible()
    folder = table.get_by_role("button", name="Folder css, 2 files")
    await folder.focus()
    await workspace.keyboard.press("Enter")
    await expect(folder).to_have_attribute("aria-expanded", "false")
    await expect(table.get_by_role("row")).to_have_count(3)


async def test_a_renamed_file_is_followed_by_what_refers_to_it_and_by_other_tabs(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("css/style.css", "p { color: teal }\n")
    await files.write("index.html", _PAGE)
    await open_tab(workspace, "Files")
    await workspace.get_by_role("button", name="Open css/style.css").click()
    await open_tab(workspace, "Source")
    other = await workspace.context.new_page()
    await other.goto(workspace.url)
    await open_tab(other, "Files")
    await file_actions(other, "css/style.css", "Rename")
    field = other.get_by_label("New name for css/style.css")
    await expect(field).to_be_focused()
    await field.fill("look.css")
    await other.keyboard.press("Enter")
    await expect(other.get_by_text("css/style.css is look.css now.")).to_be_visible()
    await expect(
        other.get_by_text("References were rewritten in index.html.")
    ).to_be_visible()
    assert 'href="look.css"' in await files.text("index.html")
    await expect(
        workspace.get_by_role("button", name=re.compile("^File look.css"))
    ).to_be_visible()
    await other.get_by_role("button", name="Undo the renaming").click()
    await expect(other.get_by_role("button", name="Open css/style.css")).to_be_visible()
    assert await files.text("index.html") == _PAGE


async def test_a_name_that_is_refused_is_said_at_the_field(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("a.md", "A\n")
    await files.write("b.md", "B\n")
    await open_tab(workspace, "Files")
    await file_actions(workspace, "a.md", "Rename")
    field = workspace.get_by_label("New name for a.md")
    for name in ("b.md", "../a.md", ".vitrail/a.md"):
        await field.fill(name)
        await workspace.keyboard.press("Enter")
        await expect(field).to_have_attribute("aria-invalid", "true")
        await field.fill("")
    await workspace.keyboard.press("Enter")
    await expect(workspace.get_by_text("A file needs a name.")).to_be_visible()
    await workspace.keyboard.press("Escape")
    await expect(field).to_be_hidden()
    assert await files.text("b.md") == "B\n"


async def test_a_deleted_file_is_confirmed_by_name_and_brought_back(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("landing.html", LONG_PAGE)
    await files.write("notes.md", "# Notes\n")
    await open_tab(workspace, "Files")
    await file_actions(workspace, "landing.html", "Delete")
    dialog = workspace.get_by_role("dialog", name="Delete landing.html?")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await dialog.get_by_role("button", name="Delete file").click()
    await expect(workspace.get_by_text("landing.html is deleted.")).to_be_visible()
    assert not (files.folder / "landing.html").exists()
    assert not (files.folder / "landing.html.artifact.json").exists()
    await workspace.reload()
    await workspace.get_by_text("Deleted files").click()
    await workspace.get_by_role("button", name="Bring it back: landing.html").click()
    await expect(
        workspace.get_by_role("button", name="Open landing.html")
    ).to_be_visible()
    assert await files.text("landing.html") == LONG_PAGE
    assert await files.numbers("landing.html") == [2, 1]


async def test_a_file_that_changed_meanwhile_is_not_deleted(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("notes.md", "# Notes\n")
    await open_tab(workspace, "Files")
    await file_actions(workspace, "notes.md", "Delete")
    dialog = workspace.get_by_role("dialog", name="Delete notes.md?")
    await workspace.route(
        "**/files/notes.md",
        lambda route: route.continue_(
            headers={**route.request.headers, "if-match": f'"{"0" * 64}"'}
        ),
    )
    await dialog.get_by_role("button", name="Delete file").click()
    await expect(
        dialog.get_by_text("notes.md changed in the meantime.")
    ).to_be_visible()
    assert (files.folder / "notes.md").exists()


async def test_a_folder_is_added_with_its_folders(
    workspace: Page, server: RunningServer, tmp_path: Path
):
    files = await Files.of_new_project(workspace, server)
    folder = tmp_path / "site"
    (folder / "css").mkdir(parents=True)
    (folder / "index.html").write_text(_PAGE, "utf-8")
    (folder / "css" / "style.css").write_text("p { color: teal }\n", "utf-8")
    (folder / "図表.md").write_text("# 図表\n", "utf-8")
    await workspace.get_by_role("button", name="Show the artifact").click()
    await open_tab(workspace, "Files")
    await workspace.locator("input[webkitdirectory]").set_input_files(folder)
    await expect(workspace.get_by_text("3 files were added.")).to_be_visible()
    await expect(workspace.get_by_role("button", name="Open 図表.md")).to_be_visible()
    assert await files.text("css/style.css") == "p { color: teal }\n"
    assert await files.text("index.html") == _PAGE


async def test_an_archive_is_taken_whole_or_refused_with_its_list(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await workspace.get_by_role("button", name="Show the artifact").click()
    await open_tab(workspace, "Files")
    field = workspace.locator("input[type=file]:not([webkitdirectory])")
    bad = {"good.md": "# Good\n", "../out.md": "Out\n", "a/CON.md": "No\n"}
    await field.set_input_files(
        {"name": "bad.zip", "mimeType": "application/zip", "buffer": archive_of(**bad)}
    )
    notice = workspace.get_by_role("alert")
    await expect(notice.get_by_text("Nothing was added")).to_be_visible()
    await expect(notice.get_by_text("../out.md")).to_be_visible()
    _, listed = await files.ask("GET", "/files")
    assert json.loads(listed) == []
    await notice.get_by_role("button", name="Close").click()
    await field.set_input_files(
        {
            "name": "good.zip",
            "mimeType": "application/zip",
            "buffer": archive_of(**{"good.md": "# Good\n", "a/b.md": "# B\n"}),
        }
    )
    await expect(workspace.get_by_text("2 files were added.")).to_be_visible()
    assert await files.text("a/b.md") == "# B\n"


async def test_a_project_and_a_conversation_are_downloaded(
    workspace: Page, server: RunningServer
):
    files = await Files.of_new_project(workspace, server)
    await files.write("notes.md", "# Notes\n")
    await workspace.reload()
    for act in ("Download as ZIP", "Download with its history"):
        await workspace.get_by_role("button", name="Actions for Spring launch").click()
        async with workspace.expect_download() as started:
            await workspace.get_by_role("menuitem", name=act).click()
        assert zipfile.is_zipfile(await (await started.value).path())


_SITE = {
    "style.css": "body { background: url(img/leaf.png) }\n",
    "img/leaf.png": "no picture, and it need not be one\n",
    "logo.png": "no picture either\n",
    "notes.md": "![the logo](logo.png)\n",
    "index.html": (
        '<!doctype html><title>Tea</title><link rel=stylesheet href="style.css">'
        '<img src="logo.png"><p>Tea</p>\n'
    ),
}


async def _site(page: Page, server: RunningServer) -> Files:
    files = await Files.of_new_project(page, server)
    for path, text in _SITE.items():
        await files.write(path, text)
    await open_tab(page, "Files")
    return files


async def _paths(files: Files) -> list[str]:
    _, text = await files.ask("GET", "/files")
    return [one["path"] for one in json.loads(text)]


async def test_a_page_is_deleted_with_its_parts_and_all_come_back(
    workspace: Page, server: RunningServer
):
    files = await _site(workspace, server)
    await file_actions(workspace, "index.html", "Delete")
    dialog = workspace.get_by_role("dialog", name="Delete index.html?")
    own = dialog.get_by_role("list", name="Files that only this page needs")
    await expect(own.get_by_role("listitem")).to_have_text(
        ["img/leaf.png", "style.css"]
    )
    await expect(dialog.get_by_text("needed by notes.md")).to_be_visible()
    await dialog.get_by_role("checkbox").check()
    await dialog.get_by_role("button", name="Delete 3 files").click()
    told = workspace.get_by_text(
        "index.html and 2 files that only it needed are deleted."
    )
    await expect(told).to_be_visible()
    assert await _paths(files) == ["logo.png", "notes.md"]
    await workspace.get_by_role("button", name="Bring them back", exact=True).click()
    await expect(told).to_have_count(0)
    assert await _paths(files) == sorted(_SITE)
    assert await files.text("style.css") == _SITE["style.css"]


async def test_a_page_is_deleted_alone_where_nothing_else_is_said(
    workspace: Page, server: RunningServer
):
    files = await _site(workspace, server)
    await file_actions(workspace, "index.html", "Delete")
    await workspace.get_by_role("button", name="Delete file").click()
    await expect(workspace.get_by_text("index.html is deleted.")).to_be_visible()
    assert await _paths(files) == sorted(set(_SITE) - {"index.html"})


async def test_parts_move_with_their_page_to_its_new_folder_and_back(
    workspace: Page, server: RunningServer
):
    files = await _site(workspace, server)
    await file_actions(workspace, "index.html", "Rename")
    field = workspace.get_by_label("New name for index.html")
    await field.fill("tea/index.html")
    await expect(workspace.get_by_role("checkbox")).to_be_checked()
    await field.press("Enter")
    await expect(workspace.get_by_text("2 files moved along.")).to_be_visible()
    assert await _paths(files) == [
        *("logo.png", "notes.md"),
        *("tea/img/leaf.png", "tea/index.html", "tea/style.css"),
    ]
    assert 'src="../logo.png"' in await files.text("tea/index.html")
    await workspace.get_by_role("button", name="Undo the renaming").click()
    await expect(workspace.get_by_role("button", name="Open style.css")).to_be_visible()
    assert await _paths(files) == sorted(_SITE)
