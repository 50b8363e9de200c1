"""`vitrail delete`: a file leaves its project, with its parts if that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitrail.cli.options import AsJson, DataDir, HistoryFile, IfMatch, WithParts

if TYPE_CHECKING:
    from vitrail.protocol.history import PageParts

__all__ = ["delete"]


def delete(
    file: HistoryFile,
    *,
    parts: WithParts = False,
    if_match: IfMatch = None,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Remove a file and its manifest; its revisions stay.

    What other files of the project need too is never removed along. A restore
    brings each file back.
    """
    from vitrail.cli.files import open_file, shown, told_digest
    from vitrail.errors import NotFound

    workspace, path = open_file(file, data)
    with workspace:
        digest = told_digest(workspace, path, if_match)
        if digest is None:
            raise NotFound(f"There is no file {shown(path)}.", code="file-not-found")
        found = workspace.parts(path)
        removed = workspace.delete(path, digest=digest, with_parts=parts)
    if as_json:
        _print_json(removed, found)
        return
    for one in removed:
        print(f"deleted  {shown(one)}")
    if parts:
        for part in found.shared:
            print(f"kept     {shown(part.path)}  which {shown(part.used_by)} needs too")
    elif found.own:
        print(f"--parts would have removed {len(found.own)} more, which only it needed")


def _print_json(deleted: tuple[str, ...], found: PageParts) -> None:
    import json

    kept = [one.model_dump(mode="json", by_alias=True) for one in found.shared]
    print(json.dumps({"deleted": deleted, "kept": kept}, ensure_ascii=False, indent=2))
