"""A project's files as a browser test makes and works them, over HTTP and by name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, Page, expect

from tests.support.chromium import RunningServer
from tests.support.workspace_page import new_project

__all__ = ["LONG_PAGE", "Files", "editor", "file_actions", "open_tab"]

_ASK = """
async ([method, path, body, headers]) => {
  const answer = await fetch(path, { method, headers, body: body ?? undefined });
  return [answer.status, await answer.text()];
}
"""

LONG_PAGE = "\n".join(
    [
        "<!doctype html>",
        '<html lang="en">',
        "<head><title>Spring</title></head>",
        "<body>",
        *(
            f'<section id="part-{number}">\n<h2>Part {number}</h2>\n'
            f"<p>{f'Words of part {number}. ' * 30}</p>\n</section>"
            for number in range(12)
        ),
        "</body>",
        "</html>",
        "",
    ]
)
"""A page of about 9 kB with twelve sections, each with an id of its own."""


@dataclass
class Files:
    """The files of a new project, changed as another tab would change them."""

    page: Page
    server: RunningServer
    project: str
    """Id of the project."""
    folder: Path
    """Where its files are on disk."""

    @classmethod
    async def of_new_project(cls, page: Page, server: RunningServer) -> Files:
        """Make a project, open it, and return its files."""
        await new_project(page, "Spring launch")
        _, text = await _ask(page, "GET", "/api/projects")
        (project,) = json.loads(text)
        folder = server.data / "projects" / project["name"]
        return cls(page, server, project["id"], folder)

    async def ask(
        self,
        method: str,
        path: str,
        body: str | None = None,
        **headers: str,
    ) -> tuple[int, str]:
        """Ask the API below the project; ``if_match="…"`` is a header."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await _ask(
            self.page, method, f"/api/projects/{self.project}{path}", body, named
        )

    async def digest(self, path: str) -> str:
        """Return the digest of a file as it is."""
        _, text = await self.ask("GET", "/files")
        (digest,) = [one["digest"] for one in json.loads(text) if one["path"] == path]
        return str(digest)

    async def text(self, path: str) -> str:
        """Return the text of a file as it is."""
        status, text = await self.ask("GET", f"/files/{path}")
        assert status == 200, text
        return text

    async def write(self, path: str, text: str, *, over: bool = False) -> Any:
        """Write a file, a new one or over the one that is there; return the answer."""
        condition = (
            {"if_match": f'"{await self.digest(path)}"'}
            if over
            else {"if_none_match": "*"}
        )
        status, answer = await self.ask("PUT", f"/files/{path}", text, **condition)
        assert status == 200, answer
        return json.loads(answer)

    async def numbers(self, path: str) -> list[int]:
        """Return the numbers of a file's revisions, the newest first."""
        _, text = await self.ask("GET", f"/history/{path}")
        return [one["number"] for one in json.loads(text)["revisions"]]


async def _ask(
    page: Page,
    method: str,
    path: str,
    body: str | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, str]:
    status, text = await page.evaluate(_ASK, [method, path, body, headers or {}])
    return int(status), str(text)


async def open_tab(page: Page, name: str) -> None:
    """Look at a tab of the stage."""
    await page.get_by_role("tab", name=name, exact=True).click()


async def file_actions(page: Page, path: str, act: str) -> None:
    """Choose an act of a file's menu in the files panel."""
    await page.get_by_role("button", name=f"Actions for {path}", exact=True).click()
    await page.get_by_role("menuitem", name=act, exact=True).click()


async def editor(page: Page, path: str) -> Locator:
    """Begin to edit the file that is looked at; return the field."""
    await open_tab(page, "Source")
    await page.get_by_role("button", name="Edit", exact=True).click()
    field = page.get_by_role("textbox", name=f"Text of {path}")
    await expect(field).to_be_focused()
    return field
