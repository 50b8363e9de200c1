"""Tokens of a page: joined they are its source, and their places are right."""

from __future__ import annotations

import html as html_module

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vitrail.core.document.tokens import attribute_sources, html_tokens

PIECES = [
    "<p>", "</p>", "<p class='a\r\nb' id=x>", "<br/>", "<!-- c\r\n -->", "<!doctype html>",
    "<script>if(a<b){}\r\n</script>", "<style>a{}</style>", "<textarea>&amp;<b></textarea>",
    "text", "&amp;", "&notanentity;", "a\rb", "\r\n", "\n", "\r", "\0", "</>", "</", "<",
    "<?pi?>", "<![CDATA[ x<y ]]>", "</p", "<p a=<x>", '<a b="', "'", ">", "é", "😀", "\ufeff",
    "<svg><title>", "</svg>", "<title>a</title>", "<plaintext>", "&", "<!", "<!-", "-->", "\x0c",
]  # fmt: skip
pages = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.text(alphabet="<>/!-ab\"'= \r\n&;", max_size=40),
)


@given(pages)
@example("<b></>x")
@example("a</p")
@example("<a b='\r\n'>\r\n</a>")
def test_the_tokens_partition_the_source(page: str):
    at = 0
    for token in html_tokens(page):
        assert token.start == at
        assert token.end > token.start
        at = token.end
    assert at == len(page)


@given(pages)
def test_markup_stands_where_its_token_says(page: str):
    for token in html_tokens(page):
        source = page[token.start : token.end]
        match token.kind:
            case "start":
                assert source[:1] == "<"
                assert source[1 : 1 + len(token.tag)].lower() == token.tag.replace(
                    "\ufffd", "\0"
                )
            case "end":
                assert source[:2] == "</"
            case "comment":
                assert source[:2] in ("<!", "<?", "</")
            case _:
                pass


@given(pages)
def test_an_attribute_stands_where_it_is_said_to(page: str):
    for token in html_tokens(page):
        if token.kind != "start":
            continue
        values = dict(reversed(token.attributes))
        for found in attribute_sources(page, token):
            raw = page[found.start : found.end].replace("\r\n", "\n")
            raw = raw.replace("\r", "\n").replace("\0", "\ufffd")
            if "&" not in raw:
                assert values[found.name.replace("\0", "\ufffd")] == raw


@pytest.mark.parametrize(
    ("tag", "values"),
    [
        ("<a href=x.html>", {"href": "x.html"}),
        ("<a href = 'x y' href=z>", {"href": "x y"}),
        ('<img/src="a&amp;b"/>', {"src": "a&amp;b"}),
        ("<a b c=d/>", {"c": "d/"}),
        ("<A HREF=x>", {"href": "x"}),
        ("<a =x y=z>", {"y": "z"}),
        ("<a href=''>", {"href": ""}),
        ("<a\thref\n=\nx>", {"href": "x"}),
    ],
)
def test_values_of_attributes_in_every_writing(tag: str, values: dict[str, str]):
    (token,) = html_tokens(tag)
    found = {a.name: tag[a.start : a.end] for a in attribute_sources(tag, token)}
    assert found == values
    assert all(
        html_module.unescape(found[name]) == value
        for name, value in token.attributes
        if name in found and name != "href"
    )
