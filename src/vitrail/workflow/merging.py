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
import hashlib
from dataclasses import dataclass

from vitrail.core.commit.merge import Clash, MergeResult, merge
from vitrail.errors import NotFound, StorageError
from vitrail.ports import Store
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import Kind
from vitrail.protocol.records import MergeClash
from vitrail.workflow.lineage import text_of
from vitrail.workflow.write import Hold

__all__ = ["Merged", "bring_together", "object_text"]


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
    if result.clashes:
        return _clashing(path, result, hashlib.sha256(base.encode()).hexdigest())
    found = Diagnostic(
        "merged",
        "info",
        f"{path} was changed after the model had read it. The new version has those "
        "changes and the model's.",
    )
    return Merged(result.text, (found,))


async def object_text(store: Store, digest: str | None) -> str | None:
    """Return the text that was stored under a digest, or None."""
    if digest is None:
        return None
    try:
        return text_of(await store.read_object(digest))
    except (NotFound, StorageError):
        return None


def _clashing(path: str, result: MergeResult, base_digest: str) -> Hold:
    count = len(result.clashes)
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
        conflicts=tuple(_clash(one) for one in result.clashes),
        base_digest=base_digest,
    )


def _clash(clash: Clash) -> MergeClash:
    return MergeClash(
        base=clash.base,
        ours=clash.ours,
        theirs=clash.theirs,
        span=clash.ours_span,
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
