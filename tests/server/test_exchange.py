"""Archives and bundles over HTTP."""

from __future__ import annotations

import asyncio
import io
import zipfile
from pathlib import Path

import httpx2
import pytest

from tests.server.served import Served
from tests.server.test_files import create, files_url
from vitrail.limits import MAX_IMPORT_BYTES
from vitrail.protocol.records import Project

PAGE = b"<!doctype html><title>Page</title><p>" + b"x" * 80


def packed(**entries: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return made.getvalue()


async def bring_in(server: Served, project: Project, data: bytes, **more: str):
    return await server.client.post(
        f"/api/projects/{project.id}/import",
        content=data,
        headers={"Content-Type": "application/zip"},
        params=more,
    )


async def test_an_archive_comes_in_and_goes_out(
    server: Served, project: Project
) -> None:
    answer = await bring_in(
        server, project, packed(**{"a/index.html": PAGE, "図表.md": b"# T"})
    )
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert [file["path"] for file in body["files"]] == ["a/index.html", "図表.md"]
    assert (body["kind"], body["refused"]) == ("files", [])
    sent = await server.client.get(
        f"/api/projects/{project.id}/export", params={"to": "zip"}
    )
    assert sent.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(sent.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "a/index.html": PAGE,
            "図表.md": b"# T",
        }
    same = await server.client.get(f"/api/projects/{project.id}/zip")
    assert same.content == sent.content


async def test_a_refused_archive_answers_with_the_list_and_writes_nothing(
    server: Served, project: Project
) -> None:
    await create(server, project, "there.txt", b"mine")
    data = packed(**{"../x": b"", "CON": b"", "there.txt": b"other", "ok.md": b"#"})
    answer = await bring_in(server, project, data)
    assert (answer.status_code, answer.json()["code"]) == (422, "import-refused")
    listed = answer.json()["details"]["refused"]
    assert [(one["name"], one["code"]) for one in listed] == [
        ("../x", "path-traversal"),
        ("CON", "path-device"),
    ]
    assert all(one["message"] for one in listed)
    files = (await server.client.get(files_url(project))).json()
    assert [file["path"] for file in files] == ["there.txt"]


async def test_a_file_is_replaced_for_a_stated_reason(
    server: Served, project: Project
) -> None:
    await create(server, project, "there.txt", b"mine")
    data = packed(**{"there.txt": b"other"})
    answer = await bring_in(server, project, data)
    assert answer.json()["details"]["refused"][0]["code"] == "file-exists"
    answer = await server.client.post(
        f"/api/projects/{project.id}/import",
        content=data,
        headers={"Vitrail-Replace": '{"reason": "newer"}'},
    )
    assert answer.status_code == 200
    assert (
        await server.client.get(files_url(project, "there.txt"))
    ).content == b"other"


async def test_an_archive_becomes_a_project_or_none(server: Served) -> None:
    answer = await server.client.post(
        "/api/imports", params={"title": "Tea shop"}, content=packed(**{"a.html": PAGE})
    )
    assert answer.status_code == 201, answer.text
    assert answer.json()["project"]["title"] == "Tea shop"
    refused = await server.client.post(
        "/api/imports", params={"title": "Bad"}, content=packed(**{"../a.html": PAGE})
    )
    assert refused.status_code == 422
    listed = (await server.client.get("/api/projects")).json()
    assert [project["title"] for project in listed] == ["Tea shop"]
    assert [path.name for path in server.data.projects.iterdir()] == ["tea-shop"]


async def test_without_a_title_a_bundle_keeps_its_own(
    server: Served, project: Project
) -> None:
    await create(server, project, "a.md", b"# A\n")
    url = f"/api/projects/{project.id}/export"
    bundle = (await server.client.get(url, params={"to": "bundle"})).content
    made = await server.client.post("/api/imports", content=bundle)
    assert made.json()["project"]["title"] == project.title
    made = await server.client.post("/api/imports", content=packed(**{"a.md": b"# A"}))
    assert made.json()["project"]["title"] == "Imported"


@pytest.mark.parametrize(
    "entries",
    [
        {"a.html": PAGE.replace(b"xxxx", b"Name to confirm")},
        {"ok.md": b"# T", "b.html": PAGE.replace(b"xxxx", b"$X.XM")},
    ],
)
async def test_what_only_the_gates_refuse_leaves_no_project_and_no_folder(
    server: Served, entries: dict[str, bytes]
) -> None:
    refused = await server.client.post(
        "/api/imports", params={"title": "Bad"}, content=packed(**entries)
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "import-refused")
    assert (await server.client.get("/api/projects")).json() == []
    assert list(server.data.projects.iterdir()) == []


async def test_an_upload_that_ends_in_the_middle_leaves_nothing(
    server: Served,
) -> None:
    before = everything_below(server.data.path)
    host, port = server.client.base_url.host, server.client.base_url.port
    reader, writer = await asyncio.open_connection(host, port)
    headers = {**server.client.headers, "Content-Length": str(8 * 1024 * 1024)}
    if cookies := "; ".join(f"{k}={v}" for k, v in server.client.cookies.items()):
        headers["Cookie"] = cookies
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    target = "POST /api/imports?title=Half HTTP/1.1\r\n"
    writer.write(f"{target}Host: {host}:{port}\r\n{head}\r\n".encode())
    writer.write(b"P" * 4 * 1024 * 1024)
    await writer.drain()
    writer.close()
    # whatever was begun for it ends before the next one is answered
    answer = await bring_in_new(server, packed(**{"../x": b""}))
    assert answer.status_code == 422
    assert (await server.client.get("/api/projects")).json() == []
    assert everything_below(server.data.path) == before
    del reader


async def bring_in_new(server: Served, data: bytes) -> httpx2.Response:
    return await server.client.post("/api/imports", content=data)


def everything_below(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if not path.name.startswith("vitrail.db")
    }


async def test_a_bundle_goes_out_and_comes_in_as_another_project(
    server: Served, project: Project
) -> None:
    made = await create(server, project, "a.md", b"# One")
    await server.client.put(
        files_url(project, "a.md"),
        content=b"# Two",
        headers={"If-Match": made.headers["etag"]},
    )
    url = f"/api/projects/{project.id}/export"
    sent = await server.client.get(url, params={"to": "bundle"})
    assert sent.status_code == 200
    assert "bundle.zip" in sent.headers["content-disposition"]
    again = await server.client.get(
        url, headers={"If-None-Match": sent.headers["etag"]}
    )
    assert again.status_code == 304
    assert (await server.client.get(url)).content == sent.content

    other = await bring_in(server, project, sent.content, onto="new")
    assert other.status_code == 201, other.text
    body = other.json()
    assert (body["kind"], body["revisions"]) == ("bundle", 2)
    assert f'"{body["seal"]}"' == sent.headers["etag"]
    theirs = await server.store.revisions(body["project"]["id"], "a.md")
    mine = await server.store.revisions(project.id, "a.md")
    assert [(one.number, one.digest, one.created_at) for one in theirs] == [
        (one.number, one.digest, one.created_at) for one in mine
    ]

    same = await bring_in(server, project, sent.content)
    assert (same.status_code, same.json()["revisions"]) == (200, 0)

    changed = sent.content.replace(b"# One", b"# 0ne")
    answer = await bring_in(server, project, changed)
    assert (answer.status_code, answer.json()["code"]) == (422, "bundle-damaged")
    assert "a.md, revision 1" in answer.json()["detail"]


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x05\x06"])
async def test_what_is_no_archive_is_told(
    server: Served, project: Project, data: bytes
) -> None:
    answer = await bring_in(server, project, data)
    assert (answer.status_code, answer.json()["code"]) == (422, "archive-invalid")


async def test_an_archive_of_an_unknown_project_is_not_read(server: Served) -> None:
    answer = await server.client.post("/api/projects/none/import", content=b"x")
    assert answer.json()["code"] == "project-not-found"


async def test_no_body_is_longer_than_an_import_may_be(
    server: Served, project: Project
) -> None:
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", server.runtime.settings.port
    )
    writer.write(
        f"POST /api/projects/{project.id}/import HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {server.token}\r\nConnection: close\r\n"
        f"Content-Length: {MAX_IMPORT_BYTES + 1}\r\n\r\n".encode()
    )
    assert b" 413 " in await reader.readline()
    writer.close()
    await writer.wait_closed()
