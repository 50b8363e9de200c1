"""Close tags in scripts, styles and pages: what strings and comments hide.

A script is read as closely as its strings, templates, regular expressions and
comments need, and no closer: an apostrophe right behind a letter, as in the
text of a component, begins no string, and no string, but for a template,
outlives its line. In a page, comments, scripts, styles and text areas hide.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from vitrail.core.parse.body_ends import BodyEnd, Hiding, Tags, tags_of
from vitrail.core.text import LINE_BREAKS

__all__ = ["MarkupEnd", "ScriptEnd", "StyleEnd", "UnknownEnd"]

_CODE: Final = re.compile(r"(?:\s*+([^\s'\"`/<{}]++))*+\s*+")
_CODE_LINE: Final = re.compile(r"(?:[^\S\n\r]*+([^\s'\"`/<{}]++))*+[^\S\n\r]*+")
"""Text of a script between its marks; the group is its last word."""
_STYLE: Final = re.compile(r"[^'\"/<]*+")
_STYLE_LINE: Final = re.compile(r"[^'\"/<\n\r]*+")
_STRINGS: Final = {quote: re.compile(rf"[^{quote}\\<\n\r]*+") for quote in ("'", '"')}
_TEMPLATE: Final = re.compile(r"[^`\\$<]*+")
_TEMPLATE_LINE: Final = re.compile(r"[^`\\$<\n\r]*+")
_REGEX: Final = re.compile(r"[^/\\\[\]<\n\r]*+")
_LINE_COMMENT: Final = re.compile(r"[^<\n\r]*+")
_COMMENT: Final = re.compile(r"[^*<]*+")
_COMMENT_LINE: Final = re.compile(r"[^*<\n\r]*+")

_BEFORE_REGEX: Final = frozenset("(,=:[!&|?{};+-*%~^")
"""Behind one of these a slash begins a regular expression."""
_MAX_NESTED: Final = 64
"""Templates inside templates that are followed; deeper ones are text of the last."""


class StyleEnd(BodyEnd):
    """Find the close tag of a style sheet."""

    _has_line_comments = False

    _quote = ""
    _escaping = False
    _slash = False  # the last character was one that may begin a comment
    _star = False

    def _begin(self) -> None:
        self._enter_code()

    def _enter_code(self) -> None:
        """Read code, outside strings and comments."""
        self._slash = False
        self._construct = 0
        self._enter(_STYLE, self._take_code, line_run=_STYLE_LINE)

    def _hiding(self) -> Hiding | None:
        if self._take == self._take_string:
            return "line"
        if self._take == self._take_comment:
            return "block"
        return "comment" if self._take == self._take_line_comment else None

    @property
    def _continues_line(self) -> bool:
        return self._escaping and self._take == self._take_string

    # --- code ----------------------------------------------------------------------

    def _take_code(self, ch: str) -> None:
        if self._slash:
            self._slash = False
            if self._begins_comment(ch):
                return
        if ch in "'\"":
            self._begin_string(ch)
        elif ch == "/":
            self._slash = self._single = True

    def _begins_comment(self, ch: str) -> bool:
        if ch == "*":
            self._begin_code()
            self._star = False
            self._enter(_COMMENT, self._take_comment, line_run=_COMMENT_LINE)
        elif ch == "/" and self._has_line_comments:
            self._begin_code()
            self._enter(_LINE_COMMENT, self._take_line_comment)
        else:
            return False
        return True

    def _begin_string(self, quote: str) -> None:
        self._begin_code()
        self._quote = quote
        self._escaping = False
        run = _STRINGS[quote]
        self._enter(run, self._take_string)

    def _leave(self) -> None:
        """Leave the code that hides, at its end."""
        construct = self._construct
        self._enter_code()
        self._end_code(construct)

    # --- strings and comments ----------------------------------------------------

    def _take_string(self, ch: str) -> None:
        if self._escaping:
            self._escaping = False
        elif ch == "\\":
            self._escaping = self._single = True
        elif ch == self._quote:
            self._leave()
        elif ch in LINE_BREAKS:
            self._enter_code()

    def _take_comment(self, ch: str) -> None:
        if ch == "/" and self._star:
            self._leave()
        elif ch == "*":
            self._star = self._single = True
        else:
            self._star = False

    def _take_line_comment(self, ch: str) -> None:
        if ch in LINE_BREAKS:
            self._leave()


class ScriptEnd(StyleEnd):
    """Find the close tag of a script or a component."""

    _has_line_comments = True

    _last = "("  # the last character that is not white space
    _spaced = False  # white space followed it
    _in_class = False
    _dollar = False

    def _begin(self) -> None:
        self._templates: list[tuple[int, int]] = []  # their ordinal, open braces
        super()._begin()

    def _enter_code(self) -> None:
        super()._enter_code()
        if self._templates:
            self._construct = self._templates[-1][0]
        self._enter(_CODE, self._take_code, line_run=_CODE_LINE)
        self._skips_itself = True

    def _enter(
        self,
        run: re.Pattern[str],
        take: Callable[[str], None],
        *,
        line_run: re.Pattern[str] | None = None,
    ) -> None:
        super()._enter(run, take, line_run=line_run)
        self._skips_itself = False

    def quick_pattern(self) -> re.Pattern[str] | None:
        """Return what matches as much of a piece as changes nothing here, if anything."""
        return None if self._skips_itself else super().quick_pattern()

    def _skip(self, run: re.Pattern[str], buf: str, i: int, end: int) -> int:
        if run is not _CODE and run is not _CODE_LINE:
            return super()._skip(run, buf, i, end)
        found = run.match(buf, i, end)
        if found is None or found.end() == i:
            return i
        at, word_end = found.end(), found.end(1)
        self.looked += at - i
        if word_end >= 0:
            self._last = buf[word_end - 1]
        self._spaced = word_end < at
        return at

    def _hiding(self) -> Hiding | None:
        if self._take == self._take_template or (
            self._templates and self._take == self._take_code
        ):
            return "block"
        return "line" if self._take == self._take_regex else super()._hiding()

    def _take_code(self, ch: str) -> None:
        if self._slash:
            self._slash = False
            if self._begins_comment(ch):
                return
            if self._begins_regex(ch):
                self._begin_code()
                self._in_class = self._escaping = False
                self._enter(_REGEX, self._take_regex)
                self._take_regex(ch)
                return
            self._last, self._spaced = "/", False
        if ch == "/":
            self._slash = self._single = True
        elif ch.isspace():
            self._spaced = True
        else:
            self._take_mark(ch)

    def _begins_regex(self, ch: str) -> bool:
        """Whether a slash with this behind it, and `_last` before it, is no division."""
        if ch in LINE_BREAKS or ch == ">":
            return False
        if self._last in _BEFORE_REGEX:
            return True
        return self._last.isalpha() and self._spaced and not ch.isspace() and ch != "="

    def _take_mark(self, ch: str) -> None:
        last, self._last = self._last, ch
        spaced, self._spaced = self._spaced, False
        if ch == "'":
            if spaced or not last.isalnum():
                self._begin_string(ch)
        elif ch == '"':
            if spaced or not last.isdecimal():
                self._begin_string(ch)
        elif ch == "`":
            self._begin_code()
            self._enter_template()
        elif self._templates and ch in "{}":
            self._take_brace(ch)

    def _leave(self) -> None:
        super()._leave()
        self._last, self._spaced = ")", False

    def _take_regex(self, ch: str) -> None:
        if ch in LINE_BREAKS:
            self._enter_code()
        elif self._escaping:
            self._escaping = False
        elif ch == "\\":
            self._escaping = self._single = True
        elif ch in "[]":
            self._in_class = ch == "["
        elif ch == "/" and not self._in_class:
            self._leave()

    # --- templates -------------------------------------------------------------------

    def _enter_template(self) -> None:
        self._dollar = self._escaping = False
        self._enter(_TEMPLATE, self._take_template, line_run=_TEMPLATE_LINE)

    def _take_template(self, ch: str) -> None:
        was_dollar, self._dollar = self._dollar, False
        if self._escaping:
            self._escaping = False
        elif ch == "\\":
            self._escaping = self._single = True
        elif ch == "$":
            self._dollar = self._single = True
        elif ch == "{" and was_dollar and len(self._templates) < _MAX_NESTED:
            self._templates.append((self._construct, 0))
            self._enter_code()
            self._last, self._spaced = "(", False
        elif ch == "`":
            self._leave()

    def _take_brace(self, ch: str) -> None:
        construct, braces = self._templates[-1]
        if ch == "{":
            self._templates[-1] = construct, braces + 1
        elif braces:
            self._templates[-1] = construct, braces - 1
        else:
            self._templates.pop()
            self._construct = construct
            self._enter_template()


_PAGE_LINE: Final = re.compile(r"[^<\n\r]*+")
_RAW_TAG: Final = re.compile(r"[^/><]*+")
_RAW_TAG_LINE: Final = re.compile(r"[^/><\n\r]*+")
_DASHES: Final = re.compile(r"[^\-<]*+")
_DASHES_LINE: Final = re.compile(r"[^\-<\n\r]*+")
_RAW: Final = re.compile(r"[^<]*+")
_RAW_ELEMENTS: Final = ("script", "style", "textarea")
_MIN_DASHES: Final = 2


@lru_cache(maxsize=16)
def _page_tags(name: str) -> Tags:
    """Return what to look for in a page outside its raw elements."""
    return tags_of(name, "!--", *_RAW_ELEMENTS)


class MarkupEnd(ScriptEnd):
    """Find the close tag of a page or a drawing."""

    def __init__(self, name: str, *, is_xml: bool = False) -> None:
        """Look for the close tag of this name; in XML any element may close itself."""
        self._is_xml = is_xml
        super().__init__(name)

    _element = ""  # the raw one that is being read
    _element_construct = 0
    _dashes = 0
    _closes_itself = False

    def _begin(self) -> None:
        self._templates = []
        self._enter_page()

    def _enter_page(self) -> None:
        self._element = ""
        self._construct = 0
        self._tags = _page_tags(self._name)
        self._enter(self._tags.text, self._take_nothing, line_run=_PAGE_LINE)

    def _enter_code(self) -> None:
        super()._enter_code()
        if not self._templates:
            self._construct = self._element_construct

    def _hiding(self) -> Hiding | None:
        if self._take == self._take_code and not self._templates:
            return "script"
        if self._take in (self._take_dash, self._take_raw):
            return "block"
        return super()._hiding()

    def _take_word(self, word: str) -> None:
        if self._element:
            if word == f"/{self._element}":
                self._leave_element()
        elif word in _RAW_ELEMENTS:
            self._element = word
            self._closes_itself = False
            self._look_for()
            self._enter(_RAW_TAG, self._take_raw_tag, line_run=_RAW_TAG_LINE)

    def _take_word_at_once(self, word: str) -> None:
        if word == "!--":
            self._begin_code()
            self._dashes = _MIN_DASHES
            self._look_for()
            self._enter(_DASHES, self._take_dash, line_run=_DASHES_LINE)

    def _take_dash(self, ch: str) -> None:
        if ch == "-":
            self._dashes += 1
            self._single = True
        elif ch == ">" and self._dashes >= _MIN_DASHES:
            construct = self._construct
            self._enter_page()
            self._end_code(construct)
        else:
            self._dashes = 0

    def _take_raw_tag(self, ch: str) -> None:
        if ch == "/":
            self._closes_itself = self._single = True
        elif ch == ">":
            if self._closes_itself and self._is_xml:
                self._enter_page()
            else:
                self._enter_element()
        else:
            self._closes_itself = False

    def _enter_element(self) -> None:
        self._begin_code()
        self._element_construct = self._construct
        self._look_for(f"/{self._element}")
        if self._element == "script":
            self._templates.clear()
            self._last, self._spaced = "(", False
            self._enter_code()
        else:
            self._enter(_RAW, self._take_raw, line_run=_PAGE_LINE)

    def _take_raw(self, ch: str) -> None:
        """Take a character of a style or a text area."""

    def _leave_element(self) -> None:
        self._templates.clear()
        self._escaping = False
        self._enter_page()
        if self._doubt is not None and self._doubt.construct >= self._element_construct:
            self._end_code(self._doubt.construct)


_BLANKS: Final = re.compile(r"[\s\ufeff]*+")


class UnknownEnd(MarkupEnd):
    """Find the close tag of a body that is a page if it begins like one."""

    def _begin(self) -> None:
        self._templates = []
        self._enter(_BLANKS, self._take_first)

    def _take_first(self, ch: str) -> None:
        if ch == "<":
            self._enter_page()
        elif not (ch.isspace() or ch == "\ufeff"):
            self._enter_plain()
