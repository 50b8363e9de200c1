"""The rules, in the order they are asked; one file each.

A rule that refuses ends the questions: what a later one would say of a
candidate that is no document helps nobody. A rule that mends hands the mended
candidate to those after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from vitrail.core.validate.candidate import Candidate, Finding
from vitrail.core.validate.characters import no_nul, whole_characters
from vitrail.core.validate.document import document_not_prose
from vitrail.core.validate.emptiness import not_empty
from vitrail.core.validate.shortness import long_enough
from vitrail.core.validate.storage_paths import no_storage_paths
from vitrail.core.validate.titles import readable_title
from vitrail.protocol.manifest import KINDS, Kind

__all__ = ["RULES", "Rule"]

_Check: TypeAlias = Callable[[Candidate], Finding | None]

_EVERY_KIND: Final = KINDS
_PAGES: Final[frozenset[Kind]] = frozenset({"html", "deck"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule and what it is asked about."""

    check: _Check
    kinds: frozenset[Kind]
    judges_cut_bodies: bool = True
    """Whether a body that was cut off can be judged by it."""


RULES: Final[tuple[Rule, ...]] = (
    Rule(whole_characters, _EVERY_KIND),
    Rule(no_nul, _EVERY_KIND),
    Rule(readable_title, _EVERY_KIND),
    Rule(not_empty, _EVERY_KIND),
    Rule(long_enough, _PAGES, judges_cut_bodies=False),
    Rule(document_not_prose, _PAGES),
    Rule(no_storage_paths, _PAGES),
)
"""In order; the order of spec/open-design-1 §5 for pages."""
