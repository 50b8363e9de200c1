"""`vitrail diff`: what tells two texts of a file apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from vitrail.cli.options import AsJson, DataDir, HistoryFile

if TYPE_CHECKING:
    from vitrail.protocol.history import DiffHunk, DiffLine, FileDiff
    from vitrail.protocol.records import Revision

__all__ = ["diff"]

_REV = "A revision: its number, @, @~1, or how its id or digest begins."


def diff(
    file: HistoryFile,
    old: Annotated[str | None, typer.Argument(metavar="[REV]", help=_REV)] = None,
    new: Annotated[
        str | None,
        typer.Argument(metavar="[REV]", help="Another; else the file as it is now."),
    ] = None,
    *,
    words: Annotated[
        bool, typer.Option("--words", help="Mark the words that changed.")
    ] = False,
    as_json: AsJson = False,
    data: DataDir = None,
) -> None:
    """Show what tells two texts of a file apart, by line and word.

    Without a revision: what was last done to the file. What the file lost
    (sections, ids, functions, slides, words) is named at the end.
    """
    from vitrail.cli.files import open_file

    workspace, path = open_file(file, data)
    with workspace:
        found = workspace.diff(path, old=old, new=new)
    if as_json:
        print(found.model_dump_json(by_alias=True, indent=2))
    else:
        _tell(found, marks_words=words)


def _tell(found: FileDiff, *, marks_words: bool) -> None:
    from vitrail.cli.files import shown, tell_lost

    if found.old_digest == found.new_digest:
        print(f"{shown(found.path)} is the same in both.")
        return
    print(f"--- {shown(found.path)}  {_side(found.old, found.old_digest)}")
    print(f"+++ {shown(found.path)}  {_side(found.new, found.new_digest)}")
    if found.binary:
        print("One of them is no text.")
        return
    for hunk in found.hunks:
        for line in _hunk_lines(hunk, marks_words=marks_words):
            print(line)
    if found.endings and not found.hunks:
        print("Only line breaks changed.")
    if found.truncated:
        print("… the difference is larger than is shown here.")
    tell_lost(found.lost)
    for diagnostic in found.diagnostics:
        print(diagnostic.message)


def _side(revision: Revision | None, digest: str | None) -> str:
    if revision is not None:
        return f"revision {revision.number} ({revision.author})"
    return "no such file" if digest is None else "as another program left it"


def _hunk_lines(hunk: DiffHunk, *, marks_words: bool) -> Iterator[str]:
    yield (
        f"@@ -{hunk.old_start + 1},{hunk.old_lines} "
        f"+{hunk.new_start + 1},{hunk.new_lines} @@"
    )
    signs = {"same": " ", "removed": "-", "added": "+"}
    for line in hunk.lines:
        yield signs[line.kind] + _text(line, marks_words=marks_words)


def _text(line: DiffLine, *, marks_words: bool) -> str:
    from vitrail.cli.files import shown

    if not marks_words or not line.words:
        return shown(line.text)
    opening, closing = ("[-", "-]") if line.kind == "removed" else ("{+", "+}")
    pieces: list[str] = []
    at = 0
    for start, end in line.words:
        pieces += shown(line.text[at:start]), opening
        pieces += shown(line.text[start:end]), closing
        at = end
    return "".join((*pieces, shown(line.text[at:])))
