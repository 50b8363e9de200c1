"""Transcripts: conversations as a file, and back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, BinaryIO, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from vitrail.protocol.transcript import ImportedTranscript
from vitrail.server.headers import content_disposition
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep
from vitrail.workflow.transcripts import TranscriptChoice, TranscriptText

__all__ = ["router"]

router = APIRouter(tags=["transcripts"])

_TYPE: Final = "application/x-ndjson"
_SPOOLED_BYTES: Final = 1024 * 1024
"""Of a body that comes in, what waits in memory for the disk."""
_LINES: Final[dict[str, Any]] = {
    "content": {_TYPE: {"schema": {"type": "string"}}},
    "description": "The transcript, a JSON object a line.",
}

_Redact = Annotated[
    bool,
    Query(description="Take out keys, tokens, e-mail addresses and paths of the home."),
]
_Summaries = Annotated[
    bool, Query(description="Tell an artifact that is on disk by one line.")
]


@router.get(
    "/conversations/{conversation_id}/transcript",
    response_class=Response,
    responses={200: _LINES, **declare("conversation-not-found")},
)
async def download_transcript(
    runtime: RuntimeDep,
    conversation_id: Id,
    *,
    redact: _Redact = False,
    summaries: _Summaries = False,
) -> Response:
    """Download a conversation as a transcript."""
    conversation = await runtime.store.conversation(conversation_id)
    told = await runtime.transcripts.tell(
        conversation.project_id,
        conversation_id,
        TranscriptChoice(redact=redact, summaries=summaries),
    )
    return _sent(told, "" if redact else conversation.title)


@router.get(
    "/projects/{project_id}/transcript",
    response_class=Response,
    responses={200: _LINES, **declare("project-not-found")},
)
async def download_project_transcript(
    runtime: RuntimeDep,
    project_id: Id,
    *,
    redact: _Redact = False,
    summaries: _Summaries = False,
) -> Response:
    """Download all conversations of a project as one transcript."""
    project = await runtime.store.project(project_id)
    choice = TranscriptChoice(redact=redact, summaries=summaries)
    told = await runtime.transcripts.tell(project_id, None, choice)
    return _sent(told, project.name)


@router.post(
    "/projects/{project_id}/transcripts",
    status_code=201,
    responses=declare(
        "project-not-found",
        "transcript-invalid",
        "transcript-incomplete",
        "transcript-too-new",
    ),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {_TYPE: {"schema": {"type": "string"}}},
        }
    },
)
async def import_transcript(
    request: Request, runtime: RuntimeDep, project_id: Id
) -> ImportedTranscript:
    """Take the conversations of a transcript into a project: all of them or none."""
    # asked before the body is waited for
    await runtime.store.project(project_id)
    with runtime.transcripts.spool() as spool:
        await _spooled(request, spool)
        return await runtime.transcripts.read(project_id, spool)


async def _spooled(request: Request, spool: BinaryIO) -> None:
    """Put the body into the file as it comes; it is read from its beginning then."""
    waiting: list[bytes] = []
    size = 0
    async for piece in request.stream():
        waiting.append(piece)
        size += len(piece)
        if size >= _SPOOLED_BYTES:
            await asyncio.to_thread(spool.writelines, waiting)
            waiting, size = [], 0
    await asyncio.to_thread(spool.writelines, waiting)
    spool.seek(0)


def _sent(told: TranscriptText, title: str) -> Response:
    name = "".join(c if c.isalnum() or c in " -_." else "_" for c in title).strip(" .")
    headers = {
        "Content-Disposition": content_disposition(
            f"{name or 'conversation'}.transcript.jsonl"
        ),
        "Content-Length": str(told.size),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingResponse(_pieces(told), media_type=_TYPE, headers=headers)


async def _pieces(told: TranscriptText) -> AsyncIterator[bytes]:
    pieces: Iterator[bytes] = told.pieces()
    try:
        while piece := await asyncio.to_thread(next, pieces, b""):
            yield piece
    finally:
        told.close()
