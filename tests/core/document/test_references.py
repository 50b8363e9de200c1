"""References of a page: where each of them stands in the source."""

from __future__ import annotations

import pytest

from vitrail.core.document.references import references_of, srcset_spans


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_reference_has_the_span_of_its_whole_tag(ending):
    tag = f'<img{ending}  alt="a"{ending}  src="a.png">'
    page = f"<p>{ending}{tag}{ending}<b>x</b>"
    [found] = references_of(page)
    assert found.span is not None
    assert page[slice(*found.span)] == tag


@pytest.mark.parametrize(
    ("value", "addresses"),
    [
        ("a.png", ["a.png"]),
        ("a.png 1x,b.png 2x", ["a.png", "b.png"]),
        (" , a.png,, b.png 2x ", ["a.png", "b.png"]),
        (
            "data:image/png;base64,AA== 1x, b.png",
            ["data:image/png;base64,AA==", "b.png"],
        ),
        ("a.png (1x, 2x), b.png", ["a.png", "b.png"]),
        (" ,, ", []),
    ],
)
def test_a_srcset_is_cut_as_browsers_do(value, addresses):
    assert [value[start:end] for start, end in srcset_spans(value)] == addresses
