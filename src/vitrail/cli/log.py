"""`vitrail log`: the revisions of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vitrail.cli.options import AsJson, DataDir, HistoryFile

if TYPE_CHECKING:
    from vitrail.protocol.records import Revision

__all__ = ["log"]

_SHORT_DIGEST_CHARS = 12


def log(
    file: HistoryFile,
    *,
    limit: Annotated[
        int, typer.Option(min=1, max=500, metavar="N", help="At most N revisions.")
    ] = 100,
    before: Annotated[
        int | None,
        typer.Option(min=1, metavar="NUMBER", help="Only those before this one."),
    ] = None,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """List the revisions of a file, the newest first.

    Each has a number, who made it, its digest, and why.
    """
    from vitrail.cli.files import open_file, shown

    workspace, path = open_file(file, data)
    with workspace:
        page = workspace.revisions(path, before=before, limit=limit)
    if as_json:
        print(page.model_dump_json(by_alias=True, indent=2))
        return
    for diagnostic in page.diagnostics:
        print(shown(diagnostic.message))
    for revision in page.revisions:
        print(_line(revision))
    if page.more:
        oldest = page.revisions[-1].number
        print(f"… and older ones: --before {oldest}")
    elif not page.revisions and not page.diagnostics:
        print("No revisions: the file is there, and Vitrail has written nothing to it.")


def _line(revision: Revision) -> str:
    from vitrail.cli.files import shown

    reason = f"  {shown(revision.reason)}" if revision.reason else ""
    return (
        f"{revision.number:>5}  {revision.digest[:_SHORT_DIGEST_CHARS]}  "
        f"{revision.created_at}  {revision.author:<7}  {revision.size} bytes{reason}"
    )
