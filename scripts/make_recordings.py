"""Make the recordings that ship, from sources that people can read and edit.

    python -m scripts.make_recordings           write src/vitrail/recordings/*.jsonl
    python -m scripts.make_recordings --check   say whether they are current

A source is ``scripts/recordings/NAME.md``: a head of ``key: value`` lines, a
line ``---``, then the reply exactly as a model would send it. The reply is cut
into pieces as providers send them (a few tokens each, borders anywhere) and
timed so that the whole takes ``seconds``. Everything is computed from the
source and the name, so the same source always makes the same bytes.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vitrail.protocol.recording import (
    Recording,
    RecordingHead,
    RecordingLine,
    RecordingUsage,
    read_recording,
    write_recording,
)

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = ROOT / "scripts" / "recordings"
TARGETS: Final = ROOT / "src" / "vitrail" / "recordings"

FIRST_WORD_S: Final = 0.6
"""What a hosted model takes to begin."""
CHARS_PER_TOKEN: Final = 3.6
"""English and HTML, mixed; for the usage line only."""
RECORDED_AT: Final = "2026-11-30T09:00:00.000Z"

_TOKEN: Final = re.compile(r"\s?\w{1,9}|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Source:
    """One source, read."""

    name: str
    keys: dict[str, str]
    reply: str


def read_source(path: Path) -> Source:
    """Return a source; exit with words where its head is not one."""
    head, separator, reply = path.read_text("utf-8").partition("\n---\n")
    if not separator:
        sys.exit(f"{path.name}: expected a head, then a line ---")
    keys = {}
    for line in head.splitlines():
        key, colon, value = line.partition(": ")
        if not colon:
            sys.exit(f"{path.name}: expected 'key: value', got {line!r}")
        keys[key] = value.strip()
    return Source(path.stem, keys, reply.removesuffix("\n"))


def pieces(text: str, chance: random.Random) -> Iterator[str]:
    """Cut the text as providers do: one to six tokens at a time."""
    held, left = "", 0
    for token in _TOKEN.findall(text):
        if left == 0:
            if held:
                yield held
            held, left = "", chance.choice((1, 2, 2, 3, 3, 4, 4, 5, 6))
        held += token
        left -= 1
    if held:
        yield held


def make(source: Source) -> Recording:
    """Return the recording of a source."""
    chance = random.Random(source.name)  # noqa: S311 - rhythm, not secrecy
    cut = list(pieces(source.reply, chance))
    if "".join(cut) != source.reply:
        sys.exit(f"{source.name}: the pieces do not make up the reply")
    weights = [chance.uniform(0.5, 1.5) for _ in cut]
    span_s = float(source.keys["seconds"]) - FIRST_WORD_S
    scale = span_s / sum(weights)
    t, lines = FIRST_WORD_S, []
    for piece, weight in zip(cut, weights, strict=True):
        lines.append(RecordingLine(t=round(t, 3), text=piece))
        t += weight * scale
    usage = RecordingUsage(
        input_tokens=int(source.keys.get("input_tokens", "1900")),
        output_tokens=round(len(source.reply) / CHARS_PER_TOKEN),
    )
    lines += [
        RecordingLine(t=round(t, 3), usage=usage),
        RecordingLine(t=round(t, 3), end="done"),
    ]
    head = RecordingHead(
        name=source.name,
        title=source.keys["title"],
        description=source.keys["description"],
        prompt=source.keys["prompt"],
        follows=source.keys.get("follows"),
        agent="openai",
        model="example",
        recorded_at=RECORDED_AT,
    )
    return Recording(head, tuple(lines))


def made() -> dict[str, str]:
    """Return the text of every recording by its file name."""
    texts = {}
    for path in sorted(SOURCES.glob("*.md")):
        source = read_source(path)
        text = write_recording(make(source))
        if read_recording(text).text != source.reply:
            sys.exit(f"{source.name}: the recording does not hold the reply")
        texts[f"{source.name}.jsonl"] = text
    follows = {read_recording(text).head.follows for text in texts.values()}
    missing = {f"{name}.jsonl" for name in follows if name} - texts.keys()
    if missing:
        sys.exit(f"follows what is not there: {', '.join(sorted(missing))}")
    return texts


def main(arguments: list[str]) -> int:
    """Write the recordings, or with ``--check`` compare them."""
    texts = made()
    there = {path.name: path for path in TARGETS.glob("*.jsonl")}
    if arguments == ["--check"]:
        stale = [
            name
            for name in sorted(texts.keys() | there.keys())
            if name not in texts
            or name not in there
            or there[name].read_text("utf-8") != texts[name]
        ]
        if stale:
            print(
                f"Not current: {', '.join(stale)}. "
                "Run: python -m scripts.make_recordings",
                file=sys.stderr,
            )
        return 1 if stale else 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    TARGETS.mkdir(exist_ok=True)
    for name, path in there.items():
        if name not in texts:
            path.unlink()
    for name, text in texts.items():
        (TARGETS / name).write_text(text, "utf-8")
        recording = read_recording(text)
        print(
            f"{name}: {len(recording.text)} characters, {len(recording.lines)} lines, "
            f"{recording.duration_s:.1f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
