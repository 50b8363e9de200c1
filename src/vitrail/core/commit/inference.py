"""Manifests of files that nobody said what they are: the one inference (seed 003 §5.1).

Strategy: the name's extension, a page's name by words and its slides choose the
row of the table of kinds; where no row is, there is no manifest. To *draw* an
old file any row is good enough. To *make* an artifact without a manifest it has
to be a page, a deck, a drawing or a document: of a program's text alone nobody
knows whether it is a component, a part of something or a note, so that is
refused (``artifact-manifest-required``) rather than guessed.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from vitrail.core.commit.kinds import row_of_path
from vitrail.core.commit.parts import parts_of_text
from vitrail.core.commit.plan import Refusal
from vitrail.limits import MAX_TITLE_CHARS
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import ArtifactManifest

__all__ = [
    "infer_manifest",
    "manifest_for_create",
    "manifest_for_person",
    "manifest_for_restore",
]

_BY_NAME: Final = frozenset({"html", "deck", "svg", "markdown-document"})
"""Kinds that a file's name alone stands for (spec/open-design-1 §9.4)."""


def infer_manifest(
    path: str, body: str = "", *, now: str, content: bytes | None = None
) -> ArtifactManifest | None:
    """Return the manifest that an old file's name stands for; None: nobody can tell.

    ``content`` are the file's bytes, where the manifest is to carry their
    digest. ``now`` is UTC with milliseconds and ``Z``.

    >>> then = "2026-01-01T00:00:00.000Z"
    >>> infer_manifest("pitch-deck.html", now=then).kind
    'deck'
    >>> infer_manifest("pitchfork.html", now=then).kind
    'html'
    >>> infer_manifest("archive.bin", now=then) is None
    True
    """
    row = row_of_path(path, body)
    if row is None:
        return None
    metadata: dict[str, Any] = {"inferred": True}
    if content is not None:
        metadata["digest"] = sha256(content).hexdigest()
    return ArtifactManifest(
        kind=row.kind,
        title=path.rpartition("/")[2][:MAX_TITLE_CHARS],
        entry=path,
        renderer=row.renderer,
        exports=row.exports,
        primary=True if row.kind in ("html", "deck") else None,
        supporting_files=parts_of_text(path, row.kind, body, None),
        created_at=now,
        updated_at=now,
        metadata=metadata,
    )


def manifest_for_create(
    given: ArtifactManifest | None, path: str, content: bytes, *, now: str
) -> ArtifactManifest | Refusal:
    """Return the manifest of a file that is to be an artifact, or why there is none.

    ``given`` is one that passed the rules; its entry becomes the file that is
    written. Without one the name has to tell.
    """
    if given is not None:
        digest = sha256(content).hexdigest()
        metadata = {**(given.metadata or {}), "digest": digest}
        return given.model_copy(update={"entry": path, "metadata": metadata})
    text = content.decode(errors="replace")
    inferred = infer_manifest(path, text, now=now, content=content)
    if inferred is None or inferred.kind not in _BY_NAME:
        return Refusal((_required(path),))
    return inferred


def manifest_for_person(
    path: str,
    content: bytes,
    *,
    previous: ArtifactManifest | None,
    is_new: bool,
    now: str,
) -> ArtifactManifest | None:
    """Return the manifest of a file that a person wrote; None: it gets none.

    The one that is there goes along. A new page, drawing or document gets
    one by its name; other files are parts of something, and get none.
    """
    text = content.decode(errors="replace")
    if previous is not None:
        return _carried(previous, path, content, text, now)
    if not is_new:
        return None
    inferred = infer_manifest(path, text, now=now, content=content)
    return inferred if inferred is not None and inferred.kind in _BY_NAME else None


_DRAFT_MARKS: Final = ("draftOf", "draftReason")


def manifest_for_restore(
    path: str,
    content: bytes,
    *,
    kept: ArtifactManifest | None,
    previous: ArtifactManifest | None,
    now: str,
) -> ArtifactManifest | None:
    """Return the manifest of a file whose bytes of an older version come back.

    ``kept`` was beside that version, and says what its bytes are; ``previous``
    is beside the file as it is, and says which artifact it is and since when.
    None: nobody knows of either, and the name tells nothing.
    """
    if kept is None:
        return manifest_for_person(
            path, content, previous=previous, is_new=previous is None, now=now
        )
    metadata = dict(kept.metadata or {})
    own = (previous.metadata or {}) if previous else {}
    if own.get("identifier"):
        metadata["identifier"] = own["identifier"]
    for mark in _DRAFT_MARKS:
        # a draft is one by where it lies, not by what it says
        metadata.pop(mark, None)
        if mark in own:
            metadata[mark] = own[mark]
    if "digest" in own:
        metadata["digest"] = own["digest"]
    created = previous.created_at if previous else kept.created_at
    brought = kept.model_copy(
        update={"entry": path, "created_at": created, "metadata": metadata}
    )
    text = content.decode(errors="replace")
    return _carried(brought, path, content, text, now)


def _carried(
    previous: ArtifactManifest, path: str, content: bytes, text: str, now: str
) -> ArtifactManifest:
    before = previous.metadata or {}
    # what was checked were other bytes
    metadata = {key: value for key, value in before.items() if key != "checks"}
    metadata["digest"] = sha256(content).hexdigest()
    if "digest" in before and before["digest"] != metadata["digest"]:
        metadata["parentDigest"] = before["digest"]
    return previous.model_copy(
        update={
            "updated_at": now,
            "status": "complete",
            "supporting_files": parts_of_text(path, previous.kind, text, previous),
            "metadata": metadata,
        }
    )


def _required(path: str) -> Diagnostic:
    name = path.rpartition("/")[2]
    return Diagnostic(
        "artifact-manifest-required",
        "error",
        f"What {name[:80]!r} is cannot be told by its name, so nothing was written. "
        "Send a manifest with its kind, renderer and exports; only .html, .svg and .md "
        "go without one.",
    )
