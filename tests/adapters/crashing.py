"""Commits one file and ends the process at a named step, as a power cut would.

python crashing.py DATA STEP OLD NEW
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import make_data_folder
from vitrail.adapters.embedded import open_store
from vitrail.adapters.ids import UuidIds
from vitrail.ports import FileDelete
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.workflow.folders import project_in
from vitrail.workflow.write import Entry, FileWriter

EXIT_CODE = 77
AT = "2026-01-01T00:00:00.000Z"


def manifest(title: str) -> ArtifactManifest:
    return ArtifactManifest(
        kind="html",
        title=title,
        entry="index.html",
        renderer="html",
        exports=("html",),
        created_at=AT,
        updated_at=AT,
    )


async def crash(data: Path, step: str, old: str, new: str) -> None:
    clock, ids = SystemClock(), UuidIds()
    armed = False

    def end_at(reached: str) -> None:
        if armed and reached == step:
            os._exit(EXIT_CODE)

    store = await open_store(
        make_data_folder(data), clock=clock, ids=ids, on_step=end_at
    )
    project = await project_in(
        store, clock, ids, root="projects/site", folder_name="site"
    )
    writer = FileWriter(store, clock, ids)

    async def write(content: str, replaces: str | None) -> str:
        written = await writer.enter(
            Entry(
                project_id=project.id,
                path="index.html",
                content=content.encode(),
                author="model",
                replaces=replaces,
                manifest=lambda _path, _content, _previous: manifest(content),
                is_gated=False,
            )
        )
        return written.revision.digest

    before = await write(old, None) if old else None
    armed = True
    if new:
        await write(new, before)
    elif before:
        await store.delete_file(
            FileDelete(project_id=project.id, path="index.html", working_digest=before)
        )
    await store.close()


if __name__ == "__main__":
    asyncio.run(crash(Path(sys.argv[1]), *sys.argv[2:5]))
