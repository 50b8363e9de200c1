"""Public names, commands, settings, codes, events and bridge messages have their pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from scripts.gates.tree import Breach, Module, modules, web_files

__all__ = ["find"]

_SETTING = re.compile(r"(?:VITRAIL|OPENAI|ANTHROPIC)_[A-Z][A-Z_]*")
_BRIDGE_MESSAGES = "web/packages/bridge/src/messages.ts"
_BRIDGE_TYPE = re.compile(r'readonly type: "([\w:-]+)";')
_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")


def find(root: Path) -> Iterator[Breach]:
    """Yield each name that its page does not have in code type."""
    pages: dict[str, str] = {}
    told: set[tuple[str, str]] = set()
    for file, line, page, name, what in _words(root):
        if page not in pages:
            path = root / "docs" / page
            pages[page] = path.read_text(encoding="utf-8") if path.is_file() else ""
        if (page, name) not in told and f"`{name}`" not in pages[page]:
            told.add((page, name))
            yield Breach(file, line, f"{what} `{name}` is not in docs/{page}")


def _words(root: Path) -> Iterator[tuple[str, int, str, str, str]]:
    """Yield file, line, page, word and what it is, of every name that people meet."""
    for module in modules(root, "src"):
        for word in _public_words(module):
            yield module.path, *word
    for path, text in web_files(root):
        if path == _BRIDGE_MESSAGES:
            for found in _BRIDGE_TYPE.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                yield path, line, "preview.md", found[1], "the bridge message"


def _public_words(module: Module) -> Iterator[tuple[int, str, str, str]]:
    """Yield line, page, word and what it is, of every name that people meet."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _SETTING.fullmatch(node.value):
                yield node.lineno, "settings.md", node.value, "the setting"
        elif isinstance(node, ast.ClassDef):
            for keyword in node.keywords:
                if keyword.arg == "tag" and isinstance(keyword.value, ast.Constant):
                    tag = str(keyword.value.value)
                    yield node.lineno, "events.md", tag, "the event"
        elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            name = node.target.id if isinstance(node.target, ast.Name) else ""
            yield from _table_words(module, name, node.value)
        elif isinstance(node, ast.Assign) and module.name == "vitrail":
            yield from _facade_words(node)
        elif isinstance(node, ast.Call) and (code := _diagnostic_code(node)):
            yield node.lineno, "errors.md", code, "the diagnostic"


def _facade_words(node: ast.Assign) -> Iterator[tuple[int, str, str, str]]:
    """Yield what the package's own `__all__` lists."""
    if any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
        for name in ast.literal_eval(node.value):
            yield node.lineno, "library.md", name, "the public name"


def _table_words(
    module: Module, name: str, table: ast.Dict
) -> Iterator[tuple[int, str, str, str]]:
    for key in table.keys:
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            match module.path, name:
                case "src/vitrail/errors.py", "CODES":
                    yield key.lineno, "errors.md", key.value, "the error"
                case "src/vitrail/cli/main.py", "COMMANDS":
                    yield key.lineno, "cli.md", f"vitrail {key.value}", "the command"


def _diagnostic_code(node: ast.Call) -> str | None:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else name
    if name not in {"Diagnostic", "DiagnosticFound"}:
        return None
    given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "code")]
    for value in given:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return value.value if _CODE.fullmatch(value.value) else None
    return None
