"""The corpus of paths, `tests/core/path_cases.tsv`, as its rows mean it."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PathCase", "path_cases"]

_CORPUS = Path(__file__).resolve().parent.parent / "core/path_cases.tsv"
_DESCRIBED = {
    "(251 x 'a').html -> 256 bytes": "a" * 251 + ".html",
    "(250 x 'a').html -> 255 bytes": "a" * 250 + ".html",
    "(84 x U+4E00).html -> 257 bytes": "\u4e00" * 84 + ".html",
    "(200 nested one-letter folders)/x": "a/" * 200 + "x",
}
_SETTINGS = {
    "link": "a mode of an archive's entry",
    "x.html + x.html": "two entries of an archive",
    "bomb.bin": "the size of an entry",
    "(100000 empty entries)": "a count of entries",
    "entry timestamps before 1980": "a time of an entry",
    "a.html + A.html": "two files",
    "/workspace/fake.png (is HTML)": "the bytes of a file",
}
"""What a row describes that is no name."""


@dataclass(frozen=True, slots=True)
class PathCase:
    """One row of the corpus."""

    id: str
    context: str
    value: str
    """The name itself, its escapes undone."""
    is_allowed: bool
    stored_as: str | None
    is_firm: bool
    is_name: bool
    """Whether the name alone decides; else the row tells of more than a name."""
    reason: str


def path_cases(*contexts: str) -> list[PathCase]:
    """Return the rows of these contexts, or all of them."""
    with _CORPUS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        PathCase(
            id=row["id"],
            context=row["context"],
            value=_unescaped(row["input_escaped"]),
            is_allowed=row["expect"] == "allow",
            stored_as=None if row["stored_as"] == "-" else _unescaped(row["stored_as"]),
            is_firm=row["certainty"] == "firm",
            is_name=row["input_escaped"] not in _SETTINGS
            and row["context"] != "fs_state",
            reason=row["reason"],
        )
        for row in rows
        if not contexts or row["context"] in contexts
    ]


def _unescaped(text: str) -> str:
    if text in _DESCRIBED:
        return _DESCRIBED[text]
    text = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found.group(1), 16)), text)
    for escaped, plain in ((r"\n", "\n"), (r"\r", "\r"), (r"\0", "\0")):
        text = text.replace(escaped, plain)
    text = text.replace("\\\\", "\\")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
