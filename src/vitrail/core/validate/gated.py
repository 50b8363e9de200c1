"""What the gates of the write entry are asked about, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from vitrail.core.validate.candidate import Outcome
from vitrail.core.validate.placeholders import Placeholder
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import Kind

__all__ = [
    "GATED_KINDS",
    "GateCandidate",
    "GateFinding",
    "GateMode",
    "GatePolicy",
    "GateVerdict",
    "PriorFile",
    "Regression",
]

GATED_KINDS: Final[frozenset[Kind]] = frozenset({"html", "deck"})
"""Kinds that the publication and the stub gate ask about (seed 003 §5.2): the words
of a template and a short text are fine in a draft of another kind."""

GateMode: TypeAlias = Literal["off", "warn", "quarantine", "reject"]
"""What the stub gate does with a page that is far shorter than what it replaces."""


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """How strict the stub gate is; the numbers are the reference's."""

    mode: GateMode = "quarantine"
    min_ratio: float = 0.2
    """Smallest share of the largest prior's bytes that a page keeps; in (0, 1]."""
    min_prior_bytes: int = 4096
    """A prior that is smaller is nothing to compare with."""


@dataclass(frozen=True, slots=True)
class PriorFile:
    """A file that an artifact was saved as before."""

    path: str
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class GateCandidate:
    """Bytes that are about to be written to a path."""

    path: str
    kind: Kind
    content: bytes
    identifier: str = ""
    """The artifact's, as its manifest will have it."""
    siblings: tuple[PriorFile, ...] = ()
    """What it was saved as before, the file it replaces included; see `prior_files`."""
    previous: bytes | None = None
    """Content of the file it replaces, where that is at hand."""
    placeholders: tuple[Placeholder, ...] = ()
    """Declared by the project or the manifest, beside the five; see
    `declared_placeholders`."""
    replace_reason: str | None = None
    """Why somebody wants the replacement as it is; a blank one is none."""
    is_complete: bool = True
    """False for a body that was cut: it never goes on top of a good file, and what it
    lacks it may still get."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A page that is far shorter than what it was before."""

    identifier: str
    new_size: int
    """Bytes."""
    prior_size: int
    """Bytes."""
    prior_name: str
    """Path of the largest prior."""


@dataclass(frozen=True, slots=True)
class GateFinding:
    """What one gate says."""

    outcome: Outcome
    diagnostics: tuple[Diagnostic, ...]
    content: bytes | None = None
    """The content as the gate mended it."""
    placeholders: tuple[str, ...] = ()
    regression: Regression | None = None


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """The gates' answer."""

    outcome: Outcome
    content: bytes
    """To write: as it came, or as a gate mended it."""
    diagnostics: tuple[Diagnostic, ...] = ()
    placeholders: tuple[str, ...] = ()
    """Found in it, in the order of the list; not empty means refused."""
    regression: Regression | None = None

    @property
    def ok(self) -> bool:
        """Whether it may become the head of its file."""
        return self.outcome in ("accepted", "fixed")

    @property
    def code(self) -> str | None:
        """The error code of what was not let through; None where all was."""
        if self.ok:
            return None
        if self.placeholders:
            return "artifact-publication-blocked"
        return "artifact-regression"

    @property
    def details(self) -> dict[str, Any]:
        """Facts for programs, as members of the problem document."""
        if self.placeholders:
            return {"placeholders": list(self.placeholders)}
        found = self.regression
        if found is None:
            return {}
        return {
            "identifier": found.identifier,
            "newSize": found.new_size,
            "priorSize": found.prior_size,
            "priorName": found.prior_name,
        }
