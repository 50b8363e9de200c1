"""Bodies of imports: what came in, what was left out, what was refused."""

from __future__ import annotations

from typing import Literal

from vitrail.protocol.base import WireModel
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.records import Project

__all__ = ["ImportRefusal", "ImportResult", "ImportedFile", "LeftOut"]


class ImportRefusal(WireModel):
    """One thing that may not come in."""

    name: str
    """As the archive or the folder has it; empty where it is the whole of it."""
    code: str
    message: str


class LeftOut(WireModel):
    """One thing that was not imported, which is no fault."""

    name: str
    reason: Literal["hidden", "internal", "manifest", "kind"]
    """A hidden file or folder, one of a tool's own folders, a manifest that does not fit
    its file, a kind of record that this version does not know."""


class ImportedFile(WireModel):
    """One file that came in."""

    path: str
    digest: str
    """Of the file as it is now."""
    revision: str | None
    """None where a file of these bytes was there already."""
    verdict: Literal["accepted", "fixed", "quarantined", "unchanged"]
    draft: str | None = None
    """Of a quarantined one: where the new text is."""
    diagnostics: tuple[Diagnostic, ...] = ()


class ImportResult(WireModel):
    """What an import became."""

    kind: Literal["files", "bundle"]
    project: Project
    files: tuple[ImportedFile, ...]
    left_out: tuple[LeftOut, ...] = ()
    refused: tuple[ImportRefusal, ...] = ()
    """Always empty of an import that was done: one that is refused wrote nothing."""
    revisions: int = 0
    """Of a bundle: how many came with it."""
    seal: str | None = None
    """Of a bundle: the last hash of its chain; equal seals, equal histories."""
