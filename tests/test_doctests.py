"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import vitrail

SOURCE = Path(vitrail.__path__[0])


def _module_names():
    names = [
        "vitrail",
        *(m.name for m in pkgutil.walk_packages([str(SOURCE)], "vitrail.")),
    ]
    for name in names:
        path = SOURCE.joinpath(*name.split(".")[1:])
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if ">>> " in file.read_text(encoding="utf-8"):
            yield name


@pytest.mark.parametrize("name", sorted(_module_names()))
def test_every_example_says_what_it_shows(name):
    module = importlib.import_module(name)
    said: list[str] = []
    tests = doctest.DocTestFinder(exclude_empty=True).find(module)
    for test in tests:
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=said.append)
    assert not said, "".join(said)
    assert any(test.examples for test in tests)


PAGES = sorted(
    path
    for path in (SOURCE.parent.parent / "docs").glob("*.md")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_of_a_page_says_what_it_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
    assert not said, "".join(said)
