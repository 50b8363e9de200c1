"""The page of a source: escaped, with line numbers, without a script."""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["source_page", "words_page"]

_LINE_BREAK: Final = re.compile("\r\n|\r|\n")

_SHARED_STYLE: Final = """
:root{color-scheme:light dark;--ground:#fff;--text:#1f2328;--faint:#6b7280}
@media (prefers-color-scheme:dark){
:root{--ground:#1e1f22;--text:#dfe1e5;--faint:#9aa0a8}}
body{margin:0;background:var(--ground);color:var(--text)}
"""

_SOURCE_STYLE: Final = """
pre{margin:0;padding-block:12px;counter-reset:line;tab-size:4;
font:13px/20px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{font:inherit;display:block;white-space:pre-wrap;overflow-wrap:anywhere;
padding-inline:calc(var(--digits)*1ch + 32px) 16px;position:relative;
min-height:20px;unicode-bidi:isolate}
code::before{counter-increment:line;content:counter(line);color:var(--faint);
position:absolute;inset-inline-start:0;width:calc(var(--digits)*1ch + 16px);
text-align:end;user-select:none}
"""

_WORDS_STYLE: Final = """
main{max-width:32rem;margin:15vh auto;padding-inline:24px;
font:15px/24px system-ui,sans-serif}
h1{font-size:18px;font-weight:600;line-height:24px;margin:0 0 8px}
p{margin:0 0 12px}
"""


def source_page(text: str, *, title: str) -> str:
    """Return a page that shows ``text`` as it is.

    Line breaks of any kind begin a line; a last empty line is not shown.
    """
    lines = _LINE_BREAK.split(text.removeprefix("\ufeff"))
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    rows = "".join(f"<code>{html.escape(line)}</code>" for line in lines)
    style = f"{_SHARED_STYLE}:root{{--digits:{len(str(len(lines)))}}}{_SOURCE_STYLE}"
    return _page(title, style, f'<pre dir="ltr" translate="no">{rows}</pre>')


def words_page(title: str, *sentences: str) -> str:
    """Return a page that says something: a heading and a paragraph a sentence."""
    words = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in sentences)
    body = f"<main><h1>{html.escape(title)}</h1>{words}</main>"
    return _page(title, _SHARED_STYLE + _WORDS_STYLE, body)


def _page(title: str, style: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{style}</style></head>"
        f"<body>{body}</body></html>"
    )
