"""What a replacement lost: sections, slides, ids, functions and words, by name.

Strategy: both texts are read once into things with a key, a name and a place
(`things` and `scripts`); what the old one has more often than the new one, by
key, is lost. A section or slide whose words are mostly still there was only
renamed. A passage of words is lost where fewer than half of its pairs of
neighbouring words are left anywhere, so that a corrected sentence is none.
What lies inside a lost section, slide or function is told by that one alone.
Of long texts only what changed is compared (`windows`), and that is said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from vitrail.core.commit.scripts import functions_in
from vitrail.core.commit.thing import Thing
from vitrail.core.commit.things import things_of_markdown, things_of_page
from vitrail.core.commit.windows import Window, changed_windows
from vitrail.core.commit.wording import passages_in, words_of
from vitrail.protocol.diagnostics import Diagnostic, Span
from vitrail.protocol.losses import LossKind, Lost
from vitrail.protocol.manifest import Kind

__all__ = ["MAX_COMPARED_CHARS", "MAX_LOST_OF_A_KIND", "Losses", "losses", "lost"]

MAX_COMPARED_CHARS: Final = 4_000_000
"""Of both texts together, what is compared: about two seconds, while somebody waits."""

MAX_LOST_OF_A_KIND: Final = 100
"""Losses named of each kind; an event that carries them stays small."""

_MAX_NAME_CHARS: Final = 120
_MIN_PASSAGE_WORDS: Final = 4
"""Shorter passages are labels, and come and go."""

_KEPT_SHARE: Final = 0.5
"""More pairs of words than this are left of what was only changed."""

_WHOLE: Final = frozenset({"slide", "section", "function"})
"""What is told instead of all that lies inside it."""

_ORDER: Final[tuple[LossKind, ...]] = ("slide", "section", "function", "id", "words")


@dataclass(frozen=True, slots=True)
class Losses:
    """What a text lost, as far as it was compared."""

    lost: tuple[Lost, ...]
    bound: Diagnostic | None = None
    """Says what was not compared; None where all was."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The bound as a list, empty where all was compared."""
        return () if self.bound is None else (self.bound,)


def losses(
    old: str, new: str, kind: Kind, *, max_chars: int = MAX_COMPARED_CHARS
) -> Losses:
    """Return what `lost` does, for texts of any length.

    Of texts that are longer than ``max_chars`` together, only the part that
    changed is compared, and nothing where that is too long too.

    >>> page = "<p>x</p>" * 9
    >>> losses(page + '<p id="a">y</p>', page, "html", max_chars=99).bound.code
    'content-compared-in-part'
    """
    total = len(old) + len(new)
    if not old or total <= max_chars or old == new:
        return Losses(lost(old, new, kind))
    before, after = changed_windows(old, new, kind)
    size = len(before.text) + len(after.text)
    if size > max_chars:
        return Losses((), _bound(total, max_chars, size))
    found = lost(before.text, after.text, kind)
    return Losses(
        tuple(
            Lost(one.what, one.name, _placed(one.span, before, len(old)))
            for one in found
        ),
        _bound(total, max_chars, None),
    )


def _placed(span: Span | None, window: Window, length: int) -> Span | None:
    """Return a span of a window as one of the whole text."""
    if span is None:
        return None
    start, end = (place + window.offset for place in span)
    return (start, end) if start >= 0 and end <= length else None


def _bound(total: int, max_chars: int, changed: int | None) -> Diagnostic:
    """Return the words about what was not compared; ``changed`` where nothing was."""
    long = (
        f"Both versions together have {total} characters, and {max_chars} are compared "
        "for what is gone (sections, ids, functions, words)"
    )
    if changed is None:
        what = "so this was looked for where the versions differ, and nowhere else."
    else:
        what = (
            f"so what is gone is not named: {changed} of them differ. The difference "
            "of the two versions shows it line by line."
        )
    return Diagnostic("content-compared-in-part", "info", f"{long}, {what}")


def lost(old: str, new: str, kind: Kind) -> tuple[Lost, ...]:
    """Return what the old text has and the new one has not; spans are of the old.

    Slides first, then sections, functions, ids and words, each in the order of
    the text and at most `MAX_LOST_OF_A_KIND`. Linear in both texts.

    >>> page = '<h2>Prices</h2><p id="a">One seat costs ten euros.</p>'
    >>> [(one.what, one.name) for one in lost(page, "<p>x</p>", "html")]
    [('section', 'Prices'), ('id', 'a'), ('words', 'One seat costs ten euros.')]
    """
    if not old or old == new:
        return ()
    before = _things(old, kind)
    now = _things(new, kind)
    after = Counter((thing.what, thing.key) for thing in now)
    left = frozenset(
        pairwise(words_of(" ".join(one.text for one in now if one.what == "words")))
    )
    gone: list[Thing] = []
    for thing in before:
        key = (thing.what, thing.key)
        if after[key]:
            after[key] -= 1
        elif not _is_left(thing, left):
            gone.append(thing)
    return tuple(_told(gone))


def _things(text: str, kind: Kind) -> tuple[Thing, ...]:
    match kind:
        case "html" | "deck" | "svg" | "mini-app" | "design-system":
            return things_of_page(text, has_slides=kind != "svg")
        case "markdown-document":
            return things_of_markdown(text)
        case "react-component" | "code-snippet" | "diagram":
            return functions_in(text) or passages_in(text)


def _is_left(thing: Thing, left: frozenset[tuple[str, str]]) -> bool:
    """Return whether most of a thing's words are in the new text."""
    if thing.what in ("id", "function"):
        return False
    pairs = list(pairwise(words_of(thing.text)))
    if thing.what == "words" and len(pairs) < _MIN_PASSAGE_WORDS - 1:
        return True
    if not pairs:
        return False
    return sum(pair in left for pair in pairs) > len(pairs) * _KEPT_SHARE


def _told(gone: list[Thing]) -> Iterator[Lost]:
    outer = _Outermost(thing for thing in gone if thing.what in _WHOLE)
    for what in _ORDER:
        told = 0
        for thing in gone:
            if thing.what != what or outer.holds(thing):
                continue
            told += 1
            if told > MAX_LOST_OF_A_KIND:
                break
            yield Lost(what, thing.name[:_MAX_NAME_CHARS], thing.span)


class _Outermost:
    """The outermost of nested slides, sections and functions, to ask what is in them."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self._things: list[Thing] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        placed = [(one.span, one) for one in things if one.span is not None]
        # of two of one place the first, which is the slide
        for span, thing in sorted(placed, key=lambda one: (one[0][0], -one[0][1])):
            if not self._ends or span[1] > self._ends[-1]:
                self._things.append(thing)
                self._starts.append(span[0])
                self._ends.append(span[1])

    def holds(self, thing: Thing) -> bool:
        """Return whether a thing lies in one of them and is not that one itself."""
        if thing.place is None:
            return False
        at = bisect_right(self._starts, thing.place) - 1
        if at < 0 or thing.place >= self._ends[at]:
            return False
        return thing is not self._things[at]
