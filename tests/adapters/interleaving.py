"""Does what it is told to files of a project, several things at once, and says how each ended.

python interleaving.py DATA

A line of JSON on standard input is one operation, begun at once; a line on
standard output is how it ended. An empty line ends the process.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import make_data_folder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import UuidIds
from vitrail.adapters.objects import digest_of
from vitrail.errors import Conflict, NotFound
from vitrail.ports import (
    AppendEvent,
    EventPlace,
    FileDelete,
    FileMove,
    FileStep,
    FileWrite,
)
from vitrail.protocol.events import FileChanged, FileMoved, FileRemoved
from vitrail.protocol.records import Revision

PROJECT = "p1"
PATHS = ("index.html", "page.html", "docs/deep.html")
AT = "2026-01-01T00:00:00.000Z"


async def look(store: EmbeddedStore, path: str) -> dict[str, Any]:
    """Return what a writer knows of a path after it has read it."""
    while True:
        head = await store.head(PROJECT, path)
        there = await store.file(PROJECT, path)
        after = await store.head(PROJECT, path)
        if head == after:
            return {
                "digest": there.digest if there else None,
                "head": head.id if head else None,
                "number": head.number if head else 0,
            }


def revision_of(
    operation: dict[str, Any], path: str, content: bytes, **fields: Any
) -> Revision:
    known = operation["known"][path]
    return Revision(
        id=f"{operation['id']} {path}",
        project_id=PROJECT,
        path=path,
        number=known["number"] + 1,
        parent=known["head"],
        author=operation.get("author", "model"),
        digest=digest_of(content),
        size=len(content),
        created_at=AT,
    ).model_copy(update=fields)


def write_of(operation: dict[str, Any], path: str, content: bytes) -> FileWrite:
    revision = revision_of(operation, path, content)
    told = FileChanged(path, revision.digest, revision.id, revision.author)
    return FileWrite(
        revision=revision,
        content=content,
        manifest=None,
        events=(event(operation, told),),
        working_digest=operation["known"][path]["digest"],
    )


def delete_of(operation: dict[str, Any], path: str) -> FileDelete:
    return FileDelete(
        project_id=PROJECT,
        path=path,
        working_digest=operation["known"][path]["digest"],
        events=(event(operation, FileRemoved(path)),),
    )


def move_of(operation: dict[str, Any], path: str, target: str) -> FileMove:
    known = operation["known"]
    revision = revision_of(
        operation,
        target,
        b"",
        digest=known[path]["digest"],
        parent=known[path]["head"],
        moved_from=path,
    )
    return FileMove(
        path=path,
        working_digest=known[path]["digest"],
        revision=revision,
        manifest=None,
        events=(event(operation, FileMoved(path, target, revision.id)),),
    )


def event(operation: dict[str, Any], told: Any) -> AppendEvent:
    return AppendEvent(EventPlace(PROJECT, run_id=operation["id"]), told)


async def steps_of(
    store: EmbeddedStore, operation: dict[str, Any]
) -> tuple[FileStep, ...]:
    path = operation["path"]
    match operation["kind"]:
        case "write":
            return (write_of(operation, path, operation["text"].encode()),)
        case "restore":
            content = await store.read_object(operation["restores"])
            return (write_of(operation, path, content),)
        case "delete":
            return (delete_of(operation, path),)
        case "move":
            return (move_of(operation, path, operation["target"]),)
        case "accept":
            content = operation["text"].encode()
            return (
                write_of(operation, path, content),
                delete_of(operation, operation["target"]),
            )
        case _:
            raise ValueError(operation["kind"])


async def carry_out(store: EmbeddedStore, operation: dict[str, Any]) -> dict[str, Any]:
    if operation["kind"] == "look":
        return {"saw": {path: await look(store, path) for path in PATHS}}
    if operation["kind"] == "notice":
        known = await look(store, operation["path"])
        if known["digest"] is None:
            return {"outcome": "nothing"}
        content, _ = await store.read_file(PROJECT, operation["path"])
        head = await store.head(PROJECT, operation["path"])
        if head is not None and head.digest == known["digest"]:
            return {"outcome": "nothing"}
        operation = operation | {
            "author": "outside",
            "known": {operation["path"]: known},
        }
        steps: tuple[FileStep, ...] = (write_of(operation, operation["path"], content),)
    else:
        steps = await steps_of(store, operation)
    for _ in range(operation.get("looks_first", 0)):
        await store.head(PROJECT, operation["path"])
    try:
        await store.commit_files(steps)
    except Conflict as error:
        return {"outcome": "conflict", "details": error.details}
    except NotFound as error:
        return {"outcome": error.code}
    return {"outcome": "done"}


async def serve(data: Path) -> None:
    store = await open_store(make_data_folder(data), clock=SystemClock(), ids=UuidIds())
    tasks: set[asyncio.Task[None]] = set()

    async def work(operation: dict[str, Any]) -> None:
        ended = {"id": operation["id"], **await carry_out(store, operation)}
        sys.stdout.write(json.dumps(ended) + "\n")
        sys.stdout.flush()

    while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
        task = asyncio.create_task(work(json.loads(line)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    await store.close()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
