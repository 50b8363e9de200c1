"""`vitrail replay`: a recording on standard output, with its timing."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from vitrail.adapters.agents.recordings import RecordingShelf
    from vitrail.protocol.recording import Recording, RecordingLine

__all__ = ["replay"]


def replay(
    recording: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|NAME", help="A recording's file, its name, or - for stdin."
        ),
    ] = None,
    *,
    speed: Annotated[
        float, typer.Option(help="How many times as fast; 0 plays at once.", min=0)
    ] = 1.0,
    instant: Annotated[bool, typer.Option("--instant", help="Play at once.")] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="Name the recordings there are.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON lines instead of text.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(help="Data folder whose recordings count too.")
    ] = None,
) -> None:
    """Play a recording."""
    shelf = _shelf(data)
    if list_:
        _print_list(shelf, as_json=as_json)
        return
    if recording is None:
        raise typer.BadParameter("expected a recording; --list names those there are")
    found = _load(recording, shelf)
    _play(found, speed=0.0 if instant else speed, as_json=as_json)


def _shelf(data: Path | None) -> RecordingShelf:
    from vitrail.adapters.agents.recordings import RecordingShelf
    from vitrail.adapters.datafolder import find_data_folder
    from vitrail.server.settings import read_settings

    folder = find_data_folder(None, data=data or read_settings().data)
    return RecordingShelf(folder / "recordings")


def _print_list(shelf: RecordingShelf, *, as_json: bool) -> None:
    import asyncio

    for example in asyncio.run(shelf.examples()):
        if as_json:
            print(example.model_dump_json(by_alias=True))
        else:
            length = f"{example.duration_s:.0f} s"
            print(f"{example.name:<24} {length:>6}  {example.title}")


def _load(name: str, shelf: RecordingShelf) -> Recording:
    import asyncio

    from vitrail.adapters.agents.recordings import read_recording_file
    from vitrail.errors import NotFound
    from vitrail.protocol.recording import RECORDING_SUFFIX

    if name == "-":
        return read_recording_file(sys.stdin.buffer)
    path = Path(name)
    if path.is_file():
        with path.open("rb") as file:
            return read_recording_file(file)
    if path.parent != Path() or name.endswith(RECORDING_SUFFIX):
        raise NotFound(f"There is no file {name}.", code="recording-not-found")
    return asyncio.run(shelf.load(name))


def _play(recording: Recording, *, speed: float, as_json: bool) -> None:
    clock = time.monotonic  # noqa: TID251 - a shell keeps time by itself
    began = clock()
    for line in recording.lines:
        if speed > 0 and (ahead_s := began + line.t / speed - clock()) > 0:
            sys.stdout.flush()
            time.sleep(ahead_s)
        _print_line(line, as_json=as_json)
    sys.stdout.flush()
    reason = recording.lines[-1].end
    if reason != "done":
        print(f"note: the recorded run ended early: {reason}", file=sys.stderr)


def _print_line(line: RecordingLine, *, as_json: bool) -> None:
    if as_json:
        value = line.model_dump(mode="json", by_alias=True, exclude_none=True)
        print(json.dumps(value, ensure_ascii=False))
    elif line.text is not None:
        sys.stdout.write(line.text)
