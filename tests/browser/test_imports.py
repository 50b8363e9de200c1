"""What comes in from elsewhere: archives that become projects, and transcripts."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.support.chromium import RunningServer
from tests.support.files_page import Files, open_tab
from tests.support.workspace_page import new_project, say

pytestmark = pytest.mark.browser


def _archive(**files: str) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return written.getvalue()


async def _projects(page: Page) -> list[str]:
    told = await page.evaluate("() => fetch('/api/projects').then((one) => one.text())")
    return [one["title"] for one in json.loads(told)]


async def test_an_archive_becomes_a_project_with_its_files(workspace: Page):
    archive = _archive(**{"index.html": "<p>Words</p>\n", "css/a.css": "p {}\n"})
    await workspace.get_by_label("A ZIP or a bundle").set_input_files(
        {"name": "Autumn.zip", "mimeType": "application/zip", "buffer": archive}
    )
    await workspace.wait_for_url("**/p/**")
    await open_tab(workspace, "Files")
    await expect(workspace.get_by_role("button", name="Open css/a.css")).to_be_visible()
    assert await _projects(workspace) == ["Autumn"]


async def test_an_archive_that_is_refused_makes_no_project(workspace: Page):
    archive = _archive(**{"good.md": "# Good\n", "../out.md": "Out\n"})
    await workspace.get_by_label("A ZIP or a bundle").set_input_files(
        {"name": "bad.zip", "mimeType": "application/zip", "buffer": archive}
    )
    notice = workspace.get_by_role("alert")
    await expect(notice.get_by_text("Nothing was imported")).to_be_visible()
    await expect(notice.get_by_text("../out.md")).to_be_visible()
    assert await _projects(workspace) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "Autumn teas"
    (made / "css").mkdir(parents=True)
    (made / "index.html").write_text('<link rel=stylesheet href="css/a.css"><p>Tea</p>')
    (made / "css" / "a.css").write_text("p {}\n")
    (made / ".hidden").write_text("x")
    return made


async def test_a_folder_becomes_a_project_of_its_name(workspace: Page, folder: Path):
    await workspace.get_by_label("A folder").set_input_files(folder)
    await workspace.wait_for_url("**/p/**")
    await open_tab(workspace, "Files")
    await expect(workspace.get_by_role("button", name="Open css/a.css")).to_be_visible()
    await expect(workspace.get_by_text("2 files were added.")).to_be_visible()
    await expect(workspace.get_by_text("1 hidden or internal file was")).to_be_visible()
    assert await _projects(workspace) == ["Autumn teas"]


async def test_a_folder_that_is_refused_makes_no_project_and_names_each_reason(
    workspace: Page, folder: Path
):
    (folder / "con.txt").write_text("x")
    (folder / "css" / "A.CSS").write_text("b {}\n")
    await workspace.get_by_label("A folder").set_input_files(folder)
    notice = workspace.get_by_role("alert")
    await expect(notice.get_by_text("Nothing was imported")).to_be_visible()
    await expect(notice.get_by_text("con.txt")).to_be_visible()
    await expect(notice.get_by_text("css/A.CSS", exact=True)).to_be_visible()
    assert await _projects(workspace) == []
    (folder / "con.txt").unlink()
    (folder / "css" / "A.CSS").unlink()
    await workspace.get_by_label("A folder").set_input_files(folder)
    await workspace.wait_for_url("**/p/**")
    assert await _projects(workspace) == ["Autumn teas"]


async def test_a_bundle_comes_back_with_its_history(
    workspace: Page, server: RunningServer, tmp_path: Path
):
    files = await Files.of_new_project(workspace, server)
    await files.write("notes.md", "# One\n")
    await files.write("notes.md", "# Two\n", over=True)
    await workspace.reload()
    await workspace.get_by_role("button", name="Actions for Spring launch").click()
    async with workspace.expect_download() as started:
        await workspace.get_by_role(
            "menuitem", name="Download with its history"
        ).click()
    bundle = tmp_path / "spring.bundle.zip"
    await (await started.value).save_as(bundle)
    await workspace.goto(server.origin)
    first = workspace.url
    await workspace.get_by_label("A ZIP or a bundle").set_input_files(bundle)
    await workspace.wait_for_url("**/p/**")
    assert workspace.url != first
    assert await _projects(workspace) == ["Spring launch", "Spring launch"]
    await open_tab(workspace, "Versions")
    versions = workspace.get_by_role("list", name="Versions of notes.md")
    await expect(versions.get_by_role("listitem")).to_have_count(2)


async def test_a_transcript_is_downloaded_and_read_back(
    workspace: Page, server: RunningServer, tmp_path: Path
):
    await say(workspace, server, "Words of the reply.\n")
    await workspace.get_by_role(
        "button", name=re.compile("^Actions for the conversation")
    ).first.click()
    async with workspace.expect_download() as started:
        await workspace.get_by_role("menuitem", name="Download the transcript").click()
    transcript = tmp_path / "words.transcript.jsonl"
    await (await started.value).save_as(transcript)
    assert "Words of the reply." in transcript.read_text("utf-8")

    await workspace.goto(server.origin)
    await new_project(workspace, "Elsewhere")
    await workspace.get_by_role("button", name="Actions for Elsewhere").click()
    await workspace.get_by_role("menuitem", name="Import conversations").click()
    dialog = workspace.get_by_role("dialog", name="Import conversations")
    await (
        dialog.get_by_label("Choose a transcript")
        .and_(workspace.locator("input"))
        .set_input_files(transcript)
    )
    await expect(dialog.get_by_text("1 conversation was imported.")).to_be_visible()
    await dialog.get_by_role("button", name="Close").last.click()
    rail = workspace.get_by_role("navigation")
    await rail.get_by_role("link", name="Say it").click()
    await expect(workspace.get_by_text("Words of the reply.")).to_be_visible()


async def test_what_is_no_transcript_is_refused_with_its_reason(
    workspace: Page,
):
    await new_project(workspace, "Elsewhere")
    await workspace.get_by_role("button", name="Actions for Elsewhere").click()
    await workspace.get_by_role("menuitem", name="Import conversations").click()
    dialog = workspace.get_by_role("dialog", name="Import conversations")
    await dialog.locator("input").set_input_files(
        {"name": "a.jsonl", "mimeType": "text/plain", "buffer": b"no transcript\n"}
    )
    await expect(dialog.get_by_role("alert")).to_be_visible()
