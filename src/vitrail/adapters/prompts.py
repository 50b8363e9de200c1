"""The instructions that teach a model the protocol: the package's, or the person's own."""

from __future__ import annotations

import asyncio
from importlib import resources
from pathlib import Path
from typing import Final

from vitrail.adapters.failures import storage_errors
from vitrail.errors import NotText

__all__ = ["SYSTEM_PROMPT_NAME", "SystemPrompt"]

SYSTEM_PROMPT_NAME: Final = "system-prompt.md"
"""The person's own instructions in the data folder; they replace the package's."""

_MAX_BYTES: Final = 256 * 1024


class SystemPrompt:
    """The instructions, read anew whenever they are asked for.

    >>> asyncio.run(SystemPrompt()())[:16]
    'You answer insid'
    """

    def __init__(self, own: Path | None = None) -> None:
        self._own = own

    async def __call__(self) -> str:
        """Return the text; raise ``NotText`` or ``StorageError`` for the person's own."""
        return await asyncio.to_thread(self._read)

    def _read(self) -> str:
        if self._own is not None:
            with storage_errors():
                try:
                    with self._own.open("rb") as file:
                        content = file.read(_MAX_BYTES + 1)
                except FileNotFoundError:
                    return self.shipped()
            return _checked(content)
        return self.shipped()

    @staticmethod
    def shipped() -> str:
        """Return the package's own text."""
        file = resources.files("vitrail") / "prompts" / "system.md"
        return file.read_text("utf-8")


def _checked(content: bytes) -> str:
    if len(content) > _MAX_BYTES:
        raise NotText(
            f"{SYSTEM_PROMPT_NAME} is larger than {_MAX_BYTES // 1024} KiB. Shorten it, "
            "or remove it to use the one that ships."
        )
    try:
        return content.decode()
    except UnicodeDecodeError as cause:
        raise NotText(
            f"{SYSTEM_PROMPT_NAME} is not UTF-8 text. Save it as UTF-8, or remove it "
            "to use the one that ships."
        ) from cause
