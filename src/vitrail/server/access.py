"""Who may ask: the token of programs, the cookie of browsers, one-time links.

Strategy: one secret, the data folder's token. A program sends it whole. A
browser gets a value derived from it, so that the cookie opens the same doors,
survives a restart, and says nothing about the token. A one-time link carries a
random code that this process remembers until it is used. Every comparison
takes the same time whatever came.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from typing import Final

__all__ = ["COOKIE_MAX_AGE_S", "Access"]

COOKIE_MAX_AGE_S: Final = 90 * 24 * 3600
"""A browser that was let in stays let in this long, renewed at each entry."""

_MAX_OPEN_LINKS: Final = 64
"""Links that wait to be used; the oldest gives way to a new one."""

_CODE_BYTES: Final = 32


class Access:
    """The keys of one served data folder."""

    def __init__(self, token: str, *, port: int) -> None:
        self._token = token.encode()
        self._cookie = hmac.new(
            self._token, b"vitrail browser cookie", hashlib.sha256
        ).hexdigest()
        self._codes: OrderedDict[bytes, None] = OrderedDict()
        self.cookie_name = f"vitrail_{port}"
        """Named after the port, since browsers send cookies to every port of a host."""

    def new_code(self) -> str:
        """Return the code of a new one-time link."""
        code = secrets.token_urlsafe(_CODE_BYTES)
        self._codes[_digest(code)] = None
        while len(self._codes) > _MAX_OPEN_LINKS:
            self._codes.popitem(last=False)
        return code

    def redeem(self, code: str) -> bool:
        """Use up a link's code; False where there is no such code, or no longer.

        What is looked up is a digest, so that the time it takes says nothing
        about the codes that are open.
        """
        return self._codes.pop(_digest(code), _ABSENT) is not _ABSENT

    def allows(self, *, authorization: str | None, cookies: str | None) -> bool:
        """Return whether these headers carry the token, or the cookie made from it.

        A header that names a token decides alone; a wrong one is not mended
        by a cookie.
        """
        if authorization is not None:
            scheme, _, value = authorization.partition(" ")
            return scheme.lower() == "bearer" and hmac.compare_digest(
                value.strip().encode(), self._token
            )
        return cookies is not None and self._knows_cookie(cookies)

    def set_cookie(self, *, is_secure: bool) -> str:
        """Return the ``Set-Cookie`` value that lets a browser in."""
        parts = [
            f"{self.cookie_name}={self._cookie}",
            "Path=/",
            f"Max-Age={COOKIE_MAX_AGE_S}",
            "HttpOnly",
            "SameSite=Strict",
        ]
        if is_secure:
            parts.append("Secure")
        return "; ".join(parts)

    def _knows_cookie(self, cookies: str) -> bool:
        """Look for ours among what every program of this host has set.

        The standard parser gives up at the first cookie that is not by the
        book, and other programs' cookies come along.
        """
        pairs = (pair.partition("=") for pair in cookies.split(";"))
        return any(
            hmac.compare_digest(value.strip().encode(), self._cookie.encode())
            for name, _, value in pairs
            if name.strip() == self.cookie_name
        )


_ABSENT: Final = object()


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).digest()
