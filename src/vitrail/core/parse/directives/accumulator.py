"""A reply's directives as it streams: what may be shown by now, and how it is delivered.

Strategy: the parser holds back what may still become a tag; here a last line
that may become a ``MEDIA:`` line waits too (`HeldLine`), and white space beside
a tag, or in front of what the parser holds, waits for what is behind it. What
tags say waits for something that can be delivered, and stays in force for what
follows it, up to `DirectiveAccumulator.reset`.

A line of media that was shown is not told as media here: the final text, read
by `parse_reply`, tells all of them once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from vitrail.core.parse.directives.held_line import HeldLine
from vitrail.core.parse.directives.reply import PlacedEmbed, ReplyContext
from vitrail.core.parse.directives.whitespace import WhiteRun, mend_run, trim_start
from vitrail.core.parse.parser import StreamParser
from vitrail.protocol.diagnostics import Span
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DirectiveFound,
    EmbedFound,
    Event,
    QuestionForm,
    Reasoning,
    Suppressed,
    Text,
    UnknownEvent,
)

__all__ = ["DirectiveAccumulator", "DirectiveChunk"]

_WHITE: Final = " \t\r\n"


@dataclass(frozen=True, slots=True)
class DirectiveChunk:
    """What one piece of a reply brought."""

    text: str
    """What can be shown now; empty where only directives came."""
    separator: str
    """White space that was held back before it; see `appended`."""
    reply_to_id: str | None
    reply_to_explicit_id: str | None
    reply_to_current: bool
    has_reply_tag: bool
    audio_as_voice: bool
    """A tag said so since the last chunk."""
    reaction: str | None
    """The reply's first reaction, with the chunk that it came with."""
    is_silent: bool
    """The reply has ended, and it was the silence token alone."""
    media_urls: tuple[str, ...]
    """Media of a line that was never shown, with the last chunk."""
    embeds: tuple[PlacedEmbed, ...]
    """Embeds; `at` counts in `appended`."""

    @property
    def appended(self) -> str:
        """What goes behind the text that was shown before."""
        return self.separator + self.text


class DirectiveAccumulator:
    """Read one reply after another as they stream.

    Give it text (`feed_text`), or the events of a parser of your own (`feed`),
    not both in one reply.

    >>> replies = DirectiveAccumulator()
    >>> replies.feed_text("[[reply_to_")
    >>> replies.feed_text("current]] Yo").text
    'Yo'
    """

    def __init__(self, *, current_message_id: str | None = None) -> None:
        self._current_message_id = current_message_id
        self.reset()

    def reset(self) -> None:
        """Begin another reply."""
        self._parser = StreamParser(dialect="auto")
        self._line = HeldLine()
        self._line_end = 0  # place behind the text that the line has taken
        self._place = 0  # characters of the reply that events have told
        self._run: list[str] = []  # white space at the end of the text
        self._run_chars = 0
        self._shown_chars = self._shown_pieces = 0  # of the run, what was shown
        self._is_old = False  # of the run, something was held in an earlier feed
        self._seams: list[int] = []
        self._context = self._told = ReplyContext()
        self._has_voice = self._has_reaction = False
        self._has_begun = self._has_delivered = False
        self._begin_chunk()

    def feed_text(
        self, text: str = "", *, final: bool = False
    ) -> DirectiveChunk | None:
        """Take a piece of the reply; None: nothing can be delivered yet.

        `final`: nothing comes behind it; call `reset` before the next reply.
        """
        events = self._parser.feed(text) if text else []
        if final:
            events += self._parser.close()
        return self.feed(events, final=final, is_holding=self._parser.held > 0)

    def feed(
        self,
        events: Iterable[Event | UnknownEvent],
        *,
        final: bool = False,
        is_holding: bool = False,
    ) -> DirectiveChunk | None:
        """Take events of the reply; None: nothing can be delivered yet.

        `is_holding`: the parser holds text back, so that white space in front
        of it may turn out to stand beside a tag.
        """
        self._begin_chunk()
        for event in events:
            self._take(event)
        if final:
            self._end_line()
        self._add(self._line.settle())
        if final or not (self._seams or is_holding):
            self._show_run(final=final)
        if self._run_chars > self._shown_chars:
            self._is_old = True
        return self._chunk(final=final)

    # --- events ----------------------------------------------------------------

    def _take(self, event: Event | UnknownEvent) -> None:
        match event:
            case Text():
                self._place += len(event.delta)
                self._add(self._line.feed(event.delta))
                self._line_end = self._place
            case ArtifactChunk():
                self._place += len(event.delta)
            case DirectiveFound(name="media"):
                self._late.append(event)
            case DirectiveFound():
                self._pass_span(event.span)
                self._seams.append(self._run_chars)
                self._context = self._context.with_tag(event)
                self._has_voice |= event.name == "audio_as_voice"
            case EmbedFound():
                self._pass_span(event.span)
                self._close_run()
                self._embeds.append(
                    PlacedEmbed(
                        self._out_chars, event.ref, event.url, event.title, event.height
                    )
                )
            case (
                ArtifactStart()
                | ArtifactEnd()
                | Reasoning()
                | QuestionForm()
                | Suppressed()
            ):
                self._pass_span(event.span)

    def _pass_span(self, span: Span) -> None:
        """Pass over what an event took out; a line that it is in is no media line."""
        self._add(self._line.release())
        self._place = max(self._place, span[1])

    def _end_line(self) -> None:
        """Show what is held of the last line, but for the media that it names."""
        rest = self._line.release()
        place = self._line_end - len(rest)
        at = 0
        for event in self._late:
            start, end = event.span[0] - place, event.span[1] - place
            if start < 0 or not rest:
                continue  # it was shown
            self._add(rest[at:start])
            self._seams.append(self._run_chars)
            at = end
            if event.value is not None:
                self._media.append(event.value)
        self._add(rest[at:])

    # --- text ------------------------------------------------------------------

    def _add(self, text: str) -> None:
        core = text.strip(_WHITE)
        if not core:
            self._add_white(text)
            return
        start = len(text) - len(text.lstrip(_WHITE))
        self._add_white(text[:start])
        self._close_run()
        self._show(core)
        self._has_begun = True
        self._add_white(text[start + len(core) :])

    def _add_white(self, text: str) -> None:
        if text:
            self._run.append(text)
            self._run_chars += len(text)

    def _show(self, text: str) -> None:
        if text:
            self._out.append(text)
            self._out_chars += len(text)

    def _close_run(self) -> None:
        """Show what stays of the white space, since something follows it."""
        white = "".join(self._run)
        shown = white[: self._shown_chars]
        if self._seams:
            begins = not self._has_begun
            run = WhiteRun(0, len(white), tuple(self._seams), begins, ends=False)
            white = mend_run(white, run)
            if begins:
                white = trim_start(white)
        rest = _rest(white, shown)
        if self._is_old and not self._out:
            self._separator = rest
            self._out_chars += len(rest)
        else:
            self._show(rest)
        self._clear_run()

    def _show_run(self, *, final: bool) -> None:
        """Show the white space at the end; at the end of a reply, none beside a tag."""
        if final and self._seams:
            self._clear_run()
        elif self._shown_chars < self._run_chars:
            self._show("".join(self._run[self._shown_pieces :]))
            self._shown_pieces = len(self._run)
            self._shown_chars = self._run_chars

    def _clear_run(self) -> None:
        self._run, self._seams = [], []
        self._run_chars = self._shown_chars = self._shown_pieces = 0
        self._is_old = False

    # --- chunks ----------------------------------------------------------------

    def _begin_chunk(self) -> None:
        self._out: list[str] = []
        self._out_chars = 0
        self._separator = ""
        self._embeds: list[PlacedEmbed] = []
        self._media: list[str] = []
        self._late: list[DirectiveFound] = []

    def _chunk(self, *, final: bool) -> DirectiveChunk | None:
        text = "".join(self._out)
        can_deliver = bool(text.strip(_WHITE) or self._embeds or self._media)
        context = self._context
        is_silent = final and context.silent and not self._has_begun
        self._has_delivered |= can_deliver
        waits = context != self._told  # a tag has come that no chunk has told
        if not (can_deliver or text or is_silent or (final and waits)):
            return None
        tells = can_deliver or final
        if tells:
            self._told = context
        is_live = self._has_delivered or final
        reaction = context.reaction if tells and not self._has_reaction else None
        voice = self._has_voice and tells
        self._has_reaction |= reaction is not None
        self._has_voice &= not voice
        return DirectiveChunk(
            text=text,
            separator=self._separator,
            reply_to_id=context.reply_to_id(self._current_message_id)
            if is_live
            else None,
            reply_to_explicit_id=context.explicit_id if is_live else None,
            reply_to_current=context.current and is_live,
            has_reply_tag=context.has_reply_tag and is_live,
            audio_as_voice=voice,
            reaction=reaction,
            is_silent=is_silent,
            media_urls=tuple(self._media),
            embeds=tuple(self._embeds),
        )


def _rest(white: str, shown: str) -> str:
    """Return what is to be shown of mended white space, of which some is shown."""
    if white.startswith(shown):
        return white[len(shown) :]
    if "\n" in shown or "\r" in shown:
        return white[len(white.rstrip(" \t")) :]
    return white.lstrip(" \t")
