"""A registry of agents over a store of its own, for tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.adapters.agents.registry import AgentRegistry
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.secrets import KeyFile

KEY = "sk-0123456789abcdefghij"


@dataclass(frozen=True)
class Environment:
    base_url: str | None = None
    api_key: str | None = None
    model: str | None = None
    key_name: str | None = None
    agent: str | None = None
    anthropic: Environment | None = None


def registry(
    store: EmbeddedStore, tmp_path: Path, environment: Environment | None = None
) -> AgentRegistry:
    async def at_once(_: float) -> None:
        pass

    return AgentRegistry(
        store,
        shelf=RecordingShelf(),
        keys=KeyFile(tmp_path / "secrets.json"),
        clock=FixedClock(),
        environment=environment,
        sleep=at_once,
    )


def files_with(key: str, folder: Path) -> list[str]:
    """Return the names of all files that hold the key."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if key.encode() in path.read_bytes()]
