"""What a replacement lost, told by name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit import lost
from vitrail.core.commit.loss import MAX_LOST_OF_A_KIND, losses
from vitrail.core.commit.scripts import functions_in
from vitrail.core.commit.windows import Window, changed_windows
from vitrail.protocol.losses import Lost
from vitrail.protocol.manifest import KINDS, Kind

PRICES = (
    '<section id="prices"><h2>Prices</h2><p>One seat costs ten euros a month.</p>'
    "<p>Ten seats cost eighty euros a month.</p></section>"
)
TEAM = "<section><h2>The team</h2><p>Ann leads the work on the engine.</p></section>"
SCRIPT = (
    "<script>\nfunction total(rows, {tax} = {}) {\n  return rows.map((r) => {r})\n}\n"
    "const show = async (x) => { draw('}') }\n</script>"
)


def page(*parts: str) -> str:
    return "<!doctype html><html><body>" + "".join(parts) + "</body></html>"


def told(old: str, new: str, kind: Kind = "html") -> list[tuple[str, str]]:
    return [(one.what, one.name) for one in lost(old, new, kind)]


def test_the_same_text_loses_nothing() -> None:
    assert lost(page(PRICES), page(PRICES), "html") == ()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_nothing_is_lost_of_nothing_and_nothing_is_read_for_that(kind: Kind) -> None:
    text = page(PRICES, TEAM, SCRIPT) * 50
    assert lost("", text, kind) == ()
    assert _calls(lambda: lost("", text, kind)) < 100


def test_what_is_added_or_moved_is_no_loss() -> None:
    assert told(page(PRICES, TEAM), page(TEAM, "<p>New.</p>", PRICES)) == []


def test_a_lost_section_is_one_loss_with_its_place() -> None:
    old = page(TEAM, PRICES)
    (only,) = lost(old, page(TEAM), "html")
    assert (only.what, only.name) == ("section", "Prices")
    assert only.span is not None
    assert old[slice(*only.span)] == PRICES


def test_a_renamed_section_is_none() -> None:
    assert told(page(PRICES), page(PRICES.replace(">Prices<", ">What it costs<"))) == []
    renamed = PRICES.replace('id="prices"', 'id="cost"').replace(">Prices<", ">Cost<")
    assert told(page(PRICES), page(renamed)) == [("id", "prices")]


def test_a_section_whose_words_went_is_lost_though_its_place_is_taken() -> None:
    new = page("<section id=contact><h2>Contact</h2><p>Write to us.</p></section>")
    assert told(page(PRICES), new) == [("section", "Prices")]


def test_headings_landmarks_and_lists_without_a_section() -> None:
    old = page("<h1>Hi</h1><nav><a href=x>One</a></nav><footer>All rights</footer>")
    assert told(old, page("<p>Hi</p>")) == [
        ("section", "Hi"),
        ("section", "nav"),
        ("section", "footer"),
    ]


def test_a_lost_id_is_told_with_its_element() -> None:
    old = page('<div id="map"><b>x</b></div><img id="logo">')
    found = lost(old, page(), "html")
    assert [one.name for one in found] == ["map", "logo"]
    assert [old[slice(*one.span)] for one in found if one.span] == [
        '<div id="map"><b>x</b></div>',
        '<img id="logo">',
    ]


def test_lost_functions_are_told_with_their_bodies() -> None:
    old = "😀" + page(SCRIPT).replace("\n", "\r\n")
    found = lost(old, page("<script>function total() {}</script>"), "html")
    assert [one.name for one in found] == ["show"]
    assert found[0].span is not None
    assert old[slice(*found[0].span)] == "const show = async (x) => { draw('}') }"


def test_lost_slides_are_told_by_their_titles() -> None:
    slides = [
        f"<div class=slide><h2>{name}</h2><p>Some words on {name} here.</p></div>"
        for name in ("Start", "Market", "Team")
    ]
    assert told(page(*slides), page(slides[0], slides[2]), "deck") == [
        ("slide", "Market")
    ]


def test_slides_of_one_title_are_counted() -> None:
    slide = "<div class=slide><h2>Agenda</h2>{}</div>"
    three = [slide.format(f"<p>point {n}</p>") for n in range(3)]
    found = told(page(*three), page(three[0], three[1]), "deck")
    assert ("slide", "Agenda") in found


def test_lost_passages_are_told_by_their_first_words() -> None:
    kept = "<p>This sentence stays as it was before.</p>"
    gone = "<p>But this one says something that nobody reads any more at all.</p>"
    assert told(page(kept, gone), page(kept)) == [
        ("words", "But this one says something that nobody reads any more at")
    ]


def test_a_corrected_sentence_is_no_loss() -> None:
    old = page("<p>The quick brown fox jumps over the lazzy dog in the garden.</p>")
    new = page("<p>The quick <b>brown</b> fox jumps over the lazy dog in a garden.</p>")
    assert told(old, new) == []


def test_scripts_and_comments_are_no_words() -> None:
    old = page("<script>let a = 'many words in a string here'</script><!-- a b c d -->")
    assert told(old, page()) == []


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("function a(){} async function  b(){} function* c(){}", ["a", "b", "c"]),
        ("const a = () => 1; let b = async x => x; var c = function(){}", list("abc")),
        ("const a = (1 + 2); const b = f(x); const c = [1]", []),
        ("class A extends B {}\nexport default class C {}", ["A", "C"]),
        ("def a(x):\n  pass\nasync def b(): ...\nclass C(D):", ["a", "b", "C"]),
        ("func (r *Reader) Read(p []byte) int {}\nfunc main() {}", ["Read", "main"]),
        ("pub fn run<T>(x: T) -> T { x }\nfun of() = 1", ["run", "of"]),
        ("const T = ({a}: Props): JSX.Element => <div/>", ["T"]),
        ("function größe() {} function $x() {}", ["größe", "$x"]),
    ],
)
def test_functions_of_common_languages(program: str, names: list[str]) -> None:
    assert [thing.name for thing in functions_in(program)] == names


def test_a_program_tells_its_functions() -> None:
    old = "def keep(): ...\ndef drop(): ...\n"
    assert told(old, "def keep(): ...\n", "code-snippet") == [("function", "drop")]


def test_a_function_inside_a_lost_one_is_told_by_it() -> None:
    old = "function outer() {\n  function inner() {}\n  const x = () => 1\n}\n"
    assert told(old, "function other() {}", "code-snippet") == [("function", "outer")]


def test_markdown_tells_its_sections() -> None:
    old = "# A\n\nText of a.\n\n## B\n\nText of b it is.\n\n# C\n\n```\n# no heading\n```\n"
    found = lost(
        old, "# A\n\nText of a.\n\n# C\n\n```\n# no heading\n```\n", "markdown-document"
    )
    assert [(one.what, one.name) for one in found] == [("section", "B")]
    assert found[0].span is not None
    assert old[slice(*found[0].span)] == "## B\n\nText of b it is.\n\n"


def test_losses_are_limited_in_number_and_length() -> None:
    old = page(*(f"<div id='{n}{'x' * 200}'></div>" for n in range(500)))
    found = lost(old, page(), "html")
    assert len(found) == MAX_LOST_OF_A_KIND
    assert all(len(one.name) <= 120 for one in found)


def test_functions_of_a_program_without_line_breaks_are_found_in_one_pass() -> None:
    found = functions_in("function a(){b()}" * 20_000)
    assert len(found) == 20_000
    assert found[1].span == (17, 34)


pieces = st.sampled_from(
    [
        PRICES,
        TEAM,
        SCRIPT,
        "<h2>x",
        "<p>some words that are here",
        "</section>",
        "<section>",
        "<template><p id=t>",
        "<div class=slide>",
        "\r\n",
        "😀",
        "\ufeff",
        "<script>function f(",
        "# A\n",
        "```\n",
        "/*",
        '"',
        "{",
        "<svg><title>",
    ]
)
texts = st.lists(pieces, max_size=10).map("".join) | st.text()


@given(texts, texts, st.sampled_from(sorted(KINDS)))
def test_a_loss_lies_in_the_old_text(old: str, new: str, kind: Any) -> None:
    for one in lost(old, new, kind):
        assert isinstance(one, Lost)
        if one.span is not None:
            assert 0 <= one.span[0] <= one.span[1] <= len(old)


@given(texts, st.sampled_from(sorted(KINDS)))
def test_nothing_is_lost_to_a_text_that_has_it_all(old: str, kind: Any) -> None:
    assert lost(old, old, kind) == ()


def _calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, compiled ones included."""
    count = 0

    def note(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "unit",
    [
        "<section><h2>a</h2>",
        "<h1><div>",
        "<div class=slide><h2>x",
        "<p id=a>b c d e f",
        "<script>function a(",
        "<b>",
        "<nav>",
        "function a ( {",
        "# a\n",
        "a b c\n\n",
    ],
)
@pytest.mark.parametrize("kind", ["deck", "markdown-document", "code-snippet"])
def test_work_grows_with_the_text_and_not_faster(unit: str, kind: Any) -> None:
    small = _calls(lambda: lost(unit * 300, "<p>", kind))
    large = _calls(lambda: lost(unit * 1200, "<p>", kind))
    assert large <= 5 * small + 500


FILLER = "".join(
    f'<section id="f{n}"><h2>Filler {n}</h2><p>Words that stay, number {n}.</p></section>'
    for n in range(300)
)


def test_texts_within_the_bound_are_compared_whole_and_nothing_is_said() -> None:
    found = losses(page(PRICES, TEAM), page(TEAM), "html")
    assert found.lost == lost(page(PRICES, TEAM), page(TEAM), "html")
    assert found.diagnostics == ()


def test_of_long_texts_what_changed_is_compared_with_its_places_and_that_is_said() -> (
    None
):
    old = page(FILLER, TEAM, PRICES, FILLER)
    new = page(FILLER, TEAM, FILLER)
    found = losses(old, new, "html", max_chars=60_000)
    assert [(one.what, one.name) for one in found.lost] == [("section", "Prices")]
    span = found.lost[0].span
    assert span is not None
    assert old[slice(*span)] == PRICES
    assert [one.code for one in found.diagnostics] == ["content-compared-in-part"]
    assert "60000 are compared" in found.diagnostics[0].message


def test_long_texts_that_differ_everywhere_say_that_nothing_is_named() -> None:
    found = losses(FILLER, FILLER.replace("Words", "Signs"), "html", max_chars=2_000)
    assert found.lost == ()
    assert found.bound is not None
    assert "is not named" in found.bound.message


def test_a_function_of_a_long_script_is_told_with_its_place() -> None:
    lines = "".join(f"rows.push([{n}, 'a < b']);\n" for n in range(2_000))
    script = f"<script>\n{lines}function total(x) {{ return x }}\n{lines}</script>"
    old = page(script)
    found = losses(
        old, old.replace("function total(x)", "// "), "html", max_chars=50_000
    )
    assert [(one.what, one.name) for one in found.lost] == [("function", "total")]
    assert found.lost[0].span is not None
    assert old[slice(*found.lost[0].span)] == "function total(x) { return x }"


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(
    soup=st.text("<p> \nsectionscript/>#", max_size=60),
    around=st.tuples(st.integers(0, 3), st.integers(0, 3)),
)
def test_outside_of_the_windows_two_texts_are_equal(
    kind: Kind, soup: str, around: tuple[int, int]
) -> None:
    head, tail = (AROUND[number] for number in around)
    old, new = head + soup + tail, head + "<b>new</b>" + tail
    before, after = changed_windows(old, new, kind)
    start, end = place_of(before, old)
    new_start, new_end = place_of(after, new)
    # compared first, so that a failure does not print the texts
    is_equal = (start, old[:start], old[end:]) == (
        new_start,
        new[:start],
        new[new_end:],
    )
    assert is_equal


AROUND = ("", FILLER, "<script>" + "x = 1;\n" * 2_000, "# a\n\nwords\n" * 3_000)


def place_of(window: Window, text: str) -> tuple[int, int]:
    """Return where a window lies in its text, without a tag that was put in front."""
    for cut in (0, len("<script>"), len("<style>")):
        start, end = window.offset + cut, window.offset + len(window.text)
        if start >= 0 and text[start:end] == window.text[cut:]:
            return start, end
    raise AssertionError("the window is no part of its text")
