"""Finished replies, spec/openclaw-zeus-investment §1.1, §1.3 and §1.9: fields, views, segments."""

from __future__ import annotations

import pytest

from vitrail.core.parse.directives.layout import lay_out
from vitrail.core.parse.directives.reply import (
    EmbedSegment,
    MediaSegment,
    TextSegment,
    delivery_text,
    display_text,
    parse_reply,
    parsed_text,
    reply_events,
)
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DirectiveFound,
    Event,
    Reasoning,
    Suppressed,
    Text,
)

PICTURE = "https://example.com/a.png"
LITERAL = "    MEDIA:https://example.com/literal.png\n    literal = 'a  b'"


def said(reply):
    """Return what a reply sets beside its text, by the first letters of the fields."""
    return {
        name: value
        for name, value in (
            ("id", reply.reply_to_id),
            ("explicit", reply.reply_to_explicit_id),
            ("current", reply.reply_to_current),
            ("voice", reply.audio_as_voice),
            ("tag", reply.has_reply_tag),
            ("silent", reply.is_silent),
            ("reaction", reply.reaction),
            ("media", reply.media_urls),
        )
        if value
    }


BOTH = {"id": "msg", "current": True, "tag": True}
ROWS = {
    "01-nothing": ("", None, "", {}),
    "02-white-space": ("   \t\n  ", None, "", {}),
    "03-voice-at-the-end": (
        "Hello world [[audio_as_voice]]",
        None,
        "Hello world",
        {"voice": True},
    ),
    "04-capitals": (
        "[[AUDIO_AS_VOICE]] Test message",
        None,
        "Test message",
        {"voice": True},
    ),
    "05-blanks-inside": (
        "Message [[  audio_as_voice  ]] end",
        None,
        "Message end",
        {"voice": True},
    ),
    "07-twice": (
        "[[audio_as_voice]] hello [[audio_as_voice]]",
        None,
        "hello",
        {"voice": True},
    ),
    "08-one-bracket": (
        "Hello [[audio_as_voice] world",
        None,
        "Hello [[audio_as_voice] world",
        {},
    ),
    "09-cut-off": ("Hello [[reply_to:", None, "Hello [[reply_to:", {}),
    "10-current-without-an-id": (
        "Hello [[reply_to_current]]",
        None,
        "Hello",
        {"current": True, "tag": True},
    ),
    "11-current": ("Hello [[reply_to_current]]", "msg", "Hello", BOTH),
    "12-explicit": (
        "Test [[reply_to: abc_456 ]] end",
        None,
        "Test end",
        {"id": "abc_456", "explicit": "abc_456", "tag": True},
    ),
    "13-an-id-keeps-its-case": (
        "[[REPLY_TO:MSG_789]] Hello",
        None,
        "Hello",
        {"id": "MSG_789", "explicit": "MSG_789", "tag": True},
    ),
    "14-explicit-beats-current": (
        "[[reply_to:explicit_123]] [[reply_to_current]]",
        "msg",
        "",
        {
            "id": "explicit_123",
            "explicit": "explicit_123",
            "current": True,
            "tag": True,
        },
    ),
    "15-a-blank-id": ("[[reply_to:  ]]", "fallback_123", "", {"tag": True}),
    "16-the-last-explicit-wins": (
        "[[reply_to:first_id]] middle [[reply_to:second_id]]",
        None,
        "middle",
        {"id": "second_id", "explicit": "second_id", "tag": True},
    ),
    "17-both": (
        "[[reply_to_current]] [[audio_as_voice]] Message",
        "msg",
        "Message",
        {**BOTH, "voice": True},
    ),
    "20-media-and-its-literal": (
        f"[[audio_as_voice]]\nMEDIA:{PICTURE}\n\n{LITERAL}",
        None,
        LITERAL,
        {"voice": True, "media": (PICTURE,)},
    ),
}


@pytest.mark.parametrize("row", ROWS)
def test_row(row):
    text, current, kept, sets = ROWS[row]
    reply = parse_reply(text, current_message_id=current)
    assert reply.text == kept
    assert said(reply) == sets


def test_row_06_a_stripped_tag_can_be_left_out_of_the_text_alone():
    """The reference can leave the tag in; here the events have both, and each view its way."""
    text = "Message [[  audio_as_voice  ]] end"
    events = reply_events(text)
    assert parse_reply(events).audio_as_voice
    spans = [event.span for event in events if isinstance(event, DirectiveFound)]
    assert [text[slice(*span)] for span in spans] == ["[[  audio_as_voice  ]]"]


def test_row_18_display_deletes_and_mends_nothing():
    assert display("[[ reply_to : 123 ]]ok[[ audio_as_voice ]]") == "ok"
    assert display("hello [[reply_to_current]] world") == "hello  world"


def test_row_19_display_keeps_the_ends():
    text = "  keep leading and trailing whitespace  "
    assert display(text) == text


def display(text):
    return display_text(lay_out(reply_events(text)))


def parsed(text):
    return parsed_text(lay_out(reply_events(text)))


def delivered(text):
    return delivery_text(lay_out(reply_events(text)))


TAG = "[[reply_to_current]]"

# --- code ------------------------------------------------------------------------------

CODE = {
    "1-inline": f"before `{TAG}` after",
    "2-fence-with-backticks-inside": f"```ts\nconst a = `{TAG}`;\n{TAG}\n```",
    "3-tildes-then-an-open-fence": f"~~~js\n{TAG}\n~~~\nplain\n\n```\n{TAG}\n",
    "4-longer-close": f"````\n```\n{TAG}\n`````",
    "5-double-backticks": f"`` `{TAG}` ``",
    "6-indented": f"words\n\n    {TAG}\n\tmore",
    "7-in-an-item": f"- item\n\n  ```\n  {TAG}\n  ```",
    "8-in-a-quote": f"> ```\n> {TAG}\n> ```",
    "9-escaped-bracket": f"\\{TAG}",
}


@pytest.mark.parametrize("row", CODE)
def test_code_is_left_alone(row):
    text = CODE[row]
    reply = parse_reply(text)
    assert (reply.text, said(reply)) == (text, {})


REAL = {
    "unequal-backticks": (f"```x`` {TAG}", "```x``"),
    "escaped-backticks": (f"\\`literal {TAG} \\`", "\\`literal \\`"),
    "behind-a-span-that-ends-in-a-backslash": (
        f"`code \\` {TAG} tail `",
        "`code \\` tail `",
    ),
    "between-two-fences": (
        f"~~~js\nx\n~~~\nplain {TAG}\n```\ny",
        "~~~js\nx\n~~~\nplain\n```\ny",
    ),
    "in-the-middle-of-a-fence-line": (f"a ``` b {TAG}", "a ``` b"),
}


@pytest.mark.parametrize("name", REAL)
def test_what_is_no_code_hides_nothing(name):
    text, kept = REAL[name]
    reply = parse_reply(text)
    assert (reply.text, reply.reply_to_current) == (kept, True)


# --- white space -------------------------------------------------------------------------

MENDED = {
    "a  @   b": "a b",
    "a @b": "a b",
    "a@ b": "a b",
    "a@b": "ab",
    "a @ @ @ b": "a b",
    "A\n@\nB": "A\nB",
    "A\n\n@\n\nB": "A\n\nB",
    "A\n\n\n\n@\nB": "A\n\nB",
    "A\n@\n@\nB": "A\nB",
    "A\r\n@\r\nB": "A\r\nB",
    "A\r\n\r\n@\r\n\r\nB": "A\r\n\r\nB",
    "A\r@\rB": "A\rB",
    "A  @\nB": "A\nB",
    "A\n@    b": "A\n    b",
    "A\n  @ b": "A\n  b",
    "A\n@\n\n    code": "A\n\n    code",
    "@\n\n    code": "    code",
    "@  two blanks": "  two blanks",
    "@\thello": "\thello",
    "\n\n@ a": "a",
    "a @ \n\n": "a",
    "a @\n```\ncode  \n\n": "a\n```\ncode  \n\n",
    "a @\n```\ncode\n```\n\n": "a\n```\ncode\n```",
    "Hello    world\t\t\ttest @": "Hello    world\t\t\ttest",
    "| a | b |\n|---|---|\n| 1 |   2 |\n@": "| a | b |\n|---|---|\n| 1 |   2 |",
    "no tag  \n\n\n at all  ": "no tag  \n\n\n at all  ",
}


@pytest.mark.parametrize("text", MENDED, ids=repr)
def test_white_space_is_mended_beside_a_tag_alone(text):
    assert parsed(text.replace("@", TAG)) == MENDED[text]


DELIVERED = {
    "a  @   b": "a b",
    "a@b": "a b",
    "@ a @": "a",
    "A\n\n@\n\nB": "A B",
    "  a  ": "a",
    "a  b @": "a  b",
    "a @\n```\ncode\n```": "a\n```\ncode\n```",
    "[[reply_to_current] Hello": "Hello",
    "[[reply_to_current": "",
    "[[reply_to_current Hello": "Hello",
    "[[ reply_to_current\nHello": "Hello",
    "[[reply_to: abc] Hello": "Hello",
    "  [[reply_to: abc] Hello": "Hello",
    "[[reply_to:": "",
    "[[reply_to: abc": "[[reply_to: abc",
    "[[reply_to_currently Hello": "[[reply_to_currently Hello",
    "Hello [[reply_to_current] there": "Hello [[reply_to_current] there",
    "    [[reply_to_current] code": "[[reply_to_current] code",
    "@ [[reply_to_current] Hello": "[[reply_to_current] Hello",
    "`@` @": f"`{TAG}`",
}


@pytest.mark.parametrize("text", DELIVERED, ids=repr)
def test_delivery_makes_one_blank_of_a_tag(text):
    assert delivered(text.replace("@", TAG)) == DELIVERED[text].replace("@", TAG)


# --- reactions, silence ------------------------------------------------------------------


def test_the_first_reaction_wins_and_all_go():
    reply = parse_reply("[[react: ]]  a [[react: 👍]] b [[react: 👎]]")
    assert (reply.text, said(reply)) == ("a b", {"reaction": "👍"})


def test_a_reaction_to_the_current_message_replies_to_it_too():
    reply = parse_reply("[[react_to_current: 🎉]] Yes", current_message_id=" 5 ")
    assert (reply.text, said(reply)) == (
        "Yes",
        {"reaction": "🎉", "current": True, "id": "5"},
    )


@pytest.mark.parametrize(
    "text",
    ["NO_REPLY", " NO_REPLY\n", f"{TAG} NO_REPLY", "NO_REPLY [[audio_as_voice]]"],
)
def test_the_silence_token_alone_is_silence(text):
    reply = parse_reply(text)
    assert (reply.text, reply.is_silent) == ("", True)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("NO_REPLYThe user", "The user"),
        ("NO_REPLY: because", "NO_REPLY: because"),
        ("Say NO_REPLY", "Say NO_REPLY"),
        ("`NO_REPLY`", "`NO_REPLY`"),
    ],
)
def test_a_silence_token_with_words_is_none(text, kept):
    reply = parse_reply(text)
    assert (reply.text, reply.is_silent) == (kept, False)


def test_the_silence_token_may_be_another_word():
    assert parse_reply("HUSH", silence_token="HUSH").is_silent  # noqa: S106 - a word
    assert not parse_reply("HUSH").is_silent


# --- media ---------------------------------------------------------------------------------


def test_media_between_paragraphs_and_a_fence_keep_their_order():
    reply = parse_reply(
        f"Before\nMEDIA:{PICTURE}\n```text\nMEDIA:https://example.com/ignored.png\n```\nAfter"
    )
    assert reply.segments == (
        TextSegment("Before"),
        MediaSegment(PICTURE),
        TextSegment("```text\nMEDIA:https://example.com/ignored.png\n```\nAfter"),
    )


def test_a_paragraphs_end_in_front_of_an_attachment_stays_as_one_break():
    reply = parse_reply(f"One.\n\nMEDIA:{PICTURE}\n\nTwo.\n\n\nThree.")
    assert reply.segments == (
        TextSegment("One.\n"),
        MediaSegment(PICTURE),
        TextSegment("Two.\n\n\nThree."),
    )
    assert reply.text == "One.\n\nTwo.\n\n\nThree."


def test_an_indented_line_that_goes_on_with_a_paragraph_is_no_code():
    reply = parse_reply(f"Words\n    MEDIA:{PICTURE}\nmore")
    assert (reply.text, reply.media_urls) == ("Words\nmore", (PICTURE,))
    text = f"Words\n\n    MEDIA:{PICTURE}\nmore"
    assert parse_reply(text).text == text


def test_a_line_of_several_references_gives_each_its_segment():
    reply = parse_reply("MEDIA:/srv/a.png /srv/b.png\n\nDone.")
    assert reply.media_urls == ("/srv/a.png", "/srv/b.png")
    assert reply.segments == (
        MediaSegment("/srv/a.png"),
        MediaSegment("/srv/b.png"),
        TextSegment("Done."),
    )


def test_a_path_that_leads_away_is_in_no_view():
    for path in ("../../.env", "~other/Pictures/My File.png"):
        text = f"Here.\nMEDIA:{path}\nThere."
        reply = parse_reply(text)
        assert (reply.text, reply.media_urls) == ("Here.\nThere.", ())
        assert path not in display(text) + delivered(text)


@pytest.mark.parametrize(
    "line",
    [
        "MEDIA:http://example.com/a.png",
        "MEDIA:https://localhost/a.png",
        "MEDIA:screenshot",
        "The MEDIA: tag fails to deliver",
        f"**MEDIA:{PICTURE}**",
        f"`MEDIA:{PICTURE}`",
        f"text: MEDIA:{PICTURE}",
        f"![chart]({PICTURE})",
    ],
)
def test_what_is_no_attachment_stays_in_the_text(line):
    reply = parse_reply(f"{line}\nDone.")
    assert (reply.text, reply.media_urls) == (f"{line}\nDone.", ())


def test_leftovers_of_a_media_line_stay_in_the_text():
    reply = parse_reply("MEDIA:/srv/a.png https://127.0.0.1/secret.png")
    assert reply.media_urls == ("/srv/a.png",)
    assert reply.text == "https://127.0.0.1/secret.png"


# --- embeds ----------------------------------------------------------------------------------


def test_an_embed_keeps_its_place_and_touches_nothing_else():
    reply = parse_reply('see [embed url="https://b.com" /] end')
    assert reply.text == "see  end"
    (embed,) = reply.embeds
    assert (embed.at, embed.url, embed.view_id) == (4, "https://b.com", None)
    assert reply.segments == (
        TextSegment("see "),
        EmbedSegment(embed),
        TextSegment(" end"),
    )


def test_the_body_of_a_block_is_not_shown():
    reply = parse_reply('before [embed ref="doc1"] hi [/embed] after')
    assert reply.text == "before  after"
    assert [embed.view_id for embed in reply.embeds] == ["doc1"]


@pytest.mark.parametrize(
    "text",
    [
        '```\n[embed ref="a" /]\n```',
        '`[embed ref="a" /]`',
        'x\n\n    [embed ref="a" /]',
        '[embed title="x"]<b>hi</b>[/embed]',
        "[embed]<b>x</b>[/embed]",
        '[embed ref="cv_1"]',
        "[embed url=https://x /]",
        '[embedded ref="a" /]',
        '[view ref="a" /]',
        "present_view: cv_1",
        '[embed ref="a" target="tool_card" /]',
        '[embed url="javascript:alert(1)" /]',
    ],
)
def test_what_is_no_embed_stays_in_the_text(text):
    reply = parse_reply(text)
    assert (reply.text, reply.embeds) == (text, ())


def test_embeds_and_tags_keep_their_places_in_the_mended_text():
    reply = parse_reply(f'{TAG} a [embed ref="1" /]\n{TAG}\n[embed ref="2" /] b')
    assert reply.text == "a \n b"
    assert [(embed.at, embed.ref) for embed in reply.embeds] == [(2, "1"), (3, "2")]


def test_several_embeds_all_count():
    reply = parse_reply('[EMBED REF=\'x\'/][embed ref="y" title="a]b" /]')
    assert [embed.ref for embed in reply.embeds] == ["x", "y"]


# --- events ------------------------------------------------------------------------------------


def test_events_may_come_in_any_pieces():
    text = f'{TAG} a [[react: 👍]]\nMEDIA:/srv/a.png\n[embed ref="x" /] b'
    whole = parse_reply(text)
    events: list[Event] = [
        Text(ch) if isinstance(event, Text) else event
        for event in reply_events(text)
        for ch in (event.delta if isinstance(event, Text) else " ")
    ]
    assert parse_reply(events) == whole


def test_artifacts_and_thinking_are_no_text_and_end_no_line():
    digest = "0" * 64
    events: list[Event] = [
        Text("a "),
        Reasoning("x", (2, 18)),
        ArtifactStart(0, "i", "text/html", "", {}, None, (18, 30)),
        ArtifactChunk(0, "i", "body"),
        ArtifactEnd(
            0,
            "i",
            complete=True,
            reason="closed",
            length=4,
            sha256=digest,
            span=(34, 45),
        ),
        Text(" b"),
        DirectiveFound("audio_as_voice", None, (47, 65)),
    ]
    assert parse_reply(events).text == "a  b"


def test_a_recovered_artifact_is_cut_out_of_the_text():
    digest = "0" * 64
    events: list[Event] = [
        Text("Look:\n```\n<artifact >x"),
        ArtifactStart(0, "", "", "", {}, "unclosed-fence", (10, 21)),
        ArtifactChunk(0, "", "x"),
        ArtifactEnd(
            0,
            "",
            complete=False,
            reason="unclosed",
            length=1,
            sha256=digest,
            span=(22, 22),
        ),
    ]
    assert lay_out(events).text == "Look:\n```\n"


def test_many_tags_cost_no_more_than_they_are():
    """Linear work: twenty thousand tags among blanks and breaks are laid out at once."""
    text = f"a {TAG}  \n\n{TAG}\n" * 10_000
    assert parsed(text).count("a") == 10_000


def test_a_glued_silence_token_is_told_as_suppressed_and_not_as_silence():
    assert reply_events("NO_REPLY") == [DirectiveFound("silent", None, (0, 8))]
    assert reply_events("NO_REPLYThe user") == [
        Suppressed("silent", 8, (0, 8)),
        Text("The user"),
    ]
