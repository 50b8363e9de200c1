"""Stored files over HTTP: streamed, in ranges, under the conditions of the request.

Strategy: the conditions are judged first, as a value (RFC 9110 §13.2.2); then a
response streams what was decided from a file that is held open, so that a file
of any size takes a fixed amount of memory and is of one state from its first
byte to its last.

What a stored file is served as is safe wherever a page of the app may name it:
nothing that a browser runs as a script leaves under a type that it runs, and
whoever asks for a script or a worker gets none.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from vitrail.errors import Conflict, NotPermitted, StorageError
from vitrail.ports import OpenedFile
from vitrail.protocol.records import FileInfo
from vitrail.server.etags import etag, is_unchanged
from vitrail.server.ranges import UNSATISFIABLE, byte_range

__all__ = [
    "FileStream",
    "Sent",
    "check_destination",
    "decide",
    "safe_type",
    "send_file",
]

_PIECE_BYTES: Final = 256 * 1024

_RUNS: Final = frozenset(
    {
        "script",
        "worker",
        "sharedworker",
        "serviceworker",
        "audioworklet",
        "paintworklet",
        "xslt",
    }
)
"""``Sec-Fetch-Dest`` of what runs in the origin of the page that asks (Fetch §2.2.5)."""

_SCRIPTS: Final = frozenset({"text/javascript", "application/wasm"})
"""Types of ours that a browser runs."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What of a file is sent."""

    status: int
    """200, 206, 304 or 416."""
    start: int
    end: int
    """Bytes, half-open; empty where the answer has no body."""


def safe_type(media_type: str) -> str:
    """Return the type a stored file is served as from the app's origin.

    A script is told as text: with ``nosniff`` no element and no worker runs it.

    >>> safe_type("text/javascript"), safe_type("image/png")
    ('text/plain', 'image/png')
    """
    return "text/plain" if media_type in _SCRIPTS else media_type


def check_destination(headers: Headers) -> None:
    """Raise ``NotPermitted`` where a page asks for a stored file to run it."""
    if headers.get("sec-fetch-dest") in _RUNS:
        raise NotPermitted(
            "A stored file is not run as a script of this server. "
            "Open it in a preview.",
            code="origin-not-allowed",
        )


def decide(headers: Headers, method: str, *, size: int, digest: str | None) -> Sent:
    """Return what a request gets of a file; raise ``Conflict('revision-conflict')``.

    ``digest`` is what its entity tag is made of; None: it is sent without one,
    so no condition can hold.
    """
    whole = Sent(200, 0, size)
    if digest is not None:
        wanted = headers.get("if-match")
        if wanted is not None and not _names(wanted, digest):
            raise Conflict(
                "The file is not the one that If-Match names; nothing was sent.",
                expected_digest=None,
                actual_digest=digest,
            )
        if is_unchanged(headers.get("if-none-match"), digest):
            return Sent(304, 0, 0)
    if method != "GET" or not _may_be_partial(headers.get("if-range"), digest):
        return whole
    found = byte_range(headers.get("range"), size)
    if found is None:
        return whole
    return Sent(416, 0, 0) if found == UNSATISFIABLE else Sent(206, *found)


def send_file(
    opened: OpenedFile,
    info: FileInfo,
    sent: Sent,
    headers: Mapping[str, str],
    *,
    media_type: str,
    is_head: bool,
) -> Response:
    """Return the response that sends it, and closes the file whatever happens."""
    more = {**headers, "Accept-Ranges": "bytes"}
    if sent.status == 416:  # noqa: PLR2004 - a status as the standard numbers it
        more["Content-Range"] = f"bytes */{info.size}"
    elif sent.status == 206:  # noqa: PLR2004 - as above
        more["Content-Range"] = f"bytes {sent.start}-{sent.end - 1}/{info.size}"
    if sent.status == 304:  # noqa: PLR2004 - as above
        opened.close()
        return Response(status_code=304, headers=more)
    more["Content-Length"] = str(sent.end - sent.start)
    body = Sent(sent.status, sent.start, sent.start if is_head else sent.end)
    return FileStream(opened, body, headers=more, media_type=media_type)


class FileStream(StreamingResponse):
    """A response that reads an open file piece by piece."""

    def __init__(
        self,
        opened: OpenedFile,
        sent: Sent,
        *,
        headers: Mapping[str, str],
        media_type: str,
    ) -> None:
        """``sent`` says which bytes are the body."""
        self._opened = opened
        super().__init__(
            _pieces(opened, sent.start, sent.end),
            status_code=sent.status,
            headers=headers,
            media_type=media_type,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; the file is closed where the client goes away, too."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._opened.close()


async def _pieces(opened: OpenedFile, start: int, end: int) -> AsyncIterator[bytes]:
    while start < end:
        piece = await opened.read(start, min(_PIECE_BYTES, end - start))
        if not piece:
            # the length is announced already: the connection is cut, which says it
            raise StorageError("The file became shorter while it was being sent.")
        start += len(piece)
        yield piece


def _names(if_match: str, digest: str) -> bool:
    tags = [tag.strip() for tag in if_match.split(",")]
    return "*" in tags or etag(digest) in tags


def _may_be_partial(if_range: str | None, digest: str | None) -> bool:
    """Whether a range may be answered: by the strong tag only; no date is ever sent."""
    if if_range is None:
        return True
    return digest is not None and if_range.strip() == etag(digest)
