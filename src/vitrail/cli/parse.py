"""`vitrail parse`: a model's text in, its events out as JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias, get_args

import typer

if TYPE_CHECKING:
    from vitrail.core.parse import StreamParser
    from vitrail.core.parse.inputs import InputParser
    from vitrail.protocol.events import Event

__all__ = ["DIALECTS", "parse"]

_Dialect: TypeAlias = Literal[
    "auto",
    "tag",
    "colon",
    "bolt",
    "ant",
    "fence",
    "openai",
    "openai-chat",
    "anthropic",
    "claude-code",
]

DIALECTS: Final[tuple[str, ...]] = get_args(_Dialect)
"""What ``--dialect`` takes; named here so that help needs no parser."""


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
        _Dialect,
        typer.Option(
            metavar="NAME",
            help="How artifacts are marked in the text (auto, tag, colon, bolt, ant, "
            "fence), or whose stream the text is (openai, openai-chat, anthropic, "
            "claude-code).",
        ),
    ] = "auto",
    join: Annotated[
        bool, typer.Option("--join", help="Merge neighbouring pieces of one thing.")
    ] = False,
) -> None:
    """Print the events of a model's text as JSON lines.

    Each line is printed as soon as its event is known; with --join, any
    chunking of one text prints the same lines. Exits 1 where the input is not
    the stream that --dialect says; it is printed as text all the same.
    """
    from vitrail.cli.texts import read_text
    from vitrail.core.parse import iter_joined
    from vitrail.protocol.events import encode_event

    parser = _parser(dialect)
    events: Iterable[Event] = _events(parser, _cut(read_text(file), chunk))
    out = sys.stdout.buffer
    for event in iter_joined(events) if join else events:
        out.write(encode_event(event) + b"\n")
        # Whoever reads the other end sees each event when it happens.
        out.flush()
    _refuse_foreign(parser)


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


def _parser(dialect: _Dialect) -> StreamParser | InputParser:
    match dialect:
        case "openai" | "openai-chat" | "anthropic" | "claude-code":
            from vitrail.core.parse.inputs import InputParser

            return InputParser(dialect)
        case _:
            from vitrail.core.parse import StreamParser

            return StreamParser(dialect=dialect)


def _events(
    parser: StreamParser | InputParser, pieces: Iterator[str]
) -> Iterator[Event]:
    for piece in pieces:
        yield from parser.feed(piece)
    yield from parser.close()


def _refuse_foreign(parser: StreamParser | InputParser) -> None:
    """Raise ``InvalidInput`` if a stream was not of the format it was said to be."""
    from vitrail.core.parse import StreamParser
    from vitrail.errors import InvalidInput

    if not isinstance(parser, StreamParser) and parser.foreign is not None:
        raise InvalidInput(f"{parser.foreign} Another --dialect may fit.")
