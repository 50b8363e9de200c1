"""How soon the command line answers: the first byte of each command, above bare Python.

Strategy: each command is started a few times, in a home folder of its own; the
best time counts, since only the machine can make it longer. It is processor
time where the system tells it, so that a busy machine makes no difference, and
the clock's elsewhere. Exits 1 when a budget of the design (§7) is broken.

    python -m bench.startup [--quick]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

__all__ = ["main"]

HELP_S = 0.2
FIRST_BYTE_S = 0.5
RUNS = 5

COMMANDS = (
    ("parse", "-"),
    ("ingest", "-", "--project", "site"),
    ("check", "name", "index.html"),
    ("record", "-"),
    ("replay", "--list"),
    ("doctor",),
    ("schema",),
    ("serve", "--port", "0", "--preview-port", "0"),
)


def first_byte_s(command: Sequence[str], runs: int) -> float:
    """Return the best seconds from the start to the first byte on standard output."""
    best = float("inf")
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as home:
            started = time.perf_counter()
            process = subprocess.Popen(  # noqa: S603 - our own program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=home,
                env={**os.environ, "HOME": home},
            )
            with process:
                if process.stdin is None or process.stdout is None:
                    raise AssertionError
                process.stdin.write(b"Hello")
                process.stdin.close()
                process.stdout.read(1)
                passed = time.perf_counter() - started
                best = min(best, processor_s(process.pid) or passed)
                process.terminate()
    return best


def processor_s(pid: int) -> float | None:
    """Return the processor seconds of a process so far, where /proc tells them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    user, system = fields[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two starts each")
    runs = 2 if parser.parse_args(arguments).quick else RUNS
    bare = first_byte_s((sys.executable, "-c", "print()"), runs)
    print(f"bare Python {bare:.3f} s; above it:")
    is_within = True
    for words in (("--help",), *COMMANDS):
        budget = HELP_S if words == ("--help",) else FIRST_BYTE_S
        command = (sys.executable, "-m", "vitrail.cli.main", *words)
        above = first_byte_s(command, runs) - bare
        verdict = "within" if above <= budget else "OVER"
        print(f"  {words[0]:<8} {above:.3f} s, {verdict} {budget} s")
        is_within = is_within and above <= budget
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main())
