"""Calls of tools: which become artifacts, under which name, and what is said of the others."""

from __future__ import annotations

import json

import pytest

from tests.core.parse.inputs.streams import assistant, lines, result, tool_result
from vitrail.core.parse import ParserLimits, join_events
from vitrail.core.parse.inputs import InputParser
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    Suppressed,
    Text,
)


def call(name, arguments, *, cut=None, dialect_limits=None):
    """Return the joined events of one call whose arguments come in pieces."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    size = cut or len(text) or 1
    parser = InputParser("anthropic", limits=dialect_limits)
    block = {"type": "tool_use", "id": "t", "name": name, "input": {}}
    events = [{"type": "content_block_start", "index": 0, "content_block": block}]
    for at in range(0, len(text), size):
        delta = {"type": "input_json_delta", "partial_json": text[at : at + size]}
        events.append({"type": "content_block_delta", "index": 0, "delta": delta})
    events += [{"type": "content_block_stop", "index": 0}, {"type": "message_stop"}]
    told = [event for item in events for event in parser.feed(lines(item))]
    return join_events([*told, *parser.close()])


def of(events, *kinds):
    return [event for event in events if isinstance(event, kinds)]


def codes(events):
    return [event.code for event in of(events, DiagnosticFound)]


def starts(events):
    return [
        (start.identifier, start.artifact_type, start.title)
        for start in of(events, ArtifactStart)
    ]


def body(events):
    return "".join(event.delta for event in of(events, ArtifactChunk))


# --- which are artifacts ---------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "start"),
    [
        (
            "Write",
            {"file_path": "a/b.html", "content": "x"},
            ("a/b.html", "text/html", ""),
        ),
        ("write_to_file", {"path": "a.py", "content": "x"}, ("a.py", "py", "")),
        (
            "functions.create_file",
            {"filename": "a.svg", "text": "x"},
            ("a.svg", "image/svg+xml", ""),
        ),
        (
            "mcp__studio__create_artifact",
            {
                "identifier": "tea",
                "type": "text/markdown",
                "title": "Tea",
                "content": "x",
            },
            ("tea", "text/markdown", "Tea"),
        ),
        ("render_html", {"title": "Tea", "html": "x"}, ("", "text/html", "Tea")),
        (
            "deploy",
            {"path": "index.html", "body": "x"},
            ("index.html", "text/html", ""),
        ),
        (
            "str_replace_based_edit_tool",
            {"command": "create", "path": "a.css", "file_text": "x"},
            ("a.css", "css", ""),
        ),
        (
            "artifacts",
            {
                "command": "create",
                "id": "tea",
                "type": "text/html",
                "title": "T",
                "content": "x",
            },
            ("tea", "text/html", "T"),
        ),
        ("Write", {"file_path": "Makefile", "content": "x"}, ("Makefile", "", "")),
    ],
)
def test_what_writes_a_whole_file_is_an_artifact(name, arguments, start):
    for cut in (None, 1, 5):
        events = call(name, arguments, cut=cut)
        assert starts(events) == [start]
        assert body(events) == "x"
        assert of(events, ArtifactEnd)[0].complete
        assert codes(events) == []
        assert of(events, Suppressed) == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"query": "tea"}),
        ("send_message", {"text": "<h1>Hi</h1>", "to": "you"}),
        ("Bash", {"command": "ls", "description": "list"}),
        ("Read", {"file_path": "a.html"}),
        ("upload", {"path": "folder", "content": "x"}),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a.css"}),
        ("think", {}),
    ],
)
def test_any_other_call_is_named_with_its_size(name, arguments):
    events = call(name, arguments, cut=3)
    assert events == [Suppressed(name, len(json.dumps(arguments)), (0, 0))]


def test_a_writer_without_a_text_says_so():
    events = call("Write", {"file_path": "a.html"})
    assert codes(events) == ["write-without-text"]
    assert len(of(events, Suppressed)) == 1


def test_the_arguments_other_than_the_text_are_attributes():
    events = call("Write", {"file_path": "/home/me/a.md", "content": ""})
    assert of(events, ArtifactStart)[0].attributes == {
        "identifier": "a.md",
        "type": "text/markdown",
        "title": "",
        "tool": "Write",
        "path": "/home/me/a.md",
    }


# --- the order of the arguments -----------------------------------------------------


def test_a_text_in_front_of_its_name_waits_for_it():
    for cut in (None, 1, 4):
        events = call("Write", {"content": "# Tea", "path": "tea.md"}, cut=cut)
        assert starts(events) == [("tea.md", "text/markdown", "")]
        assert body(events) == "# Tea"


def test_a_writers_text_waits_for_so_long_and_then_starts_with_what_is_known():
    long = "x" * 9000
    events = call("Write", {"content": long, "path": "tea.md"}, cut=100)
    assert starts(events) == [("", "", "")]
    assert body(events) == long
    assert of(events, ArtifactEnd)[0].complete


def test_a_text_of_a_tool_that_is_no_writer_needs_its_files_name_in_time():
    assert starts(call("deploy", {"body": "x", "path": "a.html"})) != []
    long = "x" * 9000
    events = call("deploy", {"body": long, "path": "a.html"}, cut=100)
    assert starts(events) == []
    assert len(of(events, Suppressed)) == 1


def test_a_text_without_any_name_starts_at_the_end_of_the_arguments():
    events = call("create_artifact", {"content": "# Tea", "type": "text/markdown"})
    assert starts(events) == [("", "text/markdown", "")]


def test_a_second_text_is_named_and_left_out():
    events = call("Write", {"path": "a.md", "content": "one", "text": "two"})
    assert body(events) == "one"
    assert codes(events) == ["more-texts"]
    events = call("Write", {"text": "one", "content": "two", "path": "a.md"})
    assert body(events) == "one"


# --- arguments that break off -------------------------------------------------------


@pytest.mark.parametrize("cut", [None, 1, 3])
def test_arguments_that_break_off_end_a_body_that_is_not_whole(cut):
    events = call("Write", '{"path":"a.md","content":"# Te', cut=cut)
    assert body(events) == "# Te"
    assert [end.complete for end in of(events, ArtifactEnd)] == [False]


@pytest.mark.parametrize("cut", [None, 1, 3])
def test_arguments_that_are_no_json_end_there_and_the_rest_is_text(cut):
    events = call("Write", '{"path":"a.md","content":"# T\\q rest"}', cut=cut)
    assert body(events) == "# T"
    assert [end.reason for end in of(events, ArtifactEnd)] == ["failed"]
    assert codes(events) == ["arguments-malformed"]
    assert "".join(event.delta for event in of(events, Text)) == '\\q rest"}'


@pytest.mark.parametrize("cut", [None, 1, 3])
def test_what_stands_behind_the_arguments_is_named_and_shown(cut):
    events = call("Write", '{"path":"a.md","content":"# Tea"} {"more":1}', cut=cut)
    assert body(events) == "# Tea"
    assert of(events, ArtifactEnd)[0].complete
    assert codes(events) == ["arguments-malformed"]
    assert "".join(event.delta for event in of(events, Text)) == '{"more":1}'


def test_arguments_that_were_never_json_are_named():
    events = call("search", "query=tea", cut=2)
    assert codes(events) == ["arguments-malformed"]
    assert of(events, Suppressed)[0].name == "search"


def test_line_breaks_that_were_not_escaped_are_taken_and_told():
    events = call("Write", '{"path":"a.md","content":"# Tea\n\nTwo"}', cut=2)
    assert body(events) == "# Tea\n\nTwo"
    assert codes(events) == ["arguments-repaired"]


def test_bodies_hold_characters_never_halves():
    events = call(
        "Write", '{"path":"a.md","content":"\\ud83e\\uddea \\ud83e \\u0000"}', cut=1
    )
    assert body(events) == "🧪 \ufffd \0"


# --- edits -----------------------------------------------------------------------


def edit(path, old, new, **more):
    arguments = {"file_path": path, "old_string": old, "new_string": new, **more}
    return "Edit", arguments


def run(*calls, failed=()):
    parser = InputParser("claude-code")
    events = []
    for at, (name, arguments) in enumerate(calls):
        use = {"type": "tool_use", "id": f"t{at}", "name": name, "input": arguments}
        said = [assistant(use, message_id=f"m{at}")]
        said.append(tool_result(f"t{at}", "words", is_error=at in failed))
        events += parser.feed(lines(*said))
    return join_events([*events, *parser.feed(lines(result(""))), *parser.close()])


def texts(events):
    told: dict[int, str] = {}
    for event in of(events, ArtifactChunk):
        told[event.artifact] = told.get(event.artifact, "") + event.delta
    return list(told.values())


WRITE = ("Write", {"file_path": "a.md", "content": "one two one"})


def test_an_edit_of_a_file_that_is_not_in_the_reply_is_named_with_its_path():
    events = run(edit("site/a.md", "one", "two"))
    assert codes(events) == ["edit-needs-file"]
    assert "'site/a.md'" in of(events, DiagnosticFound)[0].message
    assert of(events, Suppressed)[0].name == "Edit"
    assert of(events, ArtifactStart) == []


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([WRITE, edit("a.md", "two", "2")], ["one two one", "one 2 one"]),
        (
            [WRITE, edit("./a.md", "one", "1", replace_all=True)],
            ["one two one", "1 two 1"],
        ),
        ([WRITE, edit("a.md", "one", "1")], ["one two one"]),
        ([WRITE, edit("a.md", "three", "3")], ["one two one"]),
        ([WRITE, edit("a.md", "", "all new")], ["one two one"]),
        ([edit("new.md", "", "all new")], ["all new"]),
        ([edit("n.md", "", "a b"), edit("n.md", "b", "c")], ["a b", "a c"]),
        (
            [
                WRITE,
                (
                    "MultiEdit",
                    {
                        "file_path": "a.md",
                        "edits": [
                            {"old_string": "two", "new_string": "2"},
                            {"old_string": "2 one", "new_string": "end"},
                        ],
                    },
                ),
            ],
            ["one two one", "one end"],
        ),
        (
            [
                WRITE,
                (
                    "str_replace_based_edit_tool",
                    {
                        "command": "str_replace",
                        "path": "a.md",
                        "old_str": "two",
                        "new_str": "2",
                    },
                ),
            ],
            ["one two one", "one 2 one"],
        ),
    ],
)
def test_an_edit_of_a_file_that_the_reply_wrote_tells_the_whole_new_text(
    calls, expected
):
    events = run(*calls)
    assert texts(events) == expected
    assert ("edit-needs-file" in codes(events)) == (len(expected) < len(calls))
    assert len({start.identifier for start in of(events, ArtifactStart)}) == 1


def test_a_file_whose_writing_failed_is_not_known():
    events = run(WRITE, edit("a.md", "two", "2"), failed=[0])
    assert texts(events) == ["one two one"]
    assert codes(events) == ["tool-call-failed", "edit-needs-file"]


def test_an_edit_whose_arguments_are_not_whole_is_named():
    events = call("Edit", '{"file_path":"a.md","old_string":"x')
    assert codes(events) == ["edit-needs-file"]
    assert len(of(events, Suppressed)) == 1


def test_what_is_known_of_files_is_limited_and_more_of_it_is_named():
    long = "x" * 3_000_000
    events = run(
        ("Write", {"file_path": "a.md", "content": long}), edit("a.md", "x", "y")
    )
    assert codes(events) == ["edit-needs-file"]


def test_limits_may_be_lower_for_the_text_that_waits():
    limits = ParserLimits(held_chars=4)
    events = call(
        "Write", {"content": "# Tea", "path": "a.md"}, cut=3, dialect_limits=limits
    )
    assert starts(events) == [("", "", "")]
