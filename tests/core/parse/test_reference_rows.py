"""The reference's tested rows: spec/open-design-1 §2.4 and §3, and the field's bugs of parsing.

Each row is read whole and one character at a time; chunk borders mean nothing, so both must
give what the row says. `docs/deviations.md` tells the rows that are otherwise here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from vitrail.core.parse import StreamParser
from vitrail.core.text import Utf8Decoder
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    Reasoning,
    Text,
)

TAG = '<artifact identifier="hello" type="text/html" title="Hi">'
PAGE = "<!doctype html><p>1</p>"
WHOLE = f"{TAG}{PAGE}</artifact>"


@dataclass
class Seen:
    """What a reply came to."""

    text: str = ""
    reasoning: str = ""
    bodies: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    recovered: dict[str, str | None] = field(default_factory=dict)
    chunks: int = 0


def read(*pieces: str) -> Seen:
    parser = StreamParser()
    events = [event for piece in pieces for event in parser.feed(piece)]
    events += parser.close()
    seen = Seen()
    for event in events:
        match event:
            case Text():
                seen.text += event.delta
            case Reasoning():
                seen.reasoning += event.delta
            case ArtifactStart():
                assert event.identifier not in seen.bodies
                seen.bodies[event.identifier] = ""
                seen.titles[event.identifier] = event.title
                seen.recovered[event.identifier] = event.recovered
            case ArtifactChunk():
                seen.bodies[event.identifier] += event.delta
                seen.chunks += 1
            case ArtifactEnd():
                seen.reasons[event.identifier] = event.reason
                assert event.complete is (event.reason == "closed")
                assert event.length == len(seen.bodies[event.identifier])
    return seen


def read_both_ways(text: str) -> Seen:
    whole, cut = read(text), read(*text)
    whole.chunks = cut.chunks = 0  # how many pieces a body comes in may differ
    assert whole == cut
    return read(text)


NOTHING = {
    "02-inside-single-backticks": f"Write `{TAG}` like so, {{and}} go on.",
    "03-inside-a-closed-fence": f"Look:\n```html\n{WHOLE}\n```\nAfter it.",
    "06-between-double-backticks": f"Write ``{TAG}`` like so.",
    "07-fence-with-backticks-in-strings": (
        f"```js\nconst a = '```';\nconst b = '{WHOLE}';\n```\nDone."
    ),
    "08-fence-of-c-plus-plus": f"Header.\n```c++\n{WHOLE}\n```",
    "09-fence-with-a-trailing-dash": f"Header.\n```ts-\n{WHOLE}\n```",
    "09-fence-with-a-trailing-space": f"Header.\n``` \n{WHOLE}\n```",
    "12-a-longer-word": "prefix <artifactual>demo</artifact> suffix",
    "13-no-white-space-after-the-name": "<artifact>a</artifact>",
    "14-a-capital-letter": f"<Artifact{WHOLE.removeprefix('<artifact')}",
}


@pytest.mark.parametrize("row", NOTHING)
def test_row_has_no_artifact_and_keeps_its_text(row):
    text = NOTHING[row]
    seen = read_both_ways(text)
    assert seen.bodies == {}
    assert seen.text == text


def test_row_01_prose_artifact_prose():
    seen = read("Here:\n\n", TAG, PAGE, "</artifact>", "\n\nDone.")
    assert seen.bodies == {"hello": PAGE}
    assert seen.titles == {"hello": "Hi"}
    assert seen.reasons == {"hello": "closed"}
    assert seen.text == "Here:\n\n\n\nDone."


def test_row_04_fence_cut_inside_attributes_and_the_close_tag():
    text = f"Look:\n```html\n{WHOLE}\n```\nAfter it."
    first, last = text.index("type="), text.index("act>\n```")
    seen = read(text[: first + 2], text[first + 2 : last], text[last:])
    assert seen.bodies == {}
    assert seen.text == text


def test_row_05_backticks_in_the_middle_of_a_line_are_no_fence():
    seen = read_both_ways(f"Start with ```html in prose.\n{WHOLE}")
    assert seen.bodies == {"hello": PAGE}
    assert seen.text == "Start with ```html in prose.\n"


def test_row_10_a_stray_backtick_in_the_paragraphs_around():
    seen = read_both_ways(f"A ` stray.\n\n{WHOLE}\n\nAnother ` one.")
    assert seen.bodies == {"hello": PAGE}
    assert seen.text == "A ` stray.\n\n\n\nAnother ` one."


def test_row_11_a_rule_ends_a_paragraph():
    seen = read_both_ways(f"A ` stray.\n---\n{WHOLE}\n---\nAnother ` one.")
    assert seen.bodies == {"hello": PAGE}


def test_row_15_attributes_on_lines_of_their_own():
    tag = '<artifact\n  identifier="a"\n  type="text/html"\n  title="a>b"\n>'
    seen = read_both_ways(f"{tag}{PAGE}</artifact>")
    assert seen.titles == {"a": "a>b"}
    assert seen.bodies == {"a": PAGE}


def test_row_16_two_artifacts_with_prose_around():
    one, two = WHOLE.replace("hello", "one"), WHOLE.replace("hello", "two")
    seen = read_both_ways(f"a\n{one}\nb\n{two}\nc")
    assert list(seen.bodies) == ["one", "two"]
    assert seen.text == "a\n\nb\n\nc"


def test_row_17_a_body_that_is_never_closed():
    seen = read_both_ways(f"{TAG}{PAGE}</art")
    assert seen.bodies == {"hello": f"{PAGE}</art"}
    assert seen.reasons == {"hello": "unclosed"}


def text_of(events) -> str:
    return "".join(event.delta for event in events if isinstance(event, Text))


def test_row_18_an_open_tag_that_is_never_complete():
    parser = StreamParser()
    assert text_of(parser.feed('a <artifact identifier="1')) == "a "
    assert text_of(parser.close()) == '<artifact identifier="1'


def test_row_19_an_empty_body():
    seen = read_both_ways(f"{TAG}</artifact>")
    assert seen.bodies == {"hello": ""}
    assert seen.chunks == 0
    assert seen.reasons == {"hello": "closed"}


def test_row_20_a_less_than_sign_waits_only_while_it_may_become_a_tag():
    parser = StreamParser()
    assert text_of(parser.feed("a <")) == "a "
    assert text_of(parser.close()) == "<"
    assert text_of(StreamParser().feed("a < b")) == "a < b"


def test_row_21_a_nested_open_tag_is_body():
    inner = '<artifact identifier="in" type="text/html">'
    seen = read_both_ways(f"{TAG}a{inner}b</artifact>c</artifact>")
    assert seen.bodies == {"hello": f"a{inner}b"}


def test_row_22_a_self_closed_tag_is_an_artifact_without_a_body():
    seen = read_both_ways('<artifact identifier="x"/>\nThe rest is text.')
    assert seen.bodies == {"x": ""}
    assert seen.reasons == {"x": "self-closed"}
    assert seen.text.strip() == "The rest is text."


def test_row_23_a_close_tag_may_have_white_space():
    seen = read_both_ways(f"{TAG}{PAGE}</artifact >After it.")
    assert seen.bodies == {"hello": PAGE}
    assert seen.text == "After it."


# --- §3 ------------------------------------------------------------------


def test_section_3_row_1_a_closing_fence_needs_no_line_break_after_it():
    seen = read_both_ways(f"```\n{WHOLE}\n```")
    assert seen.bodies == {}


def test_section_3_row_2_an_opener_with_a_language_does_not_close():
    seen = read_both_ways(f"```js\nx\n```html\n{WHOLE}\n```\n{WHOLE}")
    assert seen.bodies == {"hello": PAGE}


def test_section_3_row_3_a_heading_and_an_item_pair_their_own_backticks():
    text = f"# A ` stray\n- another ` one {TAG} `\n\n"
    assert read_both_ways(text).bodies == {}
    assert read_both_ways(f"# A ` stray\n{WHOLE}\n\n` one").bodies == {"hello": PAGE}


def test_section_3_row_4_backticks_pair_across_a_line_break():
    text = f"A ` here and\n{TAG.replace('<', 'then <')} there ` end."
    seen = read_both_ways(text)
    assert seen.bodies == {}
    assert seen.text == text


OPENERS = ("```", "```html", "```c++", "```ts-", "```1a", "```  ", "```html\r")
MORE_OPENERS = ("```html x", "````", " ```", "```é", "```-a", "~~~")


@pytest.mark.parametrize("opener", OPENERS + MORE_OPENERS)
def test_section_3_row_5_what_opens_a_fence(opener):
    fence = opener.strip()[: 4 if opener.startswith("````") else 3]
    seen = read_both_ways(f"Look:\n{opener}\n{WHOLE}\n{fence}\n")
    assert seen.bodies == {}


# --- the field's bugs ------------------------------------------------------

BUG_01 = (
    'Hi <artifact identifier="a" title="x > y" type="text/html"><p>1</p></artifact> bye'
)


@pytest.mark.parametrize("cut", range(len(BUG_01)))
def test_bug_01_every_split_of_a_tag_gives_the_same(cut):
    seen = read(BUG_01[:cut], BUG_01[cut:])
    assert seen.titles == {"a": "x > y"}
    assert seen.bodies == {"a": "<p>1</p>"}
    assert seen.text == "Hi  bye"


def test_bug_01_its_own_chunks():
    seen = read(
        'Hi <artifact identifier="a" title="x ',
        '> y" type="text/html"><p>1</p></arti',
        "fact> bye",
    )
    assert (seen.text, seen.bodies) == ("Hi  bye", {"a": "<p>1</p>"})


def test_bug_02_the_protocol_explained_is_text():
    code = 'Use `<artifact type="text/html">` like so. Done.'
    fence = f"```html\n{WHOLE}\n```\nThat is all."
    for text in (code, fence):
        seen = read_both_ways(text)
        assert (seen.bodies, seen.text) == ({}, text)
    real = read_both_ways(f"Start with ```html in prose.\n{WHOLE}")
    assert real.bodies == {"hello": PAGE}


def test_bug_03_code_blocks_inside_a_markdown_artifact_are_its_body():
    body = "\n## A\n\n```bash\nls\n```\n\n## B\n\n```js\n1\n```\n"
    seen = read_both_ways(
        f'<artifact identifier="m" type="text/markdown">{body}</artifact>'
    )
    assert seen.bodies == {"m": body}


def test_bug_03_an_unclosed_fence_hides_no_artifact_for_good():
    seen = read_both_ways(f"```yaml\n{WHOLE}\n")
    assert seen.bodies == {"hello": PAGE}
    assert seen.recovered == {"hello": "unclosed-fence"}


@pytest.mark.parametrize("close", ["</artifact >", "</ARTIFACT>", "</Artifact\n>"])
def test_bug_04_a_close_tag_in_any_spelling(close):
    seen = read_both_ways(
        f'<artifact identifier="a" type="text/html"><p>1</p>{close}\nNext:\n'
        '<artifact identifier="b" type="text/html"><p>2</p></artifact>'
    )
    assert seen.bodies == {"a": "<p>1</p>", "b": "<p>2</p>"}
    assert seen.text == "\nNext:\n"


def test_bug_05_tags_that_touch():
    seen = read_both_ways(
        '</thinking><artifact identifier="a" type="text/html"><p>A</p></artifact>'
        '<artifact identifier="b" type="text/html"><p>B</p>'
    )
    assert seen.bodies == {"a": "<p>A</p>", "b": "<p>B</p>"}
    assert seen.reasons == {"a": "closed", "b": "unclosed"}


def test_bug_06_a_draft_in_the_thinking_is_no_artifact():
    draft = WHOLE.replace("hello", "draft")
    seen = read_both_ways(f"<think>\n{draft}\n</think>\n{WHOLE}")
    assert seen.bodies == {"hello": PAGE}
    assert "draft" in seen.reasoning


BUG_25 = '<artifact identifier="a" type="text/html" title="数据 🧪"><p>👩🏽‍🚀 é</p></artifact>'


@pytest.mark.parametrize("cut", range(len(BUG_25.encode())))
def test_bug_25_characters_cut_by_a_network_chunk(cut):
    data = BUG_25.encode()
    decoder = Utf8Decoder()
    pieces = [decoder.feed(data[:cut]), decoder.feed(data[cut:]), decoder.close()]
    seen = read(*pieces)
    assert seen.titles == {"a": "数据 🧪"}
    assert seen.bodies == {"a": "<p>👩🏽‍🚀 é</p>"}
