"""``MEDIA:`` lines, spec/openclaw-zeus-investment §1.3: what they name, and what stays text."""

from __future__ import annotations

import pytest

from tests.core.parse.directives.reading import read_both_ways
from vitrail.core.parse import StreamParser
from vitrail.core.parse.directives import MediaLine
from vitrail.core.parse.directives.media_lines import split_media
from vitrail.limits import MAX_HELD_CHARS, MAX_MEDIA_REFERENCE_CHARS
from vitrail.protocol.events import DirectiveFound

ACCEPTED = {
    "spaces": (
        "/Users/pete/My Files/Project Assets/render final.png",
        ["/Users/pete/My Files/Project Assets/render final.png"],
    ),
    "quoted-spaces": (
        '"/Users/pete/My Files/Project Assets/render final.png"',
        ["/Users/pete/My Files/Project Assets/render final.png"],
    ),
    "word-behind-the-extension": (
        "/srv/album.v1/photo.png copy.png",
        ["/srv/album.v1/photo.png copy.png"],
    ),
    "dot-slash": ("./screenshots/image.png", ["./screenshots/image.png"]),
    "relative": ("media/inbound/image.png", ["media/inbound/image.png"]),
    "inbound": ("media://inbound/image.png", ["media://inbound/image.png"]),
    "home": ("~/Pictures/My File.png", ["~/Pictures/My File.png"]),
    "home-with-a-backslash": (r"~\Pictures\a.png", [r"~\Pictures\a.png"]),
    "drive": (
        r"C:\Users\pete\Pictures\snap.png",
        [r"C:\Users\pete\Pictures\snap.png"],
    ),
    "two-spaces": ("/srv/a  b.png", ["/srv/a  b.png"]),
    "network-share": (r"\\server\share\a b.png", [r"\\server\share\a b.png"]),
    "bare-name": ("image.png", ["image.png"]),
    "quoted-bare-name": ("`image.png`", ["image.png"]),
    "json-tail": (
        '/path/to/image.png"}],"details":{"a": 1}',
        ["/path/to/image.png"],
    ),
    "escaped-json-tail": (r"/path/to/image.png\"}]", ["/path/to/image.png"]),
    "comma-inside": ("/srv/render,final.png", ["/srv/render,final.png"]),
    "file-address": ("file:///srv/a.png", ["file:///srv/a.png"]),
    "file-address-in-capitals": ("FILE:///srv/a.png", ["FILE:///srv/a.png"]),
    "file-address-of-localhost": (
        "file://localhost/srv/a.png",
        ["file://localhost/srv/a.png"],
    ),
    "file-address-with-spaces": ("file:///srv/a b.png", ["file:///srv/a b.png"]),
    "remote": ("https://example.com/a.png", ["https://example.com/a.png"]),
    "remote-in-capitals": ("HTTPS://example.com/a", ["HTTPS://example.com/a"]),
    "remote-ipv6": (
        "https://[2606:4700:4700::1111]/a.png",
        ["https://[2606:4700:4700::1111]/a.png"],
    ),
    "remote-ipv6-alone": (
        "https://[2606:4700:4700::1111],",
        ["https://[2606:4700:4700::1111]"],
    ),
    "around-it": ('[("/srv/a.png")],', ["/srv/a.png"]),
    "two-locals": ("/srv/a.png /srv/b.png", ["/srv/a.png", "/srv/b.png"]),
    "two-in-double-quotes": (
        '"/srv/a b.png" "/srv/c.png"',
        ["/srv/a b.png", "/srv/c.png"],
    ),
    "two-in-single-quotes": (
        "'/srv/a b.png' '/srv/c.png'",
        ["/srv/a b.png", "/srv/c.png"],
    ),
    "two-in-backticks": (
        "`/srv/a b.png` `/srv/c.png`",
        ["/srv/a b.png", "/srv/c.png"],
    ),
    "two-relative": ("media/a.png media/b.png", ["media/a.png", "media/b.png"]),
    "local-and-remote": (
        "/srv/a.png https://example.com/b.png",
        ["/srv/a.png", "https://example.com/b.png"],
    ),
    "two-drives-with-spaces": (
        r"C:\Users\First Last\workspace\shot.png D:\Other User\second.png",
        [r"C:\Users\First Last\workspace\shot.png", r"D:\Other User\second.png"],
    ),
    "quote-at-the-end": (
        '"https://example.com/a?token=ends""',
        ['https://example.com/a?token=ends"'],
    ),
    "two-quotes-at-the-end": (
        '"https://example.com/a?token=ends"""',
        ['https://example.com/a?token=ends""'],
    ),
    "quote-inside": (
        "'https://example.com/a?token=it's' /srv/second.png",
        ["https://example.com/a?token=it's", "/srv/second.png"],
    ),
    **{
        f"stripped-{number}": (
            f"https://example.com/a.png{mark}",
            ["https://example.com/a.png"],
        )
        for number, mark in enumerate([",", '"', "'", "\\", ")", "}", "]", "`", '")],'])
    },
}
REFUSED = [
    "../../../etc/passwd",
    "../../.env",
    '"../../.env)"',
    "~user/Pictures/My File.png",
    "~/Pictures/../../.ssh/id_rsa",
    "./foo/../../../etc/shadow",
    r"C:\Users\First Last\..\secret.png",
    "/srv/project screenshots/../../.env",
    "file:///srv/../secret.png",
    "file:///srv/%2e%2E/secret.png",
    "file:///srv%2f..%2fsecret.png",
    "file://other-host/share/secret.png",
    "/srv/sec\x00ret.png",
    "/secret/" + "a" * MAX_MEDIA_REFERENCE_CHARS,
]
KEPT = [
    "http://example.com/a.png",
    "https://intranet/a.png",
    "https://printer/a.png",
    "https://localhost",
    "https://localhost..",
    "https://127.0.0.1",
    "https://127.0.0.1..",
    "https://169.254.169.254/latest",
    "https://[::1]",
    "https://[::1]/a.png",
    "https://metadata.google.internal",
    "https://metadata.google.internal..",
    "https://example..com",
    "https://media.local",
    '"https://localhost/a.png"',
    "'http://example.com/a.png'",
    "`https://media.local`",
    "https://user@example.com/a.png",
    "https://user:secret@example.com/a.png",
    f'"https://example.com/{"a" * 4077}"',
    "media://other/a.png",
    "media://inbound/a/b.png",
    "media://inbound/a%2fb.png",
    "media://inbound/a\x00.png",
    "media://inbound/a.png?x=1",
    "media://inbound/",
    "media://inbound/..",
    "data:image/png;base64,AA",
    "javascript:alert(1)",
    "ftp://example.com/a.png",
]
PROSE = ["screenshot", "", "  ", "see below", "name.toolongextension", "a.b c.d", '""']


def _line(payload):
    return f"MEDIA:{payload}"


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_reference_is_taken(name):
    payload, references = ACCEPTED[name]
    came = read_both_ways(MediaLine, _line(payload))
    assert came.verdict == "tag"
    assert list(came.found.references) == references
    assert came.codes == []


@pytest.mark.parametrize("payload", REFUSED)
def test_a_path_that_leads_away_goes_and_is_told_without_the_path(payload):
    came = read_both_ways(MediaLine, _line(payload))
    assert came.verdict == "tag"
    assert [piece.kind for piece in came.found.pieces] == ["refused"]
    _, diagnostics = split_media(_line(payload))
    assert came.codes == ["media-refused"]
    assert "secret" not in diagnostics[0].message
    assert ".env" not in diagnostics[0].message


@pytest.mark.parametrize("payload", KEPT)
def test_an_address_that_may_not_be_fetched_stays_text_and_is_told(payload):
    came = read_both_ways(MediaLine, _line(payload))
    assert (came.verdict, came.found) == ("text", None)
    assert came.codes == ["media-refused"]


@pytest.mark.parametrize("payload", PROSE)
def test_a_line_that_names_nothing_is_prose(payload):
    came = read_both_ways(MediaLine, _line(payload))
    assert (came.verdict, came.found, came.codes) == ("text", None, [])


@pytest.mark.parametrize(
    "line",
    [
        "The MEDIA: tag fails to deliver",
        "**MEDIA:/srv/a.png**",
        "`MEDIA:/srv/a.png`",
        "text: MEDIA:/srv/a.png",
        "MEDIA /srv/a.png",
        "ME",
        "",
    ],
)
def test_a_line_that_does_not_begin_with_the_mark_is_text(line):
    came = read_both_ways(MediaLine, line)
    assert (came.verdict, came.found, came.codes) == ("text", None, [])


@pytest.mark.parametrize(
    "mark", ["MEDIA:", "media:", "Media: ", "   MEDIA:", "\tmedia:\t"]
)
def test_the_mark_may_have_any_case_and_blanks_around(mark):
    line = f"{mark}/srv/a.png  "
    came = read_both_ways(MediaLine, line)
    assert (came.verdict, came.to) == ("tag", len(line))
    assert came.found.references == ("/srv/a.png",)


@pytest.mark.parametrize("behind", ["", "\nMore", "\r\nMore", "\rMore"])
def test_the_line_ends_at_any_break(behind):
    parser = StreamParser(dialect="auto")
    events = [*parser.feed("MEDIA:/srv/a.png" + behind), *parser.close()]
    assert [event for event in events if isinstance(event, DirectiveFound)] == [
        DirectiveFound("media", "/srv/a.png", (0, len("MEDIA:/srv/a.png")))
    ]


def _pieces(payload):
    facts, diagnostics = split_media(_line(payload))
    assert facts is not None
    line = _line(payload)
    return [
        (piece.kind, line[slice(*piece.span)]) for piece in facts.pieces
    ], diagnostics


def test_traversal_in_front_of_a_safe_path_goes_alone():
    pieces, diagnostics = _pieces("../../etc/passwd /srv/b.png")
    assert pieces == [("refused", "MEDIA:../../etc/passwd"), ("media", " /srv/b.png")]
    assert len(diagnostics) == 1


def test_a_refused_address_behind_a_safe_path_stays_text():
    pieces, diagnostics = _pieces("/srv/a.png https://127.0.0.1/secret.png")
    assert pieces == [
        ("media", "MEDIA:/srv/a.png "),
        ("text", "https://127.0.0.1/secret.png"),
    ]
    assert [d.span for d in diagnostics] == [(17, 45)]


def test_words_behind_a_path_with_an_extension_stay_text():
    pieces, _ = _pieces("/srv/a.png is ready")
    assert pieces == [("media", "MEDIA:/srv/a.png "), ("text", "is ready")]


def test_a_slash_between_words_is_no_path():
    assert split_media("MEDIA: pictures and/or sounds") == (None, ())


@pytest.mark.parametrize(
    "payload", [*REFUSED, *(payload for payload, _ in ACCEPTED.values())]
)
def test_the_pieces_tile_the_line(payload):
    line = f"  MEDIA: {payload}  "
    facts, _ = split_media(line)
    place = 0
    for piece in facts.pieces if facts else ():
        assert piece.span[0] == place
        place = piece.span[1]
    assert place == len(line)


def test_a_line_longer_than_the_limit_is_text():
    fits = "/srv/a.png ".ljust(MAX_HELD_CHARS - len("MEDIA:"))
    assert read_both_ways(MediaLine, _line(fits)).verdict == "tag"
    came = read_both_ways(MediaLine, _line(fits + " "))
    assert (came.verdict, came.codes) == ("text", ["media-refused"])


@pytest.mark.parametrize(
    "motif",
    ["MEDIA:", '"a ', "' ", "/a ", "a/ ", "/a.b ", '.a"', "`a` ", "~x ", "C:\\ "],
)
def test_a_hostile_line_is_looked_at_twice(motif):
    line = _line((motif * MAX_HELD_CHARS)[: MAX_HELD_CHARS - 6])
    came = read_both_ways(MediaLine, line)
    assert came.looked <= 2 * len(line)
