"""Texts as models write them, made up by rule: the same seed, the same texts.

`generated_texts` mixes all that a stream can hold, malformed and cut ones too.
`generated_replies` are well-formed replies whose artifacts can be saved.
"""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["generated_replies", "generated_texts", "hostile_texts"]

_WORDS = [
    "the",
    "page",
    "shows",
    "a",
    "calm",
    "list",
    "of",
    "results",
    "and",
    "then",
    "every",
    "chart",
    "follows",
    "one",
    "rule",
    "so",
    "that",
    "nobody",
    "waits",
    "for",
    "long",
    "while",
    "colours",
    "stay",
    "close",
    "to",
    "what",
    "was",
    "asked",
    "here",
    "is",
    "it",
    "with",
    "more",
    "room",
    "less",
    "noise",
    "better",
    "contrast",
    "larger",
    "type",
]
_CHINESE = (
    "这份报告说明了数据的来源与处理方法页面采用了简洁的布局颜色保持一致图表清晰可读"
)
_EXTRAS = (
    "😀",
    "👩🏽‍🚀",
    "é",
    "数据 🧪",
    "naïve",
    "Žluťoučký",
    "عربي",
    "\ufeff",
    "\u00a0",
)
_STRAYS = ("<", "`", "``", "<a", "a < b", "\\<", "\\`", "<!--", "*", "&lt;", "<b>x</b>")
_MALFORMED = (
    '<artifact identifier="x" type="text/html"',
    '<artifact identifier="x>\n\n',
    "<artifact>",
    '<Artifact identifier="x" type="text/html">',
    "<artifactual>demo</artifact>",
    '<artifact identifier="x" title="a > b',
    "<artifact <artifact ",
    "</artifact>",
    "</think>",
    "< artifact identifier='x'>",
    '<artifact identifier="y" type="text/html"/>',
)

_Piece = Callable[[random.Random], str]


def _sentence(rng: random.Random) -> str:
    if rng.random() < 0.15:
        start = rng.randrange(len(_CHINESE) - 8)
        return _CHINESE[start : start + rng.randrange(4, 9)] + "。"
    words = rng.sample(_WORDS, rng.randrange(3, 12))
    if rng.random() < 0.2:
        words.insert(rng.randrange(len(words)), rng.choice(_EXTRAS))
    if rng.random() < 0.12:
        words.insert(rng.randrange(len(words)), rng.choice(_STRAYS))
    return " ".join(words).capitalize() + rng.choice(".!?:")


def _prose(rng: random.Random) -> str:
    return " ".join(_sentence(rng) for _ in range(rng.randrange(1, 4)))


def _list(rng: random.Random) -> str:
    mark = rng.choice(("- ", "* ", "1. ", "  - "))
    return "\n".join(mark + _sentence(rng) for _ in range(rng.randrange(1, 5)))


def _quote(rng: random.Random) -> str:
    return "\n".join("> " + _sentence(rng) for _ in range(rng.randrange(1, 3)))


def _heading(rng: random.Random) -> str:
    return "#" * rng.randrange(1, 4) + " " + _sentence(rng)


def _fence(rng: random.Random) -> str:
    mark = rng.choice(("```", "````", "~~~"))
    info = rng.choice(("", "html", "js", 'html title="x"', "c++"))
    body = rng.choice(
        (
            "const a = 1 < 2;",
            _tag(rng) + "<p>an example</p></artifact>",
            '<div class="x">`</div>',
            _sentence(rng),
        )
    )
    return f"{mark}{info}\n{body}\n{mark}"


def _indented(rng: random.Random) -> str:
    return "\n".join("    " + line for line in (_sentence(rng), _tag(rng)))


def _explained(rng: random.Random) -> str:
    ticks = rng.choice(("`", "``"))
    close = rng.choice(("", "…</artifact>"))
    return f"Use {ticks}{_tag(rng)}{close}{ticks} and close it, or so. {_sentence(rng)}"


def _comment(rng: random.Random) -> str:
    return f"<!-- {_sentence(rng)}\n{_tag(rng)}\n-->"


def _tag(rng: random.Random) -> str:
    kind = rng.choice(("text/html", "image/svg+xml", "text/markdown", "text/css"))
    name = rng.choice(("page", "deck-1", "图表", "a b", "x"))
    title = rng.choice(("Page", "x > y", "数据 🧪", "it's", "a &amp; b"))
    gap = rng.choice((" ", "\n", "  "))
    return f'<artifact identifier="{name}" type="{kind}"{gap}title="{title}">'


_BODIES = (
    "<!doctype html><html><body><p>hello 你好 😀</p></body></html>",
    "<svg viewBox='0 0 1 1'><path d='M0 0'/></svg>",
    "# A\n\n```bash\nls -l\n```\n\n## B\n\n```js\nlet a = `x`;\n```\n",
    "body{color:red}\r\na>b{x:y}\r\n",
    "",
    "< / artifact ></artifac> </ artefact>",
    "nested <artifact identifier='n'> inside",
)


def _artifact(rng: random.Random) -> str:
    close = rng.choice(("</artifact>", "</artifact >", "</ARTIFACT>", "</artifact\n>"))
    gap = rng.choice(("", "\n"))
    return f"{_tag(rng)}{gap}{rng.choice(_BODIES)}{gap}{close}"


def _reasoning(rng: random.Random) -> str:
    name = rng.choice(("think", "thinking"))
    draft = rng.choice((_sentence(rng), _artifact(rng), "```html\n<p>\n```"))
    return f"<{name}>{draft}</{name}>"


def _malformed(rng: random.Random) -> str:
    return rng.choice(_MALFORMED)


def _stray(rng: random.Random) -> str:
    return " ".join(rng.choice(_STRAYS) for _ in range(rng.randrange(1, 5)))


_PIECES: tuple[tuple[_Piece, int], ...] = (
    (_prose, 8),
    (_list, 2),
    (_quote, 1),
    (_heading, 1),
    (_fence, 3),
    (_indented, 1),
    (_explained, 3),
    (_comment, 1),
    (_artifact, 5),
    (_reasoning, 2),
    (_malformed, 2),
    (_stray, 2),
)
_SEPARATORS = (
    "\n\n",
    "\n\n",
    "\n",
    "\r\n\r\n",
    "\r",
    " ",
    "",
    "\n> ",
    "\n- ",
    "\n    ",
)


def generated_texts(count: int, seed: int | str = 0) -> list[str]:
    """Return `count` texts of up to about 3 000 characters, some of them cut."""
    rng = random.Random(f"texts-{seed}")
    pieces, weights = zip(*_PIECES, strict=True)
    texts = []
    for _ in range(count):
        parts: list[str] = []
        for piece in rng.choices(pieces, weights, k=rng.randrange(1, 8)):
            parts += (piece(rng), rng.choice(_SEPARATORS))
        text = "".join(parts)
        if rng.random() < 0.25:
            text = text[: rng.randrange(len(text) + 1)]
        texts.append(text)
    return texts


# --- replies that can be saved -------------------------------------------


def _page(rng: random.Random, name: str) -> tuple[str, str]:
    items = "".join(f"<li>{_safe(rng)}</li>\n" for _ in range(rng.randrange(2, 6)))
    return "text/html", (
        f"<!doctype html>\n<html>\n<head><title>{name}</title></head>\n"
        f"<body>\n<h1>{name}</h1>\n<ul>\n{items}</ul>\n</body>\n</html>\n"
    )


def _deck(rng: random.Random, name: str) -> tuple[str, str]:
    slides = "".join(
        f'<section class="slide"><h2>{_safe(rng)}</h2></section>\n'
        for _ in range(rng.randrange(2, 7))
    )
    return "text/html", (
        f"<!doctype html>\n<html><head><title>{name}</title></head>\n"
        f"<body>\n{slides}</body></html>\n"
    )


def _mark(rng: random.Random, name: str) -> tuple[str, str]:
    radius = rng.randrange(4, 40)
    return "image/svg+xml", (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f"<title>{name}</title><circle cx='50' cy='50' r='{radius}'/></svg>\n"
    )


def _report(rng: random.Random, name: str) -> tuple[str, str]:
    return "text/markdown", (
        f"# {name}\n\n{_safe(rng)}\n\n```bash\nls -l\n```\n\n## More\n\n{_safe(rng)}\n"
    )


def _safe(rng: random.Random) -> str:
    words = " ".join(rng.sample(_WORDS, rng.randrange(3, 9)))
    return words + rng.choice(("", " 数据", " 😀", " é"))


_KINDS = (_page, _deck, _mark, _report)


def generated_replies(count: int, seed: int = 0) -> list[str]:
    """Return `count` well-formed replies with one to three artifacts each.

    Their kinds are pages, decks, SVG marks and Markdown reports; identifiers
    are distinct within a reply.
    """
    rng = random.Random(f"replies-{seed}")
    replies = []
    for number in range(count):
        parts = [_safe(rng) + ".\n\n"]
        if rng.random() < 0.3:
            parts.append("Written as `<artifact identifier=…>` in a reply.\n\n")
        for at in range(rng.randrange(1, 4)):
            name = (
                f"{rng.choice(('page', 'deck', 'mark', 'note', '图表'))}-{number}-{at}"
            )
            kind, body = rng.choice(_KINDS)(rng, name)
            parts.append(
                f'<artifact identifier="{name}" type="{kind}" title="{name} {at}">\n'
                f"{body}</artifact>\n\n{_safe(rng)}.\n\n"
            )
        replies.append("".join(parts))
    return replies


# --- inputs that are meant to hurt ------------------------------------------


def hostile_texts(chars: int) -> dict[str, str]:
    """Return texts of about `chars` characters that a careless parser is slow on."""

    def fill(unit: str, head: str = "") -> str:
        return head + unit * ((chars - len(head)) // len(unit) + 1)

    tag = '<artifact identifier="a" type="text/html">'
    return {
        "unclosed fence": fill("some code here < 3\n", "```html\n"),
        "unclosed fence with a tag": fill("<p>text</p>\n", f"```html\n{tag}\n"),
        "open backtick": fill("words and more words ", "a `b "),
        "open backtick and tags": fill(f"x {tag}<p> ", "a `b "),
        "angles": fill("<"),
        "angle letters": fill("<a "),
        "endless open tag": fill("x='y' ", "<artifact "),
        "endless quoted tag": fill("<artifact ", '<artifact title="'),
        "openers": fill("<artifact "),
        "tags on fences": fill(
            "```" + "<artifact\ttitle=\"a > b\">''" * 9 + "\n<\n```\n"
        ),
        "openers with quotes": fill("<artifact \"'"),
        "openers with attributes": fill('<artifact x="'),
        "complete openers in line": fill(f"a {tag} b "),
        "half closers": fill("</artifac ", tag),
        "angles in a body": fill("<", tag),
        "backtick pyramid": "".join("`" * n + " " for n in range(1, int(chars**0.5))),
        "comment openers": fill("<!-- a ", "x "),
        "comment and quotes": fill("> -- ", "x <!-- "),
        "attributes": fill(" b=c", "x <a"),
        "attribute quotes": fill("<a b='<a c=\"", "x "),
        "nested quotes": fill("> "),
        "nested items": fill("- "),
        "marks": fill("*"),
        "rules": fill("- - - x\n"),
        "spaces": fill(" "),
        "tabs": fill("\t"),
        "backslashes": fill("\\"),
        "brackets": fill("["),
        "link tails": fill("[a](", "x"),
        "blank lines in items": fill("\n", "- " * 40 + "x"),
        "fence-like lines": fill("```a`b\n"),
        "numbers": fill("1234567890. "),
        "digits": fill("1"),
        "returns": fill("\r"),
        "open comment block": fill("text > -- > ", "<!-- "),
        "script block": fill("</scrip> < ", "<script>\n"),
        "fence behind a tag": fill("a ", '````\x06<artifact "]\n<artifact '),
        "held with blanks": fill(" ", f"a {tag}"),
        "mails": fill("<a@b.c "),
        "addresses": fill("<ab:c`d"),
    }


def hostile_dialect_texts(chars: int) -> dict[str, tuple[str, str]]:
    """Return, by name, a dialect and a text that its reader may be slow on."""

    def fill(unit: str, head: str = "") -> str:
        return head + unit * ((chars - len(head)) // len(unit) + 1)

    form = '{"questions":[{"id":"a","label":"'
    auto = {
        "form openers": fill("<question-form "),
        "open forms": fill("<question-form>" * 600 + "</question-form>\n\n"),
        "form behind an embed": "`[embed url='/a'] b ``~~~\n<ask-question>~~~\n"
        + fill("a </thinking> "),
        "embeds in a tag": fill("[embed url='/a'] b ", "\x01<artifact ") + "?>",
        "tags in a comment": fill("`<!--<artifact -->[[reply_to_current]]<think>"),
        "forms in quotes": fill("<ask-question id='"),
        "forms of brackets": fill("<question-form>" + "[" * 9000 + "</question-form>"),
        "form of quotes": fill('"', "<question-form>" + form),
        "form of escapes": fill("\\u12", "<question-form>" + form),
        "form of questions": fill('{"label":"a"},', '<question-form>{"questions":['),
        "closes of forms": fill(
            "<question-form>{" + "</question-for" * 600 + "</question-form>\n"
        ),
        "double brackets": fill("[["),
        "brackets": fill("["),
        "reply tags cut off": fill("[[reply_to: "),
        "embeds": fill("[embed "),
        "embed blocks": fill('[embed ref="a"]'),
        "embed quotes": fill('[embed a="'),
        "media lines": fill("MEDIA: a b.c "),
        "media lines in a held tag": fill(
            "MEDIA: ", "MEDIA: " * (chars // 20) + '```<boltArtifact id="p">'
        ),
        "media marks": fill("MEDIA:\n"),
        "silence": fill(" "),
        "edits": fill("<edit>"),
        "edits and tool calls": fill("<edit><tool_call x"),
        "barred tags": fill("<| | |"),
        "DSML": fill("< | DSML artifact"),
        "angles": fill("<"),
        "angles and blanks": fill("< "),
        "actions": fill('<boltAction type="file" filePath="', '<boltArtifact id="a">'),
        "colon lines": fill(":::\n"),
        "colon openers": fill(":::artifact{identifier='a'\n"),
        "colon blocks": fill(":::artifact{identifier='a'}\n```\n"),
        "fences in a colon block": fill("```\n", ":::artifact{identifier='a'}\n```\n"),
        "backtick pyramid": "".join(
            "`" * count + " [[a " for count in range(1, int(chars**0.5))
        ),
        "one line": fill("words and more "),
    }
    texts = {f"auto: {name}": ("auto", text) for name, text in auto.items()}
    texts["ant: openers"] = "ant", fill("<antArtifact x ")
    texts["ant: closes"] = "ant", fill("</antArtifac", '<antArtifact identifier="a">')
    texts["bolt: openers"] = "bolt", fill("<boltArtifact ")
    texts["colon: marks"] = "colon", fill(":::artifact{")
    texts["fence: openers"] = "fence", fill("```html\n<!doctype htm\n")
    texts["fence: closes"] = "fence", fill("``\n", "```html\n<!doctype html>\n")
    texts["fence: tildes"] = "fence", fill("~~~html\n")
    return texts
