r"""One reference to an attachment: what kind of thing it names, and whether it may.

What names a file is *local*: it may be sent after the reader of files has
judged it again, by where it leads. It is never shown where it is refused,
since paths of a machine are no one's business. What names a host is *remote*.

>>> judge_reference("/tmp/a.png").verdict, judge_reference("../a.png").verdict
('media', 'refused')
>>> judge_reference("http://example.com/a.png").verdict
'text'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from vitrail import limits
from vitrail.core.parse.directives.hosts import remote_fault

__all__ = [
    "Judged",
    "ReferenceVerdict",
    "begins_root",
    "has_extension",
    "is_local",
    "judge_reference",
]

ReferenceVerdict: TypeAlias = Literal["media", "refused", "text"]
"""What a reference comes to; see `Judged`."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]++):")
"""Two characters at least: one is a drive."""
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
_EXTENSION: Final = re.compile(r"[^./\\\s]\.\w{1,10}")
_BARE: Final = re.compile(r"[^/\\:\s]++")
_SEPARATORS: Final = re.compile(r"[/\\]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DOTS: Final = re.compile(r"%2e", re.IGNORECASE)
_ENCODED_SEPARATOR: Final = re.compile(r"%(?:2f|5c|00)", re.IGNORECASE)
_INBOUND: Final = "media://inbound/"


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a reference."""

    verdict: ReferenceVerdict
    """``refused``: local, so not to be shown; ``text``: shown as it was written."""
    why: str = ""
    """Why it is none, as a clause for people that repeats nothing of it."""


_TAKEN: Final = Judged("media")


def begins_root(value: str) -> bool:
    """Whether this can only be the beginning of a reference of its own."""
    return (
        value.startswith(("/", "~", "./", "../", "\\\\", ".\\", "..\\"))
        or _DRIVE.match(value) is not None
        or _SCHEME.match(value) is not None
    )


def is_local(value: str) -> bool:
    """Whether this names a file, well or badly."""
    scheme = _SCHEME.match(value)
    if scheme is not None:
        return scheme[1].lower() == "file"
    return begins_root(value) or "/" in value or "\\" in value


def has_extension(value: str) -> bool:
    """Whether the last part of a path has an extension."""
    return _EXTENSION.fullmatch(value[value.rfind(".") - 1 :]) is not None


def judge_reference(value: str, *, is_whole: bool = False) -> Judged:
    """Return what this reference comes to.

    `is_whole`: it is all that the line holds, so that ``image.png`` counts.
    """
    if not value:
        return Judged("text")
    if is_local(value):
        return _judge_local(value)
    if len(value) > limits.MAX_MEDIA_REFERENCE_CHARS:
        return Judged("text", "it is longer than a reference may be")
    scheme = _SCHEME.match(value)
    if scheme is None:
        is_bare = is_whole and _BARE.fullmatch(value) and has_extension(value)
        return _TAKEN if is_bare else Judged("text")
    match scheme[1].lower():
        case "media":
            fault = _inbound_fault(value)
        case "http" | "https":
            fault = remote_fault(value)
        case _:
            fault = "only https: addresses and files are attached"
    return Judged("text", fault) if fault else _TAKEN


def _inbound_fault(value: str) -> str | None:
    """Return why this is not one file that came in, or None."""
    name = value[len(_INBOUND) :]
    if not value.lower().startswith(_INBOUND):
        return "only media://inbound/ is known"
    if (
        not name
        or name in (".", "..")
        or not _BARE.fullmatch(name)
        or "?" in name
        or "#" in name
        or _CONTROL.search(name)
        or _ENCODED_SEPARATOR.search(name)
        or _DOTS.sub(".", name) in (".", "..")
    ):
        return "media://inbound/ takes one plain name"
    return None


def _judge_local(value: str) -> Judged:
    path = _without_file_scheme(value)
    if path is None:
        return Judged("refused", "its file: address names another machine")
    if len(value) > limits.MAX_MEDIA_REFERENCE_CHARS:
        return Judged("refused", "it is longer than a reference may be")
    if _CONTROL.search(value) or not path:
        return Judged("refused", "it is no path")
    if path.startswith("~") and path[1:2] not in ("/", "\\"):
        return Judged("refused", "it leads into another person's folder")
    if ".." in _SEPARATORS.split(_DOTS.sub(".", path)):
        return Judged("refused", "it leads out of its folder")
    if path != value and _ENCODED_SEPARATOR.search(path):
        return Judged("refused", "it holds an encoded separator")
    return _TAKEN


def _without_file_scheme(value: str) -> str | None:
    """Return the path of a ``file:`` address or a path; None: on another machine."""
    if value[:5].lower() != "file:":
        return value
    rest = value[5:]
    if not rest.startswith("//"):
        return rest
    host, slash, path = rest[2:].partition("/")
    if not slash or host.lower() not in ("", "localhost"):
        return None
    return slash + path
