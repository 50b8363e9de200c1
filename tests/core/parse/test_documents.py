"""Whole documents that a model wrote as text: what is recovered, and that the laws hold."""

from __future__ import annotations

import hashlib
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse import ParserLimits, StreamParser, fold_parts, join_events
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    Text,
)
from vitrail.protocol.records import ArtifactPart, TextPart

HEAD = "<html><head><title>Demo</title></head>"
BODY = "<body><main><h1>A whole document</h1></main></body></html>"
BARE_DOC = HEAD + BODY
DOC = f"<!doctype html>{BARE_DOC}"
LINES = DOC.replace("><", ">\n<")
REMARK = "(The complete document above is the artifact.)"
OPEN = '<artifact identifier="clay" type="text/html" title="Clay & Code">'
TAG = f"{OPEN}\n{REMARK}\n</artifact>"

LOOKS_PER_CHAR = {"tag": 3, "auto": 4}
LOOKS_MORE = 16


def events_of(pieces, *, dialect="auto", **limits):
    parser = StreamParser(dialect=dialect, limits=ParserLimits(**limits))
    events = [event for piece in pieces for event in parser.feed(piece)]
    return join_events([*events, *parser.close()])


def recovered(text, **limits):
    """Return how, under which identifier, and what was recovered of a text."""
    events = events_of([text], **limits)
    starts = [e for e in events if isinstance(e, ArtifactStart) and e.recovered]
    bodies = {e.artifact: e.delta for e in events if isinstance(e, ArtifactChunk)}
    return [(s.recovered, s.identifier, bodies[s.artifact]) for s in starts]


def shown(text):
    """Return a text as it is shown once its recovered documents are cut out of it."""
    parts = fold_parts(events_of([text]))
    return "".join(part.text for part in parts if isinstance(part, TextPart))


def before_remark(document, identifier="clay"):
    return [("document-before-remark", identifier, document)]


# --- a document before a remark (spec/open-design-1 §6, rows 1 to 5 and 10) -----


def test_a_document_before_a_remark_is_recovered():
    text = f"Here is the prototype:\n{DOC}\n{TAG}"
    assert recovered(text) == before_remark(DOC)
    assert shown(text) == "Here is the prototype:\n\n"


@pytest.mark.parametrize("blanks", ["\n", "\r\n", "\n\n \t\r\n"])
def test_only_white_space_may_stand_between_document_and_remark(blanks):
    assert recovered(f"{LINES}{blanks}{TAG}") == before_remark(LINES)


def test_nothing_is_recovered_where_the_body_is_a_document():
    assert recovered(f"{DOC}\n{OPEN}{DOC}</artifact>") == []


def test_a_document_that_is_not_adjacent_is_not_recovered():
    assert recovered(f"{DOC}\nThis is an explanation.\n{TAG}") == []


def test_the_last_of_several_documents_is_recovered_without_the_doctype_of_another():
    new = BARE_DOC.replace("Demo", "New")
    assert recovered(f"{DOC}\nNow the new one:\n{new}\n{TAG}") == before_remark(new)


@pytest.mark.parametrize("between", ["\n", " as its beginning.\n", " as in: "])
def test_a_doctype_in_prose_is_no_part_of_the_document(between):
    text = f"I used <!doctype html> as a prelude{between}{BARE_DOC}\n{TAG}"
    assert recovered(text) == before_remark(BARE_DOC)


def test_a_document_in_a_fence_before_a_remark_is_recovered():
    text = f"Here:\n```html\n{LINES}\n```\n\n{TAG}\nDone."
    assert recovered(text) == before_remark(LINES)
    assert shown(text) == "Here:\n\n\n\nDone."


def test_each_remark_takes_the_document_in_front_of_it():
    other = DOC.replace("Demo", "Other")
    text = f"{DOC}\n{TAG}\n~~~html\n{other}\n~~~\n{TAG.replace('clay', 'code')}"
    assert recovered(text) == [
        *before_remark(DOC),
        *before_remark(other, "code"),
    ]


@pytest.mark.parametrize("size", [1, 1_000])
def test_an_empty_body_is_a_remark(size):
    text = f"{LINES}\n{OPEN}</artifact>"
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    starts = [e for e in events_of(pieces) if isinstance(e, ArtifactStart)]
    assert [start.recovered for start in starts] == [None, "document-before-remark"]


def test_a_remark_may_be_a_page_that_is_too_short_to_be_one():
    text = f"{DOC}\n{OPEN}<html><p>See above</html></artifact>"
    assert recovered(text) == before_remark(DOC)


@pytest.mark.parametrize(
    "attributes",
    [
        'identifier="a" type="text/markdown"',
        'identifier="a.css" type="text/html"',
        'identifier="a.md"',
        'identifier="a" type="image/svg+xml"',
    ],
)
def test_what_is_no_page_is_no_remark_about_one(attributes):
    assert recovered(f"{DOC}\n<artifact {attributes}>above</artifact>") == []


@pytest.mark.parametrize(
    "attributes",
    ['identifier="a"', 'identifier="a.HTML"', 'identifier="a" type="html"'],
)
def test_a_page_may_be_called_one_in_other_ways(attributes):
    text = f"{DOC}\n<artifact {attributes}>above</artifact>"
    assert recovered(text) == before_remark(DOC, attributes.split('"')[1])


# --- a reply that is one document (rows 6 and 7) -----------------------------------


@pytest.mark.parametrize(
    "text", [DOC, f"\n{DOC}\n", f"\ufeff{LINES}\n\n", BARE_DOC, DOC.upper()]
)
def test_a_reply_that_is_one_document_is_recovered(text):
    document = text.strip("\ufeff\n")
    assert recovered(text) == [("bare-document", "response", document)]
    assert shown(text).strip("\ufeff\n") == ""


@pytest.mark.parametrize(
    "text",
    [
        f"Here:\n{DOC}",
        f"{DOC}\nThat is all.",
        "<html><p>Too short</html>",
        "<!doctype html><p>A snippet that has more than sixty-four characters.</p>",
        f"{DOC[:-7]}",
        f"{DOC}\nAnother:\n{DOC}",
        f"{DOC}\n<artifact identifier='b' type='text/css'>b{{}}</artifact>",
    ],
)
def test_a_reply_that_is_more_or_less_than_one_document_stays_text(text):
    assert recovered(text) == []
    assert shown(text)


def test_white_space_in_the_last_tag_does_not_matter():
    text = DOC.replace("</html>", "</html\n>")
    assert recovered(text) == [("bare-document", "response", text)]


# --- one document in a fence (rows 8, 9 and 11) ------------------------------------


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("```html", "```"),
        ("```HTML", "```"),
        ("```Html", "```"),
        ("~~~html", "~~~"),
        ('~~~~ html title="x"', "~~~~~"),
        ("`````html {.wide}", "`````"),
        ("   ```html", "  ```  "),
        ("1. ```html", "   ```"),
    ],
)
def test_the_one_document_in_a_fence_is_recovered(opening, closing):
    text = f"Here it is.\n\n{opening}\n{LINES}\n{closing}\n\nEnjoy."
    if not opening.startswith("1."):
        assert recovered(text) == [("fenced-document", "response", LINES)]
    else:
        text = text.replace("\n<", "\n   <").replace("Enjoy", "\nEnjoy")
        (found,) = recovered(text)
        assert found[2].replace("\n   <", "\n<") == LINES
    assert shown(text).split() in (
        ["Here", "it", "is.", "Enjoy."],
        ["Here", "it", "is.", "1.", "Enjoy."],
    )


@pytest.mark.parametrize("end", ["", "\n", "\n```", "\n``"])
def test_the_fence_may_end_with_the_text(end):
    text = f"```html\n{LINES}{end}"
    assert recovered(text) == [("fenced-document", "response", LINES)]


def test_lines_may_end_with_a_carriage_return():
    document = LINES.replace("\n", "\r\n")
    text = f"Here:\r\n```html\r\n{document}\r\n```\r\nBye"
    assert recovered(text) == [("fenced-document", "response", document)]


def test_a_snippet_in_another_fence_does_not_matter():
    text = f"```html\n<p>Only a snippet\n```\n```html\n{DOC}\n```\n```css\na{{}}\n```\n"
    assert recovered(text) == [("fenced-document", "response", DOC)]


@pytest.mark.parametrize(
    "text",
    [
        f"```ts\n{DOC}\n```",
        f"```html5\n{DOC}\n```",
        f"```\n{DOC}\n```",
        "```html\njust some prose, not a document at all really, but a long one\n```",
        f"```html\n{DOC}\n```\n\n```html\n{LINES}\n```",
        f"```html\nfirst a word\n{DOC}\n```",
        f"```html\n{DOC}\nlast a word\n```",
        f"````markdown\n```html\n{DOC}\n```\n````",
        f"> ```html\n> {DOC}\n> ```",
        f"    ```html\n    {DOC}\n    ```",
        f"<think>\n```html\n{DOC}\n```\n</think>\nThinking is no answer.",
    ],
)
def test_what_is_no_single_document_in_a_fence_stays_text(text):
    assert recovered(text) == []


def test_only_what_is_not_thinking_counts():
    text = f"<think>\n```html\n{LINES}\n```\n</think>\n```html\n{DOC}\n```"
    assert recovered(text) == [("fenced-document", "response", DOC)]


# --- what is told, and what is not --------------------------------------------------


def test_a_recovered_document_is_said_to_the_person():
    told = [e for e in events_of([DOC]) if isinstance(e, DiagnosticFound)]
    assert [(e.code, e.severity, e.span) for e in told] == [
        ("document-recovered", "info", (0, len(DOC)))
    ]


def test_a_document_that_is_too_long_is_said_and_stays_text():
    events = events_of([f"```html\n{DOC}\n```"], recoverable_chars=80)
    (told,) = [e for e in events if isinstance(e, DiagnosticFound)]
    assert told.code == "document-not-recovered"
    assert not any(isinstance(e, ArtifactStart) for e in events)


@pytest.mark.parametrize("reason", ["stopped", "failed"])
def test_nothing_is_recovered_of_a_text_that_was_broken_off(reason):
    parser = StreamParser()
    parser.feed(DOC)
    assert not any(isinstance(e, ArtifactStart) for e in parser.close(reason=reason))


def test_a_recovered_document_takes_the_place_of_the_text_that_showed_it():
    parts = fold_parts(events_of([f"Here:\n```html\n{DOC}\n```\nBye."]))
    kinds = [part.type for part in parts]
    assert kinds == ["text", "artifact", "text", "diagnostic"]
    (artifact,) = [part for part in parts if isinstance(part, ArtifactPart)]
    assert (artifact.state, artifact.text) == ("complete", DOC)


# --- laws ------------------------------------------------------------------------------

PIECES = (
    *(DOC, LINES, BARE_DOC, HEAD, BODY, "<!doctype html>", "<html>", "</html>"),
    *(
        "<html",
        "<!doct",
        "<h",
        "</ht",
        "</html >",
        "<!DOCTYPE  HTML>\n",
        "<HTML lang=a>",
    ),
    *("```html\n", "```\n", "```", "~~~ html x\n", "~~~\n", "````html\n", "- ", "> "),
    *(TAG, OPEN, "</artifact>", REMARK, "<artifact ", "<think>", "</think>", "`", "\\"),
    *(
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "    ",
        "\t",
        "words",
        "<!--",
        "-->",
        "<p>",
        "\ufeff",
    ),
    *("<script>", "</script>", "😀", "<a b='", "'"),
)
texts = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)
motifs = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)


def assert_laws(text, *, cuts, dialect="auto"):
    most = LOOKS_PER_CHAR[dialect] * len(text) + LOOKS_MORE
    parser = StreamParser(dialect=dialect)
    whole = join_events([*parser.feed(text), *parser.close()])
    assert parser.looked_at <= most
    single = StreamParser(dialect=dialect)
    told = [event for ch in text for event in single.feed(ch)]
    assert join_events([*told, *single.close()]) == whole
    assert single.looked_at <= most
    rng = random.Random(len(text))
    for _ in range(cuts):
        places = [rng.randrange(len(text) + 1) for _ in range(rng.randrange(1, 9))]
        places = sorted({0, len(text), *places})
        cut = [text[a:b] for a, b in pairwise(places)]
        assert events_of(cut, dialect=dialect) == whole, places
    assert_spans(whole, text)


def assert_spans(events, text):
    """Bodies of recovered documents are the text between their spans, which is shown."""
    ends = {e.artifact: e for e in events if isinstance(e, ArtifactEnd)}
    bodies = {e.artifact: e.delta for e in events if isinstance(e, ArtifactChunk)}
    for start in events:
        if not isinstance(start, ArtifactStart) or start.recovered in (
            None,
            "unclosed-fence",
        ):
            continue
        end, body = ends[start.artifact], bodies[start.artifact]
        assert text[start.span[1] : end.span[0]] == body
        assert start.span[0] <= start.span[1] < end.span[0] <= end.span[1]
        assert (end.complete, end.length) == (True, len(body))
        assert end.sha256 == hashlib.sha256(body.encode()).hexdigest()
        spoken = "".join(e.delta for e in events if isinstance(e, Text))
        assert body in spoken
        parts = fold_parts(events)
        shown = [p.text for p in parts if isinstance(p, TextPart)]
        assert len("".join(shown)) <= len(spoken) - len(body)


@given(texts)
def test_any_cut_recovers_the_same(text):
    assert_laws(text, cuts=8)


@given(motifs, st.sampled_from(["", "x", "```html\n", "`", OPEN[:-1]]))
def test_what_is_said_again_and_again_costs_no_more(motif, head):
    assert_laws(head + motif * (2_000 // len(motif)), cuts=1)


@pytest.mark.parametrize(
    "motif",
    [
        "<h",
        "<html",
        "</htm",
        "<!doctype htm",
        "<html>\n",
        "\n<html>",
        "<!doctype html> <html>",
        "<html></html>",
        "</html>",
        "```html\n<\n```\n",
        "```html\n<html></html>\n```\n",
        "~~~html\n\n\n\n\n<\n~~~\n",
        "</html>   \n\n  ",
        f"</html> {OPEN}",
        f"<html>{TAG}",
        "\n<h1>",
    ],
)
@pytest.mark.parametrize("dialect", LOOKS_PER_CHAR)
def test_hostile_texts_cost_no_more(motif, dialect):
    assert_laws(motif * (10_000 // len(motif)), cuts=1, dialect=dialect)
