"""The manifest of a file that another program wrote, with what is beside it."""

from __future__ import annotations

from typing import Final

from vitrail.core.commit.adopted import Adopted, adopted_manifest
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo
from vitrail.workflow.long_texts import apart_where_long
from vitrail.workflow.outside_units import Cause, Committer, Look

__all__ = ["adopted"]

_PAGE: Final = "index.html"
_PACKAGE: Final = "package.json"


async def adopted(
    committer: Committer, look: Look, read: tuple[bytes, FileInfo], cause: Cause
) -> ArtifactManifest | None:
    """Return the manifest that goes beside the file; None: it gets none."""
    content, info = read
    package = None
    beside = info.path.removesuffix(_PAGE) + _PACKAGE
    is_page = info.path.rpartition("/")[2] == _PAGE
    if info.manifest is None and is_page and beside in look.paths:
        found = await committer.read(look.project_id, beside, None)
        package = found[0] if found else None
    file = Adopted(
        path=info.path,
        content=content,
        modified_at=info.modified_at,
        previous=info.manifest,
        files=look.paths,
        package=package,
        origin=cause.origin,
    )
    return await apart_where_long(len(content), lambda: adopted_manifest(file))
