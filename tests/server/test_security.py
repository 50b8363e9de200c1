"""Who is let in: by host, origin, token and size."""

from __future__ import annotations

import asyncio
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tests.server.served import FREE, Served, served
from vitrail.adapters.datafolder import make_data_folder
from vitrail.limits import MAX_REQUEST_BYTES
from vitrail.protocol.records import Project
from vitrail.server.access import Access
from vitrail.server.security import HostRule, host_name


def code_of(answer) -> str:
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["detail"]
    return str(body["code"])


# --- host ---------------------------------------------------------------


REBOUND = [
    "evil.example",
    "evil.example:7717",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "127.0.0.1@evil.example",
    "127.0.0.1:80:80",
    "[::1",
    "[::1]x",
    "0x7f000001",
    "2130706433",
    "192.0.2.7",
    "localhost:7718x",
    "",
]


async def test_a_rebound_name_gets_nothing(server: Served) -> None:
    for host in REBOUND:
        for path in ("/", "/api/status", "/openapi.json", "/enter?code=x"):
            answer = await server.client.get(path, headers={"Host": host})
            assert answer.status_code == 421, (host, path)
            assert code_of(answer) == "host-not-allowed"


async def test_two_host_headers_are_refused(server: Served) -> None:
    reply = await raw(
        server,
        b"GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    )
    assert reply.split()[1] in {b"400", b"421"}


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:9000", "[::1]:7717"])
async def test_own_names_are_answered_on_any_forwarded_port(
    server: Served, host: str
) -> None:
    answer = await server.client.get("/api/status", headers={"Host": host})
    assert answer.status_code == 200


async def test_pages_under_the_preview_sites_name_move_to_the_apps(
    server: Served,
) -> None:
    port = server.runtime.settings.port
    answer = await server.anyone.get("/p/x", headers={"Host": f"localhost:{port}"})
    assert answer.status_code == 307
    assert answer.headers["location"] == f"http://127.0.0.1:{port}/p/x"


async def test_further_names_are_allowed_by_setting(tmp_path: Path) -> None:
    settings = replace(
        FREE, allowed_hosts=("box.example",), public_url="https://v.example"
    )
    async with served(tmp_path / "data", settings) as server:
        for host in ("box.example:1", "V.Example"):
            answer = await server.client.get("/api/status", headers={"Host": host})
            assert answer.status_code == 200
        answer = await server.client.get(
            "/api/status",
            headers={"Host": "v.example", "Origin": "https://v.example"},
        )
        assert answer.status_code == 200


def test_an_address_is_a_name_only_of_the_server_that_listens_on_it() -> None:
    rule = HostRule(frozenset({"127.0.0.1"}))
    assert rule.accepts("192.0.2.7:80", listens_on="192.0.2.7")
    assert not rule.accepts("192.0.2.8:80", listens_on="192.0.2.7")
    assert not rule.accepts("box:80", listens_on="box")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("a.example.", "a.example"),
        ("[::1]", "::1"),
        ("[::1]:80", "::1"),
        ("a:", "a"),
        (":80", None),
        ("a:b", None),
        ("a:1:2", None),
        ("[::1]80", None),
    ],
)
def test_a_host_header_is_read_strictly(header: str, name: str | None) -> None:
    assert host_name(header) == name


# --- origin -------------------------------------------------------------


FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://localhost:7718"},
    {"Origin": "file://"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "Same-Origin"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
]


async def test_another_origin_gets_nothing_of_the_api_even_with_the_token(
    server: Served, project: Project
) -> None:
    for headers in FOREIGN:
        for method, path in (
            ("GET", "/api/projects"),
            ("GET", "/api/events"),
            ("POST", "/api/projects"),
            ("DELETE", f"/api/projects/{project.id}"),
            ("OPTIONS", "/api/projects"),
        ):
            answer = await server.client.request(method, path, headers=headers)
            assert answer.status_code == 403, (headers, method, path)
            assert code_of(answer) == "origin-not-allowed"
            assert "access-control-allow-origin" not in answer.headers
    assert len(await server.store.projects()) == 1


async def test_the_preview_sites_origin_gets_nothing(server: Served) -> None:
    origin = server.runtime.places.preview_origin
    answer = await server.client.get("/api/projects", headers={"Origin": origin})
    assert code_of(answer) == "origin-not-allowed"


async def test_own_pages_are_answered(server: Served) -> None:
    answer = await server.client.post(
        "/api/projects",
        json={"title": "T"},
        headers={"Origin": server.url, "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 201


async def test_a_form_of_another_site_cannot_post(server: Served) -> None:
    answer = await server.client.post(
        "/api/projects",
        content=b'{"title":"x"}',
        headers={"Content-Type": "text/plain"},
    )
    assert answer.status_code == 422
    assert await server.store.projects() == ()


# --- token --------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic dG9rZW4="},
        {"Cookie": "vitrail_7717=x"},
        {"Cookie": "=; ;;=="},
    ],
)
async def test_the_api_needs_the_token(server: Served, headers: dict[str, str]) -> None:
    for path in ("/api/status", "/api/nothing", "/api/events", "/api"):
        answer = await server.anyone.get(path, headers=headers)
        assert answer.status_code == 401
        assert code_of(answer) == "token-required"
        assert answer.headers["www-authenticate"] == "Bearer"


async def test_encoded_and_odd_spellings_of_the_api_are_not_a_way_round(
    server: Served,
) -> None:
    for path in (
        b"/%61pi/projects",
        b"/api%2fprojects",
        b"/./api/projects",
        b"/x/../api/projects",
        b"//api/projects",
        b"/API/projects",
    ):
        reply = await raw(server, b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % path)
        assert reply.split()[1] in {b"401", b"404", b"200", b"503"}, path
        assert b'"name"' not in reply


async def test_a_wrong_token_is_not_mended_by_a_cookie(server: Served) -> None:
    cookie = server.runtime.access.set_cookie(is_secure=False).partition(";")[0]
    answer = await server.anyone.get("/api/status", headers={"Cookie": cookie})
    assert answer.status_code == 200
    answer = await server.anyone.get(
        "/api/status", headers={"Cookie": cookie, "Authorization": "Bearer no"}
    )
    assert answer.status_code == 401


def test_the_cookie_is_found_among_what_other_programs_set() -> None:
    access = Access("secret", port=7717)
    own = access.set_cookie(is_secure=False).partition(";")[0]
    for others in ('a={"x": 1}; ', "b; ", 'c="; ', "vitrail_7717=old; "):
        assert access.allows(authorization=None, cookies=others + own)
    assert "secret" not in own


def test_the_token_is_for_the_owner_alone(tmp_path: Path) -> None:
    data = make_data_folder(tmp_path / "data")
    assert len(data.token()) >= 43
    assert stat.S_IMODE(data.token_file.stat().st_mode) == 0o600


# --- the link -----------------------------------------------------------


async def test_the_link_lets_one_browser_in(server: Served) -> None:
    path = server.link.removeprefix(server.url)
    first = await server.anyone.get(path)
    assert first.status_code == 303
    assert first.headers["location"] == "/"
    cookie = first.headers["set-cookie"]
    name, *attributes = cookie.split("; ")
    assert name.startswith(f"vitrail_{server.runtime.settings.port}=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(attributes)
    assert not any(item.startswith(("Domain", "Secure")) for item in attributes)
    assert server.token not in cookie

    server.anyone.cookies.clear()
    second = await server.anyone.get(path)
    assert second.status_code == 401
    assert "has been used" in second.text
    assert "link-spent" in second.text
    assert "set-cookie" not in second.headers


async def test_a_browser_that_is_in_is_led_on_and_the_link_stays_good(
    server: Served,
) -> None:
    path = server.link.removeprefix(server.url)
    cookie = server.runtime.access.set_cookie(is_secure=False).partition(";")[0]
    known = await server.anyone.get(path, headers={"Cookie": cookie})
    assert known.status_code == 303
    server.anyone.cookies.clear()
    assert (await server.anyone.get(path)).status_code == 303


async def test_the_cookie_outlives_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as server:
        cookie = server.runtime.access.set_cookie(is_secure=False)
        value = cookie.partition(";")[0].partition("=")[2]
    async with served(tmp_path / "data") as server:
        name = server.runtime.access.cookie_name
        answer = await server.anyone.get(
            "/api/status", headers={"Cookie": f"{name}={value}"}
        )
        assert answer.status_code == 200


@pytest.mark.parametrize("code", ["", "x", "x" * 5000, "\ud800", "é"])
async def test_a_made_up_code_opens_nothing(server: Served, code: str) -> None:
    encoded = code.encode("utf-8", "surrogatepass").hex("%", 1)
    answer = await server.anyone.get("/enter?code=" + (encoded and "%" + encoded))
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


# --- size ---------------------------------------------------------------


async def test_an_announced_body_over_the_limit_is_refused_unread(
    server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    for length in (b"%d" % (MAX_REQUEST_BYTES + 1), b"9" * 30):
        reply = await raw(
            server,
            b"POST /api/projects HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Authorization: Bearer %b\r\nContent-Type: application/json\r\n"
            b"Content-Length: %b\r\n\r\n" % (server.token.encode(), length),
        )
        assert reply.split()[1] in {b"413", b"400"}
        if reply.split()[1] == b"413":
            assert b'"payload-too-large"' in reply
    assert "Traceback" not in capsys.readouterr().err


async def test_an_unannounced_body_is_counted_while_it_is_read(
    server: Served,
) -> None:
    async def endless():
        for _ in range(MAX_REQUEST_BYTES // (1 << 20) + 2):
            yield b" " * (1 << 20)

    answer = await server.client.post(
        "/api/projects", content=endless(), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413
    assert code_of(answer) == "payload-too-large"


async def raw(server: Served, request: bytes) -> bytes:
    """Send bytes as they are; return what came back first."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", server.runtime.settings.port
    )
    writer.write(request)
    await writer.drain()
    try:
        return await reader.read(4096)
    finally:
        writer.close()
        await writer.wait_closed()
