"""The glossary's words are used: CONTEXT.md has them all, and no name says nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, modules, web_files

__all__ = ["find"]

_PATH = "CONTEXT.md"
_WORDS = (
    "Project", "Conversation", "Message", "Part", "Run", "Artifact", "Entry file",
    "Manifest", "Live artifact", "Revision", "Span", "Candidate", "Verdict", "Diagnostic",
    "Tool result", "Card", "Question form", "Canvas", "Media", "Directive", "Address",
    "Edit op", "Patch", "Data folder", "Preview document", "Bridge", "Host", "Recording",
)  # fmt: skip
_EMPTY_FILES = re.compile(
    r"(?:^|[_.-])(?:utils?|helpers?|common|manager|misc)(?:[_.-]|$)"
)
_EMPTY_CLASSES = re.compile(r"\w(?:Manager|Helpers?|Utils?)$")


def find(root: Path) -> Iterator[Breach]:
    """Yield each word that the glossary lacks, and each file or class with an empty name."""
    path = root / _PATH
    glossary = path.read_text(encoding="utf-8").lower() if path.is_file() else ""
    for word in _WORDS:
        if f"**{word.lower()}**" not in glossary:
            yield Breach(_PATH, 0, f"expected an entry **{word}**")
    names = [module.path for module in modules(root)]
    for name in [*names, *(path for path, _ in web_files(root))]:
        for part in name.split("/"):
            if _EMPTY_FILES.search(part.rsplit(".", 1)[0]):
                yield Breach(name, 0, f"{part!r} does not say what is in it")
    yield from _empty_classes(root)


def _empty_classes(root: Path) -> Iterator[Breach]:
    for module in modules(root):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and _EMPTY_CLASSES.search(node.name):
                yield module.breach(node.lineno, f"{node.name} does not say what it is")
