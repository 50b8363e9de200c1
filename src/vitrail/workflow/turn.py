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
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from vitrail.core.text.scrub import scrub
from vitrail.errors import Conflict, NotFound, VitrailError
from vitrail.limits import MAX_REPLY_CHARS
from vitrail.ports import (
    AgentChoice,
    AgentEnd,
    Agents,
    AppendEvent,
    Change,
    Clock,
    Ids,
    RunClaims,
    Store,
)
from vitrail.protocol.events import ArtifactEnd, ErrorRaised, Event
from vitrail.protocol.http import ContinueRun, NewRun, RunStarted
from vitrail.protocol.records import (
    Conversation,
    FormAnswersPart,
    Message,
    Run,
    Shown,
    TextPart,
)
from vitrail.protocol.times import timestamp
from vitrail.workflow.beginning import (
    beginning,
    checked_text,
    prompt_of,
    scrubbed_answers,
    touched,
)
from vitrail.workflow.continuing import CutArtifact, find_cut
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.inbox import Inbox
from vitrail.workflow.live_turn import LiveTurn
from vitrail.workflow.outside import OutsideChanges
from vitrail.workflow.prompt import PromptRequest, build_prompt, continuation_text
from vitrail.workflow.recover import (
    ArtifactSink,
    RunAdopter,
    RunCloser,
    error_of,
    unexpected_error,
)
from vitrail.workflow.reply import coalesce
from vitrail.workflow.save import ArtifactSaver, Source

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
        continues: int = 0,
        gates: GateKeeper | None = None,
        outside: OutsideChanges | None = None,
    ) -> None:
        """``continues``: how often a cut artifact is continued without being asked.

        ``gates`` judge what a run writes; ``outside`` looks at the folder before
        and after the runs of agents that write into it themselves.
        """
        self._store = store
        self._clock = clock
        self._ids = ids
        self._agents = agents
        self._claims = claims
        self._system_prompt = system_prompt
        self._pace = pace or Pace()
        self._continues = continues
        self._gates = gates
        self._outside = outside
        self._closer = RunCloser(store, clock)
        self._others = RunAdopter(store, claims, self._closer, self._saver)
        self._active: dict[str, LiveTurn] = {}
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
            self._refuse_when_closed()
            conversation = await self._store.conversation(conversation_id)
            if conversation.project_id != project_id:
                raise NotFound(
                    "This project has no such conversation.",
                    code="conversation-not-found",
                )
            await self._refuse_second_run(conversation_id)
            turn, user, changes = await self._prepare(conversation, request, answers)
            seq = await self._set_going(turn, changes)
        return RunStarted(run=turn.run, user_message_id=user.id, seq=seq)

    async def go_on(self, run_id: str, request: ContinueRun) -> RunStarted:
        """Begin the run that continues the artifact in which another one was cut.

        Raises what `start` does, ``NotFound('run-not-found')``, and
        ``Conflict('nothing-to-continue')``.
        """
        async with self._starting:
            self._refuse_when_closed()
            cut = await find_cut(self._store, run_id)
            await self._refuse_second_run(cut.run.conversation_id)
            turn, changes = await self._prepare_to_go_on(cut, request)
            seq = await self._set_going(turn, changes)
        return RunStarted(run=turn.run, user_message_id=None, seq=seq)

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

    def _refuse_when_closed(self) -> None:
        if self._is_closed:
            raise Conflict(
                "The server is stopping; start the run again when it is back.",
                code="run-active",
            )

    async def _set_going(self, turn: LiveTurn, changes: list[Change]) -> int:
        """Store the beginning of a run, and let it run; return its event's number."""
        await self._claims.claim(turn.run.id)
        try:
            stored = await self._store.apply(changes)
        except BaseException:
            await self._claims.release(turn.run.id)
            raise
        self._active[turn.run.id] = turn
        inbox = Inbox(
            full_chars=self._pace.inbox_chars, batch_chars=self._pace.batch_chars
        )
        turn.begin(
            inbox=inbox,
            reply=turn.reader_of_reply(self._agents.secrets()),
            saver=self._saver(turn.run, turn.cut),
            read=self._read,
            carry_out=self._carry_out,
        )
        return stored[-1].seq

    async def _prepare(
        self,
        conversation: Conversation,
        request: NewRun,
        answers: FormAnswersPart | None,
    ) -> tuple[LiveTurn, Message, list[Change]]:
        """Return the turn, the person's message, and what the first transaction stores."""
        text = checked_text(request.text)
        choice = await self._agents.choose(request)
        secrets = self._agents.secrets()
        text = scrub(text, secrets)
        answers = scrubbed_answers(answers, secrets)
        await self._look_at_folder(choice.agent.name, conversation.project_id)
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
        prompt = prompt_of(built, choice, request, secrets)
        now = timestamp(self._clock.now())
        user = Message(
            id=self._ids.new(),
            conversation_id=conversation.id,
            role="user",
            parts=(TextPart(text=text), *((answers,) if answers else ())),
            created_at=now,
        )
        run = self._run(conversation, choice, built.shown, now)
        turn = LiveTurn(run, choice, prompt)
        turn.continues = (
            self._continues if request.continues is None else request.continues
        )
        changes = touched(conversation, text, now)
        return turn, user, changes + beginning(run, turn.message, prompt, asked=user)

    async def _prepare_to_go_on(
        self, cut: CutArtifact, request: ContinueRun
    ) -> tuple[LiveTurn, list[Change]]:
        """Return the turn that continues a cut artifact, and what is stored first."""
        asked = NewRun(
            text="Continue.",
            agent=request.agent or cut.run.agent,
            model=request.model or cut.run.model,
            recording=request.recording,
            speed=request.speed,
        )
        choice = await self._agents.choose(asked)
        conversation = await self._store.conversation(cut.run.conversation_id)
        await self._look_at_folder(choice.agent.name, conversation.project_id)
        built = await build_prompt(
            self._store,
            PromptRequest(
                project_id=conversation.project_id,
                conversation_id=conversation.id,
                text=continuation_text(cut.part),
                system=await self._system_prompt(),
                # the end of the cut body is all of the file that it needs
                reads_files=True,
            ),
        )
        prompt = prompt_of(built, choice, asked, self._agents.secrets())
        now = timestamp(self._clock.now())
        run = self._run(conversation, choice, cut.shown(built.shown), now)
        turn = LiveTurn(run, choice, prompt, cut)
        turn.continues = request.continues
        changes = touched(conversation, cut.name, now)
        return turn, changes + beginning(run, turn.message, prompt, asked=None)

    def _run(
        self,
        conversation: Conversation,
        choice: AgentChoice,
        shown: tuple[Shown, ...],
        now: str,
    ) -> Run:
        return Run(
            id=self._ids.new(),
            project_id=conversation.project_id,
            conversation_id=conversation.id,
            message_id=self._ids.new(),
            agent=choice.agent.name,
            model=choice.model,
            state="running",
            shown=shown,
            started_at=now,
        )

    # --- the middle -------------------------------------------------------

    async def _carry_out(self, turn: LiveTurn) -> None:
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
        is_played = turn.prompt.recording is not None  # and would say the same again
        if turn.reason == "length" and turn.continues > 0 and not is_played:
            await self._go_on_by_itself(turn)

    async def _go_on_by_itself(self, turn: LiveTurn) -> None:
        """Continue what the length limit cut, unless there is nothing, or no way."""
        request = ContinueRun(continues=turn.continues - 1)
        try:
            await self.go_on(turn.run.id, request)
        except VitrailError as error:
            _log.info("not continued", run=turn.run.id, code=error.code)
        except Exception:  # noqa: BLE001 - outermost loop of a run
            _log.exception("not continued", run=turn.run.id)

    async def _read(self, turn: LiveTurn) -> None:
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

    async def _write_reply(self, turn: LiveTurn) -> None:
        wait_s = 0.0  # the first words are shown at once
        while chunks := await turn.inbox.take(wait_s=wait_s):
            self._hear(turn, turn.reply.feed(chunks))
            await self._write(turn)
            wait_s = self._pace.batch_s

    def _hear(self, turn: LiveTurn, events: list[Event]) -> None:
        turn.unwritten += events
        broken, turn.reply.broken = turn.reply.broken, None
        if broken is not None:
            _log.error("parser failed", run=turn.run.id, exc_info=broken)
            turn.fail(None)

    async def _write(self, turn: LiveTurn) -> None:
        """Store what is not written yet; a file follows its artifact's end at once."""
        turn.unwritten = coalesce(turn.unwritten)
        while turn.unwritten:
            group = _through_first_end(turn.unwritten)
            changes = [AppendEvent(turn.place, event) for event in group]
            await self._store.apply(changes, durable=False)
            del turn.unwritten[: len(group)]
            await self._save(turn, group)

    async def _save(self, turn: LiveTurn, group: Sequence[Event]) -> None:
        """Hand events to the saver; where it fails, the text goes on being kept."""
        await self._saving(turn, turn.saver.feed(group))

    async def _saving(self, turn: LiveTurn, work: Awaitable[object]) -> None:
        try:
            await work
        except VitrailError as error:
            turn.fail(self._told(error))
        except Exception:  # noqa: BLE001 - a reply outlives its saver
            _log.exception("artifact could not be saved", run=turn.run.id)
            turn.fail(unexpected_error())

    # --- the end ----------------------------------------------------------

    async def _write_end(self, turn: LiveTurn) -> None:
        while chunks := await turn.inbox.take():
            self._hear(turn, turn.reply.feed(chunks))
        self._hear(turn, turn.reply.close(turn.reason or "failed"))
        await self._write(turn)
        await self._saving(turn, turn.saver.close())
        # while the run still goes on: what its agent left in the folder is its work
        await self._look_at_folder(turn.run.agent, turn.run.project_id)
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

    async def _look_at_folder(self, agent: str, project_id: str) -> None:
        """Keep what is in the folder, where this agent may write into it itself."""
        if self._outside is not None:
            await self._outside.notice_for(agent, project_id)

    def _saver(self, run: Run, cut: CutArtifact | None = None) -> ArtifactSink:
        source = Source.of_run(run, unfinished=cut.own_digest if cut else None)
        return ArtifactSaver(
            self._store, self._clock, self._ids, source, gates=self._gates
        )

    def _told(self, error: VitrailError) -> ErrorRaised:
        told = error_of(error)
        message = scrub(told.message, self._agents.secrets())
        return msgspec.structs.replace(told, message=message)


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
