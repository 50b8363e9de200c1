"""Texts that commands read: a file or standard input, as it comes, UTF-8 only."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from vitrail.core.text.decode import BYTE_ORDER_MARK
from vitrail.errors import InvalidInput, NotFound, NotText

__all__ = ["read_text"]

_STDIN: Final = "-"
_PIECE_BYTES: Final = 64 * 1024
_MAX_SHOWN_CHARS: Final = 200
"""Of a file's name in a message; somebody may give a whole text for one."""
_SNIFFED_BYTES: Final = 8000
"""Where a NUL says that this is no text; git looks as far."""


def read_text(name: str) -> Iterator[str]:
    """Yield the text of a file, or of standard input for ``-``, as it comes.

    A file is looked through before the first piece, so that nothing is done
    with one that turns out not to be text. A byte order mark that begins it is
    taken away; a character that its end cut off becomes U+FFFD. Raises ``NotFound('file-not-found')``,
    ``InvalidInput`` for a folder and ``NotText``.
    """
    if name == _STDIN:
        # a shell can start a program without one (`<&-`)
        if sys.stdin is None:
            raise InvalidInput("Standard input is closed, so there is no text.")
        yield from _decoded(sys.stdin.buffer, "standard input")
        return
    with _opened(name) as file:
        if file.seekable():
            for _ in _decoded(file, name):
                pass
            file.seek(0)
        yield from _decoded(file, name)


def _opened(name: str) -> BinaryIO:
    try:
        file = Path(name).open("rb", buffering=0)  # noqa: SIM115 - the caller closes it
    except FileNotFoundError as cause:
        raise NotFound(
            f"There is no file {_shown(name)}. Name a file, or - for standard input.",
            code="file-not-found",
        ) from cause
    except IsADirectoryError as cause:
        raise InvalidInput(f"{_shown(name)} is a folder; a text is needed.") from cause
    except OSError as cause:
        raise InvalidInput(
            f"{_shown(name)} cannot be read: {cause.strerror}."
        ) from cause
    if stat.S_ISDIR(os.fstat(file.fileno()).st_mode):
        file.close()
        raise InvalidInput(f"{_shown(name)} is a folder; a text is needed.")
    return file


def _decoded(file: BinaryIO, name: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    seen = 0
    is_first = True
    while piece := _some(file):
        if seen < _SNIFFED_BYTES and b"\0" in piece[: _SNIFFED_BYTES - seen]:
            raise _not_text(name)
        seen += len(piece)
        try:
            text = decoder.decode(piece)
        except UnicodeDecodeError as cause:
            raise _not_text(name) from cause
        if text and is_first:
            text, is_first = text.removeprefix(BYTE_ORDER_MARK), False
        if text:
            yield text
    pending, _ = decoder.getstate()
    if pending:
        yield "\ufffd"


def _some(file: BinaryIO) -> bytes:
    """Return what there is by now, waiting for at least one byte; empty at the end."""
    read1 = getattr(file, "read1", None)
    piece: bytes | None = read1(_PIECE_BYTES) if read1 else file.read(_PIECE_BYTES)
    return piece or b""


def _not_text(name: str) -> NotText:
    return NotText(
        f"{_shown(name)} is not text in UTF-8, so nothing more was read of it. "
        "Convert it to UTF-8 first."
    )


def _shown(name: str) -> str:
    cut = name[:_MAX_SHOWN_CHARS] + "…" if len(name) > _MAX_SHOWN_CHARS else name
    return cut if cut and cut.isprintable() else repr(cut)
