"""Bodies that only point at a file which is there already (spec/open-design-1 §7).

Strategy: a structural rule that knows no language. What is visible of the body
is short; it holds the name of exactly one file of the project, and hardly a
word besides. Names are looked for in the text, never the other way round, so a
path that leaves the project, an address or a name that is not there points at
nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import turbohtml
from turbohtml import TokenType

from vitrail.core.text import TAG_SPACE

__all__ = ["find_pointer", "may_point"]

_MAX_BODY_CHARS: Final = 4096
"""Of a body with all its tags; a longer one is more than a pointer."""
_MAX_VISIBLE_BYTES: Final = 100
"""UTF-8; spec/open-design-1 §7."""
_MAX_WORDS: Final = 4
"""Besides the name: "see it in this project" has so many."""
_MAX_SIGNS: Final = 10
"""The same, of scripts that are written without spaces."""

_BLANK: Final = "".join(sorted(TAG_SPACE))
_SPACES: Final = re.compile(f"[{re.escape(_BLANK)}]++")
_SUBSTANCE: Final = frozenset(
    [
        "img",
        "picture",
        "svg",
        "math",
        "canvas",
        "video",
        "audio",
        "iframe",
        "frame",
        "object",
        "embed",
        "input",
        "button",
        "select",
        "textarea",
        "form",
        "script",
        "table",
    ]
)
"""Elements that a page may be made for without a visible word."""
_HIDDEN: Final = frozenset(["style", "title", "template"])
_ADDRESS: Final = re.compile(r"[A-Za-z0-9_]\.[A-Za-z0-9_]|[/\\@]|[A-Za-z]:[^\s]|\0")
"""In what is left: another name, a path, an address."""
_NAME_SIGNS: Final = frozenset("_-./\\:%@~+&=$")
_NAME_CATEGORIES: Final = frozenset(["Lu", "Ll", "Lt", "Nd", "Mn", "Mc", "Cf", "Cc"])


@dataclass(frozen=True, slots=True)
class _Match:
    """A name of a file in a text."""

    start: int
    end: int
    paths: frozenset[str]
    """The files that it may name."""


def may_point(body: str) -> bool:
    """Return whether a body is so short that it may be no more than a pointer."""
    text = _visible(body)
    return bool(text) and len(text.encode()) <= _MAX_VISIBLE_BYTES


def find_pointer(body: str, *, candidate: str, files: Iterable[str]) -> str | None:
    """Return the path of the one file that a body points at, or None.

    ``candidate`` is where the body itself would be saved, which is no target.

    >>> find_pointer("See page.html.", candidate="page-2.html", files=["page.html"])
    'page.html'
    """
    if not may_point(body):
        return None
    text = _visible(body)
    matches = _longest(list(_matches(text, files)))
    if len({match.paths for match in matches}) != 1:
        return None
    first = matches[0]
    if len(first.paths) != 1 or candidate in first.paths or len(matches) > 1:
        return None
    rest = f"{text[: first.start]} {text[first.end :]}"
    return None if _is_substantial(rest) else next(iter(first.paths))


def _visible(body: str) -> str:
    """Return the body's words on one line, or nothing where there is more to it."""
    if len(body) > _MAX_BODY_CHARS:
        return ""
    words: list[str] = []
    hidden = ""
    for token in turbohtml.tokenize(body.lstrip("\ufeff"), capture_attributes=False):
        match token.type:
            case TokenType.START_TAG if token.tag in _SUBSTANCE:
                return ""
            case TokenType.START_TAG if token.tag in _HIDDEN:
                hidden = token.tag
            case TokenType.END_TAG if token.tag == hidden:
                hidden = ""
            case TokenType.TEXT if not hidden:
                words.append(token.data or "")
            case _:
                pass
        words.append("" if token.type is TokenType.TEXT else " ")
    return _SPACES.sub(" ", "".join(words)).strip(" ")


def _matches(text: str, files: Iterable[str]) -> Iterable[_Match]:
    """Yield where the text names files: by their paths, and by their last names."""
    named: dict[str, set[str]] = {}
    paths = set(files)
    for path in paths:
        named.setdefault(path.rpartition("/")[2], set()).add(path)
    for path in paths:
        named[path] = {path}  # an exact path is no other file's last name
    for name, owners in named.items():
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if _stands_alone(text, at, end):
                yield _Match(at, end, frozenset(owners))
            at = text.find(name, at + 1)


def _longest(matches: list[_Match]) -> list[_Match]:
    """Return the matches that lie in no longer one."""
    return [
        match
        for match in matches
        if not any(
            other is not match
            and other.start <= match.start
            and match.end <= other.end
            and (other.end - other.start) > (match.end - match.start)
            for other in matches
        )
    ]


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a name is not a part of a longer one, or of a path or an address."""
    if start and _is_of_name(text[start - 1]):
        return False
    behind = text[end : end + 1]
    if behind in (".", ":"):
        behind = text[end + 1 : end + 2]
    return not (behind and _is_of_name(behind))


def _is_of_name(ch: str) -> bool:
    # letters without case stand beside names without a space in many scripts
    return ch in _NAME_SIGNS or unicodedata.category(ch) in _NAME_CATEGORIES


def _is_substantial(rest: str) -> bool:
    """Whether what is left beside a name says something itself."""
    if _ADDRESS.search(rest):
        return True
    words, signs, in_word = 0, 0, False
    for ch in rest:
        category = unicodedata.category(ch)
        if category == "Lo":
            signs += 1
            in_word = False
        elif category[0] in "LNM":
            words += not in_word
            in_word = True
        else:
            in_word = in_word and ch in "'\u2019"
    return words + signs * _MAX_WORDS // _MAX_SIGNS > _MAX_WORDS
