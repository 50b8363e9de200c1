"""`vitrail export`: a project's files, its history or its conversations as one file."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from vitrail.cli.options import DataDir

if TYPE_CHECKING:
    from vitrail.workspace import Workspace

__all__ = ["ExportFormat", "export"]


_STDOUT: Final = "-"


class ExportFormat(StrEnum):
    """What can be written."""

    bundle = "bundle"
    zip = "zip"
    transcript = "transcript"


_Redact = Annotated[
    bool,
    typer.Option(help="Of a transcript: take out keys, addresses and home paths."),
]
_Summaries = Annotated[
    bool,
    typer.Option(help="Of a transcript: tell artifacts on disk by one line each."),
]


def export(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|DIR",
            help="A project's folder or, for zip, one of its files; for transcript also "
            "the id of a conversation.",
        ),
    ],
    to: Annotated[
        ExportFormat,
        typer.Option("--to", help="The history, the files, or the conversations."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="OUT", help="Where to; - is standard output."
        ),
    ] = None,
    *,
    redact: _Redact = False,
    summaries: _Summaries = False,
    data: DataDir = None,
) -> None:
    """Write a project's files, its whole history or its conversations as one file.

    A bundle is deterministic and says when a byte of it was changed; `vitrail
    import` reads it anywhere.
    """
    if to is ExportFormat.transcript:
        from vitrail.cli.transcripts import export_transcript

        export_transcript(source, out, redact=redact, summaries=summaries, data=data)
        return
    if redact or summaries:
        raise typer.BadParameter(
            "is for --to transcript only",
            param_hint="--redact" if redact else "--summaries",
        )
    workspace, only = _opened(source, to, data)
    with workspace:
        target = out or Path(_file_name(workspace.project.name, only, to))
        file = sys.stdout.buffer if str(target) == _STDOUT else target
        if to is ExportFormat.bundle:
            seal = workspace.bundle(file)
            words = f"the whole history, sealed {seal}"
        else:
            count = workspace.zip(file, only=only)
            words = f"{count} file{'' if count == 1 else 's'}"
    _tell(target, words)


def _opened(
    source: str, to: ExportFormat, data: Path | None
) -> tuple[Workspace, str | None]:
    """Return the project, and the one file of it that was named."""
    from vitrail.cli.files import open_file, open_folder
    from vitrail.errors import InvalidInput

    if source.strip() and _is_folder(source):
        return open_folder(Path(source), data), None
    workspace, path = open_file(source, data)
    if to is ExportFormat.bundle:
        workspace.close()
        raise InvalidInput(
            "A bundle is of a whole project, since files move and refer to each other. "
            "Name the project's folder."
        )
    return workspace, path


def _is_folder(source: str) -> bool:
    try:
        return Path(source).is_dir()
    except (OSError, ValueError):
        return False  # no disk can hold such a name


def _file_name(project: str, only: str | None, to: ExportFormat) -> str:
    stem = only.rpartition("/")[2].rpartition(".")[0] if only else project
    return f"{stem or project}{'.bundle' if to is ExportFormat.bundle else ''}.zip"


def _tell(target: Path, words: str) -> None:
    from vitrail.cli.files import shown

    # standard output may be the archive
    print(f"Wrote {shown(str(target))}: {words}", file=sys.stderr)
