"""Which kinds of artifact are drawn, and which show their source."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from vitrail.protocol.manifest import ArtifactManifest, Kind

__all__ = ["MODES", "Mode", "kind_of", "mode_of"]

Mode: TypeAlias = Literal["document", "source"]

MODES: Final[dict[Kind, Mode]] = {
    "html": "document",
    "deck": "document",
    "svg": "document",
}
"""How a kind is shown; a kind that is not here shows its source."""

_KIND_BY_EXTENSION: Final[dict[str, Kind]] = {
    "html": "html",
    "htm": "html",
    "svg": "svg",
}


def kind_of(path: str, manifest: ArtifactManifest | None) -> Kind | None:
    """Return what a file is: what its manifest says, else what its name says.

    >>> kind_of("a/page.HTM", None), kind_of("notes.md", None)
    ('html', None)
    """
    if manifest is not None:
        return manifest.kind
    _, dot, extension = path.rpartition("/")[2].rpartition(".")
    return _KIND_BY_EXTENSION.get(extension.lower()) if dot else None


def mode_of(kind: Kind | None) -> Mode:
    """Return how a kind is shown."""
    return MODES.get(kind, "source") if kind is not None else "source"
