"""What has to hold of every text that is parsed, whatever it is.

The laws of `docs/parsing.md`, as functions that fail with an ``AssertionError``;
`tests/core/parse/test_laws.py` and the fuzz target ask them of texts of every kind.
"""

from __future__ import annotations

import hashlib
import random
import re
from itertools import pairwise

import msgspec

from vitrail.core.parse import StreamParser, join_events
from vitrail.core.parse.dialects import DIALECTS
from vitrail.core.text import Utf8Decoder
from vitrail.limits import MAX_HELD_CHARS, MAX_OPEN_TAG_CHARS, MAX_SUPPRESSED_CHARS
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    DirectiveFound,
    QuestionForm,
    Reasoning,
    Text,
)

LOOKS_PER_CHAR = dict.fromkeys(DIALECTS, 4) | {"tag": 3}
MOST_HELD = dict.fromkeys(
    DIALECTS, MAX_SUPPRESSED_CHARS + MAX_HELD_CHARS + MAX_OPEN_TAG_CHARS
) | {"tag": MAX_HELD_CHARS + MAX_OPEN_TAG_CHARS}
LOOKS_MORE = 16
"""What a text of no length may cost: what is looked for at its very end."""

CLOSE_TAG = re.compile(r"</\s*artifact\s*>", re.IGNORECASE)

TAG = '<artifact identifier="a" type="text/html">'
PIECES = (
    *(TAG, TAG, "</artifact>", "</artifact >", "</ARTIFACT\n>", "</arti", "<artifact "),
    *(
        "<artifact identifier='x' type='text/css'>",
        '<artifact\ttitle="a > b">',
        "<artifact>",
    ),
    *(
        "<think>",
        "</think>",
        "<thinking>",
        "</thinking>",
        "<th",
        "`",
        "``",
        "```",
        "~~~\n",
    ),
    *(
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "    ",
        "\t",
        "- ",
        "> ",
        "1. ",
        "# ",
        "---\n",
    ),
    *(
        "<",
        ">",
        "</",
        "<!--",
        "-->",
        "<a b='",
        '"',
        "'",
        "\\",
        "<p>",
        "<div>\n",
        "[a]: /b\n",
    ),
    *(
        "<question-form id='a'>",
        "<ask-question>",
        "</question-form>",
        "</ASK-QUESTION>",
    ),
    *('{"questions":[', '{"id":"q","label":"L"}', "]}", "<tool_call>", "</tool_call>"),
    *("<edit>", "</edit>", "< | DSML artifact x>", "</artifact>", "<|/DSML|>"),
    *("[[reply_to_current]]", "[[reply_to: 7]]", "[[", "]]", "[embed ref='a' /]"),
    *("[embed url='/a'] b ", "[/embed]", "MEDIA:/tmp/a.png\n", "MEDIA: ", "NO_REPLY"),
    *(
        ":::artifact{identifier='a'}\n",
        ":::\n",
        ":::",
        "```html\n",
        "<!doctype html>\n",
    ),
    *('<boltArtifact id="p">', '<boltAction type="file" filePath="a.ts">'),
    *("</boltAction>", "</boltArtifact>", '<antArtifact identifier="n">'),
    *("</antArtifact>", "<antThinking>", "</antThinking>"),
    *("words", "数据", "😀", "\ufeff", "\u00a0", "\0", "\u2028", "İ"),
)
"""Pieces of which texts are made that reach every state."""


class Run:
    """One parser, fed with pieces."""

    def __init__(self, pieces, dialect="tag"):
        parser = StreamParser(dialect=dialect)
        self.dialect = dialect
        self.fed = []
        self.most_held = 0
        for piece in pieces:
            self.fed += parser.feed(piece)
            self.most_held = max(self.most_held, parser.held)
        self.told = [_known(event) for event in join_events(self.fed)]
        self.joined = join_events(self.fed + parser.close())
        self.looked_at = parser.looked_at


def _known(event):
    """Of a form that grows keep that it began: how much of it was told, and when, is up
    to the pieces (`tests/core/parse/forms` holds that nothing is taken back)."""
    if isinstance(event, QuestionForm) and not event.complete:
        return msgspec.structs.replace(event, form={}, span=(event.span[0],) * 2)
    return event


def cut(text, places):
    places = sorted({0, len(text), *(place for place in places if place <= len(text))})
    return [text[a:b] for a, b in pairwise(places)]


def random_cuts(text, count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        yield cut(
            text, [rng.randrange(len(text) + 1) for _ in range(rng.randrange(1, 9))]
        )


def bytes_cut(text, places):
    decoder = Utf8Decoder()
    # The mark that the decoder takes away is put in front: a text keeps its own.
    data = text.encode("utf-8-sig")
    return [*map(decoder.feed, cut(data, places)), decoder.close()]


def assert_bounded(run, text):
    assert run.looked_at <= LOOKS_PER_CHAR[run.dialect] * len(text) + LOOKS_MORE
    assert run.most_held <= MOST_HELD[run.dialect]


def assert_invariant(text, *, cuts, dialect="tag"):
    whole, single = Run([text], dialect), Run(text, dialect)
    assert single.joined == whole.joined
    assert single.told == whole.told
    assert_bounded(whole, text)
    assert_bounded(single, text)
    for pieces in random_cuts(text, cuts, seed=len(text)):
        run = Run(pieces, dialect)
        assert run.joined == whole.joined, pieces
        assert_bounded(run, text)
    rng = random.Random(len(text))
    size = len(text.encode())
    for _ in range(cuts):
        places = [rng.randrange(size + 1) for _ in range(rng.randrange(1, 9))]
        assert Run(bytes_cut(text, places), dialect).joined == whole.joined, places


def assert_every_split(text, dialect="tag"):
    whole = Run([text], dialect).joined
    for at in range(len(text) + 1):
        run = Run([text[:at], text[at:]], dialect)
        assert run.joined == whole, at
        assert_bounded(run, text)


def assert_rebuilds(events, text):
    """What was shown and what was taken out, in order, is the input; spans are exact."""
    place, recovered = 0, set()
    for event in events:
        match event:
            case ArtifactStart(artifact=artifact) if event.recovered is not None:
                recovered.add(artifact)
            case ArtifactChunk() | ArtifactEnd() if event.artifact in recovered:
                pass
            case DiagnosticFound():
                assert 0 <= event.span[0] <= event.span[1] <= len(text)
            case DirectiveFound(name="media"):
                assert event.span[0] < event.span[1] <= place
            case Text() | ArtifactChunk():
                assert text.startswith(event.delta, place)
                place += len(event.delta)
            case _:
                assert event.span[0] == place
                place = event.span[1]
    assert place == len(text)


def assert_opens_and_closes(events, text, dialect):
    """Each start has one end, which tells the body between the tags to the last character."""
    open_bodies, bodies = {}, {}
    for event in events:
        match event:
            case ArtifactStart():
                assert event.artifact not in bodies
                raw = text[slice(*event.span)]
                assert dialect != "tag" or raw.startswith("<artifact")
                assert dialect != "tag" or raw.endswith(">")
                open_bodies[event.artifact] = event
                bodies[event.artifact] = ""
            case ArtifactChunk():
                assert event.artifact in open_bodies
                bodies[event.artifact] += event.delta
            case ArtifactEnd():
                start = open_bodies.pop(event.artifact)
                body = bodies[event.artifact]
                assert body == text[start.span[1] : event.span[0]]
                assert event.length == len(body)
                assert event.sha256 == hashlib.sha256(body.encode()).hexdigest()
                assert event.complete is (event.reason == "closed")
                if event.complete and dialect == "tag":
                    assert CLOSE_TAG.fullmatch(text[slice(*event.span)])
                elif not event.complete:
                    assert event.span[0] == event.span[1]
    assert open_bodies == {}


def assert_event_laws(events, text, dialect):
    """The laws of the joined events of one text."""
    assert_rebuilds(events, text)
    assert_opens_and_closes(events, text, dialect)


def flat(events):
    """Return the events as one list of characters and of events that are not deltas."""
    flat: list[object] = []
    for event in events:
        match event:
            case Text():
                flat += list(event.delta)
            case ArtifactChunk():
                flat += [(event.artifact, ch) for ch in event.delta]
            case Reasoning():
                flat += [("reasoning", ch) for ch in event.delta]
            case QuestionForm():
                pass  # it grows
            case _:
                flat.append(event)
    return flat


def assert_prefix_law(text, places, dialect="tag"):
    whole = flat(Run([text], dialect).fed)
    for place in places:
        part = flat(Run([text[:place]], dialect).fed)
        assert whole[: len(part)] == part, place


def assert_breaks_are_alike(text, dialect):
    """Lines that end by CR LF or by CR are told as those that end by LF are.

    But for what is counted in characters: spans, lengths, digests, and with them what
    is short enough to be no forgotten artifact.
    """
    text = _as_lines(text)
    told = _with_line_feeds(text, dialect)
    for line_break in ("\r\n", "\r"):
        assert _with_line_feeds(text.replace("\n", line_break), dialect) == told


_COUNTED = {"span", "length", "sha256", "chars", "message"}


def _with_line_feeds(text, dialect):
    events = []
    for event in Run([text], dialect).joined:
        if isinstance(event, ArtifactStart) and event.recovered is not None:
            break
        fields = msgspec.to_builtins(event)
        events.append(_as_lines({key: fields[key] for key in fields.keys() - _COUNTED}))
    return events


def _as_lines(value):
    """Return what was told with each break a line feed."""
    match value:
        case str():
            return value.replace("\r\n", "\n").replace("\r", "\n")
        case list():
            return [_as_lines(one) for one in value]
        case dict():
            return {key: _as_lines(one) for key, one in value.items()}
    return value
