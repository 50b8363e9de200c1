"""What has been read of a JSON text: values, open containers, and what was mended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from vitrail.limits import MAX_FORM_DEPTH
from vitrail.protocol.diagnostics import Span

__all__ = ["JsonTree", "Repair", "RepairKind", "RepairLog"]

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

_Container: TypeAlias = dict[str, Any] | list[Any]  # JSON values of any shape
_KIND_OF: Final[dict[str, type[_Container]]] = {"}": dict, "]": list}


@dataclass(slots=True)
class Repair:
    """One kind of mending: where it was first needed, and how often."""

    kind: RepairKind
    span: Span
    count: int = 1


class RepairLog:
    """What was mended, counted by kind."""

    def __init__(self) -> None:
        self._repairs: dict[RepairKind, Repair] = {}

    def add(self, kind: RepairKind, start: int, end: int | None = None) -> None:
        """Count one mending; without an end it is of one character."""
        known = self._repairs.get(kind)
        if known is None:
            span = (start, start + 1 if end is None else end)
            self._repairs[kind] = Repair(kind, span)
        else:
            known.count += 1

    def all(self) -> tuple[Repair, ...]:
        """Return every kind that occurred, in the order of its first place."""
        return tuple(sorted(self._repairs.values(), key=lambda one: one.span))


@dataclass(slots=True)
class _Open:
    """A container that is not closed yet."""

    container: _Container
    start: int
    key: str | None = None


class JsonTree:
    """One container that grows: whole values, and open containers at their place."""

    def __init__(self, log: RepairLog) -> None:
        self.root: _Container | None = None
        self._spans: dict[int, list[Span]] = {}  # of a list's items, by its id()
        self._log = log
        self._stack: list[_Open] = []
        self._comma = -1

    @property
    def has_open(self) -> bool:
        """Whether a container is open."""
        return bool(self._stack)

    @property
    def in_object(self) -> bool:
        """Whether the innermost open container is an object."""
        return bool(self._stack) and isinstance(self._stack[-1].container, dict)

    @property
    def place(self) -> tuple[dict[str, Any], str] | None:
        """Object and key of the value that comes, inside an object."""
        top = self._stack[-1] if self._stack else None
        if top is None or not isinstance(top.container, dict):
            return None
        return top.container, top.key or ""

    def span_of(self, items: list[Any], index: int) -> Span:
        """Return where an item of a list of this tree was; of an open one, its bracket."""
        return self._spans[id(items)][index]

    def is_open(self, value: object) -> bool:
        """Whether a container is not closed yet."""
        return any(one.container is value for one in self._stack)

    def open(self, bracket: str, place: int) -> bool:
        """Open a container; False if it would be too deep."""
        if len(self._stack) >= MAX_FORM_DEPTH:
            return False
        container: _Container = {} if bracket == "{" else []
        if isinstance(container, list):
            self._spans[id(container)] = []  # over those of one that is gone
        if self._stack:
            self.put(container, (place, place + 1))
        else:
            self.root = container
        self._stack.append(_Open(container, place))
        return True

    def put_key(self, key: str, start: int, end: int) -> None:
        """Take the key of the next value; what had it before goes."""
        top = self._stack[-1]
        if isinstance(top.container, dict) and key in top.container:
            self._log.add("duplicate-key", start, end)
            del top.container[key]
        top.key = key
        self._comma = -1

    def put(self, value: object, span: Span) -> None:
        """Take a value, and where it is."""
        top = self._stack[-1]
        self._comma = -1
        if isinstance(top.container, dict):
            top.container[top.key or ""] = value
        else:
            top.container.append(value)
            self._spans[id(top.container)].append(span)

    def put_comma(self, place: int) -> None:
        """Take a comma behind a value."""
        self._comma = place

    def shut(self, bracket: str, place: int) -> None:
        """Take a closing bracket; mend one that does not fit."""
        self._drop_comma()
        kind = _KIND_OF[bracket]
        if not any(isinstance(one.container, kind) for one in self._stack):
            self._log.add("extra-bracket", place)
            return
        while not isinstance(self._stack[-1].container, kind):
            self._log.add("unclosed", place)
            self._pop(place)
        self._pop(place + 1)

    def shut_all(self, place: int) -> None:
        """Close what is open where the text ends."""
        self._drop_comma()
        while self._stack:
            self._log.add("unclosed", place, place)
            self._pop(place)

    def _drop_comma(self) -> None:
        if self._comma >= 0:
            self._log.add("trailing-comma", self._comma)
            self._comma = -1

    def _pop(self, end: int) -> None:
        closed = self._stack.pop()
        around = self._stack[-1].container if self._stack else None
        if isinstance(around, list):
            self._spans[id(around)][-1] = (closed.start, end)
