"""Turns with the agents that ship: unreachable, refused, cut off, stopped.

What is true of a model server is held for every wire format.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.agents.formats import CHAT_FORMAT, FORMATS, Format
from tests.support.turns import Desk, OneAgent, open_desk
from vitrail.adapters.agents.fake_openai import FakeOpenAI, stream_answer
from vitrail.adapters.agents.fake_server import (
    FakeAnswer,
    FakeRequest,
    FakeServer,
    Gate,
)
from vitrail.adapters.agents.registry import AgentRegistry
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.secrets import SECRETS_NAME, KeyFile
from vitrail.errors import AgentError
from vitrail.ports import AgentChoice
from vitrail.protocol.events import RunEnd, Text
from vitrail.protocol.http import ModelSettings, NewRun, ProviderSettings
from vitrail.protocol.records import ErrorPart, Run

KEY = "sk-0123456789abcdefghij"
PAGE = "\n<!doctype html>\n<html lang=en><p>A page that is long enough to be saved: 数据 🧪</p></html>\n"
OPEN = '<artifact identifier="page" type="text/html" title="Page">'


class Registered(OneAgent):
    """The desk's agents are the real registry's, on the desk's own store."""

    registry: AgentRegistry

    async def choose(self, request: NewRun) -> AgentChoice:
        return await self.registry.choose(request)

    def secrets(self) -> tuple[str, ...]:
        return self.registry.secrets()


@dataclass
class Connected:
    desk: Desk
    registry: AgentRegistry

    async def ask(self, text: str = "Make a page") -> Run:
        return await self.desk.ask(text)

    async def error(self) -> ErrorPart:
        part = (await self.desk.parts())[-1]
        assert isinstance(part, ErrorPart)
        return part


@pytest.fixture
async def connected(tmp_path: Path) -> AsyncIterator[Connected]:
    agents = Registered()

    async def at_once(_: float) -> None:
        pass

    async with open_desk(tmp_path / "data", agents) as desk:
        agents.registry = AgentRegistry(
            desk.store,
            shelf=agents.shelf,
            keys=KeyFile(desk.data / SECRETS_NAME),
            clock=FixedClock(),
            sleep=at_once,
        )
        yield Connected(desk, agents.registry)


PROVIDERS = {"chat": "openai", "responses": "openai-responses", "messages": "anthropic"}


@pytest.fixture(params=FORMATS, ids=lambda form: form.name)
def form(request: pytest.FixtureRequest) -> Format:
    found: Format = request.param
    return found


async def connect(it: Connected, server: FakeServer, form: Format) -> None:
    settings = ProviderSettings(
        base_url=server.base_url, model="fake-1", api_key=KEY, is_default=True
    )
    await it.registry.update_provider(PROVIDERS[form.name], settings)


def shown(request: FakeRequest) -> str:
    """Return the instructions that a request carries, in any format."""
    body = request.json()
    chat = body.get("messages", [{}])[0]
    instructions = chat["content"] if chat.get("role") == "system" else None
    return str(instructions or body.get("system") or body.get("instructions"))


async def test_a_model_s_page_is_saved_and_the_second_turn_changes_it(
    connected: Connected, form: Format
) -> None:
    first = f"Here:\n\n{OPEN}{PAGE}</artifact>"
    second = first.replace("A page", "Another page")
    body = form.stream(first, usage=(1, 2))  # one event for each character
    cut = tuple(body[i : i + 7] for i in range(0, len(body), 7))
    async with form.make(FakeAnswer(cut), form.answer(second), api_key=KEY) as server:
        await connect(connected, server, form)
        assert (await connected.ask()).state == "done"
        assert connected.desk.files() == {"page.html": PAGE.encode()}
        await connected.ask("Change it")
        system = shown(server.requests[-1])
    assert PAGE in system
    changed = PAGE.replace("A page", "Another page")
    assert connected.desk.files() == {"page.html": changed.encode()}


async def test_halves_of_a_character_in_two_events_reach_the_disk_whole(
    connected: Connected, form: Format
) -> None:
    pieces = [f"{OPEN}{PAGE[:-20]}", "\ud83e", "\uddea", "</p></html></artifact>"]
    answer = FakeAnswer((form.begins, *map(form.piece, pieces), form.ends("")))
    async with form.make(answer) as server:
        await connect(connected, server, form)
        await connected.ask()
    saved = connected.desk.files()["page.html"].decode()
    assert saved == f"{PAGE[:-20]}🧪</p></html>"


async def test_a_reply_that_the_length_limit_cut_says_so(
    connected: Connected, form: Format
) -> None:
    async with form.make(FakeAnswer((form.cut,))) as server:
        await connect(connected, server, form)
        run = await connected.ask()
    assert RunEnd("length") in await connected.desk.events(run.id)
    assert await connected.desk.text() == "cut"


async def test_an_unreachable_model_fails_the_run_in_words(
    connected: Connected, form: Format
) -> None:
    async with form.make() as server:
        await connect(connected, server, form)
    run = await connected.ask()  # the server is gone by now
    assert run.state == "failed"
    error = await connected.error()
    assert error.code == "agent-unreachable"
    assert "Nothing answers at" in error.message
    assert error.retryable


async def test_a_wrong_key_fails_the_run_in_words_and_is_on_no_disk(
    connected: Connected, form: Format
) -> None:
    async with form.make(api_key="another-key") as server:
        await connect(connected, server, form)
        run = await connected.ask(f"I use {KEY}")
    assert run.state == "failed"
    error = await connected.error()
    assert error.code == "agent-key-refused"
    assert KEY not in error.message
    files = [path for path in connected.desk.data.rglob("*") if path.is_file()]
    assert [p.name for p in files if KEY.encode() in p.read_bytes()] == [SECRETS_NAME]


async def test_a_connection_that_drops_keeps_what_came_as_a_draft(
    connected: Connected, form: Format
) -> None:
    half = form.begins + form.piece(f"{OPEN}{PAGE[:80]}")
    async with form.make(FakeAnswer((half, "drop"))) as server:
        await connect(connected, server, form)
        run = await connected.ask()
    assert run.state == "failed"
    assert (await connected.error()).code == "agent-interrupted"
    (artifact,) = await connected.desk.artifacts()
    assert (artifact.text, artifact.state) == (PAGE[:80], "cut")
    assert artifact.saved is not None
    assert artifact.saved.status == "error"


async def test_stop_hangs_up_and_every_reader_sees_one_order(
    connected: Connected, form: Format
) -> None:
    desk, gate = connected.desk, Gate()
    answer = FakeAnswer((form.begins + form.piece("Half a sentence"), gate))
    async with form.make(answer) as server:
        await connect(connected, server, form)
        started = await desk.start()
        await gate.reached.wait()
        changed = desk.store.changed()
        while Text("Half a sentence") not in await desk.events(started.run.id):
            await anext(changed)
        half = await desk.store.last_seq()
        run = await desk.turns.stop(started.run.id)
    assert run.state == "stopped"
    whole = await desk.store.events_after(0)
    resumed = await desk.store.events_after(half)
    assert resumed == tuple(item for item in whole if item.seq > half)
    assert [item.seq for item in whole] == sorted({item.seq for item in whole})
    assert whole[-1].event == RunEnd("stopped")


async def test_nothing_is_stored_where_no_agent_is_set_up(
    connected: Connected,
) -> None:
    with pytest.raises(AgentError) as refused:
        await connected.ask()
    assert refused.value.code == "agent-not-configured"
    assert await connected.desk.messages() == ()


async def test_a_program_answers_and_its_failure_is_told(connected: Connected) -> None:
    code = "import sys; print('Hi'); sys.exit(2 if '## user\\n\\nFail' in sys.stdin.read() else 0)"
    await connected.registry.update(
        ModelSettings(agent="command", command=(sys.executable, "-c", code))
    )
    assert (await connected.ask("Go")).state == "done"
    assert await connected.desk.text() == "Hi\n"
    assert (await connected.ask("Fail")).state == "failed"
    assert "status 2" in (await connected.error()).message


async def test_the_prompt_is_sent_as_it_is_recorded(connected: Connected) -> None:
    async with FakeOpenAI(stream_answer("Fine.")) as server:
        await connect(connected, server, CHAT_FORMAT)
        run = await connected.ask("Make a page")
        sent = json.loads(server.requests[-1].body)["messages"]
    stored = await connected.desk.store.run_prompt(run.id)
    assert sent == [{"role": m.role, "content": m.content} for m in stored]
