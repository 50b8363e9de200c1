"""What two texts share: right at every border of lines, and found at once at both ends."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from vitrail.core.commit.sharing import common_spans, split_lines, split_words

ENDINGS = ("\n", "\r\n", "\r")
texts = st.one_of(
    st.text(alphabet="ab\r\n", max_size=20),
    st.text(alphabet="ab \r\n\u2028\x0b\u0301é", max_size=30),
)


@given(texts)
def test_lines_and_words_joined_are_the_text(text: str):
    assert "".join(split_lines(text)) == text
    assert "".join(split_words(text)) == text
    assert all(
        line.endswith(ENDINGS) or at == len(split_lines(text)) - 1
        for at, line in enumerate(split_lines(text))
    )


@given(texts, texts)
@example("a\r\n", "a\r")
@example("a\r", "a\r\nb")
@example("\r\nb", "\nb")
def test_common_spans_are_equal_rising_and_apart(old: str, new: str):
    shared, _ = common_spans(old, new)
    old_end = new_end = 0
    for old_at, new_at, length in shared:
        assert length > 0
        assert old_at >= old_end
        assert new_at >= new_end
        old_end, new_end = old_at + length, new_at + length
        assert old[old_at:old_end] == new[new_at:new_end]


middles = st.text(alphabet="ab\n", max_size=12)


@given(texts, texts, middles, middles)
def test_equal_lines_at_both_ends_are_shared_whole(
    head: str, tail: str, old: str, new: str
):
    one, other = (f"{head}\n<<\n{middle}\n>>\n{tail}" for middle in (old, new))
    shared, _ = common_spans(one, other)
    assert shared[0][:2] == (0, 0)
    assert shared[0][2] >= len(head) + len("\n<<\n")
    assert shared[-1][0] + shared[-1][2] == len(one)
    assert shared[-1][2] >= len(">>\n") + len(tail)


def test_a_long_line_is_compared_by_words_however_long():
    line = "word " * 200_000
    shared, is_least = common_spans(f"x{line}y", f"z{line}w")
    assert is_least
    assert sum(length for _, _, length in shared) > len(line) - 10
