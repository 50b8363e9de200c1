"""The command line as a whole: its table, its ways out, and how quick it is."""

from __future__ import annotations

import importlib
import inspect
import keyword
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, Run, environment
from vitrail.cli import main as cli
from vitrail.errors import CODES, Conflict

PROBLEM = re.compile(r"error: (.+) \(([a-z-]+)\)\n")


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_table_says_each_commands_first_sentence(name: str) -> None:
    called = f"{name}_" if keyword.iskeyword(name) else name
    command = getattr(importlib.import_module(f"vitrail.cli.{called}"), called)
    said = inspect.getdoc(command)
    assert said is not None
    assert said.splitlines()[0] == cli.COMMANDS[name]


def test_help_names_every_command_without_loading_one() -> None:
    code = (
        "import sys, vitrail.cli.main as m\n"
        "try: m.main(['--help'])\n"
        "except SystemExit: pass\n"
        "loaded = sorted(n for n in sys.modules)\n"
        "print('\\n'.join(loaded), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    for name, sentence in cli.COMMANDS.items():
        assert re.search(
            rf"^  {name} +{re.escape(sentence[:40])}", done.stdout, re.MULTILINE
        )
    loaded = set(done.stderr.split())
    # The exact measure behind "answers under 0.2 s"; the clock is in bench/.
    heavy = {"pydantic", "msgspec", "fastapi", "rich", "asyncio", "vitrail.protocol"}
    assert not loaded & heavy
    assert {n for n in loaded if n.startswith("vitrail.cli.")} == {"vitrail.cli.main"}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["pase"], "Did you mean 'parse'"),
        (["--nope"], "No such option"),
        (["parse", "--chunk", "0"], "--chunk"),
        (["parse", "--chunk", "x"], "--chunk"),
        (["parse", "--dialect", "other"], "--dialect"),
        (["parse", "a", "b"], "unexpected extra argument"),
        (["serve", "--port", "70000"], "--port"),
        (["serve", "--port", "-1"], "--port"),
    ],
)
def test_a_wrong_call_exits_2_and_says_what_is_wrong(
    run: Run, args: list[str], said: str
) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["parse", "gone.txt"], "file-not-found"),
        (["parse", "."], "input-invalid"),
        (["serve", "gone"], "path-invalid"),
        (["serve", "--host", "nowhere.invalid"], "settings-invalid"),
        (["serve", "--port", "7", "--preview-port", "7"], "settings-invalid"),
        (["replay", "no-such-recording"], "recording-not-found"),
    ],
)
def test_what_fails_exits_1_with_one_line_and_a_code(
    run: Run, args: list[str], code: str
) -> None:
    done = run(*args)
    assert done.returncode == 1
    found = PROBLEM.fullmatch(done.stderr)
    assert found is not None, done.stderr
    assert found[2] == code
    assert found[1].endswith(".")


def test_an_error_inside_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for raised, said in (
        (
            RuntimeError("odd"),
            "error: something went wrong inside Vitrail: RuntimeError: odd (internal-error)\n",
        ),
        (Conflict("Moved on."), "error: Moved on. (revision-conflict)\n"),
        (
            ExceptionGroup("many", [OSError(), Conflict("Moved on.")]),
            "error: Moved on. (revision-conflict)\n",
        ),
    ):

        def broken(raised: Exception = raised) -> None:
            raise raised

        monkeypatch.setattr(cli, "_root", lambda broken=broken: _Calls(broken))
        assert cli.main(["x"]) == 1
        assert capsys.readouterr().err == said


class _Calls:
    def __init__(self, act) -> None:
        self._act = act

    def main(self, *_: object, **__: object) -> None:
        self._act()


def test_ctrl_c_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_root", lambda: _Calls(interrupted))
    assert cli.main(["x"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_goes_away_is_no_error() -> None:
    producer = subprocess.Popen(
        [*COMMAND, "schema"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert producer.stdout is not None
    assert producer.stderr is not None
    assert producer.stdout.read(1) == b"{"
    producer.stdout.close()
    said = producer.stderr.read()
    producer.stderr.close()
    producer.wait(30)
    assert said == b""


def test_an_output_that_is_full_is_told_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "schema"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    (line,) = done.stderr.decode().splitlines()
    assert line.endswith("(storage-full)")


def test_version(run: Run) -> None:
    assert re.fullmatch(r"vitrail \d+\.\d+\.\d+\n", run("--version").stdout)


def test_every_code_is_kebab_case_with_a_status() -> None:
    for code, entry in CODES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
        assert 400 <= entry.status < 600
