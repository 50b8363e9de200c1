"""JSON as models write it, read as it comes, one look a character.

Strategy: a state machine whose states are methods that read on from an index
and return the next one. Whole values and open containers are in `root` at
once; the one string that is being read is apart, as `growing`. A string is
whole only when what follows its closing quote shows that it was one, so a
quote or an apostrophe that nobody escaped is text. What strict JSON refuses
and a reader can tell is mended and counted by kind in `repairs`; what nobody
can tell is a `fault`, and nothing behind it is read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from vitrail.core.text import TAG_SPACE
from vitrail.limits import MAX_FORM_DEPTH
from vitrail.protocol.diagnostics import Span

__all__ = ["FaultKind", "JsonFault", "JsonReader", "Repair", "RepairKind"]

RepairKind: TypeAlias = Literal[
    "bad-escape",
    "code-fence",
    "comment",
    "control-character",
    "duplicate-key",
    "extra-bracket",
    "extra-comma",
    "inner-quote",
    "lone-surrogate",
    "missing-comma",
    "missing-value",
    "no-number",
    "odd-number",
    "odd-space",
    "odd-word",
    "single-quotes",
    "smart-quotes",
    "text-behind",
    "trailing-comma",
    "unclosed",
    "unquoted",
]
"""What was mended."""

FaultKind: TypeAlias = Literal["empty", "syntax", "unclosed-string", "too-deep"]
"""Why a text could not be read to its end."""

_Container: TypeAlias = dict[str, Any] | list[Any]  # JSON values of any shape
_State: TypeAlias = Callable[[str, int, int], int]
_Role: TypeAlias = Literal["key", "value"]

_JSON_SPACE: Final = frozenset(" \t\n\r")
_SPACES: Final = re.compile(r"[ \t\n\r]*")
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
_NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ODD_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
)
_LITERALS: Final = {"true": True, "false": False, "null": None}
_ODD_LITERALS: Final = {
    "true": True,
    "false": False,
    "none": None,
    "null": None,
    "undefined": None,
}
_NO_NUMBERS: Final = frozenset({"nan", "infinity", "inf"})
_FENCE_INFO: Final = frozenset(
    "`abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+- \t"
)
_HIGH: Final = range(0xD800, 0xDC00)
_LOW: Final = range(0xDC00, 0xE000)


@dataclass(slots=True)
class Repair:
    """One kind of mending: where it was first needed, and how often."""

    kind: RepairKind
    span: Span
    count: int = 1


@dataclass(frozen=True, slots=True)
class JsonFault:
    """Why reading stopped, and where."""

    kind: FaultKind
    place: int


@dataclass(slots=True)
class _Open:
    """A container that is not closed yet."""

    container: _Container
    start: int
    key: str | None = None


@dataclass(slots=True)
class _Words:
    """The string or bare word that is being read."""

    role: _Role = "value"
    opener: str = '"'
    start: int = 0
    pieces: list[str] = field(default_factory=list)
    chars: int = 0
    high: int = 0
    """A high surrogate that waits for its low one."""
    digits: str = ""
    """Of ``\\uXXXX``, what has come."""
    behind: list[str] = field(default_factory=list)
    """A quote that may close, and the white space behind it."""

    def text(self) -> str:
        """Return what is read for certain."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


class JsonReader:
    """Reads one JSON container from text that comes in pieces.

    ``root`` is the container as far as it has come: whole values, and open
    containers at their place. It is changed in place; take no part of it for
    final that `is_open`.
    """

    def __init__(self) -> None:
        self.root: _Container | None = None
        self.is_whole = False
        """Whether the root is closed."""
        self.fault: JsonFault | None = None
        self.spans: dict[int, Span] = {}
        """Where each closed object was, by its ``id()``."""
        self.looked = 0
        """Characters looked at, ever."""
        self._repairs: dict[RepairKind, Repair] = {}
        self._stack: list[_Open] = []
        self._base = 0
        self._state: _State = self._read_start
        self._resume: _State = self._read_start
        self._words = _Words()
        self._comma = -1
        self._comment = 0
        self._has_fence = False
        self._behind = -1

    # --- what others ask ----------------------------------------------------

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was mended, in the order of its first place."""
        return tuple(sorted(self._repairs.values(), key=lambda one: one.span))

    @property
    def in_string(self) -> bool:
        """Whether the place is inside a string."""
        return self._state in (self._read_string, self._read_escape, self._read_hex)

    @property
    def growing(self) -> tuple[dict[str, Any], str, str] | None:
        """The object, key and text of the value string that is being read."""
        if not (self.in_string or self._state == self._read_behind_quote):
            return None
        top = self._stack[-1]
        if self._words.role == "key" or not isinstance(top.container, dict):
            return None
        return top.container, top.key or "", self._words.text()

    def is_open(self, value: object) -> bool:
        """Whether a container is not closed yet."""
        return any(one.container is value for one in self._stack)

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
            self._repair("comment", self._comment, self._base)
            self._state = self._resume
        if self._state in (self._read_start, self._read_fence):
            self._fail("empty", 0)
        elif self.in_string:
            self._fail("unclosed-string", self._words.start - self._base)
        elif self._state == self._read_behind_quote:
            self._end_string()
        elif self._state == self._read_word:
            self._end_word()
        elif self._state == self._read_slash and self.is_whole:
            self._behind = self._comment
        elif self._state == self._read_slash:
            self._fail("syntax", -1)
        if self.fault is None and self._stack:
            self._close_all(0)
        if self._behind >= 0:
            self._repair("text-behind", self._behind, self._base)

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
            self._close_all(i)
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
        top = self._stack[-1]
        if isinstance(top.container, dict):
            self._repair_at("missing-value", i)
            top.key = None
            self._after_value()
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
        if _NAME.match(ch):
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
        if ch in ",}]":
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
            self._comma = self._base + i
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
        ends = [at for mark in "\n\r" if (at := text.find(mark, i, end)) >= 0]
        if not ends:
            return end
        self._repair("comment", self._comment, self._base + min(ends))
        self._state = self._resume
        return min(ends)

    def _read_block_comment(self, text: str, i: int, end: int) -> int:
        star = text.find("*", i, end)
        if star < 0:
            return end
        self._state = self._read_star
        return star + 1

    def _read_star(self, text: str, i: int, end: int) -> int:
        del end
        if text[i] == "/":
            self._repair("comment", self._comment, self._base + i + 1)
            self._state = self._resume
        elif text[i] != "*":
            self._state = self._read_block_comment
        return i + 1

    # --- strings ------------------------------------------------------------

    def _begin_string(self, role: _Role, quote: str, i: int) -> None:
        opener = quote
        if quote in _SMART_DOUBLE:
            opener = "“"
        elif quote in _SMART_SINGLE:
            opener = "\u2018"
        if quote == "'":
            self._repair_at("single-quotes", i)
        elif quote != '"':
            self._repair_at("smart-quotes", i)
        self._words = _Words(role, opener, self._base + i)
        self._state = self._read_string

    def _read_string(self, text: str, i: int, end: int) -> int:
        words = self._words
        run = _end_of(_RUNS[words.opener], text, i, end)
        if run > i:
            self._append(text[i:run])
            return run
        ch = text[i]
        if ch == "\\":
            self._state = self._read_escape
        elif ch in _CLOSERS[words.opener]:
            words.behind = [ch]
            self._state = self._read_behind_quote
        elif ord(ch) in _HIGH or ord(ch) in _LOW:
            self._repair_at("lone-surrogate", i)
            self._append("\ufffd")
        else:
            self._repair_at("control-character", i)
            self._append(ch)
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
            self._append(_ESCAPES[ch])
            return i + 1
        self._repair_at("bad-escape", i)
        if ch in "\n\r" or ch in _QUOTES:
            if ch in _QUOTES:
                self._append(ch)
            return i + 1
        self._append("\\")
        return i

    def _read_hex(self, text: str, i: int, end: int) -> int:
        del end
        words = self._words
        if text[i] not in _HEX:
            self._repair_at("bad-escape", i)
            self._append("\\u" + words.digits)
            self._state = self._read_string
            return i
        words.digits += text[i]
        if len(words.digits) == _HEX_DIGITS:
            self._append_unit(int(words.digits, 16), i)
            self._state = self._read_string
        return i + 1

    def _append_unit(self, unit: int, i: int) -> None:
        """Take one UTF-16 unit that was written as an escape."""
        words = self._words
        if unit in _LOW and words.high:
            high, words.high = words.high, 0
            pair = 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00)
            self._append(chr(pair))
        elif unit in _HIGH:
            self._drop_high()
            words.high = unit
        elif unit in _LOW:
            self._repair_at("lone-surrogate", i)
            self._append("\ufffd")
        else:
            self._append(chr(unit))

    def _append(self, piece: str) -> None:
        self._drop_high()
        self._words.pieces.append(piece)

    def _drop_high(self) -> None:
        """Replace a high surrogate that no low one followed."""
        if self._words.high:
            self._words.high = 0
            self._repair("lone-surrogate", self._words.start, self._words.start + 1)
            self._words.pieces.append("\ufffd")

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
                self._end_string()
                self._resume = self._state
                self._state = self._read_slash
                return i
        elif ch == "/":
            words.behind.append(ch)
            return i + 1
        elif self._closes(ch):
            self._end_string()
            return i
        quote = self._base + i - sum(map(len, words.behind))
        self._repair("inner-quote", quote, quote + 1)
        self._append("".join(words.behind))
        self._state = self._read_string
        return i

    def _closes(self, ch: str) -> bool:
        """Whether a string ends if this is the first character behind its quote."""
        if ch in ",}]`":
            return True
        if self._words.role == "key":
            return ch == ":"
        has_space = len(self._words.behind) > 1
        return has_space and (ch in "{[" or ch in _QUOTES)

    def _end_string(self) -> None:
        self._drop_high()
        words = self._words
        if words.role == "key":
            self._put_key(words.text())
        else:
            self._put(words.text())

    # --- numbers and words --------------------------------------------------

    def _begin_word(self, role: _Role, i: int) -> None:
        self._words = _Words(role, start=self._base + i)
        self._state = self._read_word

    def _read_word(self, text: str, i: int, end: int) -> int:
        stop = _end_of(_WORD_RUN, text, i, end)
        if stop == i:
            self._end_word()
            return i
        words = self._words
        words.pieces.append(text[i:stop])
        words.chars += stop - i
        if words.chars > _MAX_WORD_CHARS:
            self._fail("syntax", i)
        return stop

    def _end_word(self) -> None:
        words = self._words
        word = words.text()
        if words.role == "key":
            if _NAME.fullmatch(word):
                self._repair_word("unquoted")
                self._put_key(word)
            else:
                self._fail("syntax", words.start - self._base)
        elif word in _LITERALS:
            self._put(_LITERALS[word])
        elif _NUMBER.fullmatch(word):
            self._put(self._number(word))
        else:
            self._end_odd_word(word)

    def _end_odd_word(self, word: str) -> None:
        folded = word.lower()
        if folded in _ODD_LITERALS:
            self._repair_word("odd-word")
            self._put(_ODD_LITERALS[folded])
        elif folded.lstrip("+-") in _NO_NUMBERS:
            self._repair_word("no-number")
            self._put(None)
        elif _ODD_NUMBER.fullmatch(word):
            self._repair_word("odd-number")
            self._put(self._number(word))
        elif _NAME.fullmatch(word):
            self._repair_word("unquoted")
            self._put(word)
        else:
            self._fail("syntax", self._words.start - self._base)

    def _number(self, word: str) -> int | float | None:
        number = float(word)
        if math.isinf(number):
            self._repair_word("no-number")
            return None
        return int(word) if word.lstrip("+-").isdecimal() else number

    def _repair_word(self, kind: RepairKind) -> None:
        start = self._words.start
        self._repair(kind, start, start + len(self._words.text()))

    # --- containers ---------------------------------------------------------

    def _open(self, bracket: str, i: int) -> None:
        if len(self._stack) >= MAX_FORM_DEPTH:
            self._fail("too-deep", i)
            return
        container: _Container = {} if bracket == "{" else []
        if self._stack:
            self._attach(container)
        else:
            self.root = container
        self._stack.append(_Open(container, self._base + i))
        self._comma = -1
        self._begin_item()

    def _attach(self, value: object) -> None:
        top = self._stack[-1]
        if isinstance(top.container, dict):
            top.container[top.key or ""] = value
        else:
            top.container.append(value)

    def _begin_item(self) -> None:
        is_object = isinstance(self._stack[-1].container, dict)
        self._state = self._read_key if is_object else self._read_value

    def _put_key(self, key: str) -> None:
        top = self._stack[-1]
        if isinstance(top.container, dict) and key in top.container:
            start = self._words.start
            self._repair("duplicate-key", start, start + 1)
            del top.container[key]
        top.key = key
        self._comma = -1
        self._state = self._read_colon

    def _put(self, value: object) -> None:
        self._attach(value)
        self._after_value()

    def _after_value(self) -> None:
        self._comma = -1
        self._state = self._read_after

    def _shut(self, bracket: str, i: int) -> int:
        """Take a closing bracket; mend one that does not fit."""
        kind = dict if bracket == "}" else list
        if self._comma >= 0:
            self._repair("trailing-comma", self._comma, self._comma + 1)
        if not any(isinstance(one.container, kind) for one in self._stack):
            self._repair_at("extra-bracket", i)
            self._after_value()
            return i + 1
        while not isinstance(self._stack[-1].container, kind):
            self._repair_at("unclosed", i)
            self._pop(self._base + i)
        self._pop(self._base + i + 1)
        return i + 1

    def _pop(self, end: int) -> None:
        closed = self._stack.pop()
        if isinstance(closed.container, dict):
            self.spans[id(closed.container)] = (closed.start, end)
        self._comma = -1
        if self._stack:
            self._state = self._read_after
        else:
            self.is_whole = True
            self._state = self._read_tail

    def _close_all(self, i: int) -> None:
        if self._comma >= 0:
            self._repair("trailing-comma", self._comma, self._comma + 1)
        if self._state in (self._read_colon, self._read_value) and isinstance(
            self._stack[-1].container, dict
        ):
            self._repair_at("missing-value", i)
        while self._stack:
            self._repair_at("unclosed", i)
            self._pop(self._base + i)

    # --- what is told -------------------------------------------------------

    def _repair_at(self, kind: RepairKind, i: int) -> None:
        self._repair(kind, self._base + i, self._base + i + 1)

    def _repair(self, kind: RepairKind, start: int, end: int) -> None:
        known = self._repairs.get(kind)
        if known is None:
            self._repairs[kind] = Repair(kind, (start, end))
        else:
            known.count += 1

    def _fail(self, kind: FaultKind, i: int) -> None:
        self.fault = JsonFault(kind, max(self._base + i, 0))
        self._stack.clear()
        self._state = self._read_nothing


def _end_of(pattern: re.Pattern[str], text: str, i: int, end: int) -> int:
    found = pattern.match(text, i, end)
    return found.end() if found else i
