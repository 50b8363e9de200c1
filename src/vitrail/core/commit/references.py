"""A text whose references follow files that moved, and nothing else of it changes.

Strategy: each format's own tokenizer says where its addresses stand: tags and
their attributes of a page (`html_tokens`), ``url(…)`` and ``@import`` of a
style by a CSS tokenizer, destinations of Markdown outside of its code. Each
address that has to change is one edit of the source; edits never overlap.
Strings of scripts are never rewritten: whether one is an address, only the
running script knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from vitrail.core.commit.markdown_links import markdown_links, markdown_markup
from vitrail.core.commit.relative import Mover
from vitrail.core.document.references import (
    SRCSET_ATTRIBUTES,
    URL_ATTRIBUTES,
    srcset_spans,
)
from vitrail.core.document.style_urls import style_addresses
from vitrail.core.document.tokens import (
    AttributeSource,
    HtmlToken,
    attribute_sources,
    html_tokens,
)
from vitrail.protocol.diagnostics import Span
from vitrail.protocol.manifest import Kind

__all__ = ["ReferenceEdit", "RewrittenText", "rewrite_references"]

_ADDRESS_ATTRIBUTES: Final = (URL_ATTRIBUTES | {"cite"}) - {"ping"}
"""A quotation's source is an address too, and no file of a project is told of clicks."""
_MAY_REFER: Final = re.compile(r"url|import|image-set|src|\\", re.IGNORECASE)
"""What a style must hold to name an address; the tokenizer makes 0.7 MB a second."""
_CSS_BREAK: Final = re.compile("\r\n|[\n\r\f]")
_UNQUOTED_UNSAFE: Final = re.compile(r"[\t\n\f\r \"'=<>`]|\A\Z")
_CSS_URL_UNSAFE: Final = re.compile(r"[\x00- \"'()\\\x7f]")
_MAX_NESTED: Final = 3
"""Documents within documents (``srcdoc``) that are looked into."""

_Format: TypeAlias = Literal["html", "css", "markdown"]
_Edit: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class ReferenceEdit:
    """One reference that was written again."""

    span: Span
    """In the text before, code points."""
    old: str
    """As the source had it."""
    new: str
    """As the source has it now."""


@dataclass(frozen=True, slots=True)
class RewrittenText:
    """A text after its references followed what moved."""

    text: str
    edits: tuple[ReferenceEdit, ...]
    """In order, apart; outside of them the text is as before."""


def rewrite_references(
    text: str,
    kind: Kind | Literal["css"],
    moved: Mapping[str, str],
    *,
    at: str,
    was: str | None = None,
) -> RewrittenText:
    """Return the text of the file ``at`` with its references to what moved.

    ``moved`` are the new paths of files by their old ones. ``was`` is where the
    file itself was, if it moved too; its own relative references then name the
    same files from its new place. Pages, decks, drawings, Markdown and styles
    are read; a text of any other kind is returned as it is.

    >>> rewrite_references(
    ...     '<img src="a.png">', "html", {"a.png": "img/a.png"}, at="index.html"
    ... ).text
    '<img src="img/a.png">'
    """
    form = _format_of(kind, at)
    if form is None:
        return RewrittenText(text, ())
    composed = {old: new for old, new in moved.items() if old != new}
    mover = Mover.of_file(composed, at=at, was=at if was is None else was)
    if not composed and mover.at == mover.was:
        return RewrittenText(text, ())
    match form:
        case "html":
            edits = _html_edits(text, mover)
        case "css":
            edits = _css_edits(text, mover)
        case "markdown":
            edits = _markdown_edits(text, mover)
    return _applied(text, sorted(edits))


def _format_of(kind: Kind | Literal["css"], path: str) -> _Format | None:
    match kind:
        case "html" | "deck" | "svg":
            return "html"
        case "markdown-document":
            return "markdown"
        case "css":
            return "css"
        case "code-snippet" if path.lower().endswith(".css"):
            return "css"
        case _:
            return None


def _applied(text: str, edits: list[_Edit]) -> RewrittenText:
    pieces: list[str] = []
    done: list[ReferenceEdit] = []
    at = 0
    for start, end, new in edits:
        if start < at or text[start:end] == new:
            continue
        pieces += [text[at:start], new]
        done.append(ReferenceEdit((start, end), text[start:end], new))
        at = end
    if not done:
        return RewrittenText(text, ())
    return RewrittenText("".join([*pieces, text[at:]]), tuple(done))


# --- pages ---------------------------------------------------------------------


def _html_edits(html: str, mover: Mover, *, depth: int = 0) -> Iterator[_Edit]:
    tokens = html_tokens(html)
    base = _base(tokens)
    if base is not None:
        below = mover.within(base)
        if below is None:
            return
        mover = below
    inside = ""
    for token in tokens:
        if token.kind == "start":
            inside = token.tag
            if token.attributes and token.tag != "base":
                yield from _tag_edits(html, token, mover, depth)
        elif token.kind == "text" and inside == "style":
            css = html[token.start : token.end]
            for start, end, new in _css_edits(css, mover):
                yield token.start + start, token.start + end, new
        elif token.kind == "end":
            inside = ""


def _base(tokens: tuple[HtmlToken, ...]) -> str | None:
    """Return the address that the page's relative ones count from, if it says one."""
    for token in tokens:
        if token.kind == "start" and token.tag == "base":
            for name, value in token.attributes:
                if name == "href":
                    return value
    return None


def _tag_edits(html: str, tag: HtmlToken, mover: Mover, depth: int) -> Iterator[_Edit]:
    values = dict(reversed(tag.attributes))
    for source in attribute_sources(html, tag):
        value = values.get(source.name, "")
        new = _new_value(source.name, value, values, mover, depth) if value else None
        if new is not None and new != value:
            yield source.start, source.end, _attribute_value(new, source)


def _new_value(
    name: str, value: str, others: Mapping[str, str], mover: Mover, depth: int
) -> str | None:
    """Return what an attribute's decoded value becomes; None: it stays."""
    if name in _ADDRESS_ATTRIBUTES:
        return mover.follow(value)
    if name in SRCSET_ATTRIBUTES:
        return _edited(value, list(_srcset_edits(value, mover)))
    if name == "style":
        return _edited(value, list(_css_edits(value, mover)))
    if name == "srcdoc" and depth < _MAX_NESTED:
        return _edited(value, sorted(_html_edits(value, mover, depth=depth + 1)))
    if name == "content" and others.get("http-equiv", "").strip().lower() == "refresh":
        start = _refresh_start(value)
        address = value[start:].rstrip().strip("\"'")
        new = mover.follow(address) if start and address else None
        return None if new is None else value[:start] + new
    return None


def _edited(value: str, edits: list[_Edit]) -> str | None:
    rewritten = _applied(value, edits)
    return rewritten.text if rewritten.edits else None


def _attribute_value(value: str, source: AttributeSource) -> str:
    """Return a value as the source spells it, with the quotes that it needs."""
    escaped = value.replace("&", "&amp;")
    match source.quote:
        case '"':
            return escaped.replace('"', "&quot;")
        case "'":
            return escaped.replace("'", "&#39;")
        case _ if _UNQUOTED_UNSAFE.search(escaped):
            return '"' + escaped.replace('"', "&quot;") + '"'
        case _:
            return escaped


def _srcset_edits(value: str, mover: Mover) -> Iterator[_Edit]:
    for start, end in srcset_spans(value):
        new = mover.follow(value[start:end])
        if new is not None:
            # a comma at its end would not belong to the address
            yield start, end, new.replace(",", "%2C") if new.endswith(",") else new


def _refresh_start(content: str) -> int:
    """Return where the address of a refresh begins; 0 where there is none."""
    found = re.match(r"[^;,]*[;,]\s*(?:url\s*=\s*)?[\"']?", content, re.IGNORECASE)
    return found.end() if found else 0


# --- styles ----------------------------------------------------------------------


def _css_edits(css: str, mover: Mover) -> Iterator[_Edit]:
    if not _MAY_REFER.search(css):
        return
    starts = (0, *(match.end() for match in _CSS_BREAK.finditer(css)))
    for node in style_addresses(css):
        new = mover.follow(node.value)
        if new is None:
            continue
        start = starts[node.source_line - 1] + node.source_column - 1
        if node.type == "string":
            end = _string_end(css, start)
            yield start, end, _css_string(new, css[start])
            continue
        inner = css.index("(", start) + 1
        end = _url_end(css, inner)
        blanks = len(css[inner:end]) - len(css[inner:end].lstrip())
        trimmed = (
            css[inner:end].rstrip() if css[end : end + 1] == ")" else css[inner:end]
        )
        safe = not _CSS_URL_UNSAFE.search(new)
        yield (
            inner + blanks,
            inner + max(len(trimmed), blanks),
            new if safe else _css_string(new, '"'),
        )


def _string_end(css: str, start: int) -> int:
    """Return where a string ends, its quote included."""
    mark, at = css[start], start + 1
    while at < len(css) and css[at] != mark:
        at += 2 if css[at] == "\\" else 1
    return min(at + 1, len(css))


def _url_end(css: str, start: int) -> int:
    """Return the place of the parenthesis that ends an address without quotes."""
    at = start
    while at < len(css) and css[at] != ")":
        at += 2 if css[at] == "\\" else 1
    return min(at, len(css))


def _css_string(value: str, mark: str) -> str:
    escaped = value.replace("\\", "\\\\").replace(mark, "\\" + mark)
    return mark + escaped.replace("\n", "\\a ") + mark


# --- Markdown ---------------------------------------------------------------------


def _markdown_edits(text: str, mover: Mover) -> Iterator[_Edit]:
    for link in markdown_links(text):
        new = mover.follow(link.address)
        if new is not None:
            yield *link.span, link.written(new)
    for start, masked in markdown_markup(text):
        for edit_start, edit_end, new in _html_edits(masked, mover):
            yield start + edit_start, start + edit_end, new
