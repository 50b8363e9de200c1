"""What the routes need of the rest, as protocols; the runtime hands them over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, Protocol

from vitrail.protocol.diagnostics import Span
from vitrail.protocol.history import (
    FileBlame,
    FileDiff,
    MoveResult,
    ProjectHistory,
    RevisionPage,
)
from vitrail.protocol.http import (
    AgentInfo,
    AgentTest,
    AgentTestResult,
    ContinueRun,
    Example,
    LocalServers,
    ModelSettings,
    ModelSettingsView,
    NewRun,
    ProviderDefault,
    ProviderModels,
    ProviderSettings,
    ProvidersView,
    ProviderTry,
    ProviderVerdict,
    RunStarted,
    WriteResult,
)
from vitrail.protocol.imports import ImportResult
from vitrail.protocol.records import (
    Conversation,
    FormAnswersPart,
    Project,
    QuarantineRecord,
    Revision,
    Run,
)
from vitrail.protocol.transcript import ImportedTranscript
from vitrail.workflow.bundles import PackedBundle
from vitrail.workflow.exports import OutgoingFile
from vitrail.workflow.transcripts import TranscriptChoice, TranscriptText

__all__ = [
    "AgentDesk",
    "DraftDesk",
    "ExchangeDesk",
    "FileDesk",
    "HistoryDesk",
    "MoveDesk",
    "ProjectDesk",
    "Recorder",
    "TranscriptDesk",
    "TurnService",
]


class ProjectDesk(Protocol):
    """Projects and conversations: made, renamed, deleted."""

    async def create(self, title: str) -> Project:
        """Make a project with a folder named after its title."""
        ...

    async def rename(self, project_id: str, title: str) -> Project:
        """Give a project another title."""
        ...

    async def delete(self, project_id: str) -> None:
        """Forget a project; its folder is kept."""
        ...

    async def begin_conversation(self, project_id: str, title: str) -> Conversation:
        """Begin a conversation about a project."""
        ...

    async def rename_conversation(
        self, conversation_id: str, title: str
    ) -> Conversation:
        """Give a conversation another title; a blank one changes nothing."""
        ...

    async def delete_conversation(self, conversation_id: str) -> None:
        """Forget a conversation; the files it made stay."""
        ...


class FileDesk(Protocol):
    """Files written and removed by a person."""

    async def write(
        self,
        project_id: str,
        path: str,
        content: bytes,
        *,
        parent_digest: str | None,
        replace_reason: str | None = None,
    ) -> WriteResult:
        """Write a file over what has that digest; None: there must be no such file.

        Raises ``Conflict('revision-conflict')`` where the file is another one
        by now, ``Conflict('file-exists')`` where there is one, and
        ``InvalidInput`` with the gates' code for what is refused.
        """
        ...

    async def delete(
        self,
        project_id: str,
        path: str,
        *,
        digest: str | None,
        with_parts: bool = False,
    ) -> object:
        """Remove the file of that digest and its manifest, with its own parts if asked for.

        The revisions of each stay.
        """
        ...


class HistoryDesk(Protocol):
    """Revisions of files: listed, compared, brought back."""

    async def project(self, project_id: str) -> ProjectHistory:
        """Return every path that has revisions."""
        ...

    async def log(
        self,
        project_id: str,
        path: str,
        *,
        before: int | None = None,
        limit: int = 100,
    ) -> RevisionPage:
        """Return revisions of a path, the newest first."""
        ...

    async def revision(self, project_id: str, revision_id: str) -> Revision:
        """Return a revision; raise ``NotFound('revision-not-found')``."""
        ...

    async def content(
        self, project_id: str, revision_id: str
    ) -> tuple[bytes, Revision]:
        """Return a revision's bytes."""
        ...

    async def diff(
        self,
        project_id: str,
        path: str,
        *,
        old: str | None = None,
        new: str = "working",
        context: int = 3,
    ) -> FileDiff:
        """Return what tells two texts of a file apart."""
        ...

    async def blame(self, project_id: str, path: str) -> FileBlame:
        """Return who wrote each range of a file."""
        ...

    async def restore(
        self,
        project_id: str,
        path: str,
        revision_id: str,
        *,
        parent_digest: str | None,
        passages: Sequence[Span] | None = None,
    ) -> WriteResult:
        """Bring a revision's bytes back, or only passages of it, as a new revision."""
        ...


class DraftDesk(Protocol):
    """Drafts that wait beside a good file."""

    async def drafts(self, project_id: str) -> tuple[QuarantineRecord, ...]:
        """Return what waits, the newest first."""
        ...

    async def accept(
        self,
        project_id: str,
        quarantine_id: str,
        *,
        parent_digest: str | None,
        content: str | None = None,
    ) -> WriteResult:
        """Put a draft onto its good file, or the person's resolution of it."""
        ...

    async def drop(self, project_id: str, quarantine_id: str) -> object:
        """Let a draft go; raise ``NotFound('quarantine-not-found')``."""
        ...


class MoveDesk(Protocol):
    """Files that get another name."""

    async def move(
        self,
        project_id: str,
        source: str,
        target: str,
        *,
        digest: str | None,
        with_parts: bool = False,
    ) -> MoveResult:
        """Rename a file, with its own parts if asked for; what points to it follows."""
        ...


class TranscriptDesk(Protocol):
    """Conversations told as a file, and read from one."""

    async def tell(
        self, project_id: str, conversation_id: str | None, choice: TranscriptChoice
    ) -> TranscriptText:
        """Return the transcript of a project, or of one of its conversations."""
        ...

    async def read(self, project_id: str, source: BinaryIO) -> ImportedTranscript:
        """Take the conversations of a transcript into a project: all of them or none."""
        ...

    def spool(self) -> BinaryIO:
        """Return a file without a name, for a transcript that is on its way in."""
        ...


class ExchangeDesk(Protocol):
    """Archives and bundles that come in and go out."""

    async def bring_in(
        self, project_id: str, file: BinaryIO, *, replace: str | None = None
    ) -> ImportResult:
        """Bring an archive or a bundle into a project, whole or not; close the file."""
        ...

    async def make(self, title: str | None, file: BinaryIO) -> ImportResult:
        """Make a project of an archive or a bundle; close the file."""
        ...

    async def pack(self, project_id: str) -> PackedBundle:
        """Return a project's whole history as a bundle."""
        ...

    async def outgoing(
        self, project_id: str, *, only: str | None = None
    ) -> tuple[OutgoingFile, ...]:
        """Return a project's files as they go into an archive."""
        ...


class TurnService(Protocol):
    """Runs: started, stopped, closed after a crash."""

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
        """
        ...

    async def go_on(self, run_id: str, request: ContinueRun) -> RunStarted:
        """Begin the run that continues the artifact in which another one was cut."""
        ...

    async def stop(self, run_id: str) -> Run:
        """End a run for everybody, and return it as it ended."""
        ...

    async def recover(self) -> tuple[Run, ...]:
        """Close every run that nobody writes any more."""
        ...

    def watch(self) -> None:
        """Look after what other processes do with runs, until `close`."""
        ...

    async def close(self) -> None:
        """Interrupt what is running, write it down, and start nothing more."""
        ...


class AgentDesk(Protocol):
    """Which agents there are, and how a model is reached."""

    async def infos(self) -> tuple[AgentInfo, ...]:
        """Return the agents, ready or not."""
        ...

    async def view(self) -> ModelSettingsView:
        """Return the settings as they may be shown."""
        ...

    async def update(self, settings: ModelSettings) -> ModelSettingsView:
        """Change what is given; raise ``InvalidInput`` for what cannot be."""
        ...

    async def test(self, request: AgentTest) -> AgentTestResult:
        """Try an agent with these settings, without saving them."""
        ...

    async def providers(self) -> ProvidersView:
        """Return all providers as they may be shown; nothing is asked for it."""
        ...

    async def update_provider(
        self, name: str, settings: ProviderSettings
    ) -> ProvidersView:
        """Change what is given; raise ``NotFound`` and ``InvalidInput``."""
        ...

    async def forget_provider(self, name: str) -> ProvidersView:
        """Forget what is kept of a provider, its key too; raise ``NotFound``."""
        ...

    async def update_default(self, chosen: ProviderDefault) -> ProvidersView:
        """Say who answers where nobody is named."""
        ...

    async def provider_models(self, name: str, tried: ProviderTry) -> ProviderModels:
        """Ask a provider for its models, with values that need not be saved."""
        ...

    async def try_provider(self, name: str, tried: ProviderTry) -> ProviderVerdict:
        """Try a provider by one short call, with values that need not be saved."""
        ...

    async def find_local_servers(self) -> LocalServers:
        """Look for the usual model servers of this machine."""
        ...


class Recorder(Protocol):
    """Runs as recordings, and the shelf of those there are."""

    async def examples(self) -> tuple[Example, ...]:
        """Return all recordings, the shipped ones first."""
        ...

    async def export(self, run_id: str) -> tuple[str, bytes]:
        """Return a file name and the run as a recording, keys scrubbed."""
        ...

    async def save(self, run_id: str) -> Example:
        """Keep the run as an example."""
        ...
