"""Dialects: which words in a text begin something that is not text.

A dialect is an ordered table of openers, and the marks they begin with. What an
opener's word begins is read by the parser's state for its kind; a new dialect
adds its openers here and its state in a module of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from vitrail.core.text import TAG_SPACE, Marks

__all__ = [
    "DIALECTS",
    "FORMS",
    "RECOVERY",
    "Dialect",
    "Opener",
    "OpenerKind",
    "find_dialect",
]

OpenerKind: TypeAlias = Literal[
    "artifact",
    "bolt-artifact",
    "bolt-action",
    "bolt-end",
    "form",
    "reasoning",
    "stray-reasoning",
]
"""What a word begins."""

_TAGS: Final = frozenset(["artifact", "bolt-artifact", "bolt-action", "form"])
_NOTHING: Final[frozenset[str]] = frozenset()
_NAME_END: Final = TAG_SPACE | {">", "/"}


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
    behind: frozenset[str] = _NOTHING
    """What must follow, if not anything may."""

    chars: int = field(init=False)
    """Characters that tell it, the one behind it included."""

    def __post_init__(self) -> None:
        """Count once what is asked at every ``<``."""
        object.__setattr__(self, "chars", len(self.word) + bool(self.behind))

    def begins_tag_at(self, buf: str, at: int) -> tuple[bool, int]:
        """Whether a tag with attributes begins here, and how much of the word is here.

        An artifact's tag without any is none.
        """
        count, most = 0, min(len(self.word), len(buf) - at)
        if buf.startswith(self.word, at):
            count = len(self.word)
        while count < most and self.takes(count, buf[at + count]):
            count += 1
        behind = buf[at + count : at + count + 1]
        is_tag = behind in self.behind and (behind != ">" or self.kind != "artifact")
        return count == len(self.word) and is_tag, count

    def takes(self, matched: int, ch: str) -> bool:
        """Whether `ch` goes on with the word, of which so much is there."""
        if matched == len(self.word):
            return ch in self.behind
        expected = self.word[matched]
        return ch == expected or (
            self.any_case and ch.isascii() and ch.lower() == expected.lower()
        )


@dataclass(frozen=True, slots=True)
class Dialect:
    """A named table of openers."""

    name: str
    openers: tuple[Opener, ...]
    in_line: tuple[Opener, ...]
    """Those of them that count in the middle of a line."""
    seconds: frozenset[str]
    """What may follow a ``<`` that begins one; nothing: it is still to come."""
    marks: Marks
    """What else the text may have to be stopped at."""
    internal: bool
    """Whether internal tags of agents are taken out."""
    directives: bool
    """Whether there are directives, embeds, media lines and the silence token."""

    tags: tuple[Opener, ...] = field(init=False)
    """Those of the openers that begin a tag with attributes."""
    artifact: Opener | None = field(init=False)
    """The opener of an artifact, which is looked for first, if it is one of them."""
    looks_ahead: bool = field(init=False)
    """Whether there are close tags that text is read ahead for."""
    is_tag_alone: bool = field(init=False)
    """Whether nothing but it counts in the middle of a line."""

    def __post_init__(self) -> None:
        """Find out once what is asked at every ``<``."""
        tags = tuple(o for o in self.openers if o.kind in _TAGS)
        object.__setattr__(self, "tags", tags)
        openers = (o for o in self.in_line if o.word == "<artifact")
        artifact = next(openers, None)
        alone = all(o.word.startswith("<artifact") for o in self.in_line)
        object.__setattr__(self, "artifact", artifact)
        object.__setattr__(self, "looks_ahead", self.internal or self.directives)
        object.__setattr__(self, "is_tag_alone", alone and not self.internal)


def _dialect(
    name: str,
    *openers: Opener,
    at_line: str = "",
    internal: bool = False,
    directives: bool = False,
) -> Dialect:
    in_line = tuple(opener for opener in openers if not opener.begins_line)
    seconds = {"", *(opener.word[1] for opener in openers)}
    seconds |= {opener.word[1].upper() for opener in openers if opener.any_case}
    if internal:
        seconds |= set("| \uff5ctTdDeE/")
    return Dialect(
        name,
        openers,
        in_line,
        frozenset(seconds),
        Marks(
            in_text="[" if directives else "",
            at_line=at_line + ("Mm" if directives else ""),
            behind_angle="| \uff5c" if internal else "",
        ),
        internal,
        directives,
    )


def _reasoning(name: str) -> tuple[Opener, Opener]:
    return (
        Opener(f"<{name}>", "reasoning", any_case=True, begins_line=True),
        Opener(f"</{name}>", "stray-reasoning", any_case=True, begins_line=True),
    )


_TAG: Final = (
    Opener("<artifact", "artifact", behind=TAG_SPACE | {">"}),
    *_reasoning("think"),
    *_reasoning("thinking"),
)
_ANT: Final = (
    Opener("<antArtifact", "artifact", behind=TAG_SPACE | {">"}),
    *_reasoning("antThinking"),
)
_BOLT: Final = (
    Opener("<boltArtifact", "bolt-artifact", behind=_NAME_END),
    Opener("<boltAction", "bolt-action", behind=_NAME_END),
    Opener("</boltArtifact>", "bolt-end"),
)
FORMS: Final[tuple[Opener, ...]] = (
    Opener("<question-form", "form", any_case=True, behind=_NAME_END),
    Opener("<ask-question", "form", any_case=True, behind=_NAME_END),
)
"""What begins a form."""

DIALECTS: Final = {
    dialect.name: dialect
    for dialect in (
        _dialect(
            "auto",
            *(*_TAG, *_ANT, *_BOLT, *FORMS),
            at_line=":",
            internal=True,
            directives=True,
        ),
        _dialect("tag", *_TAG),
        _dialect("ant", *_ANT),
        _dialect("bolt", *_BOLT),
        _dialect("colon", at_line=":"),
        _dialect("fence", at_line="`~"),
    )
}
"""Every dialect, by name. ``auto`` is all of them but ``fence``."""


RECOVERY: Final = _dialect(
    "recovery",
    Opener("<artifact", "artifact", behind=TAG_SPACE, begins_line=True),
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
