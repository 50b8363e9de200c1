"""Runtime imports: spec/open-design-1 §13, and that nothing else of a page changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.validate import GateCandidate, check_gates
from vitrail.core.validate.bundles import BUNDLES, right_address
from vitrail.core.validate.runtime_imports import repair_imports

HOOKS = "<script>const {useScroll} = Motion; useScroll();</script>"
WRONG = "https://unpkg.com/motion@12.4.7/dist/motion.js"
RIGHT = "https://unpkg.com/framer-motion@12.4.7/dist/framer-motion.js"
ALIAS = "<script>window.FramerMotion=window.FramerMotion||window.Motion;</script>"


def page(head: str, body: str = HOOKS) -> str:
    return f"<!doctype html>\r\n<html><head>{head}</head><body>😀{body}</body></html>"


def written(text: str | bytes, path: str = "index.html") -> bytes:
    content = text.encode() if isinstance(text, str) else text
    return check_gates(GateCandidate(path, "html", content)).content


def saved(head: str, body: str = HOOKS) -> str:
    return written(page(head, body)).decode()


def script(address: str, more: str = "") -> str:
    return f'<script src="{address}"{more}></script>'


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (WRONG, RIGHT),
        (WRONG.replace("motion.js", "motion.min.js"), RIGHT),
        (
            "https://cdn.jsdelivr.net/npm/motion@11/dist/motion.js",
            "https://cdn.jsdelivr.net/npm/framer-motion@11/dist/framer-motion.js",
        ),
        (WRONG.replace("/motion@", "/framer-motion@"), RIGHT),
    ],
    ids=["unpkg", "min", "jsdelivr", "framer-motion"],
)
def test_row_01_the_bundle_without_hooks_is_replaced(wrong: str, right: str) -> None:
    assert saved(script(wrong)) == page(script(right))


def test_row_02_the_other_file_s_integrity_is_dropped() -> None:
    more = '\n  integrity="sha384-abc" crossorigin="anonymous"'
    assert saved(script(WRONG, more)) == page(script(RIGHT, ' crossorigin="anonymous"'))
    before = f'<script integrity=sha384-abc src="{WRONG}" defer></script>'
    assert saved(before) == page(f'<script src="{RIGHT}" defer></script>')


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("notes.md", page(script(WRONG))),
        ("index.html", page(script(WRONG), "<script>Motion.animate(x)</script>")),
    ],
    ids=["no-page", "no-hooks"],
)
def test_row_03_what_does_not_need_it_is_left(path: str, text: str) -> None:
    assert written(text, path) == text.encode()


def test_row_04_the_right_bundle_is_left_to_the_byte() -> None:
    text = page(script(RIGHT))
    verdict = check_gates(GateCandidate("a.html", "html", text.encode()))
    assert verdict.content == text.encode()
    assert verdict.outcome == "accepted"
    assert verdict.diagnostics == ()


USES_ALIAS = "<script>const {motion} = FramerMotion;</script>"


def test_row_05_the_other_global_is_put_in_behind_the_first_right_bundle() -> None:
    head = script(RIGHT) + script(RIGHT)
    expected = page(script(RIGHT) + ALIAS + script(RIGHT), USES_ALIAS)
    assert saved(head, USES_ALIAS) == expected


def test_row_05_the_other_global_with_the_wrong_bundle() -> None:
    expected = page(script(RIGHT) + ALIAS, USES_ALIAS)
    assert saved(script(WRONG), USES_ALIAS) == expected


def test_row_06_each_repair_is_told_and_the_page_is_saved_repaired() -> None:
    text = page(script(WRONG, ' integrity="x"'), HOOKS + USES_ALIAS)
    verdict = check_gates(GateCandidate("a.html", "html", text.encode()))
    assert verdict.outcome == "fixed"
    assert verdict.ok
    assert [found.code for found in verdict.diagnostics] == [
        "runtime-import-repaired",
        "runtime-import-repaired",
    ]
    assert RIGHT in verdict.diagnostics[0].message
    span = verdict.diagnostics[0].span
    assert span is not None
    assert text[slice(*span)] == f'src="{WRONG}"'


def test_unquoted_addresses_are_attributes_too() -> None:
    assert saved(f"<script src={WRONG}></script>") == page(script(RIGHT))
    assert saved(f"<SCRIPT SRC='{WRONG}'></SCRIPT>") == page(
        f'<SCRIPT src="{RIGHT}"></SCRIPT>'
    )


@pytest.mark.parametrize(
    "address",
    [
        "https://unpkg.com/motion/dist/motion.js",
        "https://unpkg.com/motion@/dist/motion.js",
        "https://unpkg.com/motion@1/dist/motion.js?x",
        "https://unpkg.com/motion@1/../dist/motion.js",
        "https://unpkg.com/@motionone/dom@1/dist/motion.js",
        "https://unpkg.com.evil.test/motion@1/dist/motion.js",
        "https://evil.test/https://unpkg.com/motion@1/dist/motion.js",
        "https://unpkg.com/motion@1&quot;onload=&quot;x/dist/motion.js",
        "https://unpkg.com/motion@1%22/dist/motion.js",
        "https://esm.sh/motion@1/dist/motion.js",
        "dist/motion.js",
    ],
)
def test_other_addresses_are_nobody_s_known_mistake(address: str) -> None:
    assert saved(script(address)) == page(script(address))


@pytest.mark.parametrize(
    "head",
    [
        f'<!-- <script src="{WRONG}"></script> -->',
        f"<script>const s = '<script src=\"{WRONG}\"><\\/script>'</script>",
        f'<title><script src="{WRONG}"></script></title>',
        f"<meta content='<script src=\"{WRONG}\"></script>'>",
        f'<link rel=modulepreload href="{WRONG}">',
        f'<script type=importmap>{{"imports":{{"motion":"{WRONG}"}}}}</script>',
        f'<script type=module>import "{WRONG}"</script>',
        f'<script data-src="{WRONG}"></script>',
        f'<script src="/own.js" src="{WRONG}"></script>',
    ],
)
def test_only_addresses_of_scripts_are_touched(head: str) -> None:
    assert saved(head) == page(head)


def test_hooks_in_prose_are_no_use_of_them() -> None:
    body = "<p>useScroll() of Motion is a hook; FramerMotion was its name.</p>"
    assert saved(script(WRONG), body) == page(script(WRONG), body)


def test_a_greater_than_sign_in_an_attribute_ends_no_tag() -> None:
    head = f'<script data-x="a > b" src="{WRONG}"></script>'
    assert saved(head) == page(f'<script data-x="a > b" src="{RIGHT}"></script>')


def test_bytes_that_are_no_text_are_never_touched() -> None:
    for content in (
        page(script(WRONG)).encode("utf-16"),
        page(script(WRONG), HOOKS + "é").encode("latin-1", "replace"),
        page(script(WRONG)).encode() + b"\xff\xfe",
    ):
        assert written(content) == content


def test_a_byte_order_mark_stays() -> None:
    text = "\ufeff" + page(script(WRONG))
    assert written(text) == text.replace(WRONG, RIGHT).encode()


def test_a_script_that_never_ends_gets_no_alias() -> None:
    text = f'{USES_ALIAS}<script src="{WRONG}">'
    assert written(text).decode() == f'{USES_ALIAS}<script src="{RIGHT}">'


pieces = st.sampled_from(
    [
        script(WRONG),
        script(RIGHT),
        script(WRONG, " integrity=x"),
        HOOKS,
        USES_ALIAS,
        ALIAS,
        "<p>😀\r\n</p>",
        "<!--",
        "-->",
        "<svg>",
        "<template>",
        "<table>",
        "</script>",
        "\r",
        "\ufeff",
        "<script>",
        "'\"",
    ]
)


@given(st.lists(pieces, max_size=12).map("".join))
def test_repairing_twice_is_repairing_once(text: str) -> None:
    once = written(text)
    assert written(once) == once


@given(st.lists(pieces, max_size=12).map("".join))
def test_all_but_the_repaired_ranges_stays(text: str) -> None:
    repairs = repair_imports(text)
    at = 0
    kept: list[str] = []
    for repair in repairs:
        assert at <= repair.span[0] <= repair.span[1] <= len(text)
        kept += (text[at : repair.span[0]], repair.new)
        at = repair.span[1]
    assert "".join((*kept, text[at:])) == written(text).decode()


@pytest.mark.parametrize("bundle", BUNDLES)
def test_a_right_address_is_never_a_wrong_one(bundle) -> None:
    right = f"https://unpkg.com/{bundle.right_package}@1/{bundle.right_file}"
    assert right_address(right, bundle) is None
    for other in BUNDLES:
        assert right_address(right, other) is None
