"""Files that another program renamed: recognised, with the references that follow.

Strategy: of files that went and files that came, those with the same bytes are
one, then those with most of their text in common. The new path continues the
history, the manifest goes along. Then the pages, styles and documents that
point to the old name are written anew, and so are the own references of a file
that went to another folder: each only where it is as the history has it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from vitrail.core.commit.adopted import renamed_manifest
from vitrail.core.commit.kinds import row_of_path
from vitrail.core.commit.matching import FileTrace, Rename, match_renames
from vitrail.core.commit.noticing import FoundNow, KnownFile
from vitrail.core.commit.references import rewrite_references
from vitrail.ports import (
    AppendEvent,
    Change,
    FileDelete,
    FileWrite,
    PutQuarantine,
    RecordedFile,
    Store,
)
from vitrail.protocol.events import FileMoved
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo, QuarantineRecord, Revision
from vitrail.workflow.outside_adopting import adopted
from vitrail.workflow.outside_units import (
    Cause,
    Committer,
    Look,
    Noticed,
    Unit,
    changed,
    next_number,
)

__all__ = ["OutsideMoves"]

_MAX_TEXT_BYTES: Final = 4 * 1024 * 1024
"""Longest text that is read for renames and references; longer ones are data."""

_MAX_COMPARED: Final = 200
"""Files on each side that are compared by their text, as git does by default."""

_MAX_REASON_CHARS: Final = 500
"""Of a reason that lists names."""

_SMALL_CHARS: Final = 64 * 1024
"""Rewritten in a few milliseconds; more goes to a thread."""

_REFERRING_KINDS: Final = frozenset({"html", "deck", "svg", "markdown-document"})
"""Kinds that `rewrite_references` reads, beside styles."""

_WORD: Final = re.compile(r"[\w.\-]+")

_EMPTY_DIGEST: Final = sha256(b"").hexdigest()


class OutsideMoves:
    """Recognises and commits renames in one store's projects."""

    def __init__(self, store: Store, committer: Committer) -> None:
        self._store = store
        self._committer = committer

    async def find(self, look: Look) -> tuple[Rename, ...]:
        """Return which of the files that went are which of those that came."""
        gone = look.differences.gone
        came = [
            file
            for file in look.differences.written
            if (head := look.heads.get(file.path)) is None or head.is_gone
        ]
        if not gone or not came:
            return ()
        same = match_renames(
            [_trace(file.path, file.digest) for file in gone],
            [_trace(file.path, file.digest) for file in came],
        )
        old = {rename.old for rename in same}
        new = {rename.new for rename in same}
        left = [file for file in gone if file.path not in old][:_MAX_COMPARED]
        right = [file for file in came if file.path not in new][:_MAX_COMPARED]
        if not left or not right:
            return same
        alike = match_renames(
            [
                replace(_trace(file.path, file.digest), text=await self._old_text(file))
                for file in left
            ],
            [
                replace(
                    _trace(file.path, file.digest), text=await self._text(look, file)
                )
                for file in right
            ],
        )
        return (*same, *alike)

    async def _old_text(self, file: KnownFile) -> str | None:
        if row_of_path(file.path) is None:
            return None
        return _text_of(await self._committer.read_object(file.digest))

    async def _text(self, look: Look, file: FoundNow) -> str | None:
        if row_of_path(file.path) is None or file.size > _MAX_TEXT_BYTES:
            return None
        read = await self._committer.read(look.project_id, file.path, file.digest)
        return _text_of(read[0]) if read else None

    async def move(
        self, look: Look, renames: Sequence[Rename], cause: Cause
    ) -> Noticed:
        """Commit renames, and then what follows them."""
        moved = {rename.old: rename.new for rename in renames}
        done = await self._committer.commit(self._moves(look, renames, moved, cause))
        if not done.moved:
            return done
        # as the store has it now: what points to the files may have changed as well
        moved = {rename.old: rename.new for rename in done.moved}
        return done.joined(
            await self._committer.commit(self._followers(look, moved, cause))
        )

    async def _moves(
        self,
        look: Look,
        renames: Sequence[Rename],
        moved: dict[str, str],
        cause: Cause,
    ) -> AsyncIterator[Unit]:
        held = await self._store.quarantined(look.project_id)
        digests = {file.path: file.digest for file in look.differences.written}
        for rename in renames:
            read = await self._committer.read(
                look.project_id, rename.new, digests[rename.new]
            )
            if read is None:
                continue
            content, info = read
            parent, last = look.heads[rename.old], look.heads.get(rename.new)
            revision = self._committer.revision(
                look.project_id, info, cause, parent=parent, number=next_number(last)
            ).model_copy(
                update={
                    "moved_from": rename.old,
                    "reason": f"renamed from {rename.old} by another program",
                }
            )
            told = FileMoved(rename.old, rename.new, revision.id)
            yield Unit(
                (
                    FileDelete(look.project_id, rename.old, None),
                    FileWrite(
                        revision=revision,
                        content=content,
                        manifest=await self._moved_manifest(
                            look, rename, (content, info), moved, cause
                        ),
                        events=(AppendEvent(cause.place, told),),
                        changes=_renamed_records(held, rename),
                        working_digest=revision.digest,
                    ),
                ),
                Noticed(revisions=(revision,), moved=(rename,)),
            )

    async def _moved_manifest(
        self,
        look: Look,
        rename: Rename,
        read: tuple[bytes, FileInfo],
        moved: dict[str, str],
        cause: Cause,
    ) -> ArtifactManifest | None:
        content, info = read
        manifest = info.manifest
        if manifest is None:
            manifest = await self._store.manifest(look.project_id, rename.old)
        if manifest is None:
            return await adopted(self._committer, look, (content, info), cause)
        now = self._committer.now()
        manifest = renamed_manifest(manifest, moved, now=now)
        metadata = {**(manifest.metadata or {}), "digest": info.digest}
        return manifest.model_copy(update={"entry": rename.new, "metadata": metadata})

    async def _followers(
        self, look: Look, moved: dict[str, str], cause: Cause
    ) -> AsyncIterator[Unit]:
        """Yield the files whose references follow what was renamed."""
        was = {new: old for old, new in moved.items()}
        names = _Names(moved)
        heads = {
            file.path: file for file in await self._store.recorded(look.project_id)
        }
        for info in await self._store.files(look.project_id):
            head = heads.get(info.path)
            if head is None or head.is_gone or head.digest != info.digest:
                continue  # not as the history has it: the next look is for it
            unit = await self._follower(
                _Follower(look.project_id, info, head, was.get(info.path)), names, cause
            )
            if unit is not None:
                yield unit

    async def _follower(
        self, file: _Follower, names: _Names, cause: Cause
    ) -> Unit | None:
        info, moved = file.info, names.moved
        manifest = info.manifest and renamed_manifest(
            info.manifest, moved, now=self._committer.now()
        )
        if manifest is info.manifest and not _may_refer(info):
            return None
        read = await self._committer.read(file.project_id, info.path, info.digest)
        if read is None:
            return None
        content = await self._rewritten(file, read[0], names)
        if content == read[0] and manifest is info.manifest:
            return None
        listed = ", ".join(f"{old} to {new}" for old, new in moved.items())
        revision = self._committer.revision(
            file.project_id, info, cause, parent=file.head, number=file.head.number + 1
        )
        revision = _with_content(revision, content).model_copy(
            update={"reason": f"references follow {listed}"[:_MAX_REASON_CHARS]}
        )
        if manifest is not None:
            metadata = {**(manifest.metadata or {}), "digest": revision.digest}
            manifest = manifest.model_copy(update={"metadata": metadata})
        step = FileWrite(
            revision=revision,
            content=content,
            manifest=manifest,
            events=(AppendEvent(cause.place, changed(revision)),),
            working_digest=info.digest,
        )
        return Unit((step,), Noticed(revisions=(revision,)))

    async def _rewritten(self, file: _Follower, content: bytes, names: _Names) -> bytes:
        """Return the bytes of a text with its references to what moved."""
        text = _text_of(content)
        if text is None or (file.was is None and not names.may_be_in(text)):
            return content
        path, moved, was = file.info.path, names.moved, file.was
        if len(text) <= _SMALL_CHARS:
            return _rewritten(path, text, moved, was)
        return await asyncio.to_thread(_rewritten, path, text, moved, was)


@dataclass(frozen=True, slots=True)
class _Follower:
    """A file that may point to what moved."""

    project_id: str
    info: FileInfo
    head: RecordedFile
    was: str | None
    """Where it was itself, if it moved too."""


class _Names:
    """What moved, and whether a text can speak of it: most cannot."""

    def __init__(self, moved: dict[str, str]) -> None:
        self.moved = moved
        self._last = frozenset(path.rpartition("/")[2] for path in moved)
        # a name with other signs may be written in more than one way
        self._is_plain = all(_WORD.fullmatch(name) for name in self._last)

    def may_be_in(self, text: str) -> bool:
        """Return whether a text has a name of what moved; linear in the text."""
        if not self._is_plain:
            return True
        return any(found[0] in self._last for found in _WORD.finditer(text))


def _renamed_records(
    held: Iterable[QuarantineRecord], rename: Rename
) -> tuple[Change, ...]:
    """Return the records of drafts that know the file, with its new name."""
    changes: list[Change] = []
    for record in held:
        named = {
            name: rename.new
            for name in ("path", "draft")
            if getattr(record, name) == rename.old
        }
        if named:
            changes.append(PutQuarantine(record.model_copy(update=named)))
    return tuple(changes)


def _rewritten(path: str, text: str, moved: dict[str, str], was: str | None) -> bytes:
    row = row_of_path(path)
    if row is None:
        return text.encode()
    kind = "css" if row.extension == ".css" else row.kind
    return rewrite_references(text, kind, moved, at=path, was=was).text.encode()


def _may_refer(info: FileInfo) -> bool:
    row = row_of_path(info.path)
    if row is None or info.size > _MAX_TEXT_BYTES:
        return False
    return row.kind in _REFERRING_KINDS or row.extension == ".css"


def _with_content(revision: Revision, content: bytes) -> Revision:
    return revision.model_copy(
        update={"digest": sha256(content).hexdigest(), "size": len(content)}
    )


def _text_of(content: bytes | None) -> str | None:
    if content is None or len(content) > _MAX_TEXT_BYTES:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _trace(path: str, digest: str) -> FileTrace:
    # the size only tells empty files from others
    return FileTrace(path, 0 if digest == _EMPTY_DIGEST else 1, digest)
