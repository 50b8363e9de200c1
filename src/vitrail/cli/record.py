"""`vitrail record`: a stream of text, or a stored run, as a recording."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vitrail.adapters.datafolder import DataFolder
    from vitrail.protocol.recording import Recording, RecordingLine

__all__ = ["record"]

_PIECE_BYTES = 64 * 1024
_FILE_PIECE_CHARS = 24
"""A file says nothing about time; it is cut like a stream, at a model's pace."""


def record(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The text; - is standard input.")
    ] = "-",
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where to; standard output if not given."),
    ] = None,
    run: Annotated[
        str | None, typer.Option(help="Save this stored run instead of a text.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="Data folder of the run, and of the keys.")
    ] = None,
    title: Annotated[str, typer.Option(help="What the recording is of.")] = "",
    prompt: Annotated[str, typer.Option(help="What the person asked.")] = "",
    pace: Annotated[
        float, typer.Option(help="Characters a second, for a FILE.", min=1)
    ] = 600.0,
) -> None:
    """Save a run as a recording.

    A text on standard input is recorded with its timing as it comes; a stored
    run with the timing it had. Keys that Vitrail knows are taken out.
    """
    from vitrail.protocol.recording import write_recording

    if run is not None:
        recording = _stored_run(run, data)
    else:
        timed = _timed_stdin() if file == "-" else _timed_file(Path(file), pace)
        recording = _recording(timed, title=title, prompt=prompt, keys=_keys(data))
    text = write_recording(recording)
    if out is None:
        sys.stdout.write(text)
        return
    _write(out, text)
    print(
        f"Saved {out.name}: {len(recording.text)} characters, "
        f"{recording.duration_s:.1f} s",
        file=sys.stderr,
    )


def _write(out: Path, text: str) -> None:
    from vitrail.adapters.failures import storage_errors

    with storage_errors():
        out.write_text(text, "utf-8")


# --- a text -------------------------------------------------------------


def _timed_stdin() -> Iterator[tuple[float, str]]:
    """Yield what comes with the seconds at which it came; Ctrl-C ends it."""
    clock = time.monotonic  # noqa: TID251 - a shell keeps time by itself
    began = clock()
    try:
        for text in _decoded(sys.stdin.buffer):
            yield round(clock() - began, 3), text
    except KeyboardInterrupt:
        print("note: stopped; what had come is kept", file=sys.stderr)


def _timed_file(path: Path, pace: float) -> Iterator[tuple[float, str]]:
    from vitrail.adapters.failures import storage_errors
    from vitrail.errors import InvalidPath, NotFound

    if path.is_dir():
        raise InvalidPath(f"{path.name} is a folder; expected a file of text.")
    with storage_errors():
        try:
            file = path.open("rb")
        except FileNotFoundError as cause:
            raise NotFound(
                f"There is no file {path}.", code="file-not-found"
            ) from cause
    with file:
        text = "".join(_decoded(file))
    for start in range(0, len(text), _FILE_PIECE_CHARS):
        yield round(start / pace, 3), text[start : start + _FILE_PIECE_CHARS]


def _decoded(file: BinaryIO) -> Iterator[str]:
    import codecs

    from vitrail.core.text.decode import BYTE_ORDER_MARK
    from vitrail.errors import NotText

    decoder = codecs.getincrementaldecoder("utf-8")()
    read = getattr(file, "read1", file.read)
    is_first = True
    try:
        while data := read(_PIECE_BYTES):
            text = decoder.decode(data)
            if text and is_first:
                text, is_first = text.removeprefix(BYTE_ORDER_MARK), False
            if text:
                yield text
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as cause:
        raise NotText("This is not UTF-8 text; nothing was saved.") from cause


def _recording(
    timed: Iterator[tuple[float, str]],
    *,
    title: str,
    prompt: str,
    keys: Sequence[str],
) -> Recording:
    from vitrail.adapters.clock import SystemClock
    from vitrail.core.text.scrub import scrub
    from vitrail.protocol.recording import Recording, RecordingHead
    from vitrail.protocol.times import timestamp
    from vitrail.workflow.prompt import conversation_title
    from vitrail.workflow.record import recording_name

    prompt = scrub(prompt, keys)
    title = scrub(title, keys) or (conversation_title(prompt) if prompt else "")
    began = timestamp(SystemClock().now())
    lines = tuple(_lines(timed, keys))
    head = RecordingHead(
        name=recording_name(title),
        title=title or "Recorded text",
        prompt=prompt,
        agent="command",
        recorded_at=began,
    )
    return Recording(head, lines)


def _lines(
    timed: Iterator[tuple[float, str]], keys: Sequence[str]
) -> Iterator[RecordingLine]:
    from vitrail.core.text.scrub import Scrubber
    from vitrail.protocol.recording import RecordingLine

    scrubber = Scrubber(keys)
    t = 0.0
    for t, text in timed:
        if clean := scrubber.feed(text):
            yield RecordingLine(t=t, text=clean)
    if rest := scrubber.flush():
        yield RecordingLine(t=t, text=rest)
    yield RecordingLine(t=t, end="done")


def _keys(data: Path | None) -> tuple[str, ...]:
    """Return the keys that the environment and the data folder hold."""
    from vitrail.adapters.datafolder import find_data_folder
    from vitrail.adapters.secrets import SECRETS_NAME, KeyFile
    from vitrail.server.settings import read_settings

    settings = read_settings()
    folder = find_data_folder(None, data=data or settings.data)
    stored = KeyFile(folder / SECRETS_NAME).read().values()
    told = [settings.model.api_key] if settings.model.api_key else []
    return (*told, *(key.key for key in stored))


# --- a stored run -------------------------------------------------------


def _stored_run(run_id: str, data: Path | None) -> Recording:
    import asyncio

    from vitrail.adapters.datafolder import (
        DATABASE_NAME,
        find_data_folder,
        make_data_folder,
    )
    from vitrail.errors import NotFound
    from vitrail.server.settings import read_settings

    folder = find_data_folder(Path.cwd(), data=data or read_settings().data)
    if not (folder / DATABASE_NAME).is_file():
        raise NotFound(
            "There is no data folder here, so there is no run. Name one with --data.",
            code="run-not-found",
        )
    return asyncio.run(_from_store(run_id, make_data_folder(folder)))


async def _from_store(run_id: str, folder: DataFolder) -> Recording:
    from vitrail.adapters.agents.recordings import RecordingShelf
    from vitrail.adapters.agents.registry import AgentRegistry
    from vitrail.adapters.clock import SystemClock
    from vitrail.adapters.embedded import open_store
    from vitrail.adapters.ids import UuidIds
    from vitrail.adapters.secrets import SECRETS_NAME, KeyFile
    from vitrail.server.settings import read_settings
    from vitrail.workflow.record import Recorder

    clock = SystemClock()
    store = await open_store(folder, clock=clock, ids=UuidIds())
    try:
        shelf = RecordingShelf(folder.path / "recordings")
        agents = AgentRegistry(
            store,
            shelf=shelf,
            keys=KeyFile(folder.path / SECRETS_NAME),
            clock=clock,
            environment=read_settings().model,
        )
        return await Recorder(store, agents, shelf).record(run_id)
    finally:
        await store.close()
