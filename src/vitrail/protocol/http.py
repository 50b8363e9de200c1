"""Bodies of the HTTP API and the envelope of the event stream."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import Field

from vitrail.limits import MAX_CONTINUATIONS
from vitrail.protocol.base import WireModel
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.losses import Lost
from vitrail.protocol.records import (
    Conversation,
    FileInfo,
    Message,
    Project,
    Revision,
    Run,
    Shown,
)

__all__ = [
    "AgentInfo",
    "AgentName",
    "AgentTest",
    "AgentTestResult",
    "ContinueRun",
    "ConversationPage",
    "ConversationPatch",
    "Envelope",
    "Example",
    "IngestResult",
    "LocalServer",
    "LocalServers",
    "ModelSettings",
    "ModelSettingsView",
    "NewConversation",
    "NewPreview",
    "NewProject",
    "NewRun",
    "PreviewInfo",
    "Problem",
    "ProjectPage",
    "ProjectPatch",
    "ProviderDefault",
    "ProviderModels",
    "ProviderName",
    "ProviderSettings",
    "ProviderTry",
    "ProviderVerdict",
    "ProviderView",
    "ProvidersView",
    "QuarantinedFile",
    "RefusedFile",
    "RunPage",
    "RunStarted",
    "SavedResult",
    "ServerStatus",
    "Verdict",
    "WriteResult",
]

ProviderName: TypeAlias = Literal[
    "openai", "openai-responses", "anthropic", "ollama", "lmstudio", "command"
]
"""What a model is reached through; its agent has the same name."""

AgentName: TypeAlias = Literal[
    "replay",
    "openai",
    "openai-responses",
    "anthropic",
    "ollama",
    "lmstudio",
    "command",
]
"""Who can answer: the recordings, or one of the providers."""


class Problem(WireModel):
    """RFC 9457 problem details, ``application/problem+json``."""

    type: str = "about:blank"
    title: str
    """Short name of the status."""
    status: int
    detail: str
    """What happened, what was kept, what to do."""
    code: str
    """Stable kebab-case code."""
    retryable: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    expected_digest: str | None = None
    """Of a stale write: the digest that it named; none: that there is no such file."""
    actual_digest: str | None = None
    """Of a stale write: the digest that the file has; none: there is no such file."""
    details: dict[str, Any] = Field(default_factory=dict)


class Envelope(WireModel):
    """One stored event as the event stream carries it; ``id:`` of the frame is ``seq``."""

    seq: int
    at: str
    project_id: str | None
    conversation_id: str | None
    run_id: str | None
    message_id: str | None
    event: dict[str, Any]
    """One of the protocol's events."""


class ServerStatus(WireModel):
    """What a client has to know first."""

    version: str
    preview_origin: str
    """Origin of the preview site, or this origin where that one is not reachable."""
    preview_mode: Literal["separate", "same-origin"]
    default_agent: str
    seq: int
    """Number of the last stored event."""
    folders: Literal["off", "watching", "polling"] = "off"
    """How other programs' changes are noticed: told by the system, or looked for."""
    folders_reason: str | None = None
    """Why they are looked for, in words."""


class NewProject(WireModel):
    """A project to make."""

    title: str = Field(min_length=1, max_length=200)


class ProjectPatch(WireModel):
    """What to change of a project."""

    title: str = Field(min_length=1, max_length=200)


class ProjectPage(WireModel):
    """A project with its conversations and files."""

    project: Project
    conversations: tuple[Conversation, ...]
    files: tuple[FileInfo, ...]


class NewConversation(WireModel):
    """A conversation to begin."""

    title: str = Field(default="", max_length=200)


class ConversationPatch(WireModel):
    """What to change of a conversation."""

    title: str = Field(min_length=1, max_length=200)


class ConversationPage(WireModel):
    """A conversation with its messages, true as of ``seq``.

    A client folds every later event of this conversation onto it.
    """

    conversation: Conversation
    messages: tuple[Message, ...]
    runs: tuple[Run, ...] = ()
    """The runs that wrote the messages, in their order."""
    active_run: Run | None
    seq: int


class NewRun(WireModel):
    """A message of the person, and who is to answer it."""

    text: str = Field(min_length=1)
    agent: str | None = None
    """Name of an agent; none: the default one."""
    model: str | None = None
    recording: str | None = None
    """For the replay agent: which recording."""
    speed: float = Field(default=1.0, gt=0, le=1000)
    """For the replay agent: how many times as fast as it was recorded."""
    open_path: str | None = None
    """The file the person has open; its text is shown to the model."""
    continues: int | None = Field(default=None, ge=0, le=MAX_CONTINUATIONS)
    """How often an artifact that the length limit cuts is continued without being
    asked; none: as the server is set."""


class ContinueRun(WireModel):
    """Who is to continue an artifact that was cut; what is left out is as it was."""

    agent: str | None = None
    model: str | None = None
    recording: str | None = None
    """For the replay agent: which recording."""
    speed: float = Field(default=1.0, gt=0, le=1000)
    continues: int = Field(default=0, ge=0, le=MAX_CONTINUATIONS)
    """How often it is continued again without being asked."""


class RunStarted(WireModel):
    """A run that has begun."""

    run: Run
    user_message_id: str | None
    """None of a run that continues an artifact: no message asked for it."""
    seq: int


class RunPage(WireModel):
    """A run and what the model was shown."""

    run: Run
    shown: tuple[Shown, ...]
    prompt: tuple[dict[str, str], ...]
    """``role`` and ``content`` of each message that was sent, keys scrubbed."""


class AgentInfo(WireModel):
    """An agent that can answer."""

    name: AgentName
    """``replay``, or the name of a provider."""
    title: str
    is_ready: bool
    why_not: str | None = None
    """What is missing, and how to mend it."""
    models: tuple[str, ...] = ()


class Example(WireModel):
    """A recording that ships, or that was saved."""

    name: str
    title: str
    description: str
    prompt: str
    follows: str | None
    duration_s: float
    is_shipped: bool


class ModelSettings(WireModel):
    """How to reach a model; what is left out stays as it is."""

    agent: AgentName | None = None
    """The default agent."""
    base_url: str | None = None
    model: str | None = None
    api_key: str | None = None
    """Never sent back; an empty string removes it."""
    command: tuple[str, ...] | None = None
    """Program and arguments."""


class ModelSettingsView(WireModel):
    """The settings as they may be shown."""

    agent: AgentName
    base_url: str
    model: str
    key_hint: str | None
    """The last four characters, or none where there is no key."""
    key_source: Literal["settings", "environment", "none"]
    command: tuple[str, ...]


class AgentTest(WireModel):
    """Settings to try without saving them; what is left out is taken from the saved ones."""

    agent: Literal["openai", "command"]
    base_url: str | None = None
    model: str | None = None
    api_key: str | None = None
    command: tuple[str, ...] | None = None


class AgentTestResult(WireModel):
    """What a try of an agent gave."""

    ok: bool
    code: str | None = None
    message: str
    models: tuple[str, ...] = ()


class ProviderView(WireModel):
    """One provider as it may be shown; nothing was asked over the network for it."""

    name: ProviderName
    title: str
    kind: Literal["server", "program"]
    base_url: str | None
    """Address in force; none for a program."""
    built_in_base_url: str | None
    """Address where nobody says another; none for a program."""
    base_url_source: Literal["settings", "environment", "built-in", "none"]
    model: str
    """Empty where none is chosen."""
    model_source: Literal["settings", "environment", "none"]
    wants_key: bool
    """Whether nothing comes without a key."""
    key_hint: str | None
    """The last four characters of the key in force, or none where there is no key."""
    key_source: Literal["settings", "environment", "none"]
    key_place: str | None
    """Where the key is: the data folder's secrets file, or the name of the variable."""
    key_origin: str | None
    """Origin of a kept key that is not sent, since the address is another one now."""
    command: tuple[str, ...]
    """Program and arguments; empty for a server."""
    is_ready: bool
    why_not: str | None = None
    """What is missing, and how to mend it."""


class ProvidersView(WireModel):
    """All providers, and who answers a message that names nobody."""

    default: AgentName
    default_is_chosen: bool
    """False where nobody chose: it follows from what is set up."""
    providers: tuple[ProviderView, ...]


class ProviderDefault(WireModel):
    """Who is to answer a message that names nobody."""

    default: AgentName | None
    """None: whoever is set up."""


class ProviderSettings(WireModel):
    """What to change of a provider; what is left out stays as it is."""

    base_url: str | None = None
    """An empty string sets it back."""
    model: str | None = None
    """An empty string sets it back."""
    api_key: str | None = None
    """Kept for the address that it is saved with, never sent back; an empty string forgets it."""
    command: tuple[str, ...] | None = None
    """Program and arguments; none of them removes it."""
    is_default: bool | None = None
    """True: it answers from now on where nobody is named."""


class ProviderTry(WireModel):
    """Values to try without saving them; what is left out is taken from the saved ones."""

    base_url: str | None = None
    model: str | None = None
    api_key: str | None = None
    command: tuple[str, ...] | None = None


class ProviderModels(WireModel):
    """The models that a provider lists."""

    ok: bool
    code: str | None = None
    message: str
    models: tuple[str, ...] = ()


class ProviderVerdict(WireModel):
    """What one short call of a provider came to."""

    ok: bool
    verdict: Literal[
        "works",
        "unreachable",
        "key-refused",
        "no-such-model",
        "busy",
        "not-set-up",
        "failed",
    ]
    code: str | None = None
    message: str
    models: tuple[str, ...] = ()
    """The models that it lists, if it lists any."""
    took_ms: int | None = None
    """Milliseconds to the first word, where it works."""


class LocalServer(WireModel):
    """Whether a model server answers at its usual place on this machine."""

    name: Literal["ollama", "lmstudio"]
    title: str
    base_url: str
    is_found: bool
    models: tuple[str, ...] = ()
    message: str


class LocalServers(WireModel):
    """The model servers that were looked for on this machine."""

    servers: tuple[LocalServer, ...]


class NewPreview(WireModel):
    """A file to look at."""

    path: str


class PreviewInfo(WireModel):
    """Where to see a file, for as long as somebody keeps it alive."""

    url: str
    """Address for the frame."""
    own_host_url: str | None
    """The same document under a host name of its own, to be tried first.

    A browser that reaches it gives the preview a process of its own.
    """
    fallback_url: str
    """The same document from the app's own origin, where ``url`` cannot be reached."""
    capability: str
    generation: str
    """Names this one preview document; the frame's first message carries it."""
    path: str
    digest: str
    mode: Literal["document", "source"]
    """``source``: this kind has no renderer yet; its text is shown."""
    kind: str | None
    expires_in_s: float


class WriteResult(WireModel):
    """What a write became."""

    revision: Revision
    """Of the file, or of the draft that was kept beside it."""
    file: FileInfo
    """As it is now: of a quarantined write, the good file that stays."""
    verdict: Literal["accepted", "fixed", "quarantined"] = "accepted"
    diagnostics: tuple[Diagnostic, ...] = ()
    lost: tuple[Lost, ...] = ()
    """What the file had and the new text has not."""
    draft: str | None = None
    """Path of the draft that a quarantined write is kept as."""
    quarantine: str | None = None
    """Id to accept or drop that draft by."""


class Verdict(WireModel):
    """The rules' answer about one value; ``vitrail check`` prints it."""

    ok: bool
    diagnostics: tuple[Diagnostic, ...]


class SavedResult(WireModel):
    """One file that an ingest saved."""

    path: str
    identifier: str
    kind: str
    digest: str
    revision: str


class RefusedFile(WireModel):
    """One artifact that an ingest did not save."""

    identifier: str
    diagnostics: tuple[Diagnostic, ...]


class QuarantinedFile(WireModel):
    """One artifact that an ingest kept beside the good file."""

    identifier: str
    diagnostics: tuple[Diagnostic, ...]
    path: str
    """The good file, which was not touched."""
    draft: str
    """The draft's own path."""
    revision: str
    """Of the draft."""
    reason: str
    """`QuarantineReason`."""
    lost: tuple[Lost, ...] = ()
    """What the good file has and the draft has not."""
    quarantine: str | None = None
    """Id to accept or drop the draft by."""


class IngestResult(WireModel):
    """What a stream became; ``vitrail ingest --json`` prints it."""

    text: str
    """The reply without its artifacts."""
    saved: tuple[SavedResult, ...]
    fixed: tuple[RefusedFile, ...] = ()
    """Artifacts that were saved with fixes, and the fixes."""
    quarantined: tuple[QuarantinedFile, ...] = ()
    refused: tuple[RefusedFile, ...] = ()
