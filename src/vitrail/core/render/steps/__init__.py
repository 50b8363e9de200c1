"""The steps that build a preview document, one a file, in the order they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from vitrail.core.render.page import Injection, Page
from vitrail.core.render.steps.bridge import inject_bridge
from vitrail.core.render.steps.svg_host import host_svg
from vitrail.core.render.steps.svg_prolog import hide_prolog

__all__ = ["STEPS", "Step"]

Step: TypeAlias = Callable[[Page], tuple[Injection, ...]]

STEPS: Final[tuple[Step, ...]] = (
    host_svg,
    inject_bridge,
    hide_prolog,
)
"""Injections of one offset stand in this order."""
