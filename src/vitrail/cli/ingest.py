"""`vitrail ingest`: a finished or still running text into a project folder."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vitrail.cli.options import AsJson, DataDir

if TYPE_CHECKING:
    from vitrail.protocol.http import IngestResult, RefusedFile

__all__ = ["ingest"]

_STDIN = "-"
_SIGNAL_EXIT = 128
"""Added to a signal's number, as shells count it."""


def _folder(value: str) -> Path:
    # Path("") is the current folder; who writes it has a variable that is not set
    if not value.strip():
        raise typer.BadParameter("expected a folder, got an empty name")
    return Path(value)


def _words(value: str | None) -> str | None:
    if value is not None and not value.strip():
        raise typer.BadParameter("expected words, got none")
    return value


def ingest(
    file: Annotated[
        str, typer.Argument(help="The text, UTF-8; - reads standard input.")
    ] = _STDIN,
    project: Annotated[
        Path,
        typer.Option(
            help="Folder of the project; it is made if it is not there.",
            metavar="DIR",
            parser=_folder,
        ),
    ] = ...,  # type: ignore[assignment]  # typer's mark of an option that is needed
    replace: Annotated[
        str | None,
        typer.Option(
            metavar="REASON",
            help="Why files are replaced; kept in their history.",
            callback=_words,
        ),
    ] = None,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Save what a model's text contains into a project folder.

    Every file is there as soon as its artifact has ended. Exits 1 where an
    artifact was refused; what could be saved is saved all the same.
    """
    from vitrail.cli.files import gate_policy
    from vitrail.cli.texts import read_text
    from vitrail.core.validate.reasons import stated_reason
    from vitrail.workspace import Workspace

    stated_reason(replace)  # before anything is made
    gates = gate_policy()
    pieces = read_text(file)
    # the first piece is asked for before a folder is made for a text that is none
    first = next(pieces, "")
    with (
        _ended_in_order(),
        Workspace(project, data=data, gates=gates) as workspace,
    ):
        result = workspace.ingest(_chained(first, pieces), reason=replace)
    if as_json:
        print(result.model_dump_json(by_alias=True, indent=2))
    else:
        _tell(result)
    if result.refused:
        _complain(result.refused)
        raise typer.Exit(1)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let a signal that ends the process keep what had come, as Ctrl-C does."""

    def end(number: int, _: object) -> None:
        raise SystemExit(_SIGNAL_EXIT + number)

    before = {
        number: signal.signal(number, end)
        for number in (signal.SIGTERM, signal.SIGHUP)
        # what the caller ignores (nohup) or handles stays his
        if signal.getsignal(number) is signal.SIG_DFL
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _chained(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _tell(result: IngestResult) -> None:
    from vitrail.cli.files import shown

    for saved in result.saved:
        print(f"saved        {saved.path}  ({saved.kind}, {saved.digest[:12]})")
    for kept in result.quarantined:
        # paths and identifiers are a model's words: a terminal must not obey them
        print(f"kept beside  {shown(kept.path)}: {shown(kept.draft)}")
        for found in kept.diagnostics:
            print(f"             {shown(found.message)}")
    if result.quarantined:
        print("             decide with `vitrail quarantine accept` or `drop`")
    for fixed in result.fixed:
        for found in fixed.diagnostics:
            print(f"fixed        {fixed.identifier!r}: {found.message}")
    if not (result.saved or result.quarantined or result.refused):
        print("The text holds no artifact; nothing was saved.")


def _complain(refused: tuple[RefusedFile, ...]) -> None:
    sys.stdout.flush()
    for item in refused:
        for found in item.diagnostics:
            named = f"artifact {item.identifier!r}: " if item.identifier else ""
            print(f"error: {named}{found.message} ({found.code})", file=sys.stderr)
