"""Every rule of the project's own can fail: each finds the breach that is planted for it."""

from __future__ import annotations

import pytest

from scripts.gates.table import GATES
from tests.gates.planted import CLEAN, PLANTED


def _lay(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("gate", "plant"), PLANTED, ids=[f"{gate}-{plant.says}" for gate, plant in PLANTED]
)
def test_a_planted_breach_is_found(tmp_path, gate, plant):
    _lay(tmp_path, plant.files)
    found = [str(breach) for breach in GATES[gate](tmp_path)]
    assert any(plant.says in line for line in found), found


def test_every_rule_has_its_planted_breach():
    assert {gate for gate, _ in PLANTED} == set(GATES)


@pytest.mark.parametrize("gate", [gate for gate in GATES if gate != "glossary"])
def test_nothing_is_found_where_nothing_is_wrong(tmp_path, gate):
    _lay(tmp_path, CLEAN)
    assert [str(breach) for breach in GATES[gate](tmp_path)] == []


def test_a_limit_is_lifted_by_a_cited_section_only(tmp_path):
    body = "    print()\n" * 50
    cited = f"def f():  # lifts function-length: mirrors CommonMark §4.6\n{body}"
    vague = f"def f():  # lifts function-length: it is long\n{body}"
    _lay(tmp_path, {"src/a.py": cited, "src/b.py": vague})
    assert [b.path for b in GATES["function-length"](tmp_path)] == ["src/b.py"]


def test_a_module_may_cite_its_section_in_its_head_only(tmp_path):
    words = "# lifts module-length: mirrors CommonMark §4.6\n"
    code = "def f(): ...\n"
    _lay(
        tmp_path,
        {
            "src/a.py": f'"""A."""\n\n{words}{code}' + "x = 1\n" * 600,
            "src/b.py": f'"""B."""\n\n{code}{words}' + "x = 1\n" * 600,
        },
    )
    assert [b.path for b in GATES["module-length"](tmp_path)] == ["src/b.py"]
