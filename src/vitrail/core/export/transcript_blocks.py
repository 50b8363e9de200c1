"""Parts of a message and the blocks of a transcript, in both directions.

Strategy: parts that people read become text and thinking blocks, neighbours of
one type joined; every other part leaves the blocks as they are. Beside them
each part is told whole, with the place of its text in the blocks (``at``: the
block, and half-open code points in it) instead of the text. Places only go
forward, so that no line can name one text many times.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

__all__ = [
    "BlockKind",
    "Blocks",
    "Piece",
    "PlacedPart",
    "block_fields",
    "block_text",
    "place_parts",
]

BlockKind: TypeAlias = Literal["text", "thinking"]

_TEXT_KEYS: Final = {"text": "text", "thinking": "thinking"}
"""The key that a block of a type has its text in."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One part as it goes into a transcript."""

    part: dict[str, Any]
    """Its wire form, without the text where ``text_span`` says where that is."""
    block: BlockKind | None = None
    """The type of the blocks that tell it; none tells it where this is None."""
    raw: str = ""
    """How the block tells it, tags included."""
    text_span: tuple[int, int] | None = None
    """Its own text in ``raw``, in code points."""
    whole: dict[str, Any] | None = None
    """A block of another type, told as it is."""
    is_apart: bool = False
    """Whether it begins a block of its own, though the one before has its type."""
    fields: dict[str, Any] | None = None
    """What else its block says; such a block is begun anew."""


@dataclass(slots=True)
class _Growing:
    """A block that text is added to."""

    kind: BlockKind
    pieces: list[str] = field(default_factory=list)
    chars: int = 0
    fields: dict[str, Any] = field(default_factory=dict)


class Blocks:
    """The blocks of one message, from its pieces in their order."""

    def __init__(self) -> None:
        self._blocks: list[_Growing | dict[str, Any]] = []

    def add(self, piece: Piece) -> dict[str, Any]:
        """Take the next piece; return its part as it is told, with its place."""
        if piece.whole is not None:
            self._blocks.append(piece.whole)
            return {**piece.part, "at": [len(self._blocks) - 1]}
        if piece.block is None or not (piece.raw or piece.fields):
            return piece.part
        last = self._blocks[-1] if self._blocks else None
        fits = isinstance(last, _Growing) and last.kind == piece.block
        is_apart = piece.is_apart or bool(piece.fields)
        if not isinstance(last, _Growing) or not fits or is_apart:
            last = _Growing(piece.block, fields=piece.fields or {})
            self._blocks.append(last)
        start = last.chars
        last.pieces.append(piece.raw)
        last.chars += len(piece.raw)
        if piece.text_span is None:
            return piece.part
        begin, end = piece.text_span
        place = [len(self._blocks) - 1, start + begin, start + end]
        return {**piece.part, "at": place}

    def written(self) -> list[dict[str, Any]]:
        """Return the blocks as a line has them."""
        return [
            {
                "type": block.kind,
                _TEXT_KEYS[block.kind]: "".join(block.pieces),
                **block.fields,
            }
            if isinstance(block, _Growing)
            else block
            for block in self._blocks
        ]


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """A part of a line with what its place in the blocks holds."""

    part: dict[str, Any]
    """As it was told, without its place."""
    text: str | None = None
    kind: BlockKind | None = None
    """The type of the block that ``text`` is in."""
    block: dict[str, Any] | None = None
    """A block of another type than text and thinking."""
    fields: dict[str, Any] | None = None
    """What else the block of ``text`` says, at the first part that names it."""


def block_text(block: dict[str, Any]) -> tuple[BlockKind, str] | None:
    """Return the type and the text of a text or thinking block, None of another.

    Raises ``ValueError`` where its text is none.
    """
    kind = block["type"]
    if kind not in ("text", "thinking"):
        return None
    text = block.get(_TEXT_KEYS[kind])
    if not isinstance(text, str):
        raise ValueError(f"a {kind} block has to have a text in {_TEXT_KEYS[kind]}")  # noqa: TRY004 - one kind of error for a line
    return kind, text


def block_fields(block: dict[str, Any]) -> dict[str, Any]:
    """Return what a text or thinking block says beside its type and its text."""
    known = {"type", _TEXT_KEYS[block["type"]]}
    return {name: value for name, value in block.items() if name not in known}


def place_parts(parts: list[Any], blocks: list[dict[str, Any]]) -> list[PlacedPart]:
    """Return the parts of a line, each with its text or block.

    Blocks of other types that no part names come behind them. Raises
    ``ValueError``, whose words say which part is wrong.
    """
    texts = [block_text(block) for block in blocks]
    placed: list[PlacedPart] = []
    named: set[int] = set()
    reached = (0, 0)
    for index, part in enumerate(parts):
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            raise ValueError(f"part {index} has to be an object with a type")  # noqa: TRY004 - one kind of error for a line
        told = dict(part)
        place = told.pop("at", None)
        if place is None:
            placed.append(PlacedPart(told))
            continue
        number, span = _place(place, texts, index)
        if (number, span[0] if span else 0) < reached:
            raise ValueError(f"part {index} names what an earlier part names")
        is_first = number not in named
        named.add(number)
        block, text = blocks[number], texts[number]
        if text is None or span is None:
            reached = (number + 1, 0)
            placed.append(PlacedPart(told, block=block))
            continue
        start, end = span
        reached = (number, end)
        fields = block_fields(block) if is_first else {}
        said = text[1][start:end]
        placed.append(PlacedPart(told, text=said, kind=text[0], fields=fields or None))
    placed += (
        PlacedPart({"type": block["type"]}, block=block)
        for number, block in enumerate(blocks)
        if number not in named and texts[number] is None
    )
    return placed


def _place(
    place: object, texts: list[tuple[BlockKind, str] | None], index: int
) -> tuple[int, tuple[int, int] | None]:
    """Return the block that a place names, with the span in it where it is a text."""
    match place:
        case [int(number)] if 0 <= number < len(texts) and texts[number] is None:
            return number, None
        case [int(number), int(start), int(end)] if 0 <= number < len(texts):
            text = texts[number]
            if text is not None and 0 <= start <= end <= len(text[1]):
                return number, (start, end)
    raise ValueError(f"part {index} names a place that the blocks do not have")
