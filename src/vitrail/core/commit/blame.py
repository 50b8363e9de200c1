"""Who wrote each range of a file: one revision for each span of its text.

Strategy: the first revision wrote all of its text. Each later one wrote what
it does not share with the one before it (`common_spans`: lines, then words);
the rest keeps its writer. The answer for one revision and the next text are
enough to go on, so a caller may read a long history piece by piece and keep
the answer as it goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from vitrail.core.commit.sharing import common_spans
from vitrail.protocol.diagnostics import Span

__all__ = ["BlameSpan", "blame", "blame_next"]


@dataclass(frozen=True, slots=True)
class BlameSpan:
    """A range of a text and the revision that wrote it."""

    span: Span
    """Code points; never empty."""
    revision_id: str


def blame(revisions: Iterable[tuple[str, str]]) -> tuple[BlameSpan, ...]:
    """Return who wrote each range of the last text, of revisions from the oldest on.

    Each is its id and its text. The spans are in order and partition the text;
    neighbours are of different revisions. An empty text has none.

    >>> blame([("1", "a red door"), ("2", "a blue door")])[1]
    BlameSpan(span=(2, 6), revision_id='2')
    """
    spans: tuple[BlameSpan, ...] = ()
    before = ""
    for revision_id, text in revisions:
        spans = blame_next(spans, before, text, revision_id)
        before = text
    return spans


def blame_next(
    spans: Sequence[BlameSpan], old: str, new: str, revision_id: str
) -> tuple[BlameSpan, ...]:
    """Return who wrote each range of ``new``, a revision made of ``old``.

    ``spans`` say so of ``old``; of a first revision both are empty.

    Raises:
        ValueError: The spans do not partition the old text.
    """
    _check(spans, len(old))
    shared, _ = common_spans(old, new)
    return tuple(_joined(_owned(spans, shared, len(new), revision_id)))


def _check(spans: Sequence[BlameSpan], length: int) -> None:
    at = 0
    for owned in spans:
        start, end = owned.span
        if start != at or end <= start:
            raise ValueError(f"expected a span that begins at {at}, got {owned.span}")
        at = end
    if at != length:
        raise ValueError(f"expected spans of {length} code points, got {at}")


def _owned(
    spans: Sequence[BlameSpan],
    shared: Sequence[tuple[int, int, int]],
    new_length: int,
    revision_id: str,
) -> Iterator[BlameSpan]:
    """Yield the spans of the new text in order; one pass over both lists."""
    at = number = 0
    for old_start, new_start, length in (*shared, (0, new_length, 0)):
        if new_start > at:
            yield BlameSpan((at, new_start), revision_id)
        at = new_start + length
        end = old_start + length
        by = new_start - old_start
        while length and spans[number].span[1] <= old_start:
            number += 1
        kept = old_start
        while kept < end:
            owner = spans[number]
            stop = min(owner.span[1], end)
            yield BlameSpan((kept + by, stop + by), owner.revision_id)
            kept = stop
            number += kept < end


def _joined(spans: Iterable[BlameSpan]) -> Iterator[BlameSpan]:
    last: BlameSpan | None = None
    for owned in spans:
        if last is not None and last.revision_id == owned.revision_id:
            last = BlameSpan((last.span[0], owned.span[1]), last.revision_id)
            continue
        if last is not None:
            yield last
        last = owned
    if last is not None:
        yield last
