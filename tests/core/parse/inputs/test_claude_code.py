"""The lines of Claude Code: a run tells each word once, and each file under its name."""

from __future__ import annotations

from tests.core.parse.inputs.streams import (
    FILE,
    PAGE,
    REPLY,
    assistant,
    code_line,
    code_lines,
    init,
    lines,
    result,
    tool_result,
)
from tests.core.parse.inputs.told import bodies, codes, of, read, words
from vitrail.protocol.events import (
    ArtifactStart,
    DiagnosticFound,
    Reasoning,
    Text,
)


def test_partial_events_and_whole_messages_tell_the_same_once():
    whole = read("claude-code", lines(*code_lines(partial=False)))
    partial = read("claude-code", lines(*code_lines(partial=True)))
    assert partial == whole


def test_a_whole_block_tells_what_the_partial_events_left_out():
    run = list(code_lines(partial=True))
    texts = [
        line
        for line in run
        if line["type"] == "stream_event"
        and line["event"].get("delta", {}).get("type") == "text_delta"
    ]
    expected = read("claude-code", lines(*run))
    for lost in (texts[-1:], texts):
        rest = [line for line in run if line not in lost]
        assert words(read("claude-code", lines(*rest))) == words(expected)


def test_a_result_alone_is_the_reply():
    events = read("claude-code", lines(result(REPLY)))
    assert words(events) == "Here — 🧪:\n\nBye"


def test_a_result_that_is_another_text_is_shown_too():
    run = [assistant({"type": "text", "text": "One."}), result("Two.")]
    events = read("claude-code", lines(*run))
    assert words(events) == "One.\n\nTwo."
    assert codes(events) == ["repeated-text-differs"]


def test_white_space_around_a_repetition_makes_it_no_other_text():
    run = [assistant({"type": "text", "text": "One.\n"}), result("One.")]
    assert words(read("claude-code", lines(*run))) == "One.\n"


def test_lines_of_a_run_that_say_nothing_are_passed_over():
    run = [
        code_line("system", subtype="api_retry"),
        code_line("rate_limit_event", rate_limit_info={}),
        code_line("tool_progress", tool_use_id="t", elapsed_time_seconds=2),
        {"type": "control_request", "request_id": "r", "request": {}},
    ]
    assert codes(read("claude-code", lines(*run, result("Hi")))) == []


def test_messages_of_one_run_are_paragraphs():
    run = [
        assistant({"type": "text", "text": "One."}, message_id="m1"),
        assistant({"type": "text", "text": "Two."}, message_id="m2"),
        result("Two."),
    ]
    assert words(read("claude-code", lines(*run))) == "One.\n\nTwo."


def test_cumulative_lines_of_a_message_tell_each_block_once():
    one, two = {"type": "text", "text": "One."}, {"type": "text", "text": "Two."}
    run = [assistant(one), assistant(one, two), assistant(one, two), result("Two.")]
    assert words(read("claude-code", lines(*run))) == "One.Two."


def test_what_agents_below_say_is_thinking_and_what_they_write_is_written():
    write = {"type": "tool_use", "id": "t2", "name": "Write", "input": FILE}
    run = [
        assistant({"type": "text", "text": "I ask another."}),
        assistant({"type": "text", "text": "On it."}, message_id="s1", parent="t1"),
        assistant(write, message_id="s1", parent="t1"),
        assistant({"type": "text", "text": "Done."}, message_id="m2"),
        result("Done."),
    ]
    events = read("claude-code", lines(*run))
    assert words(events, Reasoning) == "On it."
    assert words(events) == "I ask another.Done."
    assert bodies(events) == {("site/page.html", "text/html"): PAGE}


def test_what_a_person_and_tools_say_is_no_reply():
    run = [
        code_line(
            "user", message={"role": "user", "content": "<artifact type='html'>"}
        ),
        tool_result("t9", [{"type": "text", "text": "words of a tool"}]),
    ]
    assert of(read("claude-code", lines(*run)), Text, ArtifactStart) == []


def test_a_file_that_was_not_written_says_so():
    write = {"type": "tool_use", "id": "t1", "name": "Write", "input": FILE}
    run = [assistant(write), tool_result("t1", "EACCES: \x1b[31mno", is_error=True)]
    found = of(read("claude-code", lines(*run)), DiagnosticFound)[0]
    assert found.code == "tool-call-failed"
    assert "site/page.html" in found.message
    assert "\x1b" not in found.message


def test_paths_below_the_folder_of_the_run_lose_it_and_others_their_folders():
    def write(at, path):
        arguments = {"file_path": path, "content": "x"}
        return assistant(
            {"type": "tool_use", "id": f"t{at}", "name": "Write", "input": arguments}
        )

    paths = ["/home/me/project/css/a.css", "/etc/b.txt", "C:\\work\\c.py", "./d/e.md"]
    run = [init(), *(write(at, path) for at, path in enumerate(paths))]
    events = read("claude-code", lines(*run))
    assert list(bodies(events)) == [
        ("css/a.css", "css"),
        ("b.txt", "txt"),
        ("c.py", "py"),
        ("d/e.md", "text/markdown"),
    ]
