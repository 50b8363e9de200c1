"""Server-sent events read from bytes that are cut anywhere.

Strategy: lines are split on bytes (CR, LF or both, as the standard has it) and
decoded only when whole, so no character is ever cut. A line's pieces are kept
in a list and joined once; every byte is looked at a fixed number of times.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["MAX_LINE_BYTES", "SseDecoder", "SseEvent", "SseTooLong"]

MAX_LINE_BYTES: Final = 32 * 1024 * 1024
"""Longest line, and longest data of one event; an answer in one event may be long."""

_BOM: Final = b"\xef\xbb\xbf"


class SseTooLong(ValueError):
    """A line or an event is longer than `MAX_LINE_BYTES`."""


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event of the stream."""

    data: str
    """All ``data`` lines, joined by line feeds."""
    kind: str = "message"


class SseDecoder:
    r"""Bytes in, whole events out.

    >>> decoder = SseDecoder()
    >>> decoder.feed(b"data: a\r"), decoder.feed(b"\n\r\n: hi\n"), decoder.flush()
    ([], [SseEvent(data='a', kind='message')], [])
    """

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._line_bytes = 0
        self._data: list[str] = []
        self._data_chars = 0
        self._kind = ""
        self._skips_lf = False
        self._is_first = True

    def feed(self, data: bytes) -> list[SseEvent]:
        """Return the events that these bytes complete; raise `SseTooLong`."""
        if not data:
            return []
        if self._skips_lf and data.startswith(b"\n"):
            data = data[1:]
        # A CR ends its line at once; a line feed that follows belongs to it,
        # also where the two came in different pieces.
        self._skips_lf = data.endswith(b"\r") if data else False
        events = []
        for piece in data.splitlines(keepends=True):
            self._line.append(piece)
            self._line_bytes += len(piece)
            if self._line_bytes > MAX_LINE_BYTES:
                raise SseTooLong
            if piece.endswith((b"\n", b"\r")):
                events += self._end_line()
        return events

    def flush(self) -> list[SseEvent]:
        """Return the event that the end of the stream left without its blank line.

        The standard drops it; servers that forget the last line break are
        common enough to take it.
        """
        events = self._end_line() if self._line else []
        return events + self._dispatch()

    def _end_line(self) -> list[SseEvent]:
        line = b"".join(self._line).rstrip(b"\r\n")
        self._line, self._line_bytes = [], 0
        if self._is_first:
            self._is_first = False
            line = line.removeprefix(_BOM)
        if not line:
            return self._dispatch()
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._data_chars += len(value)
            if self._data_chars > MAX_LINE_BYTES:
                raise SseTooLong
        elif name == "event":
            self._kind = value
        return []

    def _dispatch(self) -> list[SseEvent]:
        data, kind = self._data, self._kind
        self._data, self._data_chars, self._kind = [], 0, ""
        return [SseEvent("\n".join(data), kind or "message")] if data else []
