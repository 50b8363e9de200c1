"""Runs: started, stopped, looked at, saved as recordings."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from vitrail.protocol.http import ContinueRun, Example, NewRun, RunPage, RunStarted
from vitrail.protocol.records import Run
from vitrail.server.headers import content_disposition
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep

__all__ = ["router"]

router = APIRouter(tags=["runs"])

_RECORDING_TYPE = "application/x-ndjson"


@router.post(
    "/conversations/{conversation_id}/runs",
    status_code=202,
    responses=declare(
        "conversation-not-found",
        "agent-not-found",
        "recording-not-found",
        "run-active",
        "agent-not-configured",
        "recording-invalid",
    ),
)
async def start_run(
    runtime: RuntimeDep, conversation_id: Id, body: NewRun
) -> RunStarted:
    """Add a message and begin the run that answers it; what it says are events."""
    conversation = await runtime.store.conversation(conversation_id)
    return await runtime.turns.start(conversation.project_id, conversation_id, body)


@router.post(
    "/runs/{run_id}/continue",
    status_code=202,
    responses=declare(
        "run-not-found",
        "nothing-to-continue",
        "agent-not-found",
        "recording-not-found",
        "run-active",
        "agent-not-configured",
        "recording-invalid",
    ),
)
async def continue_run(
    runtime: RuntimeDep, run_id: Id, body: ContinueRun | None = None
) -> RunStarted:
    """Begin the run that continues the artifact in which this one was cut."""
    return await runtime.turns.go_on(run_id, body or ContinueRun())


@router.post("/runs/{run_id}/stop", responses=declare("run-not-found"))
async def stop_run(runtime: RuntimeDep, run_id: Id) -> Run:
    """End a run for everybody; one that is over is returned as it is."""
    return await runtime.turns.stop(run_id)


@router.get("/runs/{run_id}", responses=declare("run-not-found"))
async def get_run(runtime: RuntimeDep, run_id: Id) -> RunPage:
    """Return a run and what the model was shown."""
    run = await runtime.store.run(run_id)
    prompt = await runtime.store.run_prompt(run_id)
    return RunPage(
        run=run,
        shown=run.shown,
        prompt=tuple(
            {"role": message.role, "content": message.content} for message in prompt
        ),
    )


@router.get(
    "/runs/{run_id}/recording",
    response_class=Response,
    responses={
        200: {"content": {_RECORDING_TYPE: {}}, "description": "The recording."},
        **declare("run-not-found", "recording-not-found", "run-active"),
    },
)
async def download_recording(runtime: RuntimeDep, run_id: Id) -> Response:
    """Download a run as a recording, keys scrubbed."""
    name, content = await runtime.recorder.export(run_id)
    return Response(
        content,
        media_type=_RECORDING_TYPE,
        headers={"Content-Disposition": content_disposition(name)},
    )


@router.post(
    "/runs/{run_id}/recording",
    status_code=201,
    responses=declare("run-not-found", "recording-not-found", "run-active"),
)
async def save_recording(runtime: RuntimeDep, run_id: Id) -> Example:
    """Keep a run as an example, keys scrubbed."""
    return await runtime.recorder.save(run_id)
