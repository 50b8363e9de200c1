"""What a module exports is what its `__all__` lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, Module, modules

__all__ = ["find"]


def find(root: Path) -> Iterator[Breach]:
    """Yield each public name that is not listed, and each listed one that is not there."""
    for module in modules(root, "src"):
        defined = dict(_defined(module.tree))
        public = {name for name in defined if not name.startswith("_")}
        listed = _listed(module.tree)
        if listed is None:
            if public:
                yield module.breach(0, f"no __all__, but public names: {_join(public)}")
            continue
        line, names = listed
        for name in sorted(public - names):
            yield module.breach(defined[name], f"{name} is public and not in __all__")
        if not _is_lazy(defined):
            for name in sorted(names - set(defined) - _imported(module)):
                yield module.breach(line, f"__all__ lists {name}, which is not here")


def _join(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _is_lazy(defined: dict[str, int]) -> bool:
    return "__getattr__" in defined


def _listed(tree: ast.Module) -> tuple[int, set[str]] | None:
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return node.lineno, set(ast.literal_eval(node.value))
    return None


def _defined(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in _top_level(tree.body):
        if isinstance(node, ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not any(map(_registers, node.decorator_list)):
                yield node.name, node.lineno
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name) and name.id != "__all__":
                        yield name.id, node.lineno
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.lineno


def _registers(decorator: ast.expr) -> bool:
    """Return whether it hands the function to a router: ``@router.get("/x")``."""
    return (
        isinstance(decorator, ast.Call)
        and isinstance(decorator.func, ast.Attribute)
        and isinstance(decorator.func.value, ast.Name)
        and decorator.func.value.id in {"router", "app"}
    )


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            yield from _top_level(node.body)
            yield from _top_level(node.orelse)
        else:
            yield node


def _imported(module: Module) -> set[str]:
    return {
        alias.asname or alias.name.partition(".")[0]
        for node in _top_level(module.tree.body)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
