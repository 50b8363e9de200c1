"""Projects."""

from __future__ import annotations

from fastapi import APIRouter

from vitrail.protocol.http import NewProject, ProjectPage, ProjectPatch
from vitrail.protocol.records import Project
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep

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
