"""What answers a prompt: a recording, a model server, a program."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from vitrail.protocol.events import RunEndReason
from vitrail.protocol.http import NewRun

__all__ = [
    "Agent",
    "AgentChoice",
    "AgentChunk",
    "AgentEnd",
    "AgentPrompt",
    "AgentReasoning",
    "AgentText",
    "AgentUsage",
    "Agents",
    "PromptMessage",
]


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt."""

    role: str
    """``system``, ``user`` or ``assistant``."""
    content: str


@dataclass(frozen=True, slots=True)
class AgentPrompt:
    """Everything an agent is told for one turn."""

    messages: tuple[PromptMessage, ...]
    model: str | None = None
    recording: str | None = None
    """For the replay agent: which recording."""
    speed: float = 1.0
    """For the replay agent: how many times as fast as recorded."""


@dataclass(frozen=True, slots=True)
class AgentText:
    """A piece of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class AgentReasoning:
    """A piece of thinking that came on a channel of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class AgentUsage:
    """Tokens, as far as the provider told them."""

    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class AgentEnd:
    """The agent is done; the last thing it yields."""

    reason: RunEndReason


AgentChunk: TypeAlias = AgentText | AgentReasoning | AgentUsage | AgentEnd


class Agent(Protocol):
    """Something that answers a prompt."""

    name: str

    def stream(self, prompt: AgentPrompt) -> AsyncGenerator[AgentChunk, None]:
        """Yield the reply in pieces, cut anywhere, ending with one `AgentEnd`.

        Raises ``AgentError`` where the world fails; what was yielded before
        stands. Closing the generator ends the work behind it.
        """
        ...


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """The agent that is to answer one turn."""

    agent: Agent
    model: str | None
    """The model it will ask, where there is a choice of them."""
    reads_files: bool = False
    """Whether it reads the project itself, so that a file's one line is enough."""


class Agents(Protocol):
    """The agents that are set up now."""

    async def choose(self, request: NewRun) -> AgentChoice:
        """Return who answers this request, by the settings of this moment.

        Raises ``NotFound`` for an agent or a recording that is not there and
        ``AgentError('agent-not-configured')``, saying what is missing.
        """
        ...

    def secrets(self) -> tuple[str, ...]:
        """Return the values that must never be stored or shown, such as keys."""
        ...
