"""A breach of each of the project's own rules: the smallest tree in which it must be found.

Each entry is the files of a tree and a fragment of what the rule must say. `CLEAN` holds files
that come close and are fine, so that a rule which finds everything fails as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

__all__ = ["CLEAN", "PLANTED", "Plant"]


@dataclass(frozen=True, slots=True)
class Plant:
    """Files of a small tree and what a rule must say of them."""

    files: dict[str, str] = field(default_factory=dict)
    says: str = ""


_LONG_FUNCTION = "def long():\n" + "    print()\n" * 50
_ENTRIES = "## [Unreleased]\n\n### Added\n\n- It works.\n"

PLANTED: Final[list[tuple[str, Plant]]] = [
    ("module-length", Plant({"src/vitrail/a.py": "x = 1\n" * 601}, "got 601")),
    ("module-length", Plant({"web/app/src/a.ts": "x();\n" * 601}, "got 601")),
    ("function-length", Plant({"src/vitrail/a.py": _LONG_FUNCTION}, "got 51")),
    (
        "hidden-imports",
        Plant(
            {
                "src/vitrail/core/a.py": "def f():\n    import json  # noqa: PLC0415 - x\n"
            },
            "hidden in f()",
        ),
    ),
    (
        "shells",
        Plant(
            {"src/vitrail/core/a.py": "from time import monotonic as m\n\nx = m()\n"},
            "time.monotonic",
        ),
    ),
    (
        "shells",
        Plant(
            {
                "src/vitrail/workflow/a.py": (
                    "import datetime as dt\n\nx = dt.datetime.now(dt.UTC)\n"
                )
            },
            "take a Clock",
        ),
    ),
    (
        "shells",
        Plant(
            {"src/vitrail/core/a.py": "import uuid\n\nx = uuid.uuid4()\n"}, "take Ids"
        ),
    ),
    (
        "shells",
        Plant(
            {"src/vitrail/cli/a.py": "import os\n\nx = os.environ['HOME']\n"},
            "the environment is read here",
        ),
    ),
    (
        "one-of-each",
        Plant(
            {"src/vitrail/server/a.py": "import httpx2\n\nhttpx2.get('x')\n"},
            "requests",
        ),
    ),
    (
        "one-of-each",
        Plant(
            {
                "src/vitrail/server/a.py": "from urllib import request\n\nrequest.urlopen('x')\n"
            },
            "requests",
        ),
    ),
    (
        "one-of-each",
        Plant(
            {
                "src/vitrail/workflow/a.py": "import asyncio\n\nf = asyncio.create_subprocess_exec\n"
            },
            "starts processes",
        ),
    ),
    (
        "one-of-each",
        Plant(
            {"src/vitrail/cli/a.py": "import os\n\nos.execvp('a', ['a'])\n"},
            "processes",
        ),
    ),
    (
        "one-of-each",
        Plant(
            {
                "src/vitrail/server/a.py": "def f(p, root):\n    return p.is_relative_to(root)\n"
            },
            "inside a folder",
        ),
    ),
    (
        "one-of-each",
        Plant(
            {"web/app/src/a.ts": 'export const a = () => fetch("/x");\n'}, "requests"
        ),
    ),
    (
        "exported-names",
        Plant(
            {"src/vitrail/a.py": '__all__ = ["a"]\n\na = 1\n\n\ndef b(): ...\n'},
            "b is public and not in __all__",
        ),
    ),
    (
        "exported-names",
        Plant({"src/vitrail/a.py": '__all__ = ["a"]\n'}, "which is not here"),
    ),
    ("exported-names", Plant({"src/vitrail/a.py": "def b(): ...\n"}, "no __all__")),
    (
        "documented",
        Plant(
            {"src/vitrail/errors.py": 'CODES: dict[str, int] = {"too-odd": 1}\n'},
            "`too-odd` is not in docs/errors.md",
        ),
    ),
    (
        "documented",
        Plant(
            {"src/vitrail/__init__.py": '__all__ = ["Thing"]\n'},
            "`Thing` is not in docs/library.md",
        ),
    ),
    (
        "documented",
        Plant(
            {"src/vitrail/cli/main.py": 'COMMANDS: dict[str, str] = {"fly": "Fly."}\n'},
            "`vitrail fly` is not in docs/cli.md",
        ),
    ),
    (
        "documented",
        Plant(
            {"src/vitrail/server/settings.py": 'x = "VITRAIL_NEW_THING"\n'},
            "`VITRAIL_NEW_THING` is not in docs/settings.md",
        ),
    ),
    (
        "documented",
        Plant(
            {"src/vitrail/protocol/events.py": 'class A(B, tag="a:b"): ...\n'},
            "`a:b` is not in docs/events.md",
        ),
    ),
    (
        "documented",
        Plant(
            {"src/vitrail/core/a.py": 'x = Diagnostic(code="odd-body", message="m")\n'},
            "`odd-body` is not in docs/errors.md",
        ),
    ),
    (
        "docstrings",
        Plant(
            {"src/vitrail/a.py": '"""A."""\n\n\ndef b(): ...\n'}, "b has no docstring"
        ),
    ),
    ("docstrings", Plant({"src/vitrail/a.py": "x = 1\n"}, "a.py has no docstring")),
    (
        "dead-code",
        Plant({"src/vitrail/a.py": "def never_called(): ...\n"}, "'never_called'"),
    ),
    (
        "documented",
        Plant(
            {"web/packages/bridge/src/messages.ts": '  readonly type: "odd";\n'},
            "`odd` is not in docs/preview.md",
        ),
    ),
    ("glossary", Plant({"CONTEXT.md": "# Words\n"}, "**Project**")),
    ("glossary", Plant({"src/vitrail/utils.py": ""}, "'utils.py'")),
    ("glossary", Plant({"web/app/src/helpers/a.ts": ""}, "'helpers'")),
    ("glossary", Plant({"src/vitrail/a.py": "class RunManager: ...\n"}, "RunManager")),
    ("comments", Plant({"src/vitrail/a.py": "# see line 120 of parse.py\n"}, "number")),
    (
        "comments",
        Plant({"web/app/src/a.ts": "// keep in sync with b.ts\n"}, "two copies"),
    ),
    ("reasons", Plant({"src/vitrail/a.py": "x = 1  # noqa: S101\n"}, "got no reason")),
    ("reasons", Plant({"src/vitrail/a.py": "x = 1  # noqa\n"}, "without its code")),
    (
        "reasons",
        Plant({"tests/a.py": "x = 1  # type: ignore[misc]\n"}, "got no reason"),
    ),
    ("reasons", Plant({"tests/a.py": "# ruff: noqa: S101\n"}, "a whole file")),
    (
        "reasons",
        Plant(
            {"pyproject.toml": '[tool.ruff.lint]\nignore = [\n  "D105",\n]\n'},
            "the reason on this line",
        ),
    ),
    (
        "reasons",
        Plant({"web/app/src/a.ts": "// biome-ignore lint/a/b:\n"}, "RULE: reason"),
    ),
    (
        "sleeps",
        Plant({"tests/test_a.py": "import time\n\ntime.sleep(1)\n"}, "sleep(…)"),
    ),
    (
        "addresses",
        Plant({"package-lock.json": '"resolved": "' + 'https://x/y.tgz"'}, "address"),
    ),
    ("addresses", Plant({"docs/a.md": "see /work/" + "main/x"}, "one machine")),
    ("changelog", Plant({}, "there is none")),
    ("changelog", Plant({"CHANGELOG.md": "## [0.1.0]\n\n- It works.\n"}, "Unreleased")),
    (
        "changelog",
        Plant({"CHANGELOG.md": _ENTRIES + "- misc fixes\n"}, "one full sentence"),
    ),
    ("changelog", Plant({"CHANGELOG.md": _ENTRIES + "### Odds\n"}, "'Odds'")),
]
"""Rule and breach, several for a rule that has several parts."""

CLEAN: Final[dict[str, str]] = {
    "CHANGELOG.md": _ENTRIES,
    "src/vitrail/__init__.py": (
        '"""A."""\n\n\ndef __getattr__(name):\n    import json\n    return json, name\n'
    ),
    "src/vitrail/core/a.py": (
        '"""Words."""\n\nimport datetime\n\n__all__ = ["b"]\n\n'
        'def b(now: datetime.datetime) -> str:\n    """A."""\n    return now.isoformat()\n'
    ),
    "src/vitrail/adapters/a.py": (
        '"""A."""\n\n__all__ = ["now"]\n\n\ndef now():\n    """A."""\n'
        "    import time\n\n    return time.time()\n"
    ),
    "src/vitrail/server/settings.py": (
        "'''A.'''\n\nimport os\n\n__all__ = ['home']\n\nhome = os.environ.get('HOME')\n"
    ),
    "tests/test_a.py": (
        "import asyncio\n\n\nasync def test_a():\n    await asyncio.sleep(0)\n"
        "    x = 1  # noqa: S101 - a reason\n    y = 2  # type: ignore[misc]  # a reason\n"
    ),
    "web/app/src/a.ts": "// a comment on fetch(x)\nexport const prefetch = () => 1;\n",
    "pyproject.toml": (
        '[tool.ruff.lint]\nignore = [\n  "D105", # a reason\n]\n'
        "[tool.interrogate]\nignore-magic = true\n"
    ),
    "src/vitrail/server/routes/a.py": (
        "'''A.'''\n\nrouter = Router()\n__all__ = ['router']\n\n\n"
        "@router.get('/x')\ndef x():\n    '''A.'''\n"
    ),
    "docs/a.md": "`vitrail serve` prints a link.\n",
}
"""A tree with no breach but in its glossary, which it does not have."""
