"""Three texts become one: nothing of either side is lost, and who wrote what stays known."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vitrail.core.commit.merge import (
    MergeResult,
    merge,
    put_back,
    resolve,
    vanished,
)
from vitrail.protocol.diagnostics import Span
from vitrail.protocol.manifest import Kind

PIECES = [
    "<h1>", "</h1>", "<p class='a'>", "<p>", "</p>", "<div>", "</div>", "<br>", "one", "two",
    "three words here", "\n", "\r\n", "\r", "  ", "<!-- c -->", "<style>", "a{b:c}\n", "</style>",
    "<", ">", "é😀", "\0",
]  # fmt: skip
LINES = ["a\n", "b\n", "c\r\n", "\n", "}\n", "d\r", "e"]
KINDS: tuple[Kind, ...] = ("html", "svg", "markdown-document", "code-snippet")


@st.composite
def histories(draw: st.DrawFn) -> tuple[str, str, str, Kind]:
    """A base and two texts that were made of it by a few changes each."""
    kind = draw(st.sampled_from(KINDS))
    pieces = PIECES if kind in ("html", "svg") else LINES
    base = draw(st.lists(st.sampled_from(pieces), max_size=14))
    sides = []
    for _ in range(2):
        side = [*base]
        for _ in range(draw(st.integers(0, 3))):
            start = draw(st.integers(0, len(side)))
            end = draw(st.integers(start, min(len(side), start + 3)))
            side[start:end] = draw(st.lists(st.sampled_from(pieces), max_size=3))
        sides.append("".join(side))
    if draw(st.booleans()):
        sides[draw(st.integers(0, 1))] = draw(
            st.lists(st.sampled_from(pieces), max_size=8).map("".join)
        )
    return "".join(base), sides[0], sides[1], kind


def plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def has_one_ending(text: str) -> bool:
    pairs = text.count("\r\n")
    return sum((pairs > 0, text.count("\n") > pairs, text.count("\r") > pairs)) <= 1


@given(histories())
@example(("\n\n", "\r\n\n", "", "html"))
@example(("a\nb\n", "a\r\nb\r\n", "a\nb\nc\n", "code-snippet"))
@example(("\none\n<h1><h1>", "<style>\none\n<h1><h1>", "\n<h1>", "html"))
@example(("one\n<h1><h1>", "<style>one\n<h1><h1>", "one\n<h1><h1>", "html"))
def test_every_character_of_all_texts_is_in_one_part(
    history: tuple[str, str, str, Kind],
):
    """What both sides had stays, what one side made is there, what clashes is named.

    So whatever of ours or theirs is not in the result was taken out by the other side, or
    is in a clash.
    """
    base, ours, theirs, kind = history
    result = merge(base, ours, theirs, kind=kind)
    seen = plain if all(has_one_ending(text) for text in history[:3]) else str
    ends = [0, 0, 0, 0]
    clashes = iter(result.clashes)
    for part in result.parts:
        spans = (part.span, part.base_span, part.ours_span, part.theirs_span)
        assert [start for start, _ in spans] == ends
        ends = [end for _, end in spans]
        made, was, our, their = (
            seen(text[slice(*span)])
            for text, span in zip((result.text, *history[:3]), spans, strict=True)
        )
        match part.source:
            case "same":
                assert made == was == our == their
            case "both":
                assert made == our == their != was
            case "ours":
                assert (made, their) == (our, was) != (was, was)
            case "theirs":
                assert (made, our) == (their, was) != (was, was)
            case "clash":
                clash = next(clashes)
                assert made == our
                assert len({was, our, their}) == 3
                assert (
                    clash.span, clash.base_span, clash.ours_span, clash.theirs_span
                ) == spans  # fmt: skip
                texts = clash.base, clash.ours, clash.theirs
                assert tuple(map(seen, texts)) == (was, our, their)
                assert result.text[slice(*clash.span)] == clash.ours
    assert ends == [len(result.text), len(base), len(ours), len(theirs)]
    assert next(clashes, None) is None


@given(histories())
def test_what_one_side_made_is_the_result_where_the_other_made_nothing(
    history: tuple[str, str, str, Kind],
):
    base, ours, theirs, kind = history
    for result, made in (
        (merge(base, ours, base, kind=kind), ours),
        (merge(base, base, theirs, kind=kind), theirs),
        (merge(base, ours, ours, kind=kind), ours),
    ):
        assert result.text == made
        assert result.clashes == ()


@given(histories())
def test_both_directions_clash_at_the_same_places(history: tuple[str, str, str, Kind]):
    base, ours, theirs, kind = history
    one, other = (
        merge(base, ours, theirs, kind=kind),
        merge(base, theirs, ours, kind=kind),
    )
    assert [(c.base_span, c.ours_span, c.theirs_span) for c in one.clashes] == [
        (c.base_span, c.theirs_span, c.ours_span) for c in other.clashes
    ]
    taken = resolve(one, {at: c.theirs for at, c in enumerate(one.clashes)})
    assert plain(taken) == plain(other.text)


@given(histories())
def test_a_resolution_replaces_its_clash_and_nothing_else(
    history: tuple[str, str, str, Kind],
):
    base, ours, theirs, kind = history
    result = merge(base, ours, theirs, kind=kind)
    assert resolve(result, {}) == result.text
    marked = resolve(result, dict.fromkeys(range(len(result.clashes)), "§"))
    assert marked.count("§") == len(result.clashes)


def merged(base: str, ours: str, theirs: str, kind: Kind = "html") -> MergeResult:
    return merge(base, ours, theirs, kind=kind)


PAGE = """<!doctype html>
<html>
<head><title>Page</title></head>
<body>
<section class="top">
  <h1>Title</h1>
  <p>First paragraph</p>
</section>
<section class="list">
  <ul>
    <li>one</li>
    <li>two</li>
  </ul>
</section>
</body>
</html>
"""


def test_changes_of_different_tokens_go_together():
    ours = PAGE.replace("Title", "My title")
    theirs = PAGE.replace("First paragraph", "Another").replace(
        "</ul>", "  <li>three</li>\n  </ul>"
    )
    result = merged(PAGE, ours, theirs)
    assert result.clashes == ()
    assert result.text == theirs.replace("Title", "My title")


def test_a_tag_and_its_words_are_two_things():
    ours = PAGE.replace("<h1>", '<h1 class="big">')
    theirs = PAGE.replace("Title", "Better")
    assert merged(PAGE, ours, theirs).text == PAGE.replace(
        "<h1>Title", '<h1 class="big">Better'
    )


def test_the_same_words_changed_by_both_are_a_clash_that_keeps_ours():
    ours, theirs = PAGE.replace("Title", "Mine"), PAGE.replace("Title", "Theirs")
    result = merged(PAGE, ours, theirs)
    assert result.text == ours
    (clash,) = result.clashes
    assert (clash.base, clash.ours, clash.theirs) == (
        "Title",
        "Mine",
        "Theirs",
    )
    assert resolve(result, {0: clash.theirs}) == theirs


def test_what_one_side_deletes_and_the_other_changes_is_a_clash():
    section = PAGE[PAGE.index('<section class="list">') : PAGE.index("</body>")]
    ours, theirs = PAGE.replace("two", "zwei"), PAGE.replace(section, "")
    result = merged(PAGE, ours, theirs)
    assert result.text == ours
    (clash,) = result.clashes
    assert "zwei" in clash.ours
    assert clash.theirs == ""
    assert resolve(result, {0: ""}) == theirs


def test_two_texts_at_one_place_are_a_clash():
    ours = PAGE.replace("  </ul>", "    <li>mine</li>\n  </ul>")
    theirs = PAGE.replace("  </ul>", "    <li>theirs</li>\n  </ul>")
    (clash,) = merged(PAGE, ours, theirs).clashes
    assert "mine" in clash.ours
    assert "theirs" in clash.theirs


def test_a_section_written_anew_is_one_clash_and_no_crumbs():
    body = "<div><p>{0} one</p><div>{0} two</div></div><div>{0} three</div>"
    base = f"<main>{body.format('old')}</main><p>end</p>"
    ours = f"<main>{body.format('our').replace('<p>', '<p><b>').replace('</p>', '</b></p>')}</main><p>end</p>"
    theirs = "<main><ul><li>a</li></ul><div>new</div><div>other</div></main><p>end</p>"
    result = merged(base, ours, theirs)
    assert result.text == ours
    assert len(result.clashes) == 1


def test_tags_that_no_longer_pair_make_one_clash_of_all():
    inner = ["<h1>a</h1>", "<p>b</p>", "<p>c</p>"]
    base = "\n".join(["<section id=s>", *inner, "</section>", "<p>end</p>"])
    ours = "\n".join([*inner, "<p>end</p>"])
    theirs = "\n".join(
        ["<section id=s>", *inner[:2], "</section>", inner[2], "<p>end</p>"]
    )
    result = merged(base, ours, theirs)
    assert result.text == ours
    (clash,) = result.clashes
    assert resolve(result, {0: clash.theirs}) == theirs


def test_a_section_that_both_leave_alone_survives_a_rewritten_page():
    ours = PAGE.replace("<li>two</li>", "<li>two, mine</li>")
    theirs = PAGE.replace(
        '<section class="top">\n  <h1>Title</h1>\n  <p>First paragraph</p>',
        '<header class="hero">\n  <h1>New</h1>\n  <p>Other words</p>\n  <a href="#x">Go</a>',
    )
    result = merged(PAGE, ours, theirs)
    assert result.clashes == ()
    assert "two, mine" in result.text
    assert "hero" in result.text


LINES_BASE = "one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("ours", "theirs", "text", "clashes"),
    [
        ("ONE\ntwo\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\nFIVE\n",
         "ONE\ntwo\nthree\nfour\nFIVE\n", 0),
        ("one\nTWO\nthree\nfour\nfive\n", "one\ntwo\nTHREE\nfour\nfive\n",
         "one\nTWO\nthree\nfour\nfive\n", 1),
        ("one\ntwo\nthree\nfour\nfive", "ONE\ntwo\nthree\nfour\nfive\n",
         "ONE\ntwo\nthree\nfour\nfive", 0),
        ("one\ntwo\nnew\nthree\nfour\nfive\n", "one\ntwo\nnew\nthree\nfour\nfive\n",
         "one\ntwo\nnew\nthree\nfour\nfive\n", 0),
        ("", "one\ntwo\nthree\nfour\nfive\n", "", 0),
        ("", "ONE\ntwo\nthree\nfour\nfive\n", "", 1),
        ("one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n", "one\ntwo\nthree\nfour\nFIVE\n",
         "one\r\ntwo\r\nthree\r\nfour\r\nFIVE\r\n", 0),
        ("ONE\ntwo\nthree\nfour\nfive\n", "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n",
         "ONE\r\ntwo\r\nthree\r\nfour\r\nfive\r\n", 0),
        ("ONE\ntwo\nthree\nfour\nfive\n", "one\ntwo\r\nthree\nfour\nfive\n",
         "ONE\ntwo\nthree\nfour\nfive\n", 1),
    ],
)  # fmt: skip
def test_lines_of_other_kinds(ours: str, theirs: str, text: str, clashes: int):
    result = merged(LINES_BASE, ours, theirs, "code-snippet")
    assert result.text == text
    assert len(result.clashes) == clashes


def test_a_resolution_of_no_clash_is_refused():
    with pytest.raises(ValueError, match="clash"):
        resolve(merged("a", "a", "a"), {0: "x"})


def shuffled(seed: int, lines: int, kinds: int) -> str:
    chance = random.Random(seed)
    return "".join(f"line {chance.randrange(kinds)}\n" for _ in range(lines))


HOSTILE = {
    "equal lines": ("x\n" * 20_000, "x\n" * 20_003, "x\n" * 19_000),
    "different lines": tuple(
        "".join(f"{side}{at}\n" for at in range(20_000)) for side in "abc"
    ),
    "interleaved": (
        "".join(f"a\n{at}\n" for at in range(10_000)),
        "".join(f"b\n{at}\n" for at in range(10_000)),
        "".join(f"a\n{at}!\n" for at in range(10_000)),
    ),
    "random": tuple(shuffled(seed, 10_000, 20) for seed in range(3)),
    "tags": ("<div>" * 20_000, "<div>" * 20_000 + "</div>" * 20_000, "</div><div>" * 9_000),
    "one line": ("x" * 500_000, "x" * 500_000 + "y", "z" + "x" * 500_000),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["html", "code-snippet"])
def test_hostile_texts_are_merged_in_time_with_their_length(name: str, kind: Kind):
    base, ours, theirs = HOSTILE[name]
    result = merge(base, ours, theirs, kind=kind)
    assert result.parts[-1].span[1] == len(result.text)


# --- what a person typed -----------------------------------------------------------


@st.composite
def typed_texts(draw: st.DrawFn) -> tuple[str, str, list[Span], Kind]:
    old, new, _, kind = draw(histories())
    marks = sorted(draw(st.sets(st.integers(0, len(old)), max_size=6)))
    return old, new, list(zip(marks[::2], marks[1::2], strict=False)), kind


@given(typed_texts())
def test_nothing_typed_is_missing_once_all_is_put_back(
    case: tuple[str, str, list[Span], Kind],
):
    old, new, typed, kind = case
    found = vanished(old, new, typed, kind=kind)
    for passage in found:
        assert old[slice(*passage.span)] == passage.text
        assert new[slice(*passage.at)] == passage.now
    rest = iter(put_back(new, found))
    words = "".join(old[slice(*span)] for span in typed)
    assert all(char in rest for char in words if not char.isspace())


@given(typed_texts())
def test_of_an_unchanged_text_nothing_vanished(case: tuple[str, str, list[Span], Kind]):
    old, _, typed, kind = case
    assert vanished(old, old, typed, kind=kind) == ()


def typed_in(page: str, *words: str) -> list[Span]:
    return sorted((page.index(word), page.index(word) + len(word)) for word in words)


def test_a_typed_word_that_a_regeneration_took_back_is_named():
    old = PAGE.replace("First paragraph", "First of my paragraphs")
    new = PAGE.replace("two", "zwei")
    (passage,) = vanished(old, new, typed_in(old, "of my"), kind="html")
    assert "of my" in passage.text
    assert "of my" in put_back(new, [passage])
    assert "zwei" in put_back(new, [passage])


def test_of_a_long_passage_only_the_words_that_went_are_put_back():
    line = "<p>In the year 2020 we had 7% more guests than in the year before that</p>"
    old, new = line, line.replace("7%", "5%").replace("guests", "visitors")
    (passage,) = vanished(old, new, typed_in(old, "7"), kind="html")
    assert put_back(new, [passage]) == old.replace("guests", "visitors")


def test_typed_text_beside_a_change_has_not_vanished():
    old = "<p>In 2020 we had 7% more guests than in the year before</p>"
    new = old.replace("guests", "visitors")
    assert vanished(old, new, typed_in(old, "7%"), kind="html") == ()


def test_a_typed_passage_that_moved_has_not_vanished():
    typed = "<p>These are my own words, all of them</p>"
    old = f"<h1>A</h1>{typed}<h2>B</h2><p>rest of the page</p><h3>C</h3>"
    new = f"<h1>A</h1><h2>B</h2><p>rest of the page</p><h3>C</h3>{typed}"
    assert vanished(old, new, typed_in(old, typed), kind="html") == ()


def test_passages_of_another_text_are_not_put_back():
    old, new = "<p>mine</p>", "<p>theirs</p>"
    found = vanished(old, new, [(3, 7)], kind="html")
    with pytest.raises(ValueError, match="theirs"):
        put_back("<p>other</p>", found)
    with pytest.raises(ValueError, match="expected"):
        put_back(new, [*found, *found])
