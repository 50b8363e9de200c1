"""The browser that the tests drive knows nothing but loopback."""

from __future__ import annotations

import pytest
from playwright.async_api import Error, Page

pytestmark = pytest.mark.browser


async def test_a_name_that_is_not_loopback_has_no_address(page: Page) -> None:
    with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
        await page.goto("http://vitrail.example/")


async def test_each_test_has_a_page_of_its_own(page: Page) -> None:
    assert page.url == "about:blank"
    assert await page.evaluate("1 + 1") == 2
