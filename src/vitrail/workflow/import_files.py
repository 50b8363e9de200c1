"""Files that come in from an archive or a folder: all of them, or none with the list why.

Strategy: everything that can be refused is, before the first file is written:
the source judges itself whole, its names are laid beside the files that are
there, and the gates are asked about each page. Then each file goes through the
write entry like any other write. A file whose bytes are there already is left
alone, so an import that was cut off can simply be done again.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from vitrail.core.export.entries import (
    IncomingFile,
    JudgedEntries,
    clash,
    taken_names,
)
from vitrail.core.validate import PriorPages, validate_manifest
from vitrail.core.validate.reasons import stated_reason
from vitrail.errors import InvalidInput
from vitrail.ports import Clock, ImportSource, Store
from vitrail.protocol.imports import (
    ImportedFile,
    ImportRefusal,
    ImportResult,
    LeftOut,
)
from vitrail.protocol.manifest import ArtifactManifest, Kind
from vitrail.protocol.records import FileInfo
from vitrail.protocol.times import timestamp
from vitrail.workflow.gating import GateKeeper, Judged, Question
from vitrail.workflow.long_texts import apart_where_long, kind_of_content
from vitrail.workflow.write import Entered, Entry, FileWriter, ManifestMaker

__all__ = ["FileImports", "import_refused", "refused_alone"]

_REASON: Final = "imported"

_NO_TIME: Final = "1970-01-01T00:00:00.000Z"
"""Of a manifest that is only judged."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A file that is to be written."""

    file: IncomingFile
    there: FileInfo | None
    manifest: ArtifactManifest | None


class FileImports:
    """Imports of one store's projects."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        writer: FileWriter,
        gates: GateKeeper | None = None,
    ) -> None:
        """``gates`` are those of ``writer``."""
        self._store = store
        self._clock = clock
        self._writer = writer
        self._gates = gates or GateKeeper()

    async def bring_in(
        self, project_id: str, source: ImportSource, *, replace: str | None = None
    ) -> ImportResult:
        """Write a source's files into a project and return what each became.

        ``replace`` says why files that are there are replaced; without it one
        with other bytes refuses the import. Raises
        ``InvalidInput('import-refused')``, whose ``refused`` is the whole list
        and after which nothing is written, and ``archive-invalid``.
        """
        replace = stated_reason(replace)
        project = await self._store.project(project_id)
        judged = await source.examine()
        there = {info.path: info for info in await self._store.files(project_id)}
        refused = [*judged.refused, *_clashes(judged, there)]
        if refused:
            raise import_refused(refused)
        wanted, done, left_out = await self._choose(judged, source, there)
        refused = await self._refused(
            project_id, wanted, source, replace, PriorPages(there.values())
        )
        if refused:
            raise import_refused(refused)
        entries = self._entries(
            project_id, wanted, source, replace, PriorPages(there.values())
        )
        done += map(_imported, await self._writer.enter_all(entries))
        return ImportResult(
            kind="files",
            project=project,
            files=tuple(sorted(done, key=lambda file: file.path)),
            left_out=(*judged.left_out, *left_out),
        )

    async def _choose(
        self, judged: JudgedEntries, source: ImportSource, there: dict[str, FileInfo]
    ) -> tuple[list[_Wanted], list[ImportedFile], list[LeftOut]]:
        """Return what is to be written, what is there already, what does not fit."""
        wanted: list[_Wanted] = []
        done: list[ImportedFile] = []
        left_out: list[LeftOut] = []
        for file in judged.files:
            info = there.get(file.path)
            content = await source.read(file.entry)
            digest = await apart_where_long(len(content), _digest_of(content))
            if info is not None and info.digest == digest:
                same = ImportedFile(
                    path=file.path, digest=digest, revision=None, verdict="unchanged"
                )
                done.append(same)
                continue
            now = timestamp(self._clock.now())
            manifest = await _manifest(file, source, now)
            if file.manifest is not None and manifest is None:
                left_out.append(LeftOut(name=file.manifest.name, reason="manifest"))
            wanted.append(_Wanted(file, info, manifest))
        return wanted, done, left_out

    async def _refused(
        self,
        project_id: str,
        wanted: list[_Wanted],
        source: ImportSource,
        replace: str | None,
        priors: PriorPages,
    ) -> list[ImportRefusal]:
        """Return what stands in the way of writing; nothing is written for it."""
        refused: list[ImportRefusal] = []
        for one in wanted:
            path = one.file.path
            if one.there is not None and replace is None:
                refused.append(_exists(path))
                continue
            content = await source.read(one.file.entry)
            question = await _question(project_id, one, content, replace, priors)
            verdict = await self._gates.judge(self._store, question)
            if verdict.outcome == "refused":
                refused.append(_gate_refusal(path, verdict))
            # a page of the same import may be too short beside this one
            priors.add(path, len(content), one.manifest)
        return refused

    async def _entries(
        self,
        project_id: str,
        wanted: list[_Wanted],
        source: ImportSource,
        replace: str | None,
        priors: PriorPages,
    ) -> AsyncIterator[Entry]:
        """Yield what is to be written, each read when its turn comes."""
        for one in wanted:
            content = await source.read(one.file.entry)
            yield Entry(
                project_id=project_id,
                path=one.file.path,
                content=content,
                author="person",
                replaces=one.there.digest if one.there else None,
                manifest=self._maker(one),
                kind=one.manifest.kind if one.manifest else None,
                identifier=_identifier(one.manifest),
                reason=_REASON,
                replace_reason=replace if one.there else None,
                priors=priors,
            )
            priors.add(one.file.path, len(content), one.manifest)

    def _maker(self, one: _Wanted) -> ManifestMaker:
        manifest = one.manifest
        if manifest is None:
            return self._writer.persons_manifest(is_new=one.there is None)

        def made(
            path: str, content: bytes, previous: ArtifactManifest | None
        ) -> ArtifactManifest:
            del path, previous
            digest = sha256(content).hexdigest()
            kept = {**(manifest.metadata or {}), "digest": digest}
            return manifest.model_copy(update={"metadata": kept})

        return made


async def refused_alone(
    judged: JudgedEntries, source: ImportSource, gates: GateKeeper
) -> tuple[ImportRefusal, ...]:
    """Return what the gates refuse of a source's files in a project without files."""
    refused: list[ImportRefusal] = []
    priors = PriorPages()
    for file in judged.files:
        content = await source.read(file.entry)
        one = _Wanted(file, None, await _manifest(file, source, _NO_TIME))
        question = await _question("", one, content, None, priors)
        verdict = await gates.judge_alone(question)
        if verdict.outcome == "refused":
            refused.append(_gate_refusal(file.path, verdict))
        priors.add(file.path, len(content), one.manifest)
    return tuple(refused)


async def _manifest(
    file: IncomingFile, source: ImportSource, now: str
) -> ArtifactManifest | None:
    """Return the manifest that lies beside a file, rebuilt; None where it does not hold."""
    if file.manifest is None:
        return None
    try:
        value = json.loads(await source.read(file.manifest))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("version") != 1:
        return None
    verdict = validate_manifest(
        {**value, "entry": file.path}, file.path, now=now, preserve_updated_at=True
    )
    return verdict.manifest


async def _question(
    project_id: str,
    one: _Wanted,
    content: bytes,
    reason: str | None,
    priors: PriorPages,
) -> Question:
    return Question(
        project_id=project_id,
        path=one.file.path,
        kind=await _kind(one, content),
        content=content,
        file=one.there,
        identifier=_identifier(one.manifest),
        replace_reason=reason,
        priors=priors,
    )


def _gate_refusal(path: str, verdict: Judged) -> ImportRefusal:
    code = verdict.code or "artifact-publication-blocked"
    words = " ".join(found.message for found in verdict.diagnostics)
    return ImportRefusal(name=path, code=code, message=words)


def _imported(entered: Entered) -> ImportedFile:
    record = entered.record
    return ImportedFile(
        path=record.path if record else entered.revision.path,
        digest=entered.revision.digest,
        revision=entered.revision.id,
        verdict=entered.outcome,
        draft=record.draft if record else None,
        diagnostics=entered.diagnostics,
    )


def import_refused(refused: list[ImportRefusal]) -> InvalidInput:
    """Return the error that lists what may not come in."""
    first = refused[0]
    named = f"{first.name}: " if first.name else ""
    more = f" And {len(refused) - 1} more." if len(refused) > 1 else ""
    return InvalidInput(
        f"Nothing was imported. {named}{first.message}{more}",
        code="import-refused",
        refused=[one.model_dump(mode="json", by_alias=True) for one in refused],
    )


def _digest_of(content: bytes) -> Callable[[], str]:
    return lambda: sha256(content).hexdigest()


def _clashes(judged: JudgedEntries, there: dict[str, FileInfo]) -> list[ImportRefusal]:
    taken = taken_names(there)
    found = (clash(file.path, taken) for file in judged.files)
    return [refusal for refusal in found if refusal is not None]


async def _kind(one: _Wanted, content: bytes) -> Kind | None:
    if one.manifest is not None:
        return one.manifest.kind
    if one.there is not None and one.there.manifest is not None:
        return one.there.manifest.kind
    return await kind_of_content(one.file.path, content)


def _exists(path: str) -> ImportRefusal:
    return ImportRefusal(
        name=path,
        code="file-exists",
        message="There is a file of that name with other bytes. State a reason to "
        "replace it, or import into another project.",
    )


def _identifier(manifest: ArtifactManifest | None) -> str:
    value = (manifest.metadata or {}).get("identifier") if manifest else None
    return value if isinstance(value, str) else ""
