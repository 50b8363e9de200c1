"""Edits of files whose text is known, because the same reply wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from vitrail.limits import MAX_BODY_CODE_POINTS, MAX_RECOVERABLE_CHARS

__all__ = ["Edit", "KnownFiles", "edits_in"]

_OLD: Final = ("old_string", "old_str", "old_text")
_NEW: Final = ("new_string", "new_str", "new_text")


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement."""

    old: str
    """Empty: the file is new."""
    new: str
    everywhere: bool
    """Whether each place of ``old`` is meant; otherwise it has to be the only one."""


def edits_in(arguments: Mapping[str, Any]) -> tuple[Edit, ...]:
    """Return the replacements that a tool's arguments ask for; none if they are none.

    >>> edits_in({"old_string": "a", "new_string": "b"})
    (Edit(old='a', new='b', everywhere=False),)
    """
    several = arguments.get("edits")
    asked = several if isinstance(several, list) else [arguments]
    edits = [edit for item in asked if (edit := _edit(item)) is not None]
    return tuple(edits) if len(edits) == len(asked) else ()


def _edit(item: object) -> Edit | None:
    if not isinstance(item, Mapping):
        return None
    old = next(_strings(item, _OLD), None)
    new = next(_strings(item, _NEW), None)
    if old is None or new is None:
        return None
    return Edit(old, new, item.get("replace_all") is True)


def _strings(item: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    return (item[key] for key in keys if isinstance(item.get(key), str))


class KnownFiles:
    """Texts of files that the reply wrote, as far as there is room for them.

    What edits may make in all is limited too: a short edit of a long file
    would make much of little.
    """

    def __init__(
        self,
        *,
        max_chars: int = MAX_RECOVERABLE_CHARS,
        max_made_chars: int = MAX_BODY_CODE_POINTS,
    ) -> None:
        self._texts: dict[str, str] = {}
        self._room = max_chars
        self._makes = max_made_chars

    @property
    def room(self) -> int:
        """Characters that may still be kept."""
        return self._room

    def keep(self, path: str, text: str) -> None:
        """Keep a file's text, if there is room."""
        self.forget(path)
        if len(text) <= self._room:
            self._room -= len(text)
            self._texts[path] = text

    def forget(self, path: str) -> None:
        """Forget a file: its text is not what was kept."""
        text = self._texts.pop(path, None)
        if text is not None:
            self._room += len(text)

    def edited(self, path: str, edits: tuple[Edit, ...]) -> str | None:
        """Return the file's text after the edits and keep it; None if it is not known."""
        text = self._texts.get(path)
        for at, edit in enumerate(edits):
            text = self._replaced(text, edit, is_first=at == 0)
            if text is None:
                self.forget(path)
                return None
        if text is not None:
            self.keep(path, text)
        return text

    def _replaced(self, text: str | None, edit: Edit, *, is_first: bool) -> str | None:
        if not edit.old:
            # It makes a file; one that is there is not replaced in this way.
            return edit.new if is_first and text is None else None
        if text is None:
            return None
        self._makes -= len(text)
        found = text.count(edit.old) if self._makes >= 0 else 0
        if not found or (found > 1 and not edit.everywhere):
            return None
        self._makes -= found * len(edit.new)
        return text.replace(edit.old, edit.new) if self._makes >= 0 else None
