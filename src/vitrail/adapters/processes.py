"""Programs: the one place that starts them.

A program is started without a shell, in a session and process group of its
own, and it and all children that stayed in the group are gone when its context
is left, however it is left.
"""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from vitrail.errors import AgentError

__all__ = ["Program", "started"]

_GRACE_S: Final = 2.0
"""From the polite signal to the other one."""
_DRAIN_S: Final = 1.0
"""What a program's children may still print after it has ended."""
_TAIL_BYTES: Final = 4096
"""Of standard error, what is kept for messages."""
_PIECE_BYTES: Final = 64 * 1024


class _Protocol(SubprocessStreamProtocol):
    """Tells when the program itself has ended.

    ``Process.wait`` also waits until the pipes are closed, in some versions of
    Python, and a child of the program may hold them.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit=_PIECE_BYTES, loop=loop)
        self.exited = asyncio.Event()

    def process_exited(self) -> None:
        """Called by the transport once the exit status is known."""
        self.exited.set()
        super().process_exited()


class Program:
    """A program that runs; made by `started`."""

    def __init__(
        self,
        process: Process,
        transport: asyncio.SubprocessTransport,
        exited: asyncio.Event,
        name: str,
    ) -> None:
        self._process = process
        self._transport = transport
        self._exited = exited
        self.name = name
        """What it is called in messages."""
        self._error = bytearray()
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, text: str) -> None:
        """Write the text to its standard input and close it, beside everything else."""
        self._tasks += [
            asyncio.create_task(self._write(text.encode())),
            asyncio.create_task(self._read_error()),
        ]

    async def output(self) -> AsyncGenerator[bytes, None]:
        """Yield standard output as it comes, until it is closed.

        A child that keeps it open after the program has ended is not waited for.
        """
        stdout = self._process.stdout
        if stdout is None:  # started with a pipe, always
            return
        ended = asyncio.create_task(self._exited.wait())
        try:
            while True:
                reading = asyncio.create_task(stdout.read(_PIECE_BYTES))
                try:
                    if not ended.done():
                        await asyncio.wait(
                            {reading, ended}, return_when=asyncio.FIRST_COMPLETED
                        )
                    if not reading.done():
                        await asyncio.wait({reading}, timeout=_DRAIN_S)
                    if not reading.done():
                        return
                    data = reading.result()
                finally:
                    reading.cancel()
                if not data:
                    return
                yield data
        finally:
            ended.cancel()

    async def status(self) -> int:
        """Wait for the end and return the exit status; negative: minus the signal."""
        await self._exited.wait()
        await asyncio.wait(self._tasks, timeout=_DRAIN_S)
        return self._transport.get_returncode() or 0

    @property
    def error_tail(self) -> str:
        """The last lines of standard error, as text."""
        return bytes(self._error).decode("utf-8", "replace").strip()

    async def kill(self) -> None:
        """End the program and its children; returns when they are gone."""
        for task in self._tasks:
            task.cancel()
        if not self._exited.is_set():
            self._signal(signal.SIGTERM)
            with suppress(TimeoutError):
                async with asyncio.timeout(_GRACE_S):
                    await self._exited.wait()
        # Also where the program itself has ended: its children are in the group.
        self._signal(signal.SIGKILL)
        await self._exited.wait()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # A child that left the group may hold the other ends of the pipes.
        self._transport.close()
        await asyncio.sleep(0)  # the pipes are closed in the loop's next round

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._transport.get_pid(), number)

    async def _write(self, content: bytes) -> None:
        stdin = self._process.stdin
        if stdin is None:  # started with a pipe, always
            return
        with suppress(BrokenPipeError, ConnectionResetError):
            # A program need not read what it is told.
            stdin.write(content)
            await stdin.drain()
            stdin.close()
            await stdin.wait_closed()

    async def _read_error(self) -> None:
        stderr = self._process.stderr
        if stderr is None:  # started with a pipe, always
            return
        while data := await stderr.read(_PIECE_BYTES):
            self._error += data
            del self._error[:-_TAIL_BYTES]


@asynccontextmanager
async def started(
    command: Sequence[str], folder: Path | None = None
) -> AsyncGenerator[Program, None]:
    """Start a program; it has ended, with its children, when the context is left.

    It works in ``folder``, or where this process does; a relative path of its own
    is meant from here in any case. Raises ``AgentError('agent-not-configured')``
    where it cannot be started.
    """
    if not command:
        raise AgentError(
            "No program is set up. Enter one in the model settings.",
            code="agent-not-configured",
        )
    name = os.path.basename(command[0])  # noqa: PTH119 - a name, no file
    try:
        program = await _start(command, name, folder)
    except FileNotFoundError as cause:
        raise _not_started(
            name, "is not on this machine, or not on its path"
        ) from cause
    except PermissionError as cause:
        raise _not_started(name, "may not be run") from cause
    except (OSError, ValueError) as cause:
        raise _not_started(name, "could not be started") from cause
    try:
        yield program
    finally:
        # Shielded: who leaves because of a cancellation still ends the program.
        await asyncio.shield(program.kill())


async def _start(command: Sequence[str], name: str, folder: Path | None) -> Program:
    """Start a program as `asyncio.create_subprocess_exec` does, and keep its transport.

    The process object cannot let go of pipes that somebody else holds open.
    """
    loop = asyncio.get_running_loop()
    program = _from_here(command[0])
    transport, protocol = await loop.subprocess_exec(
        lambda: _Protocol(loop),
        program,
        *command[1:],
        cwd=folder,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
    )
    process = Process(transport, protocol, loop)
    return Program(process, transport, protocol.exited, name)


def _from_here(program: str) -> str:
    """Return a program's path as it is from any folder; a bare name stays one."""
    return os.path.abspath(program) if os.sep in program else program  # noqa: PTH100 - links stay: some programs go by their name


def _not_started(name: str, why: str) -> AgentError:
    return AgentError(
        f"The program {name!r} {why}. Check the command in the model settings.",
        code="agent-not-configured",
    )
