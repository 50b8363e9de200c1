"""Providers: several side by side, each with its own address, model and key."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Literal

import pytest

from tests.agents.registries import KEY, Environment, files_with, registry
from vitrail.adapters.agents.fake_anthropic import FakeAnthropic, refused_answer
from vitrail.adapters.agents.fake_openai import FakeOpenAI, FakeResponses
from vitrail.adapters.agents.fake_server import FakeAnswer, FakeServer, Gate
from vitrail.adapters.agents.model_agent import ModelAgent
from vitrail.adapters.agents.registry import AgentRegistry
from vitrail.adapters.agents.trials import find_local_servers
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.errors import AgentError, InvalidInput, NotFound, SetupError
from vitrail.protocol.http import (
    ModelSettings,
    NewRun,
    ProviderDefault,
    ProviderSettings,
    ProvidersView,
    ProviderTry,
    ProviderView,
)

OTHER_KEY = "sk-ant-9876543210zyxw"


def of(view: ProvidersView, name: str) -> ProviderView:
    return next(one for one in view.providers if one.name == name)


# --- what is set up -----------------------------------------------------------


async def test_nothing_is_set_up_at_first_and_each_says_what_it_lacks(
    agents: AgentRegistry,
) -> None:
    view = await agents.providers()
    assert [one.name for one in view.providers] == [
        "openai",
        "openai-responses",
        "anthropic",
        "ollama",
        "lmstudio",
        "command",
    ]
    assert (view.default, view.default_is_chosen) == ("replay", False)
    assert not any(one.is_ready for one in view.providers)
    assert all("model settings" in (one.why_not or "") for one in view.providers)
    assert of(view, "ollama").base_url == "http://127.0.0.1:11434/v1"
    assert of(view, "command").base_url is None


async def test_several_are_set_up_side_by_side_each_with_its_own_key(
    agents: AgentRegistry,
) -> None:
    await agents.update_provider("openai", ProviderSettings(model="g", api_key=KEY))
    await agents.update_provider("ollama", ProviderSettings(model="q"))
    view = await agents.update_provider(
        "anthropic", ProviderSettings(model="c", api_key=OTHER_KEY)
    )
    ready = [one.name for one in view.providers if one.is_ready]
    assert ready == ["openai", "anthropic", "ollama"]
    assert of(view, "openai").key_hint == "ghij"
    assert of(view, "anthropic").key_hint == "zyxw"
    assert of(view, "anthropic").key_place == "secrets.json"
    assert of(view, "openai-responses").key_hint is None
    for name, model in (("openai", "g"), ("anthropic", "c"), ("ollama", "q")):
        chosen = await agents.choose(NewRun(text="x", agent=name))
        assert isinstance(chosen.agent, ModelAgent)
        assert (chosen.agent.name, chosen.model) == (name, model)


async def test_the_default_follows_what_is_set_up_until_somebody_chooses(
    agents: AgentRegistry,
) -> None:
    view = await agents.update_provider("ollama", ProviderSettings(model="q"))
    assert (view.default, view.default_is_chosen) == ("ollama", False)
    view = await agents.update_provider(
        "anthropic", ProviderSettings(model="c", api_key=KEY)
    )
    assert view.default == "anthropic"
    view = await agents.update_default(ProviderDefault(default="ollama"))
    assert (view.default, view.default_is_chosen) == ("ollama", True)
    assert (await agents.choose(NewRun(text="x"))).agent.name == "ollama"
    assert (await agents.view()).agent == "ollama"
    view = await agents.update_default(ProviderDefault(default=None))
    assert (view.default, view.default_is_chosen) == ("anthropic", False)


async def test_a_provider_is_saved_and_made_the_default_at_once(
    agents: AgentRegistry,
) -> None:
    view = await agents.update_provider(
        "lmstudio", ProviderSettings(model="m", is_default=True)
    )
    assert (view.default, view.default_is_chosen) == ("lmstudio", True)
    view = await agents.update_provider("ollama", ProviderSettings(is_default=False))
    assert view.default_is_chosen
    view = await agents.update_provider("lmstudio", ProviderSettings(is_default=False))
    assert not view.default_is_chosen


async def test_what_is_left_out_stays_and_an_empty_text_sets_it_back(
    agents: AgentRegistry,
) -> None:
    await agents.update_provider(
        "anthropic",
        ProviderSettings(base_url="https://gateway.example/ant", model="c"),
    )
    view = await agents.update_provider("anthropic", ProviderSettings(model="d"))
    one = of(view, "anthropic")
    assert (one.base_url, one.model) == ("https://gateway.example/ant/v1", "d")
    assert (one.base_url_source, one.wants_key) == ("settings", False)
    view = await agents.update_provider(
        "anthropic", ProviderSettings(base_url="", model="")
    )
    one = of(view, "anthropic")
    assert (one.base_url, one.model) == ("https://api.anthropic.com/v1", "")
    assert (one.base_url_source, one.wants_key) == ("built-in", True)


async def test_a_provider_is_forgotten_with_its_key_which_is_still_scrubbed(
    agents: AgentRegistry, tmp_path: Path
) -> None:
    await agents.update_provider(
        "anthropic", ProviderSettings(model="c", api_key=KEY, is_default=True)
    )
    view = await agents.forget_provider("anthropic")
    one = of(view, "anthropic")
    assert (one.model, one.key_hint, one.is_ready) == ("", None, False)
    assert not view.default_is_chosen
    assert KEY not in (tmp_path / "secrets.json").read_text()
    assert KEY in agents.secrets()
    await agents.update_provider("command", ProviderSettings(command=("true",)))
    view = await agents.forget_provider("command")
    assert of(view, "command").command == ()


async def test_a_program_is_a_provider_too(agents: AgentRegistry) -> None:
    view = await agents.update_provider(
        "command", ProviderSettings(command=(sys.executable, "-V"), is_default=True)
    )
    one = of(view, "command")
    assert (one.kind, one.is_ready, one.command) == (
        "program",
        True,
        (sys.executable, "-V"),
    )


# --- keys -----------------------------------------------------------------------


async def test_a_key_does_not_travel_and_the_page_can_say_where_it_is_from(
    agents: AgentRegistry,
) -> None:
    await agents.update_provider(
        "anthropic", ProviderSettings(base_url="https://one.example", api_key=KEY)
    )
    view = await agents.update_provider(
        "anthropic", ProviderSettings(base_url="https://two.example")
    )
    one = of(view, "anthropic")
    assert (one.key_source, one.key_hint) == ("none", None)
    assert one.key_origin == "https://one.example:443"
    view = await agents.update_provider(
        "anthropic", ProviderSettings(base_url="https://one.example/other")
    )
    one = of(view, "anthropic")
    assert (one.key_source, one.key_origin) == ("settings", None)


async def test_a_saved_key_is_not_sent_to_an_address_that_is_only_tried(
    agents: AgentRegistry,
) -> None:
    await agents.update_provider(
        "anthropic", ProviderSettings(base_url="https://one.example", api_key=KEY)
    )
    async with FakeAnthropic() as server:
        tried = ProviderTry(base_url=server.base_url, model="fake-1")
        assert (await agents.try_provider("anthropic", tried)).ok
        await agents.provider_models("anthropic", tried)
        assert all("x-api-key" not in request.headers for request in server.requests)


async def test_a_key_of_one_provider_is_not_another_s(agents: AgentRegistry) -> None:
    async with FakeResponses() as server:
        place = ProviderSettings(base_url=server.base_url, model="fake-1")
        await agents.update_provider(
            "openai", place.model_copy(update={"api_key": KEY})
        )
        await agents.update_provider("openai-responses", place)
        assert (await agents.try_provider("openai-responses", ProviderTry())).ok
        assert all("authorization" not in r.headers for r in server.requests)


async def test_no_answer_holds_a_key(agents: AgentRegistry, tmp_path: Path) -> None:
    async with FakeAnthropic(api_key="another-key-entirely") as server:
        settings = ProviderSettings(
            base_url=server.base_url, model="fake-1", api_key=KEY
        )
        told = [
            await agents.update_provider("anthropic", settings),
            await agents.try_provider("anthropic", ProviderTry()),
            await agents.try_provider("anthropic", ProviderTry(api_key=OTHER_KEY)),
            await agents.provider_models("anthropic", ProviderTry(api_key=OTHER_KEY)),
            await agents.providers(),
            await agents.view(),
        ]
    for answer in told:
        assert KEY not in answer.model_dump_json()
        assert OTHER_KEY not in answer.model_dump_json()
    assert files_with(KEY, tmp_path) == ["secrets.json"]
    assert files_with(OTHER_KEY, tmp_path) == []


# --- the environment ------------------------------------------------------------


async def test_the_environment_sets_up_both_services_and_names_its_variables(
    store: EmbeddedStore, tmp_path: Path
) -> None:
    told = Environment(
        api_key=KEY,
        model="g",
        key_name="OPENAI_API_KEY",
        agent="anthropic",
        anthropic=Environment(
            api_key=OTHER_KEY, model="c", key_name="ANTHROPIC_API_KEY"
        ),
    )
    agents = registry(store, tmp_path, told)
    view = await agents.providers()
    assert (view.default, view.default_is_chosen) == ("anthropic", True)
    openai, anthropic = of(view, "openai"), of(view, "anthropic")
    assert (openai.model_source, openai.key_place) == ("environment", "OPENAI_API_KEY")
    assert (anthropic.model, anthropic.key_place) == ("c", "ANTHROPIC_API_KEY")
    assert {KEY, OTHER_KEY} <= set(agents.secrets())
    # Its key serves OpenAI's other format at the same place, its model is not said of it.
    responses = of(view, "openai-responses")
    assert (responses.key_source, responses.model) == ("environment", "")


async def test_a_key_of_the_environment_does_not_go_elsewhere(
    store: EmbeddedStore, tmp_path: Path
) -> None:
    told = Environment(
        base_url="http://localhost:8000",
        api_key=KEY,
        anthropic=Environment(api_key=OTHER_KEY),
    )
    view = await registry(store, tmp_path, told).providers()
    assert of(view, "openai").key_source == "environment"
    assert of(view, "openai-responses").key_source == "none"
    assert of(view, "ollama").key_source == "none"
    agents = registry(store, tmp_path, told)
    view = await agents.update_provider(
        "anthropic", ProviderSettings(base_url="https://elsewhere.example")
    )
    assert of(view, "anthropic").key_source == "none"


@pytest.mark.parametrize(
    "told",
    [
        Environment(agent="oracle"),
        Environment(anthropic=Environment(base_url="nonsense")),
        Environment(anthropic=Environment(api_key="two words")),
    ],
)
async def test_an_environment_that_cannot_be_used_is_refused_at_the_start(
    store: EmbeddedStore, tmp_path: Path, told: Environment
) -> None:
    with pytest.raises(SetupError):
        registry(store, tmp_path, told)


# --- bad input --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("anthropic", ProviderSettings(base_url="ftp://x")),
        ("ollama", ProviderSettings(base_url="http://user:pw@x/v1")),
        ("lmstudio", ProviderSettings(base_url="http://x/v1?key=1")),
        ("openai-responses", ProviderSettings(model="a\nb")),
        ("openai", ProviderSettings(model="x" * 201)),
        ("openai", ProviderSettings(model="good", api_key="two words")),
        ("openai", ProviderSettings(model="good", command=("x",))),
        ("command", ProviderSettings(model="good")),
        ("command", ProviderSettings(base_url="http://x")),
        ("command", ProviderSettings(api_key=KEY)),
        ("command", ProviderSettings(command=("", "x"), is_default=True)),
        ("command", ProviderSettings(command=("a\0b",))),
    ],
)
async def test_settings_that_cannot_be_used_change_nothing(
    agents: AgentRegistry, name: str, settings: ProviderSettings
) -> None:
    before = await agents.providers()
    with pytest.raises(InvalidInput):
        await agents.update_provider(name, settings)
    assert await agents.providers() == before
    tried = ProviderTry.model_validate(settings.model_dump(exclude={"is_default"}))
    assert (await agents.try_provider(name, tried)).code == "input-invalid"
    assert (await agents.provider_models(name, tried)).code == "input-invalid"


async def test_an_unknown_provider_is_named(agents: AgentRegistry) -> None:
    for work in (
        agents.update_provider("oracle", ProviderSettings()),
        agents.forget_provider("replay"),
        agents.try_provider("", ProviderTry()),
        agents.provider_models("../openai", ProviderTry()),
    ):
        with pytest.raises(NotFound) as missing:
            await work
        assert missing.value.code == "agent-not-found"


async def test_a_choice_that_is_no_agent_any_more_is_as_if_nobody_had_chosen(
    agents: AgentRegistry, store: EmbeddedStore
) -> None:
    await store.put_settings({"agent": "oracle"})
    assert (await agents.providers()).default == "replay"


async def test_the_first_dialog_s_settings_are_the_first_provider_s(
    agents: AgentRegistry,
) -> None:
    await agents.update(
        ModelSettings(base_url="http://localhost:8000", model="m", api_key=KEY)
    )
    one = of(await agents.providers(), "openai")
    assert (one.base_url, one.model) == ("http://localhost:8000/v1", "m")
    assert one.key_source == "settings"


# --- trying -------------------------------------------------------------------------

MADE: list[tuple[str, type[FakeServer]]] = [
    ("openai", FakeOpenAI),
    ("openai-responses", FakeResponses),
    ("anthropic", FakeAnthropic),
    ("lmstudio", FakeOpenAI),
    ("ollama", FakeOpenAI),
]


@pytest.mark.parametrize(("name", "fake"), MADE)
async def test_a_provider_that_answers_works_in_so_many_milliseconds(
    agents: AgentRegistry, name: str, fake: type[FakeServer]
) -> None:
    async with fake(models=("fake-1", "b"), api_key=KEY) as server:
        verdict = await agents.try_provider(
            name, ProviderTry(base_url=server.base_url, model="fake-1", api_key=KEY)
        )
    assert (verdict.ok, verdict.verdict, verdict.code) == (True, "works", None)
    assert verdict.took_ms is not None
    assert verdict.took_ms >= 0
    assert verdict.models == ("b", "fake-1")
    assert of(await agents.providers(), name).model == ""


@pytest.mark.parametrize(("name", "fake"), MADE)
async def test_every_failure_has_its_verdict(
    agents: AgentRegistry, name: str, fake: type[FakeServer]
) -> None:
    async with fake(api_key="another-key-entirely") as server:
        place = ProviderTry(base_url=server.base_url, model="fake-1", api_key=KEY)
        refused = await agents.try_provider(name, place)
    assert (refused.verdict, refused.code) == ("key-refused", "agent-key-refused")
    gone = await agents.try_provider(name, place)  # the server is gone by now
    assert (gone.verdict, gone.code) == ("unreachable", "agent-unreachable")
    async with fake(refused_answer(529, "Overloaded", Retry_After="1")) as server:
        place = ProviderTry(base_url=server.base_url, model="fake-1")
        busy = await agents.try_provider(name, place)
        other = ProviderTry(base_url=server.base_url, model="other")
        lacking = await agents.try_provider(name, other)
        unchosen = await agents.try_provider(
            name, ProviderTry(base_url=server.base_url)
        )
    assert (busy.verdict, busy.code) == ("busy", "agent-rate-limited")
    assert (lacking.verdict, lacking.models) == ("no-such-model", ("fake-1",))
    assert "'other'" in lacking.message
    assert (unchosen.verdict, unchosen.models) == ("not-set-up", ("fake-1",))
    for verdict in (refused, gone, busy, lacking, unchosen):
        assert not verdict.ok
        assert verdict.took_ms is None


@pytest.mark.parametrize("name", ["openai", "openai-responses", "anthropic"])
async def test_a_hosted_service_is_not_asked_without_a_key(
    agents: AgentRegistry, name: str
) -> None:
    verdict = await agents.try_provider(name, ProviderTry(model="m"))
    assert (verdict.verdict, verdict.code) == ("not-set-up", "agent-not-configured")
    listed = await agents.provider_models(name, ProviderTry())
    assert (listed.ok, listed.code) == (False, "agent-not-configured")
    assert "no key" in listed.message


class KeepsItsList(FakeAnthropic):
    """A server whose key may ask a model, and not list them."""

    def listed(self) -> FakeAnswer:
        return refused_answer(403, "no permission to list models")


async def test_a_key_that_may_not_list_models_may_still_ask_one(
    agents: AgentRegistry,
) -> None:
    async with KeepsItsList() as server:
        place = ProviderTry(base_url=server.base_url, model="fake-1")
        verdict = await agents.try_provider("anthropic", place)
        listed = await agents.provider_models("anthropic", place)
    assert (verdict.verdict, verdict.models) == ("works", ())
    assert (listed.ok, listed.code) == (False, "agent-key-refused")


async def test_a_program_is_tried_by_its_first_words(agents: AgentRegistry) -> None:
    command = (sys.executable, "-c", "print('ready')")
    verdict = await agents.try_provider("command", ProviderTry(command=command))
    assert verdict.verdict == "works"
    assert verdict.message.endswith("ready")
    verdict = await agents.try_provider(
        "command", ProviderTry(command=("no-such-program-here",))
    )
    assert (verdict.verdict, verdict.code) == ("not-set-up", "agent-not-configured")
    assert (await agents.provider_models("command", ProviderTry())).models == ()


async def test_nothing_answers_of_what_is_not_set_up(agents: AgentRegistry) -> None:
    with pytest.raises(AgentError) as refused:
        await agents.choose(NewRun(text="x", agent="anthropic"))
    assert refused.value.code == "agent-not-configured"
    await agents.update_provider("anthropic", ProviderSettings(model="c"))
    with pytest.raises(AgentError, match="no key"):
        await agents.choose(NewRun(text="x", agent="anthropic"))


# --- this machine ---------------------------------------------------------------------


class FakeOllama(FakeOpenAI):
    """A server that lists its models at Ollama's own place too."""

    def answer(self, request: object) -> FakeAnswer:
        path = getattr(request, "path", "")
        if path != "/api/tags":
            return super().answer(request)  # type: ignore[arg-type]  # as it came
        body = b'{"models":[{"name":"qwen3:8b","model":"qwen3:8b"}]}'
        return FakeAnswer((body,), headers=(("Content-Type", "application/json"),))


async def test_the_servers_of_this_machine_are_found_with_their_models() -> None:
    async with FakeOllama() as ollama, FakeOpenAI(models=("b", "a")) as studio:
        found = await find_local_servers(
            FixedClock(),
            {"ollama": ollama.base_url, "lmstudio": studio.base_url},
            within_s=10,
        )
        asked = [request.path for request in ollama.requests + studio.requests]
    first, second = found.servers
    assert (first.name, first.is_found, first.models) == ("ollama", True, ("qwen3:8b",))
    assert first.message == "Ollama answers with 1 model."
    assert (second.name, second.models) == ("lmstudio", ("a", "b"))
    assert asked == ["/api/tags", "/v1/models"]


async def test_who_is_not_there_or_is_another_is_not_found() -> None:
    async with FakeOpenAI() as gone:
        pass
    async with FakeOpenAI() as other:  # has no /api/tags
        found = await find_local_servers(
            FixedClock(),
            {"ollama": other.base_url, "lmstudio": gone.base_url},
            within_s=10,
        )
    first, second = found.servers
    assert (first.is_found, first.models) == (False, ())
    assert "not as Ollama does" in first.message
    assert not second.is_found
    assert second.message.startswith("Nothing answers at 127.0.0.1:")


class Waiting(FakeOpenAI):
    """A server that waits in the middle of its list."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = Gate()

    def answer(self, request: object) -> FakeAnswer:
        del request
        kind = (("Content-Type", "application/json"),)
        return FakeAnswer((b'{"models":[', self.gate, b"]}"), headers=kind)


async def test_both_are_asked_at_once() -> None:
    async with Waiting() as one, Waiting() as two:
        places: dict[Literal["ollama", "lmstudio"], str] = {
            "ollama": one.base_url,
            "lmstudio": two.base_url,
        }
        looking = asyncio.create_task(
            find_local_servers(FixedClock(), places, within_s=10)
        )
        await one.gate.reached.wait()
        await two.gate.reached.wait()
        one.gate.opened.set()
        two.gate.opened.set()
        found = await looking
    assert all(server.is_found for server in found.servers)
    assert "no model yet" in found.servers[0].message


async def test_who_says_nothing_is_not_waited_for() -> None:
    async with Waiting() as one, asyncio.timeout(10):
        found = await find_local_servers(FixedClock(), {"ollama": one.base_url})
    assert not found.servers[0].is_found


async def test_only_this_machine_is_looked_at(agents: AgentRegistry) -> None:
    found = await agents.find_local_servers()
    assert [server.base_url for server in found.servers] == [
        "http://127.0.0.1:11434/v1",
        "http://127.0.0.1:1234/v1",
    ]
