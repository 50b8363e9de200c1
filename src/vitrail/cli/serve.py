"""`vitrail serve`: the workspace and its API, until Ctrl-C."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from vitrail.server.serving import Ready
    from vitrail.server.settings import Settings

__all__ = ["serve"]


def serve(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="Open this folder as a project."),
    ] = None,
    *,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            help="Port of the workspace; 0: any.",
            show_default="7717",
            min=0,
            max=65535,
        ),
    ] = None,
    preview_port: Annotated[
        int | None,
        typer.Option(
            help="Port of the previews; 0: any.",
            show_default="7718",
            min=0,
            max=65535,
        ),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The data folder to use.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON lines instead of words.")
    ] = False,
) -> None:
    """Serve the workspace and its API on this machine.

    Prints a link that lets one browser in. Ctrl-C stops it; runs that go on
    are written down as interrupted.
    """
    from vitrail.cli.files import warn
    from vitrail.server.settings import read_settings

    settings = read_settings()
    warn(settings.unread)
    settings = replace(
        settings,
        host=settings.host if host is None else host,
        port=settings.port if port is None else port,
        preview_port=settings.preview_port if preview_port is None else preview_port,
    )
    where = _data_folder(folder, data, settings)
    # Before the server's own code, which takes its time to load.
    _tell({"state": "opening", "data": str(where)}, f"Opening {where}", as_json=as_json)
    _run(where, folder, settings, as_json=as_json)
    _tell({"state": "stopped"}, "Stopped.", as_json=as_json)


def _data_folder(folder: Path | None, data: Path | None, settings: Settings) -> Path:
    from vitrail.adapters.datafolder import find_data_folder
    from vitrail.errors import InvalidPath

    if folder is not None and not folder.expanduser().is_dir():
        raise InvalidPath(f"There is no folder {folder}. Name one, or make it first.")
    environment = str(settings.data) if settings.data else None
    return find_data_folder(folder, data=data, environment=environment)


def _run(
    where: Path, folder: Path | None, settings: Settings, *, as_json: bool
) -> None:
    from vitrail.adapters.datafolder import (
        DataFolder,
        locate_project,
        make_data_folder,
    )
    from vitrail.server.opening import open_runtime
    from vitrail.server.serving import run, serve
    from vitrail.server.sockets import listen

    listeners = listen(settings)
    try:
        bound = listeners.ports(settings)
        is_data_folder = folder is not None and folder.resolve() == where.resolve()
        project = None if is_data_folder else folder
        if project is not None:
            # refused before anything is made
            locate_project(DataFolder(where), project)
        opened = make_data_folder(where)

        async def main() -> None:
            runtime = await open_runtime(opened, bound, folder=project)
            await serve(
                runtime, listeners, on_ready=lambda ready: _ready(ready, as_json)
            )

        run(main)
    finally:
        listeners.close()


def _ready(ready: Ready, as_json: bool) -> None:
    settings = ready.settings
    facts = {
        "state": "ready",
        "url": ready.url,
        "link": ready.link,
        "port": settings.port,
        "previewPort": settings.preview_port,
    }
    words = f"Vitrail answers. Open this link; it works once:\n\n  {ready.link}\n"
    if not _is_loopback(settings.host):
        words += (
            f"\nIt listens on {settings.host}, beyond this machine, without encryption; "
            "put a proxy with TLS in front.\n"
        )
    _tell(facts, words + "\nStop it with Ctrl-C.", as_json=as_json)


def _is_loopback(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.")


def _tell(facts: dict[str, object], words: str, *, as_json: bool) -> None:
    print(json.dumps(facts, ensure_ascii=False) if as_json else words, flush=True)
