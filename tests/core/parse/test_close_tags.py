"""Close tags: the first one, but for those that a body's own code hides.

Each reply is read whole and one character at a time. What is not code by the body's type ends
the body; what is never ends it, unless nothing shows that the body goes on.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.parse import StreamParser, join_events
from vitrail.core.parse.close_tags import CloseTag, make_finder
from vitrail.limits import MAX_HELD_CHARS, MAX_OPEN_TAG_CHARS
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    Text,
)

LOOKS_PER_CHAR = 3
LOOKS_MORE = 16
END = "</artifact>"
PAGE_END = f"</script></body></html>{END}"
TYPES = (
    *("text/html", "image/svg+xml", "text/markdown", "text/css", "application/json"),
    *("text/jsx", "text/typescript", "text/plain", ""),
)


class Read:
    """A reply with one artifact of this type in front, read in pieces of a size."""

    def __init__(self, text, size=None):
        parser = StreamParser(dialect="tag")
        size = size or max(1, len(text))
        fed = []
        self.most_held = 0
        for at in range(0, len(text), size):
            fed += parser.feed(text[at : at + size])
            self.most_held = max(self.most_held, parser.held)
        self.told = join_events(fed)
        self.events = join_events(fed + parser.close())
        self.looked_at = parser.looked_at
        self.bodies = [""] * sum(isinstance(e, ArtifactStart) for e in self.events)
        for event in self.events:
            if isinstance(event, ArtifactChunk):
                self.bodies[event.artifact] += event.delta
        self.text = "".join(e.delta for e in self.events if isinstance(e, Text))
        self.codes = [e.code for e in self.events if isinstance(e, DiagnosticFound)]
        self.reasons = [e.reason for e in self.events if isinstance(e, ArtifactEnd)]


def read(kind, body, *, identifier="a"):
    """Read an artifact of this type and what follows it, in two ways."""
    text = f'<artifact identifier="{identifier}" type="{kind}">{body}'
    whole, single = Read(text), Read(text, 1)
    assert whole.events == single.events
    assert whole.told == single.told
    return whole


def body_of(kind, text):
    """Return the first body of a reply."""
    return read(kind, text).bodies[0]


# --- what hides -------------------------------------------------------------------

HIDDEN = {
    "a fence": ("text/markdown", f"# A\n\n```html\n<p>\n{END}\n```\n\n## B\n"),
    "a fence of tildes": ("text/markdown", f"~~~\n{END}\n~~~\nEnd.\n"),
    "a longer fence": ("text/markdown", f"````\n```\n{END}\n```\n````\nEnd.\n"),
    "a fence in a list": ("md", f"- a\n\n  ```\n  {END}\n  ```\n- b\n"),
    "a fence in a quote": ("markdown", f"> ```\n> {END}\n> ```\n\nb\n"),
    "a fence with CRLF": ("markdown", f"```\r\n{END}\r\n```\r\nb\r\n"),
    "a sample in a fence": (
        "text/markdown",
        f"```html\n<artifact type='text/html'>\n\n{END}\n\nText.\n```\n",
    ),
    "a code span": ("text/markdown", f"End it with `{END}`, then go on.\n"),
    "a span of two backticks": ("text/markdown", f"End it with `` ` {END} ``.\n"),
    "a string": ("text/html", f"<script>const s = '{END}';</script>"),
    "a string of double quotes": ("text/html", f'<script>x("a {END}")</script>'),
    "a string after an escape": ("text/html", f"<script>x('\\' {END}')</script>"),
    "a string of two lines": ("text/html", f"<script>x('a\\\n{END}')</script>"),
    "a template": ("text/html", f"<script>x(`\n{END}\n`)</script>"),
    "a template in a template": (
        "text/html",
        f"<script>x(`a ${{y.map(z => `{END}`)}} b`)</script>",
    ),
    "a template around code": (
        "text/html",
        f"<script>`${{ {{a: '{END}'}} }}`</script>",
    ),
    "a line comment": ("text/html", f"<script>// {END}\nx()</script>"),
    "a comment of a script": ("text/html", f"<script>/* {END}\n */x()</script>"),
    "an expression": ("text/html", f"<script>x = /[/'{END}]/.test(y)</script>"),
    "a style": ("text/html", f"<style>a:after{{content:'{END}'}}</style>"),
    "a text area": ("text/html", f"<textarea>\n{END}\n</textarea>"),
    "a comment": ("text/html", f"<!-- {END} -->\n<p>a</p>"),
    "a comment of lines": ("image/svg+xml", f"<svg><!--\n{END}\n--></svg>"),
    "a script of SVG": ("image/svg+xml", f"<svg><script>'{END}'</script></svg>"),
    "a component": ("application/vnd.react", f"const a = '{END}';\n"),
    "a script alone": ("text/javascript", f"const a = `{END}`;\n"),
    "a type with a suffix": ("TEXT/HTML; charset=utf-8", f"<!--{END}--><p>"),
    "JSON": ("application/json", f'{{"a": "{END}"}}'),
    "a comment of a style sheet": ("text/css", f"/* {END} */ a {{}}"),
    "a string of a style sheet": ("css", f"a:after {{ content: '{END}' }}"),
    "a page without a type": ("", f"\n<html><script>'{END}'</script>"),
    "a spaced close tag": ("text/html", "<!-- </ Artifact\n > -->"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_close_tag_in_code_is_part_of_the_body(name):
    kind, body = HIDDEN[name]
    seen = read(kind, f"{body}{END}\n\nDone.")
    assert seen.bodies == [body]
    assert seen.text == "\n\nDone."
    assert seen.reasons == ["closed"]
    assert seen.codes == []


def test_an_identifier_says_the_language_where_the_type_does_not():
    body = f"```\n{END}\n```\n"
    for kind in ("", "text/plain"):
        assert read(kind, f"{body}{END}", identifier="a.md").bodies == [body]
    assert read("text/html", f"{body}{END}", identifier="a.md").bodies == ["```\n"]


SHOWN = {
    "plain text": ("text/plain", "'", "'"),
    "a language that is not known": ("text/x-python", "'", "'"),
    "a page's text": ("text/html", "<p>'", "'</p>"),
    "an apostrophe": ("text/jsx", "<p>Don't</p>", " It's done."),
    "an apostrophe in a comment": ("text/javascript", "// don't\nx()\n", "\nIt's."),
    "a division": ("text/javascript", "a = b / c; '/'", "\n1/2 is a half."),
    "an expression with quotes": ("text/javascript", "a = /[`'\"]/g\n", "\n`'\"."),
    "inches": ("text/jsx", '<p>24"</p>', ' 24" wide.'),
    "a closed element of SVG": ("image/svg+xml", "<svg><style/></svg>", "</style>"),
    "a closing fence": ("text/markdown", "```\nls\n```", "\n```\nls\n```\n"),
    "a stray backtick": ("text/markdown", "a ` b ", "\nand ` more"),
    "a line of its own": ("text/markdown", "a ` b\n", " and ` more"),
    "an empty close tag in what is no page": ("", "a</><textarea>", "</textarea>"),
    "a comment that ended": ("text/html", "<!--><p>", " -->"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_close_tag_outside_code_ends_the_body(name):
    kind, body, text = SHOWN[name]
    seen = read(kind, f"{body}{END}{text}")
    assert seen.bodies == [body]
    assert seen.text == text
    assert seen.codes == []


# --- code that never ends ------------------------------------------------------------

UNENDED = {
    "a fence": ("text/markdown", "# A\n\n```bash\nls\n"),
    "a comment": ("text/html", "<!-- a <p>b</p>\n"),
    "a script": ("text/html", "<script>\nlet a = 1;\n"),
    "a style": ("text/html", "<style>a{}\n"),
    "a template": ("text/javascript", "a = `b\n"),
}


@pytest.mark.parametrize("name", UNENDED)
@pytest.mark.parametrize(
    "text", ["", "\n", "\n\nIt is done.\n", "\n\nIt's `x`.\n- a\n"]
)
def test_code_that_never_ends_swallows_no_reply(name, text):
    kind, body = UNENDED[name]
    seen = read(kind, f"{body}{END}{text}")
    assert seen.bodies == [body]
    assert seen.text == text
    assert seen.codes == ["close-tag-in-code"]
    assert seen.reasons == ["closed"]


@pytest.mark.parametrize("name", UNENDED)
def test_the_next_artifact_begins_where_code_never_ended(name):
    kind, body = UNENDED[name]
    second = f'<artifact identifier="b" type="text/css">a{{}}{END}'
    seen = read(kind, f"{body}{END}\nNext:\n{second}\nDone.")
    assert seen.bodies == [body, "a{}"]
    assert seen.text == "\nNext:\n\nDone."


def test_a_fence_of_the_text_does_not_close_one_of_the_body():
    text = "\nRun it:\n\n```\nls\n```\n\nThat is all.\n"
    seen = read("text/markdown", f"```bash\nls\n{END}{text}")
    assert seen.bodies == ["```bash\nls\n"]
    assert seen.text == text


def test_it_is_decided_as_soon_as_text_follows_a_blank_line():
    parser = StreamParser()
    parser.feed(f'<artifact type="text/markdown">```\nls\n{END}\n\n')
    events = parser.feed("D")
    assert isinstance(events[-1], ArtifactEnd | Text)
    assert any(isinstance(event, ArtifactEnd) for event in events)


def test_what_is_held_is_bounded_and_then_decided():
    prose = "One more line of the reply.\n" * 1_000
    open_fence = f'<artifact type="text/markdown">```\nls\n{END}\n{prose}'
    seen = Read(open_fence, 64)
    assert seen.bodies == ["```\nls\n"]
    assert seen.text == f"\n{prose}"
    assert seen.most_held <= MAX_HELD_CHARS + 64
    ended = f'<artifact type="text/markdown">```\n{END}\n```\n{prose}'
    seen = Read(ended, 64)
    assert seen.bodies == [f"```\n{END}\n```\n{prose}"]
    assert seen.reasons == ["unclosed"]
    assert seen.most_held <= MAX_HELD_CHARS + 64


def test_a_script_that_goes_on_behind_a_close_tag_keeps_it_and_says_so():
    body = f"<script>a = x {END}</b>';</script></body></html>"
    seen = read("text/html", f"{body}{END}\nDone.")
    assert seen.bodies == [body]
    assert seen.codes == ["close-tag-kept"]


def test_a_line_comment_at_the_end_of_a_body_does_not_hide_its_close_tag():
    seen = read("text/javascript", f"run() // done{END}\n\nThat is all.")
    assert seen.bodies == ["run() // done"]
    assert seen.text == "\n\nThat is all."


# --- laws ----------------------------------------------------------------------------

PIECES = (
    *(
        END,
        END,
        "</artifact >",
        "</ARTIFACT\n>",
        "</ \n artifact>",
        "</arti",
        "</",
        "<",
    ),
    *("<artifact type='text/html'>", "<artifact ", "<artifact>", "\n<artifact x>"),
    *("`", "``", "```", "\n```\n", "\n```js\n", "~~~\n", "> ", "- ", "\n> ```\n"),
    *("'", '"', "\\", "\\'", "/", "//", "/*", "*/", "[", "]", "${", "{", "}", "$"),
    *("<script>", "</script>", "<style>", "</style>", "<textarea>", "</textarea>"),
    *("<script src='x'/>", "<!--", "-->", "--", ">", "<p>", "</p>", "<s", "</s"),
    *("\n", "\n\n", "\r\n", "\r", " ", "\t", "a", "word ", "1", "İ", "\ufeff", "# "),
)
bodies = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
motifs = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
heads = st.sampled_from(["", "word ", "a `b ", "x <b ", "```\n", "- "])
kinds = st.sampled_from(TYPES)


def _reply(head, kind, body):
    tag = (
        f'<artifact identifier="a" type="{kind}">'
        if kind
        else "<artifact identifier='a'>"
    )
    return f"{head}{tag}{body}"


def _assert_bounded(run, text):
    assert run.looked_at <= LOOKS_PER_CHAR * len(text) + LOOKS_MORE
    assert run.most_held <= MAX_HELD_CHARS + MAX_OPEN_TAG_CHARS


def _assert_rebuilds(run, text):
    place = 0
    for event in run.events:
        match event:
            case ArtifactStart() if event.recovered is not None:
                return
            case Text() | ArtifactChunk():
                assert text.startswith(event.delta, place)
                place += len(event.delta)
            case DiagnosticFound():
                assert 0 <= event.span[0] <= event.span[1] <= len(text)
            case _:
                assert event.span[0] == place
                place = event.span[1]
    assert place == len(text)


@given(heads, kinds, bodies, st.integers(1, 9))
def test_borders_of_pieces_mean_nothing(head, kind, body, size):
    text = _reply(head, kind, body)
    whole = Read(text)
    _assert_rebuilds(whole, text)
    for run in (whole, Read(text, 1), Read(text, size)):
        assert run.events == whole.events
        assert run.told == whole.told
        _assert_bounded(run, text)


@given(kinds, bodies)
def test_every_split_gives_the_same(kind, body):
    text = _reply("", kind, body)
    whole = Read(text)
    for at in range(1, len(text)):
        parser = StreamParser(dialect="tag")
        events = parser.feed(text[:at]) + parser.feed(text[at:]) + parser.close()
        assert join_events(events) == whole.events, at


def _flat(events):
    flat: list[object] = []
    for event in events:
        match event:
            case Text():
                flat += list(event.delta)
            case ArtifactChunk():
                flat += [(event.artifact, ch) for ch in event.delta]
            case _:
                flat.append(event)
    return flat


@given(kinds, bodies)
def test_nothing_told_is_taken_back(kind, body):
    text = _reply("", kind, body)
    whole = _flat(Read(text).told)
    for at in range(len(text)):
        part = _flat(Read(text[:at]).told)
        assert whole[: len(part)] == part, at


@given(heads, kinds, motifs, st.sampled_from([1, 7, 64, 10_000]))
def test_what_is_said_again_and_again_costs_no_more(head, kind, motif, size):
    text = _reply(head, kind, motif * 60)
    _assert_bounded(Read(text, size), text)


FLOODS = {
    "half closers": "</artifac",
    "spaced half closers": "</ artifact x",
    "closers": END,
    "closers on lines": f"{END}\n",
    "backticks": "`",
    "lines of backticks": "```\n",
    "quotes": "'",
    "strings": f"'{END}",
    "slashes": "/",
    "templates": "`${",
    "scripts": "<script>",
    "comments": "<!--",
    "backslashes": "\\",
    "openers on lines": "\n<artifact x>",
}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", FLOODS)
def test_floods_cost_no_more_than_three_looks_and_are_not_held(kind, name):
    text = _reply("", kind, FLOODS[name] * (20_000 // len(FLOODS[name])))
    for size in (61, len(text)):
        run = Read(text, size)
        assert run.looked_at <= LOOKS_PER_CHAR * len(text) + LOOKS_MORE
        if size == 61:
            assert run.most_held <= MAX_HELD_CHARS + MAX_OPEN_TAG_CHARS


@pytest.mark.parametrize("kind", ["text/html", "text/markdown", "text/jsx"])
@pytest.mark.parametrize("flood", ["</artifac", "`", "'"])
def test_a_body_of_a_million_characters_is_read_in_one_pass(kind, flood):
    text = _reply("", kind, flood * (1_000_000 // len(flood)))
    run = Read(text, 4_096)
    assert run.looked_at <= 2 * len(text)
    assert run.most_held <= MAX_HELD_CHARS + 4_096


@given(kinds, bodies)
def test_a_body_is_looked_at_once(kind, body):
    finder = make_finder(kind)
    end = finder.find(body, 0, len(body))
    assert finder.looked == (finder.read if end >= 0 else len(body))


@given(bodies)
def test_an_unknown_language_ends_at_the_first_close_tag(body):
    assert make_finder("x/y").find(body, 0, len(body)) == CloseTag("artifact").find(
        body, 0, len(body)
    )
