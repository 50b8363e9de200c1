"""No test sleeps: it waits for what it is about."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, modules

__all__ = ["find"]

_SLEEPS = {"sleep", "wait_for_timeout"}


def find(root: Path) -> Iterator[Breach]:
    """Yield each call in tests that waits for time to pass; ``sleep(0)`` only lets others run."""
    for module in modules(root, "tests"):
        if not module.path.rpartition("/")[2].startswith("test_"):
            continue  # what waits for a condition by polling is written there, once
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            name = node.func.attr if isinstance(node.func, ast.Attribute) else name
            if name in _SLEEPS and not _is_zero(node):
                yield module.breach(
                    node.lineno, f"{name}(…) in a test; wait for a condition"
                )


def _is_zero(node: ast.Call) -> bool:
    return (
        len(node.args) == 1
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value == 0
    )
