"""One run while it is alive in this process: its tasks, and why it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from vitrail.ports import Agent, AgentChoice, AgentPrompt
from vitrail.protocol.events import ErrorRaised, Event, RunEndReason
from vitrail.protocol.records import Run
from vitrail.workflow.beginning import empty_reply
from vitrail.workflow.continuing import CutArtifact
from vitrail.workflow.inbox import Inbox
from vitrail.workflow.recover import ArtifactSink, place_of
from vitrail.workflow.reply import ReplyReader

__all__ = ["LiveTurn"]


class LiveTurn:
    """One run while it is alive in this process."""

    def __init__(
        self,
        run: Run,
        choice: AgentChoice,
        prompt: AgentPrompt,
        cut: CutArtifact | None = None,
    ) -> None:
        self.run = run
        self.message = empty_reply(run, run.started_at)
        self.cut = cut
        """The artifact that it continues, if it does."""
        self.continues = 0
        """How often it is continued by itself where the length limit cuts it."""
        self.agent: Agent = choice.agent
        self.prompt = prompt
        self.place = place_of(run)
        self.unwritten: list[Event] = []
        """Events that are not in the log yet."""
        self.reason: RunEndReason | None = None
        self.error: ErrorRaised | None = None

    def begin(
        self,
        *,
        inbox: Inbox,
        reply: ReplyReader,
        saver: ArtifactSink,
        read: Callable[[LiveTurn], Coroutine[None, None, None]],
        carry_out: Callable[[LiveTurn], Coroutine[None, None, None]],
    ) -> None:
        """Set both tasks going."""
        self.inbox = inbox
        self.reply = reply
        self.saver = saver
        self.reader = asyncio.create_task(read(self), name=f"agent of {self.run.id}")
        # Not a ``finally`` in the reader: a task that is cancelled before its
        # first step never enters one.
        self.reader.add_done_callback(lambda _: inbox.end())
        self.task = asyncio.create_task(carry_out(self), name=f"run {self.run.id}")

    def reader_of_reply(self, secrets: tuple[str, ...]) -> ReplyReader:
        """Return what reads the reply: on its own, or as one with what was cut."""
        if self.cut is None:
            return ReplyReader(secrets)
        parser = self.cut.parser()
        return ReplyReader(
            secrets, parser=lambda: parser, told_before=parser.told_before
        )

    def end(self, reason: RunEndReason, error: ErrorRaised | None = None) -> None:
        """Say why the run ends; the first reason stands."""
        if self.reason is None:
            self.reason, self.error = reason, error

    def fail(self, error: ErrorRaised | None) -> None:
        """Fail for a fault of ours, also after the agent has said that it is done.

        ``error`` is None where an event of the reply tells it already.
        """
        self.error = self.error or error
        if self.reason in (None, "done", "length"):
            self.reason = "failed"
        self.halt()

    def halt(self) -> None:
        """Read no more of the agent; what has come is still written."""
        self.reader.cancel()
