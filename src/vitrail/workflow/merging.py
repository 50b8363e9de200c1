"""Regenerations: a model's new version of a file that was changed meanwhile (design §4.10).

Strategy: the model answered to the text it was shown, so that text is the base
of a merge; ours is the file as it is, theirs is what the model wrote. Changes
in different places are both kept. Where both changed one place nobody can
guess: the file stays, the model's text goes beside it, and the record of the
draft has every clash with its three texts. A version that nothing came between
is simply the next one; what a person had typed and it no longer has is named.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from vitrail.core.commit.blame import blame
from vitrail.core.commit.merge import MergeConflict, MergeResult, merge, vanished
from vitrail.errors import NotFound, StorageError
from vitrail.ports import Store
from vitrail.protocol.diagnostics import Diagnostic, Span
from vitrail.protocol.losses import Lost
from vitrail.protocol.manifest import Kind
from vitrail.protocol.records import MergeClash
from vitrail.workflow.history import lineage, text_of, texts_of
from vitrail.workflow.write import Hold

__all__ = ["Merged", "bring_together", "object_text", "told_typed", "typed_losses"]

_MAX_TYPED: Final = 100
"""Passages named of one new version."""

_MAX_NAME_CHARS: Final = 80
"""Of a passage, what names it; its place says the rest."""

_MAX_LOOKED_AT: Final = 100
"""Revisions that are asked who typed what."""

_MAX_LOOKED_AT_BYTES: Final = 8 * 1024 * 1024
"""Of their texts together: a second of comparing at most, while a model's page waits."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What both sides made of the base."""

    text: str
    diagnostics: tuple[Diagnostic, ...]


async def bring_together(
    path: str, kind: Kind, *, base: str | None, ours: bytes, theirs: str
) -> Merged | Hold:
    """Return the merged text, or why the model's text has to go beside the file.

    ``base`` is what the model was shown; None where that is not known.
    """
    file = text_of(ours)
    if base is None or file is None:
        return _changed_since_shown(path)
    result = await asyncio.to_thread(merge, base, file, theirs, kind=kind)
    if result.conflicts:
        return _clashing(path, result)
    found = Diagnostic(
        "merged",
        "info",
        f"{path} was changed after the model had read it. The new version has those "
        "changes and the model's.",
    )
    return Merged(result.text, (found,))


async def typed_losses(
    store: Store, project_id: str, path: str, *, old: str, new: str, kind: Kind
) -> tuple[Lost, ...]:
    """Return the passages that a person typed and a new version does not have.

    Their spans are of ``old``, the file as it is before.
    """
    head = await store.head(project_id, path)
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
    if not texts or texts[-1][1] != old:
        texts.append(("", old))

    def looked_at() -> tuple[Lost, ...]:
        typed = [one.span for one in blame(texts) if one.revision_id in persons]
        return tuple(_typed(old, new, typed, kind))

    return await asyncio.to_thread(looked_at)


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


async def object_text(store: Store, digest: str | None) -> str | None:
    """Return the text that was stored under a digest, or None."""
    if digest is None:
        return None
    try:
        return text_of(await store.read_object(digest))
    except (NotFound, StorageError):
        return None


def _typed(old: str, new: str, typed: list[Span], kind: Kind) -> Iterator[Lost]:
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


def _clashing(path: str, result: MergeResult) -> Hold:
    count = len(result.conflicts)
    places = "one place" if count == 1 else f"{count} places"
    found = Diagnostic(
        "merge-conflict",
        "warning",
        f"{path} was changed after the model had read it, and both changed {places} in "
        "different ways. The file stays as it is, and the model's text is kept beside "
        "it; a person decides which to take.",
    )
    return Hold(
        "merge-conflict",
        (found,),
        conflicts=tuple(_clash(one) for one in result.conflicts),
    )


def _clash(conflict: MergeConflict) -> MergeClash:
    return MergeClash(
        base=conflict.base,
        ours=conflict.ours,
        theirs=conflict.theirs,
        span=conflict.ours_span,
    )


def _changed_since_shown(path: str) -> Hold:
    found = Diagnostic(
        "changed-since-shown",
        "warning",
        f"{path} was changed after the model had read it, and what it read is not known "
        "any more. Both are kept: the file as it is, and the model's text as a draft "
        "beside it.",
    )
    return Hold("changed-since-shown", (found,))
