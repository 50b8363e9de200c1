"""The embedded store keeps the promises of `vitrail.ports.Store`."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from vitrail.adapters.clock import SystemClock
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import EmbeddedStore, open_store
from vitrail.adapters.ids import CountingIds
from vitrail.adapters.objects import digest_of
from vitrail.errors import Conflict, InvalidPath, NotFound, StorageError, VitrailError
from vitrail.ports import (
    AppendEvent,
    DeleteConversation,
    DeleteProject,
    EventPlace,
    FileDelete,
    FileWrite,
    PromptMessage,
    PutConversation,
    PutMessage,
    PutProject,
    PutRun,
    Store,
)
from vitrail.protocol.events import FileChanged, ProjectChanged, Text
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import (
    Conversation,
    Message,
    Project,
    Revision,
    Run,
    TextPart,
)

pytestmark = pytest.mark.usefixtures("project")

AT = "2026-01-01T00:00:00.000Z"


def revision_of(
    content: bytes, *, path: str = "index.html", after: Revision | None = None
) -> Revision:
    number = after.number + 1 if after else 1
    return Revision(
        id=f"{path}@{number}-{digest_of(content)[:6]}",
        project_id="p1",
        path=path,
        number=number,
        parent=after.id if after else None,
        author="model",
        digest=digest_of(content),
        size=len(content),
        created_at=AT,
    )


def write_of(
    content: bytes,
    *,
    path: str = "index.html",
    after: Revision | None = None,
    manifest: ArtifactManifest | None = None,
) -> FileWrite:
    revision = revision_of(content, path=path, after=after)
    return FileWrite(
        revision=revision,
        content=content,
        manifest=manifest,
        events=(
            AppendEvent(
                EventPlace("p1"),
                FileChanged(path, revision.digest, revision.id, "model"),
            ),
        ),
        working_digest=after.digest if after else None,
    )


def manifest_of(path: str) -> ArtifactManifest:
    return ArtifactManifest(
        kind="html",
        title="Page",
        entry=path,
        renderer="html",
        exports=("html", "pdf", "zip"),
        created_at=AT,
        updated_at=AT,
    )


def test_it_is_a_store(store: EmbeddedStore) -> None:
    as_port: Store = store
    assert as_port is store


async def test_a_committed_file_is_on_disk_with_its_manifest(
    store: EmbeddedStore, data: DataFolder
) -> None:
    manifest = manifest_of("a/index.html")
    events = await store.commit_file(
        write_of(b"<p>1</p>", path="a/index.html", manifest=manifest)
    )
    folder = data.projects / "site" / "a"
    assert (folder / "index.html").read_bytes() == b"<p>1</p>"
    assert (folder / "index.html.artifact.json").is_file()
    assert [type(item.event) for item in events] == [FileChanged]
    (listed,) = await store.files("p1")
    content, info = await store.read_file("p1", "a/index.html")
    assert listed == info == await store.file("p1", "a/index.html")
    assert info.manifest == manifest
    assert (content, info.media_type, info.size) == (b"<p>1</p>", "text/html", 8)
    assert await store.read_object(info.digest) == content


async def test_a_write_whose_parent_is_not_the_head_changes_nothing(
    store: EmbeddedStore,
) -> None:
    first = write_of(b"one")
    await store.commit_file(first)
    await store.commit_file(write_of(b"two", after=first.revision))
    stale = replace(
        write_of(b"three", after=first.revision), working_digest=digest_of(b"two")
    )
    before = await store.last_seq()
    with pytest.raises(Conflict) as refusal:
        await store.commit_file(stale)
    assert refusal.value.code == "revision-conflict"
    assert (await store.read_file("p1", "index.html"))[0] == b"two"
    assert await store.last_seq() == before
    assert len(await store.revisions("p1", "index.html")) == 2


async def test_a_working_file_that_is_not_as_expected_is_never_overwritten(
    store: EmbeddedStore, data: DataFolder
) -> None:
    first = write_of(b"one")
    await store.commit_file(first)
    working = data.projects / "site" / "index.html"
    working.write_bytes(b"by hand")
    with pytest.raises(Conflict) as refusal:
        await store.commit_file(write_of(b"two", after=first.revision))
    assert refusal.value.details == {
        "path": "index.html",
        "expected_digest": digest_of(b"one"),
        "actual_digest": digest_of(b"by hand"),
    }
    assert working.read_bytes() == b"by hand"
    outside, one = await store.revisions("p1", "index.html")
    assert (outside.author, outside.parent) == ("outside", one.id)
    assert await store.read_object(outside.digest) == b"by hand"


async def test_a_change_by_hand_is_seen_though_time_and_size_are_the_same(
    store: EmbeddedStore, data: DataFolder
) -> None:
    await store.commit_file(write_of(b"one"))
    working = data.projects / "site" / "index.html"
    for content in (b"two", b"six", b"ten"):
        working.write_bytes(content)
        (info,) = await store.files("p1")
        assert info.digest == digest_of(content)


async def test_a_project_s_folder_that_was_removed_is_made_again_by_a_write(
    store: EmbeddedStore, data: DataFolder
) -> None:
    (data.projects / "site").rmdir()
    assert await store.files("p1") == ()
    await store.commit_file(write_of(b"one"))
    assert (data.projects / "site" / "index.html").read_bytes() == b"one"


async def test_of_two_writers_of_one_parent_exactly_one_wins(
    store: EmbeddedStore,
) -> None:
    first = write_of(b"one")
    await store.commit_file(first)
    results = await asyncio.gather(
        *(
            store.commit_file(write_of(f"{n}".encode(), after=first.revision))
            for n in range(8)
        ),
        return_exceptions=True,
    )
    conflicts = [item for item in results if isinstance(item, Conflict)]
    assert len(conflicts) == 7
    newest, oldest = await store.revisions("p1", "index.html")
    assert (newest.parent, oldest.parent) == (oldest.id, None)
    content, info = await store.read_file("p1", "index.html")
    assert digest_of(content) == newest.digest == info.digest


async def test_a_deleted_file_takes_its_manifest_and_leaves_its_history(
    store: EmbeddedStore, data: DataFolder
) -> None:
    first = write_of(b"one", manifest=manifest_of("index.html"))
    await store.commit_file(first)
    await store.delete_file(
        FileDelete(project_id="p1", path="index.html", working_digest=digest_of(b"one"))
    )
    visible = [
        item.name
        for item in (data.projects / "site").iterdir()
        if item.name != ".vitrail"
    ]
    assert visible == []
    assert await store.files("p1") == ()
    assert [item.id for item in await store.revisions("p1", "index.html")] == [
        first.revision.id
    ]
    again = replace(write_of(b"two", after=first.revision), working_digest=None)
    await store.commit_file(again)
    head = await store.head("p1", "index.html")
    assert head is not None
    assert head.number == 2
    assert (await store.read_file("p1", "index.html"))[0] == b"two"


async def test_records_and_events_of_one_transaction_come_together_or_not_at_all(
    store: EmbeddedStore,
) -> None:
    orphan = Conversation(
        id="c", project_id="none", title="", created_at=AT, updated_at=AT
    )
    before = await store.last_seq()
    with pytest.raises(NotFound):
        await store.apply(
            [AppendEvent(EventPlace("p1"), Text("x")), PutConversation(orphan)]
        )
    assert await store.last_seq() == before
    assert await store.events_after(before) == ()


async def test_messages_come_in_the_order_they_were_added_and_stay_in_place(
    store: EmbeddedStore,
) -> None:
    conversation = Conversation(
        id="c1", project_id="p1", title="", created_at=AT, updated_at=AT
    )
    said = [
        Message(
            id=f"m{n}",
            conversation_id="c1",
            role="user",
            parts=(TextPart(text=f"{n}"),),
            created_at=AT,
        )
        for n in range(3)
    ]
    await store.apply([PutConversation(conversation), *map(PutMessage, said)])
    changed = said[0].model_copy(update={"parts": (TextPart(text="again"),)})
    await store.apply([PutMessage(changed)])
    messages, seq = await store.messages("c1")
    assert messages == (changed, said[1], said[2])
    assert seq == await store.last_seq()


async def test_a_prompt_stays_when_its_run_is_put_again_without_one(
    store: EmbeddedStore,
) -> None:
    run = Run(
        id="r1",
        project_id="p1",
        conversation_id="c1",
        message_id="m1",
        agent="replay",
        state="running",
        started_at=AT,
    )
    sent = (PromptMessage("user", "Hi"),)
    await store.apply([PutRun(run, sent)])
    assert await store.running() == (run,)
    ended = run.model_copy(update={"state": "done", "ended_at": AT})
    await store.apply([PutRun(ended)])
    assert await store.running() == ()
    assert await store.run("r1") == ended
    assert await store.run_prompt("r1") == sent


async def test_what_is_not_there_has_its_own_code(store: EmbeddedStore) -> None:
    cases = (
        (store.project("x"), "project-not-found"),
        (store.files("x"), "project-not-found"),
        (store.conversation("x"), "conversation-not-found"),
        (store.messages("x"), "conversation-not-found"),
        (store.run("x"), "run-not-found"),
        (store.run_prompt("x"), "run-not-found"),
        (store.read_object("x"), "not-found"),
    )
    for asked, code in cases:
        with pytest.raises(NotFound) as missing:
            await asked
        assert missing.value.code == code


async def test_two_projects_cannot_have_one_name(
    store: EmbeddedStore, project: Project
) -> None:
    with pytest.raises(Conflict) as refusal:
        await store.apply([PutProject(project.model_copy(update={"id": "p2"}))])
    assert refusal.value.code == "project-exists"


async def test_a_deleted_project_is_forgotten_and_its_folder_and_last_event_stay(
    store: EmbeddedStore, data: DataFolder
) -> None:
    await store.commit_file(write_of(b"one"))
    deleted = ProjectChanged("deleted", "Site")
    (stored,) = await store.apply(
        [AppendEvent(EventPlace("p1"), deleted), DeleteProject("p1")]
    )
    assert (data.projects / "site" / "index.html").read_bytes() == b"one"
    assert await store.projects() == ()
    assert [item.event for item in await store.events_after(0)] == [deleted]
    assert await store.last_seq() == stored.seq


async def test_a_deleted_conversation_takes_its_messages(store: EmbeddedStore) -> None:
    conversation = Conversation(
        id="c1", project_id="p1", title="", created_at=AT, updated_at=AT
    )
    await store.apply([PutConversation(conversation)])
    await store.apply([DeleteConversation("c1")])
    assert await store.conversations("p1") == ()
    with pytest.raises(NotFound):
        await store.messages("c1")


async def test_numbers_are_never_given_twice(store: EmbeddedStore) -> None:
    first = await store.apply([AppendEvent(EventPlace("p1"), Text("x"))])
    await store.apply([DeleteProject("p1")])
    second = await store.apply([AppendEvent(EventPlace("p2"), Text("y"))])
    assert second[0].seq > first[0].seq


async def test_settings_are_kept_and_removed(store: EmbeddedStore) -> None:
    await store.put_settings({"a": "1", "b": "2"})
    await store.put_settings({"a": None, "b": "3"})
    assert await store.settings() == {"b": "3"}


async def test_everything_is_there_after_a_restart(
    store: EmbeddedStore, project: Project, data: DataFolder
) -> None:
    await store.commit_file(write_of(b"one"))
    logged = await store.events_after(0)
    await store.close()
    again = await open_store(data, clock=SystemClock(), ids=CountingIds())
    try:
        assert await again.projects() == (project,)
        assert await again.events_after(0) == logged
        assert (await again.read_file("p1", "index.html"))[0] == b"one"
    finally:
        await again.close()


async def test_followers_hear_of_own_commits_and_of_another_process_s(
    store: EmbeddedStore, data: DataFolder
) -> None:
    other = await open_store(data, clock=SystemClock(), ids=CountingIds())
    heard: list[int] = []

    async def follow(until: int) -> None:
        async for seq in store.changed():
            heard.append(seq)
            if seq >= until:
                return

    try:
        (own,) = await store.apply([AppendEvent(EventPlace("p1"), Text("own"))])
        follower = asyncio.create_task(follow(own.seq + 1))
        await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await other.apply([AppendEvent(EventPlace("p1"), Text("theirs"))])
            await follower
    finally:
        await other.close()
    assert heard == [own.seq, own.seq + 1]


async def test_a_follower_ends_when_the_store_closes(store: EmbeddedStore) -> None:
    async def follow() -> list[int]:
        return [seq async for seq in store.changed()]

    follower = asyncio.create_task(follow())
    await asyncio.sleep(0)
    await store.close()
    async with asyncio.timeout(5):
        assert await follower == []


async def test_a_closed_store_says_so(store: EmbeddedStore) -> None:
    await store.close()
    with pytest.raises(StorageError):
        await store.projects()
    with pytest.raises(StorageError):
        await store.apply([AppendEvent(EventPlace(), Text("x"))])


async def test_a_path_that_is_refused_is_refused_the_same_way_whether_it_exists(
    store: EmbeddedStore, data: DataFolder
) -> None:
    (data.path / "secret.txt").write_text("secret")
    outside = data.projects / "site" / "link.txt"
    outside.symlink_to(data.path / "secret.txt")
    (data.projects / "site" / "folder").symlink_to(data.path)

    async def refusal(path: str) -> tuple[type[VitrailError], str, str]:
        with pytest.raises(VitrailError) as caught:
            await store.read_file("p1", path)
        return type(caught.value), caught.value.code, caught.value.message

    for there, not_there in (
        ("../../secret.txt", "../../nothing.txt"),
        ("folder/secret.txt", "folder/nothing.txt"),
        (".vitrail/x", ".vitrail/staging"),
    ):
        assert await refusal(there) == await refusal(not_there)
    kind, code, _ = await refusal("link.txt")
    assert (kind, code) == (InvalidPath, "path-outside-project")
    assert await store.files("p1") == ()
