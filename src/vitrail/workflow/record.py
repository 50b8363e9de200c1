"""Runs as recordings: what an agent said, when it said it, keys scrubbed.

Strategy: the log holds no raw text but events, and from them the text is
written again. Text and bodies stand in them as they came; tags are written
from their attributes, in one spelling. So the replay of a recorded run gives
the same parts and files. What only the end of the text could tell
(``recovered``) is left out, since a replay brings it about again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, Literal, Protocol

from vitrail.core.parse.written_tags import write_open_tag
from vitrail.core.text.scrub import Scrubber, scrub
from vitrail.errors import Conflict, NotFound
from vitrail.ports import Agents, Store
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    Event,
    Reasoning,
    RunEnd,
    Text,
    UnknownEvent,
    Usage,
)
from vitrail.protocol.http import Example
from vitrail.protocol.recording import (
    RECORDING_SUFFIX,
    Recording,
    RecordingHead,
    RecordingLine,
    RecordingUsage,
    write_recording,
)
from vitrail.protocol.records import Run, TextPart
from vitrail.workflow.prompt import conversation_title

__all__ = ["Recorder", "Shelf", "recording_name"]

_MAX_NAME_CHARS: Final = 60
_FALLBACK_NAME: Final = "recording"

_Said = tuple[Literal["text", "reasoning", "usage", "end"], str | RecordingUsage]


class Shelf(Protocol):
    """Where recordings are kept."""

    async def examples(self) -> tuple[Example, ...]:
        """Return all recordings, the shipped ones first."""
        ...

    async def save(self, recording: Recording) -> str:
        """Keep a recording; return the name it got."""
        ...


class Recorder:
    """Makes recordings of stored runs."""

    def __init__(self, store: Store, agents: Agents, shelf: Shelf) -> None:
        self._store = store
        self._agents = agents
        self._shelf = shelf

    async def examples(self) -> tuple[Example, ...]:
        """Return all recordings there are, the shipped ones first."""
        return await self._shelf.examples()

    async def export(self, run_id: str) -> tuple[str, bytes]:
        """Return a file name and the run as a recording, keys scrubbed.

        Raises ``NotFound('run-not-found')`` and, while the run goes on,
        ``Conflict('run-active')``.
        """
        recording = await self.record(run_id)
        name = f"{recording.head.name}{RECORDING_SUFFIX}"
        return name, write_recording(recording).encode()

    async def save(self, run_id: str) -> Example:
        """Keep the run as an example; raises what `export` does."""
        recording = await self.record(run_id)
        head = recording.head
        name = await self._shelf.save(recording)
        return Example(
            name=name,
            title=head.title,
            description=head.description,
            prompt=head.prompt,
            follows=head.follows,
            duration_s=recording.duration_s,
            is_shipped=False,
        )

    async def record(self, run_id: str) -> Recording:
        """Return the run as a recording; raises what `export` does."""
        run = await self._store.run(run_id)
        if run.state == "running":
            raise Conflict(
                "This run goes on. It can be saved as a recording when it is over.",
                code="run-active",
            )
        secrets = self._agents.secrets()
        prompt = scrub(await self._prompt(run), secrets)
        title = conversation_title(prompt)
        stored = await self._store.run_events(run_id)
        if not stored:
            raise NotFound(
                "This run came from a transcript, which has no timing. There is nothing "
                "to record.",
                code="recording-not-found",
            )
        began = datetime.fromisoformat(run.started_at)
        timed = [
            ((datetime.fromisoformat(item.at) - began).total_seconds(), item.event)
            for item in stored
        ]
        head = RecordingHead(
            name=recording_name(title),
            title=title,
            prompt=prompt,
            agent=run.agent,
            model=run.model,
            recorded_at=run.started_at,
        )
        return Recording(head, tuple(_lines(timed, secrets)))

    async def _prompt(self, run: Run) -> str:
        """Return the person's message that the run answered."""
        messages, _ = await self._store.messages(run.conversation_id)
        asked = ""
        for message in messages:
            if message.id == run.message_id:
                break
            if message.role == "user":
                parts = message.parts
                asked = "".join(p.text for p in parts if isinstance(p, TextPart))
        return asked


def recording_name(title: str) -> str:
    """Return a name for a recording, by which it can be asked for.

    >>> recording_name("A landing page, please…")
    'a-landing-page-please'
    """
    words = re.findall(r"[a-z0-9]+", title.lower())
    name = "-".join(words)[:_MAX_NAME_CHARS].strip("-")
    return name or _FALLBACK_NAME


# --- events to what was said --------------------------------------------


def _lines(
    timed: Iterable[tuple[float, Event | UnknownEvent]], secrets: Iterable[str]
) -> Iterator[RecordingLine]:
    """Yield the lines of a recording; time never falls, the last one is the end."""
    secrets = tuple(secrets)
    scrubbers = {"text": Scrubber(secrets), "reasoning": Scrubber(secrets)}
    told = _Teller()
    t = 0.0
    for at, event in timed:
        t = max(t, round(at, 3))
        for kind, said in told.of(event):
            match kind, said:
                case (("text" | "reasoning"), str()):
                    clean = scrubbers[kind].feed(said)
                    if clean:
                        yield RecordingLine.model_validate({"t": t, kind: clean})
                case "usage", RecordingUsage():
                    yield RecordingLine(t=t, usage=said)
                case _:
                    pass
    for channel, scrubber in scrubbers.items():
        if rest := scrubber.flush():
            yield RecordingLine.model_validate({"t": t, channel: rest})
    yield RecordingLine(t=t, end=told.reason)


class _Teller:
    """Says again what an agent must have said for these events."""

    def __init__(self) -> None:
        self.reason: Literal["done", "length", "stopped", "failed"] = "failed"
        self._recovered: set[int] = set()
        self._is_thinking = False

    def of(self, event: Event | UnknownEvent) -> Iterator[_Said]:
        is_thought = isinstance(event, Reasoning) and event.span[0] < event.span[1]
        if self._is_thinking and not is_thought:
            yield "text", "</think>"
        if is_thought and not self._is_thinking:
            yield "text", "<think>"
        self._is_thinking = is_thought
        match event:
            case Text():
                yield "text", event.delta
            case Reasoning():
                # An empty span: it came on a channel of its own.
                yield "text" if is_thought else "reasoning", event.delta
            case ArtifactStart() | ArtifactChunk() | ArtifactEnd():
                yield from self._of_artifact(event)
            case Usage():
                yield (
                    "usage",
                    RecordingUsage(
                        input_tokens=event.input_tokens,
                        output_tokens=event.output_tokens,
                    ),
                )
            case RunEnd():
                self.reason = (
                    "failed" if event.reason == "interrupted" else event.reason
                )
            case _:
                pass

    def _of_artifact(
        self, event: ArtifactStart | ArtifactChunk | ArtifactEnd
    ) -> Iterator[_Said]:
        if isinstance(event, ArtifactStart) and event.recovered is not None:
            self._recovered.add(event.artifact)
        if event.artifact in self._recovered:
            return
        match event:
            case ArtifactStart():
                yield "text", write_open_tag(event.attributes)
            case ArtifactChunk():
                yield "text", event.delta
            case ArtifactEnd() if event.complete:
                yield "text", "</artifact>"
            case _:
                pass
