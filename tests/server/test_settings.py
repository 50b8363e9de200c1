"""Settings and places: what the environment may say, and what it comes to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.server.served import FREE, served
from vitrail.errors import SetupError
from vitrail.server.places import places_of
from vitrail.server.settings import Settings, origin_of, read_settings


def test_nothing_said_is_the_default() -> None:
    assert read_settings({}) == Settings()
    assert read_settings({"VITRAIL_DATA": " ", "VITRAIL_MODEL": ""}) == Settings()


def test_everything_said_is_read() -> None:
    settings = read_settings(
        {
            "VITRAIL_DATA": "/srv/v",
            "VITRAIL_PUBLIC_URL": "HTTPS://V.example:443/",
            "VITRAIL_PREVIEW_URL": "https://view.v.example",
            "VITRAIL_ALLOWED_HOSTS": "a.example, [::1] B",
            "VITRAIL_EMBED_ORIGINS": "https://x.example,http://y.example:81",
            "VITRAIL_TRUSTED_PROXIES": "10.0.0.0/8 ::1",
            "OPENAI_API_KEY": "sk-other",
            "VITRAIL_OPENAI_API_KEY": "sk-ours",
            "OPENAI_BASE_URL": "http://a/v1",
            "VITRAIL_MODEL": "m",
            "ANTHROPIC_API_KEY": "sk-ant",
            "ANTHROPIC_BASE_URL": "https://other.example",
            "VITRAIL_ANTHROPIC_BASE_URL": "https://ours.example",
            "VITRAIL_ANTHROPIC_MODEL": "c",
            "VITRAIL_AGENT": "anthropic",
        }
    )
    assert settings.data == Path("/srv/v")
    assert settings.public_url == "https://v.example"
    assert settings.preview_url == "https://view.v.example"
    assert settings.allowed_hosts == ("a.example", "::1", "b")
    assert settings.embed_origins == ("https://x.example", "http://y.example:81")
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1")
    assert settings.model.api_key == "sk-ours"
    assert settings.model.base_url == "http://a/v1"
    assert settings.model.key_name == "VITRAIL_OPENAI_API_KEY"
    assert settings.model.agent == "anthropic"
    anthropic = settings.model.anthropic
    assert anthropic is not None
    assert (anthropic.api_key, anthropic.key_name) == ("sk-ant", "ANTHROPIC_API_KEY")
    assert (anthropic.base_url, anthropic.model) == ("https://ours.example", "c")
    assert "sk-ours" not in repr(settings)
    assert "sk-ant" not in repr(settings)


@pytest.mark.parametrize(
    "value",
    [
        "x",
        "//x",
        "ftp://x",
        "https://",
        "https://x/y",
        "https://x?y",
        "https://x#y",
        "https://u@x",
        "https://x:99999",
        "https://x:y",
        "https://[::1",
        "https://[zz]",
        "https://a b",
        "https://a;script-src *",
        "https://a' 'unsafe-inline",
        "https://*.x",
        "null",
    ],
)
def test_what_is_no_origin_is_refused(value: str) -> None:
    with pytest.raises(SetupError, match="expected an origin"):
        origin_of(value, name="VITRAIL_PUBLIC_URL")


def test_previews_have_the_other_loopback_name() -> None:
    places = places_of(Settings())
    assert places.app_origin == "http://127.0.0.1:7717"
    assert places.preview_origin == "http://localhost:7718"
    assert places.preview_sources("http://127.0.0.1:9000") == (
        "http://127.0.0.1:9000/preview/",
        "http://127.0.0.1:7717/preview/",
        "http://localhost:7718",
    )
    below = places_of(Settings(), has_artifact_hosts=True)
    assert below.preview_sources(below.app_origin)[-1] == "http://*.localhost:7718"


def test_a_deployment_without_a_preview_name_shows_previews_under_the_apps() -> None:
    places = places_of(Settings(public_url="https://v.example"))
    assert places.preview_mode == "same-origin"
    assert places.preview_sources("http://v.example") == (
        "http://v.example/preview/",
        "https://v.example/preview/",
    )
    named = Settings(public_url="https://v.example", preview_url="https://w.example")
    assert places_of(named).preview_mode == "separate"


@pytest.mark.parametrize(
    ("trusted", "is_secure"), [(("127.0.0.1",), True), (("10.0.0.0/8",), False)]
)
async def test_only_a_trusted_proxy_says_how_it_was_reached(
    tmp_path: Path, trusted: tuple[str, ...], *, is_secure: bool
) -> None:
    settings = replace(FREE, trusted_proxies=trusted, allowed_hosts=("v.example",))
    forwarded = {"Host": "v.example", "X-Forwarded-Proto": "https"}
    async with served(tmp_path / "data", settings) as server:
        path = server.link.removeprefix(server.url)
        entered = await server.anyone.get(path, headers=forwarded)
        assert ("Secure" in entered.headers["set-cookie"]) == is_secure
        made = await server.client.post(
            "/api/projects",
            json={"title": "x"},
            headers={**forwarded, "Origin": "https://v.example"},
        )
        assert made.status_code == (201 if is_secure else 403)


async def test_forwarded_hosts_are_nobodys_word(tmp_path: Path) -> None:
    settings = replace(FREE, trusted_proxies=("127.0.0.1",))
    async with served(tmp_path / "data", settings) as server:
        answer = await server.client.get(
            "/api/status",
            headers={"Host": "evil.example", "X-Forwarded-Host": "127.0.0.1"},
        )
        assert answer.status_code == 421
