"""Every gate holds for this tree."""

from __future__ import annotations

import pytest

from scripts.check import CHECKS


@pytest.mark.timeout(300)  # a cold type check of everything
@pytest.mark.parametrize("name", CHECKS)
def test_gate_holds(name):
    found = CHECKS[name]()
    assert not found, "\n".join(found)
