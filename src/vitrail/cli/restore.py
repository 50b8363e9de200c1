"""`vitrail restore`: an earlier revision of a file, brought back as a new one."""

from __future__ import annotations

from typing import Annotated

import typer

from vitrail.cli.options import AsJson, DataDir, HistoryFile, IfMatch

__all__ = ["restore"]


def restore(
    file: HistoryFile,
    rev: Annotated[
        str,
        typer.Argument(
            help="Its number, @, @~1, or how its id or digest begins.", metavar="REV"
        ),
    ],
    *,
    if_match: IfMatch = None,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Bring an earlier revision of a file back, as a new revision.

    Nothing is rewritten: what the file is now stays in its history.
    """
    from vitrail.cli.files import open_file, shown, tell_lost, told_digest

    workspace, path = open_file(file, data)
    with workspace:
        wanted = workspace.revision(path, rev)
        digest = told_digest(workspace, path, if_match)
        result = workspace.restore(path, wanted.id, digest=digest)
    if as_json:
        print(result.model_dump_json(by_alias=True, indent=2))
        return
    print(
        f"restored  {shown(result.file.path)}  as revision {result.revision.number}, "
        f"which is revision {wanted.number}"
    )
    tell_lost(result.lost)
