"""What ``<`` may begin inside a paragraph: raw HTML or an autolink.

Strategy: one table of states a construct, stepped a character at a time, so
that a construct can be cut anywhere. Whether a construct is there is known
only at its last character; until then it is a hypothesis of
`vitrail.core.text.inline`. The grammar is CommonMark 0.31.2 §6.5 and §6.6.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from vitrail.limits import MAX_OPEN_TAG_CHARS

__all__ = ["Angle"]

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS: Final = frozenset("0123456789")
_TAG_NAME: Final = _LETTERS | _DIGITS | {"-"}
_NAME_START: Final = _LETTERS | frozenset("_:")
_NAME: Final = _TAG_NAME | frozenset("_:.")
_SCHEME: Final = _LETTERS | _DIGITS | frozenset("+.-")
_MAIL: Final = _LETTERS | _DIGITS | frozenset(".!#$%&'*+/=?^_`{|}~-")
_HOST: Final = _LETTERS | _DIGITS
_NO_UNQUOTED: Final = frozenset("\"'=<>`")
_UNSAFE_SCHEMES: Final = frozenset(["javascript", "vbscript", "file"])
"""Schemes that the reference parser does not link, so that they stay text."""

_MAX_SCHEME_CHARS: Final = 32
_MAX_LABEL_CHARS: Final = 63

_DONE: Final = "done"
_DEAD: Final = "dead"

_CDATA: Final = "CDATA["


def _start(ch: str) -> str:
    if ch in _LETTERS:
        return "name"
    return {"/": "close", "!": "bang", "?": "pi"}.get(ch, _DEAD)


def _name(ch: str) -> str:
    if ch in _TAG_NAME:
        return "name"
    if ch.isspace():
        return "before-attribute"
    return {"/": "slash", ">": _DONE}.get(ch, _DEAD)


def _before_attribute(ch: str) -> str:
    if ch.isspace():
        return "before-attribute"
    if ch in _NAME_START:
        return "attribute"
    return {"/": "slash", ">": _DONE}.get(ch, _DEAD)


def _attribute(ch: str) -> str:
    if ch in _NAME:
        return "attribute"
    if ch.isspace():
        return "after-attribute"
    return {"=": "before-value", "/": "slash", ">": _DONE}.get(ch, _DEAD)


def _after_attribute(ch: str) -> str:
    if ch == "=":
        return "before-value"
    if ch.isspace():
        return "after-attribute"
    return _before_attribute(ch)


def _before_value(ch: str) -> str:
    if ch.isspace():
        return "before-value"
    if ch in _NO_UNQUOTED:
        return {'"': "double", "'": "single"}.get(ch, _DEAD)
    return "unquoted" if ch > " " else _DEAD


def _unquoted(ch: str) -> str:
    if ch == ">":
        return _DONE
    if ch.isspace():
        return "before-attribute"
    return _DEAD if ch in _NO_UNQUOTED or ch <= " " else "unquoted"


def _double(ch: str) -> str:
    return "after-value" if ch == '"' else "double"


def _single(ch: str) -> str:
    return "after-value" if ch == "'" else "single"


def _after_value(ch: str) -> str:
    if ch.isspace():
        return "before-attribute"
    return {"/": "slash", ">": _DONE}.get(ch, _DEAD)


def _slash(ch: str) -> str:
    return _DONE if ch == ">" else _DEAD


def _close(ch: str) -> str:
    return "close-name" if ch in _LETTERS else _DEAD


def _close_name(ch: str) -> str:
    return "close-name" if ch in _TAG_NAME else _close_space(ch)


def _close_space(ch: str) -> str:
    if ch.isspace():
        return "close-space"
    return _DONE if ch == ">" else _DEAD


def _bang(ch: str) -> str:
    if ch in _LETTERS:
        return "declaration"
    return {"-": "bang-dash", "[": "cdata-0"}.get(ch, _DEAD)


def _bang_dash(ch: str) -> str:
    return "comment-start" if ch == "-" else _DEAD


def _comment_start(ch: str) -> str:
    return {">": _DONE, "-": "comment-start-dash"}.get(ch, "comment")


def _comment_start_dash(ch: str) -> str:
    # "--->" ends none: markdown-it-py 4 still reads comments as CommonMark 0.30 did.
    return _DONE if ch == ">" else "comment"


def _comment(ch: str) -> str:
    return "comment-dash" if ch == "-" else "comment"


def _comment_dash(ch: str) -> str:
    return "comment-dashes" if ch == "-" else "comment"


def _comment_dashes(ch: str) -> str:
    # "--->" ends none: markdown-it-py 4 still reads comments as CommonMark 0.30 did.
    return _DONE if ch == ">" else "comment"


def _declaration(ch: str) -> str:
    return _DONE if ch == ">" else "declaration"


def _pi(ch: str) -> str:
    return "pi-mark" if ch == "?" else "pi"


def _pi_mark(ch: str) -> str:
    return _DONE if ch == ">" else _pi(ch)


def _cdata(ch: str) -> str:
    return "cdata-bracket" if ch == "]" else "cdata"


def _cdata_bracket(ch: str) -> str:
    return "cdata-brackets" if ch == "]" else "cdata"


def _cdata_brackets(ch: str) -> str:
    return _DONE if ch == ">" else _cdata_bracket(ch)


def _cdata_open(state: str) -> Callable[[str], str]:
    at = int(state[-1])

    def step(ch: str) -> str:
        if ch != _CDATA[at]:
            return _DEAD
        return "cdata" if at == len(_CDATA) - 1 else f"cdata-{at + 1}"

    return step


_HTML: Final[dict[str, Callable[[str], str]]] = {
    "start": _start,
    "name": _name,
    "before-attribute": _before_attribute,
    "attribute": _attribute,
    "after-attribute": _after_attribute,
    "before-value": _before_value,
    "unquoted": _unquoted,
    "double": _double,
    "single": _single,
    "after-value": _after_value,
    "slash": _slash,
    "close": _close,
    "close-name": _close_name,
    "close-space": _close_space,
    "bang": _bang,
    "bang-dash": _bang_dash,
    "comment-start": _comment_start,
    "comment-start-dash": _comment_start_dash,
    "comment": _comment,
    "comment-dash": _comment_dash,
    "comment-dashes": _comment_dashes,
    "declaration": _declaration,
    "pi": _pi,
    "pi-mark": _pi_mark,
    "cdata": _cdata,
    "cdata-bracket": _cdata_bracket,
    "cdata-brackets": _cdata_brackets,
    **{f"cdata-{at}": _cdata_open(f"cdata-{at}") for at in range(len(_CDATA))},
    _DEAD: lambda _ch: _DEAD,
}

_PATIENT: Final = frozenset(
    [
        "double", "single", "declaration", "comment", "comment-dash",
        "comment-dashes", "pi", "pi-mark", "cdata", "cdata-bracket",
        "cdata-brackets",
    ]
)  # fmt: skip
"""States that only a quote, a ``-``, ``?``, ``]`` or ``>`` can leave for good."""


_MAX_CHARS: Final = MAX_OPEN_TAG_CHARS
"""Of a tag outside quotes, or of an address: longer ones are text."""

_RUN: Final = re.compile(r"[A-Za-z0-9-]*+")


@cache
def _quick(marks: str) -> dict[str, re.Pattern[str]]:
    """Return what goes on with a tag and is no mark of any other hypothesis.

    By state; `marks` are further characters that it must stop in front of.
    """
    stops = re.escape(marks)
    bare = r"[!#-&(-;?-\[\]-_a-~]"
    if marks:
        bare = rf"(?:(?![{stops}]){bare})"
    value = (
        rf"(?P<value>=(?:(?P<quote>\")[^\"`<\\\n\r{stops}]*+(?P<close>\")?+"
        rf"|(?P<quote1>')[^'`<\\\n\r{stops}]*+(?P<close1>')?+"
        rf"|{bare}++))?+[ \t]*+"
    )
    attribute = re.compile(
        rf"[ \t]*+(?:(?P<name>[A-Za-z_:][A-Za-z0-9_.:-]*+){value})?+"
    )
    return {
        "name": re.compile(r"[A-Za-z0-9-]*+[ \t]*+"),
        "before-attribute": attribute,
        "attribute": re.compile(rf"(?P<name>[A-Za-z0-9_.:-]*+){value}"),
        "after-attribute": attribute,
    }


def _behind_value(found: re.Match[str], *, spaced: bool) -> str:
    if spaced:
        return "before-attribute"
    return "after-value" if found["close"] or found["close1"] else "unquoted"


class Angle:
    """One ``<`` that may begin raw HTML or an autolink, stepped to its end.

    `order` is its place among the hypotheses of its paragraph; `marks` are
    characters that `skip` must not pass.
    """

    __slots__ = ("_autolink", "_chars", "_html", "_label", "_quick", "_scheme", "order")

    def __init__(self, order: int, marks: str = "") -> None:
        self.order = order
        self._quick = _quick(marks)
        self._chars = 0  # read while not patient
        self._html = "start"
        self._autolink: Callable[[str], str] | None = self._either
        self._scheme = ""
        self._label = 0

    @property
    def patient(self) -> bool:
        """Whether only a closing mark matters from here on."""
        return self._autolink is None and self._html in _PATIENT

    @property
    def is_tag(self) -> bool:
        """Whether, once done, it is raw HTML and no autolink."""
        return self._html == _DONE

    @property
    def waits_for_more(self) -> str:
        """The state of the HTML reading, which two hypotheses may share."""
        return self._html if self._autolink is None else ""

    def step(self, ch: str) -> str:
        """Take the next character; return ``done``, ``dead`` or a state's name."""
        state = self._html
        if self._autolink is None:
            if state not in _PATIENT:
                self._chars += 1
            state = self._html = _HTML[state](ch)
        else:
            self._chars += 1
            state = self._html = _HTML[state](ch)
            mail = self._autolink(ch)
            if mail == _DONE:
                return _DONE
            if mail == _DEAD:
                self._autolink = None
            elif state == _DEAD:
                state = "autolink"
        return state if self._chars <= _MAX_CHARS or state == _DONE else self._die()

    def _die(self) -> str:
        self._html, self._autolink = _DEAD, None
        return _DEAD

    def skip(self, buf: str, i: int, end: int) -> int:
        """Take as much as goes on with this tag for certain; return where it ends.

        What is taken holds no mark that means anything to another hypothesis.
        """
        if self._autolink is not None:
            return self._skip_word(buf, i, end) if self._html == "name" else i
        at = i
        while at < end and (pattern := self._quick.get(self._html)) is not None:
            found = pattern.match(buf, at, end)
            if found is None or found.end() == at:
                break
            at = found.end()
            self._html = self._state_after(found, spaced=buf[at - 1] in " \t")
        self._chars += at - i
        return at

    def _state_after(self, found: re.Match[str], *, spaced: bool) -> str:
        state = self._html
        if state == "name":
            return "before-attribute" if spaced else state
        if found["name"] is None:
            return state
        if found["value"] is None:
            return "after-attribute" if spaced else "attribute"
        if found["quote"] is not None and found["close"] is None:
            return "double"
        if found["quote1"] is not None and found["close1"] is None:
            return "single"
        return _behind_value(found, spaced=spaced)

    def _skip_word(self, buf: str, i: int, end: int) -> int:
        """Take letters, digits and dashes, which are a name, a scheme and mail."""
        found = _RUN.match(buf, i, end)
        at = found.end() if found else i
        if at == i or self._autolink not in (self._either, self._mail):
            return i
        self._label += at - i
        if self._autolink == self._either:
            self._scheme += buf[i : min(at, i + _MAX_SCHEME_CHARS + 1)]
            if len(self._scheme) > _MAX_SCHEME_CHARS:
                self._autolink = self._mail
        return at

    # An autolink is an address with a scheme or a mail address; the first
    # characters may belong to either.

    def _either(self, ch: str) -> str:
        scheme = self._scheme
        if ch == ":" and len(scheme) > 1:
            return self._open_uri(scheme)
        if ch == "@" and self._label:
            return self._enter(self._host_start)
        if ch not in _MAIL:
            return _DEAD
        self._label += 1
        grows = ch in _SCHEME if scheme else ch in _LETTERS and self._label == 1
        if grows and len(scheme) < _MAX_SCHEME_CHARS:
            self._scheme += ch
        else:
            return self._enter(self._mail)
        return "autolink"

    def _enter(self, step: Callable[[str], str]) -> str:
        self._autolink = step
        return "autolink"

    def _open_uri(self, scheme: str) -> str:
        if scheme.lower() in _UNSAFE_SCHEMES:
            return _DEAD
        return self._enter(self._uri)

    def _uri(self, ch: str) -> str:
        if ch == ">":
            return _DONE
        return _DEAD if ch <= " " or ch == "<" else "autolink"

    def _mail(self, ch: str) -> str:
        if ch == "@":
            return self._enter(self._host_start)
        return "autolink" if ch in _MAIL else _DEAD

    def _host_start(self, ch: str) -> str:
        if ch not in _HOST:
            return _DEAD
        self._label = 1
        return self._enter(self._host)

    def _host(self, ch: str) -> str:
        if ch in _HOST:
            self._label += 1
        elif ch == "-":
            self._label += 1
            self._autolink = self._host_dash
        elif ch == ".":
            self._autolink = self._host_start
        else:
            return _DONE if ch == ">" else _DEAD
        return "autolink" if self._label <= _MAX_LABEL_CHARS else _DEAD

    def _host_dash(self, ch: str) -> str:
        if ch not in _HOST and ch != "-":
            return _DEAD
        self._label += 1
        if ch != "-":
            self._autolink = self._host
        return "autolink" if self._label <= _MAX_LABEL_CHARS else _DEAD
