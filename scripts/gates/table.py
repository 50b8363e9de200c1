"""The project's own rules, in the order in which they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from scripts.gates import (
    addresses,
    changelog,
    comments,
    dead_code,
    docstrings,
    documented,
    exported_names,
    function_length,
    glossary,
    hidden_imports,
    module_length,
    one_of_each,
    reasons,
    shells,
    sleeps,
)
from scripts.gates.tree import Breach

__all__ = ["GATES"]

GATES: Final[dict[str, Callable[[Path], Iterator[Breach]]]] = {
    "module-length": module_length.find,
    "function-length": function_length.find,
    "hidden-imports": hidden_imports.find,
    "shells": shells.find,
    "one-of-each": one_of_each.find,
    "exported-names": exported_names.find,
    "docstrings": docstrings.find,
    "documented": documented.find,
    "dead-code": dead_code.find,
    "glossary": glossary.find,
    "comments": comments.find,
    "reasons": reasons.find,
    "sleeps": sleeps.find,
    "addresses": addresses.find,
    "changelog": changelog.find,
}
"""Name of each rule with what finds its breaches; a planted one is in tests/gates/planted.py."""
