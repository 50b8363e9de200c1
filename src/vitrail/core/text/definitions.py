"""Link reference definitions: ``[label]: destination "title"``.

A paragraph that begins with ``[`` may turn out to be a definition, which is no
text: backticks in it open nothing, and an indented line after it is code.
CommonMark 0.31.2 §4.7. Stepped a character at a time, like
`vitrail.core.text.angles`, next to the reading of the same text as a paragraph.
"""

from __future__ import annotations

from typing import Final

__all__ = ["COMPLETE", "EXTENSIBLE", "Definition"]

COMPLETE: Final = "complete"
"""At a line's end: the definition ends here."""
EXTENSIBLE: Final = "extensible"
"""At a line's end: it ends here, unless a title is the next line."""
_DEAD: Final = "dead"

_CLOSERS: Final = {'"': '"', "'": "'", "(": ")"}
_MAX_PARENTHESES: Final = 32
"""Nesting in a bare destination; the specification asks for three at least."""


class Definition:
    """One definition, or only the title of one, as it comes."""

    __slots__ = ("_closer", "_depth", "_filled", "_state")

    def __init__(self, *, title_only: bool = False) -> None:
        self._state = "gap" if title_only else "start"
        self._filled = False  # the label has a character other than white space
        self._depth = 0
        self._closer = ""

    def step(self, ch: str) -> str:
        """Take the next character and return the state.

        After a line break the state may be `COMPLETE` or `EXTENSIBLE`; a `dead`
        one stays so.
        """
        self._state = getattr(self, "_" + self._state)(ch)
        return self._state

    def _start(self, ch: str) -> str:
        return "label" if ch == "[" else _DEAD

    def _label(self, ch: str) -> str:
        if ch == "]":
            return "colon" if self._filled else _DEAD
        self._filled |= not ch.isspace()
        return {"[": _DEAD, "\\": "label_escape"}.get(ch, "label")

    def _label_escape(self, ch: str) -> str:
        self._filled |= not ch.isspace()
        return "label"

    def _colon(self, ch: str) -> str:
        return "before" if ch == ":" else _DEAD

    def _before(self, ch: str) -> str:
        if ch in " \t\n":
            return "before"
        return "angled" if ch == "<" else self._bare(ch)

    def _angled(self, ch: str) -> str:
        return {"<": _DEAD, "\n": _DEAD, ">": "after", "\\": "angled_escape"}.get(
            ch, "angled"
        )

    def _angled_escape(self, ch: str) -> str:
        return _DEAD if ch == "\n" else "angled"

    def _bare(self, ch: str) -> str:
        if ch <= " " or ch == "\x7f":
            return _DEAD if self._depth else self._after(ch)
        if ch == "(":
            self._depth += 1
            return "bare" if self._depth <= _MAX_PARENTHESES else _DEAD
        if ch == ")":
            self._depth -= 1
            return "bare" if self._depth >= 0 else _DEAD
        return "bare_escape" if ch == "\\" else "bare"

    def _bare_escape(self, ch: str) -> str:
        return self._bare(ch) if ch <= " " else "bare"

    def _after(self, ch: str) -> str:
        if ch == "\n":
            return EXTENSIBLE
        return "gap" if ch in " \t" else _DEAD

    def _gap(self, ch: str) -> str:
        if ch in _CLOSERS:
            self._closer = _CLOSERS[ch]
            return "title"
        return self._after(ch)

    def _title(self, ch: str) -> str:
        if ch == self._closer:
            return "tail"
        if ch == "(" and self._closer == ")":
            return _DEAD
        return "title_escape" if ch == "\\" else "title"

    def _title_escape(self, _ch: str) -> str:
        return "title"

    def _tail(self, ch: str) -> str:
        if ch == "\n":
            return COMPLETE
        return "tail" if ch in " \t" else _DEAD
