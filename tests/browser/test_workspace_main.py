"""The main job, as a person does it: a recorded reply becomes a page that stays.

From an empty folder: open the printed link, play "landing page", watch text, a
growing card and the preview come; reload in the middle; restart the server; look
again; then ask for the second turn, which changes the page in place.
"""

from __future__ import annotations

import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.support.chromium import RunningServer

_ARTIFACT = re.compile(r"<artifact\b[^>]*>(.*?)</artifact>", re.DOTALL)
_REPLY_MS = 60_000
"""The recordings are 22 s long; the first plays at its own pace."""
_FASTER = """
() => {
  const known = JSON.parse(localStorage.getItem("vitrail:preferences") ?? "{}");
  localStorage.setItem("vitrail:preferences", JSON.stringify({ ...known, speed: 4 }));
}
"""


def recorded_reply(name: str) -> str:
    """Return all text of a recording that ships."""
    lines = (files("vitrail") / "recordings" / f"{name}.jsonl").read_text("utf-8")
    return "".join(
        json.loads(line).get("text") or "" for line in lines.splitlines()[1:]
    )


def recorded_prompt(name: str) -> str:
    """Return what the person asked in a recording."""
    lines = (files("vitrail") / "recordings" / f"{name}.jsonl").read_text("utf-8")
    prompt: str = json.loads(lines.partition("\n")[0])["prompt"]
    return prompt


def recorded_body(name: str) -> bytes:
    """Return the body of a recording's one artifact, as its tags enclose it."""
    (body,) = _ARTIFACT.findall(recorded_reply(name))
    return str(body).encode()


def recorded_title(name: str) -> str:
    """Return the title that the artifact's tag gives."""
    found = re.search(r'<artifact\b[^>]*\btitle="([^"]*)"', recorded_reply(name))
    assert found is not None
    return found[1]


def saved_pages(data: Path) -> list[Path]:
    """Return the entry files of all projects, manifests aside."""
    return sorted((data / "projects").glob("*/*.html"))


def manifest_of(entry: Path) -> dict[str, object]:
    """Return the manifest beside an entry file."""
    text = entry.with_name(f"{entry.name}.artifact.json").read_text("utf-8")
    manifest: dict[str, object] = json.loads(text)
    return manifest


def reply(page: Page):
    return page.get_by_role("article", name="Message from Recording").last


def card(page: Page, title: str):
    return page.get_by_role("article", name=f"Artifact {title}").last


async def line_count(page: Page, title: str) -> int:
    """Return how many lines the growing card tells of."""
    words = await card(page, title).inner_text()
    found = re.search(r"([\d,]+) lines", words)
    return int(found[1].replace(",", "")) if found else 0


def preview(page: Page):
    """Return the document in the preview's frame."""
    return page.get_by_role("tabpanel", name="Preview").frame_locator("iframe:visible")


@pytest.mark.browser
async def test_a_recorded_reply_becomes_a_page_that_stays_and_changes_in_place(
    page: Page, server: RunningServer
):
    title = recorded_title("landing-page")
    body = recorded_body("landing-page")
    heading = _first_heading(body.decode())

    refused: list[str] = []  # by the app's own policy
    page.on(
        "console",
        lambda said: (
            refused.append(said.text)
            if "Content Security Policy" in said.text
            and said.location["url"].startswith(server.origin)
            else None
        ),
    )

    # An empty data folder, the printed link, an example.
    await page.goto(server.link)
    await page.get_by_role("button", name="Play Landing page").click()

    # Text comes first, then a card that grows; nothing is previewed before it is saved.
    await expect(reply(page)).to_contain_text(
        _first_words(recorded_reply("landing-page"))
    )
    await expect(card(page, title)).to_contain_text("Streaming")
    assert saved_pages(server.data) == []
    grown = await line_count(page, title)
    await page.wait_for_function(_GROWN_BEYOND, arg=[title, grown])

    # Reload in the middle: what was there is there, and it goes on.
    before = await line_count(page, title)
    await page.reload()
    await expect(card(page, title)).to_contain_text("Streaming")
    assert await line_count(page, title) >= before
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()

    # The preview opens by itself, once the page is saved.
    await expect(
        preview(page).get_by_role("heading", name=heading).first
    ).to_be_visible(timeout=_REPLY_MS)
    await expect(page.get_by_role("button", name="Stop")).to_be_hidden(
        timeout=_REPLY_MS
    )
    (saved,) = saved_pages(server.data)
    assert saved.read_bytes() == body
    manifest = manifest_of(saved)
    assert manifest["entry"] == saved.name
    assert manifest["status"] == "complete"

    # Restart: the same address shows the same reply and the same page.
    told = await reply(page).inner_text()
    await server.restart()
    await page.evaluate(_FASTER)
    await page.goto(page.url)
    await expect(card(page, title)).to_be_visible()
    assert await reply(page).inner_text() == told
    await expect(
        preview(page).get_by_role("heading", name=heading).first
    ).to_be_visible()
    assert saved.read_bytes() == body

    # The second turn changes the page in place: same path, revision 2.
    await page.get_by_role(
        "button", name=recorded_prompt("landing-page-second-turn")
    ).click()
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()
    await expect(page.get_by_role("button", name="Stop")).to_be_hidden(
        timeout=_REPLY_MS
    )
    changed = recorded_body("landing-page-second-turn")
    assert saved_pages(server.data) == [saved]
    assert saved.read_bytes() == changed != body
    await expect(card(page, title)).to_contain_text("revision 2")
    await expect(
        preview(page)
        .get_by_role("heading", name=_first_heading(changed.decode()))
        .first
    ).to_be_visible()
    digest = hashlib.sha256(changed).hexdigest()
    etag = await page.evaluate(
        "(path) => fetch(path).then((r) => r.headers.get('etag'))",
        f"/api/projects/{await _project_id(page)}/files/{saved.name}",
    )
    assert etag == f'"{digest}"'
    assert refused == []


_GROWN_BEYOND = """
([title, lines]) => {
  const cards = document.querySelectorAll('article');
  const words = [...cards].map((one) => one.innerText).join(' ');
  const found = /([\\d,]+) lines/.exec(words);
  return found !== null && Number(found[1].replaceAll(',', '')) > lines + 5;
}
"""


def _first_heading(html: str) -> str:
    found = re.search(r"<h1\b[^>]*>(.*?)</h1>", html, re.DOTALL)
    assert found is not None
    words = re.sub(r"<[^>]*>", " ", found[1])
    return " ".join(words.split())


def _first_words(text: str) -> str:
    return " ".join(text.split()[:5])


async def _project_id(page: Page) -> str:
    projects = await page.evaluate("fetch('/api/projects').then((r) => r.json())")
    (project,) = projects
    found: str = project["id"]
    return found
