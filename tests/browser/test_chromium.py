"""The browser that the tests drive knows nothing but loopback."""

from __future__ import annotations

import pytest
from playwright.async_api import Error, Page

from tests.support.chromium import OneChromium

pytestmark = pytest.mark.browser


async def test_a_name_that_is_not_loopback_has_no_address(page: Page) -> None:
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        await page.goto("http://vitrail.example/")


async def test_each_test_has_a_page_of_its_own(page: Page) -> None:
    assert page.url == "about:blank"
    assert await page.evaluate("1 + 1") == 2


async def test_another_browser_is_started_where_one_has_ended(
    one_chromium: OneChromium,
) -> None:
    first = await one_chromium.running()
    assert await one_chromium.running() is first
    await first.close()
    assert (await one_chromium.running()).is_connected()
