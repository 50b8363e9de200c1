r"""Pieces of a stream to its payloads: server-sent events, or JSON a line.

Strategy: text is split at CR, LF or both, and a line is looked at when it is
whole, so that no cut matters. What a line is, is told line by line: ``data:``
and its kin belong to an event, ``{`` begins a JSON line. A ``data:`` line that
holds a whole object is a payload at once; otherwise an event's lines are put
together at its blank line. A first line of a lone bracket says that the whole
input is one document. A line's pieces are joined once.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Literal

from vitrail.core.text import Utf8Decoder, clean_surrogates
from vitrail.limits import MAX_WIRE_LINE_CHARS

__all__ = ["Framing", "Payload", "parse_json", "write_json"]

_FIELDS: Final = ("data", "event", "id", "retry")
"""Field names of server-sent events."""

_PIECES_PER_BLOCK: Final = 1024
"""Pieces that are joined at once, so that a long line of short ones takes little room."""

_DONE: Final = "[DONE]"
"""Chat Completions' own end sign, which is no JSON."""


def parse_json(text: str) -> Any:
    """Return the value of a JSON text; raise ``ValueError`` where it is none.

    Nesting that is too deep to be read, and numbers of thousands of digits,
    count as no JSON.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("expected JSON of sane depth") from None


def write_json(value: object) -> str:
    """Return a JSON value as servers write one: no blanks, no escape without need.

    So what is counted of it is, but for odd servers, what stood in the stream.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return clean_surrogates(text)


@dataclass(frozen=True, slots=True)
class Payload:
    """One message of the stream, or what stood where one was expected."""

    value: Any
    """The JSON value; None where there is none."""
    text: str
    """As it came; with its line break, as LF, where it was no message."""
    line: int
    """1-based line where it began."""
    kind: Literal["json", "done", "other", "too-long"]
    """``done``: the end sign; ``other``: no JSON. A line that is too long comes in
    several payloads."""


class Framing:
    r"""Pieces in, payloads out.

    >>> framing = Framing()
    >>> [payload.value for payload in framing.feed('data: {"a":1}\r\n\r\n{"b":')]
    [{'a': 1}]
    >>> [payload.value for payload in framing.feed("2}") + framing.close()]
    [{'b': 2}]
    """

    def __init__(self, max_chars: int = MAX_WIRE_LINE_CHARS) -> None:
        """``max_chars`` is the longest line, and the longest data of one event."""
        self._max_chars = max_chars
        self._bytes = Utf8Decoder()
        self._blocks: list[str] = []  # of the line, joined from many pieces
        self._pieces: list[str] = []  # of the line, behind them
        self._chars = 0
        self._line = 0  # whole lines so far
        self._skips_lf = False
        self._is_first = True
        self._data: list[str] = []
        self._data_line = 0
        self._data_chars = 0
        self._document: list[str] | None = None
        self._document_line = 0
        self._document_chars = 0
        self._overflows = False
        self.looked = 0
        """Characters looked at, each as often as it was."""

    @property
    def is_broken(self) -> bool:
        """Whether bytes came that are not UTF-8."""
        return self._bytes.is_broken

    def feed(self, data: bytes | str) -> list[Payload]:
        """Return the payloads that this piece completes."""
        text = data if isinstance(data, str) else self._bytes.feed(data)
        return self._feed(text)

    def close(self) -> list[Payload]:
        """Return what the end of the stream left without its line break."""
        found = self._feed(self._bytes.close())
        if self._chars or self._overflows:
            found += self._end_line("")
        found += self._dispatch()
        if self._document is not None:
            text, self._document = "".join(self._document), None
            found.append(self._payload(text, self._document_line))
        return found

    # --- lines -------------------------------------------------------------------

    def _feed(self, text: str) -> list[Payload]:
        found: list[Payload] = []
        if not text:
            return found
        at, end = 0, len(text)
        self.looked += end
        if self._skips_lf and text[0] == "\n":
            # It belongs to the CR that ended the line in the piece before.
            at = 1
        self._skips_lf = False
        if "\r" not in text:
            while (stop := text.find("\n", at)) >= 0:
                self._take(text[at:stop])
                found += self._end_line("\n")
                at = stop + 1
        else:
            at = self._split(text, at, found)
        if at < end:
            self._take(text[at:])
            found += self._overflow()
        return found

    def _split(self, text: str, at: int, found: list[Payload]) -> int:
        """Take the lines of a piece with CRs in it; return where its last one begins."""
        self.looked += len(text)
        next_lf, next_cr = text.find("\n", at), text.find("\r", at)
        while next_lf >= 0 or next_cr >= 0:
            stop = min(place for place in (next_lf, next_cr) if place >= 0)
            is_cr = text[stop] == "\r"
            self._take(text[at:stop])
            at = stop + 1
            # A CR ends its line at once; a line feed that follows belongs to it.
            if is_cr and at == len(text):
                self._skips_lf = True
            elif is_cr and text[at] == "\n":
                at += 1
            found += self._end_line("\n")
            if 0 <= next_lf < at:
                next_lf = text.find("\n", at)
            if 0 <= next_cr < at:
                next_cr = text.find("\r", at)
        return at

    def _take(self, piece: str) -> None:
        if self._is_first and piece:
            self._is_first = False
            piece = piece.removeprefix("\ufeff")
        if piece:
            self._pieces.append(piece)
            self._chars += len(piece)
            if len(self._pieces) >= _PIECES_PER_BLOCK:
                self._blocks.append("".join(self._pieces))
                self._pieces = []

    def _take_line(self) -> str:
        """Return the line as far as it has come, and begin another."""
        line = "".join((*self._blocks, *self._pieces))
        self._blocks, self._pieces, self._chars = [], [], 0
        return line

    def _overflow(self) -> list[Payload]:
        """Give away what has come of a line that is too long, in pieces as it comes."""
        if self._chars <= self._max_chars:
            return []
        self._overflows = True
        return [Payload(None, self._take_line(), self._line + 1, "too-long")]

    def _end_line(self, ending: str) -> list[Payload]:
        line = self._take_line()
        self._line += 1
        self._is_first = False
        if self._overflows or len(line) > self._max_chars:
            self._overflows = False
            return [Payload(None, line + ending, self._line, "too-long")]
        self.looked += len(line)
        if self._document is not None:
            return self._document_goes_on(line + ending)
        return self._whole_line(line, ending)

    def _document_goes_on(self, text: str) -> list[Payload]:
        document = self._document or []
        document.append(text)
        self._document_chars += len(text)
        if self._document_chars <= self._max_chars:
            return []
        self._document = None
        return [Payload(None, "".join(document), self._document_line, "too-long")]

    def _whole_line(self, line: str, ending: str) -> list[Payload]:
        if not line.strip():
            return self._dispatch()
        name, colon, value = line.partition(":")
        if not name or (colon and name in _FIELDS):
            return self._field(name, value.removeprefix(" "))
        found = self._dispatch()
        if self._line == 1 and line.strip() in ("{", "["):
            self._document, self._document_line = [line + ending], self._line
            return found
        found.append(self._payload(line, self._line, ending))
        return found

    # --- events --------------------------------------------------------------------

    def _field(self, name: str, value: str) -> list[Payload]:
        if name != "data":
            return []
        if not self._data and value[:1] in ("{", "["):
            whole = self._payload(value, self._line)
            if whole.kind != "other":
                return [whole]
        if not self._data:
            self._data_line = self._line
        self._data.append(value)
        self._data_chars += len(value) + 1
        return self._dispatch() if self._data_chars > self._max_chars else []

    def _dispatch(self) -> list[Payload]:
        if not self._data:
            return []
        text, line = "\n".join(self._data), self._data_line
        self._data, self._data_chars = [], 0
        if len(text) > self._max_chars:
            return [Payload(None, text + "\n", line, "too-long")]
        return [self._payload(text, line)] if text.strip() else []

    def _payload(self, text: str, line: int, ending: str = "\n") -> Payload:
        self.looked += len(text)
        if text.strip() == _DONE:
            return Payload(None, text, line, "done")
        try:
            value = parse_json(text)
        except ValueError:
            return Payload(None, text + ending, line, "other")
        return Payload(value, text, line, "json")
