"""Agents, the settings of a model, and the recordings that can be played."""

from __future__ import annotations

from fastapi import APIRouter

from vitrail.protocol.http import (
    AgentInfo,
    AgentTest,
    AgentTestResult,
    Example,
    ModelSettings,
    ModelSettingsView,
)
from vitrail.server.routes.deps import RuntimeDep

__all__ = ["router"]

router = APIRouter(tags=["agents"])


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


@router.get("/examples")
async def list_examples(runtime: RuntimeDep) -> tuple[Example, ...]:
    """List the recordings, the shipped ones first."""
    return await runtime.recorder.examples()
