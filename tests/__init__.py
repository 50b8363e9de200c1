"""Tests; a package, so that one which a dependency brings along is never taken for it."""
