"""What a person typed and a new version dropped: named, and put back by one click.

Strategy: blame tells which ranges of the version before a person typed. To put
one back nothing has to be remembered: the version that has it and its range
there say where it stood, and the file as it is now says whether it is missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from vitrail.core.commit.blame import blame
from vitrail.core.commit.merge import Vanished, put_back, vanished
from vitrail.errors import InvalidInput
from vitrail.ports import Store
from vitrail.protocol.diagnostics import Diagnostic, Span
from vitrail.protocol.losses import Lost
from vitrail.protocol.manifest import Kind
from vitrail.protocol.records import Revision
from vitrail.workflow.lineage import lineage, texts_of

__all__ = ["missing_passages", "told_typed", "typed_losses", "with_passages"]

_MAX_TYPED: Final = 100
"""Passages named of one new version."""

_MAX_NAME_CHARS: Final = 80
"""Of a passage, what names it; its place says the rest."""

_MAX_LOOKED_AT: Final = 100
"""Revisions that are asked who typed what."""

_MAX_LOOKED_AT_BYTES: Final = 8 * 1024 * 1024
"""Of their texts together: a second of comparing at most, while a model's page waits."""


async def typed_losses(
    store: Store,
    head: Revision | None,
    *,
    old: str,
    new: str,
    kind: Kind,
) -> tuple[Lost, ...]:
    """Return the passages that a person typed and a new version does not have.

    ``head`` is the newest revision that ``old`` came of; the spans are of
    ``old``. Each can be put back by them (`with_passages`).
    """
    typed = await _typed_spans(store, head, old)
    if not typed:
        return ()
    return await asyncio.to_thread(lambda: tuple(_typed(old, new, typed, kind)))


def missing_passages(
    old: str, new: str, spans: Sequence[Span], *, kind: Kind
) -> tuple[Vanished, ...]:
    """Return what of some passages of an old text the new one does not have.

    The spans may overlap and come in any order. Raises
    ``InvalidInput`` for one that is not in the text.
    """
    apart: list[Span] = []
    for start, end in sorted(spans):
        if not 0 <= start < end <= len(old):
            raise InvalidInput(
                f"passages expected ranges of the version's {len(old)} characters, "
                f"got {start} to {end}."
            )
        if apart and start <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(end, apart[-1][1])
        else:
            apart.append((start, end))
    return vanished(old, new, apart, kind=kind)


async def with_passages(
    old: str, new: str, spans: Sequence[Span], *, kind: Kind
) -> str | None:
    """Return the new text with the old one's passages in it again, where they stood.

    None: it has them all.
    """

    def made() -> str | None:
        missing = missing_passages(old, new, spans, kind=kind)
        return put_back(new, missing) if missing else None

    return await asyncio.to_thread(made)


async def _typed_spans(
    store: Store, head: Revision | None, text: str
) -> tuple[Span, ...]:
    """Return the ranges of a text that persons typed, as far as is known."""
    line = await lineage(store, head, limit=_MAX_LOOKED_AT)
    if all(revision.author != "person" for revision in line):
        return ()
    revisions, texts = await texts_of(store, line, max_bytes=_MAX_LOOKED_AT_BYTES)
    # what is older than the oldest one looked at is nobody's in particular
    persons = {
        revision.id
        for revision in revisions.values()
        if revision.author == "person"
        and (revision.parent is None or revision.parent in revisions)
    }
    if not texts or texts[-1][1] != text:
        texts.append(("", text))
    spans = await asyncio.to_thread(blame, texts)
    return tuple(one.span for one in spans if one.revision_id in persons)


def told_typed(path: str, lost: tuple[Lost, ...]) -> tuple[Diagnostic, ...]:
    """Return the words about typed passages that are gone; none where none are."""
    if not lost:
        return ()
    first = lost[0].name
    which = (
        f"a passage that you typed: “{first}”"
        if len(lost) == 1
        else f"{len(lost)} passages that you typed, the first of them “{first}”"
    )
    return (
        Diagnostic(
            "typed-text-lost",
            "warning",
            f"The new version of {path} no longer has {which}. The version before has "
            "it; it can be put back from there.",
        ),
    )


def _typed(old: str, new: str, typed: Sequence[Span], kind: Kind) -> Iterator[Lost]:
    count = 0
    for one in vanished(old, new, typed, kind=kind):
        words = " ".join(one.text.split())
        if not words:
            continue
        if len(words) > _MAX_NAME_CHARS:
            words = f"{words[:_MAX_NAME_CHARS]}…"
        yield Lost("typed", words, one.span)
        count += 1
        if count == _MAX_TYPED:
            return
