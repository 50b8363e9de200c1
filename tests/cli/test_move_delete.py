"""`vitrail move` and `vitrail delete`: files and their parts, from a shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Run, run_here
from vitrail import Workspace

PAGE = b'<!doctype html><link rel=stylesheet href="s.css"><img src="shared.png"><p>Tea.</p>'


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return run_here(capsys, monkeypatch)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    with Workspace(folder) as workspace:
        workspace.write("s.css", b"p { color: green }")
        workspace.write("shared.png", b"\x89PNG\r\n\x1a\n")
        workspace.write("notes.md", b"![shared](shared.png)\n")
        workspace.write("index.html", PAGE)
    return folder


def there(site: Path) -> list[str]:
    paths = (path.relative_to(site) for path in site.rglob("*") if path.is_file())
    return sorted(
        path.as_posix()
        for path in paths
        if path.parts[0] != ".vitrail" and not path.name.endswith(".artifact.json")
    )


def test_a_page_is_deleted_alone_and_its_own_parts_are_counted(
    run: Run, site: Path
) -> None:
    done = run("delete", site / "index.html")
    assert done.code == 0
    assert done.out.splitlines() == [
        "deleted  index.html",
        "--parts would have removed 1 more, which only it needed",
    ]
    assert there(site) == ["notes.md", "s.css", "shared.png"]


def test_parts_are_deleted_with_their_page_and_shared_ones_are_told(
    run: Run, site: Path
) -> None:
    done = run("delete", site / "index.html", "--parts")
    assert done.out.splitlines() == [
        "deleted  index.html",
        "deleted  s.css",
        "kept     shared.png  which notes.md needs too",
    ]
    assert there(site) == ["notes.md", "shared.png"]
    assert run("restore", site / "s.css", "1").code == 0
    assert there(site) == ["notes.md", "s.css", "shared.png"]


def test_what_was_deleted_is_said_for_programs(run: Run, site: Path) -> None:
    assert run("delete", site / "index.html", "--parts", "--json").json() == {
        "deleted": ["index.html", "s.css"],
        "kept": [{"path": "shared.png", "usedBy": "notes.md"}],
    }


def test_parts_move_with_their_page_into_a_folder(run: Run, site: Path) -> None:
    done = run("move", site / "index.html", f"{site}/tea/", "--parts")
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        "moved    index.html  to tea/index.html",
        "moved    s.css  to tea/s.css",
    ]
    assert there(site) == ["notes.md", "shared.png", "tea/index.html", "tea/s.css"]
    page = (site / "tea/index.html").read_text()
    assert 'href="s.css"' in page
    assert 'src="../shared.png"' in page


def test_a_page_that_moves_alone_points_back_to_its_parts(run: Run, site: Path) -> None:
    (site / "tea").mkdir()
    said = run("move", site / "index.html", site / "tea", "--json").json()
    assert said["parts"] == []
    assert 'href="../s.css"' in (site / "tea/index.html").read_text()


@pytest.mark.parametrize("command", ["delete", "move"])
def test_a_file_that_is_not_there_or_another_by_now_is_left_alone(
    run: Run, site: Path, command: str
) -> None:
    to = [] if command == "delete" else [site / "b.html"]
    gone = run(command, site / "none.html", *to)
    assert (gone.code, "(file-not-found)" in gone.err) == (1, True)
    stale = run(command, site / "index.html", *to, "--if-match", "0" * 64)
    assert (stale.code, "(revision-conflict)" in stale.err) == (1, True)
    assert (site / "index.html").read_bytes() == PAGE


def test_a_file_does_not_leave_its_project(
    run: Run, site: Path, tmp_path: Path
) -> None:
    done = run("move", site / "index.html", tmp_path / "away.html")
    assert (done.code, "(path-outside-project)" in done.err) == (1, True)
    assert (site / "index.html").read_bytes() == PAGE
