"""The gates of the write entry (seed 003 §5.2), in their order; one file each.

Strategy: every write of a page passes them, whoever it comes from. The first
mends what would break at once and tells it; the second refuses; the third
keeps a page that lost most of itself from going on top of the good one. A
gate that refuses ends the questions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from vitrail.core.validate.candidate import OUTCOMES, Outcome
from vitrail.core.validate.gated import (
    GateCandidate,
    GateFinding,
    GatePolicy,
    GateVerdict,
)
from vitrail.core.validate.publication import no_placeholders
from vitrail.core.validate.runtime_imports import working_imports
from vitrail.core.validate.stub_guard import no_stub
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["GATES", "check_gates"]

_Gate: TypeAlias = Callable[[GateCandidate, GatePolicy], GateFinding | None]

GATES: Final[tuple[_Gate, ...]] = (working_imports, no_placeholders, no_stub)
"""In the order of seed 003 §5.2."""

_STANDARD: Final = GatePolicy()


def check_gates(
    candidate: GateCandidate, policy: GatePolicy = _STANDARD
) -> GateVerdict:
    """Return what the gates say of content that is about to be written; linear in it.

    >>> page = GateCandidate("deck.html", "deck", b"<p>We raise $X.XM</p>")
    >>> verdict = check_gates(page)
    >>> verdict.outcome, verdict.placeholders
    ('refused', ('$X.XM',))
    """
    outcome: Outcome = "accepted"
    diagnostics: list[Diagnostic] = []
    findings: list[GateFinding] = []
    for gate in GATES:
        finding = gate(candidate, policy)
        if finding is None:
            continue
        findings.append(finding)
        diagnostics += finding.diagnostics
        outcome = max(outcome, finding.outcome, key=OUTCOMES.index)
        if outcome == "refused":
            break
        if finding.content is not None:
            candidate = replace(candidate, content=finding.content)
    return GateVerdict(
        outcome,
        candidate.content,
        tuple(diagnostics),
        placeholders=tuple(text for one in findings for text in one.placeholders),
        regression=next((one.regression for one in findings if one.regression), None),
    )
