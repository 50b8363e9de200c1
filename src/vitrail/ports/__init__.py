"""Ports: what the workflow needs of the outside world, as protocols.

No module but the adapters knows what stands behind one of them. Everything
here is async because an adapter may be a network away; the embedded adapters
run their blocking work on threads of their own.
"""

from __future__ import annotations

from vitrail.ports.agents import (
    Agent,
    AgentChoice,
    AgentChunk,
    AgentEnd,
    AgentPrompt,
    AgentReasoning,
    Agents,
    AgentText,
    AgentUsage,
    PromptMessage,
)
from vitrail.ports.changes import (
    AppendEvent,
    Change,
    DeleteConversation,
    DeleteProject,
    EventPlace,
    PutConversation,
    PutMessage,
    PutProject,
    PutQuarantine,
    PutRevision,
    PutRun,
    ResolveQuarantine,
    StoredEvent,
    UpdateConversation,
    UpdateProject,
)
from vitrail.ports.files import (
    FileDelete,
    FileManifest,
    FileMove,
    FileStep,
    FileWrite,
    ObjectsDropped,
    ObjectsFound,
    RecordedFile,
    UnreferencedObject,
)
from vitrail.ports.store import (
    ImportSource,
    OpenedFile,
    RunClaims,
    Store,
)
from vitrail.ports.surroundings import (
    Clock,
    Ids,
)

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
    "AppendEvent",
    "Change",
    "Clock",
    "DeleteConversation",
    "DeleteProject",
    "EventPlace",
    "FileDelete",
    "FileManifest",
    "FileMove",
    "FileStep",
    "FileWrite",
    "Ids",
    "ImportSource",
    "ObjectsDropped",
    "ObjectsFound",
    "OpenedFile",
    "PromptMessage",
    "PutConversation",
    "PutMessage",
    "PutProject",
    "PutQuarantine",
    "PutRevision",
    "PutRun",
    "RecordedFile",
    "ResolveQuarantine",
    "RunClaims",
    "Store",
    "StoredEvent",
    "UnreferencedObject",
    "UpdateConversation",
    "UpdateProject",
]
