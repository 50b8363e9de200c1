"""What another program did to a project's folder, told from two lists; no IO.

Strategy: what the history knows is compared with what lies in the folder. A
difference is believed when two looks in a row tell the same: a file that is
still being written, or is gone for the moment between an editor's two renames,
differs from one look to the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vitrail.core.commit.passing import is_passing
from vitrail.protocol.diagnostics import Diagnostic

__all__ = [
    "Differences",
    "FoundNow",
    "KnownFile",
    "differences",
    "settled",
    "too_large_outside",
]


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A path as its history has it."""

    path: str
    digest: str
    """Of the newest revision."""
    present: bool
    """False where its removal is recorded."""


@dataclass(frozen=True, slots=True)
class FoundNow:
    """A working file as it is now; two that are equal are the same file, unchanged."""

    path: str
    digest: str
    size: int
    """Bytes."""
    modified_at: str


@dataclass(frozen=True, slots=True)
class Differences:
    """Where the folder is not as the history has it; both by path."""

    written: tuple[FoundNow, ...] = ()
    """Files that are new, changed, or there again."""
    gone: tuple[KnownFile, ...] = ()
    """Files that should be there and are not."""

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return bool(self.written or self.gone)


def differences(known: Iterable[KnownFile], found: Iterable[FoundNow]) -> Differences:
    """Return where the folder differs from the history; linear in both.

    A new file with a name that programs use for a moment is none of them.

    >>> seen = FoundNow("a.css", "1" * 64, 3, "2026-01-01T00:00:00.000Z")
    >>> differences([], [seen]).written == (seen,)
    True
    >>> differences([KnownFile("a.css", "1" * 64, present=True)], [seen])
    Differences(written=(), gone=())
    """
    by_path = {file.path: file for file in known}
    written: list[FoundNow] = []
    there: set[str] = set()
    for file in found:
        there.add(file.path)
        before = by_path.get(file.path)
        if before is None:
            if not is_passing(file.path):
                written.append(file)
        elif not before.present or before.digest != file.digest:
            written.append(file)
    gone = [
        file for file in by_path.values() if file.present and file.path not in there
    ]
    return Differences(
        tuple(sorted(written, key=lambda file: file.path)),
        tuple(sorted(gone, key=lambda file: file.path)),
    )


def settled(earlier: Differences, later: Differences) -> Differences:
    """Return what both looks tell alike: what nobody is in the middle of.

    >>> settled(Differences(), Differences(gone=(KnownFile("a", "", True),)))
    Differences(written=(), gone=())
    """
    written, gone = set(earlier.written), set(earlier.gone)
    return Differences(
        tuple(file for file in later.written if file in written),
        tuple(file for file in later.gone if file in gone),
    )


def too_large_outside(path: str, size: int, limit: int) -> Diagnostic:
    """Return the words about another program's file that gets no history; bytes."""
    return Diagnostic(
        "outside-file-too-large",
        "warning",
        f"{path} has {size} bytes, and another program wrote it. Files above {limit} "
        "bytes get no history: it stays in the folder as it is. Keep a copy elsewhere "
        "if you need one.",
    )
