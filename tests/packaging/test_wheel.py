"""The wheel holds the workspace, and runs where there is no Node."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("vitrail-*-py3-none-any.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Return the environment of a program that has only the wheel's Vitrail, and no Node."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # Its dependencies are the locked ones that are installed here.
    return {
        "PYTHONPATH": str(site),
        "PATH": str(tmp_path_factory.mktemp("bin")),
        "HOME": str(tmp_path_factory.mktemp("home")),
        "LANG": "C.UTF-8",
    }


def _vitrail(*arguments):
    return [sys.executable, "-m", "vitrail.cli.main", *arguments]


@pytest.mark.parametrize(
    "name",
    [
        "vitrail/server/web/index.html",
        "vitrail/server/static/bridge.js",
        "vitrail/recordings/landing-page.jsonl",
        "vitrail/prompts/system.md",
        "vitrail/py.typed",
    ],
)
def test_wheel_holds(wheel, name):
    assert name in zipfile.ZipFile(wheel).namelist()


def test_wheel_holds_every_file_that_the_page_asks_for(wheel):
    with zipfile.ZipFile(wheel) as archive:
        page = archive.read("vitrail/server/web/index.html").decode()
        names = set(archive.namelist())
    asked = re.findall(r'(?:src|href)="/?(?!data:|https?:)([^"]+)"', page)
    assert asked
    assert {f"vitrail/server/web/{name.removeprefix('./')}" for name in asked} <= names


def test_wheel_holds_nothing_of_the_workshop(wheel):
    for name in zipfile.ZipFile(wheel).namelist():
        assert name.startswith(("vitrail/", "vitrail-")), name
        assert "node_modules" not in name
        assert not name.endswith((".pyc", ".ts", ".tsx"))


def test_installed_program_is_the_wheels(installed):
    done = subprocess.run(
        [sys.executable, "-c", "import vitrail; print(vitrail.__file__)"],
        env=installed,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(installed["PYTHONPATH"])


def test_installed_program_says_its_commands(installed):
    done = subprocess.run(
        _vitrail("--help"), env=installed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "serve" in done.stdout


def test_installed_program_serves_the_workspace(installed, tmp_path):
    server = subprocess.Popen(
        _vitrail(
            "serve",
            "--port",
            "0",
            "--preview-port",
            "0",
            "--data",
            str(tmp_path / "data"),
        ),
        env={**installed, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert server.stdout is not None
    try:
        said: list[str] = []
        link = None
        for line in server.stdout:
            said.append(line)
            link = re.search(r"http://127\.0\.0\.1:\d+/\S*", line)
            if link:
                break
        assert link, "".join(said)
        jar = urllib.request.HTTPCookieProcessor()
        with urllib.request.build_opener(jar).open(link[0], timeout=10) as answer:
            page = answer.read().decode()
        assert answer.status == 200
        assert "<script" in page
    finally:
        server.terminate()
        server.communicate(timeout=20)
