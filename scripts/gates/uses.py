"""Dotted names that a module uses, whatever it imported them as."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from scripts.gates.tree import Module

__all__ = ["imports", "uses"]


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """Yield line and dotted name of everything imported; relative imports are none of ours."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def uses(module: Module) -> Iterator[tuple[int, str]]:
    """Yield line and full dotted name of each use of something imported.

    ``from datetime import datetime as d; d.now()`` gives ``datetime.datetime.now``; a name
    imported and only handed on (``clock = time.monotonic``) counts as a use as well.
    """
    known = dict(_bindings(module.tree))
    for node in ast.walk(module.tree):
        dotted = _dotted(node)
        if dotted is None or not isinstance(node, ast.expr):
            continue
        first, _, rest = dotted.partition(".")
        if first in known:
            yield node.lineno, f"{known[first]}.{rest}" if rest else known[first]


def _bindings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    yield alias.asname, alias.name
                else:
                    top = alias.name.partition(".")[0]
                    yield top, top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return None if before is None else f"{before}.{node.attr}"
    return None
