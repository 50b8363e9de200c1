"""Rule: a body has at least one visible character."""

from __future__ import annotations

from vitrail.core.validate.candidate import Candidate, Finding
from vitrail.core.validate.whitespace import BLANK
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["not_empty"]


def not_empty(candidate: Candidate) -> Finding | None:
    """Refuse a body of nothing but white space and a byte order mark."""
    if candidate.body.strip(BLANK):
        return None
    return Finding(
        Diagnostic(
            "artifact-empty",
            "error",
            "The artifact has no content, so nothing was saved. Write the whole "
            "content between its tags.",
        )
    )
