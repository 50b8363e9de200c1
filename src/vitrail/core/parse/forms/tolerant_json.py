"""JSON as models write it, read as it comes, one look a character.

Strategy: a state machine whose states are methods that read on from an index
and return the next one. Whole values and open containers are in `JsonTree` at
once; the one string that is being read is apart, as `growing`. A string is
whole only when what follows its closing quote shows that it was one, so a
quote or an apostrophe that nobody escaped is text. What strict JSON refuses
and a reader can tell is mended and counted by kind; what nobody can tell is a
`fault`, and nothing behind it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from vitrail.core.parse.forms.json_tree import (
    JsonTree,
    Repair,
    RepairKind,
    RepairLog,
)
from vitrail.core.parse.forms.json_words import (
    NAME,
    Role,
    Words,
    read_word,
)
from vitrail.core.text import TAG_SPACE
from vitrail.protocol.diagnostics import Span

__all__ = ["FaultKind", "JsonFault", "JsonReader"]

FaultKind: TypeAlias = Literal["empty", "syntax", "unclosed-string", "too-deep"]
"""Why a text could not be read to its end."""

_State: TypeAlias = Callable[[str, int, int], int]

_JSON_SPACE: Final = frozenset(" \t\n\r")
_SPACES: Final = re.compile(r"[ \t\n\r]*")
_LINE: Final = re.compile(r"[^\n\r]*")
_SMART_DOUBLE: Final = frozenset("“”„‟")
_SMART_SINGLE: Final = frozenset("\u2018\u2019\u201a\u201b")
_QUOTES: Final = frozenset("\"'") | _SMART_DOUBLE | _SMART_SINGLE
_RUNS: Final = {
    '"': re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]+'),
    "'": re.compile(r"[^'\\\x00-\x1f\ud800-\udfff]+"),
    "“": re.compile(r'[^“”‟"\\\x00-\x1f\ud800-\udfff]+'),
    "\u2018": re.compile(r"[^\u2018\u2019\u201b'\\\x00-\x1f\ud800-\udfff]+"),
}
"""What stands in a string without a meaning of its own, by its opening quote."""
_CLOSERS: Final = {'"': '"', "'": "'", "“": '“”‟"', "\u2018": "\u2018\u2019\u201b'"}
_ESCAPES: Final = {
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
_HEX_DIGITS: Final = 4
_WORD_RUN: Final = re.compile(r"[^\s,:{}\[\]\"'`/“”„‟\u2018-\u201b\ufeff]+")
_MAX_WORD_CHARS: Final = 512
"""Longest number or bare word; no double needs more than 325 digits."""
_FENCE_INFO: Final = frozenset(
    "`abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+- \t"
)


@dataclass(frozen=True, slots=True)
class JsonFault:
    """Why reading stopped, and where."""

    kind: FaultKind
    place: int


class JsonReader:
    """Reads one JSON container from text that comes in pieces.

    ``root`` is the container as far as it has come: whole values, and open
    containers at their place. It is changed in place; take no part of it for
    final that `is_open`.
    """

    def __init__(self) -> None:
        self.is_whole = False
        """Whether the root is closed."""
        self.fault: JsonFault | None = None
        self.looked = 0
        """Characters looked at, ever."""
        self._log = RepairLog()
        self._tree = JsonTree(self._log)
        self._base = 0
        self._state: _State = self._read_start
        self._resume: _State = self._read_start
        self._words = Words(self._log)
        self._comment = 0
        self._has_fence = False
        self._behind = -1

    # --- what others ask ----------------------------------------------------

    @property
    def root(self) -> dict[str, Any] | list[Any] | None:
        """The container as far as it has come; none before its bracket."""
        return self._tree.root

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was mended, in the order of its first place."""
        return self._log.all()

    @property
    def in_string(self) -> bool:
        """Whether the place is inside a string."""
        return self._state in (self._read_string, self._read_escape, self._read_hex)

    @property
    def growing(self) -> tuple[dict[str, Any], str, str] | None:
        """The object, key and text of the value string that is being read."""
        if not (self.in_string or self._state == self._read_behind_quote):
            return None
        place = self._tree.place
        if place is None or self._words.role == "key":
            return None
        return *place, self._words.text()

    def span_of(self, items: list[Any], index: int) -> Span:
        """Return where a closed item of a list of this text was."""
        return self._tree.span_of(items, index)

    def is_open(self, value: object) -> bool:
        """Whether a container is not closed yet."""
        return self._tree.is_open(value)

    def feed(self, text: str) -> None:
        """Take the next piece."""
        i, end = 0, len(text)
        while i < end:
            after = self._state(text, i, end)
            self.looked += max(after - i, 1)
            i = after
        self._base += end

    def close(self) -> None:
        """Take note that no more comes."""
        if self._state in (self._read_line_comment, self._read_block_comment):
            self._log.add("comment", self._comment, self._base)
            self._state = self._resume
        if self._state in (self._read_start, self._read_fence):
            self._fail("empty", 0)
        elif self.in_string:
            self._fail("unclosed-string", self._words.start - self._base)
        elif self._state == self._read_behind_quote:
            self._end_string(self._quote_end(0))
        elif self._state == self._read_word:
            self._end_word()
        elif self._state == self._read_slash and self.is_whole:
            self._behind = self._comment
        elif self._state == self._read_slash:
            self._fail("syntax", -1)
        if self.fault is None and self._tree.has_open:
            self._shut_all(0)
        if self._behind >= 0:
            self._log.add("text-behind", self._behind, self._base)

    # --- between values -----------------------------------------------------

    def _pass(self, text: str, i: int, end: int) -> int:
        """Pass what stands between values; return the index behind it, or -1."""
        ch = text[i]
        if ch in _JSON_SPACE:
            return _end_of(_SPACES, text, i, end)
        if ch == "/":
            self._comment = self._base + i
            self._resume = self._state
            self._state = self._read_slash
            return i + 1
        if ch == "`" and (self._has_fence or self._state == self._read_after):
            self._shut_all(i)
            return i
        if ch in TAG_SPACE:
            self._repair_at("odd-space", i)
            return i + 1
        return -1

    def _read_start(self, text: str, i: int, end: int) -> int:
        ch = text[i]
        if ch in "{[":
            self._open(ch, i)
        elif ch == "`" and not self._has_fence:
            self._has_fence = True
            self._repair_at("code-fence", i)
            self._state = self._read_fence
        elif ch == "\ufeff":
            pass  # a byte order mark is no text
        elif ch == "`" or (passed := self._pass(text, i, end)) < 0:
            self._fail("syntax", i)
        else:
            return passed
        return i + 1

    def _read_fence(self, text: str, i: int, end: int) -> int:
        del end
        ch = text[i]
        if ch in "\n\r":
            self._state = self._read_start
            return i + 1
        if ch in "{[":
            self._state = self._read_start
            return i
        if ch not in _FENCE_INFO:
            self._fail("syntax", i)
        return i + 1

    def _read_value(self, text: str, i: int, end: int) -> int:
        if (passed := self._pass(text, i, end)) >= 0:
            return passed
        ch = text[i]
        if ch in "{[":
            self._open(ch, i)
            return i + 1
        if ch in _QUOTES:
            self._begin_string("value", ch, i)
            return i + 1
        if ch in "}],":
            return self._miss_value(ch, i)
        if _WORD_RUN.match(ch):
            self._begin_word("value", i)
            return i
        self._fail("syntax", i)
        return i + 1

    def _miss_value(self, ch: str, i: int) -> int:
        """Take a comma or a closing bracket where a value should be."""
        if self._tree.in_object:
            self._repair_at("missing-value", i)
            self._state = self._read_after
            return i
        if ch == ",":
            self._repair_at("extra-comma", i)
            return i + 1
        return self._shut(ch, i)

    def _read_key(self, text: str, i: int, end: int) -> int:
        if (passed := self._pass(text, i, end)) >= 0:
            return passed
        ch = text[i]
        if ch in _QUOTES:
            self._begin_string("key", ch, i)
            return i + 1
        if ch in "}]":
            return self._shut(ch, i)
        if ch == ",":
            self._repair_at("extra-comma", i)
            return i + 1
        if NAME.match(ch):
            self._begin_word("key", i)
            return i
        self._fail("syntax", i)
        return i + 1

    def _read_colon(self, text: str, i: int, end: int) -> int:
        if (passed := self._pass(text, i, end)) >= 0:
            return passed
        ch = text[i]
        if ch == ":":
            self._state = self._read_value
            return i + 1
        if ch in ",}]" and self._words.opener:
            return self._miss_value(ch, i)
        self._fail("syntax", i)
        return i + 1

    def _read_after(self, text: str, i: int, end: int) -> int:
        if (passed := self._pass(text, i, end)) >= 0:
            return passed
        ch = text[i]
        if ch in "}]":
            return self._shut(ch, i)
        if ch == ",":
            self._tree.put_comma(self._base + i)
            self._begin_item()
            return i + 1
        if ch in "{[" or ch in _QUOTES or _WORD_RUN.match(ch):
            self._repair_at("missing-comma", i)
            self._begin_item()
            return i
        self._fail("syntax", i)
        return i + 1

    def _read_tail(self, text: str, i: int, end: int) -> int:
        ch = text[i]
        if ch in _JSON_SPACE or ch == "\ufeff":
            return max(i + 1, _end_of(_SPACES, text, i, end))
        if ch == "`":
            if not self._has_fence:
                self._has_fence = True
                self._repair_at("code-fence", i)
            return i + 1
        if ch in "}]":
            self._repair_at("extra-bracket", i)
            return i + 1
        if ch == "/":
            return self._pass(text, i, end)
        self._behind = self._base + i
        self._state = self._read_nothing
        return end

    def _read_nothing(self, text: str, i: int, end: int) -> int:
        del text, i
        return end

    # --- comments -----------------------------------------------------------

    def _read_slash(self, text: str, i: int, end: int) -> int:
        del end
        if text[i] == "/":
            self._state = self._read_line_comment
        elif text[i] == "*":
            self._state = self._read_block_comment
        elif self.is_whole:
            self._behind = self._comment
            self._state = self._read_nothing
        else:
            self._fail("syntax", i)
        return i + 1

    def _read_line_comment(self, text: str, i: int, end: int) -> int:
        stop = _end_of(_LINE, text, i, end)
        if stop < end:
            self._log.add("comment", self._comment, self._base + stop)
            self._state = self._resume
        return stop

    def _read_block_comment(self, text: str, i: int, end: int) -> int:
        star = text.find("*", i, end)
        if star < 0:
            return end
        self._state = self._read_star
        return star + 1

    def _read_star(self, text: str, i: int, end: int) -> int:
        del end
        if text[i] == "/":
            self._log.add("comment", self._comment, self._base + i + 1)
            self._state = self._resume
        elif text[i] != "*":
            self._state = self._read_block_comment
        return i + 1

    # --- strings ------------------------------------------------------------

    def _begin_string(self, role: Role, quote: str, i: int) -> None:
        opener = quote
        if quote in _SMART_DOUBLE:
            opener = "“"
        elif quote in _SMART_SINGLE:
            opener = "\u2018"
        if quote == "'":
            self._repair_at("single-quotes", i)
        elif quote != '"':
            self._repair_at("smart-quotes", i)
        self._words = Words(self._log, role, opener, self._base + i)
        self._state = self._read_string

    def _read_string(self, text: str, i: int, end: int) -> int:
        words = self._words
        run = _end_of(_RUNS[words.opener], text, i, end)
        if run > i:
            self._words.add(text[i:run])
            return run
        ch = text[i]
        if ch == "\\":
            self._state = self._read_escape
        elif ch in _CLOSERS[words.opener]:
            words.behind = [ch]
            self._state = self._read_behind_quote
        elif ch < " ":
            self._repair_at("control-character", i)
            self._words.add(ch)
        else:
            self._repair_at("lone-surrogate", i)
            self._words.add("\ufffd")
        return i + 1

    def _read_escape(self, text: str, i: int, end: int) -> int:
        del end
        ch = text[i]
        if ch == "u":
            self._words.digits = ""
            self._state = self._read_hex
            return i + 1
        self._state = self._read_string
        if ch in _ESCAPES:
            self._words.add(_ESCAPES[ch])
            return i + 1
        self._repair_at("bad-escape", i)
        if ch in "\n\r" or ch in _QUOTES:
            if ch in _QUOTES:
                self._words.add(ch)
            return i + 1
        self._words.add("\\")
        return i

    def _read_hex(self, text: str, i: int, end: int) -> int:
        del end
        words = self._words
        if text[i] not in _HEX:
            self._repair_at("bad-escape", i)
            self._words.add("\\u" + words.digits)
            self._state = self._read_string
            return i
        words.digits += text[i]
        if len(words.digits) == _HEX_DIGITS:
            words.add_unit(int(words.digits, 16), self._base + i)
            self._state = self._read_string
        return i + 1

    def _read_behind_quote(self, text: str, i: int, end: int) -> int:
        """Tell by what follows whether a quote closed its string."""
        words = self._words
        ch = text[i]
        if ch in _JSON_SPACE:
            stop = _end_of(_SPACES, text, i, end)
            words.behind.append(text[i:stop])
            return stop
        if words.behind[-1] == "/":
            if ch in "/*":
                self._comment = self._base + i - 1
                self._end_string(self._quote_end(i))
                self._resume = self._state
                self._state = self._read_slash
                return i
        elif ch == "/":
            words.behind.append(ch)
            return i + 1
        elif self._closes(ch):
            self._end_string(self._quote_end(i))
            return i
        self._log.add("inner-quote", self._quote_end(i) - 1)
        self._words.add("".join(words.behind))
        self._state = self._read_string
        return i

    def _quote_end(self, i: int) -> int:
        """Return the place behind the quote that may close."""
        return self._base + i - sum(map(len, self._words.behind)) + 1

    def _closes(self, ch: str) -> bool:
        """Whether a string ends if this is the first character behind its quote."""
        if ch in ",}]`":
            return True
        if self._words.role == "key":
            return ch == ":"
        has_space = len(self._words.behind) > 1
        return has_space and (ch in "{[" or ch in _QUOTES)

    def _end_string(self, end: int) -> None:
        """Take the string; `end` is the place behind its closing quote."""
        words = self._words
        if words.role == "key":
            self._put_key(words.finish(), end)
        else:
            self._put(words.finish(), end)

    # --- numbers and words --------------------------------------------------

    def _begin_word(self, role: Role, i: int) -> None:
        self._words = Words(self._log, role, start=self._base + i)
        self._state = self._read_word

    def _read_word(self, text: str, i: int, end: int) -> int:
        stop = _end_of(_WORD_RUN, text, i, end)
        if stop == i:
            self._end_word()
            return i
        self._words.add(text[i:stop])
        if self._words.chars > _MAX_WORD_CHARS:
            self._fail("syntax", self._words.start - self._base)
        return stop

    def _end_word(self) -> None:
        start, word = self._words.start, self._words.text()
        end = start + len(word)
        if self._words.role == "key" and NAME.fullmatch(word):
            self._log.add("unquoted", start, end)
            self._put_key(word, end)
            return
        found = read_word(word)
        if found is None or self._words.role == "key":
            self._fail("syntax", start - self._base)
            return
        value, mended = found
        if mended is not None:
            self._log.add(mended, start, end)
        self._put(value, end)

    # --- containers ---------------------------------------------------------

    def _open(self, bracket: str, i: int) -> None:
        if self._tree.open(bracket, self._base + i):
            self._begin_item()
        else:
            self._fail("too-deep", i)

    def _begin_item(self) -> None:
        self._state = self._read_key if self._tree.in_object else self._read_value

    def _put_key(self, key: str, end: int) -> None:
        self._tree.put_key(key, self._words.start, end)
        self._state = self._read_colon

    def _put(self, value: object, end: int) -> None:
        self._tree.put(value, (self._words.start, end))
        self._state = self._read_after

    def _shut(self, bracket: str, i: int) -> int:
        self._tree.shut(bracket, self._base + i)
        self._state = self._read_after
        if not self._tree.has_open:
            self._end()
        return i + 1

    def _shut_all(self, i: int) -> None:
        if self._state == self._read_colon and not self._words.opener:
            self._fail("syntax", self._words.start - self._base)
            return
        if self._state == self._read_colon or (
            self._state == self._read_value and self._tree.in_object
        ):
            self._log.add("missing-value", self._base + i, self._base + i)
        self._tree.shut_all(self._base + i)
        self._end()

    def _end(self) -> None:
        self.is_whole = True
        self._state = self._read_tail

    # --- what is told -------------------------------------------------------

    def _repair_at(self, kind: RepairKind, i: int) -> None:
        self._log.add(kind, self._base + i)

    def _fail(self, kind: FaultKind, i: int) -> None:
        self.fault = JsonFault(kind, self._base + i)
        self._state = self._read_nothing


def _end_of(pattern: re.Pattern[str], text: str, i: int, end: int) -> int:
    found = pattern.match(text, i, end)
    return found.end() if found else i
