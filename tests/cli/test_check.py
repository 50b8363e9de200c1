"""`vitrail check`: the rules' verdict, as JSON, without doing anything."""

from __future__ import annotations

import hashlib
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


def lines(*asked: dict[str, object]) -> bytes:
    return "\n".join(map(json.dumps, asked)).encode()


def test_a_page_passes_the_gates_of_a_write(run: Run) -> None:
    wrong = "https://unpkg.com/motion@12/dist/motion.js"
    script = f'<script src="{wrong}"></script><script>useScroll()</script>'
    long = {"path": "a.html", "size": 90_000}
    done = run(
        "check",
        "html",
        "--batch",
        stdin=lines(
            {"input": PAGE.replace("length", "Name to confirm")},
            {"input": PAGE.replace("<h1>", script + "<h1>")},
            {"input": PAGE, "siblings": [long]},
            {"input": PAGE, "siblings": [long], "mode": "reject"},
            {"input": PAGE, "siblings": [long], "mode": "warn"},
            {"input": PAGE, "siblings": [long], "replace": "as agreed"},
            {"input": PAGE, "previous": PAGE * 200, "mode": "off"},
            {"input": PAGE, "mode": "rejct", "kind": "deck"},
        ),
    )
    answers = [json.loads(line) for line in done.out.splitlines()]
    said = [
        (
            one["ok"],
            [(found["code"], found["severity"]) for found in one["diagnostics"]],
        )
        for one in answers
    ]
    assert said == [
        (False, [("artifact-publication-blocked", "error")]),
        (True, [("runtime-import-repaired", "warning")]),
        (False, [("artifact-regression", "warning")]),
        (False, [("artifact-regression", "error")]),
        (True, [("artifact-regression", "warning")]),
        (True, [("artifact-regression", "info")]),
        (True, []),
        (True, [("setting-unread", "warning")]),
    ]


def test_a_page_is_asked_for_what_its_project_and_its_manifest_declare(
    run: Run, tmp_path: Path
) -> None:
    def declared(text: str) -> dict[str, object]:
        fixture = {"unfinished": f"For {text}", "finished": "For Acme"}
        return {"placeholders": [{"text": text, "fixture": fixture}]}

    page = tmp_path / "sub" / "page.html"
    page.parent.mkdir()
    page.write_text(PAGE.replace("length", "[Client] and [Date]"))
    assert run("check", "html", page).code == 0
    (tmp_path / ".vitrail").mkdir()
    (tmp_path / ".vitrail" / "project.json").write_text(
        json.dumps(declared("[Client]"))
    )
    sidecar = page.with_name("page.html.artifact.json")
    sidecar.write_text(json.dumps({"metadata": declared("[Date]")}))
    done = run("check", "html", page)
    assert done.code == 1
    assert [one["code"] for one in done.json()["diagnostics"]] == [
        "artifact-publication-blocked"
    ] * 2
    for broken in (
        "",
        "[",
        "[]",
        '{"metadata": []}',
        '{"metadata": {"placeholders": 1}}',
    ):
        sidecar.write_text(broken)
        assert len(run("check", "html", page).json()["diagnostics"]) == 1


def test_a_manifest_is_compared_with_the_content_of_its_entry(run: Run) -> None:
    good = {"kind": "html", "renderer": "html", "exports": ["html"]}
    digest = hashlib.sha256(b"x").hexdigest()
    named = good | {"metadata": {"digest": digest}}
    done = run(
        "check",
        "manifest",
        "--batch",
        stdin=lines(
            {"input": named, "content": "x"},
            {"input": named, "content": "y"},
            {"input": good, "content": "y"},
            {"input": good | {"metadata": {"digest": "x"}}, "content": "y"},
            {"input": good | {"renderer": "code"}},
        ),
    )
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert all(one["ok"] for one in answers)
    assert [[found["code"] for found in one["diagnostics"]] for one in answers] == [
        [],
        ["manifest-digest"],
        [],
        ["manifest-addition"],
        ["manifest-mismatch"],
    ]


@pytest.mark.parametrize(
    "more",
    [
        {"kind": "svg"},
        {"siblings": {}},
        {"siblings": [{"path": "a"}]},
        {"siblings": [{"path": 1, "size": 1}]},
        {"path": 7},
        {"previous": 7},
        {"replace": []},
        {"identifier": None},
    ],
)
def test_what_a_line_says_of_a_page_has_its_type(
    run: Run, more: dict[str, object]
) -> None:
    done = run("check", "html", "--batch", stdin=lines({"input": PAGE, **more}))
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: Line 1: expected ")


def test_without_a_manifest_the_entry_s_name_has_to_tell(run: Run) -> None:
    asked: list[dict[str, object]] = [
        {"input": None, "entry": entry}
        for entry in ("deck.html", "a.svg", "README.md", "component.jsx", "photo.png")
    ]
    done = run("check", "manifest", "--batch", stdin=lines(*asked))
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [one["ok"] for one in answers] == [True, True, True, False, False]
    assert answers[3]["diagnostics"][0]["code"] == "artifact-manifest-required"
