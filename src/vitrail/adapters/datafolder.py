"""The data folder: where it is, what is in it, and how it is made.

``vitrail.db`` marks a data folder. Inside: ``objects/`` (by SHA-256),
``projects/NAME/``, ``cards/``, ``locks/`` and ``token``. A folder of the
person's own that lies in no data folder gets one at ``DIR/.vitrail/``; its
project is then the folder itself.
"""

from __future__ import annotations

import errno
import os
import secrets
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from vitrail.adapters.durable import write_durably
from vitrail.adapters.failures import storage_error, storage_errors
from vitrail.core.names import check_name
from vitrail.errors import InvalidPath, NotFound, StorageError

__all__ = [
    "DATABASE_NAME",
    "DataFolder",
    "ProjectPlace",
    "find_data_folder",
    "home_paths",
    "locate_file",
    "locate_project",
    "make_data_folder",
]

DATABASE_NAME: Final = "vitrail.db"
"""The file that marks a data folder."""

_OWN_NAME: Final = ".vitrail"
"""Name of a data folder that lies in the folder it serves."""

_MAX_SHOWN_CHARS: Final = 80
"""Of a folder's name in a message."""

_TOKEN_BYTES: Final = 32
"""Random bytes of the token: 256 bits, so that guessing is no attack."""

_MIN_TOKEN_CHARS: Final = 22
"""Of a token that somebody else wrote: 128 bits in base64; an empty one opens every door."""

_MAX_TOKEN_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A data folder that exists; made by `make_data_folder`."""

    path: Path
    """Absolute, links resolved."""

    @property
    def database(self) -> Path:
        """The SQLite database of records and events."""
        return self.path / DATABASE_NAME

    @property
    def objects(self) -> Path:
        """Revisions' bytes by digest."""
        return self.path / "objects"

    @property
    def projects(self) -> Path:
        """Folders of the projects that live here."""
        return self.path / "projects"

    @property
    def cards(self) -> Path:
        """The person's own card types."""
        return self.path / "cards"

    @property
    def locks(self) -> Path:
        """One lock file a project."""
        return self.path / "locks"

    @property
    def token_file(self) -> Path:
        """The secret that programs send; mode 0600."""
        return self.path / "token"

    @property
    def served_folder(self) -> Path | None:
        """The person's folder that this one lies in as ``.vitrail``, if it does."""
        return self.path.parent if self.path.name == _OWN_NAME else None

    def token(self) -> str:
        """Return the token; it is made on first use and stays.

        Two processes that ask at once get the same one: it appears whole, by
        a link that fails where there is one already.
        """
        with storage_errors():
            try:
                return _read_token(self.token_file)
            except FileNotFoundError:
                pass
            fresh = self.path / f".token.{os.getpid()}.{secrets.token_hex(4)}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            handle = os.open(fresh, flags, 0o600)
            try:
                write_durably(handle, secrets.token_urlsafe(_TOKEN_BYTES).encode())
                os.link(fresh, self.token_file, follow_symlinks=False)
            except FileExistsError:
                pass
            finally:
                os.close(handle)
                fresh.unlink()
            return _read_token(self.token_file)


def _read_token(path: Path) -> str:
    """Return the token; one that could be guessed is refused, an open file closed."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if stat.S_IMODE(os.fstat(handle).st_mode) & 0o077:
            os.fchmod(handle, 0o600)  # a copy or a restore opened it up
        token = file.read(_MAX_TOKEN_BYTES).strip().decode("utf-8", "replace")
    is_sendable = token.isascii() and token.isprintable() and " " not in token
    if not is_sendable or len(token) < _MIN_TOKEN_CHARS:
        raise StorageError(
            f"The file {path.name} in the data folder does not hold a token of "
            f"{_MIN_TOKEN_CHARS} or more letters, digits and signs. Remove it; a new "
            "one is made at the next start."
        )
    return token


def find_data_folder(
    path: Path | None,
    *,
    data: Path | None = None,
    environment: str | None = None,
    home: Path | None = None,
) -> Path:
    """Return where the data folder of ``path`` is, whether or not it exists yet.

    ``data`` (``--data``) comes first, then ``environment`` (the value of
    ``VITRAIL_DATA``), then the nearest one above ``path``, then
    ``path/.vitrail``; without a path it is ``~/.local/share/vitrail``.
    ``path`` is a folder (a file counts by the folder it is in). Raises
    ``InvalidPath`` for a path that no disk can hold.
    """
    if data is not None:
        return _real(data)
    if environment:
        return _real(Path(environment))
    if path is None:
        return (home or _real(Path("~"))) / ".local" / "share" / "vitrail"
    start = _real(path)
    if start.is_file():
        start = start.parent
    for folder in (start, *start.parents):
        for candidate in (folder, folder / _OWN_NAME):
            if (candidate / DATABASE_NAME).is_file():
                return _real(candidate)
    return _real(start / _OWN_NAME)


def home_paths() -> tuple[str, ...]:
    """Return the paths of this person's home, as it is written and without links."""
    try:
        home = Path.home()
        return tuple(dict.fromkeys((str(home), str(home.resolve()))))
    except (RuntimeError, OSError):
        return ()


def make_data_folder(path: Path) -> DataFolder:
    """Return the data folder at ``path``; what is missing of it is made.

    Folders get mode 0700. Raises ``InvalidPath`` where something else is in
    the way, ``StorageError`` where it cannot be written to.
    """
    with storage_errors():
        if path.exists() and not path.is_dir():
            raise InvalidPath(
                f"{path.name} is a file; a data folder has to be a folder."
            )
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (NotADirectoryError, FileExistsError) as cause:
            raise InvalidPath(
                f"The folder {path.name} cannot be made: a file is in the way."
            ) from cause
        folder = DataFolder(_real(path))
        for inner in (folder.objects, folder.projects, folder.cards, folder.locks):
            inner.mkdir(mode=0o700, exist_ok=True)
    return folder


@dataclass(frozen=True, slots=True)
class ProjectPlace:
    """Where a project's folder is, and what it may be called."""

    root: str
    """As `vitrail.ports.PutProject` takes it: relative to the data folder, or absolute."""
    name: str
    """The folder's own name, which another project may have too."""


def locate_project(data: DataFolder, path: Path) -> ProjectPlace:
    """Return the place of the project whose folder is ``path``, there or not.

    A project is a folder of ``projects/``, the folder that the data folder
    lies in, or any folder outside of both. Raises ``InvalidPath`` for a file,
    for what lies inside a project, and for internal folders. Neither folder
    has to be there yet, so that a path can be refused before any is made.
    """
    real = _real(path)
    _refuse_file(real)
    if real == real.parent:
        raise InvalidPath("The root of the disk cannot be a project.")
    given = path.expanduser().absolute()
    if data.projects in given.parents and data.path not in real.parents:
        raise InvalidPath(
            f"{path.name} leads out of the data folder's projects.",
            code="path-outside-project",
        )
    if real == data.path or data.path in real.parents:
        return _inside(data, real)
    served = data.served_folder
    if served is not None and real == served:
        return ProjectPlace("..", real.name)
    if served is not None and served in real.parents:
        raise InvalidPath(
            f"{path.name} lies inside the project {served.name}. "
            "Name that project's own folder, or another data folder with --data."
        )
    return ProjectPlace(str(real), real.name)


def locate_file(file: Path, *, data: Path | None = None) -> tuple[Path, str]:
    """Return the folder of the project that a file belongs to, and its path there.

    The file may be gone. Only folders that have a history count: raises
    ``NotFound('file-not-found')`` where there is no data folder, or none of its
    projects has the file; nothing is made.
    """
    # the last name stays as it is: a link is no file of a project
    real = _real(file.parent) / file.name
    where = DataFolder(find_data_folder(_first_there(real.parent), data=data))
    for folder in real.parents if where.database.is_file() else ():
        if _is_project(where, folder):
            return folder, real.relative_to(folder).as_posix()
    raise NotFound(
        f"{_shown(file)} belongs to no project with a history here. Name a file of a "
        "project's folder, or its data folder with --data.",
        code="file-not-found",
    )


def _first_there(folder: Path) -> Path:
    with storage_errors():
        return next(one for one in (folder, *folder.parents) if one.is_dir())


def _is_project(data: DataFolder, folder: Path) -> bool:
    if folder == data.served_folder or folder.parent == data.projects:
        return True
    if data.path in (folder, *folder.parents):
        return False
    address = f"file:{quote(str(data.database))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as db:
            found = db.execute(
                "SELECT 1 FROM projects WHERE root = ?", (str(folder),)
            ).fetchone()
    except sqlite3.Error:
        return False  # opening the store tells what is wrong with it
    return found is not None


def _refuse_file(real: Path) -> None:
    """Raise ``InvalidPath`` where the path, or what it lies below, is no folder."""
    with storage_errors():
        there = next(folder for folder in (real, *real.parents) if folder.exists())
        is_folder = there.is_dir()
    if is_folder:
        return
    if there == real:
        raise InvalidPath(
            f"{_shown(real)} is a file; a project has to be a folder. "
            "Name a folder, or one that is still to be made."
        )
    raise InvalidPath(
        f"{_shown(real)} would lie below {_shown(there)}, which is a file. "
        "Name another folder."
    )


def _real(path: Path) -> Path:
    """Return the absolute path without links; raise where no disk can hold it."""
    try:
        real = path.expanduser().resolve()
        str(real).encode()
        # a name that the disk cannot hold is only told by looking for it
        real.exists()
    except RuntimeError as cause:
        raise InvalidPath(
            f"{_shown(path)} leads nowhere: its links go in a circle, or it begins with "
            "the home of somebody who has none here."
        ) from cause
    except UnicodeEncodeError as cause:
        raise InvalidPath(f"{_shown(path)} is not a name in UTF-8.") from cause
    except ValueError as cause:
        raise InvalidPath("The path of a folder cannot hold a NUL.") from cause
    except OSError as cause:
        if cause.errno == errno.ENAMETOOLONG:
            raise InvalidPath(
                f"{_shown(path)} is too long for a folder's name on this disk."
            ) from cause
        raise storage_error(cause) from cause
    return real


def _shown(path: Path) -> str:
    name = path.name or str(path)  # "." and "/" have no last name
    cut = name[:_MAX_SHOWN_CHARS] + "…" if len(name) > _MAX_SHOWN_CHARS else name
    return cut if cut.isprintable() else repr(cut)


def _inside(data: DataFolder, real: Path) -> ProjectPlace:
    match real.relative_to(data.path).parts:
        case ("projects", name) if check_name(name).ok:
            return ProjectPlace(f"projects/{name}", name)
        case ("projects", name, *_) if check_name(name).ok:
            raise InvalidPath(
                f"{real.name} lies inside the project {name}. "
                "Name that project's own folder."
            )
        case _:
            raise InvalidPath(
                "That is a folder of internal files of Vitrail, not a project. "
                "Projects of a data folder lie in its folder projects.",
                code="path-outside-project",
            )
