"""Hold an implementation of the protocol to the cases of tests/conformance.

    python -m scripts.conformance                       the library, in this process
    python -m scripts.conformance --command "vitrail parse - --join --dialect {dialect}"
    python -m scripts.conformance --fill FILE           write lengths and digests

The library reads each input whole and in pieces of 1, 2 and 7 bytes (``--chunk``
names others). A command is started for each case with the input on its standard
input and prints joined events as JSON lines; ``{dialect}`` in it becomes the
case's dialect and ``{chunk}`` each size. Exits 1 if any case gives other events,
2 if a file is no list of cases. ``tests/conformance/README.md`` tells the format.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias

from vitrail.core.parse import StreamParser, join_events
from vitrail.core.parse.inputs import WIRE_DIALECTS, InputParser
from vitrail.core.text import Utf8Decoder
from vitrail.protocol.events import encode_event

__all__ = [
    "CASES",
    "DIALECTS",
    "DISPUTED",
    "Case",
    "CaseError",
    "Json",
    "differences",
    "main",
    "read_cases",
    "run_command",
    "run_library",
]

Json: TypeAlias = dict[str, Any]
"""One event as a JSON object."""

CASES: Final = Path(__file__).resolve().parent.parent / "tests" / "conformance"
DISPUTED: Final = "disputed.md"
"""Cases that this implementation is known to fail; left out unless it is named."""
DIALECTS: Final = (
    *("auto", "tag", "ant", "bolt", "colon", "fence"),
    *("openai", "openai-chat", "anthropic", "claude-code"),
)
"""What a case may name as its dialect."""
CHUNKS: Final = (0, 1, 2, 7)
"""Bytes that the library is fed at a time; 0: all."""

_FOR_PEOPLE: Final = frozenset(["diagnostic", "error"])
"""Events whose ``message`` is for people: it has to be there, and may say anything."""
_TIMEOUT_S: Final = 60
_DIALECT: Final = re.compile(r"Dialect: (`[a-z-]+`(?:, `[a-z-]+`)*)")
_FENCE: Final = re.compile(r"(`{3,})(input|input json|events)")
_SHOWN_CHARS: Final = 200
_CONTEXT_CHARS: Final = 40


class CaseError(ValueError):
    """A file of cases breaks the format; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Case:
    """One rule, with an input that shows it and the events it has to give."""

    name: str
    why: str
    dialects: tuple[str, ...]
    input: bytes
    events: tuple[Json, ...]
    """Joined; without the ``message`` of what is for people."""
    file: str
    line: int
    """1-based line of its heading."""

    @property
    def place(self) -> str:
        """Where it stands, for a report."""
        return f"{self.file}:{self.line}"


# --- reading ---------------------------------------------------------------------


def read_cases(path: Path) -> list[Case]:
    """Return the cases of one file; raises `CaseError` for anything that is not one."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as cause:
        raise CaseError(f"{path.name}: expected UTF-8") from cause
    return list(_Reader(path.name, text).cases())


@dataclass
class _Reader:
    file: str
    text: str
    at: int = 0
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = self.text.split("\n")
        if self.lines[-1]:
            self._refuse("expected a line break at the end", len(self.lines))
        self.lines.pop()
        for number, line in enumerate(self.lines, 1):
            if line != line.rstrip() or not line.isprintable():
                why = "white space at a line's end, or a character that cannot be seen"
                self._refuse(f"{why}; use an `input json` block", number)

    def cases(self) -> Iterator[Case]:
        """Yield every case, in order."""
        if not self._line().startswith("# "):
            self._refuse("expected `# TITLE`")
        self.at += 1
        self._prose("## ")
        names: set[str] = set()
        while self.at < len(self.lines):
            case = self._case()
            if case.name in names:
                self._refuse(f"expected a new name, got {case.name!r} again", case.line)
            names.add(case.name)
            yield case
        if not names:
            self._refuse("expected a case")

    def _case(self) -> Case:
        line = self.at + 1
        name = self._line().removeprefix("## ").strip()
        self.at += 1
        why = self._prose("Dialect: ")
        if not name or not why:
            self._refuse("expected a heading and a line that says why", line)
        dialects = self._dialects()
        self._blanks()
        given = self._block("input", "input json")
        self._blanks()
        events = self._block("events")
        self._blanks()
        if self.at < len(self.lines) and not self._line().startswith("## "):
            self._refuse("expected `## ` and the next case")
        return Case(
            name=name,
            why=why,
            dialects=dialects,
            input=self._input(*given),
            events=tuple(self._events(*events)),
            file=self.file,
            line=line,
        )

    def _dialects(self) -> tuple[str, ...]:
        found = _DIALECT.fullmatch(self._line())
        if found is None:
            self._refuse("expected ``Dialect: `NAME` ``, with commas between several")
            return ()
        dialects = tuple(name.strip("` ") for name in found[1].split(","))
        for name in dialects:
            if name not in DIALECTS or dialects.count(name) > 1:
                self._refuse(f"expected dialects of {', '.join(DIALECTS)}, once each")
        self.at += 1
        return dialects

    def _prose(self, stop: str) -> str:
        """Read lines up to one that begins with `stop`; return them."""
        start = self.at
        while not self._line().startswith(stop):
            if self._line().startswith(("#", "```")):
                self._refuse(f"expected `{stop.strip()}`")
            self.at += 1
        return " ".join(" ".join(self.lines[start : self.at]).split())

    def _block(self, *kinds: str) -> tuple[str, list[str], int]:
        """Return a fenced block's kind, its lines and the number of the first."""
        opened = _FENCE.fullmatch(self._line())
        if opened is None or opened[2] not in kinds:
            self._refuse(f"expected a block of {' or '.join(kinds)}")
            raise AssertionError
        self.at += 1
        start = self.at
        while self._line() != opened[1]:
            self.at += 1
        self.at += 1
        return opened[2], self.lines[start : self.at - 1], start + 1

    def _blanks(self) -> None:
        while self.at < len(self.lines) and not self.lines[self.at]:
            self.at += 1

    def _input(self, kind: str, lines: list[str], number: int) -> bytes:
        if kind == "input":
            return "\n".join(lines).encode()
        pieces = [
            self._text(self._json(line, n), n) for n, line in _numbered(lines, number)
        ]
        try:
            return "".join(pieces).encode()
        except UnicodeEncodeError:
            self._refuse("expected no half of a character: it has no UTF-8", number)
            raise

    def _events(self, kind: str, lines: list[str], number: int) -> Iterator[Json]:
        del kind
        for n, line in _numbered(lines, number):
            event = self._json(line, n)
            if not isinstance(event, dict) or not isinstance(event.get("type"), str):
                self._refuse("expected an event, an object with a `type`", n)
            if event["type"] in _FOR_PEOPLE and "message" in event:
                self._refuse("expected no `message`: its words are free", n)
            if "delta" in event:
                pieces = event["delta"]
                parts = pieces if isinstance(pieces, list) else [pieces]
                event["delta"] = "".join(self._text(part, n) for part in parts)
            yield event

    def _json(self, line: str, number: int) -> Any:
        def pairs(items: list[tuple[str, Any]]) -> Json:
            if len(dict(items)) < len(items):
                self._refuse("expected each name once in an object", number)
            return dict(items)

        try:
            return json.loads(line, object_pairs_hook=pairs)
        except json.JSONDecodeError as cause:
            self._refuse(f"expected JSON on one line: {cause.msg}", number)

    def _text(self, value: object, number: int) -> str:
        """Return a string, or the one that ``[STRING, COUNT]`` repeats."""
        match value:
            case str():
                return value
            case [str() as text, int() as count] if count > 0:
                return text * count
        self._refuse("expected a string, or [STRING, COUNT]", number)
        raise AssertionError

    def _line(self) -> str:
        if self.at >= len(self.lines):
            self._refuse("expected more, the file ends")
        return self.lines[self.at]

    def _refuse(self, why: str, number: int | None = None) -> None:
        raise CaseError(f"{self.file}:{number or self.at + 1}: {why}")


def _numbered(lines: list[str], first: int) -> Iterator[tuple[int, str]]:
    yield from enumerate(lines, first)


# --- running ---------------------------------------------------------------------


def run_library(case: Case, dialect: str, chunk: int) -> list[Json]:
    """Return the joined events that the library gives, fed `chunk` bytes at a time.

    0: all at once.
    """
    data, step = case.input, chunk or max(1, len(case.input))
    pieces = [data[at : at + step] for at in range(0, len(data), step)]
    if dialect in WIRE_DIALECTS:
        wire = InputParser(dialect)
        events = [event for piece in pieces for event in wire.feed(piece)]
        events += wire.close()
    else:
        decoder, parser = Utf8Decoder(), StreamParser(dialect=dialect)
        events = [
            event for piece in pieces for event in parser.feed(decoder.feed(piece))
        ]
        events += parser.feed(decoder.close())
        events += parser.close()
    return [json.loads(encode_event(event)) for event in join_events(events)]


def run_command(case: Case, dialect: str, chunk: int, *, command: str) -> list[Json]:
    """Return the events that a command prints. Its exit code says nothing here.

    Raises ``ValueError`` for output that is no JSON lines, with what it complained of.
    """
    words = [
        word.replace("{dialect}", dialect).replace(
            "{chunk}", str(chunk or len(case.input) or 1)
        )
        for word in shlex.split(command)
    ]
    done = subprocess.run(
        words, input=case.input, capture_output=True, check=False, timeout=_TIMEOUT_S
    )
    try:
        return [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError as cause:
        said = done.stderr.decode(errors="replace").strip()
        raise ValueError(f"expected JSON lines; it complains: {said}") from cause


def differences(expected: Sequence[Json], got: Sequence[Json]) -> list[str]:
    """Return in words how events differ from those expected; nothing: they do not."""
    words: list[str] = []
    for index in range(max(len(expected), len(got))):
        if index >= len(got):
            words.append(
                f"event {index}: expected {_shown(expected[index])}, got no more"
            )
        elif index >= len(expected):
            words.append(f"event {index}: expected no more, got {_shown(got[index])}")
        else:
            words += _fields(index, expected[index], got[index])
        if words:
            break  # what follows the first difference is moved by it
    return words


def _fields(index: int, expected: Json, got: Json) -> list[str]:
    given = dict(got)
    kind = given.get("type")
    where = f"event {index}, {expected['type']}"
    if kind != expected["type"]:
        return [f"event {index}: expected {_shown(expected)}, got {_shown(got)}"]
    if kind in _FOR_PEOPLE:
        message = given.pop("message", None)
        if not isinstance(message, str) or not message:
            return [f"{where}: expected a message, got {_shown(message)}"]
    return [
        f"{where}, {name}: {_unlike(_field(expected, name), _field(given, name))}"
        for name in dict.fromkeys([*expected, *given])
        if _field(expected, name) != _field(given, name)
    ]


def _field(event: Json, name: str) -> str:
    """Return a field as JSON, which tells 1 from true."""
    return _json_of(event[name]) if name in event else "none"


def _unlike(expected: str, got: str) -> str:
    """Tell two texts apart, from a little in front of where they part."""
    pairs = enumerate(zip(expected, got, strict=False))
    same = next((at for at, (a, b) in pairs if a != b), min(len(expected), len(got)))
    start = max(0, same - _CONTEXT_CHARS) if same > 2 * _CONTEXT_CHARS else 0
    cut = "…" if start else ""
    return f"expected {cut}{_cut(expected[start:])}, got {cut}{_cut(got[start:])}"


def _shown(value: object) -> str:
    return _cut(_json_of(value))


def _json_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _cut(text: str) -> str:
    if len(text) <= _SHOWN_CHARS:
        return text
    return f"{text[:_SHOWN_CHARS]}… ({len(text)} characters)"


# --- filling in ------------------------------------------------------------------


def fill(path: Path) -> bool:
    """Write the length and digest of each body into a file; True if it changed.

    An ``artifact:end`` needs the other fields only.
    """
    text = path.read_text(encoding="utf-8")
    bodies: dict[int, str] = {}
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if line.startswith('{"type":"artifact:'):
            lines[index] = _filled(line, bodies)
    filled = "\n".join(lines)
    if filled == text:
        return False
    path.write_text(filled, encoding="utf-8")
    read_cases(path)
    return True


def _filled(line: str, bodies: dict[int, str]) -> str:
    event = json.loads(line)
    artifact = event["artifact"]
    match event["type"]:
        case "artifact:start":
            bodies[artifact] = ""
        case "artifact:chunk":
            pieces = event["delta"]
            for piece in pieces if isinstance(pieces, list) else [pieces]:
                bodies[artifact] += (
                    piece if isinstance(piece, str) else piece[0] * piece[1]
                )
        case _:
            body = bodies[artifact]
            event["length"] = len(body)
            event["sha256"] = sha256(body.encode()).hexdigest()
            event["span"] = event.pop("span")  # keeps the order of the protocol
            return json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return line


# --- the command line ------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases of the named files, or of all; return the exit code."""
    options = _options(arguments)
    paths = options.files or [
        path
        for path in sorted(CASES.glob("*.md"))
        if path.name not in ("README.md", DISPUTED)
    ]
    try:
        if options.fill:
            for path in paths:
                print(f"{path.name}: {'filled' if fill(path) else 'unchanged'}")
            return 0
        cases = [case for path in paths for case in read_cases(path)]
    except (CaseError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    return _report(cases, options.command, options.chunk)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.conformance",
        description="Hold an implementation to the cases of tests/conformance.",
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILES")
    parser.add_argument(
        "--command", help="what to run: input on standard input, JSON lines out"
    )
    parser.add_argument("--chunk", nargs="+", type=_size, metavar="N", help="0: whole")
    parser.add_argument(
        "--fill", action="store_true", help="write lengths and digests into the files"
    )
    options = parser.parse_args(arguments)
    if options.chunk and options.command and "{chunk}" not in options.command:
        parser.error("expected {chunk} in the command, to say the size in")
    return options


def _size(written: str) -> int:
    if not written.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number of bytes, got {written!r}")
    return int(written)


def _report(cases: list[Case], command: str | None, chunks: list[int] | None) -> int:
    run: Callable[[Case, str, int], list[Json]] = run_library
    sizes: Sequence[int] = chunks or CHUNKS
    if command is not None:
        sizes = (chunks or CHUNKS) if "{chunk}" in command else (0,)

        def run(case: Case, dialect: str, chunk: int) -> list[Json]:
            return run_command(case, dialect, chunk, command=command)

    def words(case: Case) -> list[str]:
        return list(_wrong(case, run, sizes))

    with ThreadPoolExecutor(1 if command is None else os.cpu_count()) as pool:
        wrong = [found for found in pool.map(words, cases) if found]
    for found in wrong:
        print("\n".join(found))
    print(f"{len(cases)} cases, {len(wrong)} differ")
    return 1 if wrong else 0


def _wrong(
    case: Case, run: Callable[[Case, str, int], list[Json]], sizes: Sequence[int]
) -> Iterator[str]:
    for dialect in case.dialects:
        for size in sizes:
            try:
                found = differences(case.events, run(case, dialect, size))
            except (ValueError, OSError, subprocess.TimeoutExpired) as fault:
                found = [str(fault)]
            if found:
                pieces = f"in pieces of {size}" if size else "whole"
                yield f"{case.place}: {case.name} ({dialect}, {pieces})"
                yield from (f"    {line}" for line in found)
                break  # another size says the same, or less


if __name__ == "__main__":
    sys.exit(main())
