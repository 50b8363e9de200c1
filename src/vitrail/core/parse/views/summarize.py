"""A message as the next prompt tells it: saved artifacts are one line each (§4.3).

Strategy: an artifact becomes a line only on evidence that it is on disk: the
digest of its body first, then the identifier, then the name that it would have
been given. Without evidence this copy may be the only one, and stays whole.
Everything that others wrote is escaped at the end, in one pass over the whole,
so that no two pieces put together make a line that passes for a turn.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from vitrail.core.parse.views.escape import escape_roles, quoted, shorten
from vitrail.core.parse.views.segments import Segment, read_segments
from vitrail.core.text import Leaf, Markdown
from vitrail.limits import MAX_SLUG_CHARS

__all__ = [
    "Evidence",
    "summarize_for_transcript",
    "summary_line",
]

_FORM_NOTE: Final = "[a question form was shown here]"
_QUESTIONS_NOTE: Final = "[questions in JSON were shown here]"
_QUESTIONS: Final = re.compile(r'"questions"\s*+:\s*+\[')
_NUMBER: Final = re.compile(r"-[0-9]++\Z")
_SHORT_DIGEST_CHARS: Final = 12


@dataclass(frozen=True, slots=True)
class Evidence:
    """A file that an artifact of the message became.

    Files without a manifest, or with one that was inferred, are none.
    """

    path: str
    identifier: str = ""
    digest: str = ""
    """Of the body as it was saved, lower-case hex; empty where nobody knows it."""
    is_on_disk: bool = True
    """False for a file that has been removed or renamed since."""


def summarize_for_transcript(
    message: str | Iterable[Segment],
    evidence: Sequence[Evidence],
    *,
    max_chars: int | None = None,
) -> str:
    r"""Return an assistant's message for the next prompt.

    Forms and questions in JSON become short notes, so that nobody echoes them;
    what is longer than ``max_chars`` loses its middle, with a notice.

    >>> text = "Done.\n<artifact identifier='deck'><p>Hi</artifact>"
    >>> summarize_for_transcript(text, [Evidence("deck.html", "deck")])[6:60]
    '[artifact emitted on a prior turn: identifier="deck" t'
    """
    segments = read_segments(message) if isinstance(message, str) else message
    files = _Files(evidence)
    told = escape_roles("".join(_told(segment, files) for segment in segments))
    return told if max_chars is None else shorten(told, max_chars)


def _told(segment: Segment, files: _Files) -> str:
    match segment.kind:
        case "text":
            return _without_questions(segment.raw)
        case "artifact":
            file = files.find(segment)
            return segment.raw if file is None else summary_line(segment, file)
        case "form":
            return _FORM_NOTE
        case "other":
            return segment.raw


def summary_line(artifact: Segment, file: Evidence) -> str:
    """Return the one line that stands for an artifact; nothing in it ends it early."""
    names = [f"identifier={quoted(artifact.identifier)}"] if artifact.identifier else []
    if artifact.title:
        names.append(f"title={quoted(artifact.title)}")
    names.append(f"type={quoted(artifact.artifact_type or 'text/html')}")
    path = quoted(file.path)
    digest = f", sha256 {file.digest[:_SHORT_DIGEST_CHARS]}" if file.digest else ""
    where = (
        f"saved as project file {path}{digest}; its content is on disk and not repeated"
        " here, look for a renamed file if it is not there"
        if file.is_on_disk
        else f"saved as project file {path}, which has been removed or renamed since"
    )
    cut = "" if artifact.is_complete else "; it was cut off before its end"
    return f"[artifact emitted on a prior turn: {' '.join(names)}; {where}{cut}]"


# --- evidence -------------------------------------------------------------------


class _Files:
    """The evidence, looked up by what it can be known by; the first of equals counts."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._by_digest: dict[str, Evidence] = {}
        self._by_identifier: dict[str, Evidence] = {}
        self._by_name: dict[str, Evidence] = {}
        for file in evidence:
            if file.digest:
                self._by_digest.setdefault(file.digest, file)
            if file.identifier:
                self._by_identifier.setdefault(file.identifier, file)
            stem, dot, extension = file.path.rpartition(".")
            for name in (stem, _NUMBER.sub("", stem)):
                self._by_name.setdefault(f"{name}{dot}{extension}", file)

    def find(self, artifact: Segment) -> Evidence | None:
        """Return the file that an artifact became: by digest, identifier, then name."""
        if not self._by_name:
            return None
        digest = hashlib.sha256(artifact.body.encode()).hexdigest()
        found = self._by_digest.get(digest) or self._by_identifier.get(
            artifact.identifier
        )
        if found is not None:
            return found
        key = _key(artifact.identifier or artifact.title or "artifact")
        return self._by_name.get(key + _extension(artifact))


def _key(name: str) -> str:
    """Return the name that a file would have been given without its extension."""
    composed = unicodedata.normalize("NFC", name).lower()
    joined: list[str] = []
    for char in composed:
        if char in "_-" or unicodedata.category(char)[0] in "LNM":
            joined.append(char)
        elif joined and joined[-1] != "-":
            joined.append("-")
    slug = "".join(joined).strip("-")
    return slug[:MAX_SLUG_CHARS].rstrip("-") or "artifact"


def _extension(artifact: Segment) -> str:
    """Return the extension of an artifact's file, by §4.3: the first that fits."""
    kind, name = artifact.artifact_type.lower(), artifact.identifier.lower()
    for extension, words in _EXTENSIONS:
        if name.endswith(extension) or any(word in kind for word in words):
            return extension
    return ".md" if kind == "md" else ".html"


_EXTENSIONS: Final = (
    (".tsx", ("tsx",)),
    (".jsx", ("jsx", "react")),
    (".css", ("css",)),
    (".svg", ("svg",)),
    (".md", ("markdown",)),
)


# --- questions -------------------------------------------------------------------


def _without_questions(text: str) -> str:
    """Return the text with a note in place of each fence that holds a form's JSON."""
    if '"questions"' not in text:
        return text
    pieces: list[str] = []
    place = 0
    for start, end in _fences(text):
        if _QUESTIONS.search(text, start, end):
            pieces += [text[place:start], _QUESTIONS_NOTE, "\n"]
            place = end
    return "".join([*pieces, text[place:]])


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span of the lines of each fence, in order."""
    markdown = Markdown()
    ordinal, start, place = 0, 0, 0
    for line in text.splitlines(keepends=True):
        before = place
        place += len(line)
        _scan(markdown, text, before, place)
        is_open = markdown.leaf is Leaf.FENCE
        if ordinal and not (is_open and markdown.fences == ordinal):
            # a list that ends takes its fence with it, in front of this line
            yield start, before if markdown.fence_end < 0 else place
            ordinal = 0
        if is_open and not ordinal:
            ordinal, start = markdown.fences, before
            markdown.fence_end = -1
    if ordinal:
        yield start, place


def _scan(markdown: Markdown, text: str, place: int, end: int) -> None:
    while place < end:
        place = markdown.scan(text, place, end)
        if markdown.at_mark:
            markdown.pass_angle()
            place += 1
