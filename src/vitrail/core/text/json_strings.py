r"""The strings of a JSON object while it is still being written.

Strategy: the grammar of JSON (RFC 8259) as a machine that may stop at any
character. The strings that stand directly in the outermost object are told
piece by piece under their key, decoded; everything else is checked and passed
over. Halves of characters in ``\u`` escapes are joined, however they are cut,
and a half without its other one becomes U+FFFD. A control character that
stands in a string unescaped, as careless writers leave line breaks, is taken
as it is and counted. Any other breach ends the reading: what was told stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from vitrail.core.text.decode import REPLACEMENT, SurrogateJoiner

__all__ = ["JsonStrings", "StringPiece"]

_PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]*+')
_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_WORD: Final = re.compile(r"[-+.0-9A-Za-z]*+")
_NUMBER: Final = re.compile(
    r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+"
)

_SIMPLE: Final = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_UNICODE_CHARS: Final = 6
"""Of an escape ``\\uXXXX``."""

_MAX_DEPTH: Final = 256
_MAX_KEY_CHARS: Final = 256
_MAX_WORD_CHARS: Final = 1024
"""Longest number."""

_HIGH: Final = range(0xD800, 0xDC00)
_LOW: Final = range(0xDC00, 0xE000)


class StringPiece(Struct, frozen=True, gc=False):
    """A piece of a string that stands in the outermost object."""

    key: str
    delta: str
    is_last: bool
    """Whether the string ends with it."""


class JsonStrings:
    r"""Read one JSON object as it comes.

    >>> strings = JsonStrings()
    >>> strings.feed('{"path": "a.md", "content": "Te')[1]
    StringPiece(key='content', delta='Te', is_last=False)
    >>> strings.feed('a\\n"}')
    [StringPiece(key='content', delta='a\n', is_last=True)]
    >>> strings.is_whole
    True
    """

    def __init__(self) -> None:
        self.error: str | None = None
        """What is wrong with the JSON, for people; it is read no further."""
        self.rest = ""
        """Of the last piece, what came from the breach on, as it came."""
        self.raw_controls = 0
        """Control characters that stood in strings unescaped."""
        self.lone_halves = 0
        """Halves of characters without their other half."""
        self.chars = 0
        """Characters fed."""
        self.looked = 0
        """Characters looked at, each as often as it was."""
        self._joiner = SurrogateJoiner()
        self._state: Callable[[str, int], int] = self._between
        self._stack: list[str] = []  # what closes the open objects and lists
        self._expected = "value"
        self._pieces: list[StringPiece] = []
        self._key: str | None = ""  # of the outermost object; None: too long to keep
        self._is_key = False  # whether the string that is read is a key
        self._run: list[str] = []  # decoded, not told
        self._run_chars = 0
        self._high = 0  # half that waits for its other one
        self._escape = ""
        self._word: list[str] = []
        self._word_chars = 0

    @property
    def has_ended(self) -> bool:
        """Whether the object has ended; something may stand behind it."""
        return self._expected == "nothing"

    @property
    def is_whole(self) -> bool:
        """Whether what was fed is one object."""
        return self.has_ended and self.error is None

    def feed(self, text: str) -> list[StringPiece]:
        """Return the pieces of strings that this text tells."""
        self.chars += len(text)
        text = self._joiner.feed(text)
        if self.error is not None:
            self.rest = text
            return []
        at, end = 0, len(text)
        self.looked += end
        while at < end and self.error is None:
            at = self._state(text, at)
        if at < end:
            self.rest += text[at:]
        self._tell(is_last=False)
        pieces, self._pieces = self._pieces, []
        return pieces

    # --- between strings -----------------------------------------------------------

    def _between(self, text: str, at: int) -> int:
        match = _SPACE.match(text, at)
        at = match.end() if match else at
        if at == len(text):
            return at
        ch, expected = text[at], self._expected
        if expected in ("value", "value or ]"):
            return self._begin_value(at, ch)
        if ch == '"' and expected in ("key", "key or }"):
            self._begin_string(is_key=True)
        elif ch == ":" and expected == ":":
            self._expected = "value"
        elif ch == "," and expected == ", or end":
            self._expected = "key" if self._stack[-1] == "}" else "value"
        elif ch in "}]" and self._may_close(ch):
            self._close()
        else:
            self._fail(ch)
        return at + 1

    def _may_close(self, ch: str) -> bool:
        return (
            bool(self._stack)
            and self._stack[-1] == ch
            and (self._expected in (", or end", f"key or {ch}", f"value or {ch}"))
        )

    def _begin_value(self, at: int, ch: str) -> int:
        if ch == "{" or (ch == "[" and self._stack):
            self._open(ch)
        elif not self._stack:
            self._fail(ch)  # arguments are an object
        elif ch == '"':
            self._begin_string(is_key=False)
        elif ch == "]" and self._may_close(ch):
            self._close()
        elif ch in "-tfn" or (ch.isascii() and ch.isdigit()):
            self._state = self._read_word
            return at
        else:
            self._fail(ch)
        return at + 1

    def _open(self, ch: str) -> None:
        if len(self._stack) >= _MAX_DEPTH:
            self._break(f"it is nested more than {_MAX_DEPTH} levels deep", ch)
            return
        self._stack.append("}" if ch == "{" else "]")
        self._expected = "key or }" if ch == "{" else "value or ]"

    def _close(self) -> None:
        self._stack.pop()
        self._expected = ", or end" if self._stack else "nothing"

    def _fail(self, ch: str) -> None:
        self._break(f"expected {self._expected} where {ch!r} stands", ch)

    def _break(self, error: str, read: str) -> None:
        """End the reading at what has been read of the text last."""
        self.error, self.rest = error, read

    def _read_word(self, text: str, at: int) -> int:
        """Read a number, ``true``, ``false`` or ``null``."""
        match = _WORD.match(text, at)
        end = match.end() if match else at
        self._word.append(text[at:end])
        self._word_chars += end - at
        is_long = self._word_chars > _MAX_WORD_CHARS
        if end == len(text) and not is_long:
            return end
        word = "".join(self._word)
        self._word, self._word_chars = [], 0
        self.looked += len(word)
        if is_long:
            self._break(f"a number has more than {_MAX_WORD_CHARS} characters", word)
        elif word in ("true", "false", "null") or _NUMBER.fullmatch(word):
            self._expected = ", or end"
            self._state = self._between
        else:
            self._break(f"expected value where {word[:20]!r} stands", word)
        return end

    # --- strings ---------------------------------------------------------------------

    def _begin_string(self, *, is_key: bool) -> None:
        self._is_key = is_key
        self._state = self._read_string
        self._run_chars = 0

    @property
    def _is_told(self) -> bool:
        """Whether the string that is read is told or, as a key, kept."""
        return len(self._stack) == 1 and (self._is_key or self._key is not None)

    def _read_string(self, text: str, at: int) -> int:
        match = _PLAIN.match(text, at)
        end = match.end() if match else at
        if end > at:
            self._add(text[at:end])
        if end == len(text):
            return end
        ch = text[end]
        if ch == '"':
            self._end_string()
        elif ch == "\\":
            self._escape = ch
            self._state = self._read_escape
        else:
            self.raw_controls += 1
            self._add(ch)
        return end + 1

    def _read_escape(self, text: str, at: int) -> int:
        escape = self._escape
        wanted = _UNICODE_CHARS if (escape + text[at])[1:2] == "u" else 2
        piece = text[at : at + wanted - len(escape)]
        escape += piece
        if len(escape) < wanted:
            self._escape = escape
        elif wanted == _UNICODE_CHARS:
            self._take_unicode(escape)
        elif escape[1] in _SIMPLE:
            self._add(_SIMPLE[escape[1]])
            self._state = self._read_string
        else:
            self._break(f"there is no escape {escape!r}", escape)
        return at + len(piece)

    def _take_unicode(self, escape: str) -> None:
        if not _HEX.issuperset(escape[2:]):
            self._break(f"there is no escape {escape!r}", escape)
            return
        self._state = self._read_string
        code = int(f"0x{escape[2:]}", 0)
        if code in _HIGH:
            self._give_up_half()
            self._high = code
        elif code in _LOW and self._high:
            high, self._high = self._high, 0
            self._add(chr(0x10000 + ((high - _HIGH[0]) << 10) + code - _LOW[0]))
        elif code in _LOW:
            self.lone_halves += 1
            self._add(REPLACEMENT)
        else:
            self._add(chr(code))

    def _give_up_half(self) -> None:
        if self._high:
            self._high = 0
            self.lone_halves += 1
            self._add(REPLACEMENT)

    def _add(self, text: str) -> None:
        self._give_up_half()
        if not self._is_told:
            return
        self._run_chars += len(text)
        if not self._is_key or self._run_chars <= _MAX_KEY_CHARS:
            self._run.append(text)

    def _end_string(self) -> None:
        self._give_up_half()
        self._state = self._between
        if not self._is_key:
            self._tell(is_last=True)
            self._expected = ", or end"
            return
        if len(self._stack) == 1:
            is_long = self._run_chars > _MAX_KEY_CHARS
            self._key = None if is_long else "".join(self._run)
        self._run = []
        self._expected = ":"

    def _tell(self, *, is_last: bool) -> None:
        """Tell what has been read of a string that is told."""
        in_string = self._state in (self._read_string, self._read_escape)
        if self._is_key or not self._is_told or not (is_last or in_string):
            return
        if (self._run or is_last) and self._key is not None:
            self._pieces.append(StringPiece(self._key, "".join(self._run), is_last))
        self._run = []
