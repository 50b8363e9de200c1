"""Characters that arrive as two halves: surrogate pairs put together again.

JSON may write a character beyond U+FFFF as two escapes, and a stream may put
them into two events. Each half alone decodes to a lone surrogate, which no
UTF-8 file can hold.
"""

from __future__ import annotations

from typing import Final

__all__ = ["SurrogateJoiner"]

_HIGH_FIRST: Final = "\ud800"
_HIGH_LAST: Final = "\udbff"


class SurrogateJoiner:
    r"""Text in pieces, each pair joined, each true half one U+FFFD.

    >>> joiner = SurrogateJoiner()
    >>> joiner.feed("a\ud83e"), joiner.feed("\uddea b"), joiner.flush()
    ('a', '🧪 b', '')
    """

    __slots__ = ("_high",)

    def __init__(self) -> None:
        self._high = ""

    def feed(self, text: str) -> str:
        """Return the text without a half at its end, which waits for the next piece."""
        if self._high:
            text, self._high = self._high + text, ""
        if not text:
            return text
        if _HIGH_FIRST <= text[-1] <= _HIGH_LAST:
            text, self._high = text[:-1], text[-1]
        return _joined(text)

    def flush(self) -> str:
        """Return the sign for a half that stayed alone; usually nothing."""
        held, self._high = self._high, ""
        return _joined(held)


def _joined(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        wide = text.encode("utf-16-le", "surrogatepass")
        return wide.decode("utf-16-le", "replace")
    return text
