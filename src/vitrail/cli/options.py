"""Options that several commands have, each written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

__all__ = ["AsJson", "DataDir", "HistoryFile", "IfMatch", "WithParts"]

AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON.")
]
"""Whether a program reads what is printed."""

DataDir: TypeAlias = Annotated[
    Path | None,
    typer.Option(envvar="VITRAIL_DATA", metavar="DIR", help="The data folder to use."),
]
"""The data folder that a person chose; None: the nearest above what is named."""

HistoryFile: TypeAlias = Annotated[
    str, typer.Argument(help="A file of a project; it may be gone.")
]
"""The file whose history is asked for."""

IfMatch: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="DIGEST", help="Only if the file has this digest; else any."),
]
"""The digest that the file has to have; None: whatever it has."""

WithParts: TypeAlias = Annotated[
    bool,
    typer.Option("--parts", help="With the files that only this page needs."),
]
"""Whether a page's own styles, scripts and pictures go where it goes."""
