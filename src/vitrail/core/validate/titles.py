"""Rule: a title is one line of at most 200 characters."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Final

from vitrail.core.validate.candidate import Candidate, Finding
from vitrail.limits import MAX_TITLE_CHARS
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["readable_title"]

_UNREADABLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Control characters, halves of characters, line and paragraph separators."""

_DIRECTION: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the text after them around."""


def readable_title(candidate: Candidate) -> Finding | None:
    """Mend a title that is too long or holds line breaks or control characters."""
    title = candidate.title
    mended = _one_line(title)[:MAX_TITLE_CHARS].rstrip()
    if mended == title.strip():
        return None
    return Finding(
        Diagnostic(
            "title-mended",
            "warning",
            f"A title is one line of at most {MAX_TITLE_CHARS} characters without "
            "control characters; it was shortened to that.",
        ),
        outcome="fixed",
        candidate=replace(candidate, title=mended),
    )


def _one_line(title: str) -> str:
    readable = "".join(
        " "
        if unicodedata.category(char) in _UNREADABLE
        else ("" if char in _DIRECTION else char)
        for char in title
    )
    return readable.strip()
