"""Imports stand at the top; only adapters, commands and the package's facade hide some."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, modules

__all__ = ["find"]

_MAY_HIDE = ("src/vitrail/adapters/", "src/vitrail/cli/", "src/vitrail/__init__.py")


def find(root: Path) -> Iterator[Breach]:
    """Yield every import inside a function elsewhere, whatever a linter's comment says."""
    for module in modules(root, "src"):
        if module.path.startswith(_MAY_HIDE):
            continue
        for function in ast.walk(module.tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield module.breach(
                        node.lineno, f"an import hidden in {function.name}()"
                    )
