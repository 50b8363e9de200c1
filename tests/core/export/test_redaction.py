"""What a redacted text must not show, what it must keep, and that it takes one pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.export.redaction import REDACTIONS, Redactor

HOMES = ("/home/ada",)
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0abc.c2lnbmF0dXJl"
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE+abc/=\n"
    "-----END RSA PRIVATE KEY-----"
)

TAKEN_OUT = {
    "sk-proj-abcdefghijklmnop1234": "provider key",
    "sk-ant-api03-abcdefghijklmnop": "provider key",
    "AIzaSyA-1234567890abcdefghij": "provider key",
    "hf_abcdefghijklmnopqrst": "provider key",
    "ghp_abcdefghijklmnopqrst": "service key",
    "github_pat_11ABCDEFG0abcdefghij": "service key",
    "glpat-abcdefghij1234567890": "service key",
    "xoxb-123456789012-abcdef": "service key",
    "AKIAIOSFODNN7EXAMPLE": "service key",
    "sk_live_abcdefghij123456": "service key",
    JWT: "web token",
    PEM: "private key",
    PEM.replace("\n", "\\n"): "private key",
    "-----BEGIN PRIVATE KEY-----\nMIIEabc": "private key",
    "ada@example.org": "e-mail address",
    "...ada.lovelace+x@mail.example.co.uk": "e-mail address",
    "zoë@bücher.example": "e-mail address",
}
IN_PLACE = {
    'api_key = "abcdefghijkl"': 'api_key = "[secret removed]"',
    "MY_API_KEY=abc123def456": "MY_API_KEY=[secret removed]",
    '{"password": "hunter2hunter2"}': '{"password": "[secret removed]"}',
    "Authorization: Bearer abc123def456ghi": "Authorization: Bearer [authorization removed]",
    "postgres://ada:pw@db/x": "postgres://ada:[password in a URL removed]@db/x",
    "https://u:p%40ss@example.org/": "https://u:[password in a URL removed]@example.org/",
    "cd /home/ada/site.": "cd ~/site.",
    "in /home/ada.": "in ~.",
    "file:///home/ada/x": "file://~/x",
}  # fmt: skip


@pytest.mark.parametrize(("secret", "name"), TAKEN_OUT.items())
def test_a_secret_is_taken_out_and_counted(secret: str, name: str) -> None:
    redactor = Redactor()
    assert redactor.text(f"see ({secret}), please") == f"see ([{name} removed]), please"
    assert redactor.counts == {name: 1}


@pytest.mark.parametrize(("text", "told"), IN_PLACE.items())
def test_what_gives_a_secret_its_place_stays(text: str, told: str) -> None:
    assert Redactor(homes=HOMES).text(text) == told


def test_a_home_of_windows_is_found_with_both_slashes() -> None:
    redactor = Redactor(homes=(r"C:\Users\Ada",))
    assert redactor.text(r"C:\Users\Ada\x C:/Users/Ada/y C:\\Users\\Ada\\z") == (
        r"~\x ~/y ~\\z"
    )


@pytest.mark.parametrize(
    "text",
    [
        "sk-short",
        "ask-me-anything-you-like-to-know",
        "@media (min-width: 40em) {}",
        '<script src="https://unpkg.com/react@18.2.0/umd/react.js">',
        "password = document.getElementById('p')",
        "const token = tokens.next()",
        "/home/adam/x",
        "x/home/ada",
        "a bearer of bad news1",
        "https://example.org:8080/a@b",
        "01a22ea2-d8bc-7087-a1db-ffa3c42a3eca",
        "9" * 64,
        "2026-01-01T00:00:00.000Z",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    redactor = Redactor(homes=HOMES)
    assert redactor.text(text) == text
    assert not redactor.counts


def test_known_secrets_go_whatever_they_look_like() -> None:
    redactor = Redactor(secrets=("correct horse", "short"))
    assert redactor.text("correct horse, short") == "[known secret removed], short"
    assert redactor.counts == {"known secret": 1}


def test_the_root_of_the_disk_is_no_home() -> None:
    assert Redactor(homes=("/", "")).text("/etc") == "/etc"


def test_strings_of_a_value_are_redacted_keys_too_and_none_is_lost() -> None:
    value = {"a@b.example": [1, "a@b.example"], "c@d.example": {"x": "c@d.example"}}
    redactor = Redactor()
    assert redactor.value(value) == {
        "[e-mail address removed]": [1, "[e-mail address removed]"],
        "[e-mail address removed] 1": {"x": "[e-mail address removed]"},
    }
    assert redactor.counts == {"e-mail address": 4}


def test_a_needle_is_in_every_text_that_a_pattern_fits() -> None:
    for redaction in REDACTIONS:
        for secret in (*TAKEN_OUT, *IN_PLACE):
            if redaction.pattern.search(secret):
                folded = secret.lower()
                assert any(needle in folded for needle in redaction.needles)


WORDS = st.sampled_from(
    [*TAKEN_OUT, "password=", "Bearer ", "@", "://", "-----BEGIN PRIVATE KEY-----", ".", "x1"]
)  # fmt: skip


@given(st.lists(WORDS | st.text(max_size=5), max_size=8).map("".join))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = Redactor(homes=HOMES).text(text)
    again = Redactor(homes=HOMES)
    assert again.text(once) == once


HOSTILE = [
    *("a", "a.", "@", "a@", "a@a.", "://", "://a:", "sk-", "eyJ", "eyJ.", "token", "token="),
    *("token ", "=", ":", "password: '", "-----BEGIN PRIVATE KEY-----", "-----BEGIN A ", "-"),
    *("Bearer ", "bearer a", "gh", "ghp_", "secret_", "a_", "'", '"', "/home/ad", "\\"),
]  # fmt: skip


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_takes_more_than_a_pass(piece: str) -> None:
    """What a matcher that goes back would need days for is done before the limit."""
    assert Redactor(homes=HOMES).text(piece * (500_000 // len(piece)))
