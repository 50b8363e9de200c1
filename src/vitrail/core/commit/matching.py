"""Which files that are gone are the files that are new: renames, by what is in them.

Strategy: equal digests first. Then texts, by the pieces they share (lines, and
parts of lines that end at ``>`` or ``;``, so that a page on one line has
pieces too): each piece is known by the few files that have it, a piece of many
files tells nothing, and so two lists of files cost their text and not their
product. The most alike pairs are taken first.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["FileTrace", "Rename", "match_renames"]

_LEAST_LIKENESS: Final = 0.5
"""As git's default for renames."""
_MOST_LIKENESS: Final = 0.99
"""Of files whose bytes differ; 1 is for those that are equal."""
_MAX_FILES_OF_PIECE: Final = 8
"""A piece that more of the files on one side have is boilerplate."""
_PIECE: Final = re.compile(r"[^\n\r>;]*[\n\r>;]|[^\n\r>;]+")


@dataclass(frozen=True, slots=True)
class FileTrace:
    """What is known of a file that is gone, or is new."""

    path: str
    size: int
    """Bytes."""
    digest: str
    text: str | None = None
    """None: no text, or nobody read it; then only an equal digest counts."""


@dataclass(frozen=True, slots=True)
class Rename:
    """A file that is the same under another path."""

    old: str
    new: str
    likeness: float
    """1: the same bytes; else the share of their text that both have, at least 0.5."""


def match_renames(
    removed: Sequence[FileTrace], added: Sequence[FileTrace]
) -> tuple[Rename, ...]:
    """Return which of the removed files are which of the added, by old path.

    Each path is in one rename at most. An empty file is only ever one of the
    same name: emptiness is no likeness.

    >>> old, new = FileTrace("a.css", 9, "d"), FileTrace("css/a.css", 9, "d")
    >>> match_renames([old], [new])
    (Rename(old='a.css', new='css/a.css', likeness=1.0),)
    """
    pairs = [*_equal_pairs(removed, added)]
    pairs.sort(key=_rank)
    found = _taken(pairs)
    gone = {rename.old for rename in found}
    came = {rename.new for rename in found}
    likely = [
        *_alike_pairs(
            [file for file in removed if file.path not in gone and file.text],
            [file for file in added if file.path not in came and file.text],
        )
    ]
    likely.sort(key=_rank)
    found += _taken(likely)
    return tuple(sorted(found, key=lambda rename: rename.old))


def _rank(rename: Rename) -> tuple[float, bool, bool, bool, str, str]:
    """Return the order in which pairs are taken: alike, then alike by name."""
    old_folder, _, old_name = rename.old.rpartition("/")
    new_folder, _, new_name = rename.new.rpartition("/")
    return (
        -rename.likeness,
        old_name != new_name,
        old_folder != new_folder,
        _extension(old_name) != _extension(new_name),
        rename.old,
        rename.new,
    )


def _extension(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    return extension.lower() if stem and dot else ""


def _taken(pairs: Sequence[Rename]) -> list[Rename]:
    old: set[str] = set()
    new: set[str] = set()
    taken = []
    for pair in pairs:
        if pair.old not in old and pair.new not in new:
            old.add(pair.old)
            new.add(pair.new)
            taken.append(pair)
    return taken


def _equal_pairs(
    removed: Sequence[FileTrace], added: Sequence[FileTrace]
) -> Iterator[Rename]:
    """Yield pairs of equal bytes: those of one name, and the rest in order of paths."""
    by_digest: dict[str, tuple[list[FileTrace], list[FileTrace]]] = {}
    for side, files in enumerate((removed, added)):
        for file in sorted(files, key=lambda file: file.path):
            by_digest.setdefault(file.digest, ([], []))[side].append(file)
    for old, new in by_digest.values():
        names: dict[str, list[FileTrace]] = defaultdict(list)
        for file in reversed(new):
            names[_name(file)].append(file)
        rest: list[FileTrace] = []
        used: set[str] = set()
        for file in old:
            if names[_name(file)]:
                other = names[_name(file)].pop()
                used.add(other.path)
                yield Rename(file.path, other.path, 1.0)
            elif file.size:
                rest.append(file)
        others = (file for file in new if file.path not in used)
        for file, other in zip(rest, others, strict=False):
            yield Rename(file.path, other.path, 1.0)


def _name(file: FileTrace) -> str:
    return file.path.rpartition("/")[2]


def _alike_pairs(
    removed: Sequence[FileTrace], added: Sequence[FileTrace]
) -> Iterator[Rename]:
    if not removed or not added:
        return
    old_pieces, new_pieces = _known_pieces(removed), _known_pieces(added)
    shared: Counter[tuple[int, int]] = Counter()
    for piece, old_files in old_pieces.items():
        new_files = new_pieces.get(piece)
        if new_files is None:
            continue
        for old, old_count in old_files.items():
            for new, new_count in new_files.items():
                shared[old, new] += len(piece) * min(old_count, new_count)
    old_weights, new_weights = _weights(old_pieces), _weights(new_pieces)
    for (old, new), weight in shared.items():
        likeness = 2 * weight / (old_weights[old] + new_weights[new])
        if likeness >= _LEAST_LIKENESS:
            yield Rename(
                removed[old].path,
                added[new].path,
                round(min(likeness, _MOST_LIKENESS), 4),
            )


def _known_pieces(files: Sequence[FileTrace]) -> dict[str, Counter[int]]:
    """Return the pieces that tell something, with the files that have them, and how often."""
    found: dict[str, Counter[int]] = {}
    common: set[str] = set()
    for number, file in enumerate(files):
        for piece in _PIECE.findall(file.text or ""):
            word = piece.strip()
            if not word or word in common:
                continue
            owners = found.setdefault(word, Counter())
            owners[number] += 1
            if len(owners) > _MAX_FILES_OF_PIECE:
                common.add(word)
                del found[word]
    return found


def _weights(pieces: dict[str, Counter[int]]) -> Counter[int]:
    weights: Counter[int] = Counter()
    for piece, files in pieces.items():
        for number, count in files.items():
            weights[number] += len(piece) * count
    return weights
