"""The gates at the write entry: what they are asked, and what their answer means here.

Strategy: the gates themselves are pure (`vitrail.core.validate.gates`). Here is
gathered what they want to know of the project, and what the new text no longer
has of the old one, which is told whatever the verdict. Long texts are judged
in a thread of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from vitrail.core.commit.loss import Losses, losses
from vitrail.core.validate.candidate import Outcome
from vitrail.core.validate.gated import GateCandidate, GatePolicy, GateVerdict
from vitrail.core.validate.gates import check_gates
from vitrail.core.validate.placeholders import (
    Placeholder,
    declared_placeholders,
    project_placeholders,
)
from vitrail.core.validate.publication import guards_publication
from vitrail.core.validate.stub_guard import PriorPages
from vitrail.errors import NotFound
from vitrail.ports import Store
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.losses import Lost
from vitrail.protocol.manifest import Kind
from vitrail.protocol.records import FileInfo
from vitrail.workflow.long_texts import apart_where_long

__all__ = ["GateKeeper", "Judged", "Question", "told_lost"]

_MAX_NAMED_LOSSES: Final = 12
"""In one sentence; the rest is counted."""

_MAX_NAME_CHARS: Final = 60

_MAX_TOLD_LOSSES: Final = 100
"""Of one change; the rest can be read in the difference."""


@dataclass(frozen=True, slots=True)
class Question:
    """Content that is about to be written onto a file."""

    project_id: str
    path: str
    kind: Kind | None
    """None: a file of no kind, which no gate asks about."""
    content: bytes
    file: FileInfo | None
    """The file that is there."""
    identifier: str = ""
    replace_reason: str | None = None
    priors: PriorPages | None = None
    """Of the project, where somebody who writes many files has them listed."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the gates say, and what the file would lose."""

    outcome: Outcome
    content: bytes
    """To write: as it came, or as a gate mended it."""
    diagnostics: tuple[Diagnostic, ...] = ()
    lost: tuple[Lost, ...] = ()
    code: str | None = None
    """Of a refusal: the error's code."""
    details: dict[str, Any] = field(default_factory=dict)
    """Of a refusal: facts for programs."""


class GateKeeper:
    """Asks the gates with one policy."""

    def __init__(self, policy: GatePolicy | None = None) -> None:
        self._policy = policy or GatePolicy()

    async def judge(self, store: Store, question: Question) -> Judged:
        """Return the verdict; reads the project, changes nothing."""
        previous = await self._previous(store, question)
        kind = question.kind
        if kind is None:
            return Judged("accepted", question.content)
        priors = question.priors or await _priors(store, question)
        declared, unproven = await _declared(store, question)
        candidate = GateCandidate(
            path=question.path,
            kind=kind,
            content=question.content,
            identifier=question.identifier,
            siblings=priors.of(question.path, question.identifier),
            previous=previous,
            placeholders=declared,
            replace_reason=question.replace_reason,
        )
        judged = await self._asked_apart(candidate)
        return replace(judged, diagnostics=(*judged.diagnostics, *unproven))

    async def judge_alone(self, question: Question) -> Judged:
        """Return the verdict on a file of a project that is not there yet."""
        if question.kind is None:
            return Judged("accepted", question.content)
        priors = question.priors or PriorPages()
        candidate = GateCandidate(
            path=question.path,
            kind=question.kind,
            content=question.content,
            identifier=question.identifier,
            siblings=priors.of(question.path, question.identifier),
            replace_reason=question.replace_reason,
        )
        return await self._asked_apart(candidate)

    async def _asked_apart(self, candidate: GateCandidate) -> Judged:
        size = len(candidate.content) + len(candidate.previous or b"")
        return await apart_where_long(size, lambda: self._asked(candidate))

    async def _previous(self, store: Store, question: Question) -> bytes | None:
        if question.file is None or question.kind is None:
            return None
        try:
            content, _ = await store.read_file(question.project_id, question.path)
        except NotFound:
            return None  # gone since it was looked at; the commit will tell
        return content

    def _asked(self, candidate: GateCandidate) -> Judged:
        verdict = check_gates(candidate, self._policy)
        found = _lost(candidate, verdict)
        gone = found.lost[:_MAX_TOLD_LOSSES]
        is_held = verdict.outcome == "quarantined" and gone
        return Judged(
            outcome=verdict.outcome,
            content=verdict.content,
            diagnostics=(
                *verdict.diagnostics,
                *((told_lost(gone),) if is_held else ()),
                *found.diagnostics,
            ),
            lost=gone,
            code=verdict.code,
            details=verdict.details,
        )


async def _priors(store: Store, question: Question) -> PriorPages:
    """Return the pages that the stub guard compares with, listed only where they count."""
    if question.identifier.strip() and guards_publication(question.kind):
        return PriorPages(await store.files(question.project_id))
    priors = PriorPages()
    if question.file is not None:
        file = question.file
        priors.add(file.path, file.size, file.manifest)
    return priors


def told_lost(lost: tuple[Lost, ...]) -> Diagnostic:
    """Return the words that tell a person and a model what a text no longer has."""
    named = [f"{one.what} {_short(one.name)!r}" for one in lost[:_MAX_NAMED_LOSSES]]
    rest = len(lost) - len(named)
    if rest:
        named.append(f"and {rest} more")
    return Diagnostic(
        "content-lost", "warning", f"What is gone compared with it: {', '.join(named)}."
    )


def _short(name: str) -> str:
    words = " ".join(name.split())
    return words if len(words) <= _MAX_NAME_CHARS else f"{words[:_MAX_NAME_CHARS]}…"


def _lost(candidate: GateCandidate, verdict: GateVerdict) -> Losses:
    if candidate.previous is None or verdict.outcome == "refused":
        return Losses(())
    try:
        old, new = candidate.previous.decode(), verdict.content.decode()
    except UnicodeDecodeError:
        return Losses(())
    return losses(old, new, candidate.kind)


async def _declared(
    store: Store, question: Question
) -> tuple[tuple[Placeholder, ...], tuple[Diagnostic, ...]]:
    """Return what the project and the manifest declare, and what of it proves nothing."""
    if not guards_publication(question.kind):
        return (), ()
    raw = await store.project_file(question.project_id)
    found, wrong = project_placeholders(raw)
    manifest = question.file.manifest if question.file else None
    said = (manifest.metadata or {}).get("placeholders") if manifest else None
    own, own_wrong = declared_placeholders(said)
    return (*found, *own), (*wrong, *own_wrong)
