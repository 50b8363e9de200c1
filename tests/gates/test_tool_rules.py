"""The tools' own rules: the configuration in force is this one."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scripts.check import CHECKS, ROOT

BIN = Path(sys.executable).parent
NO_IO = {
    *("asyncio", "sqlite3", "socket", "subprocess", "os", "pathlib", "shutil"),
    *("tempfile", "time", "random", "uuid", "secrets", "logging"),
    *("fastapi", "starlette", "uvicorn", "httpx2", "typer", "rich", "structlog"),
}


@pytest.fixture(scope="module")
def tools():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


def _out(*command, folder=ROOT):
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_ruff_applies_all_rules_with_complexity_ten(tools):
    lint = tools["ruff"]["lint"]
    assert lint["select"] == ["ALL"]
    assert lint["mccabe"] == {"max-complexity": 10}
    assert set(lint["flake8-tidy-imports"]["banned-api"]) >= {
        "time.time",
        "time.monotonic",
        "datetime.datetime.now",
        "uuid.uuid4",
        "os.environ",
        "os.getenv",
    }


def test_ruff_in_force_reads_that_configuration():
    shown = _out(f"{BIN}/ruff", "check", "--show-settings", "src/vitrail/errors.py")
    assert "linter.mccabe.max_complexity = 10" in shown
    for rule in ("(TID251)", "(PLC0415)", "(C901)", "(BLE001)", "(S101)", "(D103)"):
        assert rule in shown, rule


def test_ruff_finds_a_clock_read_in_the_core():
    source = "import time\n\nNOW = time.time()\n"
    found = subprocess.run(
        [f"{BIN}/ruff", "check", "--stdin-filename", "src/vitrail/core/a.py", "-"],
        cwd=ROOT,
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "TID251" in found.stdout


def test_mypy_is_strict_everywhere(tools):
    mypy = tools["mypy"]
    assert mypy["strict"] is True
    assert mypy["warn_unreachable"] is True
    assert set(mypy["files"]) == {"src", "tests", "scripts", "bench", "examples"}
    for override in mypy["overrides"]:
        assert not override.get("ignore_errors")
        assert not any(name.startswith("vitrail") for name in override["module"])


def test_import_contracts_place_every_module(tools):
    contracts = {c["id"]: c for c in tools["importlinter"]["contracts"]}
    assert contracts["layers"]["exhaustive"] is True
    assert contracts["layers"]["layers"] == [
        "cli",
        "server | workspace",
        "workflow | adapters",
        "ports",
        "cards",
        "core",
        "protocol",
        "errors | limits",
    ]
    assert contracts["stages"]["exhaustive"] is True
    assert contracts["stages"]["layers"] == [
        "parse | validate | commit | render | edit | export | deliver",
        "document",
        "text | names",
    ]
    forbidden = set(contracts["no-io"]["forbidden_modules"])
    assert forbidden >= NO_IO
    assert set(contracts["no-io"]["source_modules"]) >= {
        "vitrail.core",
        "vitrail.protocol",
        "vitrail.ports",
    }
    assert contracts["layers"]["ignore_imports"] == ["vitrail -> vitrail.**"]
    assert not contracts["stages"].get("ignore_imports")
    assert not contracts["no-io"].get("ignore_imports")


def test_every_public_name_needs_its_docstring(tools):
    assert tools["interrogate"]["ignore-init-module"] is False
    assert not tools["interrogate"].get("ignore-module")


def test_warnings_are_errors_in_tests(tools):
    options = tools["pytest"]["ini_options"]
    assert options["filterwarnings"][0] == "error"
    assert "--strict-markers" in options["addopts"]
    assert "--strict-config" in options["addopts"]


def test_biome_refuses_any_default_exports_and_cycles():
    rules = json.loads((ROOT / "web/biome.json").read_text(encoding="utf-8"))
    linter = rules["linter"]["rules"]
    assert linter["suspicious"]["noExplicitAny"] == "error"
    assert linter["suspicious"]["noImportCycles"] == "error"
    assert linter["style"]["noDefaultExport"] == "error"
    for override in rules.get("overrides", []):
        off = json.dumps(override["linter"]["rules"])
        assert "noExplicitAny" not in off
        assert "noImportCycles" not in off


def test_typescript_is_strict():
    base = (ROOT / "web/tsconfig.base.json").read_text(encoding="utf-8")
    assert '"strict": true' in base


def test_check_runs_every_tool():
    assert {
        "ruff",
        "ruff-format",
        "mypy",
        "import-linter",
        "docstrings",
        "dead-code",
        "generated-types",
        "biome",
        "tsc",
        "web-structure",
    } <= set(CHECKS)


def test_check_says_each_gate_in_one_line():
    done = subprocess.run(
        [sys.executable, "-m", "scripts.check", "module-length", "comments"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = [line.split()[1] for line in done.stdout.splitlines() if " s" in line[-4:]]
    assert names == ["module-length", "comments"]


def test_check_refuses_a_name_it_does_not_know():
    done = subprocess.run(
        [sys.executable, "-m", "scripts.check", "nonsense"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "got nonsense" in done.stdout
