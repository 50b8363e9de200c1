"""`vitrail import`: a folder, a ZIP, a bundle or a transcript into a project."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final, cast

import typer

from vitrail.cli.options import AsJson, DataDir

if TYPE_CHECKING:
    from vitrail.core.validate import GatePolicy
    from vitrail.errors import InvalidInput
    from vitrail.protocol.imports import ImportResult

__all__ = ["import_"]

_STDIN: Final = "-"
_PIECE_BYTES: Final = 256 * 1024
_MAX_SHOWN: Final = 100
"""Refusals on a terminal; ``--json`` has them all."""


_Replace = Annotated[
    str | None,
    typer.Option(
        metavar="REASON",
        help="Why files that are there are replaced; without it one refuses all.",
    ),
]


def import_(
    path: Annotated[
        str,
        typer.Argument(
            help="A folder, a ZIP, a bundle or a transcript; - reads standard input."
        ),
    ],
    project: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The project's folder; it is made if it is not there. An archive's own "
            "name if not given.",
        ),
    ] = None,
    replace: _Replace = None,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Bring a folder, a ZIP, a bundle or a transcript into a project, or none of it.

    What may not come in refuses the whole import: everything that is wrong is
    listed, nothing is written, and the exit code is 1.
    """
    from vitrail.cli.transcripts import import_transcript, is_transcript
    from vitrail.core.validate.reasons import stated_reason
    from vitrail.errors import InvalidInput

    if is_transcript(path):
        if project is None or replace is not None:
            raise typer.BadParameter(
                "a transcript needs --project, and replaces nothing",
                param_hint="--project",
            )
        import_transcript(path, project, data=data, as_json=as_json)
        return
    target = project or _named_after(path)
    if not str(target).strip() or (replace is not None and not replace.strip()):
        raise typer.BadParameter("expected words, got an empty text")
    stated_reason(replace)  # before anything is made
    try:
        result = _imported(path, target, replace, data)
    except InvalidInput as error:
        _tell_refused(error, as_json=as_json)
        raise
    if as_json:
        print(result.model_dump_json(by_alias=True, indent=2))
    else:
        _tell(result, target)


def _imported(
    path: str, target: Path, replace: str | None, data: Path | None
) -> ImportResult:
    from vitrail.adapters.outputs import open_input
    from vitrail.server.settings import read_gate_policy
    from vitrail.workspace import Workspace

    gates, words = read_gate_policy()
    for one in words:
        print(f"warning: {one}", file=sys.stderr)
    with ExitStack() as undo:
        source: Path | BinaryIO
        if path != _STDIN and Path(path).is_dir():
            source = Path(path).resolve()
        else:
            file = _spooled() if path == _STDIN else open_input(Path(path))
            source = undo.enter_context(file)
        # an import that is refused leaves no folder behind
        _examine(source, None if target.exists() else gates)
        workspace = undo.enter_context(Workspace(target, data=data, gates=gates))
        return workspace.bring_in(source, reason=replace)


def _examine(source: Path | BinaryIO, policy: GatePolicy | None) -> None:
    """Raise what an import would, before there is a project for it.

    ``policy`` is that of the gates, for a project that is new.
    """
    import asyncio

    from vitrail.adapters.archives import FolderSource, ZipSource
    from vitrail.workflow.exchange import examine, examine_archive
    from vitrail.workflow.gating import GateKeeper

    gates = GateKeeper(policy) if policy else None
    if isinstance(source, Path):
        asyncio.run(examine(FolderSource(source), gates))
    else:
        asyncio.run(examine_archive(source, ZipSource, gates))


def _named_after(path: str) -> Path:
    """Return the folder that an archive becomes where nobody names one."""
    name = Path(path).name
    for ending in (".bundle.zip", ".zip"):
        if name.lower().endswith(ending) and len(name) > len(ending):
            return Path(name[: -len(ending)])
    raise typer.BadParameter(
        "name the project's folder; only what ends in .zip says one by itself",
        param_hint="--project",
    )


def _spooled() -> BinaryIO:
    """Return standard input as a file that can be read from any place."""
    from vitrail.errors import InvalidInput
    from vitrail.limits import MAX_IMPORT_BYTES

    if sys.stdin is None:
        raise InvalidInput("Standard input is closed, so there is no archive.")
    spool = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - its reader closes it
    size = 0
    while piece := sys.stdin.buffer.read(_PIECE_BYTES):
        size += len(piece)
        if size > MAX_IMPORT_BYTES:
            spool.close()
            raise InvalidInput(
                f"Standard input is longer than an import may be ({MAX_IMPORT_BYTES} "
                "bytes). Import a file."
            )
        spool.write(piece)
    spool.seek(0)
    return spool


def _tell(result: ImportResult, target: Path) -> None:
    from vitrail.cli.files import shown

    for file in result.files:
        beside = f"  (kept beside it as {shown(file.draft)})" if file.draft else ""
        print(f"{file.verdict:<12} {shown(file.path)}{beside}")
        for found in file.diagnostics:
            print(f"             {shown(found.message)} ({found.code})")
    for one in result.left_out:
        print(f"{'left out':<12} {shown(one.name)}  ({one.reason})")
    if result.kind == "bundle":
        print(f"{result.revisions} revisions came with it; its seal is {result.seal}")
    if not result.files:
        print(f"Nothing to import into {shown(target.name)}.")


def _tell_refused(error: InvalidInput, *, as_json: bool) -> None:
    """Print everything that is wrong; the one line of the error follows."""
    import json

    from vitrail.cli.files import shown

    refused = error.details.get("refused")
    if not isinstance(refused, list):
        return
    if as_json:
        print(json.dumps({"files": [], "refused": refused}, indent=2))
        return
    for one in refused[:_MAX_SHOWN]:
        name = shown(one["name"]) or "the whole of it"
        print(f"refused  {name}: {one['message']} ({one['code']})", file=sys.stderr)
    if len(refused) > _MAX_SHOWN:
        print(f"refused  and {len(refused) - _MAX_SHOWN} more", file=sys.stderr)
