"""Working files: no link is followed, no file is half there."""

from __future__ import annotations

import errno
import hashlib
import os
import tracemalloc
from pathlib import Path

import pytest

from vitrail.adapters.folder import ProjectFolder
from vitrail.errors import InvalidPath, NotFound, StorageError


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    made = tmp_path / "outside"
    made.mkdir()
    (made / "secret.html").write_text("secret")
    return made


@pytest.fixture
def folder(tmp_path: Path) -> ProjectFolder:
    made = ProjectFolder(tmp_path / "project")
    made.make()
    return made


def write(folder: ProjectFolder, path: str, content: bytes) -> None:
    folder.place(folder.stage(path, content), path)


def test_what_is_placed_is_read_and_listed(folder: ProjectFolder) -> None:
    write(folder, "a/b/index.html", b"x")
    write(folder, "a.css", b"y")
    content, found = folder.read("a/b/index.html")
    assert (content, found.path, found.size) == (b"x", "a/b/index.html", 1)
    assert sorted(item.path for item in folder.list()) == ["a.css", "a/b/index.html"]


@pytest.mark.parametrize("path", ["link/secret.html", "link/new.html"])
def test_no_folder_that_is_a_link_is_gone_through(
    folder: ProjectFolder, outside: Path, path: str
) -> None:
    (folder.root / "link").symlink_to(outside)
    for attempt in (
        lambda: folder.read(path),
        lambda: folder.find(path),
        lambda: write(folder, path, b"x"),
        lambda: folder.remove(path),
    ):
        with pytest.raises(InvalidPath):
            attempt()
    assert [item.name for item in outside.iterdir()] == ["secret.html"]
    assert (outside / "secret.html").read_text() == "secret"


def test_no_file_that_is_a_link_is_read_or_written_through(
    folder: ProjectFolder, outside: Path
) -> None:
    (folder.root / "there.html").symlink_to(outside / "secret.html")
    (folder.root / "dangling.html").symlink_to(outside / "new.html")
    for path in ("there.html", "dangling.html"):
        with pytest.raises(InvalidPath):
            folder.read(path)
        with pytest.raises(InvalidPath):
            folder.find(path)
        with pytest.raises(InvalidPath):
            folder.check_place(path)
        with pytest.raises(InvalidPath):
            write(folder, path, b"x")
    assert [item.name for item in outside.iterdir()] == ["secret.html"]
    assert list(folder.list()) == []


def test_a_manifest_that_is_a_link_is_neither_read_nor_written_through(
    folder: ProjectFolder, outside: Path
) -> None:
    write(folder, "x.html", b"x")
    (folder.root / "x.html.artifact.json").symlink_to(outside / "secret.html")
    with pytest.raises(InvalidPath):
        folder.read_manifest("x.html", at_most=100)
    with pytest.raises(InvalidPath):
        write(folder, "x.html.artifact.json", b"{}")
    assert (outside / "secret.html").read_text() == "secret"


def test_staging_that_is_a_link_is_refused(
    folder: ProjectFolder, outside: Path
) -> None:
    (folder.root / ".vitrail").symlink_to(outside)
    with pytest.raises(InvalidPath):
        folder.stage("x.html", b"x")
    assert [item.name for item in outside.iterdir()] == ["secret.html"]


def test_a_hard_link_is_replaced_and_never_written_into(
    folder: ProjectFolder, outside: Path
) -> None:
    (folder.root / "x.html").hardlink_to(outside / "secret.html")
    write(folder, "x.html", b"new")
    assert (outside / "secret.html").read_text() == "secret"
    assert folder.read("x.html")[0] == b"new"


def test_what_is_no_regular_file_is_no_file(folder: ProjectFolder) -> None:
    os.mkfifo(folder.root / "pipe.html")
    (folder.root / "folder.html").mkdir()
    for path, what in (("pipe.html", "a pipe"), ("folder.html", "a folder")):
        assert folder.find(path) is None
        with pytest.raises(NotFound):
            folder.read(path)
        with pytest.raises(InvalidPath, match=what):
            folder.check_place(path)
    assert list(folder.list()) == []


def test_internal_hidden_and_tools_files_are_not_listed(folder: ProjectFolder) -> None:
    for name in (
        ".vitrail/x.html",
        ".live-artifacts/a/index.html",
        ".od/x.html",
        ".git/config",
        ".env",
        "node_modules/a/index.js",
        "index.html.artifact.json",
        "con.html",
    ):
        path = folder.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (folder.root / "index.html").write_text("x")
    assert [item.path for item in folder.list()] == ["index.html"]


def test_a_decomposed_name_on_disk_is_reached_by_both_spellings(
    folder: ProjectFolder,
) -> None:
    (folder.root / "cafe\u0301.html").write_text("x")
    (listed,) = folder.list()
    assert folder.read(listed.path)[0] == b"x"
    assert folder.read("caf\u00e9.html")[0] == b"x"
    write(folder, "caf\u00e9.html", b"y")
    assert [item.name for item in folder.root.glob("*.html")] == ["cafe\u0301.html"]


def test_a_replaced_file_keeps_its_mode(folder: ProjectFolder) -> None:
    write(folder, "x.html", b"x")
    (folder.root / "x.html").chmod(0o640)
    write(folder, "x.html", b"y")
    assert (folder.root / "x.html").stat().st_mode & 0o777 == 0o640


def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(
    folder: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, "x.html", b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError) as refusal:
        folder.stage("x.html", b"new")
    assert refusal.value.code == "storage-full"
    assert folder.read("x.html")[0] == b"old"
    assert not folder.has_staged()


def test_a_folder_that_is_gone_has_no_files(folder: ProjectFolder) -> None:
    folder.root.rmdir()
    assert list(folder.list()) == []
    assert folder.find("x.html") is None
    with pytest.raises(NotFound):
        folder.read("x.html")


def test_what_writes_left_behind_is_swept(folder: ProjectFolder) -> None:
    folder.stage("x.html", b"x")
    assert folder.has_staged()
    folder.clear_staging()
    assert not folder.has_staged()


def test_a_file_of_any_size_is_digested_in_a_fixed_amount_of_memory(
    folder: ProjectFolder,
) -> None:
    size = 64 * 1024 * 1024
    with (folder.root / "film.mp4").open("wb") as file:
        file.truncate(size)
    tracemalloc.start()
    try:
        digest, head, found = folder.digest("film.mp4")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert digest == hashlib.sha256(bytes(size)).hexdigest()
    assert (head, found.size) == (bytes(512), size)
    assert peak < 2 * 1024 * 1024


def test_of_a_manifest_no_more_is_read_than_fits(folder: ProjectFolder) -> None:
    write(folder, "a.html", b"x")
    (folder.root / "a.html.artifact.json").write_bytes(b" " * 5000)
    assert folder.read_manifest("a.html", at_most=100) == b" " * 101
