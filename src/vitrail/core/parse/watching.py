"""The parser's text, watched for whole documents: see `Documents`."""

from __future__ import annotations

import hashlib
from typing import Final

from vitrail.core.parse.brackets import Brackets
from vitrail.core.parse.documents import NOTED, Document, Documents
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.text import Marks
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    EndReason,
    Event,
    Recovery,
    Text,
)

__all__ = ["Watching"]

_TOLD: Final[dict[Recovery, str]] = {
    "document-before-remark": "This artifact holds only a remark, so the whole document"
    " in front of it is taken in its place.",
    "bare-document": "The reply is one document and nothing else, so it is taken for an"
    " artifact.",
    "fenced-document": "The reply has no artifact but one whole document in a code"
    " fence, so that is taken for an artifact.",
}


class Watching(Brackets):
    """What the states tell the documents, and what the documents tell at the end."""

    __slots__ = ("_documents",)

    def __init__(self, parser_limits: ParserLimits, marks: Marks) -> None:
        self._documents = Documents(max_chars=parser_limits.recoverable_chars)
        super().__init__(parser_limits, marks)

    # --- as the text comes -----------------------------------------------------------

    def _note(self, at: int) -> None:
        """Take note of the ``<`` at this index if it may begin or end a document.

        Not in what was read for a tag, and for the body of one, and is text; nor in
        the text of a fence.
        """
        place = self._base + at
        was_read = place < self._fitted_to and place < self._tags_read_to
        if self._buf[at + 1] in NOTED and not was_read and self._recovered is None:
            self._documents.note(place, begins_line=self._markdown.begins_line)

    def _watch_fence_end(self, at: int) -> None:
        """See whether the fence that is followed has been closed."""
        documents, markdown = self._documents, self._markdown
        if not self._is_in_fence(documents.fence):
            end = markdown.fence_end
            documents.close_fence(
                self._base + (at if end < 0 else end), by_its_marks=end >= 0
            )

    def _watch_fence(self, at: int) -> None:
        """Take note of a line of a fence that begins with ``<``.

        One whose first line was read for a tag is not read for a document too.
        """
        documents, markdown = self._documents, self._markdown
        if markdown.fences not in (documents.fence, markdown.tagged_fence):
            markdown.fence_end = -1
            documents.open_fence(self._base + at, markdown.fences, markdown.fence_mark)

    def _hear_text(self, text: str, place: int) -> None:
        self._documents.add(text, place)
        if self._media is not None:
            self._read_media(text)
        if self._copy.fence >= 0:
            self._copy.add(text)

    def _tell_quickly(self, text: str) -> list[Event]:
        if self._artifact is not None or self._reasoning is not None:
            return super()._tell_quickly(text)
        self._documents.add(text, self._base)
        self._base += len(text)
        return [Text(text)]

    def _take_tag(self, end: int) -> None:
        self._documents.cut()
        self._told = self._at = end - self._base

    def _end_artifact(self, reason: EndReason, span: tuple[int, int]) -> None:
        artifact = self._artifact
        super()._end_artifact(reason, span)
        if artifact is not None:
            self._documents.end_artifact(artifact.start, artifact)

    # --- at the end of the text --------------------------------------------------------

    def _tell_documents(self) -> None:
        """Tell the documents that are artifacts after all."""
        if self._recovered is not None:
            return
        # those found in an unclosed fence have been told just now
        starts = [e.artifact for e in self._events if isinstance(e, ArtifactStart)]
        self._artifacts = max([self._artifacts, *(start + 1 for start in starts)])
        documents = self._documents
        for document in documents.find(artifacts=self._artifacts):
            self._tell_document(document)
        if documents.dropped is not None:
            place = documents.dropped
            self._diagnose(
                "document-not-recovered",
                "warning",
                (place, place),
                "A document outside of any artifact is too long to be taken for one, or one"
                " of too many; it is shown as text.",
            )

    def _tell_document(self, document: Document) -> None:
        identifier = document.attributes.get("identifier", "")
        ordinal = self._artifacts
        self._artifacts += 1
        self._diagnose("document-recovered", "info", document.span, _TOLD[document.how])
        self._events += [
            ArtifactStart(
                ordinal,
                identifier,
                document.attributes.get("type", ""),
                document.attributes.get("title", ""),
                document.attributes,
                document.how,
                document.tag,
            ),
            ArtifactChunk(ordinal, identifier, document.text),
            ArtifactEnd(
                artifact=ordinal,
                identifier=identifier,
                complete=True,
                reason="closed",
                length=len(document.text),
                sha256=hashlib.sha256(document.text.encode()).hexdigest(),
                span=document.end_tag,
            ),
        ]
