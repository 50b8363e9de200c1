"""Names that one disk could not tell apart: refused for new files, each folder listed once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vitrail.adapters.clashes import note_new, refuse_clash
from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.spelling import NamesInFolders
from vitrail.errors import Conflict, InvalidPath


@pytest.fixture
def folder(tmp_path: Path) -> ProjectFolder:
    made = ProjectFolder(tmp_path / "project")
    made.make()
    return made


def put(folder: ProjectFolder, path: str) -> None:
    file = folder.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x")


@pytest.mark.parametrize(
    ("there", "new", "other"),
    [
        ("index.html", "Index.html", "index.html"),
        ("straße.html", "STRASSE.html", "straße.html"),
        ("Img/a.png", "img/b.png", "Img"),
        ("a/B/c.png", "a/b/d.png", "a/B"),
        ("a/x", "A", "a"),
    ],
)
def test_a_name_that_differs_by_case_alone_is_refused_by_name(
    folder: ProjectFolder, there: str, new: str, other: str
) -> None:
    put(folder, there)
    with pytest.raises(Conflict) as refusal:
        refuse_clash(folder, new, NamesInFolders())
    assert refusal.value.code == "path-clash"
    assert refusal.value.details["other"] == other


def test_the_same_name_another_name_and_a_new_folder_are_no_clash(
    folder: ProjectFolder,
) -> None:
    put(folder, "img/a.png")
    (folder.root / "cafe\u0301.html").write_text("x")
    names = NamesInFolders()
    for path in ("img/a.png", "img/b.png", "new/a.png", "café.html"):
        refuse_clash(folder, path, names)


def test_a_rename_may_change_the_case_of_a_name(folder: ProjectFolder) -> None:
    put(folder, "index.html")
    refuse_clash(folder, "Index.html", NamesInFolders(), leaving={"index.html"})


def test_what_another_program_puts_into_a_folder_is_seen(
    folder: ProjectFolder,
) -> None:
    names = NamesInFolders()
    refuse_clash(folder, "a.html", names)
    put(folder, "A.html")
    os.utime(folder.root, ns=(1, 1))  # whatever the file system's clock says
    with pytest.raises(Conflict):
        refuse_clash(folder, "a.html", names)


def test_a_folder_is_listed_once_for_all_new_files(
    folder: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = 0
    list_folder = os.listdir

    def counted(path: int) -> list[str]:
        nonlocal listed
        listed += 1
        return list_folder(path)

    monkeypatch.setattr(os, "listdir", counted)
    names = NamesInFolders()
    for number in range(300):
        path = f"{number}.html"
        refuse_clash(folder, path, names)
        put(folder, path)
        note_new(folder, path, names)
    assert listed == 1
    with pytest.raises(Conflict):
        refuse_clash(folder, "299.HTML", names)


def test_no_link_is_gone_through_on_the_way(
    folder: ProjectFolder, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (folder.root / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(InvalidPath):
        refuse_clash(folder, "link/a.html", NamesInFolders())


def test_what_lies_decomposed_is_listed_by_its_composed_name(
    folder: ProjectFolder,
) -> None:
    put(folder, "e\u0301/cafe\u0301.html")
    assert [found.path for found in folder.list()] == ["é/café.html"]
    assert list(folder.list_folders()) == ["", "é"]
    found = folder.find("e\u0301/cafe\u0301.html")
    assert found is not None
    assert found.path == "é/café.html"


def test_of_two_spellings_the_composed_one_is_the_file(folder: ProjectFolder) -> None:
    (folder.root / "cafe\u0301.html").write_text("other")
    (folder.root / "caf\u00e9.html").write_text("this")
    (found,) = folder.list()
    assert folder.read(found.path)[0] == b"this"
