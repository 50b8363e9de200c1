"""Transcripts on the command line: which is meant, where it goes, what is said."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.support.transcripts import (
    conversation_line,
    lines,
    message_line,
    text_block,
)
from vitrail.cli.transcripts import (
    export_transcript,
    import_transcript,
    is_transcript,
)
from vitrail.errors import InvalidInput, InvalidPath, NotFound
from vitrail.workspace import Workspace

TEXT = lines(
    conversation_line(title="Tea \x1b[31m"),
    message_line(0, text_block("To ada@example.org."), role="user"),
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project's folder with one conversation, and the current folder beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VITRAIL_DATA", raising=False)
    (tmp_path / "talk.transcript.jsonl").write_bytes(TEXT)
    import_transcript("talk.transcript.jsonl", tmp_path / "site")
    return tmp_path / "site"


def conversation_of(site: Path) -> str:
    with Workspace(site) as workspace:
        return workspace.conversations()[0].id


def test_a_folder_is_told_into_itself(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_transcript(str(site), None)
    text = (site / ".transcript.jsonl").read_bytes()
    assert [json.loads(line)["kind"] for line in text.splitlines()] == [
        *("header", "conversation", "message")
    ]
    assert f"1 conversation, 1 message, {len(text)} bytes" in capsys.readouterr().err


def test_a_conversation_goes_to_a_file_redacted(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_transcript(
        conversation_of(site),
        tmp_path / "out.jsonl",
        redact=True,
        data=site / ".vitrail",
    )
    assert b"ada@" not in (tmp_path / "out.jsonl").read_bytes()
    assert "taken out  1 of e-mail address" in capsys.readouterr().err


def test_a_transcript_goes_to_standard_output_and_comes_from_standard_input(
    site: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    capsysbinary.readouterr()
    export_transcript(str(site), Path("-"))
    text = capsysbinary.readouterr().out
    stdin = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    import_transcript("-", site, as_json=True)
    done = json.loads(capsysbinary.readouterr().out)
    assert done["messages"] == 1
    with Workspace(site) as workspace:
        assert len(workspace.conversations()) == 2


def test_a_terminal_is_not_obeyed_by_a_title(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_transcript("talk.transcript.jsonl", site)
    told = capsys.readouterr().out
    assert told.startswith("imported  ")
    assert "\x1b" not in told


@pytest.mark.parametrize("name", ["", "nobody", "../etc", "\x1b[31m", "x" * 5000])
def test_what_is_neither_a_folder_nor_a_conversation_is_told(
    site: Path, name: str
) -> None:
    with pytest.raises(NotFound) as caught:
        export_transcript(name, None, data=site / ".vitrail")
    assert caught.value.code == "conversation-not-found"
    assert "\x1b" not in caught.value.message
    assert len(caught.value.message) < 1000


def test_nothing_is_made_for_a_folder_without_a_history(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        export_transcript(str(tmp_path), None, data=tmp_path / "none")
    assert caught.value.code == "project-not-found"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_no_project_is_told(site: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises((NotFound, InvalidPath)):
        export_transcript(str(tmp_path / "other"), None, data=site / ".vitrail")
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "error"),
    [("none.jsonl", NotFound), (".", InvalidInput), ("a\0b", InvalidPath)],
)
def test_a_file_that_cannot_be_read_is_told_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: type[Exception]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error):
        import_transcript(name, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_transcript_that_is_refused_makes_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.transcript.jsonl").write_bytes(TEXT + b"{}\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="Line 4"):
        import_transcript("a.transcript.jsonl", tmp_path / "site")
    assert [path.name for path in tmp_path.iterdir()] == ["a.transcript.jsonl"]


def test_standard_input_is_known_by_its_begin_and_nothing_of_it_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for text, is_one in ((TEXT, True), (b"PK\x03\x04", False), (b"", False)):
        file = io.BufferedReader(io.BytesIO(text))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        assert is_transcript("-") is is_one
        assert file.read() == text
    monkeypatch.setattr(sys, "stdin", None)
    assert not is_transcript("-")
    with pytest.raises(InvalidInput, match="closed"):
        import_transcript("-", Path("site"))


def test_a_transcript_is_known_by_its_name_or_its_begin(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(TEXT)
    (tmp_path / "b").write_bytes(b"PK\x03\x04")
    assert is_transcript("x.transcript.jsonl")
    assert is_transcript(".transcript.jsonl")
    assert is_transcript(str(tmp_path / "a"))
    for name in (str(tmp_path / "b"), str(tmp_path), str(tmp_path / "c"), "", "a\0"):
        assert not is_transcript(name)
