"""Files that a person names: whole, or as they were."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from vitrail.adapters.outputs import write_output
from vitrail.errors import InvalidPath, StorageError


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    assert write_output(tmp_path / "a", [b"one", b"two"]) == 6
    assert (tmp_path / "a").read_bytes() == b"onetwo"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_failure_in_the_middle_leaves_what_was_there(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(StorageError):
        write_output(tmp_path / "a", pieces())
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_who_may_read_it_stays(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o600)
    write_output(tmp_path / "a", [b"new"])
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_the_file_behind_a_link_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").symlink_to("a")
    write_output(tmp_path / "b", [b"new"])
    assert (tmp_path / "b").is_symlink()
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_device_is_written_into_and_not_replaced() -> None:
    write_output(Path(os.devnull), [b"x"])
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize("name", [".", "no/such/folder", "a\0b"])
def test_what_cannot_be_a_file_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidPath):
        write_output(tmp_path / name, [b"x"])
