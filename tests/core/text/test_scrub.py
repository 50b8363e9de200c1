"""Secrets taken out of text: whole or streamed, the result is the same."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.text.scrub import SCRUBBED, Scrubber, scrub

KEY = "sk-aab-aab-aabc"


def streamed(pieces: list[str], *secrets: str) -> str:
    scrubber = Scrubber(secrets)
    return "".join([*map(scrubber.feed, pieces), scrubber.flush()])


def test_every_cut_gives_what_the_whole_gives() -> None:
    text = f"a {KEY}{KEY} sk-aab-aab-aab {KEY}"
    for at in range(len(text) + 1):
        assert streamed([text[:at], text[at:]], KEY) == scrub(text, [KEY])
    assert streamed(list(text), KEY) == scrub(text, [KEY])


@given(
    st.lists(
        st.sampled_from([KEY, "sk-aab-", "aab-", "aabc", "x", "sk", "-", "b" * 9])
    ).map("".join),
    st.sets(st.integers(1, 80), max_size=8),
)
def test_any_cut_gives_what_the_whole_gives(text: str, cuts: set[int]) -> None:
    borders = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    pieces = [text[a:b] for a, b in itertools.pairwise(borders)]
    assert streamed(pieces, KEY) == scrub(text, [KEY])


def test_text_without_a_beginning_of_a_secret_is_never_held() -> None:
    scrubber = Scrubber([KEY])
    assert scrubber.feed("Nothing here") == "Nothing here"
    assert scrubber.feed("a task") == "a ta"
    assert scrubber.feed("!") == "sk!"


def test_the_longest_of_two_secrets_is_taken_out_whole() -> None:
    assert scrub(f"{KEY}-more!", [KEY, f"{KEY}-more"]) == f"{SCRUBBED}!"


def test_a_placeholder_too_short_to_be_a_secret_stays() -> None:
    assert scrub("ollama runs", ["ollama", ""]) == "ollama runs"
    assert streamed(["olla", "ma"], "ollama") == "ollama"
