"""Transcripts: conversations as records that go to a file and come back from one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from vitrail.protocol.base import WireModel
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.records import Conversation, Message, Run

__all__ = ["Carried", "ImportedTranscript", "ToldConversation", "ToldMessage"]

Carried: TypeAlias = dict[str, Any]
"""What a transcript says that this version has no field for; kept with its record.

``fields``: of the line; ``vitrail``: of its ``vitrail`` object; ``run``: of its run;
``parts``: by index, of a part; ``lines``: lines of unknown kinds that follow it."""


@dataclass(frozen=True, slots=True)
class ToldConversation:
    """A conversation as a transcript tells it."""

    conversation: Conversation
    carried: Carried | None = None


@dataclass(frozen=True, slots=True)
class ToldMessage:
    """A message as a transcript tells it: with the run that wrote it."""

    message: Message
    run: Run | None = None
    carried: Carried | None = None


class ImportedTranscript(WireModel):
    """What became of a transcript."""

    conversations: tuple[Conversation, ...]
    """As they are in the project now, with ids of their own."""
    messages: int
    diagnostics: tuple[Diagnostic, ...] = ()
    """What was taken otherwise than it was written."""
