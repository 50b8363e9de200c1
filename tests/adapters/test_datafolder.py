"""Where data folders are, what is in them, and which folders are projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from vitrail.adapters.datafolder import (
    DataFolder,
    ProjectPlace,
    find_data_folder,
    locate_file,
    locate_project,
    make_data_folder,
)
from vitrail.errors import InvalidPath, NotFound, StorageError


def test_what_is_named_comes_first_then_the_environment(tmp_path: Path) -> None:
    named, spoken = tmp_path / "named", tmp_path / "spoken"
    found = find_data_folder(tmp_path, data=named, environment=str(spoken))
    assert found == named
    assert find_data_folder(tmp_path, environment=str(spoken)) == spoken


def test_the_nearest_data_folder_above_is_used(tmp_path: Path) -> None:
    data = make_data_folder(tmp_path / "data")
    data.database.touch()
    inner = data.projects / "site" / "a"
    inner.mkdir(parents=True)
    assert find_data_folder(inner) == data.path
    (inner / "index.html").touch()
    assert find_data_folder(inner / "index.html") == data.path


def test_a_folder_outside_of_any_has_its_own(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert find_data_folder(site) == site / ".vitrail"
    own = make_data_folder(site / ".vitrail")
    own.database.touch()
    assert find_data_folder(site / "sub") == own.path


def test_a_project_s_own_settings_mark_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / ".vitrail").mkdir()
    (tmp_path / ".vitrail" / "project.json").touch()
    site = tmp_path / "site"
    assert find_data_folder(site) == site / ".vitrail"


def test_without_a_path_it_is_the_person_s_own(tmp_path: Path) -> None:
    found = find_data_folder(None, home=tmp_path)
    assert found == tmp_path / ".local" / "share" / "vitrail"


def test_it_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    data = make_data_folder(tmp_path / "new" / "data")
    for folder in (data.path, data.objects, data.projects, data.cards, data.locks):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_file_in_the_way_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "data"):
        with pytest.raises(InvalidPath):
            make_data_folder(path)


@pytest.mark.parametrize(
    "content", [b"", b" \n", b"short", b"x" * 30 + b" " + b"y" * 30, b"\xff" * 40]
)
def test_a_token_that_opens_every_door_is_refused(
    data: DataFolder, content: bytes
) -> None:
    data.token_file.write_bytes(content)
    with pytest.raises(StorageError, match="Remove it"):
        data.token()


def test_a_token_that_others_can_read_is_closed_again(data: DataFolder) -> None:
    token = data.token()
    data.token_file.chmod(0o644)
    assert data.token() == token
    assert data.token_file.stat().st_mode & 0o777 == 0o600


def test_the_token_stays_and_is_its_owner_s_alone(data: DataFolder) -> None:
    token = data.token()
    assert len(token) >= 40
    assert data.token() == token
    assert data.token_file.stat().st_mode & 0o777 == 0o600
    assert [item.name for item in data.path.glob(".token*")] == []


def test_projects_are_folders_of_projects_the_own_folder_or_any_outside(
    tmp_path: Path,
) -> None:
    data = make_data_folder(tmp_path / "site" / ".vitrail")
    assert locate_project(data, tmp_path / "site") == ProjectPlace("..", "site")
    inside = locate_project(data, data.projects / "deck")
    assert inside == ProjectPlace("projects/deck", "deck")
    other = tmp_path / "other"
    assert locate_project(data, other) == ProjectPlace(str(other), "other")


def test_what_cannot_be_a_project_is_refused_with_its_reason(tmp_path: Path) -> None:
    data = make_data_folder(tmp_path / "site" / ".vitrail")
    (tmp_path / "file.txt").touch()
    (data.projects / "leak").symlink_to(tmp_path)
    cases = {
        tmp_path / "file.txt": "path-invalid",
        tmp_path / "site" / "sub": "path-invalid",
        data.projects / "deck" / "sub": "path-invalid",
        data.path: "path-outside-project",
        data.objects: "path-outside-project",
        data.projects: "path-outside-project",
        data.projects / ".." / "objects": "path-outside-project",
        data.projects / ".." / ".." / ".." / "elsewhere": "path-outside-project",
        data.projects / "leak": "path-outside-project",
        Path("/"): "path-invalid",
    }
    for path, code in cases.items():
        with pytest.raises(InvalidPath) as refusal:
            locate_project(data, path)
        assert refusal.value.code == code, path
        assert str(tmp_path) not in refusal.value.message


@pytest.mark.parametrize(
    "name", ["x" * 300, "loop", "~nobody-of-that-name/x", "a\0b", "p\udcff"]
)
def test_a_path_that_no_disk_can_hold_is_refused_in_words(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    path = Path(name) if name.startswith("~") else tmp_path / name
    for look in (
        find_data_folder,
        lambda path: find_data_folder(None, data=path),
        lambda path: locate_project(DataFolder(tmp_path / "data"), path),
    ):
        with pytest.raises(InvalidPath):
            look(path)


def test_the_root_of_the_disk_is_no_project_though_a_data_folder_lies_in_it() -> None:
    with pytest.raises(InvalidPath, match="root"):
        locate_project(DataFolder(Path("/.vitrail")), Path("/"))


def test_what_lies_below_a_file_is_no_project(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidPath, match=r"below file"):
        locate_project(DataFolder(tmp_path / "data"), tmp_path / "file" / "a" / "b")


@pytest.mark.parametrize("written", [".", "/", "none.html"])
def test_a_file_of_no_project_is_called_by_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFound) as refused:
        locate_file(Path(written), data=tmp_path / "data")
    assert refused.value.message.startswith(f"{written} belongs to no project")
