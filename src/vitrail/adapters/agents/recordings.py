"""The shelf of recordings: those that ship, and those of the data folder."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import IO, Final

from vitrail.adapters.failures import storage_errors
from vitrail.adapters.private_files import add_private_file
from vitrail.errors import InvalidInput, NotFound, VitrailError
from vitrail.protocol.http import Example
from vitrail.protocol.recording import (
    RECORDING_SUFFIX,
    Recording,
    read_recording,
    write_recording,
)

__all__ = ["RecordingShelf", "read_recording_file"]

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MAX_NAME_CHARS: Final = 200
"""What every disk takes as a file's name, suffix included."""
_SHIPPED_ORDER: Final = (
    "landing-page",
    "landing-page-second-turn",
    "six-slide-deck",
    "chart-dashboard",
    "markdown-report",
    "svg-mark",
    "two-artifacts",
    "protocol-lesson",
    "question-form",
)
"""The order of the examples: what shows most of the pipeline first."""
_MAX_BYTES: Final = 64 * 1024 * 1024
"""Largest recording that is read; the longest body in one-character lines is less."""


class RecordingShelf:
    """Recordings by name; a saved one hides a shipped one of the same name.

    ``saved`` is the folder of the person's own recordings; it need not exist.
    Recordings that ship cannot change while the program runs, so they are
    read once.
    """

    def __init__(self, saved: Path | None = None) -> None:
        self._saved = saved
        self._shipped: dict[str, Recording] = {}

    async def examples(self) -> tuple[Example, ...]:
        """Return all recordings that can be read.

        The shipped ones come first, in the order a newcomer plays them, then
        the person's own by name.
        """
        return await asyncio.to_thread(self._examples)

    async def load(self, name: str) -> Recording:
        """Return a recording.

        Raises ``NotFound('recording-not-found')``, and ``InvalidInput`` for a
        file that is none.
        """
        return await asyncio.to_thread(self._load, name)

    async def save(self, recording: Recording) -> str:
        """Keep a recording under its own name or, if taken, that and a number.

        Returns the name. Raises ``StorageError``.
        """
        return await asyncio.to_thread(self._save, recording)

    # --- on a thread ------------------------------------------------------

    def _examples(self) -> tuple[Example, ...]:
        shipped, saved = set(_names(_package())), set(_names(self._saved))
        names = [*sorted(shipped - saved, key=_rank), *sorted(saved)]
        return tuple(example for name in names if (example := self._example(name)))

    def _example(self, name: str) -> Example | None:
        try:
            recording = self._load(name)
        except VitrailError:
            return None  # a foreign file in the folder; ``load`` says what is wrong
        head = recording.head
        return Example(
            name=name,
            title=head.title,
            description=head.description,
            prompt=head.prompt,
            follows=head.follows,
            duration_s=recording.duration_s,
            is_shipped=name in self._shipped,
        )

    def _load(self, name: str) -> Recording:
        if len(name) <= _MAX_NAME_CHARS and _NAME.fullmatch(name):
            if self._saved is not None:
                file = self._saved / f"{name}{RECORDING_SUFFIX}"
                if file.is_file():
                    self._shipped.pop(name, None)
                    return _read(file)
            if name in self._shipped:
                return self._shipped[name]
            packed = _package() / f"{name}{RECORDING_SUFFIX}"
            if packed.is_file():
                self._shipped[name] = _read(packed)
                return self._shipped[name]
        raise NotFound(
            f"There is no recording named {name!r}. "
            "`vitrail replay --list` names those there are.",
            code="recording-not-found",
        )

    def _save(self, recording: Recording) -> str:
        if self._saved is None:
            msg = "expected a shelf with a folder of its own to save into"
            raise ValueError(msg)
        name, number = recording.head.name, 1
        while True:
            free = name if number == 1 else f"{name}-{number}"
            head = recording.head.model_copy(update={"name": free})
            text = write_recording(Recording(head, recording.lines))
            packed = _package() / f"{free}{RECORDING_SUFFIX}"
            path = self._saved / f"{free}{RECORDING_SUFFIX}"
            if not packed.is_file() and add_private_file(path, text.encode()):
                return free
            number += 1


def _rank(name: str) -> tuple[int, str]:
    known = name in _SHIPPED_ORDER
    return _SHIPPED_ORDER.index(name) if known else len(_SHIPPED_ORDER), name


def _package() -> Traversable:
    return resources.files("vitrail") / "recordings"


def _names(folder: Path | Traversable | None) -> Iterator[str]:
    if folder is None or not folder.is_dir():
        return
    for file in folder.iterdir():
        name = file.name.removesuffix(RECORDING_SUFFIX)
        if name != file.name and _NAME.fullmatch(name):
            yield name


def _read(file: Path | Traversable) -> Recording:
    with storage_errors(), file.open("rb") as handle:
        return read_recording_file(handle)


def read_recording_file(file: IO[bytes]) -> Recording:
    """Return the recording that an open file holds.

    Raises ``InvalidInput('recording-invalid')``.
    """
    content = file.read(_MAX_BYTES + 1)
    if len(content) > _MAX_BYTES:
        raise InvalidInput(
            f"The recording is larger than {_MAX_BYTES // 1024 // 1024} MiB.",
            code="recording-invalid",
        )
    try:
        return read_recording(content.decode())
    except UnicodeDecodeError as cause:
        raise InvalidInput(
            "The recording is not UTF-8 text.", code="recording-invalid"
        ) from cause
