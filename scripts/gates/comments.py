"""Comments link symbols, tests and addresses: never a line number, never a second copy."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from scripts.gates.tree import Breach, modules, web_files

__all__ = ["find"]

_MOVES = re.compile(r"\b(?:lines?|L)[ :]?\d{2,}\b|\.(?:py|tsx?):\d+", re.IGNORECASE)
_TWICE = re.compile(r"\bkeep (?:this |these |them )?in sync\b", re.IGNORECASE)


def find(root: Path) -> Iterator[Breach]:
    """Yield each comment that cites a line by number or asks for two copies to be kept alike."""
    for module in modules(root, "src", "tests", "bench", "examples"):
        for token in tokenize.generate_tokens(StringIO(module.text).readline):
            if token.type == tokenize.COMMENT and (what := _judge(token.string)):
                yield module.breach(token.start[0], what)
    for path, text in web_files(root):
        for number, line in enumerate(text.splitlines(), 1):
            comment = re.search(r"(?:^\s*\*|//|/\*).*", line)
            if comment and (what := _judge(comment[0])):
                yield Breach(path, number, what)


def _judge(comment: str) -> str | None:
    if _MOVES.search(comment):
        return "cites a line by its number, which moves; link a symbol or a test"
    if _TWICE.search(comment):
        return "asks to keep two copies alike; delete the second"
    return None
