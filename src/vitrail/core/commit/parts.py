"""The other files of an artifact: styles, scripts, pictures and data of a page.

Strategy: what a page asks for is told by its references, and by those of the
styles and scripts among them, until nothing new comes. An address that a tag
or a style names is a part though its file is still to come, since models write
the page first; a string of a script is one only if there is such a file. Pages
are no parts of each other, unless one frames the other.
"""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import (
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

import turbohtml
from turbohtml import TokenType

from vitrail.core.commit.kinds import EXTENSIONS
from vitrail.core.commit.markdown_links import markdown_links, markdown_markup
from vitrail.core.document.references import local_segments, references_of
from vitrail.core.document.script_strings import string_literals
from vitrail.core.names import check_name, name_key
from vitrail.limits import MAX_SUPPORTING_FILES
from vitrail.protocol.manifest import ArtifactManifest, Kind

__all__ = [
    "READ_EXTENSIONS",
    "Asked",
    "PartFile",
    "asked_files",
    "asked_of",
    "file_asked",
    "parts_of_set",
    "parts_of_text",
    "supporting_files",
    "walk_parts",
]

_MAX_READ_CHARS: Final = 1024 * 1024
"""Of one file, what is read for references; the rest of one is data."""

_PAGES: Final = frozenset({".html", ".htm"})
_SCRIPTS: Final = frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx"})
_STYLES: Final = frozenset({".css", ".scss", ".less"})
_DOCUMENTS: Final = frozenset({".md", ".markdown"})
_FRAMES: Final = frozenset({"iframe", "frame", "embed", "object"})
_ASKING_KINDS: Final[frozenset[Kind]] = frozenset(
    {"html", "deck", "svg", "mini-app", "design-system"}
)
"""Kinds whose text is markup with addresses in it."""

_MEDIA: Final = frozenset(
    {".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".bmp", ".mp3", ".m4a"}
    | {".ogg", ".wav", ".mp4", ".webm", ".mov", ".vtt", ".woff", ".woff2", ".ttf"}
    | {".otf", ".pdf", ".zip", ".wasm", ".glb", ".gltf", ".webmanifest"}
)
"""Files that pages ask for and no artifact is."""

_STYLE_ADDRESS: Final = re.compile(
    r"""(?:url\(|@import)\s*+(?:"([^"\n]*+)"|'([^'\n]*+)'|([^\s"'()]++)(?=\s*+\)))""",
    re.IGNORECASE,
)
"""An address of a style. One in a comment is found too, and does no harm."""


@dataclass(frozen=True, slots=True)
class PartFile:
    """One file of several that were written together."""

    path: str
    kind: Kind
    body: str


@dataclass(frozen=True, slots=True)
class Asked:
    """An address that a file asks for."""

    value: str
    """As it is written, decoded."""
    is_sure: bool
    """Whether it is an address at all."""
    is_framed: bool = False
    """Whether it is a document within the page."""


def asked_files(entry: str, body: str) -> tuple[str, ...]:
    """Return the files of the project that a page's tags and styles ask for.

    They may still be to come. Each once, in the order of the page, at most
    `MAX_SUPPORTING_FILES`.

    >>> asked_files("a/index.html", '<link href="s.css"><img src="/logo.png">')
    ('a/s.css', 'logo.png')
    """
    found: dict[str, None] = {}
    own = name_key(entry)
    for asked in _of_page(body[:_MAX_READ_CHARS], reads_scripts=False):
        path = _path(asked, entry)
        if path is None or name_key(path) == own or not _may_be_part(path, asked):
            continue
        found.setdefault(path)
        if len(found) == MAX_SUPPORTING_FILES:
            break
    return tuple(found)


def parts_of_text(
    path: str, kind: Kind, body: str, previous: ArtifactManifest | None
) -> tuple[str, ...] | None:
    """Return what a file's manifest lists as its other files; None for none.

    What the text asks for comes first, then what the manifest listed before:
    somebody may have listed what no address names.
    """
    asked = asked_files(path, body) if kind in _ASKING_KINDS else ()
    before = (previous.supporting_files if previous else None) or ()
    listed = tuple(dict.fromkeys((*asked, *before)))[:MAX_SUPPORTING_FILES]
    return listed or None


def supporting_files(
    entry: str,
    body: str,
    *,
    paths: Iterable[str],
    read: Callable[[str], str | None],
) -> tuple[str, ...]:
    """Return the files of ``paths`` that a page needs, those of its parts included.

    ``read`` gives the text of a style, script or framed page, None where there
    is none. Names are compared as `name_key` does. At most
    `MAX_SUPPORTING_FILES`, the nearest first.
    """
    walk = walk_parts(entry, body, paths)
    try:
        wanted = next(walk)
        while True:
            wanted = walk.send(read(wanted))
    except StopIteration as end:
        found: tuple[str, ...] = end.value
        return found


def walk_parts(
    entry: str, body: str, paths: Iterable[str]
) -> Generator[str, str | None, tuple[str, ...]]:
    """Find what `supporting_files` finds, for callers that cannot read at once.

    Yields the path of each text it has to see, is sent that text or None, and
    returns the files.
    """
    there = {name_key(path): path for path in paths}
    there.pop(name_key(entry), None)
    found: dict[str, None] = {}
    waiting: deque[tuple[str, str]] = deque([(entry, body)])
    while waiting:
        base, text = waiting.popleft()
        for asked in asked_of(base, text):
            path = file_asked(asked, base, entry, there)
            if path is None or path in found:
                continue
            if len(found) == MAX_SUPPORTING_FILES:
                return tuple(found)
            found[path] = None
            inner = (yield path) if _extension(path) in READ_EXTENSIONS else None
            if inner is not None:
                waiting.append((path, inner))
    return tuple(found)


def parts_of_set(
    files: Sequence[PartFile], paths: Iterable[str] = ()
) -> Mapping[str, tuple[str, ...]]:
    """Return the parts of each page among files that were written together.

    ``paths`` are the project's other files. Code and data of the set that no
    page asks for belong to its main page: the only one, or the outermost
    ``index``; where neither is, to none.
    """
    texts = {file.path: file.body for file in files}
    pages = [file for file in files if file.kind in ("html", "deck")]
    known = (*paths, *texts)
    parts = {
        page.path: supporting_files(page.path, page.body, paths=known, read=texts.get)
        for page in pages
    }
    main = _main_page([page.path for page in pages])
    if main is None:
        return parts
    claimed = {path for one in parts.values() for path in one}
    left = tuple(
        file.path
        for file in files
        if file.kind in ("code-snippet", "react-component") and file.path not in claimed
    )
    parts[main] = (*parts[main], *left)[:MAX_SUPPORTING_FILES]
    return parts


READ_EXTENSIONS: Final = _PAGES | _SCRIPTS | _STYLES
"""Of files whose text is looked at for the files that they need."""


def asked_of(path: str, text: str) -> Iterator[Asked]:
    """Yield every address in the text of a page, drawing, style, script or document."""
    text = text[:_MAX_READ_CHARS]
    extension = _extension(path)
    if extension in _STYLES:
        yield from _of_style(text)
    elif extension in _SCRIPTS:
        yield from _of_script(text)
    elif extension in _DOCUMENTS:
        yield from _of_document(text)
    else:
        yield from _of_page(text, reads_scripts=True)


def _of_page(page: str, *, reads_scripts: bool) -> Iterator[Asked]:
    for reference in references_of(page, reads_scripts=reads_scripts):
        yield Asked(reference.value, not reference.is_guessed, reference.tag in _FRAMES)
    inside = ""
    for token in turbohtml.tokenize(page):
        if token.type is TokenType.START_TAG:
            inside = token.tag or ""
            for name, value in token.attrs or ():
                if name == "style":
                    yield from _of_style(value or "")
        elif token.type is TokenType.TEXT and inside == "style":
            yield from _of_style(token.data or "")
        elif token.type is TokenType.END_TAG:
            inside = ""


def _of_document(text: str) -> Iterator[Asked]:
    for link in markdown_links(text):
        yield Asked(link.address, is_sure=True)
    for _, markup in markdown_markup(text):
        yield from _of_page(markup, reads_scripts=False)


def _of_style(style: str) -> Iterator[Asked]:
    for found in _STYLE_ADDRESS.finditer(style):
        yield Asked(found[1] or found[2] or found[3] or "", is_sure=True)


def _of_script(script: str) -> Iterator[Asked]:
    for literal in string_literals(script):
        yield Asked(literal, is_sure=False)


def _path(asked: Asked, base: str) -> str | None:
    """Return the path of the project that an address means, or None."""
    value = asked.value.strip()
    if not local_segments(value):
        return None
    if value[0] not in "/\\":
        folder = posixpath.dirname(base)
        value = f"{quote(folder, errors='replace')}/{value}" if folder else value
    path = "/".join(local_segments(value))
    verdict = check_name(path, "manifest_path")
    return verdict.name if verdict.ok else None


def file_asked(
    asked: Asked, base: str, entry: str, there: Mapping[str, str]
) -> str | None:
    """Return the file that is there for an address, as it is spelled there.

    ``base`` is the file that asks, ``entry`` the page that it is a part of, and
    ``there`` has the spelling of each file by its `name_key`.
    """
    path = _path(asked, base)
    found = None if path is None else there.get(name_key(path))
    if found is None and not asked.is_sure and base != entry:
        # what a script loads at run time is relative to its page
        path = _path(asked, entry)
        found = None if path is None else there.get(name_key(path))
    if found is None or (_extension(found) in _PAGES and not asked.is_framed):
        return None
    return found


def _may_be_part(path: str, asked: Asked) -> bool:
    extension = _extension(path)
    if extension in _PAGES:
        return asked.is_framed
    return extension in _MEDIA or extension in EXTENSIONS


def _main_page(pages: Sequence[str]) -> str | None:
    if len(pages) == 1:
        return pages[0]
    indexes = [
        page
        for page in pages
        if posixpath.basename(page).lower() in ("index.html", "index.htm")
    ]
    return min(indexes, key=lambda page: (page.count("/"), page), default=None)


def _extension(path: str) -> str:
    return posixpath.splitext(path)[1].lower()
