"""What the reference parser says of a tag at one place: the judge of "is this code"."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["Answer", "hides_by_code_span", "judge"]

Answer: TypeAlias = Literal["code", "text", "elsewhere"]
"""``elsewhere``: in the destination or title of a link, or in a definition."""

_COMMONMARK = MarkdownIt("commonmark")
_HIDING = re.compile(
    r"<(?:(?:script|pre|style|textarea)(?=[\s>]|$)|!--|\?|![A-Za-z]|!\[CDATA\[)",
    re.IGNORECASE,
)
_BACKSLASHES = re.compile(r"\\*\Z")


def judge(document: str, place: int, mark: str) -> Answer:
    """Return what is at `place`, where a tag begins that alone holds `mark`."""
    for token in _COMMONMARK.parse(document):
        if token.type in {"fence", "code_block"} and mark in token.content + token.info:
            return "code"
        if token.type == "html_block" and mark in token.content:
            return "code" if _HIDING.match(token.content.lstrip(" \t")) else "text"
        if token.type == "inline" and mark in token.content:
            found = _judge_inline(token.children or [], mark)
            return _unless_escaped(document, place) if found == "text" else found
    return "elsewhere"


def _judge_inline(children: list[Token], mark: str) -> Answer:
    for child in children:
        if child.type == "image" and (
            found := _judge_inline(child.children or [], mark)
        ):
            if found != "elsewhere":
                return found
        elif child.type == "code_inline" and mark in child.content:
            return "code"
        elif child.type == "html_inline" and mark in child.content:
            return "text" if child.content.startswith("<artifact") else "code"
        elif child.type == "text" and mark in child.content:
            return "text"
    return "elsewhere"


def _unless_escaped(document: str, place: int) -> Answer:
    found = _BACKSLASHES.search(document[:place])
    return "code" if found and len(found.group()) % 2 else "text"


def hides_by_code_span(document: str, mark: str) -> bool:
    """Whether it is a code span that the mark is in."""
    return any(
        child.type == "code_inline" and mark in child.content
        for token in _COMMONMARK.parse(document)
        if token.type == "inline"
        for child in token.children or []
    )
