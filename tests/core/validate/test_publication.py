"""Publication: spec/open-design-1 §11; and which placeholders may be declared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.validate import (
    PLACEHOLDERS,
    GateCandidate,
    Placeholder,
    check_gates,
    declared_placeholders,
)
from vitrail.core.validate.placeholders import why_unproven
from vitrail.core.validate.publication import find_placeholders, guards_publication
from vitrail.protocol.manifest import Kind

FIVE = (
    "Name to confirm",
    "$X.XM",
    "Replace this panel with",
    "Replace role placeholders",
    "Your form answer only said",
)
PAGE = "<!doctype html><html><body>{}</body></html>"


def judged(text: str, kind: Kind = "html", *declared: Placeholder):
    return check_gates(
        GateCandidate("a.html", kind, text.encode(), placeholders=declared)
    )


def test_the_five_are_the_reference_s_in_its_order() -> None:
    assert tuple(one.text for one in PLACEHOLDERS) == FIVE


def test_row_01_all_five_are_found_in_their_order() -> None:
    text = PAGE.format("".join(f"<p>{one}…</p>" for one in reversed(FIVE)))
    assert find_placeholders(text) == FIVE
    verdict = judged(text)
    assert verdict.outcome == "refused"
    assert verdict.code == "artifact-publication-blocked"
    assert verdict.details == {"placeholders": list(FIVE)}


def test_row_02_a_finished_pitch_is_let_through() -> None:
    text = PAGE.format("<p>We raise $4.5M; revenue grew by 34 %. Name: M. Sommer.</p>")
    assert find_placeholders(text) == ()
    assert judged(text, "deck").outcome == "accepted"


def test_row_03_texts_and_bytes_are_read_and_nothing_else() -> None:
    text = "We raise $X.XM"
    read: tuple[object, ...] = (text, text.encode(), bytearray(text.encode()))
    for body in read:
        assert find_placeholders(body) == ("$X.XM",)
    others: tuple[object, ...] = (None, {"text": text}, 7, [text])
    for body in others:
        assert find_placeholders(body) == ()


def test_row_04_only_pages_and_decks_are_guarded() -> None:
    assert all(map(guards_publication, ("html", "deck")))
    others = ("markdown-document", "code-snippet", "sketch", "svg", None, "")
    assert not any(map(guards_publication, others))


def test_row_05_two_markers_refuse_a_page() -> None:
    verdict = judged(PAGE.format("<h1>Name to confirm</h1><p>$X.XM"))
    assert verdict.placeholders == ("Name to confirm", "$X.XM")
    assert not verdict.ok
    assert [found.code for found in verdict.diagnostics] == [
        "artifact-publication-blocked"
    ] * 2


def test_row_06_a_panel_to_replace_refuses_a_deck() -> None:
    verdict = judged("<section>Replace this panel with a chart", "deck")
    assert verdict.placeholders == ("Replace this panel with",)


def test_row_07_a_draft_in_markdown_may_hold_them() -> None:
    text = "# Draft\n\nName to confirm, $X.XM"
    verdict = check_gates(GateCandidate("a.md", "markdown-document", text.encode()))
    assert verdict.outcome == "accepted"


def test_row_08_a_clean_deck_is_let_through() -> None:
    assert judged(PAGE.format("<section class=slide>Q3</section>" * 3), "deck").ok


@pytest.mark.parametrize(
    "text",
    [
        "Name&nbsp;to confirm",
        "<b>Name</b> to <i>confirm</i>",
        "Name\n  to\u00a0confirm",
        "Na<span>me</span> t&#111; confirm",
        "Name<!-- x --> to confirm",
        "<script>x = 'Name to confirm'</script>",
    ],
)
def test_what_a_reader_sees_counts_too(text: str) -> None:
    assert judged(PAGE.format(text)).placeholders == ("Name to confirm",)


@pytest.mark.parametrize(
    "text",
    [
        "name to confirm",
        "<td>Name</td><td>to confirm</td>",
        "Name<br>to confirm",
        "<p>Name</p> to confirm",
        "Names to confirm",
        "Name<script>x</script> to confirm",
    ],
)
def test_what_is_no_such_sentence_does_not(text: str) -> None:
    assert judged(PAGE.format(text)).ok


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_no_encoding_hides_them(encoding: str) -> None:
    content = PAGE.format("é Name to confirm").encode(encoding)
    verdict = check_gates(GateCandidate("a.html", "html", content))
    assert verdict.placeholders == ("Name to confirm",)


def test_a_reason_to_replace_lets_no_placeholder_through() -> None:
    verdict = check_gates(
        GateCandidate("a.html", "html", b"$X.XM", replace_reason="as asked")
    )
    assert verdict.outcome == "refused"


def test_a_cut_body_is_not_judged_before_it_is_whole() -> None:
    candidate = GateCandidate("a.html", "html", b"$X.XM", is_complete=False)
    assert check_gates(candidate).ok


def test_a_placeholder_is_told_with_its_place() -> None:
    found = judged("<p>é $X.XM").diagnostics[0]
    assert found.span == (5, 10)


# --- declared -----------------------------------------------------------


def declared(text: object = "[Client]", **fixture: object) -> dict[str, object]:
    standard = {"unfinished": "For [Client], 2026", "finished": "For Acme, 2026"}
    return {"text": text, "fixture": {**standard, **fixture}}


def test_a_declared_placeholder_blocks_like_the_five() -> None:
    found, wrong = declared_placeholders([declared()])
    assert wrong == ()
    verdict = judged(PAGE.format("<p>For [Client] $X.XM"), "html", *found)
    assert verdict.placeholders == ("$X.XM", "[Client]")


def test_nothing_declared_is_no_fault() -> None:
    assert declared_placeholders(None) == ((), ())
    assert declared_placeholders([]) == ((), ())


@pytest.mark.parametrize("placeholder", PLACEHOLDERS, ids=lambda one: one.text)
def test_each_of_the_five_is_proven_by_its_fixture(placeholder: Placeholder) -> None:
    assert why_unproven(placeholder, PLACEHOLDERS) is None


@pytest.mark.parametrize(
    "item",
    [
        "[Client]",
        {},
        {"text": "[Client]"},
        {"text": "[Client]", "fixture": "For Acme"},
        declared(""),
        declared("the"),
        declared("x" * 201),
        declared("[Cli\nent]"),
        declared("\0\0\0\0"),
        declared(7),
        declared("[Cli\ud800]"),
        declared(unfinished=None),
        declared(finished=""),
        declared(finished="x" * 2001),
        # the fixture proves nothing
        declared(unfinished="For Acme, 2026"),
        declared(unfinished="For [Client] and [Client]"),
        declared(finished="For [Client], 2026"),
        declared(finished="Something else"),
        declared(finished="For , 2026"),
        declared(finished="For"),
        declared(finished="For [[Client]], 2026"),
        # finished work of another fixture holds it
        {
            "text": "Maria Sommer",
            "fixture": {"unfinished": "By Maria Sommer", "finished": "By Ann"},
        },
    ],
)
def test_what_its_fixture_does_not_prove_does_not_count(item: object) -> None:
    good = declared("[Date]", unfinished="On [Date]", finished="On Friday")
    found, wrong = declared_placeholders([item, good])
    assert [one.text for one in found] == ["[Date]"]
    assert [one.code for one in wrong] == ["placeholder-unproven"]
    assert all(one.severity == "warning" for one in wrong)


@pytest.mark.parametrize("value", [{}, "x", 7, {"text": "[Client]"}])
def test_a_declaration_is_a_list(value: object) -> None:
    found, wrong = declared_placeholders(value)
    assert found == ()
    assert len(wrong) == 1


def test_more_than_a_manifest_s_worth_is_told() -> None:
    many = [
        declared(f"[Field {n:03}]", unfinished=f"a [Field {n:03}]", finished="a b")
        for n in range(70)
    ]
    found, wrong = declared_placeholders(many)
    assert len(found) == 64
    assert len(wrong) == 1


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_read_without_a_crash(value: object) -> None:
    declared_placeholders(value)
    declared_placeholders([value, {"text": value, "fixture": value}])


@given(st.text(min_size=4, max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_a_proven_placeholder_never_blocks_its_finished_work(
    text: str, before: str, after: str
) -> None:
    item = {
        "text": text,
        "fixture": {
            "unfinished": before + text + after,
            "finished": f"{before}Acme{after}",
        },
    }
    found, _ = declared_placeholders([item])
    for one in found:
        assert one.text not in one.finished
        assert one.text in find_placeholders(one.unfinished, found)


@given(st.integers(0, 3_000), st.sampled_from(["<p>", "<i>", "</i>x<b>", " "]))
def test_a_sentence_is_seen_wherever_a_long_page_is_looked_at(
    count: int, before: str
) -> None:
    page = "<p>word</p>" * 1_300 + "<td>x" * count + before
    page += "Name <b>to</b>&nbsp;confirm" + "<p>word</p>" * 1_500
    assert find_placeholders(page) == ("Name to confirm",)
