"""Media types: chosen by us from the name and the first bytes, never by an uploader."""

from __future__ import annotations

from typing import Final

__all__ = ["SNIFFED_BYTES", "is_as_named", "media_type_of"]

SNIFFED_BYTES: Final = 512
"""How much of a file is looked at; the WHATWG sniffing standard reads 1445 at most."""

_TEXT: Final = {
    "html": "text/html",
    "htm": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "mjs": "text/javascript",
    "cjs": "text/javascript",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "map": "application/json",
    "svg": "image/svg+xml",
    "xml": "application/xml",
    "md": "text/markdown",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "vtt": "text/vtt",
}
"""Types of text by extension; every other text is ``text/plain``."""

_BINARY: Final = {
    "png": ("image/png", (b"\x89PNG\r\n\x1a\n",), 0),
    "jpg": ("image/jpeg", (b"\xff\xd8\xff",), 0),
    "jpeg": ("image/jpeg", (b"\xff\xd8\xff",), 0),
    "gif": ("image/gif", (b"GIF87a", b"GIF89a"), 0),
    "webp": ("image/webp", (b"WEBP",), 8),
    "avif": ("image/avif", (b"ftypavif", b"ftypavis"), 4),
    "bmp": ("image/bmp", (b"BM",), 0),
    "ico": ("image/x-icon", (b"\x00\x00\x01\x00",), 0),
    "woff": ("font/woff", (b"wOFF",), 0),
    "woff2": ("font/woff2", (b"wOF2",), 0),
    "ttf": ("font/ttf", (b"\x00\x01\x00\x00", b"true"), 0),
    "otf": ("font/otf", (b"OTTO",), 0),
    "pdf": ("application/pdf", (b"%PDF-",), 0),
    "zip": ("application/zip", (b"PK\x03\x04", b"PK\x05\x06"), 0),
    "wasm": ("application/wasm", (b"\x00asm",), 0),
    "mp3": ("audio/mpeg", (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2"), 0),
    "wav": ("audio/wav", (b"WAVE",), 8),
    "ogg": ("audio/ogg", (b"OggS",), 0),
    "mp4": ("video/mp4", (b"ftyp",), 4),
    "webm": ("video/webm", (b"\x1a\x45\xdf\xa3",), 0),
}
"""Types of other files by extension, with the bytes they must have at an offset."""

_UNKNOWN: Final = "application/octet-stream"


def media_type_of(path: str, head: bytes) -> str:
    """Return the media type of a file named ``path`` that begins with ``head``.

    A file whose bytes are not what its name says is ``application/octet-stream``.

    >>> media_type_of("a.html", b"<!doctype html>")
    'text/html'
    >>> media_type_of("a.png", b"<script>")
    'application/octet-stream'
    >>> media_type_of("Makefile", b"all:")
    'text/plain'
    """
    name = path.rpartition("/")[2]
    extension = name.rpartition(".")[2].lower() if "." in name else ""
    if extension in _BINARY:
        media_type, marks, offset = _BINARY[extension]
        fits = any(head.startswith(mark, offset) for mark in marks)
        return media_type if fits else _UNKNOWN
    if not _looks_like_text(head):
        return _UNKNOWN
    return _TEXT.get(extension, "text/plain")


def is_as_named(path: str, head: bytes) -> bool:
    """Return whether a file named ``path`` may begin with ``head``.

    An extension that is not in the tables contradicts nothing.

    >>> is_as_named("a.png", b"<!doctype html>"), is_as_named("a.docx", b"PK")
    (False, True)
    """
    extension = path.rpartition("/")[2].rpartition(".")[2].lower()
    is_known = extension in _BINARY or extension in _TEXT
    return not is_known or media_type_of(path, head) != _UNKNOWN


def _looks_like_text(head: bytes) -> bool:
    if b"\x00" in head:
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as problem:
        # a character cut by the end of what was read is no proof against text
        return problem.end == len(head) and problem.reason == "unexpected end of data"
    return True
