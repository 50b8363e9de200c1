"""Rule: a page refers to nothing in the folders of internal files.

A copied ``.live-artifacts/…`` address works nowhere but where it was copied.
"""

from __future__ import annotations

from typing import Final

from vitrail.core.document.references import Reference, local_segments, references_of
from vitrail.core.names import RESERVED_NAMES
from vitrail.core.validate.candidate import Candidate, Finding
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["no_storage_paths"]

_MAX_SHOWN_CHARS: Final = 120
"""Of a reference in a message; data and tracking addresses are endless."""


def no_storage_paths(candidate: Candidate) -> Finding | None:
    """Refuse a page with a reference into a reserved folder; the first is named."""
    for reference in references_of(candidate.body):
        if _is_reserved(reference):
            return Finding(
                Diagnostic(
                    "html-storage-path",
                    "error",
                    f"The page refers to {reference.value[:_MAX_SHOWN_CHARS]!r}, which "
                    "is in a folder of internal files and opens nowhere else. Refer "
                    "to a file of the project instead.",
                    reference.span,
                )
            )
    return None


def _is_reserved(reference: Reference) -> bool:
    segments = local_segments(reference.value)
    if reference.is_guessed:
        # a script also speaks of names (".tmp") and of folders elsewhere ("a/.tmp/b")
        return len(segments) > 1 and segments[0].casefold() in RESERVED_NAMES
    return any(segment.casefold() in RESERVED_NAMES for segment in segments)
