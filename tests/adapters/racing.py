"""Writes one file again and again, beside another process that does the same.

python racing.py DATA NAME TIMES
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import make_data_folder
from vitrail.adapters.embedded import open_store
from vitrail.adapters.ids import UuidIds
from vitrail.errors import Conflict
from vitrail.workflow.folders import project_in
from vitrail.workflow.write import Entry, FileWriter


async def race(data: Path, name: str, times: int) -> None:
    clock, ids = SystemClock(), UuidIds()
    store = await open_store(make_data_folder(data), clock=clock, ids=ids)
    project = await project_in(
        store, clock, ids, root="projects/site", folder_name="site"
    )
    writer = FileWriter(store, clock, ids)
    done = 0
    while done < times:
        there = await store.file(project.id, "index.html")
        change = Entry(
            project_id=project.id,
            path="index.html",
            content=f"{name}{done}".encode(),
            author="model",
            replaces=there.digest if there else None,
            manifest=lambda _path, _content, _previous: None,
        )
        try:
            await writer.enter(change)
        except Conflict:
            continue
        done += 1
    await store.close()


if __name__ == "__main__":
    asyncio.run(race(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
