"""Transcripts: a project's conversations to a file, and conversations from one.

Strategy: out, everything is read in one snapshot, a message at a time, on a
thread of the store; the lines go to a nameless file, so that the header, which
counts them, can come first and a slow reader holds nothing open. In, each line
is judged before anything is written; what they say waits in a nameless file,
and then one transaction takes all of it or none. Memory holds one line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import BinaryIO, Final, Protocol, TypeVar

from vitrail.core.export.redaction import Redactor
from vitrail.core.export.transcript import (
    TRANSCRIPT_NAME,
    TranscriptTally,
    write_conversation,
    write_header,
    write_message,
)
from vitrail.ports import Clock, Ids, Store, StoredEvent
from vitrail.protocol.records import Run
from vitrail.protocol.times import timestamp
from vitrail.protocol.transcript import (
    ImportedTranscript,
    ToldConversation,
    ToldMessage,
)
from vitrail.workflow.transcript_parts import Telling
from vitrail.workflow.transcript_reading import TranscriptReader, spooled_records

__all__ = [
    "SavedTranscript",
    "Source",
    "TranscriptChoice",
    "TranscriptStore",
    "TranscriptText",
    "Transcripts",
]

_T = TypeVar("_T")

_PIECE_BYTES: Final = 256 * 1024


class Source(Protocol):
    """One moment's conversations of a project, read as they are asked for."""

    def conversations(self) -> Iterator[ToldConversation]:
        """Yield the conversations, the first begun first."""
        ...

    def messages(self, conversation_id: str) -> Iterator[ToldMessage]:
        """Yield a conversation's messages in order.

        One whose run goes on has the parts that its events fold to.
        """
        ...


class TranscriptStore(Protocol):
    """What transcripts need of a store beside its records."""

    def spool(self) -> BinaryIO:
        """Return a file without a name, which is gone when it is closed."""
        ...

    async def tell(
        self,
        project_id: str,
        conversation_id: str | None,
        work: Callable[[Source], _T],
    ) -> _T:
        """Return what ``work`` makes of the conversations, on a thread of the store.

        Raises ``NotFound`` for a project or a conversation that is not there.
        """
        ...

    async def insert(
        self, project_id: str, told: Iterable[ToldConversation | ToldMessage]
    ) -> tuple[StoredEvent, ...]:
        """Insert conversations, each before its messages, in one transaction."""
        ...

    def placing(
        self, project_id: str
    ) -> AbstractAsyncContextManager[Callable[[Iterable[bytes]], Awaitable[int]]]:
        """Hold the lock of the project's transcript; what is got writes the file.

        Raises ``Conflict('transcript-locked')`` where somebody else has it.
        """
        ...


@dataclass(frozen=True, slots=True)
class TranscriptChoice:
    """What is told, and how."""

    redact: bool = False
    """Whether keys, tokens, e-mail addresses and paths of the home are taken out."""
    summaries: bool = False
    """Whether an artifact that is on disk is told by one line."""


@dataclass(frozen=True, slots=True)
class SavedTranscript:
    """What was written into a project's folder."""

    path: str
    conversation_count: int
    message_count: int
    bytes_written: int
    redacted: Mapping[str, int]
    """How often each kind of thing was taken out."""


@dataclass(slots=True)
class TranscriptText:
    """A whole transcript that is ready to be sent; ``close`` it."""

    header: bytes
    _body: BinaryIO
    size: int
    """Bytes."""
    tally: TranscriptTally
    redacted: Mapping[str, int]
    """How often each kind of thing was taken out."""

    def saved(self, path: str, size: int) -> SavedTranscript:
        """Return what is said of it once it was written."""
        counts = self.tally.conversations, self.tally.messages
        return SavedTranscript(path, *counts, size, self.redacted)

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes, once; blocking."""
        yield self.header
        self._body.seek(0)
        while piece := self._body.read(_PIECE_BYTES):
            yield piece

    def close(self) -> None:
        """Let go of the file behind it."""
        self._body.close()


class Transcripts:
    """Transcripts of the projects of one store."""

    def __init__(
        self,
        store: Store,
        files: TranscriptStore,
        clock: Clock,
        ids: Ids,
        *,
        homes: Sequence[str] = (),
        secrets: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """``homes`` and ``secrets`` are what a redacted one must not show besides."""
        self._store = store
        self._files = files
        self._clock = clock
        self._ids = ids
        self._homes = tuple(homes)
        self._secrets = secrets

    async def tell(
        self,
        project_id: str,
        conversation_id: str | None = None,
        choice: TranscriptChoice = TranscriptChoice(),
    ) -> TranscriptText:
        """Return the transcript of a project, or of one of its conversations.

        Raises ``NotFound``.
        """
        redactor = None
        if choice.redact:
            redactor = Redactor(secrets=self._secrets(), homes=self._homes)
        on_disk = await self._on_disk(project_id) if choice.summaries else None
        telling = Telling(redactor, on_disk)
        body = self._files.spool()
        try:
            tally = await self._files.tell(
                project_id,
                conversation_id,
                lambda source: _write_body(source, telling, body),
            )
            tally.summaries = telling.summaries
            header = write_header(
                project_id,
                timestamp(self._clock.now()),
                tally,
                redacted=None if redactor is None else redactor.counts,
            )
            counts = {} if redactor is None else dict(redactor.counts)
            size = len(header) + body.tell()
            return TranscriptText(header, body, size, tally, counts)
        except BaseException:
            body.close()
            raise

    async def save(
        self,
        project_id: str,
        conversation_id: str | None = None,
        choice: TranscriptChoice = TranscriptChoice(),
    ) -> SavedTranscript:
        """Write the transcript into the project's folder, in one step.

        One that is there is replaced when the new one is whole. Raises
        ``Conflict('transcript-locked')`` while another one is being written.
        """
        await self._store.project(project_id)
        async with self._files.placing(project_id) as place:
            told = await self.tell(project_id, conversation_id, choice)
            try:
                size = await place(told.pieces())
            finally:
                told.close()
        return told.saved(TRANSCRIPT_NAME, size)

    async def read(self, project_id: str, source: BinaryIO) -> ImportedTranscript:
        """Take the conversations of a transcript into a project: all of them or none.

        They get ids of their own and keep their times. Raises ``InvalidInput``:
        ``transcript-invalid`` names the lines that are wrong, and
        ``transcript-incomplete``, ``transcript-too-new``, ``payload-too-large``.
        """
        await self._store.project(project_id)
        with self._files.spool() as spool:
            reader = TranscriptReader(
                project_id, self._ids, timestamp(self._clock.now())
            )
            await asyncio.to_thread(reader.read, source, spool)
            await self._files.insert(project_id, spooled_records(spool))
        return ImportedTranscript(
            conversations=tuple(reader.conversations),
            messages=reader.messages,
            diagnostics=tuple(reader.diagnostics),
        )

    def spool(self) -> BinaryIO:
        """Return a file without a name, for a transcript that is on its way in."""
        return self._files.spool()

    async def _on_disk(self, project_id: str) -> frozenset[str]:
        """Return the files that stand for what was said: those with their own manifest."""
        return frozenset(
            file.path
            for file in await self._store.files(project_id)
            if file.manifest is not None
            and not (file.manifest.metadata or {}).get("inferred")
        )


# --- out ------------------------------------------------------------------------


def _write_body(source: Source, telling: Telling, body: BinaryIO) -> TranscriptTally:
    """Write every line but the header; return what there was."""
    tally = TranscriptTally()
    for told in source.conversations():
        tally.conversations += 1
        title = telling.text(told.conversation.title)
        conversation = told.conversation.model_copy(update={"title": title})
        shown = ToldConversation(conversation, telling.carried(told.carried))
        body.writelines(tally.add(line) for line in write_conversation(shown))
        for position, said in enumerate(source.messages(conversation.id)):
            tally.messages += 1
            pieces = telling.pieces(said)
            shown_message = ToldMessage(
                said.message,
                _told_run(said.run, telling),
                telling.carried(said.carried),
            )
            body.writelines(
                tally.add(line)
                for line in write_message(shown_message, position, pieces, tally)
            )
    return tally


def _told_run(run: Run | None, telling: Telling) -> Run | None:
    if run is None or telling.redactor is None:
        return run
    shown = tuple(
        file.model_copy(update={"path": telling.text(file.path)}) for file in run.shown
    )
    return run.model_copy(
        update={
            "agent": telling.text(run.agent),
            "model": None if run.model is None else telling.text(run.model),
            "shown": shown,
        }
    )
