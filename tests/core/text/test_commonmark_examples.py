"""Whether a place is code: equal to markdown-it-py all over the specification.

A tag is put at every position of every example of CommonMark 0.31.2, and is an artifact
exactly where the reference parser finds no code, but for what `docs/deviations.md` lists. The
examples are read from the npm package of the specification; none of its text is kept here.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

import pytest

from tests.support.oracle import TAGS, differences

SPECIFICATION = (
    Path(__file__).parents[3] / "web" / "node_modules" / "commonmark-spec" / "spec.txt"
)
EXAMPLES = 652
_EXAMPLE = re.compile(
    r"^`{32} example\n(.*?)^\.\n.*?^`{32}$|^#{1,6} +([^\n]*)$", re.MULTILINE | re.DOTALL
)


def _read_examples():
    """Return section, number and Markdown of each example."""
    if not SPECIFICATION.exists():
        return []
    text = SPECIFICATION.read_text(encoding="utf-8").partition("<!-- END TESTS -->")[0]
    examples: list[tuple[str, int, str]] = []
    section = ""
    for found in _EXAMPLE.finditer(text):
        if found[2] is not None:
            section = found[2]
        else:
            examples.append((section, len(examples) + 1, found[1].replace("→", "\t")))
    return examples


SECTIONS = {
    section: [(number, text) for _, number, text in group]
    for section, group in groupby(_read_examples(), key=lambda example: example[0])
}


def _all_differences(examples, tag):
    return {
        number: found for number, text in examples if (found := differences(text, tag))
    }


def test_every_example_of_the_specification_is_read():
    """The setup of `make test` installs the specification with the workspace's packages."""
    assert sum(map(len, SECTIONS.values())) == EXAMPLES


@pytest.mark.parametrize("section", SECTIONS)
def test_a_tag_is_hidden_in_the_examples_exactly_where_the_reference_finds_code(
    section,
):
    for tag in TAGS:
        assert _all_differences(SECTIONS[section], tag) == {}


def _in_item(text):
    first, *rest = text.splitlines(keepends=True) or [""]
    return (
        "- " + first + "".join("  " + line if line.strip() else line for line in rest)
    )


ELSEWHERE = {
    "with CR LF": lambda text: text.replace("\n", "\r\n"),
    "with CR": lambda text: text.replace("\n", "\r"),
    "in a quote": lambda text: "".join(
        "> " + line for line in text.splitlines(keepends=True)
    ),
    "in an item": _in_item,
    "behind an open backtick": lambda text: f"text `\n{text}",
    "in front of a backtick": lambda text: f"{text}text `\n",
    "twice": lambda text: text + text,
}


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("where", ELSEWHERE)
@pytest.mark.parametrize("section", SECTIONS)
def test_so_it_is_where_the_examples_stand_elsewhere(section, where):
    examples = [(number, ELSEWHERE[where](text)) for number, text in SECTIONS[section]]
    for tag in TAGS:
        assert _all_differences(examples, tag) == {}
