"""Recordings: one run, saved as JSON lines, replayable with its timing.

The first line is a `RecordingHead`, every other a `RecordingLine`; the last
line has an ``end``. Times are seconds since the run began.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import Field, ValidationError

from vitrail.errors import InvalidInput
from vitrail.protocol.base import WireModel

__all__ = [
    "RECORDING_SUFFIX",
    "Recording",
    "RecordingHead",
    "RecordingLine",
    "RecordingUsage",
    "read_recording",
    "write_recording",
]

RECORDING_SUFFIX: Final = ".jsonl"
"""How the file name of a recording ends."""


class RecordingHead(WireModel):
    """What a recording is of."""

    vitrail: Literal["recording"] = "recording"
    version: Literal[1] = 1
    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)
    title: str
    description: str = ""
    prompt: str
    """What the person asked."""
    follows: str | None = None
    """Name of the recording whose reply comes before this one."""
    agent: str
    model: str | None = None
    recorded_at: str


class RecordingUsage(WireModel):
    """Tokens, as far as the provider told them."""

    input_tokens: int | None = None
    output_tokens: int | None = None


class RecordingLine(WireModel):
    """One thing that the agent said; exactly one of the four fields is set."""

    t: float = Field(ge=0, allow_inf_nan=False)
    """Seconds since the run began; never falling."""
    text: str | None = None
    reasoning: str | None = None
    usage: RecordingUsage | None = None
    end: Literal["done", "length", "stopped", "failed"] | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """A whole recording; made by `read_recording`, which checks it."""

    head: RecordingHead
    lines: tuple[RecordingLine, ...]
    """At least one; the last one, and no other, has an ``end``."""

    @property
    def duration_s(self) -> float:
        """Seconds from the run's beginning to its end."""
        return self.lines[-1].t

    @property
    def text(self) -> str:
        """The whole reply."""
        return "".join(line.text for line in self.lines if line.text is not None)


def read_recording(text: str) -> Recording:
    """Return the recording that the text of a file says.

    Raises ``InvalidInput('recording-invalid')``, naming the line.
    """
    numbered = [
        (number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]
    if not numbered:
        raise _invalid(1, "expected a recording, got an empty file")
    head = _head(*numbered[0])
    lines = tuple(_lines(numbered[1:]))
    if not lines or lines[-1].end is None:
        raise _invalid(
            numbered[-1][0],
            'the recording is cut off: expected a last line with "end"',
        )
    return Recording(head, lines)


def write_recording(recording: Recording) -> str:
    r"""Return the text of the recording's file.

    >>> head = RecordingHead(name="a", title="A", prompt="Hi", agent="openai",
    ...     recorded_at="2026-01-01T00:00:00.000Z")
    >>> lines = (RecordingLine(t=0, text="Hello"), RecordingLine(t=0.5, end="done"))
    >>> print(write_recording(Recording(head, lines)).split("\n")[1])
    {"t":0.0,"text":"Hello"}
    """
    models: list[WireModel] = [recording.head, *recording.lines]
    return "".join(
        f"{model.model_dump_json(by_alias=True, exclude_none=True)}\n"
        for model in models
    )


def _head(number: int, line: str) -> RecordingHead:
    try:
        return RecordingHead.model_validate_json(line)
    except ValidationError as cause:
        raise _invalid(number, f"not the head of a recording: {_why(cause)}") from cause


def _lines(numbered: Iterable[tuple[int, str]]) -> Iterator[RecordingLine]:
    t = 0.0
    has_ended = False
    for number, text in numbered:
        try:
            line = RecordingLine.model_validate_json(text)
        except ValidationError as cause:
            raise _invalid(number, _why(cause)) from cause
        said = (line.text, line.reasoning, line.usage, line.end)
        if sum(value is not None for value in said) != 1:
            raise _invalid(
                number, "expected exactly one of text, reasoning, usage and end"
            )
        if line.t < t:
            raise _invalid(number, f"time runs back from {t} to {line.t} seconds")
        if has_ended:
            raise _invalid(number, "expected nothing after the end")
        t, has_ended = line.t, line.end is not None
        yield line


def _why(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


def _invalid(number: int, why: str) -> InvalidInput:
    return InvalidInput(
        f"Line {number} of the recording cannot be read: {why}.",
        code="recording-invalid",
        line=number,
    )
