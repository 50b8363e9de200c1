"""Rule: a page is at least 64 characters long."""

from __future__ import annotations

from vitrail.core.validate.candidate import Candidate, Finding
from vitrail.core.validate.whitespace import BLANK
from vitrail.limits import MIN_HTML_CHARS
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["long_enough"]


def long_enough(candidate: Candidate) -> Finding | None:
    """Refuse a page of fewer than `MIN_HTML_CHARS` code points, ends trimmed."""
    length = len(candidate.body.strip(BLANK))
    if length >= MIN_HTML_CHARS:
        return None
    return Finding(
        Diagnostic(
            "html-too-short",
            "error",
            f"The page has {length} characters; a whole document has at least "
            f"{MIN_HTML_CHARS}. Write the complete document between the tags.",
        )
    )
