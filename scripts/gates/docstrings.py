"""Every public name has its docstring, as interrogate finds them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interrogate.config import InterrogateConfig
from interrogate.coverage import InterrogateCoverage

from scripts.gates.tree import Breach

__all__ = ["find"]


def find(root: Path) -> Iterator[Breach]:
    """Yield each public module, class, function and method of src without one.

    By interrogate's own settings in pyproject.toml; a function inside an async function, which
    interrogate takes for public, is none of ours.
    """
    if not (root / "src").is_dir():
        return
    results = InterrogateCoverage([str(root / "src")], _config(root)).get_coverage()
    for result in results.file_results:
        for node in result.nodes:
            if not node.covered and not _is_inside_function(node):
                path = Path(result.filename).resolve().relative_to(root.resolve())
                yield Breach(
                    path.as_posix(), node.lineno or 0, f"{node.name} has no docstring"
                )


def _config(root: Path) -> Any:
    said: dict[str, Any] = {}
    if (path := root / "pyproject.toml").is_file():
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
        said = table.get("interrogate", {})
    known = {name.replace("-", "_"): value for name, value in said.items()}
    return InterrogateConfig(
        **{name: value for name, value in known.items() if name.startswith("ignore")}
    )


def _is_inside_function(node: Any) -> bool:
    parent = node.parent
    while parent is not None:
        if "Function" in parent.node_type:
            return True
        parent = parent.parent
    return False
