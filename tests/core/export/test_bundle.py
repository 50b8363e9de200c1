"""Bundles: every byte is spoken for; what is read is what was written."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitrail.core.export.bundle import (
    BundleArchive,
    Record,
    is_bundle,
    manifest_of_records,
    read_bundle,
)
from vitrail.core.export.stored_zip import archive_end, local_header, stored_entry
from vitrail.errors import InvalidInput

AT = "2026-11-30T00:00:00.000Z"
ONE, TWO = b"<h1>One</h1>", "<h1>Zwei ☂</h1>".encode()


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def revision(path: str, number: int, content: bytes, **more: Any) -> Record:
    parent = {"path": path, "number": number - 1} if number > 1 else None
    value = {
        "path": path,
        "number": number,
        "parent": parent,
        "author": "model",
        "digest": sha(content),
        "size": len(content),
        "createdAt": AT,
    }
    return "revision", value | more


HEAD: Record = ("bundle", {"name": "tea", "title": "Tea", "version": 1})
RECORDS: list[Record] = [
    HEAD,
    ("file", {"path": "a.html", "present": True}),
    ("file", {"path": "図表.html", "present": False}),
    revision("a.html", 1, ONE),
    revision("図表.html", 1, ONE, reason="why\nnot"),
    revision("a.html", 2, TWO, author="person"),
]


def packed(records: list[Record], *contents: bytes, sort: bool = True) -> bytes:
    archive = BundleArchive()
    text, _ = manifest_of_records(records)
    objects = {sha(content): content for content in contents}
    names = sorted(objects) if sort else list(objects)
    return (
        archive.manifest(text)
        + b"".join(archive.object(name, objects[name]) for name in names)
        + archive.end()
    )


GOOD = packed(RECORDS, ONE, TWO)


def read(data: bytes):
    return read_bundle(lambda at, n: data[at : at + n], len(data))


def refusal(data: bytes) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        read(data)
    return refused.value


def test_what_is_read_is_what_was_written() -> None:
    bundle = read(GOOD)
    assert bundle.head.title == "Tea"
    assert [(file.path, file.present) for file in bundle.files] == [
        ("a.html", True),
        ("図表.html", False),
    ]
    assert [(one.path, one.number) for one in bundle.revisions] == [
        ("a.html", 1),
        ("図表.html", 1),
        ("a.html", 2),
    ]
    start, size = bundle.objects[sha(TWO)]
    assert GOOD[start : start + size] == TWO
    assert bundle.seal == manifest_of_records(RECORDS)[1]
    assert is_bundle(GOOD[:60])


def test_any_program_that_reads_zips_reads_a_bundle() -> None:
    with zipfile.ZipFile(io.BytesIO(GOOD)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names[0] == "vitrail-bundle.jsonl"
        assert {archive.read(name) for name in names[1:]} == {ONE, TWO}


@pytest.mark.parametrize("bits", [0x01, 0x80, 0xFF])
def test_a_change_of_any_byte_is_told(bits: int) -> None:
    for at in range(len(GOOD)):
        changed = bytearray(GOOD)
        changed[at] ^= bits
        assert refusal(bytes(changed)).code in ("bundle-damaged", "bundle-too-new"), at


def test_an_end_that_is_missing_or_too_long_is_told() -> None:
    for size in range(len(GOOD)):
        assert refusal(GOOD[:size]).code == "bundle-damaged"
    assert refusal(GOOD + b"\0").code == "bundle-damaged"


@given(st.binary(max_size=200), st.integers(0, len(GOOD)), st.integers(0, 200))
@settings(max_examples=200)
def test_no_other_bytes_than_those_that_were_written_are_read(
    put: bytes, at: int, cut: int
) -> None:
    other = GOOD[:at] + put + GOOD[at + cut :]
    if other != GOOD:
        assert refusal(other).code in ("bundle-damaged", "bundle-too-new")


@given(st.binary(max_size=300))
def test_anything_else_is_refused_in_words(data: bytes) -> None:
    assert refusal(data).code == "bundle-damaged"
    assert refusal(GOOD[:50] + data).message.endswith("was made.")


def without(index: int) -> list[Record]:
    return [*RECORDS[:index], *RECORDS[index + 1 :]]


@pytest.mark.parametrize(
    ("records", "word"),
    [
        (without(0), "does not begin"),
        (without(1), "not those that its revisions"),
        (without(3), "does not follow"),
        ([*RECORDS, RECORDS[1]], "not those that its revisions"),
        ([*RECORDS, revision("a.html", 4, ONE)], "does not follow"),
        ([*RECORDS, revision("a.html", 3, ONE, parent=None)], "parent"),
        (
            [*RECORDS, revision("a.html", 3, ONE, movedFrom="nowhere", parent=None)],
            "parent",
        ),
        ([*RECORDS, revision("a.html", 3, ONE, size=7)], "another size"),
        ([*RECORDS, revision("a.html", 3, ONE, author="nobody")], "does not fit"),
        ([*RECORDS, revision("a.html", 3, ONE, createdAt="today")], "does not fit"),
        ([*RECORDS, revision("a.html", 3, ONE, unknown=1)], "does not fit"),
        ([*RECORDS, revision("a.html", 3, ONE, digest="../../x")], "does not fit"),
    ],
)
def test_records_that_do_not_fit_each_other_are_told(
    records: list[Record], word: str
) -> None:
    assert word in refusal(packed(records, ONE, TWO)).message


@pytest.mark.parametrize("path", ["../x.html", "/etc/passwd", ".vitrail/x", "CON"])
def test_no_path_leads_out_of_a_project(path: str) -> None:
    records = [
        HEAD,
        ("file", {"path": path, "present": True}),
        revision(path, 1, ONE),
    ]
    assert repr(path) in refusal(packed(records, ONE)).message


def test_two_files_that_one_disk_could_not_hold_are_told() -> None:
    records: list[Record] = [HEAD]
    for path in ("a.html", "A.html"):
        records += [
            ("file", {"path": path, "present": True}),
            revision(path, 1, ONE),
        ]
    assert "differ by case" in refusal(packed(records, ONE)).message


def test_a_move_goes_on_at_another_path() -> None:
    moved = revision(
        "b.html",
        1,
        TWO,
        movedFrom="a.html",
        parent={"path": "a.html", "number": 2},
    )
    there: Record = ("file", {"path": "b.html", "present": True})
    assert read(packed([*RECORDS, moved, there], ONE, TWO)).revisions[-1].parent


def test_an_object_that_is_missing_or_too_many_is_told() -> None:
    assert refusal(packed(RECORDS, ONE)).code == "bundle-damaged"
    assert refusal(packed(RECORDS, ONE, TWO, b"more")).code == "bundle-damaged"
    assert refusal(packed(RECORDS, TWO, ONE, sort=sha(TWO) < sha(ONE))).code


def test_records_of_later_versions_are_carried_and_a_later_format_is_not_read() -> None:
    comment: Record = ("comment", {"path": "a.html", "text": "Bigger"})
    bundle = read(packed([*RECORDS, comment], ONE, TWO))
    assert bundle.more == (comment,)
    newer = [("bundle", {**HEAD[1], "version": 2}), *RECORDS[1:]]
    assert refusal(packed(newer, ONE, TWO)).code == "bundle-too-new"


def test_another_spelling_of_the_same_json_breaks_the_chain() -> None:
    text, _ = manifest_of_records(RECORDS)
    spelled = b"\n".join(
        json.dumps(json.loads(line)).encode() for line in text.splitlines()
    )
    archive = BundleArchive()
    data = archive.manifest(spelled + b"\n") + archive.end()
    assert "breaks the chain" in refusal(data).message


def test_beyond_the_old_limits_the_directory_is_zip64() -> None:
    entries, at = [], 0
    for number in range(70_000):
        entry = stored_entry(f"{number}", b"", at)
        entries.append(entry)
        at = entry.end
    data = b"".join(map(local_header, entries)) + archive_end(tuple(entries))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert len(archive.namelist()) == 70_000
    far = stored_entry("far", b"x", 5 * 1024**3)
    assert b"PK\x06\x06" in archive_end((far,))
