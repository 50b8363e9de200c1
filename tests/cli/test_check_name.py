"""`vitrail check name`: the corpus of paths, and the workspace that media lie in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Run, run_here
from tests.support.path_cases import path_cases
from vitrail.core.names import NAME_CONTEXTS


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return run_here(capsys, monkeypatch)


def test_every_row_of_the_corpus_is_judged_as_it_says_on_the_command_line(
    run: Run,
) -> None:
    cases = [case for case in path_cases(*NAME_CONTEXTS) if case.is_name]
    asked = "".join(
        json.dumps({"input": case.value, "context": case.context}) + "\n"
        for case in cases
    )
    done = run("check", "name", "--batch", stdin=asked.encode())
    assert done.code == 0, done.err
    told = [json.loads(line) for line in done.out.splitlines()]
    assert len(told) == len(cases) > 90
    wrong = [
        (case.id, case.reason)
        for case, verdict in zip(cases, told, strict=True)
        if verdict["ok"] != case.is_allowed or verdict["input"] != case.value
    ]
    assert wrong == []


@pytest.mark.parametrize("context", NAME_CONTEXTS)
def test_a_name_that_is_refused_leaves_with_1_and_its_code(
    run: Run, context: str
) -> None:
    done = run("check", "name", "../x.png", "--context", context)
    assert done.code == 1
    assert [one["code"] for one in done.json()["diagnostics"]] == ["path-traversal"]
    assert "path-traversal" in done.err
    assert run("check", "name", "図表.png", "--context", context).code == 0


def test_media_is_judged_in_the_workspace_that_is_named(run: Run) -> None:
    media = ("check", "name", "--context", "media_path")
    assert run(*media, "/srv/ws/a.png", "--root", "/srv/ws").code == 0
    assert run(*media, "/srv/ws/a.png").code == 1
    lines = (
        '{"input": "/srv/ws/a.png", "root": "/srv/ws"}\n{"input": "/srv/ws/a.png"}\n'
    )
    told = run(*media, "--batch", stdin=lines.encode())
    assert [json.loads(line)["ok"] for line in told.out.splitlines()] == [True, False]


def test_p158_media_whose_bytes_are_something_else_is_refused(
    run: Run, tmp_path: Path
) -> None:
    page, picture = b"<!doctype html><p>Hi</p>", b"\x89PNG\r\n\x1a\n"
    (tmp_path / "fake.png").write_bytes(page)
    (tmp_path / "real.png").write_bytes(picture)
    (tmp_path / "link.png").symlink_to(tmp_path / "real.png")
    media = ("check", "name", "--context", "media_path", "--root", str(tmp_path))
    done = run(*media, f"{tmp_path}/fake.png")
    assert done.code == 1
    assert [one["code"] for one in done.json()["diagnostics"]] == ["media-mismatch"]
    assert run(*media, "real.png").code == 0
    assert run(*media, "not-there.png").code == 0
    linked = run(*media, "link.png")
    assert linked.code == 1
    assert "Traceback" not in linked.err


def test_an_unknown_context_is_a_usage_error_that_lists_them(run: Run) -> None:
    done = run("check", "name", "a.html", "--context", "nonsense")
    assert done.code == 2
    assert "zip_export_out" in done.err.replace("\n", " ")
