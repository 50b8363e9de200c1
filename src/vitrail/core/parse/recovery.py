"""Artifacts that only the end of the text can tell: those in a fence never closed.

Text in a fence is shown as it comes. From the first line of an open fence that
begins with an open tag on, a copy is kept; it is dropped when the fence closes
or when it grows beyond what is kept. At the end of the text the copy of a
fence that never closed is read again, and what it holds is told as ordinary
artifact events marked ``recovered``, their spans naming text already shown.
"""

from __future__ import annotations

from typing import Final

from vitrail.core.text import TAG_SPACE

__all__ = ["FenceCopy"]

_OPENER: Final = "<artifact"
_BLOCK: Final = 512
"""Pieces joined at once: a short one costs several times its characters."""


class FenceCopy:
    """A copy of the text from the first open tag in the current fence on."""

    def __init__(self, *, max_chars: int) -> None:
        self._max_chars = max_chars
        self._blocks: list[str] = []
        self._pieces: list[str] = []
        self._chars = 0
        self._checked = False
        self.fence = -1
        """Ordinal of the fence that is being copied, or -1."""
        self.start = 0
        """Place of the copy's first character in the message."""
        self.dropped: tuple[int, int] | None = None
        """Fence and start of the last copy that was dropped because it grew too long."""

    def begin(self, fence: int, start: int) -> None:
        """Copy from `start` on, unless a copy of this fence is being made."""
        if self.fence != fence:
            self.drop()
            self.fence, self.start = fence, start

    def drop(self) -> None:
        """Forget the copy."""
        self.fence = -1
        self._blocks = []
        self._pieces = []
        self._chars = 0
        self._checked = False

    def add(self, text: str) -> None:
        """Copy a piece of text that was just shown."""
        self._pieces.append(text)
        self._chars += len(text)
        if not self._checked and self._chars > len(_OPENER):
            self._checked = True
            head = "".join(self._pieces)[: len(_OPENER) + 1]
            if head[:-1] != _OPENER or head[-1] not in TAG_SPACE:
                self.drop()
        if self._chars > self._max_chars:
            self.dropped = self.fence, self.start
            self.drop()
        elif len(self._pieces) >= _BLOCK:
            self._blocks.append("".join(self._pieces))
            self._pieces.clear()

    def text(self) -> str:
        """Return the copy."""
        return "".join([*self._blocks, *self._pieces])
