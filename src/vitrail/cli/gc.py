"""`vitrail gc`: stored content that nothing refers to, told and removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vitrail.cli.options import AsJson, DataDir

if TYPE_CHECKING:
    from vitrail.protocol.history import GarbageReport

__all__ = ["gc"]

_SHORT_DIGEST_CHARS = 12
_MAX_LISTED = 50


def gc(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A project's or a data folder.")
    ] = Path(),
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be removed.")
    ] = False,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Say which stored content no revision names, and remove it.

    Every revision of every file is kept for good, whatever its age; what goes
    is left over from deleted projects and from writes that ended early.
    """
    from vitrail.workspace import collect_garbage

    report = collect_garbage(folder, data=data, dry_run=dry_run)
    if as_json:
        print(report.model_dump_json(by_alias=True, indent=2))
    else:
        _tell(report)


def _tell(report: GarbageReport) -> None:
    from vitrail.cli.files import shown

    verb = "would remove" if report.dry_run else "removed"
    for one in report.objects[:_MAX_LISTED]:
        why = (
            f"of the deleted project {shown(one.project or 'without a name')}"
            if one.reason == "project-deleted"
            else "of a write that ended early"
        )
        print(f"{verb}  {one.digest[:_SHORT_DIGEST_CHARS]}  {one.size} bytes  {why}")
    if len(report.objects) > _MAX_LISTED:
        print(f"and {len(report.objects) - _MAX_LISTED} more")
    print(
        f"{len(report.objects)} contents of {report.size} bytes that no revision names; "
        f"{report.kept} of {report.kept_size} bytes are kept."
    )
