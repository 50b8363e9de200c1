"""Replies as they stream, spec/openclaw-zeus-investment §1.2."""

from __future__ import annotations

import pytest

from vitrail.core.parse.directives.accumulator import DirectiveAccumulator
from vitrail.core.parse.directives.held_line import HeldLine
from vitrail.core.parse.directives.reply import parse_reply
from vitrail.limits import MAX_HELD_CHARS
from vitrail.protocol.events import DirectiveFound, Text


def stream(*pieces, final=False, current=None):
    """Return the chunks that come of the pieces, and of the end if that is asked for."""
    replies = DirectiveAccumulator(current_message_id=current)
    chunks = [replies.feed_text(piece) for piece in pieces]
    if final:
        chunks.append(replies.feed_text(final=True))
    return chunks


def texts(chunks):
    return [chunk.text if chunk else None for chunk in chunks]


def shown(chunks):
    return "".join(chunk.appended for chunk in chunks if chunk)


def test_row_01_a_tag_alone_waits_for_its_text():
    waits, chunk = stream("[[reply_to_current]]", "Hello")
    assert waits is None
    assert (chunk.text, chunk.reply_to_current, chunk.has_reply_tag) == (
        "Hello",
        True,
        True,
    )


@pytest.mark.parametrize(
    "pieces",
    [("[[reply_to_", "current]] Yo"), ("[", "[reply_to_current]] Yo")],
    ids=["02-cut-in-the-name", "03-cut-between-the-brackets"],
)
def test_row_a_half_typed_tag_is_not_shown(pieces):
    waits, chunk = stream(*pieces)
    assert waits is None
    assert (chunk.text, chunk.reply_to_current) == ("Yo", True)


def test_row_04_a_tag_that_never_comes_is_given_back():
    first, last = stream("Hello [[", final=True)
    assert (first.text, last.text) == ("Hello", "[[")
    assert shown([first, last]) == "Hello [["


def test_row_05_an_id_stays_in_force():
    waits, first, second = stream("[[reply_to: abc-123]]", "Hi", "test 2")
    assert waits is None
    assert (first.text, first.reply_to_id) == ("Hi", "abc-123")
    assert (second.text, second.reply_to_id) == ("test 2", "abc-123")


def test_row_06_a_reset_ends_it():
    replies = DirectiveAccumulator(current_message_id="7")
    replies.feed_text("[[reply_to_current]]")
    first = replies.feed_text("first")
    replies.reset()
    second = replies.feed_text("second")
    assert first is not None
    assert second is not None
    assert first.reply_to_id == "7"
    assert (second.reply_to_current, second.reply_to_id) == (False, None)


def test_row_07_a_media_line_waits_for_the_end():
    first, second, last = stream(
        "这次直接发图。\n\nMEDIA", ":/srv/spy-family.png", final=True
    )
    assert (first.text, second) == ("这次直接发图。\n\n", None)
    assert (last.text, last.media_urls) == ("", ("/srv/spy-family.png",))


def test_row_08_an_indented_media_line_waits_with_its_blanks():
    first, second = stream("Preview:\n  MEDIA:/srv/cover", ".png")
    assert (first.text, second) == ("Preview:\n", None)


def test_row_09_the_mark_in_the_middle_of_a_line_passes():
    chunks = stream("The legacy pipeline uses MEDIA", ": kind=disk", final=True)
    assert texts(chunks) == ["The legacy pipeline uses MEDIA", ": kind=disk", None]


@pytest.mark.parametrize(
    "text",
    ["I am", "See the MEDIA: section for details"],
    ids=["10-i-am", "11-the-section"],
)
def test_row_words_pass_at_once(text):
    assert texts(stream(text)) == [text]


def test_row_12_a_tag_on_the_last_line_goes_with_its_break():
    (chunk,) = stream("Hello\n[[audio_as_voice]]")
    assert (chunk.text, chunk.audio_as_voice) == ("Hello", True)


def test_row_13_a_whole_media_line_stays_text_in_the_stream():
    text = "Here it is.\n\nMEDIA:/srv/complete.png\n"
    first, last = stream(text, final=True)
    assert (first.text, first.media_urls) == (text, ())
    assert last is None


def test_a_half_typed_embed_is_not_shown():
    first, second = stream("see [emb", 'ed ref="x" /] end')
    assert first.text == "see"
    assert (second.appended, [embed.ref for embed in second.embeds]) == ("  end", ["x"])
    assert second.embeds[0].at == 1


def test_white_space_that_was_shown_is_not_taken_back():
    first, second = stream("Hello ", "[[reply_to_current]] world")
    assert (first.text, second.appended) == ("Hello ", "world")
    first, second = stream("Hello\n\n", "[[reply_to_current]]\n\nworld")
    assert (first.text, second.appended) == ("Hello\n\n", "world")


def test_a_path_that_leads_away_is_not_shown_at_the_end():
    first, last = stream("Look:\nMEDIA:../../.env", final=True)
    assert (first.text, last) == ("Look:\n", None)


def test_an_address_that_may_not_be_fetched_is_shown_at_the_end():
    _, last = stream("Look:\nMEDIA:https://localhost/a", final=True)
    assert last.text == "MEDIA:https://localhost/a"


def test_a_later_id_is_in_force_from_its_text_on():
    first, second = stream("[[reply_to: a]] One.", " [[reply_to: b]] Two.")
    assert (first.reply_to_id, second.reply_to_id) == ("a", "b")


def test_a_reaction_and_a_voice_are_told_once():
    first, second = stream("[[react: 👍]][[audio_as_voice]] One.", " Two.")
    assert (first.reaction, first.audio_as_voice) == ("👍", True)
    assert (second.reaction, second.audio_as_voice) == (None, False)


def test_what_waits_at_the_end_is_told_without_text():
    waits, last = stream("[[react: 👍]]", final=True)
    assert waits is None
    assert (last.text, last.reaction) == ("", "👍")


def test_a_tag_behind_all_text_is_told_at_the_end():
    first, waits, last = stream("Done.", "[[reply_to: 7]]", final=True)
    assert (first.text, first.reply_to_id, waits) == ("Done.", None, None)
    assert (last.appended, last.reply_to_id) == ("", "7")


def test_silence_is_told_at_the_end():
    waits, last = stream("NO_REPLY", final=True)
    assert waits is None
    assert (last.text, last.is_silent) == ("", True)
    chunks = stream("NO_RE", "PLYThe user", final=True)
    assert texts(chunks) == [None, "The user", None]


def test_events_can_be_given_instead_of_text():
    replies = DirectiveAccumulator()
    assert replies.feed([DirectiveFound("reply_to", "7", (0, 16))]) is None
    chunk = replies.feed([Text(" Hi"), Text(" there")], is_holding=True)
    assert chunk is not None
    assert (chunk.text, chunk.reply_to_explicit_id) == ("Hi there", "7")
    assert replies.feed([], final=True) is None


REPLIES = [
    "[[reply_to_current]] Hello [[audio_as_voice]] world, and [[x]] too.",
    "A\n\n[[reply_to: 7]]\n\nB [[react: 👍]]\nC",
    'See [embed ref="x" /] there.\n\n- [embed url="/y" /]\n',
    "```\n[[reply_to_current]]\n```\nMEDIA: none\nMED",
    "[[audio_as_voice]]\n\n    code  here",
]


@pytest.mark.parametrize("text", REPLIES, ids=range(len(REPLIES)))
def test_any_pieces_show_the_same_words(text):
    whole = parse_reply(text)
    for size in range(1, len(text) + 1):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        chunks = stream(*pieces, final=True)
        assert shown(chunks).split() == whole.text.split(), size
        embeds = [embed.ref for chunk in chunks if chunk for embed in chunk.embeds]
        assert embeds == [embed.ref for embed in whole.embeds]
        said = [chunk for chunk in chunks if chunk]
        assert any(chunk.audio_as_voice for chunk in said) == whole.audio_as_voice
        assert said[-1].reply_to_id == whole.reply_to_id


@pytest.mark.parametrize("text", REPLIES, ids=range(len(REPLIES)))
def test_one_piece_shows_the_parsed_text(text):
    assert shown(stream(text, final=True)).rstrip() == parse_reply(text).text.rstrip()


def test_a_long_line_is_let_through():
    line = HeldLine()
    text = "MEDIA:" + "x" * MAX_HELD_CHARS
    assert line.feed(text) == text
    assert line.feed("y") == "y"


def test_each_character_of_a_line_is_looked_at_once():
    line = HeldLine()
    text = "  MEDIA:/srv/a\n\n  M\nMEDIA\n words MEDIA:x\n" * 50
    shown = "".join(line.feed(ch) + line.settle() for ch in text) + line.release()
    assert shown == text
    assert line.looked == len(text)


def test_much_white_space_in_many_pieces_is_shown_once():
    """Linear work: what was shown of a run is not gone through again."""
    replies = DirectiveAccumulator()
    pieces = ["a", *("\n" for _ in range(20_000)), "[[audio_as_voice]]", " b"]
    chunks = [replies.feed_text(piece) for piece in pieces]
    assert shown(chunks) == "a" + "\n" * 20_000 + " b"
