"""Writers of two processes, in any order, leave the one history that a model has.

Strategy: four writers, two in each process, begin operations at the same time,
each by what it last saw, and another program writes among them. The log says in
which order they came; a model of the folder takes them in that order, and each
must have been right at its place. One that was refused must have been wrong at
some moment of its round.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.interleaving import AT, PATHS, PROJECT
from tests.adapters.killing import opened
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.objects import digest_of
from vitrail.ports import PutProject, StoredEvent
from vitrail.protocol.events import FileChanged, FileMoved, FileRemoved
from vitrail.protocol.records import Project

SCRIPT = Path(__file__).parent / "interleaving.py"
WRITERS = 4
LOOKS = 0.5
"""How often a writer only looks."""
KINDS = ("write", "write", "write", "restore", "delete", "move", "accept")

Operation = dict[str, Any]


class Worker:
    """A process that carries out operations."""

    def __init__(self, data: DataFolder, stack: ExitStack) -> None:
        self._process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, str(SCRIPT), str(data.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        stack.callback(self.say, "")

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the process is gone"
        heard: dict[str, Any] = json.loads(line)
        return heard


@dataclass(slots=True)
class Model:
    """What the folder and its history are to be."""

    histories: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Of each path its revisions' ids and digests, the oldest first."""
    present: dict[str, str] = field(default_factory=dict)
    """Digest of each working file."""

    def digest(self, path: str) -> str | None:
        return self.present.get(path)

    def head(self, path: str) -> str | None:
        history = self.histories.get(path)
        return history[-1][0] if history else None

    def known(self, path: str) -> dict[str, Any]:
        return {
            "digest": self.digest(path),
            "head": self.head(path),
            "number": len(self.histories.get(path, ())),
        }

    def fits(self, operation: Operation) -> bool:
        """Return whether what the operation was told is so now."""
        return all(
            self._fits(operation, path, told)
            for path, told in operation["known"].items()
        )

    def _fits(self, operation: Operation, path: str, told: dict[str, Any]) -> bool:
        now = self.known(path)
        match operation["kind"], path == operation["path"]:
            case ("delete", True) | ("accept", False):
                # what is removed is named by its digest alone
                return bool(told["digest"] == now["digest"])
            case ("move", False):
                return now["digest"] is None and told["number"] == now["number"]
            case _:
                return told == now

    def add(self, path: str, revision: str, digest: str) -> None:
        self.histories.setdefault(path, []).append((revision, digest))
        self.present[path] = digest

    def copy(self) -> Model:
        return Model(
            {k: list(v) for k, v in self.histories.items()}, dict(self.present)
        )


class Interleaving:
    """One run: operations in rounds, each round's at the same time."""

    def __init__(
        self, seed: int, data: DataFolder, store: EmbeddedStore, workers: list[Worker]
    ) -> None:
        self._random = random.Random(seed)
        self._data = data
        self._store = store
        self._workers = workers
        self._model = Model()
        self._knows: list[dict[str, dict[str, Any]]] = [
            {path: self._model.known(path) for path in PATHS} for _ in range(WRITERS)
        ]
        self._seq = 0
        self._made = 0
        self.outcomes: dict[str, int] = {}

    async def run(self, steps: int) -> None:
        while self._made < steps:
            await self._round()
        await self._compare()

    # --- one round -------------------------------------------------------

    async def _round(self) -> None:
        begun: dict[str, Operation] = {}
        for writer in range(WRITERS):
            if self._random.random() < 0.8:
                operation = self._operation(writer)
                begun[operation["id"]] = operation
                self._workers[writer % 2].say(json.dumps(operation))
        by_hand = self._write_by_hand() if self._random.random() < 0.15 else None
        ended = self._hear(begun)
        if by_hand is not None:
            ended |= self._notice(begun, by_hand[0])
        states = await self._replay(begun, ended)
        for name, operation in begun.items():
            self._judge(operation, ended[name], states, by_hand)
        if by_hand is not None:
            digests = {digest for _, digest in self._model.histories[by_hand[0]]}
            every = digests | {
                digest
                for items in self._model.histories.values()
                for _, digest in items
            }
            assert by_hand[1] in every, "another program's bytes are lost"

    def _operation(self, writer: int) -> Operation:
        self._made += 1
        name = f"w{writer}-{self._made}"
        path, target = self._random.sample(PATHS, 2)
        if self._random.random() < 0.35:
            return {
                "id": name,
                "kind": "look",
                "path": path,
                "writer": writer,
                "known": {},
            }
        knows = self._knows[writer]
        kind = self._random.choice(KINDS)
        if kind in ("delete", "move") and knows[path]["digest"] is None:
            kind = "write"
        if kind == "accept" and knows[target]["digest"] is None:
            kind = "write"
        history = self._model.histories.get(path)
        if kind == "restore" and not history:
            kind = "write"
        paths = (path, target) if kind in ("move", "accept") else (path,)
        return {
            "id": name,
            "kind": kind,
            "path": path,
            "target": target,
            "text": f"text of {name}",
            "restores": self._random.choice(history)[1] if history else None,
            "looks_first": self._random.randrange(4),
            "writer": writer,
            "known": {item: knows[item] for item in paths},
        }

    def _write_by_hand(self) -> tuple[str, str]:
        """Write a file as an editor does: aside, then renamed over."""
        path = self._random.choice(PATHS)
        text = f"by hand {self._made}"
        aside = self._data.path / "aside"
        aside.write_text(text)
        target = self._data.projects / "site" / path
        target.parent.mkdir(exist_ok=True)
        aside.replace(target)
        return path, digest_of(text.encode())

    def _hear(self, begun: dict[str, Operation]) -> dict[str, dict[str, Any]]:
        ended: dict[str, dict[str, Any]] = {}
        for operation in begun.values():
            heard = self._workers[operation["writer"] % 2].hear()
            ended[heard["id"]] = heard
        assert set(ended) == set(begun)
        return ended

    def _notice(
        self, begun: dict[str, Operation], path: str
    ) -> dict[str, dict[str, Any]]:
        """Let somebody look at what was written by hand, as the watch does."""
        self._made += 1
        name = f"w0-{self._made}"
        operation = {
            "id": name,
            "kind": "notice",
            "path": path,
            "writer": 0,
            "known": {},
        }
        self._workers[0].say(json.dumps(operation))
        begun[name] = operation
        heard = self._workers[0].hear()
        return {name: heard}

    # --- the model -------------------------------------------------------

    async def _replay(
        self, begun: dict[str, Operation], ended: dict[str, dict[str, Any]]
    ) -> list[Model]:
        """Take the round's events in their order; return every state on the way."""
        states = [self._model.copy()]
        for stored in await self._store.events_after(self._seq):
            self._seq = stored.seq
            operation = begun.get(stored.place.run_id or "")
            if operation is not None and operation["kind"] != "notice":
                told = {"done", "conflict"}
                assert ended[operation["id"]]["outcome"] in told
                # of an operation on two files the first event comes before both are done
                if not operation.get("is_begun"):
                    operation["is_begun"] = True
                    assert self._model.fits(operation), (operation, self._model)
            self._take(stored)
            states.append(self._model.copy())
        return states

    def _take(self, stored: StoredEvent) -> None:
        match stored.event:
            case FileChanged(path, digest, revision, _):
                assert digest is not None
                assert revision is not None
                self._model.add(path, revision, digest)
            case FileRemoved(path):
                del self._model.present[path]
            case FileMoved(source, target, revision):
                self._model.add(target, revision, self._model.present.pop(source))
            case _:
                pass

    def _judge(
        self,
        operation: Operation,
        ended: dict[str, Any],
        states: list[Model],
        by_hand: tuple[str, str] | None,
    ) -> None:
        if operation["kind"] == "look":
            for path, saw in ended["saw"].items():
                self._knows[operation["writer"]][path] = saw
                # a look is not one moment: file and head may be of two states
                digests = {state.digest(path) for state in states}
                assert by_hand is not None or saw["digest"] in digests
                assert saw["head"] in {state.head(path) for state in states}
            return
        outcome = ended["outcome"]
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        if operation["kind"] == "notice":
            return
        is_committed = operation.get("is_begun", False)
        if outcome == "done":
            assert is_committed
        elif is_committed:
            # another program wrote in that very moment: it is on top, and this below it
            assert by_hand is not None
            assert ended["details"]["is_committed"]
        else:
            is_wrong = any(not state.fits(operation) for state in states)
            assert is_wrong or by_hand is not None, (operation, ended)

    # --- the end ---------------------------------------------------------

    async def _compare(self) -> None:
        for path in PATHS:
            revisions = await self._store.revisions(PROJECT, path)
            wanted = self._model.histories.get(path, [])
            assert [(item.id, item.digest) for item in reversed(revisions)] == wanted
            assert [item.number for item in reversed(revisions)] == list(
                range(1, len(wanted) + 1)
            )
            by_number = {item.number: item for item in revisions}
            for item in revisions:
                content = await self._store.read_object(item.digest)
                assert digest_of(content) == item.digest
                if item.moved_from is None and item.number > 1:
                    assert item.parent == by_number[item.number - 1].id
        files = await self._store.files(PROJECT)
        assert {item.path: item.digest for item in files} == self._model.present
        staging = self._data.projects / "site" / ".vitrail" / "staging"
        assert list(staging.iterdir()) == []


@contextmanager
def two_processes(data: DataFolder) -> Iterator[list[Worker]]:
    with ExitStack() as stack:
        yield [Worker(data, stack) for _ in range(2)]


async def interleave(data: DataFolder, seed: int, steps: int) -> dict[str, int]:
    store = await opened(data)
    try:
        project = Project(
            id=PROJECT, name="site", title="S", created_at=AT, updated_at=AT
        )
        await store.apply([PutProject(project)])
        with two_processes(data) as workers:
            run = Interleaving(seed, data, store, workers)
            await run.run(steps)
            return run.outcomes
    finally:
        await store.close()


@pytest.mark.parametrize("seed", [1, 2])
async def test_any_interleaving_is_the_history_of_the_model(
    data: DataFolder, seed: int
) -> None:
    outcomes = await interleave(data, seed, 200)
    # both ends were reached, or nothing was tried
    assert outcomes["done"] > 20
    assert outcomes["conflict"] > 10


@pytest.mark.soak
@pytest.mark.parametrize("seed", [10, 11])
async def test_ten_thousand_steps_are_the_history_of_the_model(
    data: DataFolder, seed: int
) -> None:
    await interleave(data, seed, 10_000)
