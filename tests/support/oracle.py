"""What the reference parser says of a tag at one place: the judge of "is this code"."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.token import Token

from vitrail.core.parse import StreamParser
from vitrail.protocol.events import ArtifactStart

__all__ = ["MARK", "TAGS", "Answer", "Document", "differences", "judge"]

MARK = "qzx"
"""What stands in the tag that is put into a document, and nowhere else in it."""

TAGS = (
    f'<artifact identifier="{MARK}" type="text/html"><i></artifact>',
    f"<artifact identifier='{MARK}' type='text/html'><i></artifact>",
    f"<artifact identifier={MARK} type=text/html><i></artifact>",
    f'<artifact title="{MARK}"></artifact>',
)
"""Tags that are artifacts in the middle of a line too; the last one has no name."""

Answer: TypeAlias = Literal["code", "text", "elsewhere"]
"""``elsewhere``: in the destination or title of a link, or in a definition."""

_COMMONMARK = MarkdownIt("commonmark")
_HIDING = re.compile(
    r"<(?:(?:script|pre|style|textarea)(?=[\s>]|$)|!--|\?|![A-Za-z]|!\[CDATA\[)",
    re.IGNORECASE,
)
_BACKSLASHES = re.compile(r"\\*\Z")
_DEEP_QUOTE_MARK = re.compile(r">[ >]*\n *(?:    |> {5})[ >]*>")
_TAB_BEHIND_QUOTES = re.compile(r"(?:>[^>\n]*){2}>[^>\n]*\t")


Document: TypeAlias = tuple[str, Answer]
"""A document with a tag in it, and what the reference says of the tag."""


def differences(text: str, tag: str) -> list[Document]:
    """Return the documents that parser and reference tell apart: each with the tag at
    another place of the text. What `docs/deviations.md` lists is left out."""
    different: list[Document] = []
    for place in range(len(text) + 1):
        document = text[:place] + tag + text[place:]
        answer, holder = _judge(document, place, MARK)
        if answer == "elsewhere" or _is_artifact(document) == (answer == "text"):
            continue
        if answer == "text" and holder == "html_block" and _is_escaped(document, place):
            continue  # a backslash is taken at its word in the one tag of a block, too
        if holder == "code_block" and _is_behind_text(document, place):
            continue
        if (
            holder == "code_inline"
            and tag != TAGS[-1]
            and _begins_line(document, place)
        ):
            continue
        if _has_odd_quote(document):
            continue
        different.append((document, answer))
    return different


def _is_artifact(document: str) -> bool:
    parser = StreamParser(dialect="tag")
    return any(
        MARK in (event.identifier, event.title) and event.recovered is None
        for event in (*parser.feed(document), *parser.close())
        if isinstance(event, ArtifactStart)
    )


def _begins_line(document: str, place: int) -> bool:
    line = document[:place].replace("\r", "\n").rpartition("\n")[2]
    return not line.strip(" \t")


def _is_escaped(document: str, place: int) -> bool:
    found = _BACKSLASHES.search(document[:place])
    return found is not None and len(found.group()) % 2 == 1


def _is_behind_text(document: str, place: int) -> bool:
    """The reference ends an item's text at a mark that is indented by four columns or more,
    but less than the item, and then finds code; CommonMark goes on with the text."""
    above, _, line = document[:place].replace("\r", "\n").rpartition("\n")
    deep = line.expandtabs(4).startswith("    ")
    return deep and bool(above.rpartition("\n")[2].strip())


def _has_odd_quote(document: str) -> bool:
    """The reference goes on with a quote at a mark that is indented by four columns or
    more, and miscounts a tab behind three marks; CommonMark does neither."""
    lines = document.replace("\r\n", "\n").replace("\r", "\n")
    return bool(
        _DEEP_QUOTE_MARK.search(lines.expandtabs(4)) or _TAB_BEHIND_QUOTES.search(lines)
    )


def judge(document: str, place: int, mark: str) -> Answer:
    """Return what is at `place`, where a tag begins that alone holds `mark`."""
    return _judge(document, place, mark)[0]


def _judge(document: str, place: int, mark: str) -> tuple[Answer, str]:
    """Return that, and the type of the token that holds the tag, or nothing."""
    for token in _COMMONMARK.parse(document):
        if token.type in {"fence", "code_block"} and mark in token.content + token.info:
            return "code", token.type
        if token.type == "html_block" and mark in token.content:
            hides = _HIDING.match(token.content.lstrip(" \t"))
            return "code" if hides else "text", token.type
        if token.type == "inline" and mark in token.content:
            found, kind = _judge_inline(token.children or [], mark)
            if found == "text" and _is_escaped(document, place):
                return "code", kind
            return found, kind
    return "elsewhere", ""


def _judge_inline(children: list[Token], mark: str) -> tuple[Answer, str]:
    for child in children:
        if child.type == "image":
            found = _judge_inline(child.children or [], mark)
            if found[0] != "elsewhere":
                return found
        elif mark in child.content:
            if child.type == "code_inline":
                return "code", child.type
            if child.type == "html_inline":
                is_tag = child.content.startswith("<artifact")
                return "text" if is_tag else "code", child.type
            if child.type == "text":
                return "text", child.type
    return "elsewhere", ""
