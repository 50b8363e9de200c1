"""`vitrail check`: the rules' verdict, as JSON, without doing anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Run, run_here

PAGE = (
    "<!doctype html><html><body><h1>A page of some length, at last</h1></body></html>"
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return run_here(capsys, monkeypatch)


def test_a_good_value_is_ok_and_exits_0(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "manifest.json").write_text(
        json.dumps({"kind": "html", "renderer": "html", "exports": ["html"]})
    )
    for arguments in (
        ("name", "図表.html"),
        ("name", "-"),
        ("html", tmp_path / "page.html"),
        ("html", PAGE),
        ("manifest", tmp_path / "manifest.json"),
    ):
        done = run("check", *arguments, stdin=b"a.html\n")
        assert done.code == 0, done.err
        assert done.json() == {"ok": True, "diagnostics": []}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("name", "../x"), "path-traversal"),
        (("name", "%2e%2e/x", "--context", "url_path"), "path-traversal"),
        (("html", "-"), "html-too-short"),
        (("manifest", "{}"), "manifest-kind"),
        (("manifest", "-"), "manifest-invalid"),
    ],
)
def test_a_refused_value_is_told_and_exits_1(
    run: Run, arguments: tuple[str, ...], code: str
) -> None:
    done = run("check", *arguments, stdin=b"a remark")
    assert done.code == 1
    said = done.json()
    assert said["ok"] is False
    found = said["diagnostics"][0]
    assert list(found) == ["code", "severity", "message", "span"]
    assert found["code"] == code
    assert f"({code})" in done.err


def test_a_batch_answers_each_line_and_is_done(run: Run) -> None:
    lines = [
        {"input": "a.html"},
        {"input": "a\\b", "context": "manifest_path"},
        {"input": "\ud800.html"},
    ]
    given = "\n".join(map(json.dumps, lines)) + "\n\n"
    done = run("check", "name", "--batch", stdin=given.encode())
    assert done.code == 0
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False]
    assert [answer["input"] for answer in answers] == [line["input"] for line in lines]


def test_a_batch_of_manifests_takes_objects(run: Run) -> None:
    good = {"kind": "html", "renderer": "html", "exports": ["html"]}
    given = "\n".join(json.dumps({"input": item}) for item in (good, {}, None, "x"))
    done = run("check", "manifest", "--batch", stdin=given.encode())
    answers = [json.loads(line)["ok"] for line in done.out.splitlines()]
    assert answers == [True, False, False, False]


def test_bad_input_is_met_with_words(run: Run, tmp_path: Path) -> None:
    cases = [
        (("check", "html", str(tmp_path / "nothing.html")), b"", "file-not-found"),
        (("check", "name", "--batch"), b"not json\n", "json-invalid"),
        (("check", "name", "--batch"), b"[1]\n", "input-invalid"),
        (("check", "name", "--batch"), b'{"input": 5}\n', "input-invalid"),
        (
            ("check", "name", "--batch"),
            b'{"input": "a", "context": "x"}\n',
            "input-invalid",
        ),
        (("check", "html", "-"), b"\xff\xfe", "not-text"),
    ]
    for arguments, given, code in cases:
        done = run(*arguments, stdin=given)
        assert done.code == 1, arguments
        assert done.err.endswith(f"({code})\n"), (arguments, done.err)


def test_a_wrong_call_is_usage(run: Run) -> None:
    assert run("check", "nothing", "x").code == 2
    assert run("check", "name").code == 2
    assert run("check", "name", "x", "--context", "nowhere").code == 2


def test_every_line_of_a_batch_is_json_again_with_its_input(run: Run) -> None:
    given = b'\xef\xbb\xbf{"input": null}\r\n{"input": 1.5}\n{"input": "\\ud800"}\n'
    done = run("check", "manifest", "--batch", stdin=given)
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer["input"] for answer in answers] == [None, 1.5, "\ud800"]
    # a number that JSON cannot tell again is not repeated as `Infinity`
    done = run("check", "manifest", "--batch", stdin=b'{"input": {"x": 1e999}}\n')
    assert (done.code, done.out) == (1, "")
    assert done.err == "error: Line 1 is not JSON. (json-invalid)\n"


def test_a_batch_names_the_line_that_cannot_be_asked(run: Run) -> None:
    done = run("check", "name", "--batch", stdin=b'{"input": "a"}\n{"input": 5}\n')
    assert done.code == 1
    assert "Line 2: " in done.err


def test_a_text_that_was_given_for_a_file_is_not_repeated_whole(run: Run) -> None:
    done = run("check", "html", "x" * 5000)
    assert done.code == 1
    assert len(done.err) < 400
