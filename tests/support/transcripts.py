"""A data folder with a project whose conversations tests tell and read back."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vitrail.adapters.clock import FixedClock
from vitrail.adapters.datafolder import make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import CountingIds
from vitrail.ports import PutConversation, PutMessage, PutRun
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.records import (
    ArtifactPart,
    Conversation,
    DiagnosticPart,
    DirectivePart,
    EmbedPart,
    ErrorPart,
    FormAnswersPart,
    FormPart,
    Message,
    Part,
    ReasoningPart,
    Run,
    SavedFile,
    SuppressedPart,
    TextPart,
)
from vitrail.protocol.transcript import ImportedTranscript
from vitrail.workflow.projects import Projects
from vitrail.workflow.transcripts import TranscriptChoice, Transcripts

AT = "2026-01-01T00:00:00.000Z"


@dataclass(slots=True)
class Shelf:
    """A store with one project, and the transcripts of it."""

    store: EmbeddedStore
    clock: FixedClock
    ids: CountingIds
    transcripts: Transcripts
    project_id: str
    folder: Path
    """Of the project."""
    data: Path

    async def begin(
        self, title: str = "", *, at: str = AT, updated_at: str | None = None
    ) -> Conversation:
        conversation = Conversation(
            id=self.ids.new(),
            project_id=self.project_id,
            title=title,
            created_at=at,
            updated_at=updated_at or at,
        )
        await self.store.apply([PutConversation(conversation)])
        return conversation

    async def say(
        self,
        conversation: Conversation,
        role: Any,
        *parts: Part | str,
        run: bool = False,
    ) -> Message:
        message_id = self.ids.new()
        run_id = self.ids.new() if run else None
        message = Message(
            id=message_id,
            conversation_id=conversation.id,
            role=role,
            parts=tuple(
                TextPart(text=part) if isinstance(part, str) else part for part in parts
            ),
            run_id=run_id,
            created_at=AT,
        )
        if run_id is not None:
            await self.store.apply(
                [PutRun(run_of(run_id, conversation, message_id, "done"))]
            )
        await self.store.apply([PutMessage(message)])
        return message

    async def told(
        self, conversation_id: str | None = None, **choice: bool
    ) -> list[dict[str, Any]]:
        """Return the lines of the transcript, decoded."""
        text = await self.text(conversation_id, **choice)
        assert text.endswith(b"\n")
        return [json.loads(line) for line in text.decode().splitlines()]

    async def text(self, conversation_id: str | None = None, **choice: bool) -> bytes:
        told = await self.transcripts.tell(
            self.project_id, conversation_id, TranscriptChoice(**choice)
        )
        text = b"".join(told.pieces())
        assert len(text) == told.size
        told.close()
        return text

    async def read(self, text: bytes) -> ImportedTranscript:
        return await self.transcripts.read(self.project_id, io.BytesIO(text))

    async def messages(self, conversation_id: str) -> tuple[Message, ...]:
        return (await self.store.messages(conversation_id))[0]


def run_of(run_id: str, conversation: Conversation, message_id: str, state: Any) -> Run:
    return Run(
        id=run_id,
        project_id=conversation.project_id,
        conversation_id=conversation.id,
        message_id=message_id,
        agent="command",
        state=state,
        reason=None if state == "running" else "done",
        started_at=AT,
        ended_at=None if state == "running" else AT,
    )


@asynccontextmanager
async def open_shelf(data: Path, *, homes: Sequence[str] = ()) -> AsyncIterator[Shelf]:
    clock, ids = FixedClock(), CountingIds()
    folder = make_data_folder(data)
    store = await open_store(folder, clock=clock, ids=ids)
    try:
        known = await store.projects()
        project = (
            known[0] if known else await Projects(store, clock, ids).create("Site")
        )
        yield Shelf(
            store=store,
            clock=clock,
            ids=ids,
            transcripts=Transcripts(
                store,
                store.transcripts(),
                clock,
                ids,
                homes=homes,
                secrets=lambda: ("the key of the model",),
            ),
            project_id=project.id,
            folder=folder.projects / project.name,
            data=folder.path,
        )
    finally:
        await store.close()


def lines(*values: dict[str, Any]) -> bytes:
    """Return a transcript of these lines, with a header in front."""
    header = {"kind": "header", "schemaVersion": 2, "projectId": "p", "exportedAt": AT}
    return b"".join(json.dumps(v).encode() + b"\n" for v in (header, *values))


def conversation_line(identity: str = "c", **more: Any) -> dict[str, Any]:
    line = {"kind": "conversation", "id": identity, "title": None}
    return {**line, "createdAt": AT, "updatedAt": AT, **more}


def message_line(
    position: int = 0, *blocks: dict[str, Any], conversation: str = "c", **more: Any
) -> dict[str, Any]:
    line = {
        "kind": "message",
        "conversationId": conversation,
        "id": f"m{position}",
        "role": "assistant",
        "position": position,
        "createdAt": AT,
        "blocks": list(blocks),
    }
    return {**line, **more}


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


PAGE = (
    "\n<!doctype html>\n<html lang=en><title>T</title>"
    "<p>A page that is long enough to be saved.</p></html>\n"
)


def artifact(text: str = PAGE, **more: Any) -> ArtifactPart:
    attributes = {"identifier": "page", "type": "text/html", "title": 'A "page"'}
    told: dict[str, Any] = {
        "artifact": 0,
        "identifier": "page",
        "artifact_type": "text/html",
        "title": 'A "page"',
        "attributes": attributes,
        "recovered": None,
        "text": text,
        "state": "complete",
        "reason": "closed",
    }
    return ArtifactPart(**{**told, **more})


def saved(text: str, path: str = "page.html", **more: Any) -> SavedFile:
    told: dict[str, Any] = {
        "path": path,
        "kind": "html",
        "digest": hashlib.sha256(text.encode()).hexdigest(),
        "revision": "r",
        "number": 1,
        "status": "complete",
    }
    return SavedFile(**{**told, **more})


FOUND = Diagnostic("html-too-short", "warning", "It is short.", (0, 3))
EVERY_PART: tuple[Part, ...] = (
    TextPart(text="Here it is: ☂\u2028\n", start=0),
    ReasoningPart(text="Let me think."),
    ReasoningPart(text="Again."),
    artifact(saved=saved(PAGE), diagnostics=(FOUND,)),
    TextPart(text="and ", start=400),
    DiagnosticPart(code="tag-too-long", severity="warning", message="Too long."),
    TextPart(text="", start=404),
    TextPart(text="more.", start=404),
    artifact("", artifact=1, state="cut", refused=True, pointer="x.html"),
    FormPart(
        form={"id": "f", "questions": [{"id": "q", "label": "Q", "type": "text"}]},
        complete=True,
    ),
    EmbedPart(ref="a", url=None, title=None, height=300),
    DirectivePart(name="media", value="a.png"),
    SuppressedPart(name="tool_call", chars=12),
    ErrorPart(code="agent-failed", message="It broke.", retryable=True),
)


def blocks_of(told: list[dict[str, Any]], position: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [line for line in told if line["kind"] == "message"][
        position
    ]["blocks"]
    return found


def neutral(text: bytes) -> str:
    """Return a transcript with its ids numbered as they come, without its digest."""
    told = re.sub(rb'"sha256":"[0-9a-f]+"', b"", text).decode()
    ids: dict[str, str] = {}
    return re.sub(
        r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}",
        lambda found: ids.setdefault(found.group(), f"id{len(ids)}"),
        told,
    )


async def fill(shelf: Shelf) -> None:
    talk = await shelf.begin("Talk ☂")
    await shelf.say(talk, "user", "Make a page.")
    asked = await shelf.say(talk, "assistant", *EVERY_PART, run=True)
    answers = FormAnswersPart(
        message_id=asked.id, form_id="f", answers={"q": ("a", "b"), "r": None}
    )
    await shelf.say(talk, "user", "[form answers — f]", answers)
    await shelf.say(talk, "assistant", run=True)
    await shelf.begin("Empty")
