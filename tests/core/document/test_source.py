"""Places of the tree in the source."""

from __future__ import annotations

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.document.source import parse_source, script_offset

MARK = "§"


@pytest.mark.parametrize(
    "marked",
    [
        "<!doctype html>\r\n<html lang=en>\r\n<head>§<title>x</title>",
        "<html><HEAD data-a='>' \r\n data-b>§\r\n<p>",
        "<html a='\r\n\r\r\n'>§<title>",
        "<html>§<script></script><head>",
        "<!-- a --><html>§<body>",
        "<!DOCTYPE html>§<p>hi",
        "\r\n<!-- <!doctype x> -->\r\n\r<!DOCTYPE html PUBLIC 'a>§b'>\r\n<p>",
        "<!doctype html§",
        "\ufeff<!doctype html>§<p>",
        "\ufeff§<p>",
        "\ufeff<html>§",
        "§<p><!doctype html>",
        "§x<html a=1>y<head>z",
        "§<script></script><html><head>",
        "§</head><head>",
        "§<template><head></template>",
        "§<svg><head>",
        "§<!-- <head> -->",
        "§<textarea><head>",
        "§",
        "§<html",
        "<html>§<head",
        "🧪<html>".replace("🧪", "<!--🧪-->") + "§",
    ],
)
def test_a_script_stands_before_every_script_of_the_page(marked: str) -> None:
    before, _, after = marked.partition(MARK)
    assert script_offset(parse_source(before + after)) == len(before)


SOUP = st.lists(
    st.sampled_from(
        [
            *(
                "<html>",
                "<head>",
                "<body>",
                "<html a='\r\n'>",
                "<HEAD\r\nb>",
                "</head>",
            ),
            *("<!doctype html>", "<!DOCTYPE\r\nhtml>", "<!-- a\r\n -->", "<?x?>"),
            *("<p class=a>", "</p>", "</body>", "<template>", "</template>", "<svg>"),
            *("<script>a<b</script>", "<title>\r\n", "</title>", "<table><tr>", "<td>"),
            *("\r\n", "\r", "\n", " ", "x", "\ufeff", "🧪", "&amp;", "<", ">", "\f"),
            *("<noscript>", "</noscript>", "<frameset>", "<math>", "<plaintext>", "\0"),
        ]
    ),
    max_size=14,
).map("".join)


@given(SOUP)
def test_start_tags_stand_where_the_source_says_they_do(text: str) -> None:
    source = parse_source(text)
    for element in source.document.find_all():
        place = source.start_tag(element)
        if place is not None:
            tag = text[slice(*place)]
            assert tag.lower().startswith(f"<{element.tag}".lower())
            assert tag.endswith(">")


@given(SOUP)
def test_end_tags_stand_where_the_source_says_they_do(text: str) -> None:
    source = parse_source(text)
    for element in source.document.find_all():
        place = source.end_tag(element)
        if place is not None:
            assert text[slice(*place)].lower().startswith("</")


@given(SOUP)
def test_a_script_changes_nothing_else_of_the_tree(text: str) -> None:
    source = parse_source(text)
    at = script_offset(source)
    probe = "<script id=probe></script>"
    page = (text[:at] + probe + text[at:])[source.starts_at :]
    tree = turbohtml.parse(page, scripting=True)
    scripts = tree.find_all("script")
    assert scripts[0].attr("id") == "probe"
    scripts[0].decompose()
    assert _outline(tree) == _outline(source.document)


def _outline(tree: turbohtml.Document) -> list[str]:
    """Every element and text in order; white space and comments before them aside."""
    return [
        node.tag if isinstance(node, turbohtml.Element) else node.text
        for node in tree.descendants
        if isinstance(node, turbohtml.Element)
        or (isinstance(node, turbohtml.Text) and node.text.strip())
    ]
