"""A large transcript takes the memory of one message, both ways."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

MAX_GROWTH_MB = 64
"""Of the process, from before the first line to the end: the caches of the database."""

PROGRAM = textwrap.dedent(
    """
    import asyncio, json, resource, sys
    from pathlib import Path
    from tests.support.transcripts import (
        conversation_line, lines, message_line, open_shelf, text_block,
    )
    from vitrail.workflow.transcripts import TranscriptChoice

    def used_mb():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    async def main(folder, count):
        said = "Some words of a page, of ada@example.org.\\n" * 120
        with (folder / "in").open("wb") as file:
            file.write(lines(conversation_line()))
            for number in range(count):
                line = message_line(number, text_block(said), role="user")
                file.write(json.dumps(line).encode() + b"\\n")
        async with open_shelf(folder / "data") as shelf:
            before = used_mb()
            with (folder / "in").open("rb") as file:
                await shelf.transcripts.read(shelf.project_id, file)
            told = await shelf.transcripts.tell(
                shelf.project_id, None, TranscriptChoice(redact=True)
            )
            with (folder / "out").open("wb") as file:
                for piece in told.pieces():
                    file.write(piece)
            told.close()
            with (folder / "out").open("rb") as file:
                await shelf.transcripts.read(shelf.project_id, file)
            print(used_mb() - before)

    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
    """
)


def growth_mb(folder: Path, count: int) -> float:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(count)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def test_10_megabytes_take_no_more_memory_than_a_message(tmp_path: Path) -> None:
    assert growth_mb(tmp_path, 2000) < MAX_GROWTH_MB


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_100_megabytes_take_no_more_memory_than_a_message(tmp_path: Path) -> None:
    assert growth_mb(tmp_path, 20_000) < MAX_GROWTH_MB
    assert (tmp_path / "out").stat().st_size > 100_000_000
