"""How a run is brought to its end: one that stopped here, or one that a crash left open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from vitrail.core.parse import PartFolder
from vitrail.errors import Conflict, NotFound, VitrailError
from vitrail.ports import (
    AppendEvent,
    Clock,
    EventPlace,
    PutMessage,
    PutRun,
    RunClaims,
    Store,
)
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactPointer,
    ArtifactQuarantined,
    ArtifactRefused,
    ArtifactSaved,
    ArtifactStart,
    EndReason,
    ErrorRaised,
    Event,
    RunEnd,
    RunEndReason,
    UnknownEvent,
    Usage,
)
from vitrail.protocol.records import Message, Run, RunState, Tokens
from vitrail.protocol.times import timestamp
from vitrail.workflow.reply import OpenArtifacts

__all__ = [
    "STATE_AFTER",
    "ArtifactSink",
    "RunAdopter",
    "RunCloser",
    "error_of",
    "place_of",
    "unexpected_error",
]

STATE_AFTER: Final[dict[RunEndReason, RunState]] = {
    "done": "done",
    "length": "done",
    "stopped": "stopped",
    "failed": "failed",
    "interrupted": "interrupted",
}
"""The state of a run that ended for this reason."""

_STOP_WAIT_S: Final = 10.0
"""How long another process may take to stop a run of its own."""
_STOP_LOOK_S: Final = 0.05

_OUTCOMES: Final = (
    ArtifactSaved,
    ArtifactQuarantined,
    ArtifactRefused,
    ArtifactPointer,
)


class ArtifactSink(Protocol):
    """What makes files of artifacts."""

    async def feed(self, events: Sequence[Event]) -> object:
        """Take a reply's events in order; save each artifact when it ends."""
        ...

    async def close(self, earlier: Sequence[Event] = ()) -> None:
        """Do what can be done only when the reply has ended.

        ``earlier`` are events of the reply whose artifacts were saved before.
        """
        ...


def place_of(run: Run) -> EventPlace:
    """Return where the events of a run belong."""
    return EventPlace(
        project_id=run.project_id,
        conversation_id=run.conversation_id,
        run_id=run.id,
        message_id=run.message_id,
    )


def error_of(error: VitrailError) -> ErrorRaised:
    """Return the event that tells an error in a conversation."""
    return ErrorRaised(
        code=error.code, message=error.message, retryable=error.retryable
    )


def unexpected_error() -> ErrorRaised:
    """Return the event for a fault of ours; the log has the rest."""
    return ErrorRaised(
        code="internal-error",
        message="Something in Vitrail failed. What had come is kept; "
        "the server's log says more.",
        retryable=True,
    )


@dataclass(frozen=True, slots=True)
class RunCloser:
    """Writes the last transaction of a run."""

    store: Store
    clock: Clock

    async def finish(
        self,
        run: Run,
        message: Message,
        reason: RunEndReason,
        error: ErrorRaised | None = None,
    ) -> Run:
        """Store error, end, state and the message's parts in one transaction.

        Every artifact of the run has its end by now.
        """
        place = place_of(run)
        told: list[Event] = [error] if error else []
        stored = await self.store.run_events(run.id)
        events = [*(item.event for item in stored), *told]
        folder = PartFolder()
        for event in events:
            folder.add(event)
        said = {"parts": folder.parts(), "chars": folder.chars}
        ended = run.model_copy(
            update={
                "state": STATE_AFTER[reason],
                "reason": reason,
                "ended_at": timestamp(self.clock.now()),
                "usage": _tokens(events),
            }
        )
        await self.store.apply(
            [
                *(AppendEvent(place, event) for event in told),
                AppendEvent(place, RunEnd(reason)),
                PutMessage(message.model_copy(update=said)),
                PutRun(ended),
            ]
        )
        return ended

    async def close_left_over(
        self, run: Run, reason: RunEndReason, sink: ArtifactSink
    ) -> Run:
        """End a run that nobody writes any more, from what the log has of it.

        Open artifacts end incomplete; artifacts that had ended, or end now,
        and have no outcome yet are saved by the same rules as ever.
        """
        stored = await self.store.run_events(run.id)
        events = [
            item.event for item in stored if not isinstance(item.event, UnknownEvent)
        ]
        ends = _missing_ends(events, "stopped" if reason == "stopped" else "failed")
        place = place_of(run)
        await self.store.apply([AppendEvent(place, end) for end in ends])
        error: ErrorRaised | None = None
        try:
            await sink.feed(_without_outcome([*events, *ends]))
            await sink.close(events)
        except VitrailError as failure:
            error = error_of(failure)
        message = await self._message(run)
        return await self.finish(run, message, reason, error)

    async def _message(self, run: Run) -> Message:
        messages, _ = await self.store.messages(run.conversation_id)
        for message in messages:
            if message.id == run.message_id:
                return message
        # A crash cannot lose it, since run and message are one transaction;
        # an older or foreign database may have.
        return Message(
            id=run.message_id,
            conversation_id=run.conversation_id,
            role="assistant",
            parts=(),
            run_id=run.id,
            created_at=run.started_at,
        )


@dataclass(frozen=True, slots=True)
class RunAdopter:
    """Ends runs that this process did not begin; `RunClaims` says which those are."""

    store: Store
    claims: RunClaims
    closer: RunCloser
    sink: Callable[[Run], ArtifactSink]

    async def adopt(self, run_id: str, reason: RunEndReason) -> Run | None:
        """Close a run that nobody writes; None where somebody does, or it is over."""
        if not await self.claims.claim(run_id):
            return None
        try:
            # Read under the claim: it may have ended in the meantime.
            run = await self.store.run(run_id)
            if run.state != "running":
                return None
            return await self.closer.close_left_over(run, reason, self.sink(run))
        except NotFound:
            return None
        finally:
            await self.claims.release(run_id)

    async def stop(self, run: Run) -> Run:
        """End a run that another process writes, or that none does any more."""
        asked = False
        for _ in range(int(_STOP_WAIT_S / _STOP_LOOK_S)):
            if await self.adopt(run.id, "stopped"):
                break
            run = await self.store.run(run.id)
            if run.state != "running":
                return run
            if not asked:
                await self.claims.ask_to_stop(run.id)
                asked = True
            await asyncio.sleep(_STOP_LOOK_S)
        else:
            raise Conflict(
                "Another server on this data folder writes this run and does not "
                "answer. Stop that server; the run ends with it.",
                code="run-active",
                run=run.id,
            )
        return await self.store.run(run.id)


def _missing_ends(events: Iterable[Event], reason: EndReason) -> list[Event]:
    open_artifacts = OpenArtifacts()
    open_artifacts.see(events)
    return open_artifacts.ends(reason)


def _without_outcome(events: Sequence[Event]) -> list[Event]:
    """Return the events of those artifacts that became nothing yet."""
    settled = {event.artifact for event in events if isinstance(event, _OUTCOMES)}
    bodies = (ArtifactStart, ArtifactChunk, ArtifactEnd)
    return [
        event
        for event in events
        if isinstance(event, bodies) and event.artifact not in settled
    ]


def _tokens(events: Sequence[Event | UnknownEvent]) -> Tokens | None:
    """Return what the provider counted last, if it told."""
    for event in reversed(events):
        if isinstance(event, Usage):
            return Tokens(
                input_tokens=event.input_tokens, output_tokens=event.output_tokens
            )
    return None
