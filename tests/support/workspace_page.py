"""The workspace as a browser test works it: by names, as a person finds things."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.async_api import Locator, Page, expect

from tests.support.chromium import RunningServer

__all__ = [
    "REPLY_MS",
    "THINKING",
    "answer_when_told",
    "answer_with",
    "composer",
    "new_project",
    "play",
    "prefer",
    "preview_frame",
    "reply_ended",
    "say",
    "send",
]

REPLY_MS = 30_000
"""Long enough for a recording that plays at once, on a busy machine."""


async def prefer(page: Page, **preferences: object) -> None:
    """Set what this browser remembers, then load the page with it."""
    await page.evaluate(
        "(said) => localStorage.setItem('vitrail:preferences', said)",
        json.dumps(preferences),
    )
    await page.reload()


async def play(page: Page, title: str, *, speed: float = 1000) -> None:
    """Play a recording from the home page."""
    await prefer(page, speed=speed)
    await page.get_by_role("button", name=f"Play {title}", exact=True).click()
    await page.wait_for_url("**/p/**")


async def reply_ended(page: Page, replies: int = 1) -> None:
    """Wait until so many replies of the conversation are complete, and none is coming."""
    saves = page.get_by_role("button", name="Save as recording")
    await expect(saves).to_have_count(replies, timeout=REPLY_MS)
    await expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


async def new_project(page: Page, title: str) -> None:
    """Make a project from the home page and open it."""
    await page.get_by_role("button", name="New project").click()
    await page.get_by_label("Name of the project").fill(title)
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/p/**")


def composer(page: Page) -> Locator:
    """Return the field that one writes in."""
    return page.get_by_role("textbox", name="Message", exact=True)


async def send(page: Page, text: str) -> None:
    """Write a message and press Enter, as soon as it can be sent."""
    await composer(page).fill(text)
    button = page.get_by_role("button", name="Send", exact=True)
    await expect(button).not_to_have_attribute("aria-disabled", "true")
    # On the field itself: what opens beside it may have taken the focus meanwhile.
    await composer(page).press("Enter")


def preview_frame(page: Page):
    """Return the document in the preview's frame."""
    return page.get_by_role("tabpanel", name="Preview").frame_locator("iframe:visible")


def _written(folder: Path, reply: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    said = folder / "reply.txt"
    said.write_text(reply, "utf-8")
    return said


async def answer_with(
    page: Page, folder: Path, reply: str, *, delay_s: float = 0
) -> None:
    """Let a program answer from now on: it prints ``reply``, line by line."""
    said = _written(folder, reply)
    program = (
        "import sys, time, pathlib;"
        "sys.stdin.read();"
        "lines = pathlib.Path(sys.argv[1]).read_text('utf-8').splitlines(keepends=True);"
        "[(sys.stdout.write(one), sys.stdout.flush(), time.sleep(float(sys.argv[2])))"
        " for one in lines]"
    )
    await _let_answer(page, [sys.executable, "-c", program, str(said), str(delay_s)])


async def _let_answer(page: Page, command: list[str]) -> None:
    status = await page.evaluate(
        """(body) => fetch('/api/settings/model', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).then((answer) => answer.status)""",
        {"agent": "command", "command": command},
    )
    assert status == 200
    await page.reload()


THINKING = "Let me see."
"""What the program of `answer_when_told` says once it has been asked."""


async def answer_when_told(page: Page, folder: Path, reply: str) -> Path:
    """Let a program answer that says `THINKING`, and ``reply`` once a file is there.

    Returns where the file has to be.
    """
    said = _written(folder, reply)
    told = folder / "told"
    program = (
        "import sys, time, pathlib;"
        "sys.stdin.read();"
        f"print({THINKING!r}, flush=True);"
        "told = pathlib.Path(sys.argv[2]);"
        "[time.sleep(0.02) for _ in iter(told.exists, True)];"
        "print(pathlib.Path(sys.argv[1]).read_text('utf-8'), flush=True)"
    )
    await _let_answer(page, [sys.executable, "-c", program, str(said), str(told)])
    return told


async def say(page: Page, server: RunningServer, reply: str) -> Locator:
    """Get a reply of exactly these words in a new project; return its message."""
    await answer_with(page, server.data.parent / "agent", reply)
    await new_project(page, "Words")
    await send(page, "Say it")
    await reply_ended(page)
    return page.get_by_role("article", name="Message from").last
