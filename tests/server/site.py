"""One project's addresses over HTTP, and pages that the gates judge differently."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import quote

import httpx2

from tests.server.served import Served
from vitrail.protocol.records import Project

SECTIONS = "".join(
    f"<section id=s{number}><h2>Part {number}</h2><p>{'many words ' * 40}</p></section>"
    for number in range(15)
)
GOOD = f"<!doctype html><html><body>{SECTIONS}</body></html>".encode()
STUB = (
    b"<!doctype html><html><body><h2>Part 0</h2><p>Only this is left.</p></body></html>"
)
UNFINISHED = STUB.replace(b"Only this is left", b"Name to confirm")


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def match(content: bytes) -> dict[str, str]:
    return {"If-Match": f'"{sha(content)}"'}


CREATE = {"If-None-Match": "*"}


class Site:
    """One project's addresses."""

    def __init__(self, server: Served, project: Project) -> None:
        self.client = server.client
        self.server = server
        self.project = project
        self.base = f"/api/projects/{project.id}"

    async def put(self, path: str, content: bytes, **headers: str) -> httpx2.Response:
        return await self.client.put(
            f"{self.base}/files/{quote(path)}",
            content=content,
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )

    async def create(self, path: str, content: bytes) -> dict[str, Any]:
        answer = await self.put(path, content, **{"If-None-Match": "*"})
        assert answer.status_code == 200, answer.text
        said: dict[str, Any] = answer.json()
        return said

    async def replace(self, path: str, old: bytes, new: bytes) -> dict[str, Any]:
        answer = await self.put(path, new, **match(old))
        assert answer.status_code == 200, answer.text
        said: dict[str, Any] = answer.json()
        return said

    async def get(self, where: str) -> Any:
        answer = await self.client.get(f"{self.base}/{where}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def read(self, path: str) -> bytes:
        answer = await self.client.get(f"{self.base}/files/{quote(path)}")
        assert answer.status_code == 200, answer.text
        return answer.content

    async def paths(self) -> list[str]:
        return [file["path"] for file in await self.get("files")]

    async def post(
        self, where: str, body: object = None, **headers: str
    ) -> httpx2.Response:
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["Content-Type"] = "application/json"
        return await self.client.post(
            f"{self.base}/{where}", content=content, headers=headers
        )


def refused(answer: httpx2.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    said: dict[str, Any] = answer.json()
    assert said["code"] == code
    assert said["detail"]
    return said


async def held(site: Site) -> dict[str, Any]:
    """Return the record of a stub that was kept beside the good page."""
    await site.create("index.html", GOOD)
    said = await site.replace("index.html", GOOD, STUB)
    assert said["verdict"] == "quarantined"
    (draft,) = (await site.get("quarantine"))["drafts"]
    assert isinstance(draft, dict)
    return draft


async def move(site: Site, source: str, target: str, content: bytes) -> httpx2.Response:
    return await site.post("moves", {"from": source, "to": target}, **match(content))
