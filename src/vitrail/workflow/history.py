"""A file's history: its revisions, what tells two apart, who wrote what, restoring.

Strategy: revisions are immutable and their bytes are named by digests, so
everything here reads; the one thing that writes, a restore, goes through the
write entry like any other change and makes a new revision on top. A rename
begins a new path whose first revision names the old one, so a history goes on
through it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vitrail.core.commit import row_of_path
from vitrail.core.commit.blame import blame as blame_texts
from vitrail.core.commit.diff import FileDiff as CoreDiff
from vitrail.core.commit.diff import diff_lines, first_lines
from vitrail.core.commit.loss import Losses, losses
from vitrail.core.commit.noticing import too_large_outside
from vitrail.core.names import valid_path
from vitrail.errors import InvalidInput, NotFound
from vitrail.limits import MAX_OUTSIDE_BYTES
from vitrail.ports import Store
from vitrail.protocol.diagnostics import Diagnostic, Span
from vitrail.protocol.history import (
    BlamedSpan,
    DiffEnding,
    DiffHunk,
    DiffLine,
    FileBlame,
    FileDiff,
    GarbageObject,
    GarbageReport,
    ProjectHistory,
    RevisionPage,
)
from vitrail.protocol.http import WriteResult
from vitrail.protocol.losses import Lost
from vitrail.protocol.records import FileInfo, Revision
from vitrail.workflow.lineage import lineage, text_of, texts_of
from vitrail.workflow.long_texts import kind_of_content
from vitrail.workflow.typed import typed_losses, with_passages
from vitrail.workflow.write import Entry, FileWriter

__all__ = ["MAX_PAGE", "WORKING", "History"]

WORKING: Final = "working"
"""What names the working file where a revision can be named too."""

MAX_PAGE: Final = 500
"""Revisions of one page; about 200 kB of JSON."""

_MAX_BLAMED: Final = 1_000
"""Revisions that are read to tell who wrote what; an older text is the oldest one's."""

_MAX_SEARCHED: Final = 100_000
"""Revisions that are looked through for one that is named."""

_MIN_PREFIX_CHARS: Final = 4
"""Of an id or a digest; git takes as few."""

_MAX_NUMBER_DIGITS: Final = 9

_MAX_DIFF_LINES: Final = 20_000
"""Lines of a difference that are told; a person reads far fewer."""

_MAX_DIFF_CHARS: Final = 8_000_000
"""Of these lines together: a page may be one line."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a difference."""

    revision: Revision | None
    content: bytes | None
    """None: there is no file."""
    digest: str | None


class History:
    """Reads the histories of one store's projects, and restores from them."""

    def __init__(self, store: Store, writer: FileWriter) -> None:
        self._store = store
        self._writer = writer

    async def project(self, project_id: str) -> ProjectHistory:
        """Return every path that has revisions; raise ``NotFound('project-not-found')``."""
        await self._store.project(project_id)
        return ProjectHistory(files=await self._store.history(project_id))

    async def log(
        self,
        project_id: str,
        path: str,
        *,
        before: int | None = None,
        limit: int = 100,
    ) -> RevisionPage:
        """Return revisions of a path, the newest first, with a number below ``before``.

        Raises ``NotFound('file-not-found')`` for a path without history and file.
        """
        path = valid_path(path)
        if not 1 <= limit <= MAX_PAGE:
            raise InvalidInput(f"limit expected a number from 1 to {MAX_PAGE}.")
        await self._store.project(project_id)
        found = await self._store.revisions(
            project_id, path, before=before, limit=limit + 1
        )
        total = await self._store.revision_count(project_id, path)
        info = await self._store.file(project_id, path)
        if not total and info is None:
            raise _no_file(path)
        return RevisionPage(
            path=path,
            revisions=found[:limit],
            total=total,
            more=len(found) > limit,
            diagnostics=await self._never_kept(project_id, info),
        )

    async def _never_kept(
        self, project_id: str, info: FileInfo | None
    ) -> tuple[Diagnostic, ...]:
        """Return the words about a file as another program left it that is too large."""
        if info is None or info.size <= MAX_OUTSIDE_BYTES:
            return ()
        if await self._named(project_id, info) is not None:
            return ()
        return (too_large_outside(info.path, info.size, MAX_OUTSIDE_BYTES),)

    async def revision(self, project_id: str, revision_id: str) -> Revision:
        """Return a revision of the project; raise ``NotFound('revision-not-found')``."""
        await self._store.project(project_id)
        revision = await self._store.revision(revision_id)
        if revision.project_id != project_id:
            raise NotFound(
                "This project has no such revision.", code="revision-not-found"
            )
        return revision

    async def content(
        self, project_id: str, revision_id: str
    ) -> tuple[bytes, Revision]:
        """Return a revision's bytes; raise ``NotFound``."""
        revision = await self.revision(project_id, revision_id)
        return await self._store.read_object(revision.digest), revision

    async def diff(
        self,
        project_id: str,
        path: str,
        *,
        old: str | None = None,
        new: str = WORKING,
        context: int = 3,
    ) -> FileDiff:
        """Return what tells two texts of a file apart.

        Each is a revision's id or ``working``. Without ``old``: what was last
        done to the file, which is what another program did since the head, or
        what the head changed. Raises ``NotFound``.
        """
        path = valid_path(path)
        await self._store.project(project_id)
        to = await self._side(project_id, path, new)
        since = await self._side(
            project_id,
            path,
            old if old is not None else await self._before(project_id, path, to),
        )
        if since.content is None and to.content is None:
            raise _no_file(path)
        told = await asyncio.to_thread(_difference, path, since, to, context)
        typed = await self._typed_losses(path, since, to)
        return told.model_copy(update={"lost": (*typed, *told.lost)})

    async def blame(self, project_id: str, path: str) -> FileBlame:
        """Return who wrote each range of the working file, which has to be text."""
        path = valid_path(path)
        await self._store.project(project_id)
        content, info = await self._store.read_file(project_id, path)
        text = text_of(content)
        if text is None:
            raise InvalidInput(
                f"{path} is no text, so nobody wrote ranges of it.", code="not-text"
            )
        head = await self._store.head(project_id, path)
        line = await lineage(self._store, head, limit=_MAX_BLAMED)
        revisions, texts = await texts_of(self._store, line)
        if head is None or head.digest != info.digest:
            texts.append(("", text))
        spans = await asyncio.to_thread(blame_texts, texts)
        return FileBlame(
            path=path,
            digest=info.digest,
            spans=tuple(
                _blamed(one.span, revisions.get(one.revision_id)) for one in spans
            ),
        )

    async def find(self, project_id: str, path: str, named: str) -> Revision:
        """Return the revision of a file that a person names.

        ``@`` is the newest, ``@~2`` the second before it, ``7`` the one of that
        number; else it is the beginning of an id or a digest, four characters
        at least. Raises ``NotFound('revision-not-found')``, and ``InvalidInput``
        where two revisions begin so.
        """
        path = valid_path(path)
        head = await self._store.head(project_id, path)
        line = await lineage(self._store, head, limit=_MAX_SEARCHED)
        if not line:
            if await self._store.file(project_id, path) is None:
                raise _no_file(path)
            raise NotFound(
                f"{path} has no revisions yet: the file is there, and Vitrail has "
                "written nothing to it.",
                code="revision-not-found",
            )
        found = _named_revision(line, named.strip())
        if found is None:
            raise NotFound(
                f"{path} has no revision {named[:80]!r}. Name a number, @ for the "
                "newest, @~1 for the one before, or the beginning of an id or digest.",
                code="revision-not-found",
            )
        return found

    async def restore(
        self,
        project_id: str,
        path: str,
        revision_id: str,
        *,
        parent_digest: str | None,
        passages: Sequence[Span] | None = None,
    ) -> WriteResult:
        """Bring a revision's bytes back as a new revision on top.

        ``parent_digest`` is that of the file as it was read; None: the file is
        gone. With ``passages``, ranges of the revision in code points, only
        these are put back into the file as it is, where they stood. Raises
        ``NotFound``, ``InvalidInput('passages-not-missing')`` where the file has
        them all, and what the write entry does.
        """
        path = valid_path(path)
        content, revision = await self.content(project_id, revision_id)
        if revision.path != path and revision.path not in await self._names(
            project_id, path
        ):
            raise NotFound(
                f"This revision is none of {path}; it is one of {revision.path}.",
                code="revision-not-found",
            )
        if passages is not None:
            return await self._put_back(
                path, content, revision, passages, parent_digest=parent_digest
            )
        kept = await self._store.revision_manifest(revision_id)
        why = f"restored revision {revision.number}"
        if revision.path != path:
            why += f" of {revision.path}"
        return await self._writer.write_result(
            Entry(
                project_id=project_id,
                path=path,
                content=content,
                author="restore",
                replaces=parent_digest,
                manifest=self._writer.restored_manifest(kept),
                replace_reason=why,
            )
        )

    async def _put_back(
        self,
        path: str,
        content: bytes,
        revision: Revision,
        passages: Sequence[Span],
        *,
        parent_digest: str | None,
    ) -> WriteResult:
        """Write the file as it is with passages of a revision in it again."""
        project_id = revision.project_id
        now, info = await self._store.read_file(project_id, path)
        old, new = text_of(content), text_of(now)
        if old is None or new is None:
            raise InvalidInput(
                f"{path} is no text, so it has no passages.", code="not-text"
            )
        kind = await kind_of_content(path, now)
        text = await with_passages(old, new, passages, kind=kind or "code-snippet")
        if text is None and info.digest == parent_digest:
            raise InvalidInput(
                f"{path} has these passages already, so nothing was changed.",
                code="passages-not-missing",
            )
        return await self._writer.write_result(
            Entry(
                project_id=project_id,
                path=path,
                content=(new if text is None else text).encode(),
                # so they are the person's again when the next version drops them
                author="person",
                replaces=parent_digest,
                manifest=self._writer.persons_manifest(is_new=False),
                reason=f"put passages of revision {revision.number} back",
            )
        )

    async def _typed_losses(
        self, path: str, old: _Side, new: _Side
    ) -> tuple[Lost, ...]:
        """Return what a person had typed and a model's version dropped."""
        if (
            old.revision is None
            or new.revision is None
            or new.revision.author != "model"
            or new.revision.parent != old.revision.id
        ):
            return ()
        before, after = text_of(old.content or b""), text_of(new.content or b"")
        if before is None or after is None:
            return ()
        kind = await kind_of_content(path, new.content or b"")
        if kind is None:
            return ()
        return await typed_losses(
            self._store, old.revision, old=before, new=after, kind=kind
        )

    async def collect(self, *, dry_run: bool = True) -> GarbageReport:
        """Return what stored content nothing refers to; remove it unless ``dry_run``."""
        found = await self._store.unreferenced()
        unneeded = sorted(found.unreferenced, key=lambda one: -one.size)
        dropped = 0
        if not dry_run and unneeded:
            done = await self._store.drop_objects([one.digest for one in unneeded])
            dropped = done.objects
        return GarbageReport(
            dry_run=dry_run,
            objects=tuple(
                GarbageObject(
                    digest=one.digest,
                    size=one.size,
                    reason=one.reason,
                    project=one.project,
                )
                for one in unneeded
            ),
            size=sum(one.size for one in unneeded),
            kept=found.kept,
            kept_size=found.kept_size,
            dropped=dropped,
        )

    # --- inside ----------------------------------------------------------

    async def _side(self, project_id: str, path: str, which: str | None) -> _Side:
        if which is None:
            return _Side(None, None, None)
        if which != WORKING:
            content, revision = await self.content(project_id, which)
            return _Side(revision, content, revision.digest)
        if await self._store.file(project_id, path) is None:
            return _Side(None, None, None)
        content, info = await self._store.read_file(project_id, path)
        return _Side(await self._named(project_id, info), content, info.digest)

    async def _named(self, project_id: str, info: FileInfo) -> Revision | None:
        """Return the head where the working file has its bytes."""
        head = await self._store.head(project_id, info.path)
        return head if head is not None and head.digest == info.digest else None

    async def _before(self, project_id: str, path: str, side: _Side) -> str | None:
        """Return the id of what a side was made from; None: of nothing."""
        if side.revision is not None:
            return side.revision.parent
        head = await self._store.head(project_id, path)
        return head.id if head is not None else None

    async def _names(self, project_id: str, path: str) -> frozenset[str]:
        """Return the paths that the file had before, its present one too."""
        head = await self._store.head(project_id, path)
        line = await lineage(self._store, head, limit=_MAX_BLAMED)
        return frozenset(revision.path for revision in line) | {path}


def _named_revision(line: Sequence[Revision], named: str) -> Revision | None:
    """Return the revision of a line, the newest first, that a name means."""
    if named.startswith("@"):
        back = _steps_back(named)
        return line[back] if back is not None and back < len(line) else None
    if named.isascii() and named.isdecimal() and len(named) <= _MAX_NUMBER_DIGITS:
        path = line[0].path
        for revision in line:
            if revision.path == path and revision.number == int(named):
                return revision
    if len(named) < _MIN_PREFIX_CHARS:
        return None
    prefix = named.lower()
    found = [one for one in line if one.id.lower().startswith(prefix)]
    if not found:
        # equal contents are equally good: the newest of them
        alike = [one for one in line if one.digest.startswith(prefix)]
        found = list({one.digest: one for one in reversed(alike)}.values())
    if len(found) > 1:
        raise InvalidInput(
            f"{len(found)} revisions begin with {named[:80]!r}; give more characters."
        )
    return found[0] if found else None


def _steps_back(named: str) -> int | None:
    if named == "@":
        return 0
    digits = named.removeprefix("@~")
    is_number = digits.isascii() and digits.isdecimal()
    if not named.startswith("@~") or not is_number or len(digits) > _MAX_NUMBER_DIGITS:
        return None
    return int(digits)


def _difference(path: str, old: _Side, new: _Side, context: int) -> FileDiff:
    before, after = text_of(old.content or b""), text_of(new.content or b"")
    if before is None or after is None:
        return _wire(path, old, new, None, Losses(()))
    found = first_lines(
        diff_lines(before, after, context=context),
        _MAX_DIFF_LINES,
        max_chars=_MAX_DIFF_CHARS,
    )
    row = row_of_path(path, after)
    gone = losses(before, after, row.kind) if row else Losses(())
    return _wire(path, old, new, found, gone)


def _wire(
    path: str, old: _Side, new: _Side, found: CoreDiff | None, gone: Losses
) -> FileDiff:
    return FileDiff(
        path=path,
        old=old.revision,
        new=new.revision,
        old_digest=old.digest,
        new_digest=new.digest,
        binary=found is None,
        hunks=tuple(
            DiffHunk(
                old_start=hunk.old_start,
                old_lines=hunk.old_lines,
                new_start=hunk.new_start,
                new_lines=hunk.new_lines,
                lines=tuple(
                    DiffLine(kind=line.kind, text=line.text, words=line.words)
                    for line in hunk.lines
                ),
            )
            for hunk in (found.hunks if found else ())
        ),
        added=found.added if found else 0,
        removed=found.removed if found else 0,
        endings=tuple(
            DiffEnding(
                new_start=one.new_start, new_end=one.new_end, old=one.old, new=one.new
            )
            for one in (found.endings if found else ())
        ),
        lost=gone.lost,
        diagnostics=gone.diagnostics,
        truncated=found.truncated if found else False,
    )


def _blamed(span: tuple[int, int], revision: Revision | None) -> BlamedSpan:
    if revision is None:
        return BlamedSpan(
            span=span,
            revision=None,
            number=None,
            author="outside",
            run_id=None,
            created_at=None,
        )
    return BlamedSpan(
        span=span,
        revision=revision.id,
        number=revision.number,
        author=revision.author,
        run_id=revision.run_id,
        created_at=revision.created_at,
    )


def _no_file(path: str) -> NotFound:
    return NotFound(
        f"There is no file {path}, and nothing of it in the history.",
        code="file-not-found",
    )
