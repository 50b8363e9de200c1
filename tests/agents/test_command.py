"""The ``command`` agent: real programs, ended with everything they started."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from vitrail.adapters.agents.command import CommandAgent, prompt_text
from vitrail.errors import AgentError
from vitrail.ports import AgentEnd, AgentPrompt, AgentText, PromptMessage

PROMPT = AgentPrompt(
    (
        PromptMessage("system", "Rules."),
        PromptMessage("user", "Hi 数据"),
        PromptMessage("assistant", "Hello."),
        PromptMessage("user", "Again"),
    )
)
TEXT = "Rules.\n\n## user\n\nHi 数据\n\n## assistant\n\nHello.\n\n## user\n\nAgain\n\n## assistant\n"


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-u", "-c", code)


async def answer(agent: CommandAgent) -> tuple[str, AgentError | None]:
    text = ""
    try:
        async for chunk in agent.stream(PROMPT):
            text += chunk.text if isinstance(chunk, AgentText) else ""
    except AgentError as error:
        return text, error
    return text, None


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return True
    return state == "Z"


async def gone(pid: int) -> bool:
    """Wait until a process is no more; the test's own time limit is the end of it."""
    while not is_gone(pid):  # noqa: ASYNC110 - the kernel sets no event
        await asyncio.sleep(0)
    return True


def test_the_prompt_is_one_text_with_a_heading_for_each_turn() -> None:
    assert prompt_text(PROMPT) == TEXT


async def test_a_program_reads_the_prompt_and_its_output_is_the_reply() -> None:
    agent = CommandAgent(python("import sys; print(sys.stdin.read(), end='')"))
    chunks = [chunk async for chunk in agent.stream(PROMPT)]
    assert "".join(c.text for c in chunks if isinstance(c, AgentText)) == TEXT
    assert chunks[-1] == AgentEnd("done")


async def test_a_program_works_in_an_empty_folder_that_is_removed_after_it() -> None:
    code = "import os; open('left', 'w'); print(os.getcwd(), *os.listdir())"
    text, _ = await answer(CommandAgent(python(code)))
    folder, *names = text.split()
    assert names == ["left"]
    assert Path(folder) != Path.cwd()
    with pytest.raises(FileNotFoundError):
        os.stat(folder)  # noqa: PTH116 - nothing to wait for


async def test_a_relative_program_is_meant_from_the_servers_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "say"
    program.write_text("#!/bin/sh\necho said\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert await answer(CommandAgent(("./say",))) == ("said\n", None)


async def test_no_half_of_a_key_is_left_where_a_programs_last_words_are_cut() -> None:
    key = "sk-0123456789abcdefghij"
    code = f"import sys; sys.exit({key!r} + 'x' * 590)"
    _, error = await answer(CommandAgent(python(code), secrets=(key,)))
    assert error is not None
    assert key[-4:] not in error.message


async def test_characters_cut_by_the_pipe_are_whole() -> None:
    code = (
        "import os; data='数据 🧪'.encode()\n"
        "for i in range(len(data)): os.write(1, data[i:i+1])\n"
        "os.write(1, b'\\xff')"
    )
    assert await answer(CommandAgent(python(code))) == ("数据 🧪\ufffd", None)


async def test_a_program_need_not_read_what_it_is_told() -> None:
    prompt = AgentPrompt((PromptMessage("user", "x" * 1_000_000),))
    agent = CommandAgent(python("print('fine')"))
    chunks = [chunk async for chunk in agent.stream(prompt)]
    assert "".join(c.text for c in chunks if isinstance(c, AgentText)) == "fine\n"


async def test_no_shell_reads_the_command() -> None:
    agent = CommandAgent((*python("import sys; print(sys.argv[1])"), "$(id); `id`"))
    assert await answer(agent) == ("$(id); `id`\n", None)


async def test_a_program_that_fails_is_quoted_and_its_words_kept() -> None:
    code = (
        "import sys; print('Half'); print('no\\nmodel', file=sys.stderr); sys.exit(3)"
    )
    text, error = await answer(CommandAgent(python(code)))
    assert text == "Half\n"
    assert error is not None
    assert error.code == "agent-failed"
    assert "status 3" in error.message
    assert error.message.endswith("It says: no model")


async def test_only_the_end_of_standard_error_is_quoted() -> None:
    code = "import sys; sys.stderr.write('x' * 300000 + ' the end'); sys.exit(1)"
    _, error = await answer(CommandAgent(python(code)))
    assert error is not None
    assert error.message.endswith("x the end")
    assert len(error.message) < 800


async def test_a_signal_is_named() -> None:
    code = "import os, signal; print('a'); os.kill(os.getpid(), signal.SIGKILL)"
    _, error = await answer(CommandAgent(python(code)))
    assert error is not None
    assert "SIGKILL" in error.message


async def test_a_program_that_says_nothing_is_an_error() -> None:
    _, error = await answer(CommandAgent(python("pass")))
    assert error is not None
    assert "without printing an answer" in error.message


@pytest.mark.parametrize(
    "command", [(), ("no-such-program-here",), ("/",), ("/etc/hostname",), ("a\0b",)]
)
async def test_what_cannot_be_started_is_told_in_words(
    command: tuple[str, ...],
) -> None:
    text, error = await answer(CommandAgent(command))
    assert text == ""
    assert error is not None
    assert error.code == "agent-not-configured"
    assert "model settings" in error.message


CHILD = (
    "import os, signal, sys, time, subprocess\n"
    "child = subprocess.Popen([sys.executable, '-c', "
    "'import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    ' print("up", flush=True); time.sleep(600)\'], stdout=subprocess.PIPE)\n'
    "child.stdout.readline()\n"
    "os.write(1, f'{os.getpid()} {child.pid}'.encode())\n"
)


async def test_closing_ends_the_program_and_its_children() -> None:
    agent = CommandAgent(python(f"{CHILD}time.sleep(600)"))
    stream = agent.stream(PROMPT)
    first = await anext(stream)
    assert isinstance(first, AgentText)
    parent, child = map(int, first.text.split())
    await stream.aclose()
    assert await gone(parent)
    assert await gone(child)


async def test_a_cancelled_reader_ends_them_too() -> None:
    agent = CommandAgent(python(f"{CHILD}time.sleep(600)"))
    seen: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def read() -> None:
        async for chunk in agent.stream(PROMPT):
            if isinstance(chunk, AgentText) and not seen.done():
                seen.set_result(chunk.text)

    task = asyncio.create_task(read())
    parent, child = map(int, (await seen).split())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await gone(parent)
    assert await gone(child)


async def test_a_child_that_outlives_its_program_does_not_hold_the_reply() -> None:
    code = (
        "import sys, subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)"
    )
    text, error = await answer(CommandAgent(python(code)))
    assert error is None
    assert await gone(int(text))


async def test_silence_ends_at_its_limit() -> None:
    agent = CommandAgent(
        python("import time; print('a', flush=True); time.sleep(600)"), idle_s=1.0
    )
    text, error = await answer(agent)
    assert text == "a\n"
    assert error is not None
    assert error.code == "agent-timeout"
