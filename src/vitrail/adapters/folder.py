"""Working files: a project's folder, reached from a directory handle, through no link.

Strategy: the root is opened once per call; every further segment is opened
relative to its parent with ``O_NOFOLLOW``, so no link on the way, however
quickly it is swapped in, leads anywhere else. A write is staged under
``.vitrail/staging`` of the same folder, fsynced, then exchanged with the old
file, and its folder is fsynced: a reader sees the old bytes or the new ones,
and whoever exchanged them still has what was there at that very moment.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from vitrail.adapters.durable import FOLDER_FLAGS, NEW_FILE_FLAGS, write_durably
from vitrail.adapters.exchange import (
    ASIDE_SUFFIX,
    exchange_names,
    rename_to_free_name,
)
from vitrail.adapters.failures import storage_errors
from vitrail.adapters.found_files import (
    FoundFile,
    files_below,
    folders_below,
    found_file,
    manifest_beside,
)
from vitrail.adapters.media import SNIFFED_BYTES
from vitrail.adapters.spelling import exists, is_file, spelling
from vitrail.core.names import valid_path
from vitrail.errors import InvalidPath, NotFound
from vitrail.protocol.manifest import MANIFEST_SUFFIX

__all__ = ["ProjectFolder", "Staged"]

_T = TypeVar("_T")

_OWN_FOLDER: Final = (".vitrail",)
_STAGING: Final = (".vitrail", "staging")
_PROJECT_FILE: Final = "project.json"
_MAX_PROJECT_FILE_BYTES: Final = 1024 * 1024
"""Of what a person declares of a project; more than anybody writes by hand."""

_FILE_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NO_FOLDER: Final = -1
"""In place of a handle: no handle is negative."""

_LINKED: Final = {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}
"""What opening a link, or a file as a folder, gives."""

_MAX_LISTED_FILES: Final = 100_000
"""Files of one project that are listed; more is a folder that is no project."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A file that lies ready to be renamed into place."""

    name: str


class ProjectFolder:
    """One project's folder of working files."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def root(self) -> Path:
        """Where the folder is; not for messages."""
        return self._root

    # --- reading ---------------------------------------------------------

    def find(self, path: str) -> FoundFile | None:
        """Return the file at ``path``, or None; raise ``InvalidPath``."""
        path = valid_path(path)
        with _refusals(), self._parent(path) as (folder, name):
            if folder is None:
                return None
            try:
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                return None
            if stat.S_ISLNK(found.st_mode):
                raise _link_refused()
            if not stat.S_ISREG(found.st_mode):
                return None
            return found_file(path, found, manifest_beside(folder, name))

    def read(self, path: str) -> tuple[bytes, FoundFile]:
        """Return a file's bytes; raise ``NotFound('file-not-found')``."""
        content = self._read(valid_path(path), BufferedReader.read)
        if content is None:
            raise _no_such_file()
        return content

    def open(self, path: str) -> tuple[int, FoundFile]:
        """Return an open descriptor of a file, which the caller closes.

        Raises ``NotFound('file-not-found')``.
        """
        opened = self._read(valid_path(path), lambda file: os.dup(file.fileno()))
        if opened is None:
            raise _no_such_file()
        return opened

    def digest(self, path: str) -> tuple[str, bytes, FoundFile]:
        """Return the SHA-256 of a file's bytes and its first `SNIFFED_BYTES`.

        A file of any size takes a fixed amount of memory. Raises
        ``NotFound('file-not-found')``.
        """
        opened = self._read(valid_path(path), _digested)
        if opened is None:
            raise _no_such_file()
        (digest, head), found = opened
        return digest, head, found

    def read_manifest(self, path: str, *, at_most: int) -> bytes | None:
        """Return the bytes of the manifest beside ``path``, or None.

        Of a longer one the first ``at_most`` bytes and one more.
        """
        beside = valid_path(path) + MANIFEST_SUFFIX
        found = self._read(beside, lambda file: file.read(at_most + 1))
        return None if found is None else found[0]

    def read_project_file(self) -> bytes | None:
        """Return ``.vitrail/project.json``, cut where it is too long; or None.

        A link or anything but a regular file is none.
        """
        with _refusals(), self.opened(_OWN_FOLDER, make=False) as folder:
            try:
                if folder is None or not is_file(folder, _PROJECT_FILE):
                    return None
                handle = os.open(_PROJECT_FILE, _FILE_FLAGS, dir_fd=folder)
            except FileNotFoundError:
                return None
            with os.fdopen(handle, "rb") as file:
                return file.read(_MAX_PROJECT_FILE_BYTES)

    def list(self) -> Iterator[FoundFile]:
        """Yield the project's files by path: no manifests, nothing hidden, no link."""
        with _refusals():
            try:
                root = os.open(self._root, FOLDER_FLAGS)
            except FileNotFoundError:
                return
            yield from islice(files_below(root, ""), _MAX_LISTED_FILES)

    def list_folders(self) -> Iterator[str]:
        """Yield the folders that files of the project are in, itself first, as ``""``.

        Nothing where the project's folder is gone. What cannot be opened is
        left out, and so is what `list` does not look into.
        """
        with _refusals():
            try:
                root = os.open(self._root, FOLDER_FLAGS)
            except FileNotFoundError:
                return
            yield from folders_below(root, "")

    # --- writing ---------------------------------------------------------

    def make(self) -> None:
        """Make the folder itself, parents included, where it is missing."""
        with storage_errors():
            try:
                self._root.mkdir(mode=0o755, parents=True, exist_ok=True)
            except (FileExistsError, NotADirectoryError) as cause:
                raise InvalidPath(
                    f"{self._root.name} is a file; a project has to be a folder."
                ) from cause

    def remove_empty(self) -> None:
        """Remove the folder where nothing is in it but empty folders of Vitrail's own."""
        own = (self._root.joinpath(*_STAGING), self._root / _STAGING[0], self._root)
        with suppress(OSError):
            for folder in own:
                with suppress(FileNotFoundError):
                    folder.rmdir()

    def stage(
        self,
        path: str,
        content: bytes,
        *,
        like: str | None = None,
        name: str | None = None,
    ) -> Staged:
        """Write the bytes aside, durably, with the mode of the file at ``path``.

        ``like`` names another file whose mode it gets; ``name`` is the staged
        file's own, for one that was staged before.
        """
        found = self._stat(like or path)
        mode = stat.S_IMODE(found.st_mode) & 0o777 if found else None
        name = name or secrets.token_hex(16)
        with _refusals(), self._staging() as staging:
            handle = os.open(name, NEW_FILE_FLAGS, 0o666, dir_fd=staging)
            try:
                if mode is not None:
                    os.fchmod(handle, mode)
                write_durably(handle, content)
            except BaseException:
                os.unlink(name, dir_fd=staging)
                raise
            finally:
                os.close(handle)
        return Staged(name)

    def place(self, staged: Staged, path: str) -> None:
        """Rename a staged file over ``path``; durable after `sync`."""
        with self._between(path, make=True) as (staging, folder, name):
            os.rename(staged.name, name, src_dir_fd=staging, dst_dir_fd=folder)

    def add(self, staged: Staged, path: str) -> bool:
        """Rename a staged file to ``path``, where nothing may be; durable after `sync`.

        False, and nothing changed, where there is a file by now.
        """
        with self._between(path, make=True) as (staging, folder, name):
            try:
                rename_to_free_name(staging, staged.name, folder, name)
            except FileExistsError:
                return False
            return True

    def exchange(self, staged: Staged, path: str) -> bool:
        """Exchange a staged file and the one at ``path``; durable after `sync`.

        The staged name then has whatever was at ``path`` at that very moment.
        False, and nothing changed, where there is no file any more.
        """
        with self._between(path, make=False) as (staging, folder, name):
            if folder == _NO_FOLDER or not exists(folder, name):
                return False
            try:
                exchange_names(staging, staged.name, folder, name)
            except FileNotFoundError:
                return False
            try:
                _refuse_what_is_no_file(staging, staged.name)
            except InvalidPath:
                # it became one in that moment, and goes back to its place
                exchange_names(staging, staged.name, folder, name)
                raise
            return True

    def take(self, path: str, staged: Staged) -> bool:
        """Rename the file at ``path`` to a staged one; False where there is none."""
        with self._between(path, make=False) as (staging, folder, name):
            if folder == _NO_FOLDER:
                return False
            try:
                os.rename(name, staged.name, src_dir_fd=folder, dst_dir_fd=staging)
            except FileNotFoundError:
                return False
            return True

    def mend(self, staged: Staged, path: str) -> None:
        """Finish an exchange that was cut off where names cannot be exchanged at once."""
        aside = Staged(staged.name + ASIDE_SUFFIX)
        if self.staged_digest(aside) is None:
            return
        if self.staged_digest(staged) is None:
            with self._between(path, make=True) as (staging, _, _):
                os.rename(
                    aside.name, staged.name, src_dir_fd=staging, dst_dir_fd=staging
                )
        elif not self.add(aside, path):
            self.discard(aside)

    def staged_digest(self, staged: Staged) -> str | None:
        """Return the SHA-256 of a staged file's bytes; None where there is none."""
        read = self._read_staged(staged, _digested)
        return None if read is None else read[0]

    def read_staged(self, staged: Staged) -> bytes | None:
        """Return a staged file's bytes; None where there is none."""
        return self._read_staged(staged, BufferedReader.read)

    def sync(self, paths: Iterable[str]) -> None:
        """Make durable what was renamed at these paths: each folder once."""
        for parent in sorted({path.rpartition("/")[0] for path in paths}):
            segments = tuple(parent.split("/")) if parent else ()
            with _refusals(), self.opened(segments, make=False) as folder:
                if folder is not None:
                    os.fsync(folder)

    def discard(self, staged: Staged) -> None:
        """Remove a staged file that is not wanted any more."""
        with _refusals(), suppress(FileNotFoundError), self._staging() as staging:
            os.unlink(staged.name, dir_fd=staging)

    def check_place(self, path: str, *, make: bool = True) -> None:
        """Raise ``InvalidPath`` where no file can be placed at ``path``, or taken from it.

        Makes the folders on the way, so that no transaction is refused afterwards.
        """
        with self._between(path, make=make) as (staging, folder, _):
            is_there = folder != _NO_FOLDER
            if is_there and os.fstat(folder).st_dev != os.fstat(staging).st_dev:
                raise _other_disk()

    def remove(self, path: str) -> None:
        """Remove a file, if it is there; durable after `sync`."""
        with _refusals(), self._parent(path) as (folder, name):
            if folder is not None:
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)

    def clear_staging(self) -> None:
        """Remove what writes that never came to be left behind (under the lock)."""
        with _refusals(), self.opened(_STAGING, make=False) as folder:
            if folder is None:
                return
            for name in os.listdir(folder):  # noqa: PTH208 - a handle has no path
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)

    def has_staged(self) -> bool:
        """Return whether a write is going on, or left something behind."""
        with _refusals(), self.opened(_STAGING, make=False) as folder:
            return folder is not None and bool(os.listdir(folder))  # noqa: PTH208 - a handle has no path

    # --- the way to a file -----------------------------------------------

    def _stat(self, path: str) -> os.stat_result | None:
        with _refusals(), self._parent(path) as (folder, name):
            if folder is None:
                return None
            try:
                return os.stat(name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                return None

    def _read(
        self, path: str, take: Callable[[BufferedReader], _T]
    ) -> tuple[_T, FoundFile] | None:
        with _refusals(), self._parent(path) as (folder, name):
            if folder is None:
                return None
            try:
                handle = os.open(name, _FILE_FLAGS, dir_fd=folder)
            except FileNotFoundError:
                return None
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                os.close(handle)
                return None
            with os.fdopen(handle, "rb") as file:
                return take(file), found_file(
                    path, found, manifest_beside(folder, name)
                )

    @contextmanager
    def _parent(
        self, path: str, *, make: bool = False
    ) -> Iterator[tuple[int | None, str]]:
        """Open the folder that ``path`` is in; None where it is not there.

        ``path`` is an entry's path or that of its manifest.
        """
        entry = path.removesuffix(MANIFEST_SUFFIX)
        segments = (valid_path(entry) + path[len(entry) :]).split("/")
        with self.opened(tuple(segments[:-1]), make=make) as folder:
            name = segments[-1]
            yield folder, name if folder is None else spelling(folder, name)

    def _read_staged(
        self, staged: Staged, take: Callable[[BufferedReader], _T]
    ) -> _T | None:
        with _refusals(), self.opened(_STAGING, make=False) as staging:
            if staging is None:
                return None
            try:
                handle = os.open(staged.name, _FILE_FLAGS, dir_fd=staging)
            except FileNotFoundError:
                return None
            with os.fdopen(handle, "rb") as file:
                return take(file)

    @contextmanager
    def _between(self, path: str, *, make: bool) -> Iterator[tuple[int, int, str]]:
        """Open staging and the folder of ``path``, where no link or folder is in the way.

        Of a folder that is not there, and is not made, the handle is `_NO_FOLDER`.
        """
        with (
            _refusals(),
            self._staging() as staging,
            self._parent(path, make=make) as (folder, name),
        ):
            if folder is None and make:
                raise InvalidPath("The folder of the file is gone.")
            if folder is not None:
                _refuse_what_is_no_file(folder, name)
            yield staging, _NO_FOLDER if folder is None else folder, name

    @contextmanager
    def _staging(self) -> Iterator[int]:
        with self.opened(_STAGING, make=True) as folder:
            if folder is None:
                raise InvalidPath("The project's folder is gone.")
            yield folder

    @contextmanager
    def opened(self, segments: tuple[str, ...], *, make: bool) -> Iterator[int | None]:
        """Open a folder of the project through no link; None where it is not there."""
        try:
            folder = os.open(self._root, FOLDER_FLAGS)
        except FileNotFoundError:
            yield None
            return
        try:
            for segment in segments:
                inner = _step(folder, segment, make=make)
                if inner is None:
                    yield None
                    return
                os.close(folder)
                folder = inner
            yield folder
        finally:
            os.close(folder)


def _digested(file: BufferedReader) -> tuple[str, bytes]:
    head = file.read(SNIFFED_BYTES)
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest(), head


def _step(folder: int, segment: str, *, make: bool) -> int | None:
    name = spelling(folder, segment)
    try:
        return os.open(name, FOLDER_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            return None
    with suppress(FileExistsError):
        os.mkdir(name, 0o755, dir_fd=folder)
        os.fsync(folder)
    return os.open(name, FOLDER_FLAGS, dir_fd=folder)


def _refuse_what_is_no_file(folder: int, name: str) -> None:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    if stat.S_ISLNK(found.st_mode):
        raise _link_refused()
    if not stat.S_ISREG(found.st_mode):
        what = "a folder" if stat.S_ISDIR(found.st_mode) else "a pipe or a device"
        raise InvalidPath(f"There is {what} of that name; choose another name.")


def _link_refused() -> InvalidPath:
    return InvalidPath(
        "The path goes through a link, which is never followed.",
        code="path-outside-project",
    )


def _no_such_file() -> NotFound:
    return NotFound("There is no such file in the project.", code="file-not-found")


def _other_disk() -> InvalidPath:
    return InvalidPath(
        "This folder is on another disk than its project; choose one beside it."
    )


@contextmanager
def _refusals() -> Iterator[None]:
    """Name what opening a link, or a name the disk cannot hold, gives."""
    with storage_errors():
        try:
            yield
        except OSError as cause:
            if cause.errno in _LINKED:
                raise _link_refused() from cause
            if cause.errno == errno.EXDEV:
                raise _other_disk() from cause
            if cause.errno == errno.ENAMETOOLONG:
                raise InvalidPath("The name is too long for this disk.") from cause
            raise
