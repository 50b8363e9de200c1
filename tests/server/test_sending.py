"""Stored files over HTTP: in pieces, in ranges, under conditions, never as a script."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from tests.server.served import Served
from tests.server.test_files import asked, files_url, put_on_disk
from tests.support.path_cases import path_cases
from vitrail.errors import Conflict
from vitrail.protocol.records import Project
from vitrail.server.sending import Sent, decide

CONTENT = bytes(range(256)) * 4096
DIGEST = hashlib.sha256(CONTENT).hexdigest()
TAG = f'"{DIGEST}"'


@pytest.fixture
async def url(server: Served, project: Project) -> str:
    put_on_disk(server, project, "film.bin", CONTENT)
    return files_url(project, "film.bin")


# --- ranges -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "start", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=100-299999", 100, 300_000),
        ("bytes=1000000-", 1_000_000, len(CONTENT)),
        ("bytes=-5", len(CONTENT) - 5, len(CONTENT)),
        ("bytes=0-99999999999", 0, len(CONTENT)),
    ],
)
async def test_a_range_is_sent_alone(
    server: Served, url: str, asked: str, start: int, end: int
) -> None:
    answer = await server.client.get(url, headers={"Range": asked})
    assert answer.status_code == 206
    assert answer.content == CONTENT[start:end]
    assert answer.headers["content-range"] == f"bytes {start}-{end - 1}/{len(CONTENT)}"
    assert answer.headers["content-length"] == str(end - start)
    assert answer.headers["etag"] == TAG
    assert answer.headers["accept-ranges"] == "bytes"
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("asked", ["bytes=99999999-", "bytes=-0"])
async def test_a_range_that_is_not_there_is_416(
    server: Served, url: str, asked: str
) -> None:
    answer = await server.client.get(url, headers={"Range": asked})
    assert (answer.status_code, answer.content) == (416, b"")
    assert answer.headers["content-range"] == f"bytes */{len(CONTENT)}"


@pytest.mark.parametrize(
    "asked", ["bytes=0-1,3-4", "lines=1-2", "bytes=", "bytes=5-2", "bytes=a-b", "x"]
)
async def test_what_is_no_single_range_gets_the_whole_file(
    server: Served, url: str, asked: str
) -> None:
    answer = await server.client.get(url, headers={"Range": asked})
    assert (answer.status_code, answer.content) == (200, CONTENT)


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        (TAG, 206),
        (f"W/{TAG}", 200),
        ('"other"', 200),
        ("Mon, 30 Nov 2026 00:00:00 GMT", 200),
    ],
)
async def test_a_range_goes_on_with_the_same_file_only(
    server: Served, url: str, condition: str, status: int
) -> None:
    headers = {"Range": "bytes=5-9", "If-Range": condition}
    answer = await server.client.get(url, headers=headers)
    assert answer.status_code == status
    assert answer.content == (CONTENT[5:10] if status == 206 else CONTENT)


async def test_conditions_come_before_ranges(server: Served, url: str) -> None:
    known = {"Range": "bytes=5-9", "If-None-Match": TAG}
    answer = await server.client.get(url, headers=known)
    assert (answer.status_code, answer.content) == (304, b"")
    stale = {"Range": "bytes=5-9", "If-Match": '"other"'}
    answer = await server.client.get(url, headers=stale)
    assert (answer.status_code, answer.json()["code"]) == (412, "revision-conflict")
    answer = await server.client.get(url, headers={"If-Match": TAG})
    assert answer.status_code == 200


async def test_a_head_tells_the_whole_file_and_sends_nothing(
    server: Served, url: str
) -> None:
    answer = await server.client.head(url, headers={"Range": "bytes=0-1"})
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(len(CONTENT))
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["etag"] == TAG


async def test_an_empty_file_is_sent_and_has_no_range(
    server: Served, project: Project
) -> None:
    put_on_disk(server, project, "empty.txt", b"")
    url = files_url(project, "empty.txt")
    answer = await server.client.get(url)
    assert (answer.status_code, answer.content) == (200, b"")
    answer = await server.client.get(url, headers={"Range": "bytes=0-"})
    assert answer.status_code == 416


@given(
    st.integers(0, 50),
    st.text("0123456789-, =", max_size=20),
    st.sampled_from(["GET", "HEAD"]),
)
def test_whatever_is_asked_what_is_sent_lies_inside(
    size: int, asked: str, method: str
) -> None:
    headers = Headers({"range": "bytes=" + asked})
    sent = decide(headers, method, size=size, digest=DIGEST)
    assert 0 <= sent.start <= sent.end <= size
    assert sent.status in (200, 206, 416)
    assert sent.status != 206 or sent.start < sent.end


def test_without_a_tag_no_condition_holds() -> None:
    headers = Headers({"if-match": TAG, "if-none-match": TAG, "range": "bytes=1-2"})
    assert decide(headers, "GET", size=9, digest=None) == Sent(206, 1, 3)
    guarded = Headers({"if-range": TAG, "range": "bytes=1-2"})
    assert decide(guarded, "GET", size=9, digest=None) == Sent(200, 0, 9)
    with pytest.raises(Conflict):
        decide(headers, "GET", size=9, digest="other")


# --- one state of the file ------------------------------------------------------------


async def test_what_is_sent_is_the_file_that_was_opened(
    server: Served, project: Project
) -> None:
    put_on_disk(server, project, "a.txt", b"old" * 1000)
    opened, info = await server.store.open_file(project.id, "a.txt")
    answer = await server.client.put(
        files_url(project, "a.txt"),
        content=b"new",
        headers={"If-Match": f'"{info.digest}"'},
    )
    assert answer.status_code == 200, answer.text
    content = await opened.read(0, info.size)
    opened.close()
    assert hashlib.sha256(content).hexdigest() == info.digest


async def test_a_file_that_another_program_writes_into_is_not_mixed(
    server: Served, project: Project
) -> None:
    put_on_disk(server, project, "a.txt", b"old" * 1000)
    opened, _ = await server.store.open_file(project.id, "a.txt")
    assert await opened.read(0, 3) == b"old"
    path = server.data.projects / project.name / "a.txt"
    with path.open("r+b") as file:
        file.write(b"new")
    os.utime(path, ns=(1, 1))  # whatever the file system's clock says
    with pytest.raises(Conflict):
        await opened.read(3, 3)
    opened.close()
    opened.close()


async def test_no_answer_leaves_a_file_open(server: Served, project: Project) -> None:
    put_on_disk(server, project, "a.bin", CONTENT)
    url = files_url(project, "a.bin")
    before = open_files(server, project)
    for headers in ({}, {"Range": "bytes=0-9"}, {"Range": "bytes=9999999-"}):
        await server.client.get(url, headers=headers)
    await server.client.get(url, headers={"If-None-Match": TAG})
    await server.client.get(url, headers={"If-Match": '"x"'})
    await server.client.head(url)
    async with server.client.stream("GET", url) as answer:
        async for _ in answer.aiter_raw(10):
            break
    while open_files(server, project) != before:
        await server.client.get("/api/status")  # the server notices in its own time


def open_files(server: Served, project: Project) -> int:
    folder = server.data.projects / project.name
    count = 0
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            count += descriptor.readlink().is_relative_to(folder)
        except FileNotFoundError:
            continue
    return count


# --- no script ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "destination",
    ["script", "worker", "sharedworker", "serviceworker", "audioworklet", "xslt"],
)
async def test_nobody_gets_a_stored_file_to_run_it(
    server: Served, project: Project, destination: str
) -> None:
    put_on_disk(server, project, "a.js", b"alert(1)")
    answer = await server.client.get(
        files_url(project, "a.js"), headers={"Sec-Fetch-Dest": destination}
    )
    assert answer.status_code == 403
    assert b"alert" not in answer.content


@pytest.mark.parametrize("path", ["a.js", "a.mjs", "a.cjs", "a.wasm"])
async def test_a_script_is_told_as_text(
    server: Served, project: Project, path: str
) -> None:
    put_on_disk(server, project, path, b"\0asm" if path.endswith("wasm") else b"f()")
    answer = await server.client.get(files_url(project, path))
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["x-content-type-options"] == "nosniff"


# --- the corpus over HTTP --------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in path_cases("artifact_name", "manifest_path", "url_path")
        if case.is_name
    ],
    ids=lambda case: case.id,
)
async def test_every_row_of_the_corpus_is_answered_as_it_says(
    server: Served, project: Project, case
) -> None:
    written = case.value
    if case.context != "url_path":
        written = quote(case.value.encode("utf-8", "surrogatepass"))
    answer = await asked(server, "PUT", f"{files_url(project)}/{written}")
    status = int(answer.split()[1])
    if case.is_allowed:
        assert status == 200, (case.reason, answer)
        listed = await server.store.files(project.id)
        named = case.stored_as or case.value
        if case.context != "url_path":
            assert [info.path for info in listed] == [named]
    else:
        assert status in {400, 403, 404, 405}, (case.reason, answer)
        assert await server.store.files(project.id) == ()
        root = server.data.projects / project.name
        found = {path.name for path in root.rglob("*") if path.is_file()}
        assert found == set()


@pytest.mark.parametrize(
    ("row", "prepare"),
    [
        ("P119", "folder-link-inside"),
        ("P120", "folder-link-outside"),
        ("P122", "dangling"),
        ("P128", "manifest-link"),
        ("P134", "decomposed"),
    ],
)
async def test_what_lies_on_disk_is_answered_as_the_corpus_says(
    server: Served, project: Project, tmp_path: Path, row: str, prepare: str
) -> None:
    (case,) = [one for one in path_cases("fs_state") if one.id == row]
    root = server.data.projects / project.name
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "real").mkdir()
    match prepare:
        case "folder-link-inside":
            (root / "link").symlink_to(root / "real")
        case "folder-link-outside":
            (root / "link").symlink_to(outside)
        case "dangling":
            (root / "x.html").symlink_to(outside / "y")
        case "manifest-link":
            (root / "x.html").write_text("<p>x")
            (root / "x.html.artifact.json").symlink_to(outside / "y")
        case "decomposed":
            (root / "cafe\u0301.html").write_text("<p>x")
    answer = await server.client.put(
        files_url(project, case.value),
        content=b"<p>new",
        headers={"If-None-Match": "*"},
    )
    assert answer.status_code in {400, 403, 409}, case.reason
    assert list(outside.iterdir()) == []
    assert list((root / "real").iterdir()) == []


async def test_names_that_one_disk_could_not_hold_both_are_refused_by_name(
    server: Served, project: Project
) -> None:
    async def put(path: str):
        return await server.client.put(
            files_url(project, path), content=b"x", headers={"If-None-Match": "*"}
        )

    assert (await put("Img/Index.txt")).status_code == 200
    for path in ("Img/index.TXT", "img/other.txt", "IMG/Index.txt"):
        answer = await put(path)
        assert (answer.status_code, answer.json()["code"]) == (409, "path-clash")
        assert "Img" in answer.json()["detail"]
    assert (await put("Img/other.txt")).status_code == 200
    assert (await put("straße.txt")).status_code == 200
    assert (await put("STRASSE.txt")).json()["code"] == "path-clash"
