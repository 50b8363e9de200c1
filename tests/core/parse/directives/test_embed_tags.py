"""``[embed …]``, spec/openclaw-zeus-investment §1.9: its grammar, its table, what it may name."""

from __future__ import annotations

import pytest

from tests.core.parse.directives.reading import read_both_ways
from vitrail.core.parse.directives import BlockCloses, BracketTag, EmbedFacts
from vitrail.core.parse.directives.embed_tags import judge_embed
from vitrail.limits import MAX_EMBED_ATTRIBUTE_CHARS, MAX_HELD_CHARS


def read(text):
    return read_both_ways(BracketTag, text)


def embed(ref=None, url=None, title=None, height=None, body_chars=0):
    return EmbedFacts(ref, url, title, height, body_chars)


TAGS = {
    '[embed ref="cv_123" title="Status" /]': embed("cv_123", title="Status"),
    '[embed url="https://b.com" /]': embed(url="https://b.com"),
    '[embed\nref="a"\n/]': embed("a"),
    "[EMBED REF='x'/]": embed("x"),
    '[embed ref="a"title="b"/]': embed("a", title="b"),
    '[embed ref="a" ref="b" /]': embed("b"),
    '[embed ref="a" ref="" /]': embed("a"),
    '[embed ref=" a " title=" " /]': embed("a"),
    '[embed ref="a" url="/b" /]': embed("a", "/b"),
    '[embed ref="a" width="3" onload="x()" class="c" style="s" /]': embed("a"),
    '[embed ref="a" target="assistant_message" /]': embed("a"),
    '[embed ref="cv_1" title="a]b" /]': embed("cv_1", title="a]b"),
    '[embed url="/a/b/]c" /]': embed(url="/a/b/]c"),
    "[embed ref='a' title='say \"hi\" [now]' /]": embed("a", title='say "hi" [now]'),
    '[embed ref="a" height=320 /]': embed("a"),
    '[embed height=a/b/ ref="a" /]': embed("a"),
    '[embed ref="a" x=/]': embed("a"),
    '[embed ref="doc1"] hi [/embed]': embed("doc1", body_chars=4),
    '[embed ref="doc1"][/EMBED]': embed("doc1"),
    '[embed ref="a"] x [embed ref="b" /] y [/embed]': embed("a", body_chars=23),
    '[embed ref="a"][[/embed]': embed("a", body_chars=1),
    '[embed ref="a"][/embe[/embed]': embed("a", body_chars=6),
}
TEXT = {
    "[e": 2,
    "[en": 3,
    "[embed": 6,
    "[embed]<b>x</b>[/embed]": 7,
    "[embed/]": 7,
    "[embedded ref": 7,
    "[view ref": 2,
    "[embed the ": 11,
    "[embed [": 8,
    '[embed "': 8,
    '[embed ref "a"': 11,
    '[embed ref="a" / x': 17,
    '[embed ref="a" title=x" /]': 23,
    '[embed title="x"]<b>hi</b>[/embed]': 17,
    '[embed ref="cv_1"]': 18,
    '[embed ref="cv_1"] and on': 25,
    "[embed url=https://x /]": 23,
    '[embed ref="a" target="tool_card" /]': 36,
    '[embed ref="" /]': 16,
    "[embed /]": 9,
    "[embed ]": 8,
}


@pytest.mark.parametrize("text", TAGS, ids=repr)
def test_an_embed_says_what_it_names(text):
    came = read(text + " [/embed] ]")
    assert (came.verdict, came.to, came.found) == ("tag", len(text), TAGS[text])


@pytest.mark.parametrize("text", TEXT, ids=repr)
def test_text_is_text_as_soon_as_it_is_certain(text):
    came = read(text)
    assert (came.verdict, came.to, came.found) == ("text", TEXT[text], None)


@pytest.mark.parametrize("text", TAGS, ids=repr)
def test_every_proper_prefix_waits(text):
    for end in range(len(text)):
        tag = BracketTag()
        tag.read(text, 0, end, final=False)
        assert tag.verdict is None, text[:end]


CODES = {
    '[embed title="x" /]': ["embed-without-address"],
    '[embed ref="a" target="tool_card" /]': ["embed-target"],
    '[embed ref="cv_1"]': ["malformed-embed"],
    '[embed ref="cv_1': ["malformed-embed"],
    '[embed ref="a /]\n[embed ref="b" /]': ["malformed-embed"],
    '[embed url="javascript:alert(1)" /]': ["embed-url-refused"],
    '[embed ref=".." /]': ["embed-ref-refused"],
    '[embed ref="a" height="320px" /]': ["embed-height-ignored"],
    "[embed the video, please]": [],
    "[embed": [],
    "[embed]": [],
    "[embed /]": [],
}


@pytest.mark.parametrize("text", CODES, ids=repr)
def test_what_was_meant_and_is_none_is_told(text):
    assert read(text).codes == CODES[text]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "\x01javascript:alert(1)",
        "java&#115;cript:alert(1)",
        "java&#x73;cript:alert(1)",
        "&#x6a;avascript&colon;alert(1)",
        "java&Tab;script:alert(1)",
        "&amp;#106;avascript:x",
        "vbscript:x",
        "data:text/html,<script>",
        "data:image/svg+xml,<svg>",
        "file:///etc/passwd",
        "blob:https://example.com/7d",
        "about:blank",
        "view-source:https://example.com/",
        "//example.com/a",
        "\\\\example.com\\a",
        "https:\\\\example.com",
        "https:example.com",
        "https://exa mple.com",
        "/a\u200bb",
    ],
)
def test_an_address_that_no_frame_may_have_is_refused(url):
    came = read(f'[embed url="{url}" /]')
    assert came.verdict == "text"
    assert came.codes == ["embed-url-refused"]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a?x=1#y",
        "http://example.com",
        "/canvas/a/index.html",
        "a/b",
    ],
)
def test_an_address_of_the_web_or_of_here_is_kept(url):
    assert read(f'[embed url="{url}" /]').found == embed(url=url)


@pytest.mark.parametrize("ref", [".", "..", "a\x00b", "a\u202eb", "r" * 400])
def test_a_ref_that_names_no_document_is_refused(ref):
    assert read(f'[embed ref="{ref}" /]').codes == ["embed-ref-refused"]


@pytest.mark.parametrize(
    ("written", "height"),
    [
        ("320", 320),
        ("160", 160),
        ("159.9", None),
        ("320.9", 320),
        ("1200", 1200),
        ("4000", 1200),
        ("1e3", 1000),
        (".5e3", 500),
        ("-320", None),
        ("320px", None),
        ("NaN", None),
        ("Infinity", None),
        ("1e999", None),
        ("٣٢٠", None),
        ("9" * 40, None),
    ],
)
def test_a_height_is_a_number_within_limits(written, height):
    facts, notes = judge_embed({"ref": "a", "height": written})
    assert isinstance(facts, EmbedFacts)
    assert facts.height == height
    assert [note.code for note in notes] == ["embed-height-ignored"] * (height is None)


def test_attributes_longer_than_the_limit_are_text():
    fill = "x" * (MAX_EMBED_ATTRIBUTE_CHARS - len(' ref="a" title="" /]') + 1)
    assert read(f'[embed ref="a" title="{fill}" /]').verdict == "tag"
    came = read(f'[embed ref="a" title="{fill}x" /]')
    assert (came.verdict, came.codes) == ("text", ["malformed-embed"])


def test_a_body_longer_than_the_limit_is_text():
    body = "x" * (MAX_HELD_CHARS - len("[/embed]"))
    came = read(f'[embed ref="a"]{body}[/embed]')
    assert (came.verdict, came.found.body_chars) == ("tag", len(body))
    came = read(f'[embed ref="a"]{body}x[/embed]')
    assert (came.verdict, came.codes) == ("text", ["malformed-embed"])
    assert came.looked <= len('[embed ref="a"]') + MAX_HELD_CHARS


def test_where_there_is_no_close_tag_is_looked_for_once():
    text = '[embed ref="a"]' * 1_000
    closes = BlockCloses()
    looked = 0
    for place in range(0, len(text), 15):
        tag = BracketTag(place=place, closes=closes)
        tag.read(text, place, len(text), final=True)
        assert tag.verdict == "text"
        looked += tag.looked
    assert looked <= 2 * len(text)


def test_what_is_known_of_close_tags_changes_no_verdict():
    text = '[embed ref="a"] [embed ref="b"] x [/embed]'
    closes = BlockCloses()
    closes.exclude(15, 30)
    tag = BracketTag(place=0, closes=closes)
    tag.read(text, 0, len(text), final=True)
    assert (tag.verdict, tag.end) == ("tag", len(text))
