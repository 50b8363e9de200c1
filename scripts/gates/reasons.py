"""Every exception from a tool's rule gives its reason on its line; none is for a whole file."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from scripts.gates.tree import Breach, modules, web_files

__all__ = ["find"]

_NOQA = re.compile(
    r"#\s*noqa(?P<codes>:\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*)?(?P<rest>[^#]*)(?P<more>#.*)?"
)
_TYPE = re.compile(r"#\s*type:\s*ignore(?P<codes>\[[\w, -]+\])?(?P<rest>.*)")
_WHOLE_FILE = re.compile(r"#\s*(?:ruff|flake8):\s*noqa|#\s*mypy:")
_BIOME = re.compile(r"biome-ignore(?P<all>-all)?\s+[\w/]+(?::\s*(?P<reason>\S.*))?")


def find(root: Path) -> Iterator[Breach]:
    """Yield each exception without a reason, and each that covers a file."""
    for module in modules(root):
        for line, comment in _comments(module.text):
            if message := _judge(comment):
                yield module.breach(line, message)
    yield from _ruff_ignores(root)
    for path, text in web_files(root):
        for number, content in enumerate(text.splitlines(), 1):
            found = _BIOME.search(content)
            if found and (found["all"] or not (found["reason"] or "").strip("*/ {}")):
                yield Breach(path, number, "expected biome-ignore RULE: reason")
            if re.search(r"@ts-(?:ignore|nocheck)", content):
                yield Breach(path, number, "expected @ts-expect-error with its reason")


def _comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _judge(comment: str) -> str | None:
    if _WHOLE_FILE.search(comment):
        return "an exception for a whole file"
    if found := _NOQA.search(comment):
        if not found["codes"]:
            return "expected `noqa: CODE - reason`, got one without its code"
        if not re.search(r"\w{3}", found["rest"] + (found["more"] or "")):
            return "expected `noqa: CODE - reason`, got no reason"
    if found := _TYPE.search(comment):
        if not found["codes"]:
            return "expected `type: ignore[code]  # reason`, got one without its code"
        if not re.search(r"\w{3}", found["rest"]):
            return "expected `type: ignore[code]  # reason`, got no reason"
    return None


def _ruff_ignores(root: Path) -> Iterator[Breach]:
    """Yield each line of pyproject's lists of ignored rules that does not say why."""
    path = root / "pyproject.toml"
    is_list = False
    for number, line in enumerate(
        path.read_text(encoding="utf-8").splitlines() if path.is_file() else (), 1
    ):
        if re.match(r"\[tool\.ruff\.lint(?:\.per-file-ignores)?\]", line):
            is_list = True
        elif line.startswith("["):
            is_list = False
        codes = re.search(r'"[A-Z]+\d*"', line.partition("=")[2] or line)
        if is_list and codes and "select" not in line and "#" not in line:
            yield Breach("pyproject.toml", number, "expected the reason on this line")
