"""Agents, the settings of a model, and the recordings that can be played."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from vitrail.protocol.http import (
    AgentInfo,
    AgentTest,
    AgentTestResult,
    Example,
    LocalServers,
    ModelSettings,
    ModelSettingsView,
    ProviderDefault,
    ProviderModels,
    ProviderSettings,
    ProvidersView,
    ProviderTry,
    ProviderVerdict,
)
from vitrail.server.problems import declare
from vitrail.server.routes.deps import Id, RuntimeDep

__all__ = ["router"]

router = APIRouter(tags=["agents"])

_UNKNOWN: Final = declare("agent-not-found")


@router.get("/agents")
async def list_agents(runtime: RuntimeDep) -> tuple[AgentInfo, ...]:
    """List the agents; of one that is not ready, say what is missing."""
    return await runtime.agents.infos()


@router.post("/agents/test")
async def test_agent(runtime: RuntimeDep, body: AgentTest) -> AgentTestResult:
    """Try an agent with these settings, without saving them.

    A model that does not answer is a result with ``ok`` false, not an error.
    """
    return await runtime.agents.test(body)


@router.get("/settings/model")
async def get_model_settings(runtime: RuntimeDep) -> ModelSettingsView:
    """Return the settings; of a key, its last characters."""
    return await runtime.agents.view()


@router.put("/settings/model")
async def put_model_settings(
    runtime: RuntimeDep, body: ModelSettings
) -> ModelSettingsView:
    """Change what is given; what is left out stays as it is."""
    return await runtime.agents.update(body)


@router.get("/providers")
async def list_providers(runtime: RuntimeDep) -> ProvidersView:
    """List what a model can be reached through, and who answers by default.

    Nothing is asked over the network for it.
    """
    return await runtime.agents.providers()


@router.put("/providers")
async def put_default_provider(
    runtime: RuntimeDep, body: ProviderDefault
) -> ProvidersView:
    """Choose who answers a message that names nobody."""
    return await runtime.agents.update_default(body)


@router.post("/providers/detect")
async def detect_local_servers(runtime: RuntimeDep) -> LocalServers:
    """Look for Ollama and LM Studio on this machine, for 0.3 seconds at most."""
    return await runtime.agents.find_local_servers()


@router.put("/providers/{provider}", responses=_UNKNOWN)
async def put_provider(
    runtime: RuntimeDep, provider: Id, body: ProviderSettings
) -> ProvidersView:
    """Change what is given of one provider; what is left out stays as it is."""
    return await runtime.agents.update_provider(provider, body)


@router.delete("/providers/{provider}", responses=_UNKNOWN)
async def forget_provider(runtime: RuntimeDep, provider: Id) -> ProvidersView:
    """Forget address, model, command and key of one provider."""
    return await runtime.agents.forget_provider(provider)


@router.post("/providers/{provider}/models", responses=_UNKNOWN)
async def list_provider_models(
    runtime: RuntimeDep, provider: Id, body: ProviderTry
) -> ProviderModels:
    """Ask a provider for its models, with values that need not be saved.

    One that does not answer is a result with ``ok`` false, not an error.
    """
    return await runtime.agents.provider_models(provider, body)


@router.post("/providers/{provider}/test", responses=_UNKNOWN)
async def test_provider(
    runtime: RuntimeDep, provider: Id, body: ProviderTry
) -> ProviderVerdict:
    """Try a provider by one short call, with values that need not be saved.

    One that does not answer is a result with ``ok`` false, not an error.
    """
    return await runtime.agents.try_provider(provider, body)


@router.get("/examples")
async def list_examples(runtime: RuntimeDep) -> tuple[Example, ...]:
    """List the recordings, the shipped ones first."""
    return await runtime.recorder.examples()
