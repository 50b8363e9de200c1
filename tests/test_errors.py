"""The documented codes, statuses and routes are those that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from vitrail.errors import CODES, VitrailError

DOCS = Path(__file__).parents[1] / "docs"
ROW = re.compile(r"^\| `([a-z-]+)` \| (\d{3}) \| (yes)? ?\| .+\. \|$", re.MULTILINE)


def test_the_page_has_every_code_with_its_status() -> None:
    documented = {
        code: (int(status), again == "yes")
        for code, status, again in ROW.findall((DOCS / "errors.md").read_text("utf-8"))
    }
    assert documented == {
        code: (entry.status, entry.retryable) for code, entry in CODES.items()
    }


def test_a_code_that_is_not_in_the_table_is_misuse() -> None:
    with pytest.raises(ValueError, match="expected a code"):
        VitrailError("x", code="made-up")


@pytest.mark.parametrize("kind", VitrailError.__subclasses__())
def test_every_class_has_a_code_of_the_table(kind: type[VitrailError]) -> None:
    assert kind("words").code in CODES
    assert kind("words").status == CODES[kind("words").code].status
