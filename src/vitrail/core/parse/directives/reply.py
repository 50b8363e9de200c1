"""What a reply says about its delivery, and its text, in three views of one layout.

* `parsed_text`: the tags gone and the white space beside them mended; what is sent.
* `display_text`: the tags gone, nothing else touched; what a page shows.
* `delivery_text`: the tags and the white space around them one blank, the ends
  trimmed, a broken reply tag at the very beginning gone; for channels of one line.

An explicit id wins over the current message, the last explicit id over earlier
ones, the first reaction over later ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from vitrail.core.parse.directives.layout import Layout, Mark, lay_out
from vitrail.core.parse.directives.silence import SILENCE_WORD
from vitrail.core.parse.directives.whitespace import (
    Mended,
    has_code_indent,
    mend,
    white_runs,
)
from vitrail.core.parse.parser import StreamParser
from vitrail.protocol.events import (
    DirectiveFound,
    EmbedFound,
    Event,
    UnknownEvent,
)

__all__ = [
    "EmbedSegment",
    "MediaSegment",
    "PlacedEmbed",
    "ReplyContext",
    "ReplyDirectives",
    "ReplySegment",
    "TextSegment",
    "delivery_text",
    "display_text",
    "parse_reply",
    "parsed_text",
    "reply_events",
]

_WHITE: Final = " \t\r\n"
_BROKEN_HEAD: Final = re.compile(
    r"[ \t\r\n]*+\[\[\s*+"
    r"(?:reply_to_current(?!\w)\s*+\]?"
    r"|reply_to\s*+:(?:[^\]\n]{0,4096}+\](?!\])|\s*+\Z))",
    re.IGNORECASE,
)
"""A reply tag that a model broke off; `delivery_text` alone takes it out."""


@dataclass(frozen=True, slots=True)
class PlacedEmbed:
    """An embed at its place."""

    at: int
    """Index in the reply's text."""
    ref: str | None
    url: str | None
    title: str | None
    height: int | None
    """px"""

    @property
    def view_id(self) -> str | None:
        """What names the view: its `ref`, beside a `url` too."""
        return self.ref


@dataclass(frozen=True, slots=True)
class TextSegment:
    """Text between two other segments; never white space alone."""

    text: str


@dataclass(frozen=True, slots=True)
class MediaSegment:
    """An attachment, at its place among the text."""

    url: str


@dataclass(frozen=True, slots=True)
class EmbedSegment:
    """An embed, at its place among the text."""

    embed: PlacedEmbed


ReplySegment: TypeAlias = TextSegment | MediaSegment | EmbedSegment


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """What the tags of a reply set together."""

    explicit_id: str | None = None
    """The last id that was written."""
    current: bool = False
    """Whether the message that is answered was named."""
    has_reply_tag: bool = False
    audio_as_voice: bool = False
    reaction: str | None = None
    """The first one."""
    silent: bool = False
    """A silence token was taken out; where text is left, it was glued to that."""

    def with_tag(self, tag: DirectiveFound) -> ReplyContext:
        """Return the context with what one more tag sets."""
        explicit, current, reply = self.explicit_id, self.current, self.has_reply_tag
        voice, reaction, silent = self.audio_as_voice, self.reaction, self.silent
        match tag.name:
            case "reply_to":
                explicit, reply = tag.value or explicit, True
            case "reply_to_current":
                current, reply = True, True
            case "react_to_current":
                current = True
                reaction = reaction or tag.value
            case "react":
                reaction = reaction or tag.value
            case "audio_as_voice":
                voice = True
            case "silent":
                silent = True
            case "media":
                pass
        return ReplyContext(explicit, current, reply, voice, reaction, silent)

    def reply_to_id(self, current_message_id: str | None) -> str | None:
        """Return the id of the message to answer, if any is known."""
        if self.explicit_id is not None or not self.current:
            return self.explicit_id
        return (current_message_id or "").strip() or None


@dataclass(frozen=True, slots=True)
class ReplyDirectives:
    """A reply taken apart: its text, and how it is to be delivered."""

    text: str
    """The text without tags; see `parsed_text`."""
    media_urls: tuple[str, ...]
    """References to attachments, in order; not checked further than their form."""
    reply_to_id: str | None
    reply_to_explicit_id: str | None
    reply_to_current: bool
    has_reply_tag: bool
    audio_as_voice: bool
    is_silent: bool
    """Nothing is to be said: the text was the silence token alone."""
    reaction: str | None
    embeds: tuple[PlacedEmbed, ...]
    segments: tuple[ReplySegment, ...]
    """Text, media and embeds in their order."""


def reply_events(text: str) -> list[Event]:
    """Return the events of a finished reply, every dialect read."""
    parser = StreamParser(dialect="auto")
    return [*parser.feed(text), *parser.close()]


def parse_reply(
    reply: str | Iterable[Event | UnknownEvent],
    *,
    current_message_id: str | None = None,
    silence_token: str = SILENCE_WORD,
) -> ReplyDirectives:
    """Return what a reply says; `reply` is its text, or the events of it.

    `current_message_id` is the message that ``[[reply_to_current]]`` names.

    >>> parse_reply("[[reply_to: 7]] Done.").reply_to_id
    '7'
    """
    layout = lay_out(reply_events(reply) if isinstance(reply, str) else reply)
    context = ReplyContext()
    for mark in layout.marks:
        if isinstance(mark.event, DirectiveFound):
            context = context.with_tag(mark.event)
    mended = _mended(layout)
    text = mended.text
    if context.reaction is not None:
        text = text.lstrip(_WHITE)
    said = text.strip(_WHITE)
    is_silent = said == silence_token or (context.silent and not said)
    head = len(mended.text) - len(text)
    places = [(max(mended.move(m.at) - head, 0), m) for m in layout.marks]
    embeds = tuple(
        _placed(place, mark.event)
        for place, mark in places
        if isinstance(mark.event, EmbedFound)
    )
    media = tuple(
        mark.event.value
        for mark in layout.marks
        if isinstance(mark.event, DirectiveFound)
        and mark.event.name == "media"
        and mark.event.value
    )
    if is_silent:
        text, embeds = "", tuple(_at_start(embed) for embed in embeds)
        places = [(0, mark) for _, mark in places]
    return ReplyDirectives(
        text=text,
        media_urls=media,
        reply_to_id=context.reply_to_id(current_message_id),
        reply_to_explicit_id=context.explicit_id,
        reply_to_current=context.current,
        has_reply_tag=context.has_reply_tag,
        audio_as_voice=context.audio_as_voice,
        is_silent=is_silent,
        reaction=context.reaction,
        embeds=embeds,
        segments=_segments(text, layout, places),
    )


# --- views -------------------------------------------------------------------------


def parsed_text(layout: Layout) -> str:
    """Return the text without tags, the white space beside them mended.

    Blanks on both sides of a tag become one, a line that holds tags alone goes,
    and the ends are trimmed if there was a tag. Embeds leave everything as it is.
    """
    return _mended(layout).text


def display_text(layout: Layout) -> str:
    """Return the text without tags, and everything else as it is."""
    return layout.text


def delivery_text(layout: Layout) -> str:
    """Return the text with each tag and the white space around it as one blank.

    The ends are trimmed. A reply tag at the very beginning that a model broke
    off is dropped. Where code follows, its line and indentation stay.
    """
    text, seams = layout.text, _seams(layout)
    broken = _BROKEN_HEAD.match(text) if layout.begins else None
    head = broken.end() if broken and not _is_code_head(text) else 0
    pieces: list[str] = []
    place = head
    for run in white_runs(text, seams, walls=_walls(layout)):
        if run.end <= head:
            continue
        pieces.append(text[place : max(run.start, place)])
        pieces.append(_one_blank(text, run.start, run.end))
        place = run.end
    pieces.append(text[place:])
    joined = "".join(pieces)
    return joined.strip(_WHITE) if not seams else _trim_delivery(joined)


def _trim_delivery(text: str) -> str:
    """Trim both ends, but for the indentation of code in the first line."""
    start = len(text) - len(text.lstrip(_WHITE))
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if not has_code_indent(text[line:start]):
        line = start
    return text[line:].rstrip(_WHITE)


def _one_blank(text: str, start: int, end: int) -> str:
    """Return what a tag's white space becomes: a blank, or a line break beside code."""
    white = text[start:end]
    line = max(white.rfind("\n"), white.rfind("\r")) + 1
    indent = white[line:]
    fences = ("```", "~~~")
    if line and (
        has_code_indent(indent)
        or text.startswith(fences, end)
        or text.endswith(fences, 0, start)
    ):
        return "\n" + indent
    return " " if white or (start and end < len(text)) else ""


def _is_code_head(text: str) -> bool:
    """Whether the first line is indented as code."""
    start = len(text) - len(text.lstrip(_WHITE))
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    return has_code_indent(text[line:start])


def _seams(layout: Layout) -> list[int]:
    """Return where tags and media were, the places that are mended."""
    return [mark.at for mark in layout.marks if isinstance(mark.event, DirectiveFound)]


def _walls(layout: Layout) -> frozenset[int]:
    """Return where embeds are: they stand in the text, and end nothing."""
    return frozenset(
        mark.at for mark in layout.marks if isinstance(mark.event, EmbedFound)
    )


def _mended(layout: Layout) -> Mended:
    return mend(layout.text, _seams(layout), walls=_walls(layout))


# --- segments ------------------------------------------------------------------------


def _is_media(mark: Mark) -> bool:
    return isinstance(mark.event, DirectiveFound) and mark.event.name == "media"


def _placed(place: int, embed: EmbedFound) -> PlacedEmbed:
    return PlacedEmbed(place, embed.ref, embed.url, embed.title, embed.height)


def _at_start(embed: PlacedEmbed) -> PlacedEmbed:
    return PlacedEmbed(0, embed.ref, embed.url, embed.title, embed.height)


def _segments(
    text: str, layout: Layout, places: list[tuple[int, Mark]]
) -> tuple[ReplySegment, ...]:
    """Return text, media and embeds in order.

    White space around an attachment is no caption; a paragraph's end in front
    of one is kept as one line break.
    """
    segments: list[ReplySegment] = []
    start = 0
    behind_media = False
    for place, mark in places:
        event = mark.event
        if isinstance(event, DirectiveFound) and not (_is_media(mark) and event.value):
            continue
        piece = text[start:place]
        if behind_media:
            piece = _without_breaks(piece)
        if isinstance(event, EmbedFound):
            _add_text(segments, piece)
            segments.append(EmbedSegment(_placed(place, event)))
        else:
            is_paragraph = _ends_paragraph(layout.text, mark.at)
            piece = piece.rstrip(_WHITE) + "\n" * is_paragraph
            _add_text(segments, piece)
            segments.append(MediaSegment(event.value or ""))
        behind_media = not isinstance(event, EmbedFound)
        start = place
    _add_text(segments, _without_breaks(text[start:]) if behind_media else text[start:])
    return tuple(segments)


def _add_text(segments: list[ReplySegment], text: str) -> None:
    if text.strip(_WHITE):
        segments.append(TextSegment(text))


def _without_breaks(text: str) -> str:
    """Take off the blank lines at the beginning, not the first line's indentation."""
    start = len(text) - len(text.lstrip(_WHITE))
    return text[max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1 :]


def _ends_paragraph(text: str, at: int) -> bool:
    """Whether a blank line is beside the line that was taken out here."""
    before = re.search(
        r"(?:\r\n|\n|\r)[ \t]*+(?:\r\n|\n|\r)[ \t]*+\Z", text[max(at - 64, 0) : at]
    )
    behind = re.match(r"[ \t]*+(?:\r\n|\n|\r)[ \t]*+(?:\r\n|\n|\r)", text[at : at + 64])
    return bool(before or behind)
