"""The artifact manifest: ``NAME.artifact.json`` beside an entry file (seed 003 §5.1)."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

__all__ = [
    "EXPORTS",
    "KINDS",
    "MANIFEST_SUFFIX",
    "RENDERERS",
    "RENDERER_OF",
    "STATUSES",
    "ArtifactManifest",
    "Export",
    "Kind",
    "Renderer",
    "Status",
]

MANIFEST_SUFFIX: Final = ".artifact.json"
"""What is appended to the entry's name."""

Kind: TypeAlias = Literal[
    "html",
    "deck",
    "react-component",
    "markdown-document",
    "svg",
    "diagram",
    "code-snippet",
    "mini-app",
    "design-system",
]
Renderer: TypeAlias = Literal[
    "html",
    "deck-html",
    "react-component",
    "markdown",
    "svg",
    "diagram",
    "code",
    "mini-app",
    "design-system",
]
Export: TypeAlias = Literal["html", "pdf", "zip", "jsx", "md", "svg", "txt"]
Status: TypeAlias = Literal["streaming", "complete", "error"]

KINDS: Final = frozenset(get_args(Kind))
RENDERERS: Final = frozenset(get_args(Renderer))
RENDERER_OF: Final[dict[Kind, Renderer]] = {
    "html": "html",
    "deck": "deck-html",
    "react-component": "react-component",
    "markdown-document": "markdown",
    "svg": "svg",
    "diagram": "diagram",
    "code-snippet": "code",
    "mini-app": "mini-app",
    "design-system": "design-system",
}
"""The renderer that is each kind's own."""

EXPORTS: Final = frozenset(get_args(Export))
STATUSES: Final = frozenset(get_args(Status))


class ArtifactManifest(BaseModel):
    """What makes a file an artifact: its kind, how it is drawn, what it exports to.

    Built by ``core.commit`` only, by white list; unknown keys of an input do
    not survive. Times are UTC with milliseconds and a ``Z``.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        serialize_by_alias=True,
        use_attribute_docstrings=True,
    )

    version: Literal[1] = 1
    kind: Kind
    title: str
    entry: str
    """Path of the entry file, relative to the project."""
    renderer: Renderer
    status: Status = "complete"
    exports: tuple[Export, ...]
    primary: bool | str | None = None
    """``true``, or the path of the file to open first."""
    supporting_files: tuple[str, ...] | None = None
    created_at: str
    updated_at: str
    source_skill_id: str | None = None
    design_system_id: str | None = None
    metadata: dict[str, Any] | None = None
    """``identifier``, ``artifactType``, and what Vitrail adds; at most 16 KiB of JSON.

    Additions, each of them optional: ``inferred`` (nobody said what the file is),
    ``origin`` (``run``, ``message``, ``model``), ``digest`` of the entry and
    ``parentDigest`` of what it replaced, ``recoveredFrom`` (how the content was found
    that no tag announced), ``network`` (``policy`` and ``origins``: what its preview
    may reach), ``checks`` (``name``, ``outcome``, ``digest``, ``at``: what was
    tried on which content), ``placeholders`` (see docs/gates.md), ``draftOf`` and
    ``draftReason``. Other keys are kept as they are.
    """
