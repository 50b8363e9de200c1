"""`vitrail quarantine`: drafts that are kept beside a good file, taken or dropped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from vitrail.cli.options import AsJson, DataDir

if TYPE_CHECKING:
    from vitrail.protocol.records import QuarantineRecord
    from vitrail.workspace import Workspace

__all__ = ["quarantine"]

_Action: TypeAlias = Literal["list", "accept", "drop"]


def quarantine(
    action: Annotated[_Action, typer.Argument(help="list, accept or drop.")],
    draft: Annotated[
        str | None,
        typer.Argument(
            metavar="[DRAFT]", help="The draft's path or id, or its good file's path."
        ),
    ] = None,
    *,
    project: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the project.")
    ] = Path(),
    if_match: Annotated[
        str | None,
        typer.Option(
            metavar="DIGEST", help="Accept only if the good file has this digest."
        ),
    ] = None,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """List suspicious replacements that were kept beside the good file, or decide.

    Accepting puts the draft onto the good file, as a new revision; dropping
    removes it. Both keep everything in the history.
    """
    from vitrail.cli.files import open_folder

    if (action == "list") != (draft is None):
        raise typer.BadParameter(
            "list takes no draft; accept and drop take one", param_hint="DRAFT"
        )
    with open_folder(project, data) as workspace:
        if draft is None:
            _list(workspace, as_json=as_json)
            return
        record = _chosen(workspace.drafts(), draft)
        if action == "drop":
            workspace.drop(record.id)
            _told_dropped(record, as_json=as_json)
        else:
            _accept(workspace, record, if_match, as_json=as_json)


def _list(workspace: Workspace, *, as_json: bool) -> None:
    from vitrail.cli.files import shown, tell_lost
    from vitrail.protocol.history import DraftList

    drafts = workspace.drafts()
    if as_json:
        print(DraftList(drafts=drafts).model_dump_json(by_alias=True, indent=2))
        return
    for record in drafts:
        print(
            f"{shown(record.draft)}  instead of {shown(record.path)}  "
            f"({record.reason}, {record.created_at}, {record.id})"
        )
        for found in record.diagnostics:
            print(f"  {shown(found.message)}")
        tell_lost(record.lost)
    if not drafts:
        print("No draft waits for a decision.")


def _accept(
    workspace: Workspace,
    record: QuarantineRecord,
    if_match: str | None,
    *,
    as_json: bool,
) -> None:
    from vitrail.cli.files import shown, told_digest

    digest = told_digest(workspace, record.path, if_match)
    result = workspace.accept(record.id, digest=digest)
    if as_json:
        print(result.model_dump_json(by_alias=True, indent=2))
    else:
        print(
            f"accepted  {shown(record.draft)} is now {shown(record.path)}, revision "
            f"{result.revision.number}"
        )


def _told_dropped(record: QuarantineRecord, *, as_json: bool) -> None:
    from vitrail.cli.files import shown

    if as_json:
        print(record.model_dump_json(by_alias=True, indent=2))
    else:
        print(f"dropped  {shown(record.draft)}; {shown(record.path)} was not touched")


def _chosen(drafts: tuple[QuarantineRecord, ...], named: str) -> QuarantineRecord:
    """Return the draft that a person names; the newest of a good file's."""
    from vitrail.cli.files import shown
    from vitrail.core.names import name_key
    from vitrail.errors import NotFound

    key = name_key(named.removeprefix("./"))
    for record in drafts:
        if record.id == named.lower() or key in map(
            name_key, (record.draft, record.path)
        ):
            return record
    raise NotFound(
        f"No draft {shown(named[:200])} waits for a decision; `vitrail quarantine list` "
        "names those that do.",
        code="quarantine-not-found",
    )
