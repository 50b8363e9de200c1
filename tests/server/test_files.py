"""Files over HTTP: read, written with the revision they replace, downloaded, zipped."""

from __future__ import annotations

import asyncio
import hashlib
import io
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.served import Served
from vitrail.adapters.zips import ZipEntry, stream_zip
from vitrail.errors import Conflict, InvalidInput, NotFound
from vitrail.protocol.records import Project
from vitrail.server.etags import write_condition
from vitrail.server.headers import content_disposition

PAGE = b"<!doctype html><title>Page</title><p>" + b"x" * 80


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def put_on_disk(server: Served, project: Project, path: str, content: bytes) -> None:
    file = server.data.projects / project.name / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def files_url(project: Project, path: str = "") -> str:
    return f"/api/projects/{project.id}/files" + (f"/{quote(path)}" if path else "")


async def create(server: Served, project: Project, path: str, content: bytes):
    return await server.client.put(
        files_url(project, path), content=content, headers={"If-None-Match": "*"}
    )


# --- reading ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "content", "media_type"),
    [
        (
            "a.svg",
            b'<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>',
            "image/svg+xml",
        ),
        ("b.html", PAGE + b"<script>fetch('/api/projects')</script>", "text/html"),
        ("c.png", b"<!doctype html><script>1</script>", None),
        ("d.xml", b"<a><script xmlns='http://www.w3.org/1999/xhtml'/></a>", None),
        ("e.pdf", b"%PDF-1.7", "application/pdf"),
        ("f.js", b"alert(1)", "text/plain"),
        ("noext", b"\x00\x01\x02", "application/octet-stream"),
    ],
)
async def test_no_stored_file_runs_in_the_apps_origin(
    server: Served, project: Project, path: str, content: bytes, media_type: str | None
) -> None:
    put_on_disk(server, project, path, content)
    answer = await server.client.get(files_url(project, path))
    assert answer.status_code == 200
    assert answer.content == content
    policy = answer.headers["content-security-policy"].split("; ")
    assert "sandbox" in policy  # and no allow-scripts, no allow-same-origin
    assert "default-src 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    kind = answer.headers["content-type"].partition(";")[0]
    if media_type is not None:
        assert kind == media_type
    else:
        assert kind != "image/png"  # what the name claims and the bytes are not


async def test_the_uploaders_type_is_not_believed(
    server: Served, project: Project
) -> None:
    answer = await server.client.put(
        files_url(project, "b.html"),
        content=PAGE,
        headers={"If-None-Match": "*", "Content-Type": "image/png"},
    )
    assert answer.status_code == 200, answer.text
    answer = await server.client.get(files_url(project, "b.html"))
    assert answer.headers["content-type"].startswith("text/html")


async def test_a_known_version_is_not_sent_again(
    server: Served, project: Project
) -> None:
    put_on_disk(server, project, "a.html", PAGE)
    url = files_url(project, "a.html")
    first = await server.client.get(url)
    assert first.headers["etag"] == f'"{sha(PAGE)}"'
    for tag in (
        first.headers["etag"],
        f"W/{first.headers['etag']}",
        '"x", ' + first.headers["etag"],
        "*",
    ):
        again = await server.client.get(url, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    other = await server.client.get(url, headers={"If-None-Match": '"x"'})
    assert other.status_code == 200
    head = await server.client.head(url)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(PAGE))


# --- downloads (field bug 19) -------------------------------------------------


async def test_names_of_every_script_keep_apart_and_readable(
    server: Served, project: Project
) -> None:
    for name in ("図表.html", "一覧.html"):
        assert (await create(server, project, name, PAGE)).status_code == 200
    listed = (await server.client.get(files_url(project))).json()
    assert [file["path"] for file in listed] == ["一覧.html", "図表.html"]
    answer = await server.client.get(files_url(project, "一覧.html") + "?download=1")
    assert answer.headers["content-disposition"] == (
        "attachment; filename=\"__.html\"; filename*=UTF-8''%E4%B8%80%E8%A6%A7.html"
    )


@given(st.text())
def test_no_name_can_break_out_of_the_download_header(name: str) -> None:
    header = content_disposition(name)
    assert header.isascii()
    assert header.isprintable()
    quoted = header.partition('filename="')[2].partition('"; filename*=')[0]
    assert not set(quoted) & set('"\\%;\r\n') - {";"}
    assert header.count('"') == 2
    extended = header.rpartition("UTF-8''")[2]
    assert set(extended) <= set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%"
    )


# --- paths --------------------------------------------------------------------

ESCAPES = [
    "../secret.txt",
    "..%2fsecret.txt",
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "..%5csecret.txt",
    "..\\secret.txt",
    "%c0%ae%c0%ae/secret.txt",
    "a/../../secret.txt",
    "./secret.txt",
    "a//secret.txt",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "//etc/passwd",
    "C:/x",
    "C%3a%5cx",
    "a.html%00.png",
    "a%0d%0aX-Injected:%201",
    "a.html%20",
    "a.html.",
    "CON",
    "nul.html",
    ".vitrail/project.json",
    ".VITRAIL/project.json",
    ".live-artifacts/x",
    ".git/config",
    "%ef%bc%8e%ef%bc%8e/secret.txt",
    "%ff%fe",
    "link.txt",
    "folder-link/secret.txt",
    "x" * 300,
]


async def test_no_spelling_of_a_path_leaves_the_project(
    server: Served, project: Project
) -> None:
    root = server.data.projects / project.name
    put_on_disk(server, project, "../secret.txt", b"secret")
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "folder-link").symlink_to(root.parent)
    for path in ESCAPES:
        for method in ("GET", "PUT"):
            answer = await asked(server, method, f"{files_url(project)}/{path}")
            assert int(answer.split()[1]) in {400, 403, 404, 422}, (path, answer)
            assert not answer.endswith(b"secret"), path
            assert b"X-Injected" not in answer.partition(b"\r\n\r\n")[0]
            assert str(server.data.path).encode() not in answer
    assert (server.data.projects / "secret.txt").read_bytes() == b"secret"


async def asked(server: Served, method: str, address: str) -> bytes:
    """Send a request whose address nothing tidied up; return all that comes back."""
    body = "If-None-Match: *\r\nContent-Length: 1\r\n\r\nx"
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", server.runtime.settings.port
    )
    writer.write(
        f"{method} {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        f"Authorization: Bearer {server.token}\r\n"
        f"{body if method == 'PUT' else chr(13) + chr(10)}".encode()
    )
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_a_path_is_decoded_once(server: Served, project: Project) -> None:
    answer = await server.client.put(
        files_url(project) + "/a%2520b.txt",
        content=b"1",
        headers={"If-None-Match": "*"},
    )
    assert answer.json()["file"]["path"] == "a%20b.txt"
    assert (server.data.projects / project.name / "a%20b.txt").is_file()
    climbing = await server.client.put(
        files_url(project) + "/%252e%252e%252fx.txt",
        content=b"1",
        headers={"If-None-Match": "*"},
    )
    assert climbing.status_code == 400


async def test_a_refused_path_says_the_same_whether_or_not_it_exists(
    server: Served, project: Project
) -> None:
    put_on_disk(server, project, ".vitrail/there", b"x")
    there = await server.client.get(files_url(project) + "/.vitrail/there")
    absent = await server.client.get(files_url(project) + "/.vitrail/gone")
    assert there.json() == absent.json()


# --- writing ------------------------------------------------------------------


async def test_a_write_names_the_revision_it_read(
    server: Served, project: Project
) -> None:
    url = files_url(project, "a.html")
    made = await create(server, project, "a.html", PAGE)
    assert made.status_code == 200
    assert made.headers["etag"] == f'"{sha(PAGE)}"'
    assert made.json()["revision"]["number"] == 1

    for headers in ({}, {"If-Match": "*"}):
        answer = await server.client.put(url, content=b"x", headers=headers)
        assert answer.status_code == 428
        assert answer.json()["code"] == "precondition-required"

    again = await create(server, project, "a.html", PAGE)
    assert (again.status_code, again.json()["code"]) == (409, "file-exists")

    second = PAGE + b"2"
    answer = await server.client.put(
        url, content=second, headers={"If-Match": made.headers["etag"]}
    )
    assert (answer.status_code, answer.json()["revision"]["number"]) == (200, 2)

    stale = await server.client.put(
        url, content=b"lost", headers={"If-Match": made.headers["etag"]}
    )
    assert (stale.status_code, stale.json()["code"]) == (412, "revision-conflict")
    assert (await server.client.get(url)).content == second


async def test_of_writes_at_once_one_wins_and_the_rest_hear_of_it(
    server: Served, project: Project
) -> None:
    made = await create(server, project, "a.txt", b"0")
    answers = await asyncio.gather(
        *(
            server.client.put(
                files_url(project, "a.txt"),
                content=b"by %d" % number,
                headers={"If-Match": made.headers["etag"]},
            )
            for number in range(8)
        )
    )
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [200] + [412] * 7


def test_a_condition_is_one_of_two() -> None:
    digest = "a" * 64
    assert write_condition(f'"{digest}"', None).digest == digest
    assert write_condition(None, "*").digest is None
    for missing in (None, "*"):
        with pytest.raises(Conflict):
            write_condition(missing, None)
    for wrong in ("x", f'W/"{digest}"', digest, f'"{digest.upper()}"'):
        with pytest.raises(InvalidInput):
            write_condition(wrong, None)
    for if_match in (None, f'"{digest}"'):
        with pytest.raises(InvalidInput):
            write_condition(if_match, f'"{digest}"')


# --- the archive ----------------------------------------------------------------


def entry(name: str, content: bytes) -> ZipEntry:
    async def read() -> bytes:
        return content

    return name, read


async def zipped(entries: list[ZipEntry]) -> bytes:
    return b"".join([piece async for piece in stream_zip(entries)])


async def test_equal_files_give_an_equal_archive_in_any_order() -> None:
    entries = [
        entry("b/ü.txt", b"2" * 5000),
        entry("a.html", PAGE),
        entry("empty", b""),
    ]
    made = await zipped(entries)
    assert made == await zipped(entries[::-1])
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.namelist() == ["a.html", "b/ü.txt", "empty"]
        assert archive.testzip() is None
        assert archive.read("b/ü.txt") == b"2" * 5000


async def test_an_archive_is_sent_while_it_is_made() -> None:
    read: list[str] = []

    def noted(name: str) -> ZipEntry:
        async def content() -> bytes:
            read.append(name)
            return name.encode() * 100

        return name, content

    stream = stream_zip([noted(f"{number}") for number in range(5)])
    assert await anext(stream)
    assert read == ["0"]
    assert b"".join([piece async for piece in stream])


async def test_a_file_that_is_gone_by_its_turn_is_left_out() -> None:
    async def gone() -> bytes:
        raise NotFound("gone", code="file-not-found")

    made = await zipped([entry("a", b"1"), ("b", gone)])
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.namelist() == ["a"]


async def test_a_project_is_downloaded_whole(
    server: Served, project: Project, tmp_path: Path
) -> None:
    await create(server, project, "index.html", PAGE)
    put_on_disk(server, project, "data/図表.csv", b"1,2")
    put_on_disk(server, project, ".vitrail/inner", b"no")
    url = f"/api/projects/{project.id}/zip"
    answer = await server.client.get(url)
    assert answer.headers["content-type"] == "application/zip"
    assert 'filename="site.zip"' in answer.headers["content-disposition"]
    assert "content-length" not in answer.headers
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(tmp_path / "out")
        names = archive.namelist()
    assert "index.html" in names
    assert "data/図表.csv" in names
    assert not any(".vitrail" in name for name in names)
    assert (tmp_path / "out" / "index.html").read_bytes() == PAGE
    assert (await server.client.get(url)).content == answer.content
