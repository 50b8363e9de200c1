"""Capabilities: unguessable, kept alive, gone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.support.preview import SetClock
from vitrail.errors import NotFound
from vitrail.server.preview.capabilities import Capabilities, Entry

ENTRY = Entry("p", "index.html", "0" * 64, "html", "document")


def test_a_capability_is_unguessable_and_fits_an_address() -> None:
    capabilities = Capabilities(SetClock())
    secrets = {capabilities.open(ENTRY).secret for _ in range(100)}
    assert len(secrets) == 100
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{32}", secret) for secret in secrets)


def test_a_capability_is_not_the_generation() -> None:
    capability = Capabilities(SetClock()).open(ENTRY)
    assert capability.secret != capability.generation


def test_it_lives_an_hour_after_it_was_last_kept() -> None:
    clock = SetClock()
    capabilities = Capabilities(clock)
    secret = capabilities.open(ENTRY).secret
    for _ in range(5):
        clock.move(3599)
        capabilities.keep(secret)
    clock.move(3599)
    assert capabilities.find(secret).entry == ENTRY
    clock.move(1)
    with pytest.raises(NotFound) as refused:
        capabilities.find(secret)
    assert (refused.value.code, refused.value.status) == ("preview-expired", 410)


def test_use_does_not_prolong_it() -> None:
    clock = SetClock()
    capabilities = Capabilities(clock)
    secret = capabilities.open(ENTRY).secret
    clock.move(3000)
    capabilities.find(secret)
    clock.move(600)
    with pytest.raises(NotFound):
        capabilities.find(secret)


@pytest.mark.parametrize("secret", ["", "x", "../x", "None"])
def test_what_never_was_is_refused_like_what_expired(secret: str) -> None:
    capabilities = Capabilities(SetClock())
    refused: list[Callable[[str], object]] = [capabilities.find, capabilities.keep]
    for ask in refused:
        with pytest.raises(NotFound, match="no longer open"):
            ask(secret)


def test_closing_twice_is_closing() -> None:
    capabilities = Capabilities(SetClock())
    secret = capabilities.open(ENTRY).secret
    capabilities.close(secret)
    capabilities.close(secret)
    with pytest.raises(NotFound):
        capabilities.keep(secret)


def test_beyond_the_limit_the_first_to_expire_goes() -> None:
    clock = SetClock()
    capabilities = Capabilities(clock, limit=2)
    first = capabilities.open(ENTRY).secret
    second = capabilities.open(ENTRY).secret
    clock.move(1)
    capabilities.keep(first)
    third = capabilities.open(ENTRY).secret
    assert capabilities.find(first).secret == first
    assert capabilities.find(third).secret == third
    with pytest.raises(NotFound):
        capabilities.find(second)
