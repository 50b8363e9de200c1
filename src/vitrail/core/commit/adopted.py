"""Manifests of files that another program wrote or renamed; no IO.

Strategy: a manifest that is there goes along, brought up to date. A page, a
drawing or a document without one gets one by its name (spec/open-design-1
§10), with the file's own time, unless it is a tool's: what lies in a folder
that tools fill, or the page of a development server, which is no page without
it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import turbohtml
from turbohtml import TokenType

from vitrail.core.commit.inference import manifest_for_person
from vitrail.core.commit.plan import Origin
from vitrail.protocol.manifest import ArtifactManifest

__all__ = ["Adopted", "adopted_manifest", "is_of_tool", "renamed_manifest"]

_TOOL_FOLDERS: Final = frozenset(
    {"node_modules", "dist", "build", "out", "coverage", "target", "vendor"}
)
"""What is in these is made from what is beside them."""

_VITE_CONFIGS: Final = frozenset(
    f"vite.config.{extension}" for extension in ("js", "ts", "mjs", "mts", "cjs", "cts")
)


@dataclass(frozen=True, slots=True)
class Adopted:
    """A file that another program wrote."""

    path: str
    content: bytes
    modified_at: str
    """UTC with milliseconds and ``Z``."""
    previous: ArtifactManifest | None = None
    """What lies beside it."""
    files: Collection[str] = ()
    """Paths of the project."""
    package: bytes | None = None
    """The ``package.json`` beside it, if there is one."""
    origin: Origin = field(default_factory=Origin)
    """The run in which it was written, as far as there was one."""


def adopted_manifest(file: Adopted) -> ArtifactManifest | None:
    """Return the manifest that goes beside the file; None: it gets none.

    >>> page = Adopted("a.html", b"<!doctype html>", "2026-01-01T00:00:00.000Z")
    >>> adopted_manifest(page).metadata["reconciled"]
    True
    """
    if file.previous is None and is_of_tool(file):
        return None
    made = manifest_for_person(
        file.path,
        file.content,
        previous=file.previous,
        is_new=True,
        now=file.modified_at,
    )
    if made is None:
        return None
    if file.previous is not None:
        # of a copied pair the manifest still names the file it was copied from
        return made.model_copy(update={"entry": file.path})
    metadata: dict[str, Any] = {**(made.metadata or {}), "reconciled": True}
    if file.origin != Origin():
        metadata["origin"] = {
            "run": file.origin.run,
            "message": file.origin.message,
            "model": file.origin.model,
        }
    return made.model_copy(update={"metadata": metadata})


def is_of_tool(file: Adopted) -> bool:
    """Return whether a file is a tool's, and no artifact of its own."""
    folders = file.path.casefold().split("/")[:-1]
    if not _TOOL_FOLDERS.isdisjoint(folders):
        return True
    return _is_dev_page(file)


def renamed_manifest(
    manifest: ArtifactManifest, moved: Mapping[str, str], *, now: str
) -> ArtifactManifest:
    """Return the manifest after files were renamed; the very same where it names none.

    ``moved`` has the new paths by the old ones.
    """
    changes: dict[str, Any] = {}
    if manifest.entry in moved:
        changes["entry"] = moved[manifest.entry]
    if isinstance(manifest.primary, str) and manifest.primary in moved:
        changes["primary"] = moved[manifest.primary]
    parts = manifest.supporting_files or ()
    if not moved.keys().isdisjoint(parts):
        changes["supporting_files"] = tuple(moved.get(path, path) for path in parts)
    draft_of = (manifest.metadata or {}).get("draftOf")
    if isinstance(draft_of, str) and draft_of in moved:
        changes["metadata"] = {
            **(manifest.metadata or {}),
            "draftOf": moved[draft_of],
        }
    if not changes:
        return manifest
    return manifest.model_copy(update={**changes, "updated_at": now})


def _is_dev_page(file: Adopted) -> bool:
    """Return whether a page only works behind Vite's server."""
    folder, _, name = file.path.rpartition("/")
    if name.casefold() != "index.html" or b"/src/" not in file.content:
        return False
    beside = {
        path.rpartition("/")[2]
        for path in file.files
        if path.rpartition("/")[0] == folder
    }
    if _VITE_CONFIGS.isdisjoint(beside) and not _depends_on_vite(file.package):
        return False
    page = file.content.decode(errors="replace")
    return any(
        token.type is TokenType.START_TAG
        and token.tag == "script"
        and _is_dev_script(dict(token.attrs or ()))
        for token in turbohtml.tokenize(page)
    )


def _is_dev_script(attributes: Mapping[str, str | None]) -> bool:
    kind, source = attributes.get("type") or "", attributes.get("src") or ""
    return kind.strip().lower() == "module" and source.strip().startswith("/src/")


def _depends_on_vite(package: bytes | None) -> bool:
    if package is None:
        return False
    try:
        said = json.loads(package)
    except (ValueError, RecursionError):
        return False
    if not isinstance(said, dict):
        return False
    lists = (said.get("dependencies"), said.get("devDependencies"))
    return any(isinstance(items, dict) and "vite" in items for items in lists)
