"""Bodies of a file's history: revisions, differences, authorship, drafts, moves."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from vitrail.protocol.base import WireModel
from vitrail.protocol.diagnostics import Diagnostic, Span
from vitrail.protocol.losses import Lost
from vitrail.protocol.records import Author, FileInfo, QuarantineRecord, Revision

__all__ = [
    "AcceptDraft",
    "BlamedSpan",
    "DiffEnding",
    "DiffHunk",
    "DiffLine",
    "DraftList",
    "FileBlame",
    "FileDiff",
    "FileHistory",
    "GarbageObject",
    "GarbageReport",
    "LineKind",
    "MoveResult",
    "MovedPart",
    "NewMove",
    "NewRestore",
    "PageParts",
    "ProjectHistory",
    "RevisionPage",
    "RewrittenFile",
    "SharedPartInfo",
]

LineKind: TypeAlias = Literal["same", "removed", "added"]


class FileHistory(WireModel):
    """One path of a project that has revisions."""

    path: str
    head: Revision
    """The newest revision."""
    present: bool
    """Whether there is such a file now."""
    revisions: int
    """How many there are."""


class ProjectHistory(WireModel):
    """Every path of a project that has revisions, by path."""

    files: tuple[FileHistory, ...]


class RevisionPage(WireModel):
    """Revisions of one path, the newest first."""

    path: str
    revisions: tuple[Revision, ...]
    total: int
    """How many there are, those of other pages included."""
    more: bool
    """Whether there are older ones than the last of these."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Why the file as it is has no revision, where it never gets one."""


class DiffLine(WireModel):
    """One line of a difference."""

    kind: LineKind
    text: str
    """Without its line break."""
    words: tuple[Span, ...] = ()
    """What changed within the line, in its code points; empty where all of it did."""


class DiffHunk(WireModel):
    """Neighbouring changes with the lines around them; lines count from 0."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    lines: tuple[DiffLine, ...]


class DiffEnding(WireModel):
    """Lines whose text stayed and whose line break did not; lines count from 0."""

    new_start: int
    new_end: int
    old: str
    new: str


class FileDiff(WireModel):
    """What tells two texts of one file apart."""

    path: str
    old: Revision | None
    """None: the working file, where no revision has its bytes, or no file at all."""
    new: Revision | None
    """As ``old``."""
    old_digest: str | None
    """None: there is no such file."""
    new_digest: str | None
    binary: bool
    """Whether one of them is no text; then there are no hunks."""
    hunks: tuple[DiffHunk, ...] = ()
    added: int = 0
    """Lines that are new, in the whole difference."""
    removed: int = 0
    """Lines that are gone, in the whole difference."""
    endings: tuple[DiffEnding, ...] = ()
    """How line breaks changed where the lines did not."""
    lost: tuple[Lost, ...] = ()
    """What the old one has and the new one has not."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What of them was not compared, in words."""
    truncated: bool = False
    """Whether there are more changes than are told."""


class BlamedSpan(WireModel):
    """A range of a file and the revision that wrote it."""

    span: Span
    """Code points of the file as it is now."""
    revision: str | None
    """None: nobody's revision has it yet; another program wrote it."""
    number: int | None
    author: Author
    run_id: str | None
    created_at: str | None


class FileBlame(WireModel):
    """Who wrote each range of a file: neighbouring, gapless, in order."""

    path: str
    digest: str
    spans: tuple[BlamedSpan, ...]


class NewRestore(WireModel):
    """The revision to bring back."""

    revision: str = Field(min_length=1, max_length=64)
    passages: tuple[Span, ...] | None = Field(
        default=None, min_length=1, max_length=100
    )
    """Ranges of that revision in code points: only these are put back, where they
    stood, into the file as it is. None: the revision's bytes."""


class NewMove(WireModel):
    """A file to give another name."""

    source: str = Field(alias="from", min_length=1)
    target: str = Field(alias="to", min_length=1)
    parts: bool = False
    """Whether the files that only this page needs go along, where it goes to another
    folder."""


class SharedPartInfo(WireModel):
    """A part of a page that another file needs too."""

    path: str
    used_by: str
    """One of the files that need it."""


class PageParts(WireModel):
    """What a page consists of besides its own file, of the files that are there."""

    path: str
    digest: str
    """Of the page as it was looked at."""
    own: tuple[str, ...]
    """Needed by this page alone: they go where it goes, if that is asked for."""
    shared: tuple[SharedPartInfo, ...]
    """They stay."""


class MovedPart(WireModel):
    """A part that went with its page."""

    source: str = Field(alias="from")
    target: str = Field(alias="to")
    revision: str
    digest: str


class RewrittenFile(WireModel):
    """A file whose references follow a file that moved."""

    path: str
    revision: str
    digest: str


class MoveResult(WireModel):
    """What a move did."""

    moved: FileInfo
    revision: Revision
    """First revision of the new path; its content is the old path's last one."""
    parts: tuple[MovedPart, ...] = ()
    """Files that went along, by path."""
    rewritten: tuple[RewrittenFile, ...]


class DraftList(WireModel):
    """What waits for a person's decision, the newest first."""

    drafts: tuple[QuarantineRecord, ...]


class AcceptDraft(WireModel):
    """How a draft is taken."""

    content: str | None = None
    """The person's own resolution; none: the draft as it is."""


class GarbageObject(WireModel):
    """Stored content that nothing refers to."""

    digest: str
    size: int
    """Bytes."""
    reason: Literal["project-deleted", "never-committed"]
    """Whose it was: of a project that was deleted, or of a write that ended early."""
    project: str | None = None
    """Folder name of the deleted project."""


class GarbageReport(WireModel):
    """What a sweep of stored content dropped, or would drop; ``vitrail gc`` prints it."""

    dry_run: bool
    objects: tuple[GarbageObject, ...]
    """Stored contents that no revision names, the largest first."""
    size: int
    """Bytes of them all."""
    kept: int
    """Stored contents that stay: a revision names them, or they are younger than an hour."""
    kept_size: int
    """Bytes of what stays."""
    dropped: int = 0
    """How many were removed; of a dry run none."""
