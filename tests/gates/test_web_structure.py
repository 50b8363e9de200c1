"""The rules of web/scripts/check_structure.mjs can fail: each finds what is planted for it."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from scripts.check import ROOT

SCRIPT = ROOT / "web/scripts/check_structure.mjs"
BASE = {
    "package.json": json.dumps({"devDependencies": {"vitest": "1"}}),
    "packages/a/package.json": json.dumps(
        {"name": "@v/a", "exports": {".": "./src/index.ts"}, "dependencies": {}}
    ),
    "app/package.json": json.dumps({"name": "@v/app", "dependencies": {"@v/a": "1"}}),
    "packages/a/src/index.ts": 'export { x } from "./x";\n',
    "packages/a/src/x.ts": (
        'import type { Y } from "./y";\nexport const x = `${1}\n`;\nexport type X = Y;\n'
    ),
    "packages/a/src/y.ts": 'import { x } from "./x";\nexport type Y = typeof x;\n',
    "packages/a/src/x.test.ts": 'import { test } from "vitest";\ntest("x", () => {});\n',
    "app/src/main.ts": 'import { x } from "@v/a";\nimport "node:fs";\nx;\n',
}
CIRCLE = "import each other in a circle"
PLANTED = [
    (
        {"app/src/a.ts": "const a = `" + "\n" * 20 + "`;\n"},
        "at most 20 lines, this has 21",
    ),
    (
        {"app/src/a.tsx": "const a = <p>{`" + "\n" * 20 + "`}</p>;\n"},
        "at most 20 lines",
    ),
    (
        {"packages/a/src/x.ts": 'import { y } from "./y";\nexport const x = y;\n'},
        CIRCLE,
    ),
    ({"packages/a/src/x.ts": 'export * from "./index";\n'}, CIRCLE),
    ({"packages/a/src/x.ts": 'export const x = import("./index");\n'}, CIRCLE),
    ({"app/src/a.ts": 'import "react";\n'}, "which @v/app does not depend on"),
    ({"app/src/a.ts": 'import { test } from "vitest";\n'}, "does not depend on"),
    (
        {
            "packages/a/package.json": json.dumps(
                {"name": "@v/a", "dependencies": {"@v/app": "1"}}
            )
        },
        "packages depend on each other",
    ),
]


def _found(folder, files):
    for name, text in (BASE | files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    node = shutil.which("node")
    assert node is not None, "expected node on the path"
    return subprocess.run(
        [node, str(SCRIPT), str(folder)],
        cwd=ROOT / "web",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("files", "says"), PLANTED)
def test_a_planted_breach_is_found(tmp_path, files, says):
    done = _found(tmp_path, files)
    assert done.returncode == 1
    assert says in done.stdout, done.stdout + done.stderr


def test_nothing_is_found_where_nothing_is_wrong(tmp_path):
    done = _found(tmp_path, {})
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
