"""The preview document: source between injections is the source."""

from __future__ import annotations

import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st

from vitrail.core.render.document import PreviewOptions, inject, preview_document
from vitrail.core.render.page import Drawing, Injection, assemble

OPTIONS = PreviewOptions(title="a.html", generation="g-1", bridge="go()")
SCRIPT = '<script data-vitrail-bridge="g-1">go()</script>'

SOUP = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *("<html>", "<head>", "</head>", "<body>", "<HEAD\r\nb='>'>", "<svg>"),
                *(
                    "<!doctype html>",
                    "<!-- x -->",
                    "<?xml version='1'?>",
                    "</template>",
                ),
                *(
                    "<template>",
                    "<script>",
                    "</script>",
                    "<title>",
                    "<p>",
                    "<plaintext>",
                ),
                *(
                    "\r\n",
                    "\r",
                    "\n",
                    "\ufeff",
                    "<svg viewBox='0 0 1 1'/>",
                    "]]>",
                    "\0",
                ),
            ]
        ),
        st.text(max_size=4),
    ),
    max_size=12,
).map("".join)


@given(SOUP, st.sampled_from(["html", "svg"]))
@example("\ufeff<!doctype html>\r\n<html>\r\n<head>", "html")
def test_the_source_is_equal_between_injections(text: str, drawing: Drawing) -> None:
    injections = inject(text, drawing, OPTIONS)
    document = assemble(text, injections)
    rest, at, kept = document, 0, []
    for injection in sorted(injections, key=lambda injection: injection.offset):
        before = text[at : injection.offset]
        assert rest.startswith(before + injection.text)
        kept.append(before)
        rest = rest[len(before) + len(injection.text) :]
        at = injection.offset
    assert "".join(kept) + rest == text


@given(SOUP, st.sampled_from(["html", "svg"]))
def test_the_bridge_is_the_first_script_of_any_soup(
    text: str, drawing: Drawing
) -> None:
    document = preview_document(text, drawing, OPTIONS)
    tree = turbohtml.parse(document.removeprefix("\ufeff"), scripting=True)
    first = tree.find("script")
    assert first is not None
    assert first.attr("data-vitrail-bridge") == "g-1"
    assert first.text == "go()"


def test_a_byte_order_mark_stays_first() -> None:
    assert preview_document("\ufeff<p>", "html", OPTIONS) == f"\ufeff{SCRIPT}<p>"


def test_a_document_without_a_bridge_is_the_source() -> None:
    options = PreviewOptions(title="a", generation="g")
    assert preview_document("<p>a\r\n", "html", options) == "<p>a\r\n"


def test_a_deck_is_drawn_as_a_page() -> None:
    assert preview_document("<head>", "deck", OPTIONS) == f"<head>{SCRIPT}"


def test_the_generation_cannot_leave_its_attribute() -> None:
    options = PreviewOptions(generation='"><script>', bridge="go()")
    assert "<script>&quot;" not in preview_document("", "html", options)
    assert "&quot;&gt;&lt;script&gt;" in preview_document("", "html", options)


@pytest.mark.parametrize("bridge", ["a</SCRIPT>b", "a<!--b", "a\nb", "a\rb"])
def test_a_bridge_that_would_end_early_is_refused(bridge: str) -> None:
    with pytest.raises(ValueError, match="expected a bridge on one line"):
        preview_document("", "html", PreviewOptions(bridge=bridge))


def test_the_lines_of_the_source_keep_their_numbers() -> None:
    assert "\n" not in SCRIPT
    document = preview_document("<head>\n<p>\n", "html", OPTIONS)
    assert document.splitlines()[1] == "<p>"


def test_injections_outside_the_text_are_refused() -> None:
    with pytest.raises(ValueError, match="expected an offset up to 1, got 2"):
        assemble("a", [Injection(2, "b")])


SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><rect/></svg>"


def test_an_svg_is_drawn_inline_in_a_page_of_ours() -> None:
    document = preview_document(SVG, "svg", PreviewOptions(title="</title>a.svg"))
    tree = turbohtml.parse(document)
    assert document.endswith(SVG)
    assert tree.find("title").text == "</title>a.svg"  # type: ignore[union-attr]  # it is there
    assert tree.find("svg").parent.tag == "body"  # type: ignore[union-attr]  # it is there


@pytest.mark.parametrize(
    "prolog",
    [
        '<?xml version="1.0"?>\n',
        '<!DOCTYPE svg PUBLIC "a" "b" [ <!ENTITY ns "http://a/"> ]>\n',
        "<!-- a --> text ",
    ],
)
def test_what_precedes_the_drawing_is_not_shown(prolog: str) -> None:
    tree = turbohtml.parse(preview_document(prolog + SVG, "svg", OPTIONS))
    body = tree.find("body")
    assert body is not None
    assert [type(node) for node in body.children] == [turbohtml.Element]
    assert tree.find("svg").parent is body  # type: ignore[union-attr]  # it is there


def test_an_svg_without_a_drawing_shows_what_it_has() -> None:
    assert preview_document("no drawing", "svg", OPTIONS).endswith("no drawing")


def test_the_document_of_a_large_page_is_built_in_one_pass() -> None:
    text = "<!doctype html><head>" + "<p>\r\n" * 200_000
    assert preview_document(text, "html", OPTIONS) == text.replace(
        "<head>", f"<head>{SCRIPT}"
    )
