"""`vitrail serve` as a person runs it, and `doctor` beside it."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.cli.conftest import COMMAND, Run, environment


@contextlib.contextmanager
def serving(
    tmp_path: Path, *args: str, **more: str
) -> Iterator[tuple[dict[str, Any], subprocess.Popen[str]]]:
    process = subprocess.Popen(
        [*COMMAND, "serve", "--json", "--port", "0", "--preview-port", "0", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(HOME=str(tmp_path), **more),
        cwd=tmp_path,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        opening = json.loads(process.stdout.readline())
        assert opening["state"] == "opening"
        ready = process.stdout.readline()
        try:
            assert ready, process.stderr.read()
            yield {**opening, **json.loads(ready)}, process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait(30)


def test_ctrl_c_ends_it_cleanly_with_a_stream_open(tmp_path: Path) -> None:
    with serving(tmp_path, "--data", "data") as (told, process):
        token = (tmp_path / "data" / "token").read_text()
        with httpx2.stream(
            "GET",
            f"{told['url']}/api/events",
            headers={"Authorization": f"Bearer {token}"},
        ) as stream:
            pieces = stream.iter_bytes()
            assert next(pieces).startswith(b": vitrail\n")
            process.send_signal(signal.SIGINT)
            assert b"".join(pieces) == b""
        assert process.wait(30) == 0
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline()) == {"state": "stopped"}
        assert process.stderr.read() == ""


def test_the_preview_site_answers_under_the_other_name(tmp_path: Path) -> None:
    with serving(tmp_path, "--data", "data") as (told, _):
        port = told["previewPort"]
        for address in ("127.0.0.1", "::1"):
            with contextlib.suppress(OSError):
                with socket.create_connection((address, port), 5) as connection:
                    connection.sendall(
                        f"GET /probe.gif HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()
                    )
                    assert connection.recv(64).startswith(b"HTTP/1.1 200")
                continue
            assert address == "::1"  # a machine without IPv6


def test_a_folder_of_ones_own_is_opened_as_a_project(tmp_path: Path) -> None:
    site = tmp_path / "My Site"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html><p>mine")
    with serving(tmp_path, str(site)) as (told, _):
        assert Path(told["data"]) == site / ".vitrail"
        entered = httpx2.get(told["link"])
        assert entered.status_code == 303
        assert entered.headers["location"] == "/p/my-site"
        cookie = entered.headers["set-cookie"].partition(";")[0]
        (project,) = httpx2.get(
            f"{told['url']}/api/projects", headers={"Cookie": cookie}
        ).json()
        files = httpx2.get(
            f"{told['url']}/api/projects/{project['id']}/files",
            headers={"Cookie": cookie},
        ).json()
        assert [file["path"] for file in files] == ["index.html"]


def test_two_servers_serve_one_folder(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--data", "data") as (one, _),
        serving(tmp_path, "--data", "data") as (two, _),
    ):
        token = (tmp_path / "data" / "token").read_text()
        headers = {"Authorization": f"Bearer {token}"}
        made = httpx2.post(
            f"{one['url']}/api/projects", json={"title": "Shared"}, headers=headers
        )
        assert made.status_code == 201
        (seen,) = httpx2.get(f"{two['url']}/api/projects", headers=headers).json()
        assert seen["title"] == "Shared"


@pytest.mark.parametrize("option", ["--port", "--preview-port"])
def test_a_taken_port_is_named_and_nothing_is_half_started(
    run: Run, tmp_path: Path, option: str
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        other = "--preview-port" if option == "--port" else "--port"
        done = run("serve", "--data", "data", option, str(port), other, "0")
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: Port {port} is taken")
    assert f"with {option}. (port-taken)\n" in done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("VITRAIL_PUBLIC_URL", "vitrail.example"),
        ("VITRAIL_PUBLIC_URL", "https://vitrail.example/path"),
        ("VITRAIL_PREVIEW_URL", "ftp://x"),
        ("VITRAIL_EMBED_ORIGINS", "https://ok.example https://a:b@c"),
        ("VITRAIL_ALLOWED_HOSTS", "https://x.example"),
        ("VITRAIL_TRUSTED_PROXIES", "proxy.example"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(
    run: Run, variable: str, value: str
) -> None:
    done = run("serve", **{variable: value})
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {variable} expected")
    assert done.stderr.endswith("(settings-invalid)\n")


def test_a_data_folder_that_is_a_file_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    done = run("serve", "--data", "data", "--port", "0", "--preview-port", "0")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("error: data is a file")


def test_a_database_that_is_none_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "vitrail.db").write_text("no database " * 100)
    done = run("serve", "--data", "data", "--port", "0", "--preview-port", "0")
    assert done.returncode == 1
    assert done.stderr.endswith("(storage-failed)\n")
    assert "Traceback" not in done.stderr


def test_doctor_tells_each_thing_and_what_mends_it(run: Run, tmp_path: Path) -> None:
    done = run("doctor", "--json")
    report = json.loads(done.stdout)
    names = [check["name"] for check in report["checks"]]
    assert names == [
        "Python",
        "Data folder",
        "Ports",
        "Web bundle",
        "Models",
        "Local models",
        "localhost",
        "Watching folders",
        "Chromium",
        "Fonts",
        "Node.js",
    ]
    for check in report["checks"]:
        assert check["state"] in {"ok", "limited", "missing"}
        assert (check["mend"] is None) == (check["state"] == "ok")

    (tmp_path / "file").write_text("x")
    done = run("doctor", "--data", "file")
    assert done.returncode == 1
    assert "missing  Data folder" in done.stdout
    done = run("doctor", VITRAIL_CHROMIUM="/no/such/program")
    assert "limited  Chromium: VITRAIL_CHROMIUM names" in done.stdout


def test_schema_is_json_schema(run: Run) -> None:
    schema = json.loads(run("schema").stdout)
    assert schema["$schema"].endswith("2020-12/schema")
    assert {"Event", "Problem", "Envelope"} <= set(schema["$defs"])
