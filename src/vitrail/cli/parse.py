"""`vitrail parse`: a model's text in, its events out as JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from vitrail.protocol.events import Event

__all__ = ["parse"]


def parse(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The text; - is standard input.")
    ] = "-",
    *,
    chunk: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Feed N characters at a time, not as they come."
        ),
    ] = None,
    dialect: Annotated[
        Literal["tag"], typer.Option(help="How artifacts are marked in the text.")
    ] = "tag",
    join: Annotated[
        bool, typer.Option("--join", help="Merge neighbouring pieces of one thing.")
    ] = False,
) -> None:
    """Print the events of a model's text as JSON lines.

    Each line is printed as soon as its event is known; with --join, any
    chunking of one text prints the same lines.
    """
    del dialect  # a closed set of one, so far
    from vitrail.cli.texts import read_text
    from vitrail.core.parse import iter_joined
    from vitrail.protocol.events import encode_event

    events: Iterable[Event] = _events(_cut(read_text(file), chunk))
    out = sys.stdout.buffer
    for event in iter_joined(events) if join else events:
        out.write(encode_event(event) + b"\n")
        # Whoever reads the other end sees each event when it happens.
        out.flush()


def _cut(pieces: Iterator[str], chars: int | None) -> Iterator[str]:
    """Yield the pieces, or what they hold in pieces of so many characters."""
    if chars is None:
        yield from pieces
        return
    rest = ""
    for piece in pieces:
        text = rest + piece
        whole = len(text) - len(text) % chars
        for start in range(0, whole, chars):
            yield text[start : start + chars]
        rest = text[whole:]
    if rest:
        yield rest


def _events(pieces: Iterator[str]) -> Iterator[Event]:
    from vitrail.core.parse import StreamParser

    parser = StreamParser()
    for piece in pieces:
        yield from parser.feed(piece)
    yield from parser.close()
