"""Rule: a page is a document, not a remark about one.

Strategy: the tokenizer says what the body begins with. Comments, white space
and an XML declaration may come first; then there has to be ``<!doctype html>``
or ``<html>``, and in it at least one other element, for a doctype or
``<html>`` before a sentence is still a sentence.
"""

from __future__ import annotations

from typing import Final

import turbohtml
from turbohtml import TokenType

from vitrail.core.validate.candidate import Candidate, Finding
from vitrail.core.validate.whitespace import BLANK
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["document_not_prose"]

_STARTS: Final = ("<!doctype html", "<html", "<!--", "<?xml")


def document_not_prose(candidate: Candidate) -> Finding | None:
    """Refuse a page that does not begin as a document and go on as one."""
    body = candidate.body.strip(BLANK)
    if not candidate.is_complete and _may_still_begin(body):
        return None
    if not _begins_as_document(body):
        return Finding(
            Diagnostic(
                "html-not-a-document",
                "error",
                "The content does not begin with <!doctype html> or <html>: it looks "
                "like a remark or a fragment. Write the complete document between "
                "the tags, and remarks outside of them.",
            )
        )
    if candidate.is_complete and not _has_content(body):
        return Finding(
            Diagnostic(
                "html-without-elements",
                "error",
                "The document has no element but <html>. Write the complete document, "
                "with its body.",
            )
        )
    return None


def _may_still_begin(body: str) -> bool:
    """Return whether a cut body is too short to tell what it begins with."""
    lowered = body[: max(map(len, _STARTS))].lower()
    return any(start.startswith(lowered) for start in _STARTS)


def _begins_as_document(body: str) -> bool:
    for token in turbohtml.tokenize(body, capture_attributes=False):
        match token.type:
            case TokenType.DOCTYPE:
                return (token.name or "").lower() == "html"
            case TokenType.START_TAG:
                return token.tag == "html"
            case TokenType.COMMENT | TokenType.PROCESSING_INSTRUCTION:
                continue
            case TokenType.TEXT if not (token.data or "").strip(BLANK):
                continue
            case _:
                return False
    # nothing but comments
    return False


def _has_content(body: str) -> bool:
    return any(
        token.type is TokenType.START_TAG and token.tag != "html"
        for token in turbohtml.tokenize(body, capture_attributes=False)
    )
