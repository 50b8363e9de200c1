"""Which elements are slides: spec/open-design-2 §6.1 and the counts of §6.5."""

from __future__ import annotations

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.document.slides import count_slides, find_slides

FACTS = [
    pytest.param(
        '<main><h1 data-screen-label="01 Title">T</h1><button>Go</button></main>',
        0,
        id="s6-5-row-01-a-label-on-a-heading-and-a-button",
    ),
    pytest.param(
        '<div><section data-screen-label="01 Cover"></section></div>'
        '<div><section data-screen-label="02 Agenda"></section></div>',
        0,
        id="s6-5-row-02-numbered-sections-under-different-parents",
    ),
    pytest.param(
        '<main><section data-screen-label="01 Cover"></section>'
        '<section data-screen-label="02 Agenda"></section></main>',
        2,
        id="s6-5-row-03-numbered-sections-under-one-parent",
    ),
    pytest.param(
        "<div class=deck-stage><section data-screen-label=Cover></section>"
        "<section data-screen-label=Agenda></section></div>",
        2,
        id="s6-5-row-04-unnumbered-labels-in-a-stage",
    ),
    pytest.param(
        "<main><div class=slide-frame></div><div class=slide-frame></div></main>",
        2,
        id="s6-5-row-05-slide-frames-in-main",
    ),
    pytest.param(
        "<div><div>" + "<section class=slide></section>" * 8 + "</div></div>",
        8,
        id="s6-5-row-06-eight-slides-two-levels-down",
    ),
    pytest.param(
        "<header><div class=slide>decoy</div></header>"
        "<div class=deck>" + "<section class=slide></section>" * 3 + "</div>",
        3,
        id="s6-5-row-07-a-decoy-in-the-header",
    ),
    pytest.param(
        "<deck-stage><section class=slide></section>"
        "<section class='ppt-slide deck-slide'></section>"
        "<section data-screen-label=x></section>"
        "<section class=slide-frame></section></deck-stage>",
        4,
        id="s6-5-row-08-four-mixed-markers-one-carrying-two",
    ),
    pytest.param(
        "<p data-screen-label=elsewhere></p><deck-stage><section class=slide>"
        "</section><section class=slide></section></deck-stage>"
        "<div class=slide></div>",
        2,
        id="s6-5-row-09-only-the-stages-own",
    ),
]


@pytest.mark.parametrize(("html", "count"), FACTS)
def test_slides_are_counted_as_the_reference_counts_them(html: str, count: int) -> None:
    assert count_slides(html) == count


def test_slides_come_in_document_order() -> None:
    html = (
        "<deck-stage><section id=a class=slide></section>"
        "<section id=b data-screen-label=x class=ppt-slide></section>"
        "<section id=c class=deck-slide></section></deck-stage>"
    )
    slides = find_slides(turbohtml.parse(html))
    assert [slide.attr("id") for slide in slides] == ["a", "b", "c"]


def test_a_stage_without_marked_children_gives_its_marked_descendants() -> None:
    html = "<deck-stage><div><i class=slide></i><i class=slide></i></div></deck-stage>"
    assert count_slides(html) == 2


def test_an_empty_stage_leaves_the_word_to_the_next_rule() -> None:
    html = "<deck-stage></deck-stage><div id=deck><i class=slide></i></div>"
    assert count_slides(html) == 1


def test_body_is_not_a_container() -> None:
    assert count_slides("<body><p data-screen-label=a><p data-screen-label=b>") == 0


@pytest.mark.parametrize("tail", ["", " a", ".a", ")a", "·a", ":a", "_a", "-a"])
def test_a_numbered_label_ends_its_number_with_a_separator(tail: str) -> None:
    html = "".join(f'<section data-screen-label="{n}{tail}"></section>' for n in (1, 2))
    assert count_slides(f"<main>{html}</main>") == 2


@pytest.mark.parametrize("label", ["1a", "1000 x", "a1", "", "²"])
def test_other_labels_are_no_numbers(label: str) -> None:
    html = f'<section data-screen-label="{label}"></section>'
    assert count_slides(f"<main>{html}<section data-screen-label=2></section>") == 0


def test_one_number_used_twice_is_no_deck() -> None:
    html = '<section data-screen-label="1 a"></section>'
    assert count_slides(f"<main>{html}{html}</main>") == 0


def test_the_largest_group_of_numbered_sections_wins() -> None:
    def group(count: int) -> str:
        return "".join(
            f"<section data-screen-label={n}></section>" for n in range(count)
        )

    assert count_slides(f"<main>{group(2)}</main><div>{group(3)}</div>") == 3


def test_what_only_looks_like_a_slide_in_text_does_not_count() -> None:
    html = (
        "<script>'<div class=slide></div>'</script><!--<div class=slide></div>-->"
        "<textarea><div class=slide></div></textarea>"
        "<noscript><div class=slide></div></noscript>"
    )
    assert count_slides(html) == 0


def test_a_template_holds_no_slides() -> None:
    assert count_slides("<template><i class=slide></i></template>") == 0


def test_deep_nesting_is_counted_without_recursion() -> None:
    assert count_slides("<div class=slide>" * 3000) > 400


@given(st.text(alphabet="<>/= \"'abdilsckeht-1", max_size=200))
def test_any_soup_has_a_count(soup: str) -> None:
    assert count_slides(soup) >= 0


@pytest.mark.parametrize(
    "html",
    [
        '<div class="&#115;lide">1</div><div class="slid&#x65;">2</div>',
        "<section DATA-SCREEN-LABEL='1'></section><section data-Screen-label=2>",
    ],
)
def test_slides_spelled_in_other_ways_are_counted(html: str) -> None:
    assert count_slides(html) == 2
