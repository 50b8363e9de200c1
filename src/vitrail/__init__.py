"""Vitrail turns what a model says into something people can use."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
