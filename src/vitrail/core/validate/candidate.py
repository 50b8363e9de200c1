"""Candidates and verdicts: what is checked, and what the rules say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import Kind

__all__ = ["OUTCOMES", "Candidate", "Finding", "Outcome", "Verdict"]

Outcome: TypeAlias = Literal["accepted", "fixed", "quarantined", "refused"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
"""From the best to the worst."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Content that wants to become a revision."""

    kind: Kind
    body: str
    is_complete: bool = True
    """False for a body that ended before its close tag: some rules cannot judge it."""
    identifier: str = ""
    title: str = ""
    path: str = ""
    """Where it is to go, if that is known; relative references start there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule says; spans are code points of the body."""

    diagnostic: Diagnostic
    outcome: Outcome = "refused"
    """What it means for the candidate; the worst of all findings decides."""
    candidate: Candidate | None = None
    """The candidate as the rule mended it, of the outcome ``fixed``."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The rules' answer."""

    outcome: Outcome
    candidate: Candidate
    """As it came, or as the rules mended it."""
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether the candidate may become the head of its file."""
        return self.outcome in ("accepted", "fixed")
