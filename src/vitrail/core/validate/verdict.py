"""Candidate to verdict: the rules asked in their order."""

from __future__ import annotations

from vitrail.core.validate.candidate import OUTCOMES, Candidate, Outcome, Verdict
from vitrail.core.validate.rules import RULES
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["validate"]


def validate(candidate: Candidate) -> Verdict:
    """Return the verdict of the rules; linear in the body.

    >>> validate(Candidate("html", "I have updated the page.")).outcome
    'refused'
    """
    outcome: Outcome = "accepted"
    diagnostics: list[Diagnostic] = []
    for rule in RULES:
        if candidate.kind not in rule.kinds:
            continue
        if not candidate.is_complete and not rule.judges_cut_bodies:
            continue
        finding = rule.check(candidate)
        if finding is None:
            continue
        diagnostics.append(finding.diagnostic)
        outcome = max(outcome, finding.outcome, key=OUTCOMES.index)
        if outcome == "refused":
            break
        candidate = finding.candidate or candidate
    return Verdict(outcome, candidate, tuple(diagnostics))
