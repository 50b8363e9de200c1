"""Recordings: one run, saved as JSON lines, replayable with its timing.

The first line is a `RecordingHead`, every other a `RecordingLine`; the last
line has an ``end``. Times are seconds since the run began.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from vitrail.protocol.base import WireModel

__all__ = ["RecordingHead", "RecordingLine", "RecordingUsage"]


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

    t: float = Field(ge=0)
    """Seconds since the run began; never falling."""
    text: str | None = None
    reasoning: str | None = None
    usage: RecordingUsage | None = None
    end: Literal["done", "length", "stopped", "failed"] | None = None
