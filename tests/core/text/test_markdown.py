"""Whether a place is code: equal to markdown-it-py at every position.

A tag that fits whatever is around it is put at each position of each document. It is an
artifact exactly where the reference parser finds no code, but for the listed deviation: a tag
that begins its line is never inside a code *span*.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.oracle import MARK, TAGS, differences, judge
from vitrail.core.text import Markdown

CORPUS = Path(__file__).parents[2] / "cases" / "markdown.txt"
PIECES = (
    *("`", "``", "```", "~~~", "\n", "\n", "\n\n", "\r\n", " ", "  ", "    ", "\t"),
    *("- ", "* ", "+ ", "1. ", "2) ", "> ", "# ", "---", "***", "===", "a", "foo"),
    *(
        "<",
        "<b>",
        "</b>",
        "<div>",
        "<a x='",
        '<a x="',
        "<!-- ",
        "-->",
        "<?",
        "?>",
        "<!X",
    ),
    *("<pre>", "</pre>", "<![CDATA[", "]]>", "\\", '"', "'", "=", "(", ")", ": "),
    *("[foo]: ", "/url", "<http://a", "@b.c", ">"),
)


def _documents():
    name = ""
    lines: list[str] = []
    found: dict[str, str] = {}
    for line in [*CORPUS.read_text(encoding="utf-8").splitlines(), "%%% end"]:
        if line.startswith("%%% "):
            found[name] = "\n".join(lines)
            name, lines = line.removeprefix("%%% "), []
        else:
            shown = line.replace("␍", "\r").replace("→", "\t").replace("·", " ")
            lines.append(shown)
    del found[""]
    return found


DOCUMENTS = _documents()


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("tag", TAGS, ids=["double", "single", "bare", "nameless"])
def test_a_tag_is_hidden_exactly_where_the_reference_finds_code(name, tag):
    assert differences(DOCUMENTS[name], tag) == []


@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(TAGS)
)
def test_soup_of_blocks_is_read_as_the_reference_reads_it(text, tag):
    assert differences(text, tag) == []


def test_the_corpus_is_large_and_holds_code_and_text():
    answers = {
        judge(text[:place] + TAGS[0] + text[place:], place, MARK)
        for text in DOCUMENTS.values()
        for place in range(len(text) + 1)
    }
    assert len(DOCUMENTS) > 100
    assert answers == {"code", "text", "elsewhere"}


# --- what the corpus cannot say ---------------------------------------------


def test_containers_deeper_than_the_limit_are_text():
    markdown = Markdown()
    text = "> " * 40 + "a `b"
    assert markdown.scan(text, 0, len(text)) == len(text)
    assert markdown.may_hide(runs=True)


def test_a_tag_longer_than_the_limit_hides_nothing():
    text = "a <b " + "c " * 5_000 + "`"
    markdown = Markdown()
    at = markdown.scan(text, 0, len(text))
    assert text[at] == "<"
    markdown.pass_angle()
    markdown.scan(text, at + 1, len(text))
    markdown.finish()
    assert not markdown.may_hide(runs=True)


def test_a_new_document_forgets_the_old_one():
    markdown = Markdown()
    markdown.scan("```\n> a `b", 0, 10)
    markdown.reset()
    assert markdown.scan("a <b", 0, 4) == 2
    assert markdown.at_mark
    assert not markdown.begins_line


@pytest.mark.parametrize(
    "text", ["# a\nb", "a\nb", "- a\nb", "```\na\n```\nb", "> # a\n"]
)
def test_nothing_is_read_past_the_given_end(text: str):
    for end in range(len(text) + 1):
        markdown = Markdown()
        at = 0
        while at < end:
            at = markdown.scan(text, at, end)
            assert at <= end
