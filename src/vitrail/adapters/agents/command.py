"""The ``command`` agent: any program that reads a prompt and prints text."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from vitrail.adapters.failures import storage_errors
from vitrail.adapters.processes import Program, started
from vitrail.core.text import Utf8Decoder
from vitrail.core.text.scrub import scrub
from vitrail.errors import AgentError
from vitrail.ports import AgentChunk, AgentEnd, AgentPrompt, AgentText

__all__ = ["CommandAgent", "prompt_text"]

_IDLE_S: Final = 900.0
"""Longest silence; agents that use tools are quiet for minutes."""

_ERROR_CHARS: Final = 600


class CommandAgent:
    """A program with its arguments; the prompt goes to its standard input."""

    name = "command"

    def __init__(
        self,
        command: Sequence[str],
        *,
        idle_s: float = _IDLE_S,
        secrets: Iterable[str] = (),
    ) -> None:
        """``secrets`` are taken out of what the program says when it fails."""
        self._command = tuple(command)
        self._idle_s = idle_s
        self._secrets = tuple(secrets)

    async def stream(self, prompt: AgentPrompt) -> AsyncGenerator[AgentChunk, None]:
        """Yield what the program prints; see `vitrail.ports.Agent`.

        Closing the generator ends the program and its children. It runs in an
        empty folder that is removed after it: what it prints is the reply, and
        neither the project nor the folder that the server was started in lies
        open to a text that may have come from anywhere.
        """
        decoder = Utf8Decoder()
        has_text = False
        async with _empty_folder() as folder, started(self._command, folder) as program:
            program.begin(prompt_text(prompt))
            async with aclosing(self._output(program)) as pieces:
                async for data in pieces:
                    if text := decoder.feed(data):
                        has_text = has_text or bool(text.strip())
                        yield AgentText(text)
            if text := decoder.close():
                yield AgentText(text)
            status = await program.status()
            if status != 0 or not has_text:
                raise _failed(program, status, self._secrets)
        yield AgentEnd("done")

    async def _output(self, program: Program) -> AsyncGenerator[bytes, None]:
        async with aclosing(program.output()) as output:
            while True:
                try:
                    async with asyncio.timeout(self._idle_s):
                        data = await anext(output)
                except StopAsyncIteration:
                    return
                except TimeoutError as cause:
                    raise AgentError(
                        f"The program {program.name!r} printed nothing for "
                        f"{round(self._idle_s)} seconds and was ended. "
                        "What had come is kept.",
                        code="agent-timeout",
                    ) from cause
                yield data


def prompt_text(prompt: AgentPrompt) -> str:
    r"""Return the prompt as one text, a heading for each turn after the instructions.

    Lines of the messages that look like such a heading are escaped already.
    """
    sections = [
        message.content
        if message.role == "system"
        else f"## {message.role}\n\n{message.content}"
        for message in prompt.messages
    ]
    return "\n\n".join([*sections, "## assistant\n"])


@asynccontextmanager
async def _empty_folder() -> AsyncGenerator[Path, None]:
    with storage_errors():
        folder = await asyncio.to_thread(mkdtemp, prefix="vitrail-")
    try:
        yield Path(folder)
    finally:
        await asyncio.shield(
            asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        )


def _failed(program: Program, status: int, secrets: Iterable[str]) -> AgentError:
    how = _how_it_ended(status)
    tail = " ".join(scrub(program.error_tail, secrets).split())
    shown = tail if len(tail) <= _ERROR_CHARS else f"…{tail[-_ERROR_CHARS:]}"
    return AgentError(
        f"The program {program.name!r} {how}. What had come is kept."
        + (f" It says: {shown}" if shown else ""),
        code="agent-failed",
        exit_status=status,
    )


def _how_it_ended(status: int) -> str:
    if status == 0:
        return "ended without printing an answer"
    if status > 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
