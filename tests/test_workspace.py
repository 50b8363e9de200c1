"""`vitrail.Workspace`: a project folder for programs that are not async."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import vitrail
from tests.support.transcripts import (
    conversation_line,
    lines,
    message_line,
    text_block,
)
from vitrail import InvalidPath, NotFound, Workspace

PAGE = (
    "<!doctype html><html><body><h1>A page of some length, at last</h1></body></html>"
)
REPLY = (
    f'Here:\n<artifact identifier="page" type="text/html" title="T">{PAGE}</artifact>\n'
)


def test_a_reply_becomes_files_with_a_history(tmp_path: Path) -> None:
    with Workspace(tmp_path / "site") as ws:
        result = ws.ingest(REPLY, reason="first")
        assert [saved.path for saved in result.saved] == ["page.html"]
        assert result.text == "Here:\n\n"
        assert ws.read("page.html").decode() == PAGE
        (listed,) = ws.files()
        (revision,) = ws.log("page.html")
        assert listed.digest == revision.digest
        assert revision.reason == "first"
        assert ws.project.name == "site"
    with Workspace(tmp_path / "site") as again:
        assert again.project.name == "site"
        again.ingest(REPLY.replace("<h1>", "<h1 class='x'>"))
        assert [item.number for item in again.log("page.html")] == [2, 1]
    assert (tmp_path / "site" / "page.html").is_file()
    assert (tmp_path / "site" / ".vitrail" / "vitrail.db").is_file()


def test_pieces_may_be_cut_anywhere(tmp_path: Path) -> None:
    with Workspace(tmp_path / "whole") as ws:
        whole = ws.ingest(REPLY)
    with Workspace(tmp_path / "pieces") as ws:
        pieces = ws.ingest(iter(REPLY))
    assert whole.text == pieces.text
    assert [saved.digest for saved in whole.saved] == [
        saved.digest for saved in pieces.saved
    ]


def test_what_had_come_is_saved_before_the_pieces_error_goes_on(tmp_path: Path) -> None:
    def pieces() -> Iterator[str]:
        yield REPLY
        yield '<artifact identifier="cut" type="text/markdown" title="T"># Half'
        raise ConnectionError

    with Workspace(tmp_path) as ws:
        with pytest.raises(ConnectionError):
            ws.ingest(pieces())
        assert [file.path for file in ws.files()] == ["cut.md", "page.html"]
        manifest = ws.files()[0].manifest
        assert manifest is not None
        assert manifest.status == "error"


def test_a_folder_of_a_data_folder_is_its_project(tmp_path: Path) -> None:
    with Workspace(tmp_path / "data" / "projects" / "a", data=tmp_path / "data") as ws:
        ws.ingest(REPLY)
    with Workspace(tmp_path / "data" / "projects" / "a") as ws:
        assert [file.path for file in ws.files()] == ["page.html"]
    assert (tmp_path / "data" / "vitrail.db").is_file()
    assert not list(tmp_path.rglob("projects/a/.vitrail/vitrail.db"))


def test_two_folders_of_one_name_are_two_projects(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Workspace(tmp_path / "x" / "site", data=data) as one:
        first = one.project
    with Workspace(tmp_path / "y" / "site", data=data) as two:
        assert two.project.name == "site-2"
        assert two.project.id != first.id


def test_what_cannot_be_a_project_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "site"):
        with pytest.raises(InvalidPath):
            Workspace(path)
    # and nothing was made for it, least of all a data folder that claims the rest
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with Workspace(tmp_path) as ws:
        with pytest.raises(NotFound):
            ws.read("nothing.html")
        with pytest.raises(InvalidPath):
            ws.read("../nothing.html")
        assert ws.log("nothing.html") == ()


def test_a_closed_workspace_says_so(tmp_path: Path) -> None:
    ws = Workspace(tmp_path)
    ws.close()
    ws.close()
    with pytest.raises(ValueError, match="open workspace"):
        ws.files()


async def test_it_works_inside_another_event_loop(tmp_path: Path) -> None:
    await asyncio.sleep(0)
    with Workspace(tmp_path) as ws:
        assert ws.ingest(REPLY).saved


def test_public_names_are_those_of_all_and_come_when_asked_for() -> None:
    script = (
        "import sys, vitrail\n"
        "assert not any(name in sys.modules for name in ('pydantic', 'asyncio'))\n"
        "for name in vitrail.__all__: getattr(vitrail, name)\n"
        "assert set(vitrail.__all__) <= set(dir(vitrail))\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    with pytest.raises(AttributeError):
        _ = vitrail.nothing


def test_conversations_go_to_a_file_and_come_back(tmp_path: Path) -> None:
    text = lines(conversation_line(title="Tea"), message_line(0, text_block("hi")))
    with Workspace(tmp_path / "site") as ws:
        done = ws.read_transcript(io.BytesIO(text))
        assert ws.conversations() == done.conversations
        told = ws.tell_transcript(tmp_path / "out.jsonl", redact=True)
        assert (told.conversation_count, told.message_count) == (1, 1)
        assert told.redacted == {}
        again = ws.read_transcript(tmp_path / "out.jsonl")
        assert again.conversations[0].title == "Tea"
        only = ws.tell_transcript(conversation=again.conversations[0].id)
        assert (only.path, only.conversation_count) == (".transcript.jsonl", 1)
        with pytest.raises(NotFound):
            ws.read_transcript(tmp_path / "none.jsonl")
    assert (tmp_path / "site" / ".transcript.jsonl").is_file()
