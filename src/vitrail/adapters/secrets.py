"""Keys: kept in one private file, shown by their last four characters only.

``DATA/secrets.json`` has mode 0600 and is replaced whole. A key is kept with
the origin it was entered for, and is given back for that origin only: who
changes the address of the model cannot make the key travel with it.
"""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from vitrail.adapters.failures import storage_errors
from vitrail.adapters.private_files import replace_private_file
from vitrail.errors import InvalidInput

__all__ = ["SECRETS_NAME", "KeyFile", "StoredKey", "checked_key", "key_hint"]

SECRETS_NAME: Final = "secrets.json"
"""The file in the data folder."""

_HINT_CHARS: Final = 4
_HINTED_FROM_CHARS: Final = 12
"""Of a shorter key four characters would be too large a part."""
_MAX_KEY_CHARS: Final = 4096
_MAX_FILE_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True, repr=False)
class StoredKey:
    """A key and what it is for."""

    key: str
    origin: str


class KeyFile:
    """The keys of one data folder, by the name of their provider.

    A file that is missing, damaged or not ours holds no keys; entering a key
    writes it anew.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing = Lock()  # two keys that are kept at once are both kept

    def read(self) -> dict[str, StoredKey]:
        """Return all keys; raise ``StorageError`` where the disk refuses."""
        try:
            value = json.loads(self._content())
        except ValueError:
            return {}
        keys = value.get("keys") if isinstance(value, dict) else None
        if not isinstance(keys, dict):
            return {}
        return {
            name: StoredKey(entry["key"], entry["origin"])
            for name, entry in keys.items()
            if isinstance(entry, dict)
            and isinstance(entry.get("key"), str)
            and isinstance(entry.get("origin"), str)
        }

    def put(self, name: str, key: StoredKey | None) -> None:
        """Keep a key, or forget it; raise ``StorageError``."""
        with self._writing:
            keys = self.read()
            keys.pop(name, None)
            if key is not None:
                keys[name] = key
            value = {
                "keys": {
                    name: {"key": stored.key, "origin": stored.origin}
                    for name, stored in sorted(keys.items())
                }
            }
            replace_private_file(self._path, json.dumps(value, indent=2).encode())

    def _content(self) -> bytes:
        with storage_errors():
            try:
                handle = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            except FileNotFoundError:
                return b""
            with os.fdopen(handle, "rb") as file:
                if stat.S_IMODE(os.fstat(handle).st_mode) & 0o077:
                    os.fchmod(handle, 0o600)  # a copy or a restore opened it up
                return file.read(_MAX_FILE_BYTES)


def checked_key(text: str) -> str:
    """Return the key that a person entered; raise ``InvalidInput``, without it.

    Nothing but visible ASCII can be sent in a header.
    """
    key = text.strip()
    is_sendable = key.isascii() and key.isprintable() and " " not in key
    if not is_sendable or len(key) > _MAX_KEY_CHARS:
        raise InvalidInput(
            "This is no key: expected one word of letters, digits and signs. "
            "Copy it again, without the text around it."
        )
    return key


def key_hint(key: str) -> str:
    """Return what may be shown of a key.

    >>> key_hint("sk-0123456789abcd")
    'abcd'
    >>> key_hint("ollama")
    '••••'
    """
    return key[-_HINT_CHARS:] if len(key) >= _HINTED_FROM_CHARS else "••••"
