"""The event stream."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Header, Query
from starlette.responses import StreamingResponse

from vitrail.server.routes.deps import RuntimeDep
from vitrail.server.stream import EventStreamResponse, parse_last_event_id

__all__ = ["router"]

router = APIRouter(tags=["events"])

_MAX_SEQ: Final = 2**63 - 1


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "description": "Frames whose data is an `Envelope`, without end.",
        }
    },
)
async def stream_events(
    runtime: RuntimeDep,
    after: Annotated[int | None, Query(ge=0, le=_MAX_SEQ)] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> EventStreamResponse:
    """Send every event after a number, each once and in order, then what happens.

    ``Last-Event-ID`` comes before ``after``, since a browser that connects
    again repeats the address. Without either, the stream begins now.
    """
    resumed = parse_last_event_id(last_event_id)
    start = after if resumed is None else resumed
    return EventStreamResponse(await runtime.feed.subscribe(start))
