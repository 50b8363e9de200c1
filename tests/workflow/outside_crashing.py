"""Notices what another program did, and ends at one step of a commit.

python outside_crashing.py DATA STEP COUNT: STEP is a `CommitStep`; it ends with
status 77 when it comes there for the COUNTth time, with 0 if it never does.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import open_store
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.watching import FolderWatch
from vitrail.workflow.outside import OutsideChanges, OutsidePace


async def main(data: DataFolder, step: str, count: int) -> None:
    seen = 0

    def on_step(reached: str) -> None:
        nonlocal seen
        seen += reached == step
        if seen == count:
            os._exit(77)

    clock, ids = SystemClock(), UuidIds()
    store = await open_store(data, clock=clock, ids=ids, on_step=on_step)
    outside = OutsideChanges(
        store, clock, ids, folders=FolderWatch(store), pace=OutsidePace(settle_s=0)
    )
    for project in await store.projects():
        await outside.notice(project.id)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(DataFolder(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])))
