"""Where Markdown has addresses: destinations of links and pictures, and its raw HTML.

Strategy: `Markdown` says of each line what block takes it, so code stays code.
The lines of one paragraph are looked at together: code spans are found by
their runs of backticks, tags by the tokenizer of pages, and both are blanked
out, so that every place stays where it is; in what is left, brackets pair and
a destination follows them (CommonMark 0.31.2 §4.7, §6.3, §6.6). Each character
is looked at a fixed number of times.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final

from vitrail.core.document.tokens import html_tokens
from vitrail.core.text import Leaf, Markdown
from vitrail.core.text.characters import ASCII_PUNCTUATION
from vitrail.protocol.diagnostics import Span

__all__ = ["MarkdownLink", "markdown_links", "markdown_markup"]

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ITEM_OR_QUOTE: Final = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]|[ \t]*>")
_TICKS: Final = re.compile("`+")
_DEFINITION: Final = re.compile(
    r"(?:[ \t>]|[-*+][ \t]|[0-9]{1,9}+[.)][ \t])*+\[(?:[^\[\]\\]|\\.)++\]:[ \t]*+"
)
"""Behind the marks of the quotes and items that it may be in."""
_ESCAPE: Final = re.compile(
    r"\\([" + re.escape("".join(sorted(ASCII_PUNCTUATION))) + "])"
)
_BARE_UNSAFE: Final = re.compile(r"[\x00- ()<>\x7f]")
_TITLE: Final = r"(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))"
_LINK_END: Final = re.compile(
    rf"[ \t\r\n]*+\)|[ \t\r\n]++{_TITLE}[ \t\r\n]*+\)", re.DOTALL
)
_DEFINITION_END: Final = re.compile(
    rf"(?:[ \t]++{_TITLE})?+[ \t]*+(?=[\r\n]|\Z)", re.DOTALL
)
"""Each kind of title ends at the next mark of its kind, so none is read twice in vain."""
_MAX_PARENTHESES: Final = 32
"""Nesting in a bare destination, as in `vitrail.core.text.definitions`."""


@dataclass(frozen=True, slots=True)
class MarkdownLink:
    """One destination as it stands in the text."""

    span: Span
    """Without its angle brackets, code points."""
    address: str
    """Escapes and entities decoded."""
    is_angled: bool
    """Whether it stands in angle brackets."""

    def written(self, address: str) -> str:
        """Return an address as this place has to spell it."""
        escaped = address.replace("\\", "\\\\").replace("&", "&amp;")
        if self.is_angled:
            return escaped.replace("<", "\\<").replace(">", "\\>")
        return f"<{escaped}>" if _BARE_UNSAFE.search(escaped) else escaped


@dataclass(frozen=True, slots=True)
class _Piece:
    """Neighbouring lines of one kind, what hides in them blanked out."""

    start: int
    text: str
    is_html: bool


def markdown_links(text: str) -> Iterator[MarkdownLink]:
    """Yield the destinations of links, pictures and definitions, in order.

    >>> [link.address for link in markdown_links("![a](b.png) `[c](d)`")]
    ['b.png']
    """
    for piece in _pieces(text):
        if not piece.is_html:
            yield from _links(_blanked_tags(piece.text), piece.start)


def markdown_markup(text: str) -> Iterator[tuple[int, str]]:
    """Yield pieces that may hold tags, with where they begin; code in them is blank."""
    for piece in _pieces(text):
        if "<" in piece.text:
            yield piece.start, piece.text


def _pieces(text: str) -> Iterator[_Piece]:
    """Yield the paragraphs, headings and HTML blocks of a document."""
    start = end = 0
    is_html = is_whole = False
    for line_start, line_end, leaf in _lines(text):
        begins = _ITEM_OR_QUOTE.match(text, line_start, line_end) is not None
        goes_on = (
            end == line_start
            and end > start
            and not is_whole
            and (leaf is Leaf.HTML) == is_html
            and (leaf is Leaf.HTML or (leaf is Leaf.PARAGRAPH and not begins))
        )
        if not goes_on:
            if end > start:
                yield _piece(text, start, end, is_html=is_html)
            start = end = line_start
        if leaf in (Leaf.PARAGRAPH, Leaf.HEADING, Leaf.HTML):
            end = line_end
            is_html, is_whole = leaf is Leaf.HTML, leaf is Leaf.HEADING
        else:
            start = end = line_end
    if end > start:
        yield _piece(text, start, end, is_html=is_html)


def _piece(text: str, start: int, end: int, *, is_html: bool) -> _Piece:
    own = text[start:end]
    return _Piece(start, own if is_html else _blanked_code(own), is_html)


def _lines(text: str) -> Iterator[tuple[int, int, Leaf]]:
    """Yield each line's place and the block that took its text."""
    markdown = Markdown()
    for found in _LINE.finditer(text):
        start, end = found.span()
        stop = start + len(text[start:end].rstrip("\r\n"))
        _read(markdown, text, start, stop)
        before = markdown.leaf
        _read(markdown, text[stop:end] or "\n", 0, end - stop or 1)
        # a heading ends with its line; whether marks open a fence shows only there
        is_known = before is not Leaf.NONE and markdown.leaf is not Leaf.FENCE
        leaf = before if is_known else markdown.leaf
        yield start, end, leaf if text[start:stop].strip(" \t") else Leaf.NONE


def _read(markdown: Markdown, text: str, at: int, end: int) -> None:
    while at < end:
        at = markdown.scan(text, at, end)
        if markdown.at_mark:
            markdown.pass_angle()
            at += 1


def _blanked_code(text: str) -> str:
    """Return a paragraph with its code spans blank (CommonMark §6.1)."""
    runs = [found.span() for found in _TICKS.finditer(text)]
    by_length: dict[int, list[int]] = defaultdict(list)
    for number in range(len(runs) - 1, -1, -1):
        by_length[runs[number][1] - runs[number][0]].append(number)
    pieces: list[str] = []
    at = number = 0
    while number < len(runs):
        start, end = runs[number]
        start += _is_escaped(text, start)  # in code, a backslash escapes nothing
        closers = by_length.get(end - start, [])
        while closers and closers[-1] <= number:
            closers.pop()
        if start == end or not closers:
            number += 1
            continue
        number = closers[-1]
        pieces += [text[at:start], _blank(text[start : runs[number][1]])]
        at = runs[number][1]
        number += 1
    return "".join([*pieces, text[at:]])


def _is_escaped(text: str, at: int) -> bool:
    start = at
    while start and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def _blanked_tags(text: str) -> str:
    """Return a paragraph whose tags and comments are blank."""
    if "<" not in text:
        return text
    pieces: list[str] = []
    is_destination = False
    for token in html_tokens(text):
        source = text[token.start : token.end]
        is_tag = token.kind in ("start", "end", "comment") and source.endswith(">")
        pieces.append(_blank(source) if is_tag and not is_destination else source)
        # "](<" and "]: <" open a destination, not a tag
        is_destination = source.rstrip().endswith(("](", "]:"))
    return "".join(pieces)


def _blank(text: str) -> str:
    """Return as many characters that begin nothing and are no space."""
    return "".join(char if char in "\r\n" else "\0" for char in text)


def _links(text: str, offset: int) -> Iterator[MarkdownLink]:
    definition = _DEFINITION.match(text)
    while definition:
        link, after = _destination(
            text, definition.end(), offset, behind=_DEFINITION_END
        )
        if link is None:
            break
        yield link
        line = _LINE.match(text, after)
        if line is None:
            return
        definition = _DEFINITION.match(text, line.end())
        if definition is None:
            yield from _inline_links(text, line.end(), offset)
            return
    yield from _inline_links(
        text, 0 if definition is None else definition.start(), offset
    )


def _inline_links(text: str, at: int, offset: int) -> Iterator[MarkdownLink]:
    """Yield the destinations behind pairs of brackets.

    What is around a link is none itself; a picture may be (CommonMark §6.3).
    """
    open_brackets: list[bool] = []  # whether it begins a picture
    dead = 0  # how many of them, the outermost first, are around a link
    bang = -1  # behind the last "!"
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        at += 1
        if char == "!":
            bang = at
        elif char == "[":
            open_brackets.append(bang == at - 1)
        elif char == "]" and open_brackets:
            is_picture = open_brackets.pop()
            is_dead = len(open_brackets) < dead and not is_picture
            dead = min(dead, len(open_brackets))
            if is_dead or text[at : at + 1] != "(":
                continue
            link, after = _destination(text, at + 1, offset, behind=_LINK_END)
            if link is not None:
                yield link
                at = after
                dead = dead if is_picture else len(open_brackets)


def _destination(
    text: str, at: int, offset: int, *, behind: re.Pattern[str]
) -> tuple[MarkdownLink | None, int]:
    """Return the destination at a place, and where it ends; None where there is none."""
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    is_angled = text[at : at + 1] == "<"
    start = at + is_angled
    end = _angled_end(text, start) if is_angled else _bare_end(text, start)
    if end is None or (end == start and not is_angled):
        return None, at
    after = end + is_angled
    closing = behind.match(text, after)
    if closing is None:
        return None, at
    address = unescape(_ESCAPE.sub(r"\1", text[start:end]))
    return MarkdownLink(
        (offset + start, offset + end), address, is_angled
    ), closing.end()


def _angled_end(text: str, at: int) -> int | None:
    while at < len(text) and text[at] not in "<>\r\n":
        at += 2 if text[at] == "\\" else 1
    return at if text[at : at + 1] == ">" else None


def _bare_end(text: str, at: int) -> int | None:
    depth = 0
    while at < len(text) and text[at] > " " and text[at] != "\x7f":
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "(":
            depth += 1
            if depth > _MAX_PARENTHESES:
                return None
        elif char == ")":
            if not depth:
                break
            depth -= 1
        at += 1
    return min(at, len(text)) if not depth else None
