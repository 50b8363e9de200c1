"""Bytes to text, cut anywhere, with nothing broken let through.

A byte order mark that begins the bytes says how they are written and is no
part of the text: it is taken away, once. Anywhere else it is a character like
any other and is kept (U+FEFF), so that what is saved is what came;
`vitrail.core.text.TAG_SPACE` counts it as white space where tags are concerned.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

__all__ = [
    "BYTE_ORDER_MARK",
    "REPLACEMENT",
    "SurrogateJoiner",
    "Utf8Decoder",
    "clean_surrogates",
]

REPLACEMENT: Final = "\ufffd"
"""Stands for what could not be read."""

BYTE_ORDER_MARK: Final = "\ufeff"
"""Says at the beginning of bytes how they are written."""

_PAIR_OR_LONE: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


class Utf8Decoder:
    r"""Turn UTF-8 bytes that come in pieces into text.

    A character cut by a piece's border waits for its rest. Bytes that are not
    UTF-8 (encoded surrogates among them) become one U+FFFD for each maximal
    broken part, and a mark that begins them is taken away, as in the WHATWG
    Encoding Standard.

    >>> decoder = Utf8Decoder()
    >>> decoder.feed(b"caf\xc3"), decoder.feed(b"\xa9"), decoder.close()
    ('caf', 'é', '')
    """

    def __init__(self) -> None:
        self._strict = codecs.getincrementaldecoder("utf-8")("strict")
        self._lenient = codecs.getincrementaldecoder("utf-8")("replace")
        self._is_first = True
        self._closed = False
        self.is_broken = False
        """Whether something came that is not UTF-8."""

    def feed(self, data: bytes) -> str:
        """Return the text that is complete by now; may be empty.

        Raises ``ValueError`` after `close`.
        """
        if self._closed:
            raise ValueError("expected no bytes after close(); make a new Utf8Decoder")
        return self._decode(data)

    def close(self) -> str:
        """Return U+FFFD if the bytes ended inside a character, else nothing."""
        self._closed = True
        return self._decode(b"", final=True)

    def _decode(self, data: bytes, *, final: bool = False) -> str:
        before = self._strict.getstate()
        try:
            text = self._strict.decode(data, final)
        except UnicodeDecodeError:
            self.is_broken = True
            self._lenient.setstate(before)
            text = self._lenient.decode(data, final)
            self._strict.setstate(self._lenient.getstate())
        if text and self._is_first:
            self._is_first = False
            text = text.removeprefix(BYTE_ORDER_MARK)
        return text


def _join_pair(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) == 1:
        return REPLACEMENT
    return found.encode("utf-16", "surrogatepass").decode("utf-16")


def clean_surrogates(text: str) -> str:
    r"""Return the text with surrogate pairs joined and lone surrogates as U+FFFD.

    JSON escapes can bring both into a ``str``; neither can be written as UTF-8.
    The text itself comes back, uncopied, when there is none.

    >>> clean_surrogates("\ud83e\uddea") == "🧪", clean_surrogates("a\udc00b")
    (True, 'a�b')
    """
    if text.isascii() or _PAIR_OR_LONE.search(text) is None:
        return text
    return _PAIR_OR_LONE.sub(_join_pair, text)


class SurrogateJoiner:
    r"""Do what `clean_surrogates` does, for text that comes in pieces.

    A high surrogate at the end of a piece waits for its partner.

    >>> joiner = SurrogateJoiner()
    >>> joiner.feed("a\ud83e"), joiner.feed("\uddea"), joiner.close()
    ('a', '🧪', '')
    """

    def __init__(self) -> None:
        self.high = ""
        """The high surrogate that waits for its partner, or nothing."""

    def feed(self, text: str) -> str:
        """Return the text that is whole by now; may be empty."""
        if not self.high and _is_whole(text):
            return text
        text = self.high + text
        self.high = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self.high = text[:-1], text[-1]
        return clean_surrogates(text)

    def close(self) -> str:
        """Return U+FFFD if a high surrogate waited in vain, else nothing."""
        high, self.high = self.high, ""
        return clean_surrogates(high)


def _is_whole(text: str) -> bool:
    """Whether the text can be written as UTF-8: quicker asked than searched."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
