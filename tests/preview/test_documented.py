"""Every message of the bridge is in docs/preview.md, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MESSAGES = ROOT / "web/packages/bridge/src/messages.ts"
PAGE = ROOT / "docs/preview.md"


def test_the_page_lists_the_bridges_messages() -> None:
    types = re.findall(r'readonly type: "([a-z]+)"', MESSAGES.read_text("utf-8"))
    listed = re.findall(r"^\| `([a-z]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(types)


def test_what_stays_open_is_on_the_security_page() -> None:
    text = (ROOT / "docs/security.md").read_text("utf-8")
    assert "shadowrootmode" in text
    assert "opens a connection *before* it asks the policy" in text
