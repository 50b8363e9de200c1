"""From an artifact's events to its file; the same for a live turn and for `ingest`.

Strategy: bodies are gathered in lists as their chunks come. When an artifact
ends: kind, verdict, place, manifest, one commit. The outcome is an event of
that commit's own transaction. A file that is written by somebody else between
looking and committing is looked at again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from vitrail.core.commit import (
    Candidate,
    CommitPlan,
    Listing,
    Origin,
    Refusal,
    Row,
    manifest_of,
    plan_commit,
    plan_row,
)
from vitrail.core.parse.pointers import find_pointer, may_point
from vitrail.core.validate import Candidate as Checked
from vitrail.core.validate import Verdict, validate
from vitrail.errors import Conflict, InvalidInput, InvalidPath
from vitrail.ports import AppendEvent, Clock, EventPlace, Ids, Store
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactPointer,
    ArtifactRefused,
    ArtifactSaved,
    ArtifactStart,
    Event,
)
from vitrail.protocol.losses import Lost
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo, Run
from vitrail.protocol.times import timestamp
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.lineage import text_of
from vitrail.workflow.merging import bring_together, object_text
from vitrail.workflow.sets import FileSet
from vitrail.workflow.typed import told_typed, typed_losses
from vitrail.workflow.write import Entered, Entry, FileWriter, Hold, held_event

__all__ = ["ArtifactSaver", "Origin", "Source"]

_MAX_ATTEMPTS: Final = 8
"""Looks at a file that others keep writing to, before the artifact is refused."""

_POINTING_KINDS: Final = frozenset({"html", "deck", "markdown-document"})
"""Kinds whose body may be a remark about another file."""

_MAX_TOLD_LOSSES: Final = 100
"""Of one new version; an event that carries them stays small."""

_SMALL_BODY_CHARS: Final = 64 * 1024
"""Checked in a millisecond; a longer body is checked in a thread of its own."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text comes from, and what its writer knew of the project."""

    place: EventPlace
    """What the events belong to; its project is the one that is written to."""
    origin: Origin = field(default_factory=Origin)
    shown: Mapping[str, str] | None = None
    """Digests of the files as the model was shown them; None: it was shown nothing,
    and its text goes on top of whatever is there."""
    since: str | None = None
    """When it was shown them; a file that is not among them and was written later is
    not replaced."""
    reason: str | None = None
    """Why, for the revisions."""
    replace_reason: str | None = None
    """Why files are replaced by something that may lose much of them; they are then."""
    unfinished: str | None = None
    """Digest of the cut file that the text continues; it may be written over."""

    @classmethod
    def of_run(cls, run: Run, *, unfinished: str | None = None) -> Source:
        """Return the source that a run is."""
        return cls(
            place=EventPlace(
                project_id=run.project_id,
                conversation_id=run.conversation_id,
                run_id=run.id,
                message_id=run.message_id,
            ),
            origin=Origin(run=run.id, message=run.message_id, model=run.model),
            shown={file.path: file.digest for file in run.shown},
            since=run.started_at,
            unfinished=unfinished,
        )


@dataclass(slots=True)
class _Open:
    start: ArtifactStart
    deltas: list[str] = field(default_factory=list)


class ArtifactSaver:
    """Saves the artifacts of one text; events go in in their order."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        source: Source | Run,
        *,
        gates: GateKeeper | None = None,
    ) -> None:
        """``source`` is the run that writes the text, or says where it comes from."""
        if isinstance(source, Run):
            source = Source.of_run(source)
        if source.place.project_id is None:
            raise ValueError("expected a place with a project, got one without")
        self._store = store
        self._clock = clock
        self._project_id = source.place.project_id
        self._source = source
        self._writer = FileWriter(store, clock, ids, gates)
        self._set = FileSet(store, clock, self._project_id)
        self._open: dict[int, _Open] = {}
        self._own: dict[str, str] = {}
        self._said: dict[str, str] = {}

    async def feed(self, events: Iterable[Event]) -> list[Event]:
        """Take events of the text; return what became of artifacts that ended.

        The returned events are in the log already. Raises ``StorageError``.
        """
        outcomes: list[Event] = []
        for event in events:
            match event:
                case ArtifactStart():
                    self._open[event.artifact] = _Open(event)
                case ArtifactChunk() if event.artifact in self._open:
                    self._open[event.artifact].deltas.append(event.delta)
                case ArtifactEnd() if event.artifact in self._open:
                    opened = self._open.pop(event.artifact)
                    body = "".join(opened.deltas)
                    outcomes += await self._save(opened.start, body, end=event)
                case _:
                    pass
        self._remember(outcomes)
        return outcomes

    async def close(self, earlier: Iterable[Event] = ()) -> None:
        """Let each page of the text list the other files that it needs.

        ``earlier`` are events of the text whose outcomes somebody else stored.
        Raises ``StorageError``.
        """
        self._remember(earlier)
        await self._set.list_parts()

    def _remember(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, ArtifactSaved):
                self._set.add(event)

    async def _save(
        self, start: ArtifactStart, body: str, *, end: ArtifactEnd
    ) -> tuple[Event, ...]:
        candidate = Candidate(
            identifier=start.identifier,
            artifact_type=start.artifact_type,
            title=start.title,
            body=body,
            is_complete=end.complete,
            language=start.attributes.get("language", ""),
            recovered=start.recovered,
        )
        pointed = await self._pointed(candidate)
        if pointed is not None:
            return await self._point(start, pointed)
        if len(body) <= _SMALL_BODY_CHARS:
            checked = _check(candidate)
        else:
            checked = await asyncio.to_thread(_check, candidate)
        if isinstance(checked, Refusal):
            return await self._refuse(start, checked.diagnostics)
        for _ in range(_MAX_ATTEMPTS):
            try:
                return await self._commit(start, checked, end)
            except Conflict:
                continue
            except InvalidPath as error:
                return await self._refuse(start, (_told(error),))
            except InvalidInput as error:
                found = (*checked.diagnostics, *_found(error))
                return await self._refuse(start, found)
        return await self._refuse(start, (_BUSY,))

    async def _pointed(self, candidate: Candidate) -> str | None:
        """Return the file that a body only points at, where it is a page or a text."""
        if not candidate.is_complete or not may_point(candidate.body):
            return None
        row = plan_row(candidate)
        is_prose = isinstance(row, Refusal) and not candidate.artifact_type.strip()
        if not is_prose and (
            isinstance(row, Refusal) or row.kind not in _POINTING_KINDS
        ):
            return None
        files = await self._store.files(self._project_id)
        own = ""
        if not isinstance(row, Refusal):
            plan = plan_commit(candidate, row, Listing(files))
            own = "" if isinstance(plan, Refusal) else plan.path
        return find_pointer(
            candidate.body, candidate=own, files=[file.path for file in files]
        )

    async def _point(self, start: ArtifactStart, path: str) -> tuple[Event, ...]:
        pointer = ArtifactPointer(start.artifact, start.identifier, path)
        await self._store.apply([AppendEvent(self._source.place, pointer)])
        return (pointer,)

    async def _commit(
        self, start: ArtifactStart, checked: _Checked, end: ArtifactEnd
    ) -> tuple[Event, ...]:
        candidate = checked.candidate
        files = await self._store.files(self._project_id)
        fits = end.reason != "unjoined"
        plan = plan_commit(
            candidate,
            checked.row,
            Listing(files),
            shown=self._shown(files),
            unfinished=self._source.unfinished if fits else None,
        )
        if isinstance(plan, Refusal):
            return await self._refuse(start, plan.diagnostics)
        if plan.draft_reason == "changed-since-shown":
            return await self._bring_together(start, checked, plan, files)
        return await self._enter(start, checked, plan)

    async def _bring_together(
        self,
        start: ArtifactStart,
        checked: _Checked,
        plan: CommitPlan,
        files: Sequence[FileInfo],
    ) -> tuple[Event, ...]:
        """Save a new version of a file that was changed since the model was shown it."""
        good = next((file for file in files if file.path == plan.draft_of), None)
        if good is None:
            raise Conflict("The file is gone since it was listed.")
        onto = replace(
            plan,
            path=good.path,
            replaces=good.digest,
            draft_of=None,
            draft_reason=None,
            previous=good.manifest,
        )
        theirs = checked.candidate.body
        ours, read = await self._store.read_file(self._project_id, good.path)
        if read.digest != good.digest:
            raise Conflict("The file was changed since it was listed.")
        both = await bring_together(
            good.path,
            plan.row.kind,
            base=await self._base(good.path),
            ours=ours,
            theirs=theirs,
        )
        if isinstance(both, Hold):
            return await self._enter(start, checked, onto, hold=both)
        merged = replace(
            checked,
            candidate=replace(checked.candidate, body=both.text),
            diagnostics=(*checked.diagnostics, *both.diagnostics),
        )
        events = await self._enter(start, merged, onto)
        # the model knows its own text only: what it writes next is merged once more
        self._said[good.path] = theirs
        self._own[good.path] = hashlib.sha256(theirs.encode()).hexdigest()
        return events

    async def _base(self, path: str) -> str | None:
        """Return the text of a file as the model knows it, or None."""
        if path in self._said:
            return self._said[path]
        shown = self._source.shown or {}
        return await object_text(self._store, self._own.get(path, shown.get(path)))

    async def _enter(
        self,
        start: ArtifactStart,
        checked: _Checked,
        plan: CommitPlan,
        *,
        hold: Hold | None = None,
    ) -> tuple[Event, ...]:
        def manifest(
            path: str, content: bytes, previous: ArtifactManifest | None
        ) -> ArtifactManifest:
            return manifest_of(
                replace(plan, path=path, previous=previous),
                checked.candidate,
                content=content,
                origin=self._source.origin,
                now=timestamp(self._clock.now()),
            )

        typed = await self._typed_losses(checked, plan) if hold is None else ()

        def announce(entered: Entered) -> tuple[Event, ...]:
            return (_outcome(start, checked, plan, entered, typed),)

        entered = await self._writer.enter(
            Entry(
                project_id=self._project_id,
                path=plan.path,
                content=checked.candidate.body.encode(),
                author="model",
                replaces=plan.replaces,
                manifest=manifest,
                kind=plan.row.kind,
                identifier=checked.candidate.identifier,
                place=self._source.place,
                run_id=self._source.place.run_id,
                reason=self._source.reason,
                replace_reason=self._source.replace_reason,
                is_gated=checked.candidate.is_complete,
                hold=hold,
                announce=announce,
            )
        )
        self._own[entered.revision.path] = entered.revision.digest
        return entered.events

    async def _typed_losses(
        self, checked: _Checked, plan: CommitPlan
    ) -> tuple[Lost, ...]:
        """Return what a person typed into the file and its new version has not."""
        if plan.replaces is None or not checked.candidate.is_complete:
            return ()
        content, _ = await self._store.read_file(self._project_id, plan.path)
        old = text_of(content)
        if old is None:
            return ()
        return await typed_losses(
            self._store,
            await self._store.head(self._project_id, plan.path),
            old=old,
            new=checked.candidate.body,
            kind=plan.row.kind,
        )

    def _shown(self, files: Iterable[FileInfo]) -> Mapping[str, str] | None:
        """Return the digests that may be replaced: shown, written by us, or older."""
        shown, since = self._source.shown, self._source.since
        if shown is None:
            return None
        unseen = {
            file.path: file.digest
            for file in files
            if file.path not in shown and since is not None and file.modified_at < since
        }
        return {**unseen, **shown, **self._own}

    async def _refuse(
        self, start: ArtifactStart, diagnostics: tuple[Diagnostic, ...]
    ) -> tuple[Event, ...]:
        refused = ArtifactRefused(start.artifact, start.identifier, diagnostics)
        await self._store.apply([AppendEvent(self._source.place, refused)])
        return (refused,)


@dataclass(frozen=True, slots=True)
class _Checked:
    """An artifact that may be saved."""

    candidate: Candidate
    row: Row
    diagnostics: tuple[Diagnostic, ...]


def _check(candidate: Candidate) -> _Checked | Refusal:
    """Return the candidate as the rules let it through, or why they do not."""
    row = plan_row(candidate)
    if isinstance(row, Refusal):
        return row
    verdict: Verdict = validate(
        Checked(
            kind=row.kind,
            body=candidate.body,
            is_complete=candidate.is_complete,
            identifier=candidate.identifier,
            title=candidate.title,
        )
    )
    if not verdict.ok:
        return Refusal(verdict.diagnostics)
    mended = replace(
        candidate, body=verdict.candidate.body, title=verdict.candidate.title
    )
    return _Checked(mended, row, verdict.diagnostics)


def _outcome(
    start: ArtifactStart,
    checked: _Checked,
    plan: CommitPlan,
    entered: Entered,
    typed: tuple[Lost, ...],
) -> Event:
    diagnostics = (*checked.diagnostics, *entered.diagnostics)
    if entered.record is not None:
        held = held_event(entered, start.artifact)
        return msgspec.structs.replace(
            held, identifier=start.identifier, diagnostics=diagnostics
        )
    revision = entered.revision
    return ArtifactSaved(
        artifact=start.artifact,
        identifier=start.identifier,
        path=revision.path,
        kind=plan.row.kind,
        digest=revision.digest,
        revision=revision.id,
        number=revision.number,
        status=plan.status,
        diagnostics=(*diagnostics, *told_typed(revision.path, typed)),
        lost=(*typed, *entered.lost)[:_MAX_TOLD_LOSSES],
    )


def _found(error: InvalidInput) -> tuple[Diagnostic, ...]:
    """Return what the gates found, as the error carries it."""
    said = error.details.get("diagnostics")
    found = said if isinstance(said, tuple) else ()
    return found or (Diagnostic(error.code, "error", error.message),)


def _told(error: InvalidPath) -> Diagnostic:
    return Diagnostic(error.code, "error", error.message)


_BUSY: Final = Diagnostic(
    "revision-conflict",
    "error",
    "The file kept being changed by another program, so nothing was saved. The text "
    "is in the message; save it again when the other program is done.",
)
