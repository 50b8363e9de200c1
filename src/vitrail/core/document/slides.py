"""Which elements of a page are its slides.

Strategy: one walk over the tree, in document order, keeps the few elements
that any rule asks about; the rules of spec/open-design-2 §6.1 then look at
those only, and the first rule that finds something wins. What a template holds
is not in the document yet and does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import turbohtml

__all__ = ["SLIDE_CLASSES", "count_slides", "find_slides"]

SLIDE_CLASSES: Final = frozenset({"slide", "deck-slide", "ppt-slide", "slide-frame"})
"""Classes that make an element a slide wherever it stands."""

_LABEL: Final = "data-screen-label"
_STAGE: Final = "deck-stage"
_CONTAINER_CLASSES: Final = frozenset({"deck", "deck-stage", "deck-shell"})
_CONTAINER_ID: Final = "deck"
_NUMBERED: Final = re.compile(r"\s*([0-9]{1,3})(?=[\s.)·:_-]|\Z)")


def count_slides(html: str) -> int:
    """Return how many slides a page has; 0 for a page that is no deck.

    >>> count_slides("<main><div class=slide>1</div><div class=slide>2</div></main>")
    2
    """
    if not _may_have_slides(html):
        return 0  # most pages: a long one has a million elements
    return len(find_slides(turbohtml.parse(html, scripting=True, positions=False)))


def _may_have_slides(html: str) -> bool:
    """Return whether a word is there that each rule asks for, or may be, as references."""
    return "slide" in html or "&#" in html or _LABEL in html.lower()


def find_slides(document: turbohtml.Document) -> tuple[turbohtml.Element, ...]:
    """Return the slides of a parsed page, in document order; may be empty."""
    elements = tuple(_elements(document))
    for rule in _RULES:
        slides = rule(elements)
        if slides:
            return slides
    return ()


def _elements(
    root: turbohtml.Document | turbohtml.Element,
) -> Iterator[turbohtml.Element]:
    """Yield the elements below ``root`` in document order, none inside a template."""
    pending: list[turbohtml.Node] = list(reversed(list(root.children)))
    while pending:
        node = pending.pop()
        if not isinstance(node, turbohtml.Element):
            continue  # a template's content is a fragment: it ends here too
        yield node
        pending.extend(reversed(list(node.children)))


def _classes(element: turbohtml.Element) -> frozenset[str]:
    return frozenset((element.attr("class") or "").split())


def _is_slide_by_class(element: turbohtml.Element) -> bool:
    return not SLIDE_CLASSES.isdisjoint(_classes(element))


def _is_marked(element: turbohtml.Element) -> bool:
    return element.attr(_LABEL) is not None or _is_slide_by_class(element)


def _is_container(element: turbohtml.Element) -> bool:
    return (
        element.tag == _STAGE
        or element.attr("id") == _CONTAINER_ID
        or not _CONTAINER_CLASSES.isdisjoint(_classes(element))
    )


def _marked_children(element: turbohtml.Element) -> list[turbohtml.Element]:
    return [
        child
        for child in element.children
        if isinstance(child, turbohtml.Element) and _is_marked(child)
    ]


_Elements = tuple[turbohtml.Element, ...]


def _of_the_stage(elements: _Elements) -> _Elements:
    """Rule 1: what is marked directly in the stage element, else anywhere in it."""
    stage = next((element for element in elements if element.tag == _STAGE), None)
    if stage is None:
        return ()
    direct = _marked_children(stage)
    return tuple(direct or filter(_is_marked, _elements(stage)))


def _of_containers(elements: _Elements) -> _Elements:
    """Rule 2: what is marked directly in a container."""
    slides = [
        child
        for element in elements
        if _is_container(element)
        for child in _marked_children(element)
    ]
    return tuple(slides)


def _by_class(elements: _Elements) -> _Elements:
    """Rule 3: whatever has a slide's class; a screen label alone is not enough."""
    return tuple(filter(_is_slide_by_class, elements))


def _numbered_sections(elements: _Elements) -> _Elements:
    """Rule 4: the largest group of sections of one parent with numbered labels."""
    groups: dict[turbohtml.Node | None, list[turbohtml.Element]] = {}
    numbers: dict[turbohtml.Node | None, set[int]] = {}
    for element in elements:
        match = _NUMBERED.match(element.attr(_LABEL) or "")
        if element.tag == "section" and match is not None:
            groups.setdefault(element.parent, []).append(element)
            numbers.setdefault(element.parent, set()).add(int(match[1]))
    decks = [group for parent, group in groups.items() if len(numbers[parent]) > 1]
    largest: list[turbohtml.Element] = max(decks, key=len, default=[])
    return tuple(largest)


_RULES: Final[tuple[Callable[[_Elements], _Elements], ...]] = (
    _of_the_stage,
    _of_containers,
    _by_class,
    _numbered_sections,
)
