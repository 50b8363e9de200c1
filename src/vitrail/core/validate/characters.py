"""Rule: a body holds whole characters, so that it can be written as UTF-8."""

from __future__ import annotations

from dataclasses import replace

from vitrail.core.validate.candidate import Candidate, Finding
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["whole_characters"]


def whole_characters(candidate: Candidate) -> Finding | None:
    """Replace halves of characters (lone surrogates) by U+FFFD, and say so."""
    body = candidate.body
    try:
        body.encode()
    except UnicodeEncodeError as problem:
        mended = replace(
            candidate,
            # surrogates that make a pair become the character they are halves of
            body=body.encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
        )
        return Finding(
            Diagnostic(
                "lone-surrogate",
                "warning",
                "The content held half a character; it was replaced by U+FFFD.",
                (problem.start, problem.start + 1),
            ),
            outcome="fixed",
            candidate=mended,
        )
    return None
