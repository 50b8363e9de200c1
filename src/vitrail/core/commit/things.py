"""What a page and a Markdown text have, by name: sections, slides, ids, functions, words.

Strategy: one walk over the page's tree in document order. A heading names the
innermost sectioning element around it that has no name yet, else itself;
landmarks without a heading go by their tag. Texts are joined by the innermost
block around them. The walk lists each element's part of the page's words, so
that nested elements cost no more than flat ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import turbohtml

from vitrail.core.commit.scripts import functions_in
from vitrail.core.commit.thing import Thing
from vitrail.core.commit.wording import first_words, passages_in
from vitrail.core.document.slides import find_slides
from vitrail.core.document.source import Source, parse_source
from vitrail.protocol.diagnostics import Span

__all__ = ["MAX_SECTIONS", "things_of_markdown", "things_of_page"]

_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SECTIONS: Final = frozenset({"section", "article", "aside", "nav", "header", "footer"})
_LANDMARKS: Final = frozenset({"nav", "header", "footer", "aside", "form", "table"})
_INLINE: Final = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn"}
    | {"em", "font", "i", "ins", "kbd", "label", "mark", "q", "s", "samp", "small"}
    | {"span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"}
)
_UNSEEN: Final = frozenset({"script", "style", "title", "template", "noscript", "head"})
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"}
    | {"source", "track", "wbr"}
)
"""Elements that are their start tag."""

_MAX_TEXT_CHARS: Final = 2000
"""Of an element's text, what is read to know it again."""

MAX_SECTIONS: Final = 2000
"""Sections, and slides, that are looked at: nested ones share their texts."""


def things_of_page(page: str, *, has_slides: bool = True) -> tuple[Thing, ...]:
    """Return what a page has; spans are those of whole elements.

    Of slides and of sections the first `MAX_SECTIONS` count.
    """
    source = parse_source(page)
    outline = _Outline(source)
    things: list[Thing] = []
    if has_slides:
        things += islice(_slides(outline), MAX_SECTIONS)
    things += islice(_sections(outline), MAX_SECTIONS)
    things += _ids_and_functions(outline)
    things += _passages(source)
    return tuple(things)


def things_of_markdown(text: str) -> tuple[Thing, ...]:
    """Return the sections of a Markdown text, and its passages.

    A section goes up to the next heading of its level or above; a ``#`` inside
    a fence is no heading.
    """
    headings = list(_headings(text))
    ends = _section_ends([level for level, _, _ in headings], len(text), headings)
    sections = tuple(
        Thing(
            "section",
            _key(title),
            title,
            (start, end),
            text[start : min(end, start + _MAX_TEXT_CHARS)],
        )
        for (_, start, title), end in zip(headings, ends, strict=True)
    )
    return (*sections, *passages_in(text))


# --- pages --------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Place:
    """One element of the page, and which part of the page's words is its own."""

    element: turbohtml.Element
    around: _Place | None
    """The innermost sectioning element around."""
    start: int
    end: int = 0


class _Outline:
    """A page's elements in document order, with their texts, by one walk."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.places: list[_Place] = []
        self._pieces: list[str] = []
        self._chars = 0
        self._walk(source.document)
        self._text = "".join(self._pieces)

    def text_of(self, place: _Place) -> str:
        """Return how an element's text begins."""
        return self._text[place.start : min(place.end, place.start + _MAX_TEXT_CHARS)]

    def span_of(self, place: _Place) -> Span | None:
        """Return where the whole element stands in the source."""
        return _span(self.source, place.element)

    def _walk(self, document: turbohtml.Document) -> None:
        pending: list[tuple[turbohtml.Node | _Place, _Place | None]] = [
            (child, None) for child in reversed(list(document.children))
        ]
        while pending:
            node, around = pending.pop()
            if isinstance(node, _Place):
                self._part(node.element)
                node.end = self._chars
            elif isinstance(node, turbohtml.Text):
                self._add(node.data)
            elif isinstance(node, turbohtml.Element):
                self._part(node)
                place = _Place(node, around, self._chars, self._chars)
                self.places.append(place)
                if node.tag in _UNSEEN and node.tag != "head":
                    continue
                inner = place if node.tag in _SECTIONS else around
                pending.append((place, None))
                pending.extend(
                    (child, inner) for child in reversed(list(node.children))
                )

    def _part(self, element: turbohtml.Element) -> None:
        if element.tag not in _INLINE:
            self._add(" ")

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self._chars += len(text)


def _slides(outline: _Outline) -> Iterator[Thing]:
    slides = find_slides(outline.source.document)
    titles = _titles(outline, frozenset(slides))
    number = 0
    for place in outline.places:
        if place not in titles:
            continue
        number += 1
        element = place.element
        label = element.attr("id") or element.attr("data-screen-label")
        text = outline.text_of(place)
        title = titles[place] or first_words(text)
        shown = title or label or str(number)
        key = label or _key(title)
        yield Thing("slide", key, shown, outline.span_of(place), text)


def _titles(
    outline: _Outline, slides: frozenset[turbohtml.Element]
) -> dict[_Place, str]:
    """Return the slides with the first heading in each; '' where there is none."""
    titles: dict[_Place, str] = {}
    waiting: _Place | None = None
    for place in outline.places:
        if place.element in slides:
            titles[place] = ""
            waiting = place
        elif place.element.tag in _HEADINGS and waiting is not None:
            if place.end <= waiting.end:
                titles[waiting] = first_words(outline.text_of(place))
            waiting = None
    return titles


def _sections(outline: _Outline) -> Iterator[Thing]:
    named: set[_Place] = set()
    landmarks: list[_Place] = []
    for place in outline.places:
        if place.element.tag in _LANDMARKS:
            landmarks.append(place)
        if place.element.tag not in _HEADINGS:
            continue
        title = first_words(outline.text_of(place))
        if not title:
            continue
        around = place.around
        if around is None or around in named:
            yield Thing("section", _key(title), title, outline.span_of(place), title)
            continue
        named.add(around)
        key = around.element.attr("id") or _key(title)
        text = outline.text_of(around)
        yield Thing("section", key, title, outline.span_of(around), text)
    for place in landmarks:
        if place in named:
            continue
        element = place.element
        label = element.attr("id") or element.attr("aria-label") or element.tag
        text = outline.text_of(place)
        yield Thing("section", label, label, outline.span_of(place), text)


def _ids_and_functions(outline: _Outline) -> Iterator[Thing]:
    for place in outline.places:
        element = place.element
        name = (element.attr("id") or "").strip()
        if name:
            start = outline.source.start_tag(element)
            at = start[0] if start else None
            yield Thing("id", name, name, outline.span_of(place), at=at)
        if element.tag == "script" and element.attr("src") is None:
            yield from _functions(outline.source, element)


def _functions(source: Source, script: turbohtml.Element) -> tuple[Thing, ...]:
    start, end = source.start_tag(script), source.end_tag(script)
    if start is None:
        return ()
    text = source.text[start[1] : end[0] if end else len(source.text)]
    return functions_in(text, start[1])


def _passages(source: Source) -> Iterator[Thing]:
    texts: dict[turbohtml.Element, list[str]] = {}
    mixed: set[turbohtml.Element] = set()
    pending: list[tuple[turbohtml.Node, turbohtml.Element | None]] = [
        (child, None) for child in reversed(list(source.document.children))
    ]
    while pending:
        node, block = pending.pop()
        if isinstance(node, turbohtml.Text):
            if block is not None:
                texts.setdefault(block, []).append(node.data)
            continue
        if not isinstance(node, turbohtml.Element) or node.tag in _UNSEEN:
            continue
        if node.tag not in _INLINE:
            if block is not None:
                mixed.add(block)
            block = node
        pending.extend((child, block) for child in reversed(list(node.children)))
    for block, pieces in texts.items():
        text = " ".join("".join(pieces).split())
        if text:
            span = None if block in mixed else _span(source, block)
            start = source.start_tag(block)
            at = start[0] if start else None
            yield Thing("words", text, first_words(text), span, text, at)


def _span(source: Source, element: turbohtml.Element) -> Span | None:
    """Return the place of a whole element; None where its end is implied."""
    start, end = source.start_tag(element), source.end_tag(element)
    if start is not None and element.tag in _VOID:
        return start
    return None if start is None or end is None else (start[0], end[1])


def _key(title: str) -> str:
    return " ".join(title.casefold().split())


# --- Markdown -----------------------------------------------------------

_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*)|[ \t]*)\Z")
_FENCE: Final = re.compile(r" {0,3}(`{3,}+|~{3,}+)(.*)")


def _headings(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield level, place and title of each heading that a line's ``#`` makes."""
    at = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        bare = line.rstrip()
        mark = _FENCE.match(bare)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            found = _HEADING.match(bare)
            title = (found[2] or "").strip().rstrip("#").strip() if found else ""
            if found and title:
                yield len(found[1]), start, title


def _section_ends(
    levels: list[int], end: int, headings: list[tuple[int, int, str]]
) -> list[int]:
    """Return where each section ends: at the next heading of its level or above."""
    ends = [end] * len(levels)
    open_: list[int] = []
    for number, level in enumerate(levels):
        while open_ and levels[open_[-1]] >= level:
            ends[open_.pop()] = headings[number][1]
        open_.append(number)
    return ends
