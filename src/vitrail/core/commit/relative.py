"""Relative addresses between the files of a project, when files move.

Strategy: an address is resolved from where its file was, as a browser does it;
what it names may have moved; and it is written again only if, read from where
its file is now, it would name something else. What is no address of a file of
the project (another scheme, a host, a fragment, the way out of the project)
stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

__all__ = ["Mover"]

_URL_SPACE: Final = "".join(map(chr, range(0x21)))
"""C0 controls and space, which the URL standard strips at both ends."""
_IGNORED: Final = {9: None, 10: None, 13: None}
_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]*+:")
_ESCAPED: Final = frozenset(map(chr, range(0x21))) | frozenset(
    "\"#%<>?[\\]^`{|}'()\x7f"
)
"""Characters that a path in an address spells with a percent sign: those the URL standard
says, and quotes and parentheses, which would end the address in styles and Markdown."""


@dataclass(frozen=True, slots=True)
class Mover:
    """Where files of a project were and are, seen from one of them."""

    moved: Mapping[str, str]
    """New paths of files by their old ones, composed (NFC)."""
    at: tuple[str, ...]
    """Folders of the file's place now, the outermost first."""
    was: tuple[str, ...]
    """Folders of its place before."""

    @classmethod
    def of_file(cls, moved: Mapping[str, str], *, at: str, was: str) -> Mover:
        """Return the mover of a file's addresses, by the file's paths."""
        return cls(moved, tuple(at.split("/")[:-1]), tuple(was.split("/")[:-1]))

    def within(self, base: str) -> Mover | None:
        """Return the mover below a page's ``base`` address; None: nothing is local there."""
        path, _ = _parted(base)
        if path is None:
            return None
        if not path:
            return self
        folder = path[: path.rfind("/") + 1]
        at, was = (_resolved(folder, place) for place in (self.at, self.was))
        return None if at is None or was is None else Mover(self.moved, at, was)

    def follow(self, address: str) -> str | None:
        """Return the address that now names the same file; None where it needs no change.

        ``address`` is decoded: no entities, no escapes of a style sheet.

        >>> Mover({"a.css": "css/a.css"}, (), ()).follow("./a.css?v=1#x")
        './css/a.css?v=1#x'
        """
        path, rest = _parted(address)
        if not path:
            return None
        meant = _resolved(path, self.was)
        if meant is None or not meant:
            return None
        named = "/".join(meant)
        target = self.moved.get(named, named)
        if _resolved(path, self.at) == tuple(target.split("/")):
            return None
        if path.endswith("/") and target == named and path.strip("./\\") == "":
            return None  # "./" and "../" name a folder by where they stand
        return self._written(path, target) + rest

    def _written(self, path: str, target: str) -> str:
        """Return the path of an address to ``target``, written in the manner of the old one."""
        segments = target.split("/")
        if path[:1] in ("/", "\\"):
            shown = ["", *segments]
        else:
            common = 0
            for one, other in zip(segments[:-1], self.at, strict=False):
                if one != other:
                    break
                common += 1
            shown = [".."] * (len(self.at) - common) + segments[common:]
        is_ascii = path.isascii() and "%" in path
        written = "/".join(_escaped(segment, is_ascii=is_ascii) for segment in shown)
        # a first segment with a colon would be a scheme
        if path.startswith("./") or ":" in written.partition("/")[0]:
            return written if written.startswith("../") else "./" + written
        return written + "/" * path.endswith("/")


def _parted(address: str) -> tuple[str | None, str]:
    """Return a local address as path and rest; None as the path of any other."""
    cleaned = address.strip(_URL_SPACE).translate(_IGNORED)
    if _SCHEME.match(cleaned) or cleaned.replace("\\", "/").startswith("//"):
        return None, ""
    ends = [end for end in (cleaned.find("?"), cleaned.find("#")) if end >= 0]
    end = min(ends, default=len(cleaned))
    return cleaned[:end], cleaned[end:]


def _resolved(path: str, folder: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the segments that a path names from a folder.

    None outside of the project, and where its percent signs spell no text: no
    file of a project has such a name.
    """
    plain = path.replace("\\", "/")
    segments = [] if plain.startswith("/") else list(folder)
    for raw in plain.split("/"):
        try:
            segment = unicodedata.normalize("NFC", unquote(raw, errors="strict"))
        except UnicodeDecodeError:
            return None
        match segment:
            case "" | ".":
                continue
            case "..":
                if not segments:
                    return None
                segments.pop()
            case _:
                segments.append(segment)
    return tuple(segments)


def _escaped(segment: str, *, is_ascii: bool) -> str:
    if is_ascii:
        return quote(segment, safe="!$&*+,;=:@~")
    return "".join(
        quote(char, safe="") if char in _ESCAPED else char for char in segment
    )
