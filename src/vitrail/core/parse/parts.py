"""Events of a message folded to its parts, as people see them.

Strategy: each part that grows keeps its pieces in a list, which is joined when
the parts are asked for; so folding is linear in the events. The browser folds
by the same rules (``packages/stream``); ``tests/cases/parts`` holds the cases
that both are run on.

A recovered artifact arrives behind text that has already shown it. When it
ends, what it covers is cut out of that text and the artifact takes its place.
So do the directives of media lines, which come in a row at a text's end: they
are collected, and the text is cut once for all of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactPointer,
    ArtifactQuarantined,
    ArtifactRefused,
    ArtifactSaved,
    ArtifactStart,
    DiagnosticFound,
    DirectiveFound,
    EmbedFound,
    ErrorRaised,
    Event,
    QuestionForm,
    Reasoning,
    Suppressed,
    Text,
    UnknownEvent,
)
from vitrail.protocol.records import (
    ArtifactPart,
    DiagnosticPart,
    DirectivePart,
    EmbedPart,
    ErrorPart,
    FormPart,
    HeldFile,
    Part,
    ReasoningPart,
    SavedFile,
    SuppressedPart,
    TextPart,
)

__all__ = ["PartFolder", "fold_parts"]


@dataclass(slots=True)
class _Words:
    """Text or reasoning that grows."""

    reasoning: bool
    start: int
    """Place of its first character in the message."""
    pieces: list[str]

    def text(self) -> str:
        """Return it as far as it has come."""
        if len(self.pieces) > 1:
            self.pieces[:] = ["".join(self.pieces)]
        return self.pieces[0]

    def part(self) -> Part:
        text = self.text()
        if self.reasoning:
            return ReasoningPart(text=text)
        return TextPart(text=text, start=self.start)


@dataclass(slots=True)
class _Body:
    """An artifact that grows and then is judged."""

    start: ArtifactStart
    pieces: list[str] = field(default_factory=list)
    end: ArtifactEnd | None = None
    saved: SavedFile | None = None
    quarantined: bool = False
    held: HeldFile | None = None
    refused: bool = False
    pointer: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    def part(self) -> Part:
        start, end = self.start, self.end
        return ArtifactPart(
            artifact=start.artifact,
            identifier=start.identifier,
            artifact_type=start.artifact_type,
            title=start.title,
            attributes=start.attributes,
            recovered=start.recovered,
            start=start.span[0],
            text="".join(self.pieces),
            state="streaming" if end is None else "complete" if end.complete else "cut",
            reason=end.reason if end else None,
            saved=self.saved,
            quarantined=self.quarantined,
            held=self.held,
            refused=self.refused,
            pointer=self.pointer,
            diagnostics=self.diagnostics,
        )


@dataclass(slots=True)
class _Whole:
    """A part that does not grow."""

    value: Part

    def part(self) -> Part:
        return self.value


class PartFolder:
    """Fold events to parts as they come.

    Events that no part shows (of the run, of files, of unknown types) are
    passed over.
    """

    def __init__(self) -> None:
        self._parts: list[_Words | _Body | _Whole] = []
        self._bodies: dict[int, _Body] = {}
        self._place = 0  # code points of the message told so far
        self._late: list[DirectiveFound] = []  # those of text that was told before

    def add(self, event: Event | UnknownEvent) -> None:
        """Take the next event."""
        if isinstance(event, DirectiveFound) and event.span[0] < self._place:
            if self._late and event.span[0] < self._late[-1].span[1]:
                self._put_late()  # one pass takes them in their order only
            self._late.append(event)
            return
        self._put_late()
        match event:
            case Text():
                self._add_words(event.delta, reasoning=False)
                self._place += len(event.delta)
            case Reasoning():
                self._add_words(event.delta, reasoning=True)
                self._place = max(self._place, event.span[1])
            case ArtifactStart():
                body = self._bodies[event.artifact] = _Body(event)
                self._parts.append(body)
                self._place = max(self._place, event.span[1])
            case ArtifactChunk():
                self._add_chunk(event)
            case ArtifactEnd():
                self._end(event)
            case ArtifactSaved() | ArtifactQuarantined() | ArtifactRefused():
                self._judge(event)
            case ArtifactPointer() if event.artifact in self._bodies:
                self._bodies[event.artifact].pointer = event.path
            case _:
                self._add_whole(event)

    @property
    def chars(self) -> int:
        """Code points of the message told so far, tags and bodies included."""
        return self._place

    def parts(self) -> tuple[Part, ...]:
        """Return the parts as far as they have come, in order."""
        self._put_late()
        return tuple(part.part() for part in self._parts)

    def _add_words(self, delta: str, *, reasoning: bool) -> None:
        last = self._parts[-1] if self._parts else None
        if isinstance(last, _Words) and last.reasoning == reasoning:
            last.pieces.append(delta)
        else:
            self._parts.append(_Words(reasoning, self._place, [delta]))

    def _add_chunk(self, event: ArtifactChunk) -> None:
        body = self._bodies.get(event.artifact)
        if body is not None:
            body.pieces.append(event.delta)
            if body.start.recovered is None:
                self._place += len(event.delta)

    def _end(self, event: ArtifactEnd) -> None:
        self._place = max(self._place, event.span[1])
        body = self._bodies.get(event.artifact)
        if body is None:
            return
        body.end = event
        if body.start.recovered is not None:
            self._put_in_place(body, body.start.span[0], event.span[1])

    def _put_in_place(self, body: _Body, start: int, end: int) -> None:
        """Move a recovered artifact to where the text has shown it.

        What it covers may be several parts, with diagnostics between them.
        """
        parts: list[_Words | _Body | _Whole] = []
        is_placed = False
        for part in self._parts:
            if part is body:
                continue
            if not isinstance(part, _Words) or part.reasoning:
                parts.append(part)
                continue
            text = part.text()
            if part.start + len(text) <= start or end <= part.start:
                parts.append(part)
                continue
            before = text[: max(0, start - part.start)]
            after = text[max(0, end - part.start) :]
            if before:
                parts.append(_Words(reasoning=False, start=part.start, pieces=[before]))
            if not is_placed:
                parts.append(body)
                is_placed = True
            if after:
                parts.append(_Words(reasoning=False, start=end, pieces=[after]))
        if is_placed:
            self._parts = parts

    def _put_late(self) -> None:
        """Move the directives that came late to where the text has shown them."""
        if not self._late:
            return
        late = deque(self._late)
        self._late = []
        index = self._index_of_text(late[0].span[0])
        tail = self._parts[index:]
        del self._parts[index:]
        cut_to = 0
        for part in tail:
            if isinstance(part, _Words) and not part.reasoning:
                cut_to = self._add_cut(part, late, cut_to)
            else:
                self._parts.append(part)
        self._parts += (_Whole(_directive_part(event)) for event in late)

    def _index_of_text(self, place: int) -> int:
        """Return the index of the last text that begins at or in front of a place."""
        for index in range(len(self._parts) - 1, -1, -1):
            part = self._parts[index]
            if isinstance(part, _Words) and not part.reasoning and part.start <= place:
                return index
        return 0

    def _add_cut(self, words: _Words, late: deque[DirectiveFound], cut_to: int) -> int:
        """Add a text with the directives that it shows in place of what they cover.

        It is cut up to the place `cut_to`; returns up to where the next one is.
        """
        text, start = words.text(), words.start
        end = start + len(text)
        at = max(start, cut_to)
        while late and late[0].span[0] < end:
            event = late.popleft()
            self._add_text(at, text[at - start : max(0, event.span[0] - start)])
            self._parts.append(_Whole(_directive_part(event)))
            at = max(at, event.span[1])
        self._add_text(at, text[at - start :])
        return at

    def _add_text(self, start: int, text: str) -> None:
        if text:
            self._parts.append(_Words(reasoning=False, start=start, pieces=[text]))

    def _judge(
        self, event: ArtifactSaved | ArtifactQuarantined | ArtifactRefused
    ) -> None:
        body = None if event.artifact is None else self._bodies.get(event.artifact)
        if body is None:
            return
        body.diagnostics = event.diagnostics
        match event:
            case ArtifactSaved():
                body.saved = SavedFile(
                    path=event.path,
                    kind=event.kind,
                    digest=event.digest,
                    revision=event.revision,
                    number=event.number,
                    status=event.status,
                )
            case ArtifactQuarantined():
                body.quarantined = True
                body.held = _held(event)
            case ArtifactRefused():
                body.refused = True

    def _add_whole(self, event: Event | UnknownEvent) -> None:
        part = _whole_part(event)
        if part is None:
            return
        if isinstance(event, QuestionForm | EmbedFound | DirectiveFound | Suppressed):
            self._place = max(self._place, event.span[1])
        open_form = self._open_form() if isinstance(part, FormPart) else None
        if open_form is not None:
            open_form.value = part
        else:
            self._parts.append(_Whole(part))

    def _open_form(self) -> _Whole | None:
        """Return the form that is still read; findings about it may stand behind it."""
        for part in reversed(self._parts):
            match part:
                case _Whole(DiagnosticPart()):
                    continue
                case _Whole(FormPart(complete=False)):
                    return part
                case _:
                    return None
        return None


def _held(event: ArtifactQuarantined) -> HeldFile | None:
    if not event.draft_of:
        return None
    return HeldFile(
        path=event.draft_of,
        draft=event.path,
        revision=event.revision,
        quarantine=event.quarantine,
    )


def _directive_part(event: DirectiveFound) -> DirectivePart:
    return DirectivePart(name=event.name, value=event.value)


def _whole_part(event: Event | UnknownEvent) -> Part | None:
    match event:
        case QuestionForm():
            return FormPart(form=event.form, complete=event.complete)
        case EmbedFound():
            return EmbedPart(
                ref=event.ref, url=event.url, title=event.title, height=event.height
            )
        case DirectiveFound():
            return _directive_part(event)
        case Suppressed():
            return SuppressedPart(name=event.name, chars=event.chars)
        case DiagnosticFound():
            return DiagnosticPart(
                code=event.code, severity=event.severity, message=event.message
            )
        case ErrorRaised():
            return ErrorPart(
                code=event.code, message=event.message, retryable=event.retryable
            )
        case _:
            return None


def fold_parts(events: Iterable[Event | UnknownEvent]) -> tuple[Part, ...]:
    """Return the parts of a message, of its events.

    >>> fold_parts([Text("a"), Text("b")])
    (TextPart(type='text', text='ab', start=0),)
    """
    folder = PartFolder()
    for event in events:
        folder.add(event)
    return folder.parts()
