"""Artifacts that were cut: which one can be continued, and with what it goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vitrail.core.parse.continued import ContinuedParser
from vitrail.errors import Conflict
from vitrail.ports import Store
from vitrail.protocol.records import ArtifactPart, Message, Run, Shown

__all__ = ["CutArtifact", "find_cut"]


@dataclass(frozen=True, slots=True)
class CutArtifact:
    """The last artifact of a run, whose body ended before its end."""

    run: Run
    """The run that was cut."""
    part: ArtifactPart
    files: Mapping[str, str]
    """Digests of the files that the run itself wrote."""

    @property
    def name(self) -> str:
        """What a person knows it by."""
        return self.part.title or self.part.identifier or "artifact"

    @property
    def own_digest(self) -> str | None:
        """Digest of the unfinished file that it became, which may be written over."""
        saved = self.part.saved
        return saved.digest if saved is not None and saved.status == "error" else None

    def parser(self) -> ContinuedParser:
        """Return what reads the continuation."""
        return ContinuedParser(self.part.attributes, self.part.text)

    def shown(self, files: Sequence[Shown]) -> tuple[Shown, ...]:
        """Return the files as the model knew them when it began the artifact.

        What was changed since then is not written over, but kept beside.
        """
        known = {file.path: file.digest for file in self.run.shown} | dict(self.files)
        return tuple(
            file.model_copy(update={"digest": known.get(file.path, file.digest)})
            for file in files
        )


async def find_cut(store: Store, run_id: str) -> CutArtifact:
    """Return what can be continued of a run.

    Raises ``NotFound('run-not-found')``, ``Conflict('run-active')`` while it
    goes on, and ``Conflict('nothing-to-continue')``.
    """
    run = await store.run(run_id)
    if run.state == "running":
        raise Conflict(
            "This run goes on. What is cut of it can be continued when it is over.",
            code="run-active",
            run=run.id,
        )
    messages, _ = await store.messages(run.conversation_id)
    message = messages[-1] if messages else None
    part = _last_artifact(message) if message and message.id == run.message_id else None
    if part is None or part.state != "cut" or part.reason != "unclosed":
        raise Conflict(
            "The conversation's last message does not end in an artifact that was cut "
            "by the length limit, so there is nothing to continue.",
            code="nothing-to-continue",
        )
    files = {
        one.saved.path: one.saved.digest
        for one in (message.parts if message else ())
        if isinstance(one, ArtifactPart) and one.saved is not None
    }
    return CutArtifact(run, part, files)


def _last_artifact(message: Message) -> ArtifactPart | None:
    parts = [part for part in message.parts if isinstance(part, ArtifactPart)]
    told = [part for part in parts if part.recovered is None]
    return told[-1] if told else None
