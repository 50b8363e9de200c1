"""Files that commands name: which project they are of, and how they are told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vitrail.core.validate import GatePolicy
    from vitrail.protocol.losses import Lost
    from vitrail.workspace import Workspace

__all__ = [
    "gate_policy",
    "open_file",
    "open_folder",
    "shown",
    "tell_lost",
    "told_digest",
    "warn",
]

_DIGEST_CHARS: Final = 64

_MAX_SHOWN_LOSSES: Final = 20
"""Of one change; the rest is counted."""


def open_file(file: str, data: Path | None) -> tuple[Workspace, str]:
    """Return the workspace that a file belongs to, and its path there.

    Raises ``NotFound('file-not-found')``; nothing is made.
    """
    from vitrail.errors import NotFound
    from vitrail.workspace import Workspace

    if not file.strip():
        raise NotFound("Expected the name of a file, got none.", code="file-not-found")
    return Workspace.of_file(file, data=data, gates=gate_policy())


def open_folder(folder: Path, data: Path | None) -> Workspace:
    """Return the workspace of a project's folder, which has to have a history.

    Raises ``NotFound('project-not-found')``; nothing is made.
    """
    from vitrail.adapters.datafolder import locate_file
    from vitrail.errors import NotFound
    from vitrail.workspace import Workspace

    try:
        locate_file(folder / "any", data=data)
    except NotFound as cause:
        raise NotFound(
            f"{shown(folder.name or str(folder))} is no project with a history. Name a "
            "project's folder with --project, or its data folder with --data.",
            code="project-not-found",
        ) from cause
    return Workspace(folder, data=data, gates=gate_policy())


def gate_policy() -> GatePolicy:
    """Return the stub guard's policy, as the environment says; tell what of it says nothing."""
    from vitrail.server.settings import read_gate_policy

    policy, words = read_gate_policy()
    warn(words)
    return policy


def shown(text: str) -> str:
    r"""Return a text of a model or a file as a terminal may be shown it, on one line.

    >>> shown("a\x1b[2J b")
    'a\\x1b[2J b'
    """
    return "".join(
        char if char.isprintable() or char == "\t" else repr(char)[1:-1]
        for char in text
    )


def tell_lost(lost: tuple[Lost, ...]) -> None:
    """Print what a file lost, or would lose."""
    for one in lost[:_MAX_SHOWN_LOSSES]:
        print(f"  without {one.what} {shown(one.name)}")
    if len(lost) > _MAX_SHOWN_LOSSES:
        print(f"  and {len(lost) - _MAX_SHOWN_LOSSES} more")


def told_digest(workspace: Workspace, path: str, said: str | None) -> str | None:
    """Return the digest that a write names: the one that was said, else the file's own.

    None: there is no such file. Raises ``InvalidInput`` for what is no digest.
    """
    from vitrail.errors import InvalidInput

    if said is None:
        return workspace.digest(path)
    digest = said.strip().strip('"').lower()
    if len(digest) != _DIGEST_CHARS or not set(digest) <= set("0123456789abcdef"):
        raise InvalidInput(
            f"--if-match expected the {_DIGEST_CHARS} hexadecimal digits of a SHA-256, "
            f"got {shown(said[:200])!r}."
        )
    return digest


def warn(words: tuple[str, ...]) -> None:
    """Print what a person should know on standard error."""
    for one in words:
        print(f"warning: {one}", file=sys.stderr)
