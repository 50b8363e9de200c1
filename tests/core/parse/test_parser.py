"""The parser's own cases: when a tag is real, what ends what, limits and misuse."""

from __future__ import annotations

import pytest

from vitrail.core.parse import ParserLimits, StreamParser, join_events
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    Reasoning,
    Suppressed,
    Text,
)

HTML = '<artifact identifier="a" type="text/html">'
STYLE = '<artifact identifier="a" type="text/css">'
UNNAMED = '<artifact type="text/css">'


def read(text, *, reason="unclosed", limits=None):
    parser = StreamParser(limits=limits)
    return join_events([*parser.feed(text), *parser.close(reason=reason)])


def told(text):
    return join_events(StreamParser().feed(text))


def starts(text):
    return [event for event in read(text) if isinstance(event, ArtifactStart)]


def ends(text, **options):
    return [event for event in read(text, **options) if isinstance(event, ArtifactEnd)]


def codes(text, **options):
    events = read(text, **options)
    return [event.code for event in events if isinstance(event, DiagnosticFound)]


# --- when a tag is real -----------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        HTML,
        f"Words.\n{HTML}",
        f"Words.\n  \t {HTML}",
        f"Words.\r{HTML}",
        f"A stray ` backtick\n{HTML}",
        f"A stray ` backtick\n{UNNAMED}",
        f"<div>\n`{HTML[:0]}\n{HTML}",
    ],
)
def test_a_complete_tag_that_begins_its_line_is_real_at_once(text):
    assert isinstance(told(text)[-1], ArtifactStart)


def test_a_tag_behind_anything_else_on_its_line_does_not_begin_it():
    for prefix in ("- ", "> ", "# ", "a\n      < ", "a\n    <b> ", "<x> "):
        assert not any(
            isinstance(event, ArtifactStart) for event in told(prefix + HTML)
        )


def test_a_tag_that_touches_a_removed_tag_is_real_at_once():
    events = told(f"{HTML}x</artifact>{STYLE}")
    assert [type(event).__name__ for event in events][-2:] == [
        "ArtifactEnd",
        "ArtifactStart",
    ]
    assert isinstance(told(f"<think>x</think>{STYLE}")[-1], ArtifactStart)


@pytest.mark.parametrize(
    ("tag", "waiting", "deciding"),
    [
        (HTML, " \n ", "<"),
        ('<artifact type="svg">', "", "<"),
        (STYLE, "  ", "b"),
        (STYLE, "", "\n"),
        (UNNAMED, " ", "\r"),
        (UNNAMED, "body{}", "</artifact>"),
        (HTML, " prose", "</artifact >"),
    ],
)
def test_a_tag_in_a_line_waits_for_what_fits_its_type(tag, waiting, deciding):
    text = f"Words {tag}{waiting}"
    assert told(text) == [Text("Words ")]
    assert any(isinstance(event, ArtifactStart) for event in told(text + deciding))


@pytest.mark.parametrize(
    "text",
    [
        f"Words {HTML}",
        f"Words {HTML} opens one.\n</artifact>",
        f"Words {HTML}\n then.",
        f"Words {UNNAMED} opens one.\n",
        f"Words {UNNAMED} opens one</artifact",
    ],
)
def test_a_tag_in_a_line_that_does_not_fit_is_text(text):
    assert read(text) == [Text(text)]


def test_a_literal_opener_never_pairs_with_the_close_tag_of_a_later_artifact():
    events = read(f"Use {HTML} so: {STYLE}x</artifact>")
    assert events[0] == Text(f"Use {HTML} so: ")
    assert [
        event.artifact_type for event in events if isinstance(event, ArtifactStart)
    ] == ["text/css"]


def test_a_candidate_held_beyond_the_limit_is_real():
    limits = ParserLimits(held_chars=100)
    text = f"A ` {HTML}<p>" + "x" * 100 + "` b"
    assert isinstance(read(text, limits=limits)[1], ArtifactStart)
    assert read(text) == [Text(text)]


def test_a_tag_that_is_text_leaves_nothing_undecided_behind():
    """It lay in a tag alone on its line so far, and its body did not fit."""
    text = "<a b='<artifact type=html>' ><artifact type=html>a<b"
    parser = StreamParser()
    events = parser.feed(text) + parser.close()
    assert join_events(events) == [Text(text)]


def test_an_emitted_start_is_never_taken_back():
    parser = StreamParser()
    events = parser.feed(f"a ` b\n{HTML}")
    assert isinstance(events[-1], ArtifactStart)
    events = parser.feed("` c</artifact>") + parser.close()
    assert isinstance(events[-1], ArtifactEnd)
    assert events[-1].complete


def test_text_is_not_withheld_for_a_fence_or_a_backtick():
    for text in ("```html\n<p>", "a ` b", "a `` b <i", "<!-- a", "- - -", "```"):
        shown = "".join(event.delta for event in told(text) if isinstance(event, Text))
        assert shown == text


def test_only_what_may_become_a_tag_is_withheld():
    assert told("a <arti") == [Text("a ")]
    assert told("a <artx") == [Text("a <artx")]
    assert told("a < b") == [Text("a < b")]
    assert told("```\n<artifact ") == [Text("```\n<artifact ")]


# --- what a tag is -----------------------------------------------------------


def test_all_attributes_are_kept_and_their_references_decoded():
    tag = '<artifact identifier=\'a\' type="t" data-x=1 title="a &amp; &#x1F9EA; &copy" open>'
    assert starts(tag)[0].attributes == {
        "identifier": "a",
        "type": "t",
        "data-x": "1",
        "title": "a & 🧪 &copy",
        "open": "",
    }


def test_of_a_repeated_attribute_the_last_counts():
    assert starts('<artifact title="a" title="b">')[0].title == "b"


@pytest.mark.parametrize("space", ["\n", "\t", "\u00a0", "\ufeff", "\u2028", "\f"])
def test_any_white_space_of_the_reference_ends_the_name(space):
    assert starts(f'<artifact{space}identifier="a">')[0].identifier == "a"


@pytest.mark.parametrize("other", ["\u001c", "\u0085", "-", ">", "s ", "\u200b"])
def test_nothing_else_ends_the_name(other):
    assert starts(f'<artifact{other}identifier="a">') == []


def test_no_more_attributes_are_kept_than_the_limit():
    tag = "<artifact " + " ".join(f"a{n}=1" for n in range(9)) + ">"
    limits = ParserLimits(attributes=3)
    left_out, start, *_ = read(tag, limits=limits)
    assert (left_out.code, left_out.span) == ("too-many-attributes", start.span)
    assert "left out of this one: 6" in left_out.message
    assert list(start.attributes) == ["a0", "a1", "a2"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<artifact identifier="a"\n\ntype="b">', "malformed-open-tag"),
        (f'<artifact title="{"x" * 5000}">', "malformed-open-tag"),
        ('<artifact title="a"<p>', "malformed-open-tag"),
        ('<artifact identifier="a" ty', "unfinished-open-tag"),
    ],
)
def test_a_malformed_tag_is_text_and_named(text, code):
    assert codes(text) == [code]
    shown = [event.delta for event in read(text) if isinstance(event, Text)]
    assert "".join(shown) == text


def test_a_tag_is_looked_for_again_behind_a_malformed_one():
    text = f'<artifact title="x\n\n{HTML}<p></artifact>'
    assert [start.identifier for start in starts(text)] == ["a"]
    text = f"<artifact title=\"x '{HTML}<p></artifact>\n\n"
    assert [start.identifier for start in starts(text)] == ["a"]


def test_a_self_closed_tag_is_an_artifact_without_a_body_and_named():
    text = f"Words {HTML[:-1]}/> more"
    assert codes(text) == ["self-closed-artifact"]
    (end,) = ends(text)
    assert (end.complete, end.reason, end.length) == (False, "self-closed", 0)


# --- what ends a body ---------------------------------------------------------


@pytest.mark.parametrize("reason", ["unclosed", "stopped", "failed"])
def test_what_is_open_ends_with_the_reason_why_the_text_does(reason):
    (end,) = ends(f"{HTML}<p>", reason=reason)
    assert (end.complete, end.reason, end.length) == (False, reason, 3)


@pytest.mark.parametrize(
    "tag",
    ["</artifact>", "</ARTIFACT>", "</artifact >", "</ artifact\n>", "</Artifact\t>"],
)
def test_a_close_tag_may_have_any_case_and_white_space(tag):
    (end,) = ends(f"{HTML}x{tag}")
    assert (end.complete, end.length) == (True, 1)
    assert end.span == (len(HTML) + 1, len(HTML) + 1 + len(tag))


@pytest.mark.parametrize(
    "body",
    [
        "</artifacts>",
        "</artifac>",
        "< /artifact>",
        "</artifact" + " " * 99 + ">",
        "</artıfact>",
    ],
)
def test_what_is_no_close_tag_is_body(body):
    (end,) = ends(f"{HTML}{body}</artifact>")
    assert end.length == len(body)


def test_a_body_is_kept_to_the_last_character():
    body = "\ufeff\r\n\0 x\r\u2028\n"
    events = read(f"{HTML}{body}</artifact>")
    assert events[1] == ArtifactChunk(0, "a", body)


def test_a_body_beyond_the_limit_is_cut_and_the_rest_is_text():
    events = read(f"{HTML}123456789</artifact>", limits=ParserLimits(body_chars=5))
    assert events[1] == ArtifactChunk(0, "a", "12345")
    end = next(event for event in events if isinstance(event, ArtifactEnd))
    assert (end.complete, end.reason, end.length) == (False, "limit", 5)
    assert events[-1] == Text("6789</artifact>")
    assert codes(f"{HTML}123456789", limits=ParserLimits(body_chars=5)) == [
        "body-too-long"
    ]


def test_artifacts_beyond_the_limit_are_text_and_named():
    text = f"{HTML}x</artifact>{HTML}y</artifact>"
    limits = ParserLimits(artifacts=1)
    assert len(ends(text, limits=limits)) == 1
    assert codes(text, limits=limits) == ["too-many-artifacts"]
    assert read(text, limits=limits)[-1] == Text(f"{HTML}y</artifact>")


# --- reasoning ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["think", "thinking", "THINK"])
def test_a_section_of_reasoning_is_one_event_without_its_tags(name):
    text = f"<{name}>a <b</{name} > c"
    assert read(text) == [Reasoning("a <b", (0, len(text) - 2)), Text(" c")]


@pytest.mark.parametrize(
    "text",
    [
        "`<think>` a",
        "```\n<think>\n```",
        "Words <think> more",
        "    <think>",
        "a `b\n<think>\nc` d",
    ],
)
def test_a_literal_think_tag_is_text(text):
    assert read(text) == [Text(text)]


def test_nothing_in_reasoning_is_an_artifact():
    assert starts(f"<think>\n{HTML}<p></artifact>\n</think>") == []


def test_another_name_does_not_close_a_section():
    text = "<thinking>a</think>b</thinking>c"
    assert read(text) == [Reasoning("a</think>b", (0, len(text) - 1)), Text("c")]


def test_unclosed_reasoning_stays_reasoning_and_is_named():
    events = read("<think>a")
    assert events[0] == Reasoning("a", (0, 8))
    assert codes("<think>a") == ["unclosed-reasoning"]


def test_a_stray_close_tag_of_reasoning_is_suppressed_at_the_beginning_of_a_line():
    assert read("</think>Hello") == [Suppressed("think", 8, (0, 8)), Text("Hello")]
    assert read("The </think> tag") == [Text("The </think> tag")]


# --- recovery -------------------------------------------------------------------


def test_an_artifact_in_an_unclosed_fence_is_told_at_the_end():
    text = f"```yaml\n{HTML}<p></artifact>\n{STYLE}x"
    events = read(text)
    assert events[0] == Text(text)
    assert [
        event.recovered for event in events if isinstance(event, ArtifactStart)
    ] == [
        "unclosed-fence",
        "unclosed-fence",
    ]
    assert [end.complete for end in ends(text)] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{HTML}<p></artifact>\n```",
        f"```\nx {HTML}<p></artifact>",
        "```\n<artifacts >",
        f"~~~\n{HTML}<p></artifact>\n~~~\n```\n",
    ],
)
def test_nothing_else_is_recovered(text):
    assert starts(text) == []


def test_nothing_is_recovered_from_a_text_that_was_stopped():
    assert ends(f"```\n{HTML}<p>", reason="stopped") == []


def test_an_artifact_too_long_to_be_recovered_is_named():
    text = f"```\n{HTML}" + "x" * 50
    assert codes(text, limits=ParserLimits(recoverable_chars=60)) == [
        "artifact-not-recovered"
    ]


# --- how it is used -----------------------------------------------------------------


def test_text_after_the_end_is_refused_with_words():
    parser = StreamParser()
    parser.close()
    with pytest.raises(ValueError, match="expected no text after close"):
        parser.feed("a")


def test_closing_twice_says_nothing_more():
    parser = StreamParser()
    parser.feed(HTML)
    assert len(parser.close()) == 1
    assert parser.close() == []


def test_an_unknown_dialect_is_refused_with_the_known_ones():
    with pytest.raises(
        ValueError, match=r"expected a dialect of: ant, auto, bolt, .*got 'later'"
    ):
        StreamParser(dialect="later")


def test_nothing_fed_is_nothing_told():
    parser = StreamParser()
    assert parser.feed("") == []
    assert parser.close() == []


def test_halves_of_a_character_in_two_pieces_are_one():
    parser = StreamParser()
    events = [
        *parser.feed("a\ud83e"),
        *parser.feed("\uddea"),
        *parser.feed("\udc00"),
        *parser.close(),
    ]
    assert join_events(events) == [Text("a🧪\ufffd")]


def test_a_long_artifact_in_a_fence_that_closes_is_not_named():
    text = f"```\n{HTML}" + "x" * 50 + "\n```\n"
    assert codes(text, limits=ParserLimits(recoverable_chars=60)) == []


def test_memory_of_tags_in_quotes_does_not_grow():
    parser = StreamParser()
    parser.feed("x " + "<artifact \"'" * 20_000)
    assert parser._tags is not None
    assert len(parser._tags._ends) < 3_000
    assert len(parser._tags._quotes) < 6_000
