"""`vitrail import` and `vitrail export`: in and out on the command line."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.support.command_line import Run, run_here

PAGE = b"<!doctype html><html><body><h1>Tea</h1><p>Leaves and water.</p></body></html>"


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Run:
    monkeypatch.chdir(tmp_path)
    return run_here(capsys, monkeypatch)


def packed(path: Path, **entries: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".vitrail" not in path.parts
    }


def test_an_archive_becomes_the_folder_of_its_name(run: Run, tmp_path: Path) -> None:
    packed(tmp_path / "tea.zip", **{"index.html": PAGE, ".git/config": b"x"})
    done = run("import", "tea.zip")
    assert done.code == 0, done.err
    assert "accepted     index.html" in done.out
    assert "left out     .git/config" in done.out
    assert files(tmp_path / "tea")["index.html"] == PAGE
    again = run("import", "tea.zip", "--json")
    assert [file["verdict"] for file in again.json()["files"]] == ["unchanged"]


def test_what_is_refused_is_listed_and_leaves_nothing(run: Run, tmp_path: Path) -> None:
    packed(tmp_path / "bad.zip", **{"../x": b"", "con.html": b"", "ok.html": PAGE})
    done = run("import", "bad.zip", "--project", "site")
    assert done.code == 1
    assert "refused  ../x: " in done.err
    assert "refused  con.html: " in done.err
    assert "error: Nothing was imported." in done.err
    assert "(import-refused)" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.zip"]
    told = run("import", "bad.zip", "--json").json()
    assert [one["code"] for one in told["refused"]] == ["path-traversal", "path-device"]


def test_a_folder_comes_in_and_its_links_do_not(run: Run, tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from/図表.html").write_bytes(PAGE)
    assert run("import", "from").code == 2
    assert run("import", "from", "--project", "site").code == 0
    assert "図表.html" in files(tmp_path / "site")
    (tmp_path / "from/away").symlink_to("/etc")
    done = run("import", "from", "--project", "other")
    assert (done.code, "entry-link" in done.err) == (1, True)
    assert not (tmp_path / "other").exists()


def test_a_file_is_replaced_for_a_reason_that_is_stated(
    run: Run, tmp_path: Path
) -> None:
    packed(tmp_path / "a.zip", **{"a.css": b"a{}"})
    packed(tmp_path / "b.zip", **{"a.css": b"b{}"})
    assert run("import", "a.zip", "--project", "site").code == 0
    refused = run("import", "b.zip", "--project", "site")
    assert (refused.code, "file-exists" in refused.err) == (1, True)
    assert run("import", "b.zip", "--project", "site", "--replace", "").code == 2
    done = run("import", "b.zip", "--project", "site", "--replace", "blue now")
    assert done.code == 0, done.err
    assert "blue now" in run("log", "site/a.css").out


def test_a_bundle_carries_the_history_to_another_place(
    run: Run, tmp_path: Path
) -> None:
    packed(tmp_path / "a.zip", **{"a.css": b"a{}"})
    packed(tmp_path / "b.zip", **{"a.css": b"b{}"})
    run("import", "a.zip", "--project", "site")
    run("import", "b.zip", "--project", "site", "--replace", "blue now")
    done = run("export", "site", "--to", "bundle", "-o", "out.bundle.zip")
    assert done.code == 0, done.err
    assert "sealed" in done.err
    came = run("import", "out.bundle.zip", "--project", "copy", "--json")
    assert came.code == 0, came.err
    assert came.json()["revisions"] == 2
    assert came.json()["seal"] in done.err
    mine = run("log", "site/a.css", "--json").json()["revisions"]
    copy = run("log", "copy/a.css", "--json").json()["revisions"]
    told = ("number", "author", "digest", "reason", "createdAt")
    assert [[one[key] for key in told] for one in copy] == [
        [one[key] for key in told] for one in mine
    ]
    changed = (tmp_path / "out.bundle.zip").read_bytes().replace(b"b{}", b"c{}")
    (tmp_path / "changed.bundle.zip").write_bytes(changed)
    refused = run("import", "changed.bundle.zip")
    assert (refused.code, "(bundle-damaged)" in refused.err) == (1, True)
    assert not (tmp_path / "changed").exists()
    assert run("import", "out.bundle.zip", "--replace", "x").code == 1


def test_files_go_out_as_a_zip(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed(tmp_path / "site.zip", **{"a.html": PAGE, "b.css": b"b{}"})
    run("import", "site.zip")
    assert run("export", "site", "--to", "zip", "-o", "all.zip").code == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert archive.namelist() == ["a.html", "b.css"]
    assert run("export", "site/b.css", "--to", "zip", "-o", "one.zip").code == 0
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.namelist() == ["b.css"]
    given = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr("sys.stdout", given)
    assert run("export", "site", "--to", "zip", "-o", "-").code == 0
    given.seek(0)
    assert given.buffer.read() == (tmp_path / "all.zip").read_bytes()
    refused = run("export", "site/b.css", "--to", "bundle", "-o", "x.zip")
    assert (refused.code, "whole project" in refused.err) == (1, True)
    assert not (tmp_path / "x.zip").exists()


def test_what_is_not_there_is_told_and_nothing_is_made(
    run: Run, tmp_path: Path
) -> None:
    assert "(file-not-found)" in run("import", "none.zip").err
    (tmp_path / "plain").mkdir()
    assert "(project-not-found)" in run("export", "plain", "--to", "zip").err
    assert "(file-not-found)" in run("export", "plain/x", "--to", "zip").err
    (tmp_path / "no.zip").write_text("no")
    assert "(archive-invalid)" in run("import", "no.zip").err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["no.zip", "plain"]


def test_an_archive_comes_from_standard_input(run: Run, tmp_path: Path) -> None:
    data = packed(tmp_path / "a.zip", **{"a.css": b"a{}"}).read_bytes()
    assert run("import", "-", stdin=data).code == 2
    done = run("import", "-", "--project", "site", "--json", stdin=data)
    assert json.loads(done.out)["files"][0]["path"] == "a.css"


def test_conversations_go_out_as_a_transcript(run: Run, tmp_path: Path) -> None:
    packed(tmp_path / "site.zip", **{"a.html": PAGE})
    run("import", "site.zip")
    done = run("export", "site", "--to", "transcript", "-o", "t.jsonl")
    assert done.code == 0, done.err
    assert run("import", "t.jsonl").code == 2
    assert run("import", "t.jsonl", "--project", "site").code == 0
    assert run("export", "site", "--to", "zip", "--redact").code == 2


def test_what_the_gates_refuse_leaves_no_folder_and_no_project(
    run: Run, tmp_path: Path
) -> None:
    packed(tmp_path / "new.zip", **{"a.html": PAGE + b"<p>Name to confirm</p>"})
    done = run("import", "new.zip", "--project", "fresh")
    assert (done.code, "(import-refused)" in done.err) == (1, True)
    assert not (tmp_path / "fresh").exists()
    (tmp_path / "mine").mkdir()
    assert run("import", "new.zip", "--project", "mine").code == 1
    assert (tmp_path / "mine").is_dir()
