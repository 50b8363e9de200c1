"""The silence token at a message's beginning: nothing is to be delivered.

The whole message is the token, white space around it aside: silent. A letter
or digit touches it: the token was glued to the text, and goes. Anything else,
as in ``NO_REPLY: because``, is text.
"""

from __future__ import annotations

from typing import Final

from vitrail import limits
from vitrail.core.parse.directives.facts import ReadVerdict, SilenceFacts
from vitrail.core.text import TAG_SPACE
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["SILENCE_WORD", "SilenceToken"]

SILENCE_WORD: Final = "NO_REPLY"
"""What a model answers that has nothing to say, unless it was told another word."""


class SilenceToken:
    """Read the silence token at the beginning of a message.

    White space in front of it belongs to it. Raises ``ValueError`` for a token
    that is empty or holds white space.

    >>> silence = SilenceToken()
    >>> silence.read("NO_REPLYThe user", 0, 16, final=False)
    8
    >>> silence.verdict, silence.found()
    ('tag', SilenceFacts(is_silent=False))
    """

    __slots__ = (
        "_is_silent",
        "_matched",
        "_read",
        "_token",
        "diagnostics",
        "end",
        "looked",
        "verdict",
    )

    def __init__(self, token: str = SILENCE_WORD) -> None:
        if not token or not TAG_SPACE.isdisjoint(token):
            raise ValueError(f"expected a word without white space, got {token!r}")
        self._token = token
        self._matched = 0
        self._read = 0
        self._is_silent = False
        self.verdict: ReadVerdict | None = None
        """None: more text is needed."""
        self.end = 0
        """Of a tag: index behind it."""
        self.looked = 0
        """Characters looked at, each once."""
        self.diagnostics: tuple[Diagnostic, ...] = ()

    def read(self, buf: str, i: int, stop: int, *, final: bool) -> int:
        """Read ``buf[i:stop]`` on from where the last call stopped.

        Returns the index that it got to: `stop`, or that of the verdict. The
        character that decided stands behind a tag's `end`.
        """
        while i < stop and self.verdict is None:
            self.looked += 1
            self._step(buf[i], i)
            i += self.verdict is None
            self._read += 1
            if self._read >= limits.MAX_HELD_CHARS and self.verdict is None:
                self.verdict = "text"
        if self.verdict is None and final and i >= stop:
            self._is_silent = self._matched == len(self._token)
            self.verdict = "tag" if self._is_silent else "text"
            self.end = i
        return i

    def found(self) -> SilenceFacts | None:
        """Return what a tag says, else None."""
        return SilenceFacts(self._is_silent) if self.verdict == "tag" else None

    def _step(self, ch: str, i: int) -> None:
        whole = self._matched == len(self._token)
        if whole and ch.isalnum() and not self._is_silent:
            self.verdict, self.end = "tag", i
        elif whole and ch in TAG_SPACE:
            self._is_silent = True  # unless more than white space follows
        elif not whole and ch == self._token[self._matched]:
            self._matched += 1
        elif self._matched or ch not in TAG_SPACE:
            self.verdict = "text"
