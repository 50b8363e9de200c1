"""What all decoders of model servers' streams do the same way.

Strategy: `Framing` gives payloads; a decoder reads one payload at a time
(`read`), so that a caller who has the payloads already (an agent with its own
events) needs no framing. Nothing is raised over what a server says: what is
not of the format is a note and, as it came, a rest.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from vitrail.core.parse.inputs.facts import (
    WireEnd,
    WireEvent,
    WireNote,
    WireReasoning,
    WireRest,
    WireText,
    WireToolArguments,
    WireToolEnd,
    WireToolStart,
    WireUsage,
)
from vitrail.core.parse.inputs.failures import wire_error
from vitrail.core.parse.inputs.framing import Framing, Payload, parse_json
from vitrail.limits import MAX_TOOL_CALLS, MAX_WIRE_LINE_CHARS
from vitrail.protocol.diagnostics import Severity
from vitrail.protocol.events import RunEndReason

__all__ = [
    "Told",
    "WireDecoder",
    "count_of",
    "index_of",
    "list_of",
    "mapping_of",
    "objects_of",
    "text_of",
]

_MAX_COUNT: Final = 2**53 - 1
"""Largest whole number that every reader of JSON reads."""

_MAX_NOTES: Final = 100
"""Notes of one stream; input that is all wrong says so often enough by then."""


class WireDecoder(ABC):
    """Reads one stream of one format.

    Feed it bytes (cut anywhere) or text; each call returns the facts that are
    known by then. `close` ends the stream and returns the rest.
    """

    format: ClassVar[str]
    """The format's name, for people."""

    def __init__(self, *, max_line_chars: int = MAX_WIRE_LINE_CHARS) -> None:
        """``max_line_chars`` is the longest line, and the longest data of one event."""
        self._framing = Framing(max_line_chars)
        self._facts: list[WireEvent] = []
        self._line = 0
        self._notes = 0
        self._long_line = 0
        self._calls: set[str] = set()
        self._open_calls: dict[str, None] = {}  # in order
        self._closed = False
        self.is_over = False
        """Whether the format's end sign has come: nothing more is expected."""
        self.end: RunEndReason | None = None
        """Why the model ended, once it is told."""
        self.has_failed = False
        """Whether the server told an error."""

    @property
    def looked_at(self) -> int:
        """Characters looked at so far, each as often as it was."""
        return self._framing.looked

    # --- what callers use ----------------------------------------------------

    def feed(self, data: bytes | str) -> list[WireEvent]:
        """Return the facts that this piece completes.

        Raises ``ValueError`` after `close`.
        """
        if self._closed:
            raise ValueError("expected no input after close(); make a new decoder")
        for payload in self._framing.feed(data):
            self._payload(payload)
        return self._given()

    def read(self, data: str) -> list[WireEvent]:
        """Return the facts of one payload: an event's data, or a whole answer."""
        text = data.strip()
        if text == "[DONE]":
            self._done()
        elif text:
            try:
                value = parse_json(text)
            except ValueError:
                self._not_the_format(data, "no JSON")
            else:
                self._value(value, data)
        return self._given()

    def close(self) -> list[WireEvent]:
        """End the stream and return what was left.

        A call that was still being told gets no end.
        """
        if self._closed:
            return []
        self._closed = True
        for payload in self._framing.close():
            self._payload(payload)
        self._line = 0
        if self._framing.is_broken:
            self._note(
                "not-utf8",
                "warning",
                "Bytes that are not UTF-8 came; each broken part is shown as U+FFFD.",
            )
        return self._given()

    def read_object(self, value: Mapping[str, Any]) -> list[WireEvent] | None:
        """Return the facts of a payload that is read already; None: of another format."""
        return self._given() if self._read(value) else None

    # --- what a format adds ------------------------------------------------------

    @abstractmethod
    def _read(self, value: Mapping[str, Any]) -> bool:
        """Tell the facts of a JSON object; return False if it is not of the format."""

    # --- telling -------------------------------------------------------------

    def _given(self) -> list[WireEvent]:
        facts, self._facts = self._facts, []
        return facts

    def _payload(self, payload: Payload) -> None:
        self._line = payload.line
        match payload.kind:
            case "json":
                self._value(payload.value, payload.text + "\n")
            case "done":
                self._done()
            case "other":
                self._not_the_format(payload.text, "no JSON")
            case "too-long":
                if self._long_line != payload.line:
                    self._not_the_format("", "a line that is too long")
                self._long_line = payload.line
                self._facts.append(WireRest(payload.text))

    def _value(self, value: object, text: str) -> None:
        if isinstance(value, list):  # a whole run as one document
            for item in value:
                self._object(item, None)
        else:
            self._object(value, text)

    def _object(self, value: object, text: str | None) -> None:
        try:
            if isinstance(value, Mapping) and self._read(value):
                return
            text = json.dumps(value) + "\n" if text is None else text
        except RecursionError:  # it is nested as deep as can be read, and no deeper
            text = text or ""
        is_object = isinstance(value, Mapping)
        self._not_the_format(
            text, "an object of another format" if is_object else "JSON of no object"
        )

    def _done(self) -> None:
        self.is_over = True
        self._end_calls()

    def _not_the_format(self, text: str, what: str) -> None:
        where = f"Line {self._line} is" if self._line else "This is"
        self._note(
            "not-the-format",
            "error",
            f"{where} {what}, so it is not of the {self.format} format; "
            "it is shown as text.",
        )
        if text:
            self._facts.append(WireRest(text))

    def _note(self, code: str, severity: Severity, message: str) -> None:
        self._notes += 1
        if self._notes <= _MAX_NOTES:
            self._facts.append(WireNote(code, severity, message, self._line))

    def _say(self, text: str) -> None:
        if text:
            self._facts.append(WireText(text))

    def _think(self, text: str) -> None:
        if text:
            self._facts.append(WireReasoning(text))

    def _usage(self, input_tokens: object, output_tokens: object) -> None:
        told = count_of(input_tokens), count_of(output_tokens)
        if told != (None, None):
            self._facts.append(WireUsage(*told))

    def _fail(self, error: object) -> None:
        self.has_failed = True
        self._facts.append(wire_error(error))

    def _stop(self, reason: RunEndReason) -> None:
        if self.end is None:
            self.end = reason
            self._facts.append(WireEnd(reason))

    # --- calls -----------------------------------------------------------------

    def _start_call(self, call: str, name: str, *, takes_text: bool = False) -> str:
        """Begin a call and return what it is called among the facts.

        That is ``call`` if it is free. Of too many calls no fact is told.
        """
        if call in self._calls:
            call = f"{call}#{len(self._calls)}"
        if len(self._calls) >= MAX_TOOL_CALLS:
            self._note(
                "too-many-tool-calls",
                "error",
                f"A reply may call {MAX_TOOL_CALLS} tools; a call of "
                f"{name[:80]!r} is left out.",
            )
            return call
        self._calls.add(call)
        self._open_calls[call] = None
        self._facts.append(WireToolStart(call, name, takes_text))
        return call

    def _argue(self, call: str, text: str) -> None:
        if text and call in self._open_calls:
            self._facts.append(WireToolArguments(call, text))

    def _end_call(self, call: str) -> None:
        if call in self._open_calls:
            del self._open_calls[call]
            self._facts.append(WireToolEnd(call))

    def _end_calls(self) -> None:
        while self._open_calls:
            self._end_call(next(iter(self._open_calls)))


class Told:
    """How much of one text has been told, so that a repetition tells only the rest.

    Counted and compared as UTF-16, since one half of a character may have come
    in one piece and the other in the next.
    """

    __slots__ = ("_digest", "_octets")

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._octets = 0

    def __bool__(self) -> bool:
        """Whether anything was told."""
        return self._octets > 0

    def add(self, text: str) -> None:
        """Take note of a piece that was told."""
        data = text.encode("utf-16-le", "surrogatepass")
        self._digest.update(data)
        self._octets += len(data)

    def rest(self, whole: str) -> str | None:
        """Return what of the whole text was not told yet, or None if it differs.

        What it returns counts as told.

        >>> told = Told()
        >>> told.add("ab")
        >>> told.rest("abc"), told.rest("abc"), told.rest("b")
        ('c', '', None)
        """
        data = whole.encode("utf-16-le", "surrogatepass")
        start = hashlib.sha256(data[: self._octets])
        if start.digest() != self._digest.digest():
            return None
        rest = data[self._octets :].decode("utf-16-le", "surrogatepass")
        self.add(rest)
        return rest


# --- values whose shape nobody promises -----------------------------------------


def text_of(value: object) -> str:
    """Return the value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def mapping_of(value: object) -> Mapping[str, Any]:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: object) -> list[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def objects_of(value: object) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of the value if it is a list; what is none is passed over."""
    return (item for item in list_of(value) if isinstance(item, Mapping))


def index_of(value: object) -> int:
    """Return the value if it is a place in a list, else 0."""
    return value if isinstance(value, int) else 0


def count_of(value: object) -> int | None:
    """Return the value if it counts something, else None."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value <= _MAX_COUNT else None
    return None
