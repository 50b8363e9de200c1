"""Script bundles that models take for each other: which is wrong for what, and the right one.

One row a mistake. A row speaks only where the page uses what the wrong bundle
lacks, so that a page for which it is right keeps it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["BUNDLES", "Alias", "Bundle", "is_right", "right_address"]


@dataclass(frozen=True, slots=True)
class Alias:
    """A global that pages ask for and the right bundle calls otherwise."""

    name: str
    """What pages write."""
    script: str
    """Text of the inline script that makes it, behind the right bundle."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """One mistake, and what is right instead."""

    name: str
    """For messages."""
    packages: tuple[str, ...]
    """Packages whose bundle is taken."""
    wrong_files: tuple[str, ...]
    """Paths in them that lack what the page uses."""
    right_package: str
    right_file: str
    names: tuple[str, ...]
    """What the wrong files lack; used: called, or named behind `scope`."""
    scope: str
    """Global that the names hang from."""
    alias: Alias | None = None

    def is_used(self, scripts: str) -> bool:
        """Return whether scripts use what the wrong files lack; linear in them."""
        if self.alias is not None and _word(self.alias.name).search(scripts):
            return True
        wanted = "|".join(map(re.escape, self.names))
        if re.search(rf"\b(?:{wanted})\s*+\(", scripts, re.ASCII):
            return True
        scope = _word(self.scope).search(scripts)
        if scope is None:
            return False
        named = re.compile(rf"\b(?:{wanted})\b", re.ASCII)
        return named.search(scripts, scope.end()) is not None

    def needs_alias(self, scripts: str) -> bool:
        """Return whether scripts ask for the other global, and do not have it yet."""
        alias = self.alias
        if alias is None or alias.script in scripts:
            return False
        return _word(alias.name).search(scripts) is not None


BUNDLES: Final[tuple[Bundle, ...]] = (
    Bundle(
        name="Motion",
        packages=("motion", "framer-motion"),
        # for pages without React: it has no hooks
        wrong_files=("dist/motion.js", "dist/motion.min.js"),
        right_package="framer-motion",
        right_file="dist/framer-motion.js",
        names=(
            "useScroll",
            "useTransform",
            "useMotionTemplate",
            "useMotionValue",
            "useAnimationFrame",
        ),
        scope="Motion",
        alias=Alias(
            "FramerMotion",
            "window.FramerMotion=window.FramerMotion||window.Motion;",
        ),
    ),
)
"""Seed 003 §5.2, gate 0; spec/open-design-1 §13."""

_HOSTS: Final = ("https://unpkg.com/", "https://cdn.jsdelivr.net/npm/")
"""Where packages are served as ``PACKAGE@VERSION/FILE``."""

_VERSION: Final = re.compile(r"[\w.^~*+-]+", re.ASCII)


def right_address(address: str, bundle: Bundle) -> str | None:
    """Return the right bundle's address where this is a wrong one's, or None.

    Host and version stay. An address without a version, with a query, or of
    another host is nobody's known mistake.

    >>> right_address("https://unpkg.com/motion@12.4.7/dist/motion.js", BUNDLES[0])
    'https://unpkg.com/framer-motion@12.4.7/dist/framer-motion.js'
    """
    found = _taken_apart(address, bundle.packages, bundle.wrong_files)
    if found is None:
        return None
    host, version = found
    return f"{host}{bundle.right_package}@{version}/{bundle.right_file}"


def is_right(address: str, bundle: Bundle) -> bool:
    """Return whether this is the address of the right bundle, of any version."""
    found = _taken_apart(address, (bundle.right_package,), (bundle.right_file,))
    return found is not None


def _taken_apart(
    address: str, packages: tuple[str, ...], files: tuple[str, ...]
) -> tuple[str, str] | None:
    """Return host and version of one of these packages' files."""
    host = next((one for one in _HOSTS if address.startswith(one)), None)
    if host is None:
        return None
    package, at, rest = address.removeprefix(host).partition("@")
    version, _, file = rest.partition("/")
    if not at or package not in packages or file not in files:
        return None
    return (host, version) if _VERSION.fullmatch(version) else None


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\b", re.ASCII)
