"""Bytes of a program through the whole server: into the file, and out over HTTP."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.server.served import FREE, served_whole
from tests.server.test_runs import Tab, begin

BODY = "数据 🧪 👩🏽‍🚀 é\ufeff\r\nend"

PROGRAM = """
import sys
data = sys.argv[1].encode("utf-8").replace(b"%NUL%", b"\\0")
sys.stdin.read()
sys.stdout.buffer.write(b"\\xef\\xbb\\xbf")
for byte in data:
    sys.stdout.buffer.write(bytes([byte]))
    sys.stdout.buffer.flush()
"""


@pytest.mark.parametrize(
    ("body", "written"),
    [(BODY, BODY.encode()), ("a%NUL%b", "a\ufffdb".encode())],
)
async def test_what_a_program_prints_byte_by_byte_is_served_as_it_was_meant(
    tmp_path: Path, body: str, written: bytes
) -> None:
    reply = f'Ok.\n<artifact identifier="notes" type="text/plain">{body}</artifact>'
    async with served_whole(tmp_path / "data", FREE) as server:
        command = {"command": [sys.executable, "-c", PROGRAM, reply]}
        answer = await server.client.put("/api/providers/command", json=command)
        assert answer.status_code == 200, answer.text
        ids = await begin(server, agent="command", recording=None)
        await Tab(server, 0).read(until="run:end")
        page = await server.client.get(f"/api/conversations/{ids['conversation']}")
        text, artifact = page.json()["messages"][1]["parts"][:2]
        assert text["text"] == "Ok.\n"
        assert [found["code"] for found in artifact["diagnostics"]] == (
            ["nul-character"] if "%NUL%" in body else []
        )
        path = f"/api/projects/{ids['project']['id']}/files/notes.txt"
        assert (await server.client.get(path)).content == written
