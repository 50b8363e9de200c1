"""Field bug 23: which frames the workspace has, and what they may do."""

from __future__ import annotations

from pathlib import Path

WEB = Path(__file__).parents[2] / "web"
PREVIEW_FRAME = "packages/react/src/preview/document-frame.tsx"


def sources() -> dict[str, str]:
    return {
        path.relative_to(WEB).as_posix(): path.read_text("utf-8")
        for pattern in ("*.ts", "*.tsx", "*.html")
        for path in WEB.rglob(pattern)
        if not {"node_modules", "dist", "test"} & set(path.parts)
    }


def test_the_previews_frame_is_the_only_one() -> None:
    makes_one = ("<iframe", 'createElement("iframe"', "createElement('iframe'")
    framing = [
        name
        for name, text in sources().items()
        if any(way in text for way in makes_one)
    ]
    assert framing == [PREVIEW_FRAME]


def test_it_has_a_sandbox_without_an_origin() -> None:
    text = (WEB / PREVIEW_FRAME).read_text("utf-8")
    assert text.count("<iframe") == text.count("sandbox={PREVIEW_SANDBOX}") == 1
    assert 'PREVIEW_SANDBOX = "allow-scripts allow-downloads allow-forms"' in text


def test_nothing_gives_a_frame_an_origin() -> None:
    naming = [name for name, text in sources().items() if "allow-same-origin" in text]
    assert naming in ([], [PREVIEW_FRAME])  # its comment says never
