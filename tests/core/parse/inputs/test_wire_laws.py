"""Laws of every wire format: cuts mean nothing, nothing is lost or told twice, work is bounded."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.parse.inputs.streams import (
    PAGE,
    REPLY,
    STREAMS,
    assistant,
    chat,
    code_line,
    lines,
    messages_events,
    numbered,
    pieces,
    responses_events,
    sse,
)
from vitrail.core.parse import ParserLimits, join_events
from vitrail.core.parse.inputs import (
    WIRE_DIALECTS,
    ChatCompletionsDecoder,
    InputParser,
    WireNote,
    WireRest,
)
from vitrail.limits import MAX_RECOVERABLE_CHARS
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    QuestionForm,
    Text,
    encode_event,
)

LOOKS_PER_CHAR = 8
"""Framing three, JSON one, the text inside three, or the arguments two."""
LOOKS_MORE = 64

DIALECTS = st.sampled_from(sorted(WIRE_DIALECTS))

TEXTS = st.sampled_from(
    [
        *('<artifact identifier="a" type="text/html">', "</artifact>", "</arti", "\n"),
        *("<arti", "<think>", "</think>", "words `", "```\n", "🧪", "[[reply_to_"),
        *("<question-form>", "<tool_call>", ":::artifact{type=html}\n", ":::\n"),
    ]
)
"""Pieces that wait for more, or open something."""


def read(dialect, *texts, limits=None):
    parser = InputParser(dialect, limits=limits)
    events = [event for text in texts for event in parser.feed(text)]
    return parser, join_events([*events, *parser.close()])


def cut(data, places):
    edges = sorted({min(place, len(data)) for place in places} | {0, len(data)})
    return [data[a:b] for a, b in pairwise(edges)]


def check(events):
    """Every start has one end, which is true of its body; every event can be written."""
    bodies: dict[int, str] = {}
    ended: set[int] = set()
    for event in events:
        encode_event(event)
        match event:
            case ArtifactStart():
                assert event.artifact == len(bodies)
                bodies[event.artifact] = ""
            case ArtifactChunk():
                assert event.artifact not in ended
                bodies[event.artifact] += event.delta
            case ArtifactEnd():
                assert event.artifact not in ended
                ended.add(event.artifact)
                body = bodies[event.artifact]
                assert event.length == len(body)
                assert event.sha256 == hashlib.sha256(body.encode()).hexdigest()
            case _:
                pass
        start, end = getattr(event, "span", (0, 0))
        assert 0 <= start <= end
    assert ended == bodies.keys()


def places_add_up(events):
    """Every event stands behind what was told before it; nothing is left out between."""
    place = 0
    for event in events:
        match event:
            case Text() | ArtifactChunk():
                place += len(event.delta)
            case DiagnosticFound() | QuestionForm(complete=False):
                pass  # they point at what is told elsewhere
            case _ if hasattr(event, "span"):
                assert event.span[0] == place
                place = event.span[1]
            case _:
                pass
    return place


# --- cuts --------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_bytes_in_pieces_of_any_size_give_the_same(dialect, size):
    data = STREAMS[dialect].encode()
    _, whole = read(dialect, data)
    check(whole)
    assert read(dialect, *pieces(data, size))[1] == whole


@settings(max_examples=60)
@given(DIALECTS, st.lists(st.integers(0, 9000), max_size=12))
def test_any_cut_of_the_bytes_gives_the_same(dialect, places):
    data = STREAMS[dialect].encode()
    assert read(dialect, *cut(data, places))[1] == read(dialect, data)[1]


@settings(max_examples=80)
@given(
    DIALECTS,
    st.integers(0, 9000),
    st.binary(max_size=6)
    | st.sampled_from([b"\r", b"\n", b"\r\n", b"\xef\xbb\xbf", b"\0"]),
    st.lists(st.integers(0, 9000), max_size=6),
)
def test_a_spoilt_stream_still_closes_and_no_cut_changes_it(
    dialect, at, spoilt, places
):
    data = STREAMS[dialect].encode()
    data = data[:at] + spoilt + data[at:]
    _, whole = read(dialect, data)
    check(whole)
    assert read(dialect, *cut(data, places))[1] == whole


VALUES = st.recursive(
    st.sampled_from(
        ["", "text", "tool_use", "Write", 0, 1, -1, None, True, 10**400, "\ud83e", "{"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "index",
                    "delta",
                    "content",
                    "choices",
                    "message",
                    "event",
                    "error",
                    "usage",
                    "text",
                    "input",
                    "item",
                    "output_index",
                    "tool_calls",
                    "function",
                    "arguments",
                    "id",
                    "name",
                    "response",
                    "output",
                    "content_block",
                    "partial_json",
                    "summary",
                    "part",
                    "status",
                    "result",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
TYPES = st.sampled_from(
    [
        *{event["type"] for event in (*responses_events(), *messages_events())},
        *("assistant", "user", "result", "stream_event", "system", "error", "message"),
    ]
)


@settings(max_examples=300)
@given(DIALECTS, st.lists(st.tuples(TYPES, VALUES), max_size=4))
def test_fields_of_any_shape_break_nothing(dialect, values):
    events = [
        {"type": kind, **(value if isinstance(value, dict) else {"delta": value})}
        for kind, value in values
    ]
    _, told = read(dialect, lines(*events))
    check(told)


@pytest.mark.parametrize("depth", [*range(50, 1000, 50), *range(900, 1010, 3)])
def test_nesting_of_any_depth_breaks_nothing(depth):
    deep = "[" * depth + "]" * depth
    nested = '{"a":' * depth + "1" + "}" * depth
    for inner in (deep, nested):
        use = f'{{"type":"tool_use","id":"t","name":"Write","input":{{"x":{inner}}}}}'
        for text in (
            f'{{"error":{{"type":{inner},"code":{inner},"message":{inner}}}}}',
            f'{{"choices":[{inner}]}}',
            f'{{"choices":[{{"delta":{{"content":{inner}}}}}]}}',
            f'{{"type":"content_block_start","index":0,"content_block":{use}}}',
            f'{{"type":"assistant","message":{{"content":[{use}]}}}}',
            f"[{inner}]",
        ):
            for dialect in WIRE_DIALECTS:
                check(read(dialect, text + "\n")[1])


# --- nothing twice, nothing lost ------------------------------------------------------


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_the_text_of_every_prefix_is_told_once_and_in_order(dialect):
    stream = STREAMS[dialect]
    _, whole = read(dialect, stream)
    text = "".join(event.delta for event in whole if isinstance(event, Text))
    for at in range(0, len(stream), 97):
        parser = InputParser(dialect)
        told = [event for event in parser.feed(stream[:at]) if isinstance(event, Text)]
        assert text.startswith("".join(event.delta for event in told))


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_the_events_of_every_prefix_are_a_prefix_of_the_events(dialect):
    data = STREAMS[dialect].encode()
    _, whole = read(dialect, data)
    for at in range(0, len(data), 61):
        told = join_events(InputParser(dialect).feed(data[:at]))
        if not told:
            continue
        *before, last = told
        assert whole[: len(before)] == before
        then = whole[len(before)]
        if hasattr(last, "delta"):
            assert type(then) is type(last)
            assert then.delta.startswith(last.delta)
        else:
            assert then == last


@pytest.mark.parametrize("dialect", WIRE_DIALECTS)
def test_places_add_up(dialect):
    _, events = read(dialect, STREAMS[dialect])
    assert places_add_up(events) == len(REPLY) + len(PAGE)


@settings(max_examples=150)
@given(
    st.lists(
        st.sampled_from(["text", "thought", "call", "arguments"]).flatmap(
            lambda kind: st.tuples(st.just(kind), st.text(max_size=0) | TEXTS)
        ),
        max_size=12,
    )
)
def test_texts_thoughts_and_calls_may_come_in_any_order(said):
    deltas, calls = [], 0
    for kind, text in said:
        match kind:
            case "text":
                deltas.append({"content": text})
            case "thought":
                deltas.append({"reasoning_content": text})
            case "call":
                calls += 1
                function = {"name": "Write", "arguments": '{"path":"a.md","content":"'}
                call = {"index": calls, "id": f"c{calls}", "function": function}
                deltas.append({"tool_calls": [call]})
            case _ if calls:
                piece = json.dumps(text)[1:-1]
                call = {"index": calls, "function": {"arguments": piece}}
                deltas.append({"tool_calls": [call]})
            case _:
                pass
    stream = sse(*chat(deltas))
    _, events = read("openai-chat", stream)
    check(events)
    if not any(getattr(event, "recovered", None) for event in events):
        places_add_up(events)
    assert read("openai-chat", *pieces(stream, 7))[1] == events


@given(
    st.lists(
        st.text(st.sampled_from("a\ud83e\uddea<>`\n"), min_size=1, max_size=6),
        max_size=6,
    )
)
def test_a_repetition_of_any_text_tells_nothing(deltas):
    at = {"output_index": 0, "content_index": 0}
    kind = "response.output_text.delta"
    events = [{"type": kind, **at, "delta": delta} for delta in deltas]
    # The server puts halves together, as it writes the whole text.
    whole = "".join(deltas).encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    if "".join(deltas).encode("utf-16", "surrogatepass") != whole.encode("utf-16"):
        return
    done = {"type": "response.output_text.done", **at, "text": whole}
    _, told = read("openai", sse(*events, done, done))
    assert "".join(event.delta for event in told if isinstance(event, Text)) == whole


# --- work ------------------------------------------------------------------------------


def _text_delta(text):
    delta = {"type": "text_delta", "text": text}
    return {"type": "content_block_delta", "index": 0, "delta": delta}


def _call(arguments):
    return {
        "tool_calls": [
            {
                "index": 0,
                "id": "c",
                "function": {"name": "Write", "arguments": arguments},
            }
        ]
    }


def _hostile():
    long = "x" * 1_000_000
    yield "openai-chat", sse(*chat([{"content": long}]))
    yield "openai-chat", "data: " + long
    yield "openai-chat", long
    yield "openai-chat", "data: {" * 100_000 + "\n\n"
    yield "openai-chat", '{"choices":' + "[" * 1_000_000
    yield "openai-chat", 'data: {"choices":"' + long
    yield "openai-chat", "data:\n\n" * 200_000
    yield "openai-chat", "\n" * 1_000_000
    yield "openai-chat", "\r" * 500_000
    yield "openai-chat", "{}\n" * 20_000
    yield "openai-chat", "data: a\n" * 100_000
    yield (
        "openai-chat",
        sse(*chat([_call('{"path":"a.txt","content":"' + "\\" * 9)] * 99)),
    )
    yield "openai-chat", sse(*chat([_call("[" * 500_000)]))
    yield "openai-chat", sse(*chat([_call('{"content":"' + long)]))
    yield "openai-chat", sse(*chat([_call(f'{{"k{at}":"') for at in range(3000)]))
    yield "openai", lines(*[{"type": "response.x", "sequence_number": 1}] * 20_000)
    done = [event for event in numbered(responses_events()) if "delta" not in event]
    yield "openai", sse(*done * 30)
    yield "anthropic", lines(*[_text_delta("<arti`")] * 10_000)
    block = {"type": "tool_use", "id": "t", "name": "Edit", "input": {}}
    start = {"type": "content_block_start", "index": 0, "content_block": block}
    yield "anthropic", lines(*[start] * 12_000)
    text = {"type": "text", "text": "a"}
    yield "claude-code", lines(*[assistant(text, message_id="m")] * 5000)
    yield "claude-code", lines(*[assistant(text, message_id=None)] * 5000)
    empty = {"type": "text", "text": ""}
    start = {"type": "content_block_start", "index": 0, "content_block": empty}
    yield (
        "claude-code",
        lines(
            *[code_line("stream_event", event=start)] * 5000,
            *[assistant({"type": "text", "text": str(at)}) for at in range(5000)],
        ),
    )
    yield (
        "claude-code",
        lines(*[assistant(text, parent=f"t{at}") for at in range(3000)]),
    )


@pytest.mark.parametrize(("dialect", "stream"), list(_hostile()))
def test_work_is_linear_on_hostile_streams(dialect, stream):
    parser, events = read(dialect, *pieces(stream, 1 << 16))
    check(events)
    assert parser.looked_at <= LOOKS_PER_CHAR * len(stream) + LOOKS_MORE


def test_what_is_kept_of_a_long_stream_does_not_grow_with_it():
    frame = sse(chat([{"content": "words of a reply, " * 8}])[0])
    arguments = sse(chat([_call('{"path":"a.md","content":"')])[0])
    more = sse(chat([{"tool_calls": [{"function": {"arguments": "x" * 200}}]}])[0])
    parser = InputParser("openai-chat")
    parser.feed(frame)
    tracemalloc.start()
    try:
        for _ in range(3000):
            parser.feed(frame)
        text_peak = tracemalloc.get_traced_memory()[1]
        parser.feed(arguments)
        for _ in range(15_000):
            parser.feed(more)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert text_peak < 500_000
    # Of a file that a tool writes, the text is kept for edits: 2 Mi characters at most.
    assert peak < MAX_RECOVERABLE_CHARS + 2_000_000


def test_many_edits_of_a_long_file_make_no_more_than_a_limit():
    def use(at, name, **arguments):
        return assistant(
            {
                "type": "tool_use",
                "id": f"t{at}",
                "name": name,
                "input": {"file_path": "a.txt", **arguments},
            },
            message_id=f"m{at}",
        )

    run = [use(0, "Write", content="a" + "x" * 1_000_000)]
    flip = [("a", "b"), ("b", "a")]
    run += [
        use(at + 1, "Edit", old_string=flip[at % 2][0], new_string=flip[at % 2][1])
        for at in range(200)
    ]
    _, events = read("claude-code", lines(*run))
    told = sum(len(event.delta) for event in events if isinstance(event, ArtifactChunk))
    assert told < 20_000_000


def test_a_line_longer_than_the_limit_is_named_and_shown():
    text = "x" * 300 + "\ndata: [DONE]\n"
    for size in (1, 7, 1000):
        decoder = ChatCompletionsDecoder(max_line_chars=100)
        facts = [fact for piece in pieces(text, size) for fact in decoder.feed(piece)]
        facts += decoder.close()
        notes = [fact for fact in facts if isinstance(fact, WireNote)]
        assert [note.line for note in notes] == [1]
        rest = "".join(fact.delta for fact in facts if isinstance(fact, WireRest))
        assert rest == "x" * 300 + "\n"
        assert decoder.is_over


@pytest.mark.parametrize("document", ["{\n" + "x\n" * 200, "data: x\n" * 200])
def test_what_is_put_together_from_lines_is_limited_too(document):
    decoder = ChatCompletionsDecoder(max_line_chars=100)
    facts = [*decoder.feed(document)]
    assert any(isinstance(fact, WireRest) for fact in facts)
    facts += decoder.close()
    rest = "".join(fact.delta for fact in facts if isinstance(fact, WireRest))
    assert rest.count("x\n") == 200


def test_limits_of_bodies_and_artifacts_hold_for_tools_too():
    def write(at, content):
        arguments = json.dumps({"path": f"{at}.txt", "content": content})
        return {
            "tool_calls": [
                {
                    "index": at,
                    "id": f"c{at}",
                    "function": {"name": "Write", "arguments": arguments},
                }
            ]
        }

    stream = sse(*chat([write(at, "0123456789") for at in range(4)]))
    limits = ParserLimits(artifacts=2, body_chars=4)
    _, events = read("openai-chat", stream, limits=limits)
    check(events)
    ends = [event for event in events if isinstance(event, ArtifactEnd)]
    assert [(end.reason, end.length) for end in ends] == [("limit", 4)] * 2
    text = "".join(event.delta for event in events if isinstance(event, Text))
    assert text == "456789" * 2
    codes = [event.code for event in events if hasattr(event, "code")]
    assert codes == ["body-too-long"] * 2 + ["too-many-artifacts"] * 2
