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

from tests.support.oracle import hides_by_code_span, judge
from vitrail.core.parse import StreamParser
from vitrail.core.text import Markdown
from vitrail.protocol.events import ArtifactStart

MARK = "qzx"
TAGS = (
    f'<artifact identifier="{MARK}" type="text/html"><i></artifact>',
    f"<artifact identifier='{MARK}' type='text/html'><i></artifact>",
    f"<artifact identifier={MARK} type=text/html><i></artifact>",
)
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


def _is_artifact(document):
    parser = StreamParser()
    events = [*parser.feed(document), *parser.close()]
    return any(
        event.identifier == MARK and event.recovered is None
        for event in events
        if isinstance(event, ArtifactStart)
    )


def _begins_line(document, place):
    line = document[:place].replace("\r", "\n").rpartition("\n")[2]
    return not line.strip(" \t")


def _is_escaped_in_attribute(document, place):
    """A backslash is taken at its word in the one tag of a block of HTML, too."""
    return document[:place].endswith("\\")


def _is_code_behind_text(document, place):
    """The reference ends an item's text at a mark that is indented by four columns or more,
    but less than the item, and then finds code; CommonMark goes on with the text."""
    above, _, line = document[:place].replace("\r", "\n").rpartition("\n")
    deep = line.expandtabs(4).startswith("    ")
    return deep and bool(above.rpartition("\n")[2].strip())


def _differences(text, tag):
    """Return the documents, with the tag in them, that parser and reference tell apart."""
    different = []
    for place in range(len(text) + 1):
        document = text[:place] + tag + text[place:]
        answer = judge(document, place, MARK)
        if answer == "elsewhere" or _is_artifact(document) == (answer == "text"):
            continue
        if answer == "text" and _is_escaped_in_attribute(document, place):
            continue
        if answer == "code" and _is_code_behind_text(document, place):
            continue
        if not (_begins_line(document, place) and hides_by_code_span(document, MARK)):
            different.append((document, answer))
    return different


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("tag", TAGS, ids=["double", "single", "bare"])
def test_a_tag_is_hidden_exactly_where_the_reference_finds_code(name, tag):
    assert _differences(DOCUMENTS[name], tag) == []


@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(TAGS)
)
def test_soup_of_blocks_is_read_as_the_reference_reads_it(text, tag):
    assert _differences(text, tag) == []


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
