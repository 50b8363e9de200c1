"""One thing that a text has and another may lack."""

from __future__ import annotations

from dataclasses import dataclass

from vitrail.protocol.diagnostics import Span
from vitrail.protocol.losses import LossKind

__all__ = ["Thing"]


@dataclass(frozen=True, slots=True)
class Thing:
    """A section, slide, id, function or passage, as one text has it."""

    what: LossKind
    key: str
    """Equal where two texts have the same one."""
    name: str
    """For people."""
    span: Span | None
    """Code points, where it can be taken out whole."""
    text: str = ""
    """Its words, as far as they are needed to know it again."""

    at: int | None = None
    """Where it begins, if that is not where its span does."""

    @property
    def place(self) -> int | None:
        """Where it begins, if that is known."""
        if self.at is not None or self.span is None:
            return self.at
        return self.span[0]
