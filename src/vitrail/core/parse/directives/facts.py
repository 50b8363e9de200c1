"""What the readers of directives found, before it is an event.

Places in facts count from the beginning of what was read: a tag, or a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from vitrail.protocol.diagnostics import Span

__all__ = [
    "DirectiveFacts",
    "DirectiveName",
    "EmbedFacts",
    "MediaFacts",
    "MediaPiece",
    "ReadVerdict",
    "SilenceFacts",
]

ReadVerdict: TypeAlias = Literal["tag", "text"]
"""What a reader decided: taken out of the text, or part of it."""

DirectiveName: TypeAlias = Literal[
    "reply_to_current", "reply_to", "audio_as_voice", "react", "react_to_current"
]
"""The names that ``[[…]]`` may have."""


@dataclass(frozen=True, slots=True)
class DirectiveFacts:
    """A ``[[…]]`` that sets something."""

    name: DirectiveName
    value: str | None
    """An id or a reaction: trimmed, without control characters and brackets, at
    most `MAX_DIRECTIVE_VALUE_CHARS` code points; None of a tag without one."""


@dataclass(frozen=True, slots=True)
class EmbedFacts:
    """An ``[embed …]`` that names something to show.

    All of it is the model's word. `ref` is no path: whoever makes an address of
    it encodes it and looks it up among the documents that exist. `url` has the
    scheme http or https, or none; whoever frames it decides about its origin.
    """

    ref: str | None
    url: str | None
    title: str | None
    height: int | None
    """px, from `MIN_EMBED_HEIGHT_PX` to `MAX_EMBED_HEIGHT_PX`."""
    body_chars: int = 0
    """Code points between the two tags of the block form, which are not shown."""


@dataclass(frozen=True, slots=True)
class MediaPiece:
    """One stretch of a ``MEDIA:`` line; the pieces of a line tile it."""

    kind: Literal["text", "media", "refused"]
    """``text`` stays; ``media`` is a reference; ``refused`` is taken out unsaid,
    since it would show a path."""
    value: str | None
    """The reference, as written but for what is around it; of media alone."""
    span: Span


@dataclass(frozen=True, slots=True)
class MediaFacts:
    """A ``MEDIA:`` line of which something is taken out."""

    pieces: tuple[MediaPiece, ...]

    @property
    def references(self) -> tuple[str, ...]:
        """The references, in order."""
        return tuple(p.value for p in self.pieces if p.value is not None)


@dataclass(frozen=True, slots=True)
class SilenceFacts:
    """A silence token that is taken out."""

    is_silent: bool
    """True: it is the whole message. False: it was glued to the first word."""
