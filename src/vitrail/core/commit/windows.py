"""The part of two long texts in which they differ, with enough around it to be read.

Strategy: the equal ends are found by halving. What is between them grows to
whole tags (of a page) or whole lines (of anything else), and by some text on
both sides, so that an element or a passage that changed is there whole. Where a
page's part begins inside a script or a style, it is read as one: the tag that
would say so is put in front.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vitrail.core.commit.sharing import equal_ends
from vitrail.protocol.manifest import Kind

__all__ = ["Window", "changed_windows"]

_MARKUP: Final[frozenset[Kind]] = frozenset(
    {"html", "deck", "svg", "mini-app", "design-system"}
)
_RAW: Final = ("script", "style")
"""Elements whose text is no markup."""

_AROUND_CHARS: Final = 10_000
"""Of the equal text on each side, what is taken along."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a text, as a text of its own."""

    text: str
    offset: int
    """What makes a place in it one of the whole text, in code points; negative where a
    tag was put in front."""


def changed_windows(old: str, new: str, kind: Kind) -> tuple[Window, Window]:
    """Return the parts of two texts outside of which they are equal.

    >>> head, tail = "<i>a</i>" * 2_000, "<i>z</i>" * 2_000
    >>> before, after = changed_windows(
    ...     head + "<p>old</p>" + tail, head + "<p>new</p>" + tail, "html"
    ... )
    >>> before.text.replace("old", "new") == after.text, len(before.text) < 30_000
    (True, True)
    """
    head, tail = equal_ends(old, new)
    first = max(head - _AROUND_CHARS, 0)
    raw = _raw_element(old, first) if kind in _MARKUP else None
    prefix = ""
    if kind in _MARKUP and raw is None:
        start, mark = _tag_start(old, first, head), ">"
    else:
        start, mark = old.rfind("\n", 0, first) + 1, "\n"
    if raw is not None:
        tag, opened = raw
        prefix = f"<{tag}>" if start > opened else ""
        start = max(start, opened)
    ends = len(old) - tail, len(new) - tail
    more = _end(old, ends[0], mark) - ends[0]
    before, after = (
        Window(prefix + text[start : end + more], start - len(prefix))
        for text, end in zip((old, new), ends, strict=True)
    )
    return before, after


def _tag_start(text: str, first: int, head: int) -> int:
    """Return where a tag begins: the first one from ``first`` on, else the last before."""
    at = text.find("<", first, head)
    return at if at >= 0 else max(text.rfind("<", 0, first), 0)


def _end(text: str, end: int, mark: str) -> int:
    """Return where a text may be cut behind ``end``: after a mark, else at its end."""
    last = text.rfind(mark, end, end + _AROUND_CHARS)
    at = last if last >= 0 else text.find(mark, end)
    return at + 1 if at >= 0 else len(text)


def _raw_element(page: str, at: int) -> tuple[str, int] | None:
    """Return the element whose raw text goes on at a place, and where its tag is."""
    for tag in _RAW:
        opened = page.rfind(f"<{tag}", 0, at)
        if opened >= 0 and page.rfind(f"</{tag}", opened, at) < 0:
            return tag, opened
    return None
