"""Each format of model servers: what its stream says, once, in the same events."""

from __future__ import annotations

import json

import pytest

from tests.core.parse.inputs.streams import (
    FILE,
    PAGE,
    REPLY,
    STREAMS,
    assistant,
    chat,
    code_lines,
    lines,
    messages_events,
    numbered,
    pieces,
    responses_events,
    result,
    sse,
)
from tests.core.parse.inputs.told import bodies, codes, of, read, words
from vitrail.core.parse.inputs import WIRE_DIALECTS, InputParser
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    ErrorRaised,
    Reasoning,
    Suppressed,
    Usage,
)


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_every_format_tells_the_same_reply(dialect):
    events = read(dialect, STREAMS[dialect])
    assert [
        type(event).__name__ for event in events if not isinstance(event, Usage)
    ] == [
        "Reasoning",
        "Text",
        *("ArtifactStart", "ArtifactChunk", "ArtifactEnd"),
        "Text",
        *("ArtifactStart", "ArtifactChunk", "ArtifactEnd"),
    ]
    assert words(events, Reasoning) == "Let me think."
    assert words(events) == "Here — 🧪:\n\nBye"
    assert bodies(events) == {
        ("page", "text/html"): PAGE,
        ("site/page.html", "text/html"): PAGE,
    }
    assert all(end.complete for end in of(events, ArtifactEnd))
    assert of(events, Usage)[-1] == Usage(9, 12)


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_a_body_streams_while_its_argument_is_written(dialect):
    parser = InputParser(dialect)
    deltas = 0
    for piece in pieces(STREAMS[dialect], 100):
        deltas += sum(
            isinstance(event, ArtifactChunk) and event.artifact == 1
            for event in parser.feed(piece)
        )
    assert deltas > 5


def test_places_count_what_was_told():
    events = read("openai-chat", STREAMS["openai-chat"])
    start, end = of(events, ArtifactStart)[1], of(events, ArtifactEnd)[1]
    assert start.span == (len(REPLY), len(REPLY))
    assert end.span == (len(REPLY) + len(PAGE),) * 2


# --- framing ---------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["\r", "\r\n", "\n"])
def test_line_endings_do_not_matter(ending):
    stream = STREAMS["anthropic"].replace("\n", ending)
    assert read("anthropic", stream) == read("anthropic", STREAMS["anthropic"])


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_bare_json_lines_are_read_as_events_are(dialect):
    bare = "".join(
        line.removeprefix("data: ") + "\n"
        for line in STREAMS[dialect].splitlines()
        if line and not line.startswith("event:")
    )
    assert read(dialect, bare) == read(dialect, STREAMS[dialect])


def test_data_in_several_lines_is_one_event():
    stream = 'data: {"choices":\ndata: [{"delta":\ndata: {"content":"Hi"}}]}\n\n'
    assert words(read("openai-chat", stream)) == "Hi"


def test_comments_ids_and_retries_say_nothing():
    stream = ": OPENROUTER PROCESSING\n\nid: 1\nretry: 5\n" + STREAMS["openai"]
    assert read("openai", stream) == read("openai", STREAMS["openai"])


def test_a_byte_order_mark_in_front_is_no_part_of_the_stream():
    for dialect, stream in STREAMS.items():
        assert read(dialect, b"\xef\xbb\xbf", stream.encode()) == read(dialect, stream)


def test_the_last_line_needs_no_break():
    stream = STREAMS["claude-code"]
    assert read("claude-code", stream.rstrip("\n")) == read("claude-code", stream)


def test_a_whole_run_may_be_one_document():
    run = json.dumps(list(code_lines(partial=False)), indent=2)
    assert read("claude-code", run) == read("claude-code", STREAMS["claude-code"])


# --- whole answers ---------------------------------------------------------------


def test_answers_that_were_not_streamed_are_read_too():
    function = {"name": "write_file", "arguments": json.dumps(FILE)}
    call = {"id": "c", "type": "function", "function": function}
    said = {"role": "assistant", "content": REPLY, "tool_calls": [call]}
    choice = {"index": 0, "message": said, "finish_reason": "stop"}
    completion = {"object": "chat.completion", "choices": [choice]}
    response = list(responses_events())[-1]["response"]
    block = {"type": "tool_use", "id": "t", "name": "write_file", "input": FILE}
    content = [{"type": "text", "text": REPLY}, block]
    message = {"type": "message", "content": content, "stop_reason": "end_turn"}
    for dialect, answer in {
        "openai-chat": completion,
        "openai": response,
        "anthropic": message,
    }.items():
        for text in (json.dumps(answer), json.dumps(answer, indent=1)):
            events = read(dialect, text)
            assert words(events) == "Here — 🧪:\n\nBye"
            assert bodies(events)["site/page.html", "text/html"] == PAGE
            assert codes(events) == []


# --- Chat Completions ------------------------------------------------------------


def test_what_compatible_servers_say_otherwise_is_understood():
    parts = [{"type": "text", "text": "b"}, {"type": "text", "text": "c"}]
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    deltas = [
        {"reasoning": "well ", "content": None},
        {"content": [thought]},
        {"content": "a"},
        {"content": parts},
        {"content": None, "refusal": "d"},
    ]
    events = read("openai-chat", sse(*chat(deltas, reason="stop")))
    assert words(events) == "abcd"
    assert words(events, Reasoning) == "well hm"


def test_calls_that_are_all_numbered_0_are_told_apart_by_their_ids():
    def call(at, **extra):
        function = {"name": "write_file"}
        function["arguments"] = json.dumps(
            {"path": f"{at}.txt", "content": f"body {at}"}
        )
        return {"tool_calls": [{**extra, "id": f"c{at}", "function": function}]}

    for extra in ({"index": 0}, {}):
        events = read("openai-chat", sse(*chat([call(1, **extra), call(2, **extra)])))
        assert bodies(events) == {
            ("1.txt", "txt"): "body 1",
            ("2.txt", "txt"): "body 2",
        }


def test_calls_may_be_written_side_by_side():
    def call(at, text):
        return {"tool_calls": [{"index": at, "function": {"arguments": text}}]}

    def begin(at):
        call = {"index": at, "id": f"c{at}", "function": {"name": "Write"}}
        return {"tool_calls": [call]}

    deltas = [
        begin(0),
        begin(1),
        call(0, '{"path":"a.txt","content":"a'),
        call(1, '{"path":"b.txt","content":"b'),
        call(0, 'A"}'),
        call(1, 'B"}'),
    ]
    events = read("openai-chat", sse(*chat(deltas)))
    assert bodies(events) == {("a.txt", "txt"): "aA", ("b.txt", "txt"): "bB"}
    assert len(of(events, ArtifactEnd)) == 2


def test_of_several_answers_the_first_is_read_and_the_others_are_named():
    def choice(index, text):
        return {"choices": [{"index": index, "delta": {"content": text}}]}

    events = read("openai-chat", sse(choice(0, "a"), choice(1, "x"), choice(0, "b")))
    assert words(events) == "ab"
    assert "more-choices" in codes(events)


@pytest.mark.parametrize(
    ("dialect", "stream"),
    [
        ("openai-chat", sse(*chat([{"content": "a"}], reason="length"))),
        (
            "openai",
            sse(
                {
                    "type": "response.incomplete",
                    "response": {
                        "status": "incomplete",
                        "incomplete_details": {"reason": "max_output_tokens"},
                    },
                }
            ),
        ),
        (
            "anthropic",
            sse({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}),
        ),
    ],
)
def test_a_reply_at_the_limit_of_its_length_says_so(dialect, stream):
    assert codes(read(dialect, stream)) == ["reply-too-long"]


# --- Responses -------------------------------------------------------------------


def test_a_repetition_tells_what_had_not_come_and_nothing_twice():
    events = numbered(responses_events())
    expected = read("openai", sse(*events))
    for kind in ("output_text.delta", "arguments.delta", "summary_text.delta"):
        deltas = [event for event in events if event["type"].endswith(kind)]
        for lost in (deltas[-1:], deltas[1:], deltas):
            rest = [event for event in events if event not in lost]
            assert read("openai", sse(*rest)) == expected


def test_a_half_of_a_character_in_each_delta_is_no_difference():
    at = {"item_id": "m", "output_index": 0, "content_index": 0}
    events = [
        {"type": "response.output_text.delta", **at, "delta": "\ud83e"},
        {"type": "response.output_text.delta", **at, "delta": "\uddea"},
        {"type": "response.output_text.done", **at, "text": "🧪!"},
    ]
    told = read("openai", sse(*events))
    assert words(told) == "🧪!"
    assert codes(told) == ["stream-unfinished"]


def test_a_repetition_that_differs_is_named_once_and_changes_nothing():
    events = numbered(responses_events())
    for event in events:
        if event["type"] == "response.output_text.done":
            event["text"] = "Something else"
    told = read("openai", sse(*events))
    assert codes(told) == ["repeated-text-differs"]
    assert words(told) == "Here — 🧪:\n\nBye"


def test_parts_of_a_summary_are_paragraphs():
    kind = "response.reasoning_summary_text.delta"
    events = [
        {"type": kind, "output_index": 0, "summary_index": at, "delta": f"p{at}"}
        for at in (0, 0, 1)
    ]
    assert words(read("openai", sse(*events)), Reasoning) == "p0p0\n\np1"


def test_a_tool_that_takes_plain_text_is_named_with_its_size():
    item = {"type": "custom_tool_call", "id": "c", "call_id": "k", "name": "run"}
    delta = {"type": "response.custom_tool_call_input.delta", "delta": "print(1)"}
    events = [
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {**delta, "output_index": 0},
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {**item, "input": "print(1)"},
        },
    ]
    assert of(read("openai", sse(*events)), Suppressed) == [
        Suppressed("run", 8, (0, 0))
    ]


# --- Messages --------------------------------------------------------------------


def test_a_second_message_is_a_text_of_its_own():
    stream = sse(*messages_events(), *messages_events(message_id="m2", call="t2"))
    events = read("anthropic", stream)
    assert len(of(events, ArtifactStart)) == 4
    assert [start.artifact for start in of(events, ArtifactStart)] == [0, 1, 2, 3]


def test_a_message_that_ends_open_does_not_swallow_the_next_one():
    def message(text):
        delta = {"type": "text_delta", "text": text}
        return [
            {"type": "message_start", "message": {"id": text, "content": []}},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "message_stop"},
        ]

    opened = '<artifact identifier="a" type="text/markdown">half'
    events = read("anthropic", sse(*message(opened), *message("Next.")))
    assert [end.complete for end in of(events, ArtifactEnd)] == [False]
    assert words(events) == "Next."
    events = read("anthropic", sse(*message("One."), *message("Two.")))
    assert words(events) == "One.\n\nTwo."


def test_input_that_came_whole_with_its_block_is_read():
    use = {"type": "tool_use", "id": "t", "name": "Write", "input": FILE}
    events = read(
        "anthropic",
        sse(
            {"type": "content_block_start", "index": 0, "content_block": use},
            {"type": "content_block_stop", "index": 0},
        ),
    )
    assert bodies(events) == {("site/page.html", "text/html"): PAGE}


# --- errors ----------------------------------------------------------------------


OPEN = '<artifact identifier="a" type="text/html"><p>half'
FAILURE = {"type": "overloaded_error", "message": "Overloaded"}


def _with_error(dialect):
    delta = {"type": "text_delta", "text": OPEN}
    said: object
    match dialect:
        case "openai-chat":
            said = {"choices": [{"index": 0, "delta": {"content": OPEN}}]}
            return sse(said, {"error": {**FAILURE, "code": 529}})
        case "openai":
            kind = "response.output_text.delta"
            said = {"type": kind, "output_index": 0, "content_index": 0, "delta": OPEN}
            error = {"code": "rate_limit_exceeded", "message": "Overloaded"}
            failed = {"status": "failed", "output": [], "error": error}
            return sse(said, {"type": "response.failed", "response": failed})
        case "anthropic":
            said = {"type": "content_block_delta", "index": 0, "delta": delta}
            return sse(said, {"type": "error", "error": FAILURE})
        case _:
            said = assistant({"type": "text", "text": OPEN})
            text = 'API Error: 529 {"type":"error"}'
            return lines(said, result(text, is_error=True))


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_an_error_in_the_middle_is_told_and_closes_what_is_open(dialect):
    events = read(dialect, _with_error(dialect))
    (error,) = of(events, ErrorRaised)
    assert "Overloaded" in error.message or "API Error" in error.message
    (end,) = of(events, ArtifactEnd)
    assert (end.complete, end.reason) == (False, "failed")
    assert codes(events) == [error.code]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (
            {"error": {"message": "no", "type": "invalid_request_error"}},
            "agent-refused",
        ),
        ({"error": {"message": "no", "code": "invalid_api_key"}}, "agent-key-refused"),
        ({"error": "no", "code": 503}, "agent-interrupted"),
        ({"object": "error", "message": "no", "code": 429}, "agent-rate-limited"),
        ({"detail": "no"}, "agent-interrupted"),
        ({"error": {"error": {"message": "no"}}}, "agent-interrupted"),
        ({"error": [{"message": "no"}]}, "agent-interrupted"),
        (
            {"error": {"code": 529, "metadata": {}, "detail": "no"}},
            "agent-rate-limited",
        ),
        ({"error": {"error": {}, "msg": "no", "status": "401"}}, "agent-key-refused"),
    ],
)
def test_errors_in_every_shape_give_a_code_and_words(error, code):
    (raised,) = of(read("openai-chat", sse(error)), ErrorRaised)
    assert (raised.code, raised.message[-11:]) == (code, "It says: no")


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_a_stream_that_stops_in_the_middle_says_so(dialect):
    stream = STREAMS[dialect]
    events = read(dialect, stream[: stream.index("Bye") - 200])
    assert "stream-unfinished" in codes(events)
    assert len(of(events, ArtifactEnd)) == len(of(events, ArtifactStart))


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_what_is_not_of_the_format_is_shown_as_text_with_its_line(dialect):
    strays = [
        "# Not JSON",
        "[1, 2]",
        '"words"',
        '{"a": 1}',
        '{"broken": ',
        "data: oops",
    ]
    parser = InputParser(dialect)
    events = [*parser.feed("\n".join([*strays, ""])), *parser.close()]
    text = words(events)
    for stray in strays:
        assert stray.removeprefix("data: ") in text.replace("1\n2\n", "[1, 2]\n")
    found = of(events, DiagnosticFound)
    assert {item.code for item in found} == {"not-the-format"}
    assert parser.foreign is not None
    assert parser.foreign.startswith("Line 1 is no JSON")


def test_a_stream_in_the_wrong_dialect_is_no_success():
    for dialect, stream in STREAMS.items():
        for other in set(WIRE_DIALECTS) - {dialect}:
            parser = InputParser(other)
            parser.feed(stream)
            parser.close()
            assert parser.foreign is not None, (dialect, other)


def test_an_unknown_dialect_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="claude-code, openai, openai-chat"):
        InputParser("tag")


def test_input_after_the_end_is_refused_with_words():
    parser = InputParser("openai")
    assert parser.close() == []
    assert parser.close() == []
    with pytest.raises(ValueError, match="expected no input after close"):
        parser.feed("x")
