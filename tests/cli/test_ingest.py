"""`vitrail ingest`: files out of a text, and words for what cannot be done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import Run, run_here
from vitrail import Workspace

PAGE = (
    "<!doctype html><html><body><h1>A page of some length, at last</h1></body></html>"
)
REPLY = (
    f'Here:\n<artifact identifier="page" type="text/html" title="T">{PAGE}</artifact>\n'
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return run_here(capsys, monkeypatch)


def test_a_text_on_standard_input_becomes_files(run: Run, tmp_path: Path) -> None:
    done = run(
        "ingest", "-", "--project", tmp_path / "site", "--json", stdin=REPLY.encode()
    )
    assert (done.code, done.err) == (0, "")
    said = done.json()
    assert list(said) == ["text", "saved", "fixed", "quarantined", "refused"]
    (saved,) = said["saved"]
    assert list(saved) == ["path", "identifier", "kind", "digest", "revision"]
    assert (said["text"], saved["path"], saved["kind"]) == (
        "Here:\n\n",
        "page.html",
        "html",
    )
    assert (tmp_path / "site" / "page.html").read_text() == PAGE


def test_a_file_and_people_s_words(run: Run, tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text(REPLY)
    done = run("ingest", tmp_path / "reply.txt", "--project", tmp_path / "site")
    assert done.code == 0
    assert "page.html" in done.out
    nothing = run("ingest", "--project", tmp_path / "site", stdin=b"Just a remark.")
    assert nothing.code == 0
    assert "no artifact" in nothing.out


def test_a_reason_is_kept(run: Run, tmp_path: Path) -> None:
    run(
        *("ingest", "-", "--project", tmp_path, "--replace", "smaller on purpose"),
        stdin=REPLY.encode(),
    )
    with Workspace(tmp_path) as ws:
        assert ws.log("page.html")[0].reason == "smaller on purpose"


def test_what_was_refused_is_told_with_its_code_and_the_rest_is_saved(
    run: Run, tmp_path: Path
) -> None:
    bad = '<artifact identifier="x" type="application/x-thing" title="T">x</artifact>\n'
    done = run(
        "ingest", "-", "--project", tmp_path, "--json", stdin=(bad + REPLY).encode()
    )
    assert done.code == 1
    assert "(artifact-manifest-required)" in done.err
    said = done.json()
    assert [item["identifier"] for item in said["refused"]] == ["x"]
    assert [item["path"] for item in said["saved"]] == ["page.html"]


def test_bad_input_is_met_with_words_and_a_code(run: Run, tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text(REPLY)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    (tmp_path / "late.txt").write_bytes(REPLY.encode() + b"\xff\xfe")
    (tmp_path / "utf16.txt").write_bytes(REPLY.encode("utf-16"))
    (tmp_path / "data").mkdir()
    reply = tmp_path / "reply.txt"
    site = tmp_path / "site"
    cases: list[tuple[tuple[str | Path, ...], str]] = [
        ((tmp_path / "nothing.txt", "--project", site), "file-not-found"),
        ((tmp_path, "--project", site), "input-invalid"),
        ((tmp_path / "picture.png", "--project", site), "not-text"),
        ((tmp_path / "late.txt", "--project", site), "not-text"),
        ((tmp_path / "utf16.txt", "--project", site), "not-text"),
        ((reply, "--project", reply), "path-invalid"),
        ((reply, "--project", reply / "x"), "path-invalid"),
        (
            (reply, "--project", tmp_path / "data", "--data", tmp_path / "data"),
            "path-outside-project",
        ),
        (
            (
                reply,
                *("--project", tmp_path / "data/projects/../../elsewhere"),
                *("--data", tmp_path / "data"),
            ),
            "path-outside-project",
        ),
    ]
    for arguments, code in cases:
        done = run("ingest", *arguments)
        assert (done.code, done.out) == (1, ""), arguments
        assert done.err.startswith("error: "), arguments
        assert done.err.endswith(f"({code})\n"), (arguments, done.err)
    assert not site.exists()
    assert not (tmp_path / "elsewhere").exists()


def test_a_wrong_call_is_usage(run: Run, tmp_path: Path) -> None:
    assert run("ingest", "-").code == 2
    assert run("ingest", "-", "--project", tmp_path, "--what").code == 2


def test_a_project_inside_a_project_is_refused(run: Run, tmp_path: Path) -> None:
    run("ingest", "-", "--project", tmp_path / "site", stdin=REPLY.encode())
    done = run("ingest", "-", "--project", tmp_path / "site" / "sub", stdin=b"x")
    assert done.code == 1
    assert "path-invalid" in done.err


def test_what_was_cut_by_the_end_of_bytes_is_one_replacement(
    run: Run, tmp_path: Path
) -> None:
    done = run(
        *("ingest", "-", "--project", tmp_path, "--json"),
        stdin=REPLY.encode() + "é".encode()[:1],
    )
    assert done.code == 0
    assert done.json()["text"] == "Here:\n\n\ufffd"


def test_a_running_text_is_saved_while_it_runs_and_kept_when_it_breaks_off(
    tmp_path: Path,
) -> None:
    """A real pipe: the first file is there before the writer goes on."""
    going = subprocess.Popen(
        [sys.executable, "-m", "vitrail.cli.main", "ingest", "-", "--project", "."],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "VITRAIL_DATA": ""},
    )
    assert going.stdin is not None
    going.stdin.write(REPLY.encode()[:60])
    going.stdin.flush()
    going.stdin.write(REPLY.encode()[60:])
    going.stdin.flush()
    first = tmp_path / "page.html.artifact.json"
    while not first.exists():
        assert going.poll() is None
    assert (tmp_path / "page.html").read_text() == PAGE
    going.stdin.write(b'<artifact identifier="cut" type="text/markdown"># Half')
    out, _ = going.communicate(timeout=60)
    assert going.returncode == 0
    assert b"cut.md" in out
    manifest = json.loads((tmp_path / "cut.md.artifact.json").read_text())
    assert manifest["status"] == "error"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_it_keeps_what_had_come(
    tmp_path: Path, number: signal.Signals
) -> None:
    going = subprocess.Popen(
        [sys.executable, "-m", "vitrail.cli.main", "ingest", "-", "--project", "."],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "VITRAIL_DATA": ""},
    )
    assert going.stdin is not None
    cut = b'<artifact identifier="cut" type="text/markdown"># Half'
    going.stdin.write(REPLY.encode() + cut)
    going.stdin.flush()
    while not (tmp_path / "page.html.artifact.json").exists():
        assert going.poll() is None
    going.send_signal(number)
    _, said = going.communicate(timeout=60)
    assert (going.returncode, said) == (128 + number, b"")
    assert (tmp_path / "cut.md").read_text() == "# Half"


def test_a_project_without_a_name_is_usage(run: Run) -> None:
    assert run("ingest", "-", "--project", "", stdin=REPLY.encode()).code == 2


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_shell_may_close_a_stream(tmp_path: Path, closed: str) -> None:
    (tmp_path / "reply.txt").write_text(REPLY)
    name = "-" if closed == "<&-" else "reply.txt"
    command = f"{sys.executable} -m vitrail.cli.main ingest {name} --project site"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} {closed}"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    if closed == "<&-":
        assert done.returncode == 1
        assert done.stderr.startswith("error: Standard input is closed")
    else:
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / "site" / "page.html").read_text() == PAGE


@pytest.mark.parametrize("reason", ["x" * 2001, "\ud800"])
def test_a_reason_that_cannot_be_kept_is_refused_and_nothing_is_made(
    run: Run, tmp_path: Path, reason: str
) -> None:
    done = run(
        *("ingest", "--project", tmp_path / "site", "--replace", reason),
        stdin=REPLY.encode(),
    )
    assert done.code == 1
    assert "A reason to replace a file expected a few words" in done.err
    assert not (tmp_path / "site").exists()
