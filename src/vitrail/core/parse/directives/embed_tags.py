"""``[embed …]``: its attributes, its block form, and what it may name.

A head is ``[embed``, white space, attributes and ``/]``; or it ends with ``]``
and its block with the next ``[/embed]``, whatever stands between. Values that
count are quoted; what stands in quotes is the value, brackets and slashes too.
An unquoted value is passed over with its name, as an unknown name is.

A value that holds ``[embed `` fails the tag: a quote that was forgotten must
not swallow the next one, and no text is read by many tags in vain.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from vitrail import limits
from vitrail.core.parse.directives.facts import EmbedFacts, ReadVerdict
from vitrail.core.text import TAG_SPACE
from vitrail.protocol.diagnostics import Diagnostic, Severity

__all__ = ["BlockCloses", "EmbedReader", "judge_embed"]

_WORD: Final = "[embed"
_CLOSE: Final = "[/embed]"
_NAME_START: Final = frozenset("abcdefghijklmnopqrstuvwxyz_")
_NAME: Final = _NAME_START | frozenset("0123456789-")
_KNOWN: Final = frozenset(["ref", "url", "title", "height", "target"])
_SPACE: Final = "".join(sorted(TAG_SPACE))
_SURFACE: Final = "assistant_message"
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
)
_QUOTE_OR_BRACKET: Final = re.compile(r"[\"'\[]")
_TOO_LONG: Final = "its attributes are longer than they may be"
_MAX_NUMBER_CHARS: Final = 32
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):")
_IGNORED: Final = re.compile(
    r"[\x00-\x20\x7f-\xa0\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]"
)


class BlockCloses:
    """Where a message has no ``[/embed]``, as far as its tags have looked.

    Places count from the message's beginning. A block that is never closed is
    text, and the next one that begins in it need not look there again.
    """

    __slots__ = ("_end", "_start")

    def __init__(self) -> None:
        self._start = self._end = 0

    def next_unknown(self, place: int) -> int:
        """Return the first place from this one on where a close tag may begin."""
        return self._end if self._start <= place < self._end else place

    def exclude(self, start: int, end: int) -> None:
        """Take note that none begins in ``[start, end)``."""
        if start > self._end:
            self._start = start
        self._end = max(self._end, end)


class EmbedReader:
    """Read an embed from behind its ``[e``."""

    __slots__ = (
        "_attributes",
        "_blocks",
        "_body_start",
        "_closes",
        "_head_chars",
        "_inner",
        "_is_meant",
        "_matched",
        "_name",
        "_place",
        "_quote",
        "_refused",
        "_slash",
        "_stage",
        "_value",
        "facts",
        "looked",
        "notes",
        "verdict",
    )

    def __init__(self, start: int, closes: BlockCloses, *, blocks: bool = True) -> None:
        """Begin with the tag whose ``[`` is at this place of the message.

        Without `blocks` one that does not close itself is text.
        """
        self._blocks = blocks
        self._place = start + 2  # of the next character to read
        self._closes = closes
        self._stage = "word"
        self._matched = 2  # characters of the word, or of a close tag
        self._head_chars = 0  # behind the word
        self._attributes: dict[str, str] = {}
        self._name = ""
        self._is_meant = False  # it has an attribute: a person's words have none
        self._value: list[str] = []
        self._quote = ""
        self._inner = 0  # characters of another tag's beginning, in quotes
        self._slash = False
        self._body_start = 0
        self._refused: Diagnostic | None = None
        self.facts: EmbedFacts | None = None
        """What a tag says."""
        self.notes: tuple[Diagnostic, ...] = ()
        self.looked = 0
        self.verdict: ReadVerdict | None = None

    def read(self, buf: str, i: int, stop: int) -> int:
        """Read ``buf[i:stop]``; return the index behind what was read."""
        while i < stop and self.verdict is None:
            if self._stage == "body":
                i = self._read_body(buf, i, stop)
            elif self._stage == "quoted" and not self._inner and buf[i] not in "[\"'":
                i = self._skip_quoted(buf, i, stop)
            elif self._head_chars == limits.MAX_EMBED_ATTRIBUTE_CHARS:
                self._fail(_TOO_LONG)
            else:
                self.looked += 1
                self._place += 1
                if self._stage == "word":
                    self._read_word(buf[i])
                else:
                    self._head_chars += 1
                    self._read_head(buf[i])
                i += 1
        return i

    def diagnose(self) -> tuple[Diagnostic, ...]:
        """Return what is wrong with a tag that is decided, or ended with the text."""
        if self.verdict == "tag":
            return self.notes
        if self._refused is not None:
            return (self._refused,)
        if not self._is_meant:
            return ()
        why = (
            "the text has no [/embed] soon enough, and it does not end with /]"
            if self._stage == "body"
            else "it is not finished"
        )
        return (_malformed(why),)

    def _fail(self, why: str) -> None:
        self.verdict = "text"
        if self._is_meant:
            self._refused = _malformed(why)

    # --- the head --------------------------------------------------------------

    def _read_word(self, ch: str) -> None:
        if self._matched == len(_WORD):
            if ch in TAG_SPACE:
                self._stage = "gap"
            else:
                self.verdict = "text"
        elif ch.isascii() and ch.lower() == _WORD[self._matched]:
            self._matched += 1
        else:
            self.verdict = "text"

    def _read_head(self, ch: str) -> None:
        match self._stage:
            case "gap":
                self._read_gap(ch)
            case "slash":
                if ch == "]":
                    self._end_head(is_block=False)
                else:
                    self._fail("a slash stands in it that does not end it")
            case "name":
                self._read_name(ch)
            case "equals":
                self._read_equals(ch)
            case "quoted":
                self._read_quoted(ch)
            case _:
                self._read_bare(ch)

    def _read_gap(self, ch: str) -> None:
        if ch in TAG_SPACE:
            return
        if ch == "/":
            self._stage = "slash"
        elif ch == "]":
            self._end_head(is_block=True)
        elif ch.isascii() and ch.lower() in _NAME_START:
            self._stage = "name"
            self._name = ch.lower()
        else:
            self._fail("something stands in it that is no attribute")

    def _read_name(self, ch: str) -> None:
        if ch.isascii() and ch.lower() in _NAME:
            self._name += ch.lower()
        elif ch == "=":
            self._stage, self._is_meant = "equals", True
        else:
            self._fail("a name stands in it without a value")

    def _read_equals(self, ch: str) -> None:
        if ch in "\"'":
            self._stage, self._quote = "quoted", ch
            self._value, self._inner = [], 0
        else:
            self._stage, self._slash = "bare", False
            self._read_bare(ch)

    def _skip_quoted(self, buf: str, i: int, stop: int) -> int:
        """Read on to the next quote or bracket of a value."""
        room = limits.MAX_EMBED_ATTRIBUTE_CHARS - self._head_chars
        if not room:
            self._fail(_TOO_LONG)
            return i
        found = _QUOTE_OR_BRACKET.search(buf, i, min(stop, i + room))
        to = found.start() if found else min(stop, i + room)
        self._value.append(buf[i:to])
        self.looked += to - i
        self._place += to - i
        self._head_chars += to - i
        return to

    def _read_quoted(self, ch: str) -> None:
        if ch == self._quote:
            value = "".join(self._value).strip(_SPACE)
            if value and self._name in _KNOWN:
                self._attributes[self._name] = value
            self._stage = "gap"
            return
        self._value.append(ch)
        inner = self._inner
        if inner == len(_WORD) and ch in TAG_SPACE:
            self._fail("another one begins inside its quotes")
        elif inner < len(_WORD) and ch.isascii() and ch.lower() == _WORD[inner]:
            self._inner = inner + 1
        else:
            self._inner = int(ch == "[")

    def _read_bare(self, ch: str) -> None:
        if ch in TAG_SPACE:
            self._stage = "gap"
        elif ch == "]":
            self._end_head(is_block=not self._slash)
        elif ch in "[\"'":
            self._fail("a quote or a bracket stands in it where none may")
        else:
            self._slash = ch == "/"

    def _end_head(self, *, is_block: bool) -> None:
        judged, self.notes = judge_embed(self._attributes)
        if isinstance(judged, Diagnostic):
            self.verdict = "text"
            self._refused = judged if self._is_meant else None
            return
        if is_block and not self._blocks:
            self._fail("its block stands in an internal tag that is not closed")
            return
        self.facts = judged
        if is_block:
            self._stage, self._matched = "body", 0
            self._body_start = self._place
        else:
            self.verdict = "tag"

    # --- the block -------------------------------------------------------------

    def _read_body(self, buf: str, i: int, stop: int) -> int:
        """Read on to the close tag, but for what is known to have none."""
        limit = self._body_start + limits.MAX_HELD_CHARS
        stop = min(stop, i + limit - self._place)
        if self._matched == 0:
            i = self._skip(buf, i, stop)
        while i < stop and self._matched:
            ch = buf[i]
            self.looked += 1
            self._place += 1
            i += 1
            if ch.lower() == _CLOSE[self._matched]:
                self._matched += 1
                if self._matched == len(_CLOSE):
                    self._end_body()
                    return i
            else:
                self._matched = int(ch == "[")
                self._closes.exclude(self._body_start, self._place - self._matched)
        if self._place >= limit and self.verdict is None:
            self.verdict = "text"
        return i

    def _skip(self, buf: str, i: int, stop: int) -> int:
        """Go on to behind the next ``[``, which may begin the close tag."""
        known = self._closes.next_unknown(self._place) - self._place
        at = min(i + known, stop)
        self._place += at - i
        if at == stop:
            return at
        found = buf.find("[", at, stop)
        to = stop if found < 0 else found + 1
        self.looked += to - at
        self._place += to - at
        self._matched = int(found >= 0)
        self._closes.exclude(self._body_start, self._place - self._matched)
        return to

    def _end_body(self) -> None:
        self.verdict = "tag"
        if self.facts is not None:
            chars = self._place - len(_CLOSE) - self._body_start
            self.facts = replace(self.facts, body_chars=chars)


def judge_embed(
    attributes: Mapping[str, str],
) -> tuple[EmbedFacts | Diagnostic, tuple[Diagnostic, ...]]:
    """Return what the attributes say, or why it is text; and what was not taken.

    >>> judge_embed({"ref": "cv_1", "height": "2000.5"})[0].height
    1200
    """
    if attributes.get("target", _SURFACE) != _SURFACE:
        why = "its target is another surface than the assistant's message"
        return _refused("embed-target", "info", why), ()
    ref, url = attributes.get("ref"), attributes.get("url")
    if ref is None and url is None:
        return _refused(
            "embed-without-address", "warning", "it has no ref and no url"
        ), ()
    if url is not None and (fault := _url_fault(url)):
        return _refused("embed-url-refused", "error", fault), ()
    if ref is not None and (fault := _ref_fault(ref)):
        return _refused("embed-ref-refused", "error", fault), ()
    height, notes = _read_height(attributes.get("height"))
    return EmbedFacts(ref, url, attributes.get("title"), height), notes


def _read_height(written: str | None) -> tuple[int | None, tuple[Diagnostic, ...]]:
    if written is None:
        return None, ()
    height = _number(written)
    if height is None or height < limits.MIN_EMBED_HEIGHT_PX:
        note = Diagnostic(
            "embed-height-ignored",
            "info",
            f"The height of an embed is a number of at least"
            f" {limits.MIN_EMBED_HEIGHT_PX} pixels; it is shown in its usual height.",
            (0, len(_WORD)),
        )
        return None, (note,)
    return int(min(height, limits.MAX_EMBED_HEIGHT_PX)), ()


def _number(written: str) -> float | None:
    """Return the number; None of what is none, or so large that it has no value."""
    if len(written) > _MAX_NUMBER_CHARS or not _NUMBER.fullmatch(written):
        return None
    number = float(written)
    return number if number != float("inf") else None


def _url_fault(url: str) -> str | None:
    """Return why no frame may show this address, or None."""
    plain = _IGNORED.sub("", html.unescape(html.unescape(url)))
    scheme = _SCHEME.match(plain)
    if scheme is not None and scheme[1].lower() not in ("http", "https"):
        return f"its url has the scheme {scheme[1].lower()[:16]}:, and only https: and http: are shown"
    if _IGNORED.search(url) is not None:
        return "its url has white space or control characters"
    if "\\" in plain:
        return "its url has a backslash, which is read in two ways"
    if plain.startswith("//"):
        return "its url has no scheme; write https://"
    if scheme is not None and not plain[scheme.end() :].startswith("//"):
        return "its url has no host"
    return None


def _ref_fault(ref: str) -> str | None:
    if _IGNORED.search(ref.replace(" ", "")) is not None:
        return "its ref has control characters"
    if ref in (".", "..") or len(ref) > limits.MAX_ENTRY_CHARS:
        return "its ref is not the name of a document"
    return None


def _malformed(why: str) -> Diagnostic:
    return _refused("malformed-embed", "warning", why)


def _refused(code: str, severity: Severity, why: str) -> Diagnostic:
    """Return the finding for an embed that stays text."""
    message = f"An [embed …] is shown as text, since {why}."
    return Diagnostic(code, severity, message, (0, len(_WORD)))
