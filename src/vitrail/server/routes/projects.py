"""Projects."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from vitrail.protocol.http import NewProject, ProjectPage, ProjectPatch
from vitrail.protocol.records import Project
from vitrail.server.headers import content_disposition
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep
from vitrail.server.zips import ZipEntry, stream_zip

__all__ = ["router"]

router = APIRouter(prefix="/projects", tags=["projects"])

_MISSING = declare("project-not-found")


@router.get("")
async def list_projects(runtime: RuntimeDep) -> tuple[Project, ...]:
    """List all projects, the last used first."""
    return await runtime.store.projects()


@router.post("", status_code=201, responses=declare("project-exists"))
async def create_project(runtime: RuntimeDep, body: NewProject) -> Project:
    """Make a project with a folder named after its title."""
    return await runtime.projects.create(body.title)


@router.get("/{project_id}", responses=_MISSING)
async def get_project(runtime: RuntimeDep, project_id: Id) -> ProjectPage:
    """Return a project with its conversations and files."""
    return ProjectPage(
        project=await runtime.store.project(project_id),
        conversations=await runtime.store.conversations(project_id),
        files=await runtime.store.files(project_id),
    )


@router.patch("/{project_id}", responses=_MISSING)
async def rename_project(
    runtime: RuntimeDep, project_id: Id, body: ProjectPatch
) -> Project:
    """Give a project another title; its folder keeps its name."""
    return await runtime.projects.rename(project_id, body.title)


@router.delete(
    "/{project_id}",
    status_code=204,
    responses=declare("project-not-found", "run-active"),
)
async def delete_project(runtime: RuntimeDep, project_id: Id) -> None:
    """Forget a project and its conversations; its folder is kept."""
    await runtime.projects.delete(project_id)


@router.get(
    "/{project_id}/zip",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/zip": {}}, "description": "The archive."},
        **_MISSING,
    },
)
async def download_project(runtime: RuntimeDep, project_id: Id) -> StreamingResponse:
    """Download all files of a project; equal files give an equal archive."""
    project = await runtime.store.project(project_id)
    files = await runtime.store.files(project_id)

    def entry(path: str) -> ZipEntry:
        async def read() -> bytes:
            content, _ = await runtime.store.read_file(project_id, path)
            return content

        return path, read

    return StreamingResponse(
        # The store lists only names that every system can unpack.
        stream_zip([entry(file.path) for file in files]),
        media_type="application/zip",
        headers={"Content-Disposition": content_disposition(f"{project.name}.zip")},
    )
