"""Ways out of a preview: whatever a page tries, the rest of the world hears nothing.

Each page of ``pages/`` is one attack. It is opened twice: without any policy, to
prove that the attack works, and as a preview, where the listener must hear nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Page

from tests.support.preview import Listener, PreviewRig

pytestmark = pytest.mark.browser

PAGES: Final = Path(__file__).parent / "pages"
ATTACKS: Final = tuple(sorted(path.stem for path in PAGES.glob("*.html")))

UNPROVEN: Final = {
    "leave-by-data-page": "Chromium refuses data: addresses at the top by itself",
    "load-manifest": "headless Chromium fetches no manifest",
    "load-preconnect": "headless Chromium opens no such connection",
    "load-prerender": "Chromium no longer knows these links",
    "peer-web-transport": "the tests' Chromium runs without QUIC",
}
"""Attacks that do nothing here without a policy either."""

OPEN: Final = {
    "open-peer-in-declared-shadow": (
        "a closed shadow root that the markup declares is out of any script's sight"
    ),
}
"""Ways out that are open: in docs/security.md, each with what it takes to close it."""

CONNECTING: Final = frozenset(
    {
        "leave-by-opened-document",
        "leave-form-get",
        "leave-form-post",
        "leave-in-a-child-frame",
        "leave-link-download",
        "leave-link-in-svg",
        "leave-link-that-stops-events",
        "leave-link-unattached",
        "leave-link-unattached-download",
        "leave-location-assign-later",
        "leave-location-href",
        "leave-location-replace",
        "leave-meta-refresh",
        "leave-meta-refresh-by-script",
        "load-frame",
    }
)
"""Navigations of a frame. Chromium begins to connect before it asks the policy that
refuses: no request is sent, but the name has been looked up and the port knocked at."""

EXAMPLES: Final = frozenset({"leave-location-href", "load-image", "peer-direct"})
"""Of what is tried on every page in the soak, these are tried each time."""


def page_text(name: str, listener: Listener) -> str:
    text = (PAGES / f"{name}.html").read_text("utf-8")
    text = text.replace("LISTENER", f"127.0.0.1:{listener.port}")
    return text.replace("UDP", f"127.0.0.1:{listener.udp_port}")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=pytest.mark.xfail(
                name in OPEN, reason=OPEN.get(name, ""), strict=True
            ),
        )
        for name in ATTACKS
    ],
)
async def test_no_request_leaves_a_preview(
    name: str, page: Page, rig: PreviewRig, listener: Listener
) -> None:
    await rig.show(page, "index.html", page_text(name, listener))
    await listener.stays_quiet(until_connected=name not in CONNECTING)
    await page.click("#button")
    assert await page.inner_text("#button") == "1"
    assert page.url == f"{rig.app_origin}/"
    assert len(page.context.pages) == 1
    connections = 1 if name in CONNECTING else 0
    assert (listener.requests, listener.packets) == ([], 0)
    assert listener.connections <= connections


@pytest.mark.xfail(reason="Chromium connects before it asks the policy", strict=True)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in EXAMPLES else pytest.mark.soak)
        for name in sorted(CONNECTING)
    ],
)
async def test_no_connection_is_opened_by_a_refused_navigation(
    name: str, page: Page, rig: PreviewRig, listener: Listener
) -> None:
    await rig.show(page, "index.html", page_text(name, listener))
    assert not await listener.hears_something(2)


@pytest.mark.xfail(reason="no page frames it, so none refuses", strict=True)
async def test_a_preview_opened_by_its_own_address_cannot_leave_either(
    page: Page, rig: PreviewRig, listener: Listener
) -> None:
    preview = await rig.open("index.html", page_text("leave-location-href", listener))
    await page.goto(preview.url, wait_until="commit")
    assert not await listener.hears_something(2)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in EXAMPLES else pytest.mark.soak)
        for name in ATTACKS
        if name not in UNPROVEN
    ],
)
async def test_the_attack_works_where_nothing_stops_it(
    name: str, page: Page, rig: PreviewRig, listener: Listener
) -> None:
    await rig.control(page, page_text(name, listener))
    assert await listener.hears_something()
