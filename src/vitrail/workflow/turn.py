"""Turns: a person's message becomes a run, and the run's reply becomes events and files.

Strategy: per run one task reads the agent and one writes what came. Between
them lies an `Inbox`: what arrives while a transaction is written makes up the
next one, so a fast model costs few transactions and a slow one shows every
word at once. All that a run does to the store happens in this order::

    start   message, run, run:start            one transaction
    reply   deltas                             one transaction per batch
            ... artifact:end, then its file    the saver's own commit
    end     open ends, error, run:end, parts   one transaction

so that at any moment the log is a beginning of the whole story, and a process
that dies in the middle leaves something `recover` can finish. Several
processes may serve one data folder: each run has one claim, and only who holds
it writes.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from vitrail.core.text import clean_surrogates
from vitrail.core.text.scrub import scrub
from vitrail.errors import Conflict, InvalidInput, NotFound, VitrailError
from vitrail.limits import MAX_MESSAGE_CHARS, MAX_REPLY_CHARS
from vitrail.ports import (
    Agent,
    AgentChoice,
    AgentEnd,
    AgentPrompt,
    Agents,
    AppendEvent,
    Change,
    Clock,
    EventPlace,
    Ids,
    PromptMessage,
    PutMessage,
    PutRun,
    RunClaims,
    Store,
    UpdateConversation,
    UpdateProject,
)
from vitrail.protocol.events import (
    ArtifactEnd,
    ConversationChanged,
    ErrorRaised,
    Event,
    FormAnswers,
    MessageAdded,
    RunEndReason,
    RunStart,
    ShownFile,
)
from vitrail.protocol.http import NewRun, RunStarted
from vitrail.protocol.records import (
    Conversation,
    FormAnswersPart,
    Message,
    Run,
    TextPart,
)
from vitrail.protocol.times import timestamp
from vitrail.workflow.inbox import Inbox
from vitrail.workflow.prompt import PromptRequest, build_prompt, conversation_title
from vitrail.workflow.recover import (
    ArtifactSink,
    RunAdopter,
    RunCloser,
    error_of,
    place_of,
    unexpected_error,
)
from vitrail.workflow.reply import ReplyReader, coalesce
from vitrail.workflow.save import ArtifactSaver

__all__ = ["Pace", "Turns"]

_log = structlog.get_logger(__name__)

_LOOK_S: Final = 0.25
"""How often it is looked whether another process asks to stop a run."""
_LOOKS_A_SWEEP: Final = 8
"""Looks from one search for runs that nobody writes any more to the next."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much of a reply one transaction takes."""

    batch_s: float = 0.03
    """Longest time that what has come waits for more; two frames of a screen."""
    batch_chars: int = 64 * 1024
    """What is written without waiting for more."""
    inbox_chars: int = 1024 * 1024
    """From here on the agent has to wait for the store."""
    reply_chars: int = MAX_REPLY_CHARS
    """A reply that goes on beyond it is ended."""


class _Turn:
    """One run while it is alive in this process."""

    def __init__(
        self, run: Run, message: Message, choice: AgentChoice, prompt: AgentPrompt
    ) -> None:
        self.run = run
        self.message = message
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
        read: Callable[[_Turn], Coroutine[None, None, None]],
        carry_out: Callable[[_Turn], Coroutine[None, None, None]],
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


class Turns:
    """Starts runs, writes what they say, and ends them, whatever happens.

    At most one run is active in a conversation. Everything an agent says is in
    the event log before it is anywhere else.
    """

    def __init__(  # noqa: PLR0913 - a composition root hands over its parts
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        agents: Agents,
        *,
        claims: RunClaims,
        system_prompt: Callable[[], Awaitable[str]],
        pace: Pace | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._agents = agents
        self._claims = claims
        self._system_prompt = system_prompt
        self._pace = pace or Pace()
        self._closer = RunCloser(store, clock)
        self._others = RunAdopter(store, claims, self._closer, self._saver)
        self._active: dict[str, _Turn] = {}
        self._starting = asyncio.Lock()
        self._is_closed = False
        self._watcher: asyncio.Task[None] | None = None

    # --- what others call -------------------------------------------------

    async def start(
        self,
        project_id: str,
        conversation_id: str,
        request: NewRun,
        *,
        answers: FormAnswersPart | None = None,
    ) -> RunStarted:
        """Add the person's message and begin the run that answers it.

        `answers` are what its text tells of a question form, as values.

        Returns when message, run and their events are stored; the reply goes
        on by itself. Raises ``Conflict('run-active')`` while another run of
        the conversation goes on, ``NotFound`` for what is not there, and
        ``AgentError('agent-not-configured')``.
        """
        async with self._starting:
            if self._is_closed:
                raise Conflict(
                    "The server is stopping; start the run again when it is back.",
                    code="run-active",
                )
            conversation = await self._store.conversation(conversation_id)
            if conversation.project_id != project_id:
                raise NotFound(
                    "This project has no such conversation.",
                    code="conversation-not-found",
                )
            await self._refuse_second_run(conversation_id)
            turn, user, changes = await self._prepare(conversation, request, answers)
            await self._claims.claim(turn.run.id)
            try:
                stored = await self._store.apply(changes)
            except BaseException:
                await self._claims.release(turn.run.id)
                raise
            self._active[turn.run.id] = turn
            turn.begin(
                inbox=Inbox(
                    full_chars=self._pace.inbox_chars,
                    batch_chars=self._pace.batch_chars,
                ),
                reply=ReplyReader(self._agents.secrets()),
                saver=self._saver(turn.run),
                read=self._read,
                carry_out=self._carry_out,
            )
        return RunStarted(run=turn.run, user_message_id=user.id, seq=stored[-1].seq)

    async def stop(self, run_id: str) -> Run:
        """End a run for everybody, and return it as it ended.

        What had come is kept; what was open ends with the reason ``stopped``.
        A run that is over is returned as it is.
        """
        turn = self._active.get(run_id)
        if turn is not None:
            turn.end("stopped")
            turn.halt()
            await self.wait(run_id)
        run = await self._store.run(run_id)
        if run.state != "running":
            return run
        return await self._others.stop(run)

    async def wait(self, run_id: str) -> Run:
        """Return a run when it is over."""
        turn = self._active.get(run_id)
        if turn is not None:
            await asyncio.shield(turn.task)
        return await self._store.run(run_id)

    async def recover(self) -> tuple[Run, ...]:
        """Close every run that nobody writes any more; return them.

        Those that another process writes are left alone.
        """
        closed = [
            await self._others.adopt(run.id, "interrupted")
            for run in await self._store.running()
            if run.id not in self._active
        ]
        return tuple(run for run in closed if run is not None)

    def watch(self) -> None:
        """Look after what other processes do with runs, until `close`.

        One of them may die and leave its runs behind, or be asked to stop one
        of ours.
        """
        if self._watcher is None:
            self._watcher = asyncio.create_task(self._watch(), name="runs of others")

    async def close(self) -> None:
        """Interrupt what is running, write it down, and start nothing more."""
        self._is_closed = True
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.gather(self._watcher, return_exceptions=True)
        async with self._starting:
            turns = list(self._active.values())
        for turn in turns:
            turn.end("interrupted")
            turn.halt()
        await asyncio.gather(*(turn.task for turn in turns), return_exceptions=True)

    # --- the beginning ----------------------------------------------------

    async def _refuse_second_run(self, conversation_id: str) -> None:
        """Say it before anything is prepared; the transaction asks once more."""
        for run in await self._store.running():
            if run.conversation_id != conversation_id:
                continue
            if run.id in self._active or not await self._others.adopt(
                run.id, "interrupted"
            ):
                raise Conflict(
                    "A run of this conversation goes on. Stop it, or wait until it is "
                    "done.",
                    code="run-active",
                    run=run.id,
                )

    async def _prepare(
        self,
        conversation: Conversation,
        request: NewRun,
        answers: FormAnswersPart | None,
    ) -> tuple[_Turn, Message, list[Change]]:
        """Return the turn, the person's message, and what the first transaction stores."""
        text = _checked_text(request.text)
        choice = await self._agents.choose(request)
        secrets = self._agents.secrets()
        text = scrub(text, secrets)
        answers = _scrubbed(answers, secrets)
        built = await build_prompt(
            self._store,
            PromptRequest(
                project_id=conversation.project_id,
                conversation_id=conversation.id,
                text=text,
                answers=answers,
                system=await self._system_prompt(),
                open_path=request.open_path,
                reads_files=choice.reads_files,
            ),
        )
        prompt = AgentPrompt(
            messages=tuple(
                PromptMessage(message.role, scrub(message.content, secrets))
                for message in built.messages
            ),
            model=choice.model,
            recording=request.recording,
            speed=request.speed,
        )
        now = timestamp(self._clock.now())
        user = Message(
            id=self._ids.new(),
            conversation_id=conversation.id,
            role="user",
            parts=(TextPart(text=text), *((answers,) if answers else ())),
            created_at=now,
        )
        run = Run(
            id=self._ids.new(),
            project_id=conversation.project_id,
            conversation_id=conversation.id,
            message_id=self._ids.new(),
            agent=choice.agent.name,
            model=choice.model,
            state="running",
            shown=built.shown,
            started_at=now,
        )
        turn = _Turn(run, _empty_reply(run, now), choice, prompt)
        changes = self._touched(conversation, text, now)
        return turn, user, changes + _beginning(turn, user)

    def _touched(self, conversation: Conversation, text: str, now: str) -> list[Change]:
        """Return project and conversation as used now, the latter with a name."""
        title = None if conversation.title else conversation_title(text)
        changes: list[Change] = [
            UpdateProject(conversation.project_id, now),
            UpdateConversation(conversation.id, now, title),
        ]
        if title is not None:
            place = EventPlace(
                project_id=conversation.project_id, conversation_id=conversation.id
            )
            changes.append(
                AppendEvent(place, ConversationChanged(change="updated", title=title))
            )
        return changes

    # --- the middle -------------------------------------------------------

    async def _carry_out(self, turn: _Turn) -> None:
        """Write one reply from its first chunk to its end."""
        try:
            try:
                await self._write_reply(turn)
            except VitrailError as error:
                turn.fail(self._told(error))
            except Exception:  # noqa: BLE001 - outermost loop of a run
                _log.exception("run failed", run=turn.run.id)
                turn.fail(unexpected_error())
            await asyncio.wait([turn.reader])
            await self._write_end(turn)
        except Exception:  # noqa: BLE001 - outermost loop of a run
            # The store itself refuses. The run stays ``running`` on disk, and
            # whoever finds it unclaimed closes it with everything that was stored.
            _log.exception("run could not be ended", run=turn.run.id)
        finally:
            self._active.pop(turn.run.id, None)
            await self._claims.release(turn.run.id)

    async def _read(self, turn: _Turn) -> None:
        """Put what the agent says into the inbox, until it ends one way or another."""
        try:
            async with aclosing(turn.agent.stream(turn.prompt)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, AgentEnd):
                        turn.end(chunk.reason)
                        return
                    await turn.inbox.put(chunk)
                    if turn.inbox.total_chars > self._pace.reply_chars:
                        turn.end("failed", _endless(self._pace.reply_chars))
                        return
            turn.end("failed", _ended_unsaid())
        except VitrailError as error:
            turn.end("failed", self._told(error))
        except Exception:  # noqa: BLE001 - outermost loop of an agent
            _log.exception("agent failed", run=turn.run.id, agent=turn.agent.name)
            turn.end("failed", unexpected_error())

    async def _write_reply(self, turn: _Turn) -> None:
        wait_s = 0.0  # the first words are shown at once
        while chunks := await turn.inbox.take(wait_s=wait_s):
            self._hear(turn, turn.reply.feed(chunks))
            await self._write(turn)
            wait_s = self._pace.batch_s

    def _hear(self, turn: _Turn, events: list[Event]) -> None:
        turn.unwritten += events
        broken, turn.reply.broken = turn.reply.broken, None
        if broken is not None:
            _log.error("parser failed", run=turn.run.id, exc_info=broken)
            turn.fail(None)

    async def _write(self, turn: _Turn) -> None:
        """Store what is not written yet; a file follows its artifact's end at once."""
        turn.unwritten = coalesce(turn.unwritten)
        while turn.unwritten:
            group = _through_first_end(turn.unwritten)
            changes = [AppendEvent(turn.place, event) for event in group]
            await self._store.apply(changes, durable=False)
            del turn.unwritten[: len(group)]
            await self._save(turn, group)

    async def _save(self, turn: _Turn, group: Sequence[Event]) -> None:
        """Hand events to the saver; where it fails, the text goes on being kept."""
        try:
            await turn.saver.feed(group)
        except VitrailError as error:
            turn.fail(self._told(error))
        except Exception:  # noqa: BLE001 - a reply outlives its saver
            _log.exception("artifact could not be saved", run=turn.run.id)
            turn.fail(unexpected_error())

    # --- the end ----------------------------------------------------------

    async def _write_end(self, turn: _Turn) -> None:
        while chunks := await turn.inbox.take():
            self._hear(turn, turn.reply.feed(chunks))
        self._hear(turn, turn.reply.close(turn.reason or "failed"))
        await self._write(turn)
        await self._closer.finish(
            turn.run, turn.message, turn.reason or "failed", turn.error
        )

    # --- runs of other processes -------------------------------------------

    async def _watch(self) -> None:
        for look in itertools.count(1):
            await asyncio.sleep(_LOOK_S)
            try:
                for run_id in await self._claims.asked_to_stop():
                    turn = self._active.get(run_id)
                    if turn is not None:
                        turn.end("stopped")
                        turn.halt()
                if look % _LOOKS_A_SWEEP == 0:
                    await self.recover()
            except VitrailError as error:
                _log.warning("runs not looked after", code=error.code)
            except Exception:  # noqa: BLE001 - it has to go on looking
                _log.exception("runs not looked after")

    # --- small parts --------------------------------------------------------

    def _saver(self, run: Run) -> ArtifactSink:
        return ArtifactSaver(self._store, self._clock, self._ids, run)

    def _told(self, error: VitrailError) -> ErrorRaised:
        told = error_of(error)
        message = scrub(told.message, self._agents.secrets())
        return msgspec.structs.replace(told, message=message)


def _checked_text(text: str) -> str:
    text = clean_surrogates(text)
    if not text.strip():
        raise InvalidInput("The message is empty. Write what is to be made.")
    if len(text) > MAX_MESSAGE_CHARS:
        raise InvalidInput(
            f"The message has {len(text)} characters; at most {MAX_MESSAGE_CHARS} can "
            "be sent. Put the rest into a file of the project.",
            code="payload-too-large",
        )
    return text


def _empty_reply(run: Run, now: str) -> Message:
    """Return the message that a run writes, before its first word."""
    return Message(
        id=run.message_id,
        conversation_id=run.conversation_id,
        role="assistant",
        parts=(),
        run_id=run.id,
        created_at=now,
    )


def _scrubbed(
    answers: FormAnswersPart | None, secrets: Iterable[str]
) -> FormAnswersPart | None:
    """Return the answers without secrets, as their text is told."""
    if answers is None:
        return None
    kept = {
        name: scrub(value, secrets)
        if isinstance(value, str)
        else value and tuple(scrub(item, secrets) for item in value)
        for name, value in answers.answers.items()
    }
    return answers.model_copy(update={"answers": kept})


def _message_added(user: Message) -> MessageAdded:
    """Return the event that tells a message of a person."""
    text, answers = "", None
    for part in user.parts:
        match part:
            case TextPart():
                text = part.text
            case FormAnswersPart():
                answers = FormAnswers(part.message_id, part.form_id, part.answers)
    return MessageAdded(message_id=user.id, role="user", text=text, answers=answers)


def _beginning(turn: _Turn, user: Message) -> list[Change]:
    """Return both messages, the run, and the events that tell of them."""
    run = turn.run
    told = EventPlace(
        project_id=run.project_id,
        conversation_id=run.conversation_id,
        message_id=user.id,
    )
    start = RunStart(
        run_id=run.id,
        message_id=run.message_id,
        agent=run.agent,
        model=run.model,
        shown=tuple(
            ShownFile(file.path, file.digest, file.shown) for file in run.shown
        ),
    )
    return [
        PutMessage(user),
        AppendEvent(told, _message_added(user)),
        PutRun(run, prompt=turn.prompt.messages),
        PutMessage(turn.message),
        AppendEvent(turn.place, start),
    ]


def _through_first_end(events: Sequence[Event]) -> Sequence[Event]:
    for count, event in enumerate(events, start=1):
        if isinstance(event, ArtifactEnd):
            return events[:count]
    return events[:]


def _endless(limit: int) -> ErrorRaised:
    return ErrorRaised(
        code="agent-failed",
        message=f"The reply went on beyond {limit} characters and was ended.",
        retryable=False,
    )


def _ended_unsaid() -> ErrorRaised:
    return ErrorRaised(
        code="agent-interrupted",
        message="The agent stopped without saying that it was done. "
        "What had come is kept; ask it to go on, or run it again.",
        retryable=True,
    )
