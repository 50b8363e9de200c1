"""`vitrail move`: a file gets another name, and what points to it follows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from vitrail.cli.options import AsJson, DataDir, HistoryFile, IfMatch, WithParts

__all__ = ["move"]


def move(
    file: HistoryFile,
    to: Annotated[
        str,
        typer.Argument(
            metavar="TO", help="Its new name, or a folder of the project to put it in."
        ),
    ],
    *,
    parts: WithParts = False,
    if_match: IfMatch = None,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Give a file another name, its manifest and what points to it along.

    The history goes on under the new name. What other files of the project need
    too never moves along; addresses of it are written anew.
    """
    from vitrail.cli.files import open_file, shown, told_digest
    from vitrail.errors import NotFound

    workspace, path = open_file(file, data)
    with workspace:
        digest = told_digest(workspace, path, if_match)
        if digest is None:
            raise NotFound(f"There is no file {shown(path)}.", code="file-not-found")
        target = _target(Path(file), path, to)
        result = workspace.move(path, target, digest=digest, with_parts=parts)
    if as_json:
        print(result.model_dump_json(by_alias=True, indent=2))
        return
    print(f"moved    {shown(path)}  to {shown(result.moved.path)}")
    for part in result.parts:
        print(f"moved    {shown(part.source)}  to {shown(part.target)}")
    for one in result.rewritten:
        print(f"rewrote  {shown(one.path)}")


def _target(file: Path, path: str, to: str) -> str:
    """Return the project's path that a name on this machine means.

    Raises ``InvalidPath`` for a place outside of the project.
    """
    from vitrail.errors import InvalidPath

    # The file's name without its path in the project is the project's folder.
    folder = Path(os.path.abspath(file))  # noqa: PTH100 - no link is followed
    root = folder.parents[path.count("/")]
    wanted = Path(os.path.abspath(to))  # noqa: PTH100 - as above
    if to.endswith("/") or wanted.is_dir():
        wanted /= file.name
    if not wanted.is_relative_to(root):
        raise InvalidPath(
            "The new name is outside of the file's project. Name a place in its folder.",
            code="path-outside-project",
        )
    return wanted.relative_to(root).as_posix()
