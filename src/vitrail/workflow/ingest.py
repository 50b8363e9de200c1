"""A model's text into a project: parsed as it comes, each artifact saved when it ends.

Strategy: reading is synchronous and cheap, saving is not; so a caller feeds
text as fast as it likes and saves only when an artifact ended. Names, bytes
and manifests are those of a live turn, since both use the same reader and the
same saver.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Coroutine

from vitrail.core.parse import fold_parts
from vitrail.core.validate.reasons import stated_reason
from vitrail.ports import AgentText, Clock, EventPlace, Ids, Store
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactPointer,
    ArtifactQuarantined,
    ArtifactRefused,
    ArtifactSaved,
    Event,
    RunEndReason,
)
from vitrail.protocol.http import (
    IngestResult,
    QuarantinedFile,
    RefusedFile,
    SavedResult,
)
from vitrail.protocol.records import TextPart
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.reply import ReplyReader
from vitrail.workflow.save import ArtifactSaver, Source

__all__ = ["Ingest", "ingest"]


class Ingest:
    """One text on its way into a project; ended by `close`, whatever happens."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        project_id: str,
        *,
        reason: str | None = None,
        gates: GateKeeper | None = None,
    ) -> None:
        """``reason``: why files are replaced; kept with the revisions.

        With one, a file is replaced also by something that loses much of it.
        Raises ``InvalidInput`` for one that is blank or too long.
        """
        source = Source(
            place=EventPlace(project_id=project_id),
            replace_reason=stated_reason(reason),
        )
        self._reader = ReplyReader()
        self._saver = ArtifactSaver(store, clock, ids, source, gates=gates)
        self._pending: list[Event] = []
        self._told: list[Event] = []

    def read(self, text: str) -> bool:
        """Take the next piece, cut anywhere; return whether there is a file to save."""
        return self._take(self._reader.feed((AgentText(text),)))

    async def save(self) -> None:
        """Save the artifacts that ended; raise ``StorageError``."""
        pending, self._pending = self._pending, []
        outcomes = await self._saver.feed(pending)
        self._told += outcomes

    async def close(self, reason: RunEndReason = "done") -> IngestResult:
        """Save what the end of the text tells, and return what all of it became.

        Any reason but ``done`` means that the text was cut off here: what is
        open is kept as an incomplete file.
        """
        self._take(self._reader.close(reason))
        await self.save()
        await self._saver.close()
        return _result(self._told)

    def _take(self, events: list[Event]) -> bool:
        self._pending += events
        self._told += [
            event for event in events if not isinstance(event, ArtifactChunk)
        ]
        return any(isinstance(event, ArtifactEnd) for event in events)


async def ingest(  # noqa: PLR0913 - where it goes, and how
    store: Store,
    clock: Clock,
    ids: Ids,
    project_id: str,
    chunks: AsyncIterable[str],
    *,
    reason: str | None = None,
    gates: GateKeeper | None = None,
) -> IngestResult:
    """Save what a finished or still running text contains into a project.

    Where the text breaks off (its iterator raises, or this is cancelled), what
    had come is saved before the error goes on. Raises ``StorageError``,
    ``NotFound('project-not-found')``.
    """
    await store.project(project_id)
    text = Ingest(store, clock, ids, project_id, reason=reason, gates=gates)
    try:
        async for chunk in chunks:
            if text.read(chunk):
                await _to_the_end(text.save())
    except BaseException:
        await asyncio.shield(text.close("interrupted"))
        raise
    return await text.close()


async def _to_the_end(work: Coroutine[object, object, None]) -> None:
    """Wait for ``work``, and let it finish where the wait is cancelled."""
    going = asyncio.ensure_future(work)
    try:
        await asyncio.shield(going)
    except asyncio.CancelledError:
        await asyncio.wait([going])
        raise


def _result(told: list[Event]) -> IngestResult:
    saved: list[SavedResult] = []
    fixed: list[RefusedFile] = []
    quarantined: list[QuarantinedFile] = []
    refused: list[RefusedFile] = []
    for event in told:
        match event:
            case ArtifactSaved():
                saved.append(
                    SavedResult(
                        path=event.path,
                        identifier=event.identifier,
                        kind=event.kind,
                        digest=event.digest,
                        revision=event.revision,
                    )
                )
                if event.diagnostics:
                    fixed.append(_named(event.identifier, event))
            case ArtifactQuarantined():
                quarantined.append(_held(event))
            case ArtifactRefused():
                refused.append(_named(event.identifier, event))
            case ArtifactPointer():
                refused.append(_pointing(event))
            case _:
                pass
    return IngestResult(
        text="".join(
            part.text for part in fold_parts(told) if isinstance(part, TextPart)
        ),
        saved=tuple(saved),
        fixed=tuple(fixed),
        quarantined=tuple(quarantined),
        refused=tuple(refused),
    )


def _pointing(event: ArtifactPointer) -> RefusedFile:
    told = Diagnostic(
        "artifact-is-pointer",
        "info",
        f"The artifact only points at {event.path}, which is there; so nothing was saved.",
    )
    return RefusedFile(identifier=event.identifier, diagnostics=(told,))


def _held(event: ArtifactQuarantined) -> QuarantinedFile:
    return QuarantinedFile(
        identifier=event.identifier,
        diagnostics=event.diagnostics,
        path=event.draft_of,
        draft=event.path,
        revision=event.revision,
        reason=event.reason,
        lost=event.lost,
        quarantine=event.quarantine,
    )


def _named(identifier: str, event: ArtifactSaved | ArtifactRefused) -> RefusedFile:
    return RefusedFile(identifier=identifier, diagnostics=event.diagnostics)
