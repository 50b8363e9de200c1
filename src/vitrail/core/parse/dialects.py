"""Dialects: which words in a text begin something that is not text.

A dialect is an ordered table of openers. What an opener's word begins is read
by the parser's state of that name; a new dialect adds its openers here and its
state in a module of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

__all__ = ["DIALECTS", "RECOVERY", "Dialect", "Opener", "OpenerKind", "find_dialect"]

OpenerKind: TypeAlias = Literal["artifact", "reasoning", "stray-reasoning"]
"""What a word begins."""


@dataclass(frozen=True, slots=True)
class Opener:
    """One word that begins something."""

    word: str
    """The whole word with its ``<``."""
    kind: OpenerKind
    any_case: bool = False
    """Whether ASCII case does not matter."""
    begins_line: bool = False
    """Whether it counts only behind nothing but white space on its line, where
    nothing open in the paragraph may hide it."""
    needs_space: bool = False
    """Whether white space must follow, and belongs to the tag."""

    chars: int = field(init=False)
    """Characters that tell it, the white space included."""

    def __post_init__(self) -> None:
        """Count once what is asked at every ``<``."""
        object.__setattr__(self, "chars", len(self.word) + self.needs_space)


@dataclass(frozen=True, slots=True)
class Dialect:
    """A named table of openers."""

    name: str
    openers: tuple[Opener, ...]
    in_line: tuple[Opener, ...]
    """Those of them that count in the middle of a line."""


def _dialect(name: str, *openers: Opener) -> Dialect:
    in_line = tuple(opener for opener in openers if not opener.begins_line)
    return Dialect(name, openers, in_line)


def _reasoning(name: str) -> tuple[Opener, Opener]:
    return (
        Opener(f"<{name}>", "reasoning", any_case=True, begins_line=True),
        Opener(f"</{name}>", "stray-reasoning", any_case=True, begins_line=True),
    )


DIALECTS: Final = {
    "tag": _dialect(
        "tag",
        Opener("<artifact", "artifact", needs_space=True),
        *_reasoning("think"),
        *_reasoning("thinking"),
    )
}
"""Every dialect, by name."""


RECOVERY: Final = _dialect(
    "recovery",
    Opener("<artifact", "artifact", needs_space=True, begins_line=True),
)
"""What is looked for in text that was taken for code."""


def find_dialect(name: str) -> Dialect:
    """Return the dialect of that name; ``ValueError`` names the known ones.

    >>> find_dialect("tag").name
    'tag'
    """
    try:
        return DIALECTS[name]
    except KeyError:
        known = ", ".join(sorted(DIALECTS))
        raise ValueError(f"expected a dialect of: {known}; got {name!r}") from None
