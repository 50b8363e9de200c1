"""Rules: a body holds whole characters and no NUL, so that every program reads it as text."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from vitrail.core.validate.candidate import Candidate, Finding
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["no_nul", "whole_characters"]

_REPLACEMENT: Final = "\ufffd"


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


def no_nul(candidate: Candidate) -> Finding | None:
    """Replace NUL by U+FFFD, and say so.

    Programs take a file with a NUL in it for no text, and HTML shows the sign
    in its place anyway (https://html.spec.whatwg.org/multipage/parsing.html,
    unexpected-null-character).
    """
    place = candidate.body.find("\0")
    if place < 0:
        return None
    return Finding(
        Diagnostic(
            "nul-character",
            "warning",
            "The content held NUL, which no text file may; it was replaced by U+FFFD.",
            (place, place + 1),
        ),
        outcome="fixed",
        candidate=replace(candidate, body=candidate.body.replace("\0", _REPLACEMENT)),
    )
