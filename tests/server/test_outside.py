"""A server notices what other programs write into its projects' folders: the real thing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.served import FREE, Served, served_whole
from vitrail.protocol.events import FileChanged, FileMoved, FileRemoved
from vitrail.protocol.records import Project, Revision
from vitrail.server import checkup
from vitrail.server.checkup import examine

PAGE = "<!doctype html><html><body><h1>Hello</h1><p>A page of some length.</p></body></html>"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Served]:
    async with served_whole(tmp_path / "data", FREE) as running:
        yield running


async def make_project(server: Served, title: str = "Site") -> tuple[Project, Path]:
    answer = await server.client.post("/api/projects", json={"title": title})
    project = Project.model_validate(answer.json())
    return project, server.data.projects / project.name


async def until(server: Served, holds: Callable[[], Awaitable[Any]]) -> Any:
    """Wait for what only something that is recorded can bring about; return it."""
    async with asyncio.timeout(20):
        async for _ in server.store.changed():
            if found := await holds():
                return found
    raise AssertionError


async def revisions(server: Served, project: Project, path: str) -> list[Revision]:
    return list(reversed(await server.store.revisions(project.id, path)))


async def events(server: Served, kind: type[Any]) -> list[Any]:
    return [
        stored.event
        for stored in await server.store.events_after(0)
        if isinstance(stored.event, kind)
    ]


async def test_a_file_written_into_the_folder_becomes_a_revision(
    server: Served,
) -> None:
    project, folder = await make_project(server)
    (folder / "a.html").write_text(PAGE)
    (made,) = await until(server, lambda: revisions(server, project, "a.html"))
    assert made.author == "outside"
    (told,) = await events(server, FileChanged)
    assert (told.path, told.author) == ("a.html", "outside")
    answer = await server.client.get(f"/api/projects/{project.id}/files")
    (file,) = answer.json()
    assert file["revision"] == made.id
    assert file["manifest"]["metadata"]["reconciled"] is True


async def test_a_file_that_goes_or_gets_another_name_is_told(server: Served) -> None:
    project, folder = await make_project(server)
    (folder / "a.html").write_text(PAGE)
    await until(server, lambda: revisions(server, project, "a.html"))
    (folder / "a.html").rename(folder / "b.html")
    (moved,) = await until(server, lambda: events(server, FileMoved))
    assert (moved.source, moved.target) == ("a.html", "b.html")
    assert not (folder / "a.html.artifact.json").exists()
    (folder / "b.html").unlink()
    (gone,) = await until(server, lambda: events(server, FileRemoved))
    assert gone.path == "b.html"
    assert list(folder.glob("*.html*")) == []


async def test_our_own_writes_are_told_as_ours_alone(server: Served) -> None:
    project, folder = await make_project(server)
    for number in range(5):
        head = await server.store.head(project.id, "a.css")
        answer = await server.client.put(
            f"/api/projects/{project.id}/files/a.css",
            content=f"a{{order:{number}}}",
            headers={"If-Match": f'"{head.digest}"'}
            if head
            else {"If-None-Match": "*"},
        )
        assert answer.status_code == 200, answer.text
    (folder / "last.css").write_text("a{}")
    await until(server, lambda: revisions(server, project, "last.css"))
    authors = [one.author for one in await revisions(server, project, "a.css")]
    assert authors == ["person"] * 5


async def test_what_was_written_while_nobody_served_is_noticed_at_the_start(
    tmp_path: Path,
) -> None:
    async with served_whole(tmp_path / "data", FREE) as first:
        project, folder = await make_project(first)
        (folder / "a.html").write_text(PAGE)
        (folder / "b.css").write_text("b{}")
        await until(first, lambda: revisions(first, project, "b.css"))
        await until(first, lambda: revisions(first, project, "a.html"))
    (folder / "a.html").write_text(PAGE + "<!-- changed -->")
    (folder / "b.css").unlink()
    async with served_whole(tmp_path / "data", FREE) as second:
        await until(second, lambda: events(second, FileRemoved))

        async def changed() -> bool:
            return len(await revisions(second, project, "a.html")) == 2

        await until(second, changed)


async def test_a_new_project_is_watched_without_a_restart(server: Served) -> None:
    await make_project(server, "One")
    other, folder = await make_project(server, "Two")
    (folder / "deep").mkdir()
    (folder / "deep" / "a.css").write_text("a{}")
    await until(server, lambda: revisions(server, other, "deep/a.css"))


async def test_two_servers_on_one_data_folder_make_one_revision(
    server: Served,
) -> None:
    project, folder = await make_project(server)
    async with served_whole(server.data.path, FREE) as other:
        for number in range(3):
            (folder / "a.css").write_text(f"a{{order:{number}}}")

            async def kept(number: int = number) -> bool:
                return len(await revisions(server, project, "a.css")) > number

            await until(server, kept)
        (folder / "last.css").write_text("x")
        await until(other, lambda: revisions(other, project, "last.css"))
    history = await revisions(server, project, "a.css")
    assert [one.number for one in history] == [1, 2, 3]
    assert len(await events(server, FileChanged)) == 4


async def test_what_a_program_agent_writes_into_the_folder_is_its_run_s(
    server: Served,
) -> None:
    """Noticed before the run ends: nothing is waited for afterwards."""
    project, folder = await make_project(server)
    (folder / "notes.md").write_text("# Mine\n")
    script = (
        "import pathlib, sys; sys.stdin.read();"
        f" folder = pathlib.Path({str(folder)!r});"
        f" (folder / 'made.html').write_text({PAGE!r});"
        " (folder / 'notes.md').write_text('# Mine\\n\\nAnd the agent was here.\\n');"
        " print('Done.')"
    )
    command = {"command": [sys.executable, "-c", script]}
    await server.client.put("/api/providers/command", json=command)
    conversation = (
        await server.client.post(
            f"/api/projects/{project.id}/conversations", json={"title": ""}
        )
    ).json()
    answer = await server.client.post(
        f"/api/conversations/{conversation['id']}/runs",
        json={"text": "Make a page", "agent": "command"},
    )
    assert answer.status_code in (200, 201, 202), answer.text
    run_id = answer.json()["run"]["id"]

    async def ended() -> bool:
        return (await server.store.run(run_id)).state != "running"

    await until(server, ended)
    (made,) = await revisions(server, project, "made.html")
    assert (made.author, made.run_id) == ("model", run_id)
    before, after = await revisions(server, project, "notes.md")
    assert (before.author, before.run_id) == ("outside", None)
    assert (after.author, after.run_id) == ("model", run_id)
    stored = [one.event for one in await server.store.run_events(run_id)]
    told = [event.path for event in stored if isinstance(event, FileChanged)]
    assert sorted(told) == ["made.html", "notes.md"]


async def test_a_folder_that_is_removed_by_hand_takes_nothing_down(
    server: Served, tmp_path: Path
) -> None:
    project, folder = await make_project(server)
    (folder / "a.css").write_text("a{}")
    await until(server, lambda: revisions(server, project, "a.css"))
    folder.rename(tmp_path / "away")
    other, elsewhere = await make_project(server, "Other")
    (elsewhere / "b.css").write_text("b{}")
    await until(server, lambda: revisions(server, other, "b.css"))
    assert await events(server, FileRemoved) == []
    (tmp_path / "away").rename(folder)
    (folder / "c.css").write_text("c{}")
    await until(server, lambda: revisions(server, project, "c.css"))
    assert len(await revisions(server, project, "a.css")) == 1


async def test_the_status_says_how_folders_are_watched(server: Served) -> None:
    await make_project(server)
    answer = await server.client.get("/api/status")
    assert answer.json()["folders"] in ("watching", "off")

    async def watching() -> bool:
        said = (await server.client.get("/api/status")).json()
        return bool(said["folders"] == "watching")

    await until(server, watching)


async def test_the_doctor_says_whether_folders_can_be_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def said() -> checkup.Finding:
        found = [one async for one in examine(FREE, tmp_path / "data")]
        return next(one for one in found if one.name == "Watching folders")

    assert (await said()).state == "ok"

    def exhausted(places: list[str]) -> object:
        raise OSError(24, f"Too many open files about {places}")

    monkeypatch.setattr(checkup, "system_notifier", exhausted)
    finding = await said()
    assert finding.state == "limited"
    assert finding.mend is not None
    assert "max_user_watches" in finding.mend
