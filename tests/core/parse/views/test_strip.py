"""`strip` and `display`: what is shown of a message without what was saved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse.views import display, read_segments, strip

ARTIFACT = '<artifact identifier="x" type="text/html">b</artifact>'
DOC = (
    "<!doctype html><html><head><title>Demo</title></head>"
    "<body><main><h1>A whole document</h1></main></body></html>"
)
REMARK = '<artifact identifier="x" type="text/html">\n(See above.)\n</artifact>'


# --- strip (spec/open-design-1 §4.4, rows 1 to 9) ------------------------------


def test_row_01_an_artifact_between_text_is_removed():
    assert strip(f"Header.\n{ARTIFACT}\nFooter.") == "Header.\n\nFooter."


@pytest.mark.parametrize("ticks", ["`", "``"])
def test_row_02_an_artifact_in_backticks_stays(ticks):
    text = f" Say {ticks}{ARTIFACT}{ticks} now "
    assert strip(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"Look:\n```html\n{ARTIFACT}\n```\nEnd.\n",
        f"Look:\n```html\n{ARTIFACT}\n```",
        f"Look:\n```\n```html\n{ARTIFACT}\n```\nEnd.\n",
    ],
)
def test_row_03_an_artifact_in_a_fence_stays(text):
    assert strip(text) == text


def test_row_04_an_artifact_without_its_end_stays():
    text = ' Header.\n<artifact identifier="x" type="text/html"><p>b'
    assert strip(text) == text


def test_row_05_an_artifact_behind_an_indented_fence_that_never_closes_is_removed():
    text = f"Look:\n\n   ```html\n{ARTIFACT}\nTail."
    assert strip(text) == "Look:\n\n   ```html\n\nTail."


def test_row_06_stray_backticks_of_other_paragraphs_stay():
    text = f"A stray ` tick.\n\n{ARTIFACT}\n\nAnother ` tick."
    assert strip(text) == "A stray ` tick.\n\n\n\nAnother ` tick."


def test_row_07_a_rule_ends_a_paragraph_so_the_artifact_is_removed():
    text = f"A stray ` tick.\n---\n{ARTIFACT}\n---\nAnother ` tick."
    assert strip(text) == "A stray ` tick.\n---\n\n---\nAnother ` tick."


def test_row_08_a_longer_word_is_no_artifact():
    text = "prefix <artifactual>demo</artifact> suffix "
    assert strip(text) == text


def test_row_09_every_artifact_is_removed_not_the_first_alone():
    assert strip(f"a\n{ARTIFACT}b{ARTIFACT}\nc") == "a\nb\nc"


def test_an_odd_backtick_in_a_body_does_not_hide_its_end():
    text = f"a\n{ARTIFACT.replace('>b<', '>`b<')} and ` more"
    assert strip(text) == "a\n and ` more"


def test_a_message_that_was_parsed_already_is_not_parsed_again():
    text = f"a\n{ARTIFACT}"
    assert strip(read_segments(text)) == strip(text) == "a"


# --- display (rows 24 to 27) -----------------------------------------------------


def test_row_24_a_message_that_is_one_document_shows_nothing():
    assert display(DOC) == ""
    assert display(f"\n{DOC}\n") == ""


def test_row_25_a_fence_that_holds_the_document_is_not_shown():
    text = f"Here it is:\n\n```html\n{DOC}\n```\n\nEnjoy."
    assert display(text) == "Here it is:\n\n\n\nEnjoy."


def test_row_26_a_document_before_a_remark_is_not_shown():
    source = f"Here it is:\n{DOC}\n{REMARK}"
    assert display(strip(source), source) == "Here it is:"
    assert display(strip(source), read_segments(source)) == "Here it is:"


@pytest.mark.parametrize(
    "text",
    [
        " ```html\n<p>A snippet that is longer than sixty-four characters are.</p>\n```",
        f"```html\n{DOC}\n```\n\n```html\n{DOC}\n```\n",
    ],
)
def test_row_27_a_snippet_and_two_documents_are_shown(text):
    assert display(text) == text


def test_the_last_of_two_equal_documents_is_cut_out():
    source = f"{DOC}\nOnce more:\n{DOC}\n{REMARK}"
    assert display(strip(source), source) == f"{DOC}\nOnce more:"


def test_every_document_before_a_remark_is_cut_out():
    other = DOC.replace("Demo", "Other")
    source = f"One:\n{DOC}\n{REMARK}\nTwo:\n{other}\n{REMARK}\nEnd."
    assert display(strip(source), source).split() == ["One:", "Two:", "End."]
    assert display(f"Two:\n{other}", source) == "Two:"


def test_a_document_that_the_content_does_not_hold_changes_nothing():
    assert display(" Other words. ", f"{DOC}\n{REMARK}") == " Other words. "


# --- laws ----------------------------------------------------------------------------

PIECES = (ARTIFACT, REMARK, DOC, "```html\n", "```\n", "`", "\n", "\n\n", " ", "words")
messages = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(messages)
def test_the_segments_put_together_are_the_message(text):
    segments = read_segments(text)
    assert "".join(segment.raw for segment in segments) == text
    assert [text[slice(*segment.span)] for segment in segments] == [
        segment.raw for segment in segments
    ]


@given(messages)
def test_what_is_stripped_and_what_is_left_are_the_message(text):
    artifacts = [
        s
        for s in read_segments(text)
        if s.kind == "artifact"
        and s.is_complete
        and s.recovered in (None, "unclosed-fence")
    ]
    rebuilt, place = "", 0
    for artifact in artifacts:
        start, end = artifact.span
        rebuilt += text[place:start]
        place = end
    rebuilt += text[place:]
    assert strip(text) == (rebuilt.strip() if artifacts else text)
