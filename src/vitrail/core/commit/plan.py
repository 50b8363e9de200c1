"""Commit plans: what is written where, and the manifest beside it; no IO.

Strategy: row (`kinds`), then place (`naming`), then manifest. A plan names the
digest that the working file must have when it is carried out, so that check
and write can be one step. Two bodies never go on top of a good file: one that
was cut, and one whose file changed since the model was shown it; both become
a draft beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

from vitrail.core.commit.kinds import Row, choose_row
from vitrail.core.commit.naming import Listing, Place, choose_place, draft_place
from vitrail.core.commit.parts import parts_of_text
from vitrail.limits import MAX_METADATA_BYTES, MAX_TITLE_CHARS
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import ArtifactManifest, Status

__all__ = [
    "Candidate",
    "CommitPlan",
    "Origin",
    "Refusal",
    "manifest_of",
    "plan_commit",
    "plan_row",
]

_DraftReason: TypeAlias = Literal["incomplete", "changed-since-shown"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Who made an artifact; all empty for a text of unknown origin."""

    run: str | None = None
    message: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An artifact that passed validation and wants a place."""

    identifier: str
    artifact_type: str
    title: str
    body: str
    is_complete: bool
    language: str = ""
    recovered: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no plan."""

    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class CommitPlan:
    """One file to write."""

    path: str
    row: Row
    status: Status
    replaces: str | None
    """Digest the working file must have; None: there must be no file."""
    draft_of: str | None
    """Path of the good file that this is a draft beside of."""
    draft_reason: _DraftReason | None
    previous: ArtifactManifest | None
    """Manifest of the file it replaces; what of it stays is carried over."""


def plan_row(candidate: Candidate) -> Row | Refusal:
    """Return the row of the table of kinds, or why there is none."""
    row = choose_row(
        candidate.artifact_type,
        candidate.identifier,
        candidate.body,
        title=candidate.title,
        language=candidate.language,
    )
    if row is not None:
        return row
    named = candidate.artifact_type.strip()
    what = f"the type {named[:80]!r}" if named else "an artifact without a type"
    return Refusal(
        (
            Diagnostic(
                "artifact-manifest-required",
                "error",
                f"Vitrail knows no kind of file for {what}. Name a known type such "
                "as text/html, image/svg+xml, text/markdown or text/x-python, or an "
                "identifier with a known extension.",
            ),
        )
    )


def plan_commit(
    candidate: Candidate,
    row: Row,
    listing: Listing,
    *,
    shown: Mapping[str, str] | None = None,
    unfinished: str | None = None,
) -> CommitPlan | Refusal:
    """Return what to write for a candidate of that row.

    ``unfinished`` is the digest of a cut file that the candidate continues;
    that one may be replaced by a longer one which is cut as well.

    ``shown`` are the digests of the files as the model was shown them, by
    path; None where nobody was shown anything (a text from elsewhere).
    """
    place = choose_place(candidate.identifier, candidate.title, row, listing)
    if isinstance(place, Diagnostic):
        return Refusal((place,))
    status: Status = "complete" if candidate.is_complete else "error"
    if place.existing is None:
        return CommitPlan(place.path, row, status, None, None, None, None)
    reason = _draft_reason(candidate, place, shown)
    if reason == "incomplete" and place.existing.digest == unfinished:
        reason = None
    if reason is None:
        return _onto(place, row, status, None, None)
    draft = draft_place(place.path, listing)
    return _onto(draft, row, status, place.path, reason)


def _draft_reason(
    candidate: Candidate, place: Place, shown: Mapping[str, str] | None
) -> _DraftReason | None:
    if not candidate.is_complete:
        return "incomplete"
    if place.existing is None or shown is None:
        return None
    if shown.get(place.path) != place.existing.digest:
        return "changed-since-shown"
    return None


def _onto(
    place: Place,
    row: Row,
    status: Status,
    draft_of: str | None,
    reason: _DraftReason | None,
) -> CommitPlan:
    existing = place.existing
    return CommitPlan(
        path=place.path,
        row=row,
        status=status,
        replaces=existing.digest if existing else None,
        draft_of=draft_of,
        draft_reason=reason,
        previous=existing.manifest if existing else None,
    )


_OWN_KEYS: Final = frozenset(
    {"identifier", "artifactType", "inferred", "origin", "recoveredFrom"}
    | {"digest", "parentDigest", "checks", "draftOf", "draftReason"}
)
"""Keys of the metadata that every commit writes anew; checks were of other bytes."""


def manifest_of(
    plan: CommitPlan,
    candidate: Candidate,
    *,
    content: bytes,
    origin: Origin,
    now: str,
) -> ArtifactManifest:
    """Return the manifest of a planned file, built anew from known parts only.

    ``content`` are the file's bytes, whose digest it carries. ``now`` is UTC with
    milliseconds and ``Z``; the time a file was first made stays. A title that the tag does not give is the identifier, or the name.
    """
    previous = plan.previous
    title = candidate.title.strip() or candidate.identifier.strip() or plan.path
    is_page = plan.row.kind in ("html", "deck")
    return ArtifactManifest(
        kind=plan.row.kind,
        title=title[:MAX_TITLE_CHARS],
        entry=plan.path,
        renderer=plan.row.renderer,
        status=plan.status,
        exports=plan.row.exports,
        primary=True if is_page and plan.draft_of is None else None,
        supporting_files=parts_of_text(
            plan.path, plan.row.kind, candidate.body, previous
        ),
        created_at=previous.created_at if previous else now,
        updated_at=now,
        source_skill_id=previous.source_skill_id if previous else None,
        design_system_id=previous.design_system_id if previous else None,
        metadata=_metadata(plan, candidate, sha256(content).hexdigest(), origin),
    )


def _metadata(
    plan: CommitPlan, candidate: Candidate, digest: str, origin: Origin
) -> dict[str, Any]:
    own: dict[str, Any] = {
        "identifier": candidate.identifier,
        "artifactType": candidate.artifact_type,
        "inferred": False,
        "origin": {
            "run": origin.run,
            "message": origin.message,
            "model": origin.model,
        },
        "digest": digest,
    }
    if plan.replaces is not None:
        own["parentDigest"] = plan.replaces
    if candidate.recovered is not None:
        own["recoveredFrom"] = candidate.recovered
    if plan.draft_of is not None:
        own["draftOf"] = plan.draft_of
        own["draftReason"] = plan.draft_reason
    kept = {
        key: value
        for key, value in (
            (plan.previous.metadata or {}) if plan.previous else {}
        ).items()
        if key not in _OWN_KEYS
    }
    return {**own, **kept} if _fits({**own, **kept}) else own


def _fits(metadata: dict[str, Any]) -> bool:
    text = json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "replace")) <= MAX_METADATA_BYTES
