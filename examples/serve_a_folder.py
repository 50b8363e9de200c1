"""Serve a folder's workspace from a program, ask its API for the files, and stop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2

from vitrail import Workspace
from vitrail.adapters.datafolder import find_data_folder, make_data_folder
from vitrail.server.opening import open_runtime
from vitrail.server.serving import Ready, run, serve
from vitrail.server.settings import Settings
from vitrail.server.sockets import listen

FOLDER = Path("site")
REPLY = (
    '<artifact identifier="tea" type="image/svg+xml">'
    '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg></artifact>'
)


async def ask(url: str, token: str) -> list[str]:
    """Return the names of the first project's files."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(
        base_url=url, headers=headers, trust_env=False
    ) as client:
        projects = (await client.get("/api/projects")).json()
        files = await client.get(f"/api/projects/{projects[0]['id']}/files")
    return [file["path"] for file in files.json()]


async def main() -> None:
    """Serve until the answer is there."""
    data = make_data_folder(find_data_folder(FOLDER))
    settings = Settings(port=0, preview_port=0)  # any free ports
    listeners = listen(settings)
    runtime = await open_runtime(data, listeners.ports(settings), folder=FOLDER)
    is_ready = asyncio.get_running_loop().create_future()

    async def visit() -> list[str]:
        ready: Ready = await is_ready
        return await ask(ready.url, data.token())

    visiting = asyncio.create_task(visit())
    await serve(runtime, listeners, on_ready=is_ready.set_result, until=visiting)
    print(visiting.result())


with Workspace(FOLDER) as workspace:
    workspace.ingest(REPLY)
run(main)
