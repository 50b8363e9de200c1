"""Transcripts for `vitrail export --to transcript` and `vitrail import`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from vitrail.limits import MAX_TRANSCRIPT_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vitrail.adapters.datafolder import DataFolder
    from vitrail.adapters.embedded import EmbeddedStore
    from vitrail.protocol.transcript import ImportedTranscript
    from vitrail.workflow.transcripts import SavedTranscript, TranscriptChoice

__all__ = ["export_transcript", "import_transcript", "is_transcript"]

_STDIO: Final = "-"
_SUFFIX: Final = ".transcript.jsonl"
_MARK: Final = b'{"kind":"header"'
"""How a transcript begins, spaces aside."""
_LOOKED_AT_BYTES: Final = 64


def is_transcript(name: str) -> bool:
    """Return whether a file is a transcript: by its name, else by how it begins.

    ``-`` is standard input, of which nothing is taken.
    """
    path = Path(name)
    if path.name.endswith(_SUFFIX):
        return True
    try:
        begin = _begin(path)
    except (OSError, ValueError):
        return False
    return begin.translate(None, b" \t\xef\xbb\xbf").startswith(_MARK)


def _begin(path: Path) -> bytes:
    if str(path) == _STDIO:
        peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
        return bytes(peek(_LOOKED_AT_BYTES)[:_LOOKED_AT_BYTES]) if peek else b""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(_LOOKED_AT_BYTES)


def export_transcript(
    source: str,
    out: Path | None,
    *,
    redact: bool = False,
    summaries: bool = False,
    data: Path | None = None,
) -> None:
    """Write the transcript of a project's folder, or of a conversation by its id.

    Without ``out`` it goes to ``.transcript.jsonl`` in the project's folder; ``-``
    is standard output. Raises ``NotFound``; nothing is made.
    """
    import asyncio

    from vitrail.workflow.transcripts import TranscriptChoice

    choice = TranscriptChoice(redact=redact, summaries=summaries)
    is_folder = _is_folder(source)
    where = _data_folder(Path(source) if is_folder else None, data)
    saved = asyncio.run(_exported(where, source, out, choice, is_folder=is_folder))
    _tell_saved(saved, source if is_folder and out is None else "")


def import_transcript(
    source: str, project: Path, *, data: Path | None = None, as_json: bool = False
) -> None:
    """Take the conversations of a transcript into a project: all of them or none.

    ``-`` is standard input. The project's folder is made if it is not there, and
    not for a transcript that is refused.
    """
    from vitrail.workspace import Workspace

    with _opened(source) as file:
        if not project.exists():
            _examine(file)
        with Workspace(project, data=data) as workspace:
            done = workspace.read_transcript(file)
    if as_json:
        print(done.model_dump_json(by_alias=True, indent=2))
    else:
        _tell_imported(done)


async def _exported(
    where: DataFolder,
    source: str,
    out: Path | None,
    choice: TranscriptChoice,
    *,
    is_folder: bool,
) -> SavedTranscript:
    import asyncio

    from vitrail.adapters.clock import SystemClock
    from vitrail.adapters.datafolder import home_paths, make_data_folder
    from vitrail.adapters.embedded import open_store
    from vitrail.adapters.ids import UuidIds
    from vitrail.workflow.transcripts import Transcripts

    folder = make_data_folder(where.path)
    clock, ids = SystemClock(), UuidIds()
    store = await open_store(folder, clock=clock, ids=ids)
    try:
        project_id, conversation_id = await _found(
            store, folder, source, is_folder=is_folder
        )
        secrets = _keys(folder)
        transcripts = Transcripts(
            store,
            store.transcripts(),
            clock,
            ids,
            homes=home_paths(),
            secrets=lambda: secrets,
        )
        if out is None:
            return await transcripts.save(project_id, conversation_id, choice)
        told = await transcripts.tell(project_id, conversation_id, choice)
        try:
            size = await asyncio.to_thread(_written, out, told.pieces())
        finally:
            told.close()
        return told.saved(str(out), size)
    finally:
        await store.close()


def _is_folder(name: str) -> bool:
    try:
        return name != "" and Path(name).is_dir()
    except (OSError, ValueError):
        return False  # no disk can hold such a name


def _data_folder(folder: Path | None, data: Path | None) -> DataFolder:
    """Return the data folder of a project's folder, or of the current one."""
    from vitrail.adapters.datafolder import DataFolder, find_data_folder
    from vitrail.errors import NotFound
    from vitrail.server.settings import read_settings

    asked = data or read_settings().data
    where = DataFolder(find_data_folder(folder or Path.cwd(), data=asked))
    if not where.database.is_file():
        raise NotFound(
            "There is no data folder here, so there is no conversation. Name a "
            "project's folder, or the data folder with --data.",
            code="project-not-found" if folder else "conversation-not-found",
        )
    return where


async def _found(
    store: EmbeddedStore, data: DataFolder, source: str, *, is_folder: bool
) -> tuple[str, str | None]:
    """Return the project and the conversation that a name means."""
    from vitrail.adapters.datafolder import locate_project
    from vitrail.cli.files import shown
    from vitrail.errors import NotFound

    if is_folder:
        place = locate_project(data, Path(source))
        project = await store.project_at(place.root)
        if project is None:
            raise NotFound(
                f"{shown(source)} is no project of this data folder.",
                code="project-not-found",
            )
        return project.id, None
    try:
        conversation = await store.conversation(source)
    except NotFound as cause:
        raise NotFound(
            f"There is neither a folder nor a conversation {shown(source[:200])!r}. Name "
            "a project's folder, or the id of a conversation.",
            code="conversation-not-found",
        ) from cause
    return conversation.project_id, conversation.id


def _keys(folder: DataFolder) -> tuple[str, ...]:
    """Return the keys that the environment and the data folder hold."""
    from vitrail.adapters.secrets import SECRETS_NAME, KeyFile
    from vitrail.server.settings import read_settings

    told = read_settings().model.api_key
    stored = KeyFile(folder.path / SECRETS_NAME).read().values()
    return (*([told] if told else []), *(key.key for key in stored))


def _written(out: Path, pieces: Iterator[bytes]) -> int:
    from vitrail.adapters.outputs import write_output

    if str(out) == _STDIO:
        return sum(sys.stdout.buffer.write(piece) for piece in pieces)
    return write_output(out, pieces)


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    from vitrail.adapters.outputs import open_input
    from vitrail.errors import InvalidInput

    if source != _STDIO:
        with open_input(Path(source)) as file:
            yield file
        return
    if sys.stdin is None:
        raise InvalidInput("Standard input is closed, so there is no transcript.")
    # it is read twice, and may be a pipe
    with tempfile.TemporaryFile() as spool:
        shutil.copyfileobj(_Limited(sys.stdin.buffer), spool)
        spool.seek(0)
        yield spool


class _Limited:
    """Standard input up to the size of a transcript, and a byte more to tell it by."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._left = MAX_TRANSCRIPT_BYTES + 1

    def read(self, size: int = -1, /) -> bytes:
        """Return what comes next."""
        most = self._left if size < 0 else min(size, self._left)
        piece = self._file.read(most)
        self._left -= len(piece)
        return piece


def _examine(file: BinaryIO) -> None:
    """Raise what reading the transcript would, before there is a project for it."""
    from vitrail.adapters.ids import UuidIds
    from vitrail.workflow.transcript_reading import TranscriptReader

    with tempfile.TemporaryFile() as nowhere:
        TranscriptReader("", UuidIds(), "").read(file, nowhere)
    file.seek(0)


def _tell_saved(saved: SavedTranscript, folder: str) -> None:
    from vitrail.cli.files import shown

    where = shown(str(Path(folder, saved.path)))
    # standard output may be the transcript
    print(
        f"Saved {'the transcript' if where == _STDIO else where}: {_counted(saved.conversation_count, 'conversation')}, "
        f"{_counted(saved.message_count, 'message')}, {saved.bytes_written} bytes",
        file=sys.stderr,
    )
    for name, count in sorted(saved.redacted.items()):
        print(f"taken out  {count} of {name}", file=sys.stderr)


def _tell_imported(done: ImportedTranscript) -> None:
    from vitrail.cli.files import shown

    for conversation in done.conversations:
        print(f"imported  {conversation.id}  {shown(conversation.title)}")
    for found in done.diagnostics:
        print(f"warning: {found.message} ({found.code})", file=sys.stderr)
    if not done.conversations:
        print("The transcript holds no conversation.")


def _counted(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
