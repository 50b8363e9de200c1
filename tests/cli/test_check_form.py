"""`vitrail check form`: whether a body is a question form, and what was mended in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Run, run_here

GOOD = (
    '{"questions": [{"id": "size", "label": "How big?", "type": "number", "max": 5}]}'
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return run_here(capsys, monkeypatch)


def test_a_form_is_ok_from_a_file_the_command_line_or_standard_input(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "form.json").write_text(GOOD)
    for value in (str(tmp_path / "form.json"), GOOD, "-"):
        done = run("check", "form", value, stdin=GOOD.encode())
        assert done.code == 0, done.err
        assert done.json() == {"ok": True, "diagnostics": []}


def test_what_was_mended_is_told_and_is_no_refusal(run: Run) -> None:
    done = run("check", "form", "-", stdin=b"```json\n[{'id': 'a',},]\n```")
    assert done.code == 0
    said = done.json()
    assert said["ok"] is True
    assert {found["code"] for found in said["diagnostics"]} == {"form-repaired"}
    assert said["diagnostics"][0]["span"] == [0, 1]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "form-empty-body"),
        (b"not json", "form-invalid-json"),
        (b'{"a": 1}', "form-unsupported-payload"),
        (b"[]", "form-empty-questions"),
    ],
)
def test_a_refused_form_exits_1_with_its_code(run: Run, body: bytes, code: str) -> None:
    done = run("check", "form", "-", stdin=body)
    assert done.code == 1
    said = done.json()
    assert said["ok"] is False
    assert said["diagnostics"][-1]["code"] == code
    assert f"({code})" in done.err


def test_a_form_with_its_tag_is_judged_where_it_stands(run: Run) -> None:
    tagged = f'<question-form id="brief">\n{GOOD}\n</question-form>\n'
    assert run("check", "form", tagged).code == 0
    done = run("check", "form", tagged.replace(GOOD, "{'questions': [5]}"))
    assert done.code == 1
    codes = [found["code"] for found in done.json()["diagnostics"]]
    assert "form-empty-questions" in codes
    done = run("check", "form", "<p>no form</p>")
    assert (done.code, done.json()["diagnostics"][0]["code"]) == (1, "form-missing")


def test_a_batch_takes_texts_and_objects_and_judges_answers(run: Run) -> None:
    lines = [
        {"input": GOOD},
        {"input": json.loads(GOOD), "answers": {"size": "3"}},
        {"input": GOOD, "answers": {"size": "9", "other": "x"}},
        {"input": None},
        {"input": "[" * 9999},
    ]
    given = "\n".join(map(json.dumps, lines))
    done = run("check", "form", "--batch", stdin=given.encode())
    assert done.code == 0
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, True, False, False, False]
    assert [found["code"] for found in answers[2]["diagnostics"]] == [
        "form-answer-range",
        "form-answer-unknown",
    ]


def test_answers_of_another_shape_are_met_with_words(run: Run) -> None:
    done = run("check", "form", "--batch", stdin=b'{"input": [{}], "answers": 5}')
    assert done.code == 1
    assert done.err.endswith("(input-invalid)\n")
    assert "Line 1: " in done.err
