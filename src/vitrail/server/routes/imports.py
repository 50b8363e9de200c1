"""What comes in: archives and bundles, as the body of one request."""

from __future__ import annotations

import asyncio
import tempfile
from typing import Annotated, Any, BinaryIO, Final, Literal, cast

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from vitrail.errors import InvalidInput
from vitrail.protocol.imports import ImportResult
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep
from vitrail.server.writes import ReplaceReason

__all__ = ["router"]

router = APIRouter(tags=["exchange"])

_SPOOLED_BYTES: Final = 1024 * 1024
"""Of a body, what is kept in memory; more goes to a file without a name."""

_ARCHIVE: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {"application/zip": {"schema": {"type": "string"}}},
    }
}
_REFUSALS: Final = (
    "archive-invalid",
    "import-refused",
    "bundle-damaged",
    "bundle-too-new",
    "revision-conflict",
    "path-clash",
    "file-exists",
    "path-invalid",
    "path-outside-project",
    "path-reserved",
    "artifact-publication-blocked",
    "artifact-regression",
)


@router.post(
    "/projects/{project_id}/import",
    responses=declare("project-not-found", *_REFUSALS),
    openapi_extra=_ARCHIVE,
)
async def import_into_project(
    request: Request,
    response: Response,
    runtime: RuntimeDep,
    project_id: Id,
    replace: ReplaceReason,
    onto: Annotated[
        Literal["project", "new"],
        Query(description="This project, or a new one of the same title."),
    ] = "project",
) -> ImportResult:
    """Bring a ZIP's files, or a bundle's history, into a project.

    Whatever may not come in refuses all of it, with ``details.refused`` as the
    list, and nothing is written. A file that is there with other bytes is
    replaced only where ``Vitrail-Replace: {"reason": "…"}`` says why.
    """
    project = await runtime.store.project(project_id)
    body = await _spooled(request)
    if onto == "project":
        return await runtime.exchange.bring_in(project_id, body, replace=replace)
    _refuse_replacing(replace)
    response.status_code = 201
    return await runtime.exchange.make(project.title, body)


@router.post(
    "/imports",
    status_code=201,
    responses=declare("project-exists", *_REFUSALS),
    openapi_extra=_ARCHIVE,
)
async def import_as_project(
    request: Request,
    runtime: RuntimeDep,
    title: Annotated[
        str | None,
        Query(
            min_length=1,
            max_length=200,
            description="The project's title; without it a bundle's own.",
        ),
    ] = None,
) -> ImportResult:
    """Make a project of a ZIP's files or a bundle's history; none where it is refused."""
    return await runtime.exchange.make(title, await _spooled(request))


def _refuse_replacing(replace: str | None) -> None:
    if replace is not None:
        raise InvalidInput(
            "A new project has no file to replace; leave the reason out."
        )


async def _spooled(request: Request) -> BinaryIO:
    """Return the body as a file, read from its beginning; its reader closes it."""
    spool = cast(  # what it has of a file is not typed as one
        "BinaryIO",
        tempfile.SpooledTemporaryFile(max_size=_SPOOLED_BYTES),  # noqa: SIM115 - the reader closes it
    )
    try:
        async for piece in request.stream():
            await asyncio.to_thread(spool.write, piece)
        spool.seek(0)
    except BaseException:
        spool.close()
        raise
    return spool
