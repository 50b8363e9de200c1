"""A function has at most 50 lines, its docstring aside."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, modules

__all__ = ["find"]

_LIMIT_LINES = 50


def find(root: Path) -> Iterator[Breach]:
    """Yield every longer function of the program, unless its first line lifts the limit."""
    for module in modules(root, "src", "scripts"):
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            count = _line_count(node)
            if count > _LIMIT_LINES and not module.lifts(
                "function-length", node.lineno
            ):
                yield module.breach(
                    node.lineno,
                    f"{node.name}: expected at most {_LIMIT_LINES} lines, got {count}",
                )


def _line_count(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    count = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node) is not None:
        docstring = node.body[0]
        count -= (docstring.end_lineno or docstring.lineno) - docstring.lineno + 1
    return count
