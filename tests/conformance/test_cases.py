"""The library, and the command line, give what the cases of the protocol say.

What the cases themselves have to be (readable, spans that fit, texts that rebuild the
input) is held here too, so that a wrong case is not taken for a wrong reader.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from scripts.conformance import (
    CASES,
    CHUNKS,
    DIALECTS,
    DISPUTED,
    Case,
    CaseError,
    differences,
    main,
    read_cases,
    run_command,
    run_library,
)
from vitrail.core.parse.dialects import DIALECTS as TEXT_DIALECTS
from vitrail.core.parse.inputs import WIRE_DIALECTS
from vitrail.protocol.events import PARSE_EVENTS, UnknownEvent, decode_event

FILES = sorted(
    path for path in CASES.glob("*.md") if path.name not in ("README.md", DISPUTED)
)
ALL = [case for path in FILES for case in read_cases(path)]
COMMAND = shlex.join(
    [sys.executable, "-m", "vitrail.cli.main", "parse", "-", "--join"]
) + (" --dialect {dialect} --chunk {chunk}")


def disputed():
    path = CASES / DISPUTED
    if not path.is_file():
        return []
    return [
        pytest.param(
            case, marks=pytest.mark.xfail(strict=True, reason=case.why), id=case.name
        )
        for case in read_cases(path)
    ]


def wrong(case: Case) -> list[str]:
    return [
        f"{case.place}: {case.name} ({dialect}, {chunk}): {words}"
        for dialect in case.dialects
        for chunk in CHUNKS
        for words in differences(case.events, run_library(case, dialect, chunk))
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_library_gives_the_events_of_every_case(path):
    assert [words for case in read_cases(path) for words in wrong(case)] == []


@pytest.mark.parametrize("case", disputed())
def test_a_disputed_case_is_not_settled_yet(case):
    assert wrong(case) == []


@pytest.mark.parametrize(
    "name", ["tags", "forms", "characters", "openai-chat", "claude-code"]
)
def test_the_command_line_gives_the_events_of_some_cases(name):
    for case in read_cases(CASES / f"{name}.md")[1:22:10]:
        got = run_command(case, case.dialects[0], 0, command=COMMAND)
        assert differences(case.events, got) == [], case.place


# --- the cases themselves ---------------------------------------------------------


def test_there_are_many_cases_of_every_dialect():
    assert len(ALL) >= 300
    for dialect in DIALECTS:
        assert sum(dialect in case.dialects for case in ALL) >= 10, dialect


def test_a_case_may_name_every_dialect_there_is():
    assert set(DIALECTS) == {*TEXT_DIALECTS, *WIRE_DIALECTS}


def test_every_event_of_a_parsed_text_has_a_case():
    seen = {event["type"] for case in ALL for event in case.events}
    assert seen >= {cls.__struct_config__.tag for cls in PARSE_EVENTS}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_expected_events_are_events(path):
    for case in read_cases(path):
        for event in case.events:
            whole = dict(event)
            if event["type"] in ("diagnostic", "error"):
                whole["message"] = "x"
            read = decode_event(json.dumps(whole).encode())
            assert not isinstance(read, UnknownEvent), case.place
            assert set(whole) == {"type", *read.__struct_encode_fields__}, case.place


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_expected_artifacts_open_and_close_once_with_their_digest(path):
    for case in read_cases(path):
        bodies: dict[int, str] = {}
        ended: set[int] = set()
        for event in case.events:
            match event["type"]:
                case "artifact:start":
                    assert event["artifact"] == len(bodies), case.place
                    bodies[event["artifact"]] = ""
                case "artifact:chunk":
                    assert event["artifact"] not in ended, case.place
                    bodies[event["artifact"]] += event["delta"]
                case "artifact:end":
                    body = bodies[event["artifact"]]
                    assert event["artifact"] not in ended, case.place
                    ended.add(event["artifact"])
                    assert event["length"] == len(body), case.place
                    assert event["sha256"] == sha256(body.encode()).hexdigest()
        assert ended == set(bodies), case.place


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_expected_events_rebuild_the_input(path):
    for case in read_cases(path):
        if not WIRE_DIALECTS.keys().isdisjoint(case.dialects):
            continue
        text = case.input.decode().removeprefix("\ufeff")
        assert rebuilt(case, text) == text, case.place


def rebuilt(case: Case, text: str) -> str:
    """Return the text that the events tell: what is shown, and the spans taken out."""
    pieces: list[str] = []
    hidden: set[int] = set()  # recovered artifacts: in text that has been told
    for event in case.events:
        start, end = event.get("span", (0, 0))
        assert 0 <= start <= end <= len(text), case.place
        match event["type"]:
            case "diagnostic":
                continue
            case "directive" if event["name"] == "media":
                continue
            case "text" | "artifact:chunk":
                if event.get("artifact") not in hidden:
                    pieces.append(event["delta"])
                continue
            case "artifact:start" if event["recovered"]:
                hidden.add(event["artifact"])
        if event.get("artifact") not in hidden:
            assert sum(map(len, pieces)) == start, case.place
            pieces.append(text[start:end])
    return "".join(pieces)


# --- the reader and the runner ----------------------------------------------------------

CASE = """# T

## A rule

Why.

Dialect: `tag`

```input
a
```

```events
{"type":"text","delta":"a"}
```
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "cases.md"
    path.write_bytes(text.encode())
    return path


def test_a_case_is_read(tmp_path):
    (case,) = read_cases(write(tmp_path, CASE))
    assert (case.name, case.why, case.dialects, case.input) == (
        "A rule",
        "Why.",
        ("tag",),
        b"a",
    )
    assert case.events == ({"type": "text", "delta": "a"},)
    assert case.place == "cases.md:3"


@pytest.mark.parametrize(
    ("found", "put", "words"),
    [
        ("# T", "T", "expected `# TITLE`"),
        ("Why.\n", "", "a line that says why"),
        ("`tag`", "`tags`", "expected dialects of"),
        ("`tag`", "`tag`, `tag`", "once each"),
        ("`tag`", "tag", "Dialect: "),
        ("```input", "```text", "a block of input or input json"),
        ("```events", "```json", "a block of events"),
        ("\na\n", "\na \n", "white space at a line's end"),
        ("\na\n", "\na\u200b\n", "cannot be seen"),
        ('{"type"', '{"typ"', "an object with a `type`"),
        ('{"type":"text",', '{"type":"text","type":"x",', "each name once"),
        ('"a"}', '"a"', "JSON on one line"),
        ('"delta":"a"', '"delta":[["a",0]]', "[STRING, COUNT]"),
        ('"text","delta"', '"diagnostic","message"', "expected no `message`"),
        ("```\n\n```events", "```events", "the file ends"),
        ('"a"}\n```\n', '"a"}\n', "the file ends"),
        ('"a"}\n```\n', '"a"}\n```', "a line break at the end"),
        ('"a"}\n```\n', '"a"}\n```\nmore\n', "the next case"),
        (CASE, "# T\n", "the file ends"),
        (CASE, CASE + CASE.removeprefix("# T\n"), "'A rule' again"),
    ],
)  # fmt: skip
def test_what_is_no_case_is_refused_with_its_place(tmp_path, found, put, words):
    assert found in CASE
    path = write(tmp_path, CASE.replace(found, put, 1))
    with pytest.raises(CaseError, match=r"^cases\.md:\d+: ") as refused:
        read_cases(path)
    assert words in str(refused.value)


def test_an_escaped_input_is_joined_and_repeated(tmp_path):
    path = write(
        tmp_path, CASE.replace("```input\na\n", '```input json\n"a\\r\\n"\n["b",3]\n')
    )
    assert read_cases(path)[0].input == b"a\r\nbbb"


def test_half_a_character_has_no_bytes(tmp_path):
    path = write(tmp_path, CASE.replace("```input\na\n", '```input json\n"\\ud800"\n'))
    with pytest.raises(CaseError, match="half of a character"):
        read_cases(path)


def test_bytes_that_are_no_utf8_are_refused(tmp_path):
    path = tmp_path / "cases.md"
    path.write_bytes(b"# \xff\n")
    with pytest.raises(CaseError, match="expected UTF-8"):
        read_cases(path)


@pytest.mark.parametrize(
    ("got", "words"),
    [
        ([], "event 0: expected {"),
        ([{"type": "text", "delta": "a"}, {"type": "text", "delta": "b"}], "expected no more"),
        ([{"type": "text", "delta": "b"}], 'event 0, text, delta: expected "a", got "b"'),
        ([{"type": "text", "delta": "a", "x": 1}], "event 0, text, x: expected none, got 1"),
        ([{"type": "later"}], "event 0: expected {"),
    ],
)  # fmt: skip
def test_a_difference_is_told_by_event_and_field(got, words):
    (said,) = differences([{"type": "text", "delta": "a"}], got)
    assert words in said


def test_one_is_not_true():
    assert differences([{"type": "x", "n": 1}], [{"type": "x", "n": True}])


def test_a_diagnostic_needs_words_and_may_have_any():
    one = {"type": "diagnostic", "code": "c"}
    assert differences([one], [{**one, "message": "Whatever."}]) == []
    assert "expected a message" in differences([one], [one])[0]


def test_the_runner_says_which_case_differs(tmp_path, capsys):
    path = write(tmp_path, CASE.replace('"delta":"a"', '"delta":"b"'))
    assert main([str(path)]) == 1
    out = capsys.readouterr().out
    assert "cases.md:3: A rule (tag, whole)" in out
    assert out.endswith("1 cases, 1 differ\n")


def test_the_runner_drives_any_command(tmp_path, capsys):
    path = write(tmp_path, CASE)
    program = tmp_path / "echo.py"
    program.write_text(
        "import json, sys\n"
        "print(json.dumps({'type': 'text', 'delta': sys.stdin.read()}))\n"
        "sys.exit(3)\n",
        encoding="utf-8",
    )
    command = shlex.join([sys.executable, os.fspath(program), "{chunk}"])
    assert main(["--command", command, str(path)]) == 0
    program.write_text("print('no JSON')", encoding="utf-8")
    assert main(["--command", command, "--chunk", "0", "3", "--", str(path)]) == 1
    assert "expected JSON lines" in capsys.readouterr().out


def test_a_program_that_is_not_there_is_told(tmp_path, capsys):
    assert main(["--command", "no-such-program-here", str(write(tmp_path, CASE))]) == 1
    assert "No such file" in capsys.readouterr().out


def test_sizes_that_a_command_cannot_be_told_are_refused(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["--command", "x", "--chunk", "1", "--", str(write(tmp_path, CASE))])
    assert "expected {chunk} in the command" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["-1", "x", ""])
def test_a_size_that_is_no_number_is_refused(size, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([f"--chunk={size}"])
    assert "expected a number of bytes" in capsys.readouterr().err


def test_a_file_that_is_no_list_of_cases_is_told(tmp_path, capsys):
    assert main([str(write(tmp_path, "x\n"))]) == 2
    assert "error: cases.md:1: expected `# TITLE`" in capsys.readouterr().err


def test_lengths_and_digests_are_filled_in(tmp_path, capsys):
    start = (
        '{"type":"artifact:start","artifact":0,"identifier":"a","artifactType":"","title":"",'
        '"attributes":{"identifier":"a"},"recovered":null,"span":[0,25]}'
    )
    chunk = '{"type":"artifact:chunk","artifact":0,"identifier":"a","delta":"é"}'
    end = '{"type":"artifact:end","artifact":0,"identifier":"a","complete":true,"reason":"closed","span":[26,37]}'
    given = "```input\n" + '<artifact identifier="a">é</artifact>\n'
    text = CASE.replace("```input\na\n", given).replace(
        '{"type":"text","delta":"a"}', f"{start}\n{chunk}\n{end}"
    )
    path = write(tmp_path, text)
    assert main([str(path)]) == 1
    assert main(["--fill", str(path)]) == 0
    assert main([str(path)]) == 0
    assert main(["--fill", str(path)]) == 0
    assert capsys.readouterr().out.endswith("cases.md: unchanged\n")
