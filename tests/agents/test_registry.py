"""The registry: who answers, what is missing, and where a key may go."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.agents.registries import KEY, Environment, files_with, registry
from vitrail.adapters.agents.command import CommandAgent
from vitrail.adapters.agents.fake_openai import FakeOpenAI, error_answer, stream_answer
from vitrail.adapters.agents.registry import AgentRegistry
from vitrail.adapters.agents.replay import ReplayAgent
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.errors import AgentError, InvalidInput, NotFound, SetupError
from vitrail.protocol.http import AgentInfo, AgentTest, ModelSettings, NewRun

# --- who answers --------------------------------------------------------


async def test_without_any_settings_nobody_answers_and_the_words_say_why(
    agents: AgentRegistry,
) -> None:
    with pytest.raises(AgentError, match="recorded examples") as refused:
        await agents.choose(NewRun(text="x"))
    assert refused.value.code == "agent-not-configured"


async def test_a_recording_is_played_only_where_it_is_asked_for(
    agents: AgentRegistry,
) -> None:
    chosen = await agents.choose(NewRun(text="x", recording="svg-mark"))
    assert isinstance(chosen.agent, ReplayAgent)
    with pytest.raises(NotFound) as missing:
        await agents.choose(NewRun(text="x", recording="../../secrets"))
    assert missing.value.code == "recording-not-found"


async def test_a_connected_model_answers_by_default(agents: AgentRegistry) -> None:
    await agents.update(ModelSettings(base_url="http://localhost:11434", model="m"))
    assert (await agents.view()).agent == "openai"
    chosen = await agents.choose(NewRun(text="x"))
    assert (chosen.agent.name, chosen.model) == ("openai", "m")
    other = await agents.choose(NewRun(text="x", model="n"))
    assert other.model == "n"


async def test_a_command_answers_where_it_is_chosen(agents: AgentRegistry) -> None:
    await agents.update(ModelSettings(agent="command", command=(sys.executable,)))
    assert isinstance((await agents.choose(NewRun(text="x"))).agent, CommandAgent)


async def test_an_unknown_agent_is_named(agents: AgentRegistry) -> None:
    with pytest.raises(NotFound, match="oracle") as missing:
        await agents.choose(NewRun(text="x", agent="oracle"))
    assert missing.value.code == "agent-not-found"


@pytest.mark.parametrize("name", ["openai", "command"])
async def test_what_is_not_set_up_says_what_is_missing(
    agents: AgentRegistry, name: str
) -> None:
    infos: dict[str, AgentInfo] = {info.name: info for info in await agents.infos()}
    assert infos["replay"].is_ready
    assert not infos[name].is_ready
    assert "model settings" in (infos[name].why_not or "")
    with pytest.raises(AgentError) as refused:
        await agents.choose(NewRun(text="x", agent=name))
    assert refused.value.message == infos[name].why_not


async def test_a_program_that_is_not_here_is_not_ready(agents: AgentRegistry) -> None:
    await agents.update(ModelSettings(command=("no-such-program-here", "-x")))
    infos = {info.name: info for info in await agents.infos()}
    assert "no-such-program-here" in (infos["command"].why_not or "")


# --- settings -----------------------------------------------------------


async def test_a_key_is_kept_out_of_the_database_and_shown_by_its_end(
    agents: AgentRegistry, store: EmbeddedStore, tmp_path: Path
) -> None:
    view = await agents.update(ModelSettings(api_key=f" {KEY}\n", model="m"))
    assert (view.key_hint, view.key_source) == ("ghij", "settings")
    assert KEY not in str(await store.settings())
    assert KEY in agents.secrets()
    found = files_with(KEY, tmp_path)
    assert found == ["secrets.json"]


async def test_an_empty_key_removes_it_and_it_is_still_scrubbed(
    agents: AgentRegistry,
) -> None:
    await agents.update(ModelSettings(api_key=KEY))
    assert KEY in agents.secrets()
    view = await agents.update(ModelSettings(api_key=""))
    assert (view.key_hint, view.key_source) == (None, "none")
    assert KEY in agents.secrets()


async def test_a_key_does_not_travel_to_another_address(
    agents: AgentRegistry,
) -> None:
    await agents.update(ModelSettings(base_url="https://one.example", api_key=KEY))
    view = await agents.update(ModelSettings(base_url="https://two.example"))
    assert view.key_source == "none"
    view = await agents.update(ModelSettings(base_url="https://one.example/other/v1"))
    assert view.key_source == "settings"


async def test_the_environment_counts_until_somebody_says_otherwise(
    store: EmbeddedStore, tmp_path: Path
) -> None:
    told = Environment("https://env.example/v1", KEY, "env-model")
    agents = registry(store, tmp_path, told)
    view = await agents.view()
    assert (view.agent, view.model, view.key_source) == (
        "openai",
        "env-model",
        "environment",
    )
    view = await agents.update(ModelSettings(base_url="https://elsewhere.example"))
    assert view.key_source == "none"
    view = await agents.update(ModelSettings(base_url="", model=""))
    assert (view.base_url, view.model) == ("https://env.example/v1", "env-model")


@pytest.mark.parametrize(
    "told", [Environment(base_url="not an address"), Environment(api_key="a b")]
)
async def test_an_environment_that_cannot_be_used_is_refused_at_the_start(
    store: EmbeddedStore, tmp_path: Path, told: Environment
) -> None:
    with pytest.raises(SetupError):
        registry(store, tmp_path, told)


@pytest.mark.parametrize(
    "settings",
    [
        ModelSettings(base_url="ftp://x"),
        ModelSettings(base_url="http://user:pw@x/v1"),
        ModelSettings(base_url="http://x/v1?key=1"),
        ModelSettings(base_url="http://x:99999/"),
        ModelSettings(base_url="http://"),
        ModelSettings(model="a\nb"),
        ModelSettings(model="x" * 201),
        ModelSettings(command=("", "x")),
        ModelSettings(command=("a\0b",)),
        ModelSettings(command=("x" * 9000,)),
        ModelSettings(model="good", api_key="two words"),
    ],
)
async def test_settings_that_cannot_be_used_change_nothing(
    agents: AgentRegistry, settings: ModelSettings
) -> None:
    before = await agents.view()
    with pytest.raises(InvalidInput):
        await agents.update(settings)
    assert await agents.view() == before


# --- trying -------------------------------------------------------------


async def test_a_model_that_answers_passes_and_nothing_is_saved(
    agents: AgentRegistry,
) -> None:
    async with FakeOpenAI(models=("fake-1", "b"), api_key=KEY) as server:
        result = await agents.test(
            AgentTest(
                agent="openai",
                base_url=server.base_url.removesuffix("/v1"),
                model="fake-1",
                api_key=KEY,
            )
        )
    assert result.ok
    assert result.models == ("b", "fake-1")
    assert (await agents.view()).model == ""


async def test_without_a_model_the_list_is_offered(agents: AgentRegistry) -> None:
    async with FakeOpenAI() as server:
        result = await agents.test(AgentTest(agent="openai", base_url=server.base_url))
    assert (result.ok, result.models) == (True, ("fake-1",))
    assert "Choose one" in result.message


async def test_a_wrong_key_fails_in_words_without_the_key(
    agents: AgentRegistry,
) -> None:
    async with FakeOpenAI(api_key="another-key-entirely") as server:
        result = await agents.test(
            AgentTest(
                agent="openai", base_url=server.base_url, model="fake-1", api_key=KEY
            )
        )
    assert (result.ok, result.code) == (False, "agent-key-refused")
    assert KEY not in result.message


async def test_a_saved_key_is_not_sent_to_an_address_that_is_only_tried(
    agents: AgentRegistry,
) -> None:
    await agents.update(ModelSettings(base_url="https://one.example", api_key=KEY))
    async with FakeOpenAI() as server:
        await agents.test(AgentTest(agent="openai", base_url=server.base_url))
        assert all("authorization" not in r.headers for r in server.requests)


async def test_a_model_that_is_not_there_fails_and_the_others_are_offered(
    agents: AgentRegistry,
) -> None:
    async with FakeOpenAI() as server:
        result = await agents.test(
            AgentTest(agent="openai", base_url=server.base_url, model="other")
        )
    assert (result.ok, result.code) == (False, "agent-refused")
    assert result.models == ("fake-1",)


async def test_an_empty_reply_is_no_success(agents: AgentRegistry) -> None:
    async with FakeOpenAI(stream_answer()) as server:
        result = await agents.test(
            AgentTest(agent="openai", base_url=server.base_url, model="fake-1")
        )
    assert (result.ok, result.code) == (False, "agent-protocol")


async def test_a_busy_server_is_told(agents: AgentRegistry) -> None:
    async with FakeOpenAI(error_answer(429, "Slow", Retry_After="1")) as server:
        result = await agents.test(
            AgentTest(agent="openai", base_url=server.base_url, model="fake-1")
        )
    assert result.code == "agent-rate-limited"


async def test_an_address_that_is_none_is_a_result_too(agents: AgentRegistry) -> None:
    result = await agents.test(AgentTest(agent="openai", base_url="nonsense"))
    assert (result.ok, result.code) == (False, "input-invalid")


async def test_a_program_is_tried_by_its_first_words(agents: AgentRegistry) -> None:
    result = await agents.test(
        AgentTest(agent="command", command=(sys.executable, "-c", "print('ready')"))
    )
    assert result.ok
    assert result.message.endswith("ready")
    result = await agents.test(AgentTest(agent="command", command=("no-such-here",)))
    assert (result.ok, result.code) == (False, "agent-not-configured")
