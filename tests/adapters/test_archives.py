"""Archives that come in: what attacks is told whole, before anything is written."""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.path_cases import path_cases
from vitrail.adapters.archives import FolderSource, ZipSource
from vitrail.core.export.entries import JudgedEntries
from vitrail.errors import InvalidInput, InvalidPath
from vitrail.limits import MAX_IMPORT_ENTRIES

PAGE = b"<!doctype html><p>Tea"


def packed(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return made.getvalue()


def with_mode(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


async def examine(data: bytes) -> JudgedEntries:
    source = ZipSource(io.BytesIO(data))
    try:
        return await source.examine()
    finally:
        source.close()


async def codes(data: bytes) -> list[str]:
    return [one.code for one in (await examine(data)).refused]


async def test_files_come_in_by_path_with_their_manifests() -> None:
    data = packed(
        ("site/index.html", PAGE),
        ("site/", b""),
        ("site/index.html.artifact.json", b"{}"),
        ("re\u0301sume\u0301.md", b"# R"),
        ("gone.html.artifact.json", b"{}"),
    )
    source = ZipSource(io.BytesIO(data))
    judged = await source.examine()
    assert judged.refused == []
    assert [file.path for file in judged.files] == ["résumé.md", "site/index.html"]
    page = judged.files[1]
    assert await source.read(page.entry) == PAGE
    assert page.manifest is not None
    assert await source.read(page.manifest) == b"{}"
    assert [(one.name, one.reason) for one in judged.left_out] == [
        ("gone.html.artifact.json", "manifest")
    ]
    source.close()


# --- the corpus ---------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        one
        for one in path_cases("artifact_name", "manifest_path", "zip_entry_in")
        if one.is_name and one.value
    ],
    ids=lambda case: case.id,
)
async def test_the_archive_reader_judges_every_row_of_the_corpus(case) -> None:
    if case.value.startswith("\ud800"):
        # as a program that does not look would write it, flagged as UTF-8
        data = packed(("éa.html", PAGE))
        data = data.replace("éa.html".encode(), b"\xed\xa0\x80.html")
        with pytest.raises(InvalidInput):
            await examine(data)
        return
    info = zipfile.ZipInfo("placeholder")
    info.filename = case.value  # what the constructor cuts and turns stays
    data = packed((info, PAGE))
    judged = await examine(data)
    came_in = [file.path for file in judged.files] if not judged.refused else []
    if case.is_allowed:
        assert came_in == [case.stored_as or case.value], case.reason
    else:
        assert came_in == [], case.reason
        is_folder = case.value.endswith("/")
        assert judged.refused or judged.left_out or is_folder


def twice() -> bytes:
    return packed(("x.html", PAGE), ("y.html", b"other")).replace(b"y.html", b"x.html")


DESCRIBED: dict[str, Callable[[], bytes]] = {
    "P141": lambda: packed((with_mode("link", stat.S_IFLNK | 0o777), b"/etc/passwd")),
    "P143": twice,
    "P144": lambda: packed(("bomb.bin", bytes(32 * 1024 * 1024))),
    "P145": lambda: packed(*((f"{number}", b"") for number in range(100_000))),
}


def test_every_described_row_of_the_corpus_is_one_of_these() -> None:
    rows = [case.id for case in path_cases("zip_entry_in") if not case.is_name]
    assert rows == sorted(DESCRIBED)


@pytest.mark.parametrize("row", DESCRIBED)
async def test_the_archive_reader_refuses_what_a_row_describes(row: str) -> None:
    try:
        refused = await codes(DESCRIBED[row]())
    except InvalidInput as error:
        refused = [one["code"] for one in error.details["refused"]]  # type: ignore[attr-defined]  # a list
    expected = {
        "P141": "entry-link",
        "P143": "entry-duplicate",
        "P144": "entry-too-dense",
        "P145": "archive-too-many",
    }
    assert refused == [expected[row]]


# --- attacks --------------------------------------------------------------------


def crc_changed() -> bytes:
    data = bytearray(packed(("a.html", PAGE)))
    at = data.index(b"PK\x01\x02") + 16
    data[at] ^= 1
    data[14] ^= 1
    return bytes(data)


def encrypted() -> bytes:
    data = bytearray(packed(("a.html", PAGE)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def false_size(size: int) -> bytes:
    data = bytearray(packed(("a.html", b"x" * 5000)))
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, size)
    struct.pack_into("<I", data, 22, size)
    return bytes(data)


def overlapping() -> bytes:
    """Let two entries of the directory share one content."""
    data = bytearray(packed(("a.html", PAGE), ("b.html", PAGE)))
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    struct.pack_into("<I", data, second + 42, 0)
    return bytes(data)


def two_names() -> bytes:
    return packed(("a.html", PAGE)).replace(b"a.html", b"b.html", 1)


def other_method() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.html", PAGE)
    return made.getvalue()


def nested(depth: int) -> bytes:
    data = packed(("a.html", PAGE))
    for _ in range(depth):
        data = packed(("a.zip", data))
    return data


ATTACKS: list[tuple[str, Callable[[], bytes], list[str]]] = [
    ("wrong-crc", crc_changed, ["entry-damaged"]),
    ("encrypted", encrypted, ["entry-encrypted"]),
    ("said-smaller", lambda: false_size(10), ["entry-damaged"]),
    ("said-larger", lambda: false_size(9000), ["entry-damaged"]),
    ("said-huge", lambda: false_size(2**31), ["entry-too-large"]),
    ("overlapping", overlapping, ["entry-overlaps"]),
    ("two-names", two_names, ["entry-damaged"]),
    ("lzma", other_method, ["entry-method"]),
    ("nested", lambda: nested(3), ["archive-nested"]),
    (
        "nested-bomb",
        lambda: packed(("a.docx", packed(("x", bytes(8 * 1024 * 1024))))),
        ["entry-too-dense"],
    ),
    (
        "device",
        lambda: packed((with_mode("a", stat.S_IFCHR | 0o600), b"")),
        ["entry-special"],
    ),
    (
        "pipe",
        lambda: packed((with_mode("a", stat.S_IFIFO | 0o600), b"")),
        ["entry-special"],
    ),
    (
        "link-to-folder",
        lambda: packed(
            (with_mode("a", stat.S_IFLNK | 0o777), b"/tmp"), ("a/b.html", PAGE)
        ),
        ["entry-link"],
    ),
    (
        "case",
        lambda: packed(("Index.html", PAGE), ("index.html", PAGE)),
        ["path-clash"],
    ),
    (
        "composition",
        lambda: packed(("caf\u00e9.html", PAGE), ("cafe\u0301.html", PAGE)),
        ["entry-duplicate"],
    ),
    (
        "folders-by-case",
        lambda: packed(("A/x.html", PAGE), ("a/y.html", PAGE)),
        ["path-clash"],
    ),
    (
        "file-and-folder",
        lambda: packed(("a", PAGE), ("a/b.html", PAGE)),
        ["path-below-a-file"],
    ),
    (
        "folder-then-file",
        lambda: packed(("a/b.html", PAGE), ("A", PAGE)),
        ["path-below-a-file"],
    ),
    (
        "out-by-a-hidden-folder",
        lambda: packed((".git/../../x.html", PAGE)),
        ["path-hidden"],
    ),
    (
        "manifest-outside",
        lambda: packed(("../x.html.artifact.json", b"{}")),
        ["path-traversal"],
    ),
    ("folder-outside", lambda: packed(("../x/", b"")), ["path-traversal"]),
]


@pytest.mark.parametrize(
    ("make", "expected"),
    [attack[1:] for attack in ATTACKS],
    ids=[attack[0] for attack in ATTACKS],
)
async def test_an_attack_is_refused_by_its_name(
    make: Callable[[], bytes], expected: list[str]
) -> None:
    assert await codes(make()) == expected


async def test_everything_that_is_wrong_is_told_at_once() -> None:
    data = packed(
        ("../a", b""),
        ("/b", b""),
        ("CON", b""),
        (with_mode("c", stat.S_IFLNK | 0o777), b"x"),
        ("d.html", PAGE),
    )
    refused = (await examine(data)).refused
    assert [(one.name, one.code) for one in refused] == [
        ("../a", "path-traversal"),
        ("/b", "path-absolute"),
        ("CON", "path-device"),
        ("c", "entry-link"),
    ]


async def test_hidden_files_and_folders_of_tools_stay_outside_and_are_told() -> None:
    data = packed(
        (".git/config", b"x"),
        ("a/.env", b"x"),
        ("__MACOSX/._a.html", b"x"),
        ("node_modules/x/index.js", b"x"),
        (".vitrail/project.json", b"{}"),
        ("a.html", PAGE),
    )
    judged = await examine(data)
    assert judged.refused == []
    assert [file.path for file in judged.files] == ["a.html"]
    assert len(judged.left_out) == 5


async def test_an_archive_in_an_archive_is_a_file_like_any_other() -> None:
    judged = await examine(nested(2))
    assert judged.refused == []
    assert [file.path for file in judged.files] == ["a.zip"]
    begins_like_one = await examine(packed(("a.bin", b"PK\x03\x04 and no more")))
    assert begins_like_one.refused == []


@pytest.mark.parametrize("data", [b"", b"PK", b"%PDF-1.7", PAGE * 100, b"PK\x05\x06"])
async def test_what_is_no_archive_is_told(data: bytes) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await examine(data)
    assert refusal.value.code == "archive-invalid"


WHOLE = packed(("a/index.html", PAGE * 40), ("b.css", b"b{}"), ("c.bin", bytes(500)))


@given(st.data())
@settings(max_examples=150)
async def test_no_damage_gets_past_or_raises_anything_else(data: st.DataObject) -> None:
    changed = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(changed)) | st.just(len(changed)))
    source = ZipSource(io.BytesIO(bytes(changed[:end])))
    try:
        judged = await source.examine()
    except InvalidInput:
        return
    if not judged.refused:
        for file in judged.files:
            assert len(await source.read(file.entry)) == file.entry.size


async def test_an_entry_that_begins_before_the_archive_is_refused() -> None:
    data = bytearray(WHOLE)
    at = data.rindex(b"PK\x05\x06")
    (start,) = struct.unpack_from("<I", data, at + 16)
    struct.pack_into("<I", data, at + 16, start + 256)
    judged = await examine(bytes(data))
    assert {refusal.code for refusal in judged.refused} == {"entry-overlaps"}


async def test_a_directory_that_would_fill_the_memory_is_not_read() -> None:
    data = bytearray(packed(("a", b"")))
    at = data.rindex(b"PK\x05\x06")
    struct.pack_into("<I", data, at + 12, 2**31)
    with pytest.raises(InvalidInput) as refusal:
        await examine(bytes(data))
    assert refusal.value.code == "import-refused"


# --- folders ----------------------------------------------------------------------


async def test_a_folder_comes_in_as_it_is_and_its_links_are_told(
    tmp_path: Path,
) -> None:
    (tmp_path / "secret").write_text("secret")
    root = tmp_path / "site"
    (root / "css").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git/config").write_text("x")
    (root / "index.html").write_bytes(PAGE)
    (root / "css/cafe\u0301.css").write_text("b{}")
    source = FolderSource(root)
    judged = await source.examine()
    assert judged.refused == []
    assert [file.path for file in judged.files] == ["css/café.css", "index.html"]
    assert await source.read(judged.files[0].entry) == b"b{}"
    assert [one.name for one in judged.left_out] == [".git"]

    (root / "link.html").symlink_to(tmp_path / "secret")
    (root / "away").symlink_to(tmp_path)
    os.mkfifo(root / "pipe")
    (root / "ab:c").write_text("x")
    (root / os.fsdecode(b"\xff.html")).write_text("x")
    refused = (await FolderSource(root).examine()).refused
    assert sorted((one.name, one.code) for one in refused) == [
        ("\\udcff.html", "path-not-utf8"),
        ("ab:c", "path-forbidden-character"),
        ("away", "entry-link"),
        ("link.html", "entry-link"),
        ("pipe", "entry-special"),
    ]


async def test_a_file_that_became_a_link_since_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("12345")
    root = tmp_path / "site"
    root.mkdir()
    (root / "a.html").write_text("54321")
    source = FolderSource(root)
    (file,) = (await source.examine()).files
    (root / "a.html").unlink()
    (root / "a.html").symlink_to(tmp_path / "secret")
    with pytest.raises(InvalidPath):
        await source.read(file.entry)
    (root / "a.html").unlink()
    (root / "a.html").write_text("changed")
    with pytest.raises(InvalidInput):
        await source.read(file.entry)


async def test_a_folder_without_end_is_refused_by_its_count(tmp_path: Path) -> None:
    for number in range(MAX_IMPORT_ENTRIES + 5):
        (tmp_path / f"{number}").touch()
    (refusal,) = (await FolderSource(tmp_path).examine()).refused
    assert refusal.code == "archive-too-many"
