"""What goes out: a project's files, or its whole history."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query
from starlette.responses import Response, StreamingResponse

from vitrail.adapters.zips import stream_zip
from vitrail.server.etags import etag, is_unchanged
from vitrail.server.headers import content_disposition
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep

__all__ = ["router"]

router = APIRouter(prefix="/projects/{project_id}", tags=["exchange"])

_ARCHIVE = {"content": {"application/zip": {}}, "description": "The archive."}


@router.get(
    "/export",
    response_class=Response,
    responses={
        200: _ARCHIVE,
        304: {"description": "The client has the bundle of this very history."},
        **declare("project-not-found"),
    },
)
async def export_project(
    runtime: RuntimeDep,
    project_id: Id,
    *,
    to: Annotated[
        Literal["bundle", "zip"],
        Query(description="The whole history, or the files as they are."),
    ] = "bundle",
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Download a project's history as a bundle, or its files as a ZIP.

    A bundle's ``ETag`` is its seal, the last hash of its chain: equal
    histories have equal seals and equal bytes.
    """
    project = await runtime.store.project(project_id)
    if to == "zip":
        files = await runtime.exchange.outgoing(project_id)
        pieces = stream_zip([(file.name, file.read) for file in files])
        return _sent(pieces, f"{project.name}.zip")
    packed = await runtime.exchange.pack(project_id)
    tag = {"ETag": etag(packed.seal)}
    if is_unchanged(if_none_match, packed.seal):
        return Response(status_code=304, headers=tag)
    return _sent(packed.pieces, f"{project.name}.bundle.zip", tag)


@router.get(
    "/zip",
    response_class=StreamingResponse,
    responses={200: _ARCHIVE, **declare("project-not-found")},
)
async def download_project(runtime: RuntimeDep, project_id: Id) -> Response:
    """Download all files of a project; equal files give an equal archive."""
    project = await runtime.store.project(project_id)
    files = await runtime.exchange.outgoing(project_id)
    pieces = stream_zip([(file.name, file.read) for file in files])
    return _sent(pieces, f"{project.name}.zip")


def _sent(
    pieces: AsyncIterator[bytes], name: str, more: dict[str, str] | None = None
) -> StreamingResponse:
    return StreamingResponse(
        pieces,
        media_type="application/zip",
        headers={"Content-Disposition": content_disposition(name), **(more or {})},
    )
