"""Whether a new file would have a name that some disk takes for another one's."""

from __future__ import annotations

from collections.abc import Collection

from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.spelling import NamesInFolders
from vitrail.errors import Conflict, InvalidPath

__all__ = ["note_new", "refuse_clash"]


def refuse_clash(
    folder: ProjectFolder,
    path: str,
    names: NamesInFolders,
    *,
    leaving: Collection[str] = (),
) -> None:
    """Raise ``Conflict('path-clash')`` where no new file may be at ``path``.

    Its name, and those of the folders on the way, have to be apart from all
    that are there, composed and case-folded. ``leaving`` are paths that go in
    the same step: a rename may change the case of a name.
    """
    segments = path.split("/")
    for at, segment in enumerate(segments):
        try:
            with folder.opened(tuple(segments[:at]), make=False) as opened:
                other = None if opened is None else names.other(opened, segment)
        except OSError as cause:
            raise InvalidPath("The path goes through what is no folder.") from cause
        found = None if other is None else "/".join((*segments[:at], other))
        if found is not None and found not in leaving:
            raise Conflict(
                f"{path} and {found} differ only by upper and lower case, or by how "
                "accents are written; most disks could not hold both. Nothing was "
                "written; choose another name.",
                code="path-clash",
                path=path,
                other=found,
            )


def note_new(folder: ProjectFolder, path: str, names: NamesInFolders) -> None:
    """Note a file that was just made at a path which `refuse_clash` let pass."""
    *parents, name = path.split("/")
    with folder.opened(tuple(parents), make=False) as opened:
        if opened is not None:
            names.add(opened, name)
