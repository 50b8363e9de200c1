"""Blocks with tags of their own: question forms, files of bolt, internal tags.

A form's tag in the middle of a line is one if JSON follows it; what it holds is
read by `FormReader`. An internal tag is taken out only once its close tag is
there: without one its text is given back.
"""

from __future__ import annotations

from typing import Final

from vitrail import limits
from vitrail.core.parse.candidates import Candidates
from vitrail.core.parse.close_tags import CloseTag, make_finder
from vitrail.core.parse.dialects import FORMS, Opener
from vitrail.core.parse.fit import JsonFit
from vitrail.core.parse.forms import FormReader
from vitrail.core.parse.internal import CloseSearch, Family
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.parse.sections import CloseReason
from vitrail.core.text import Marks
from vitrail.protocol.events import QuestionForm, Suppressed, Text

__all__ = ["Blocks"]

_BOLT_ACTION: Final = "boltaction"


class Blocks(Candidates):
    """The states that read a form, a bolt artifact's files, or an internal tag."""

    __slots__ = (
        "_bolt",
        "_family",
        "_form",
        "_form_chars",
        "_form_close",
        "_form_text",
        "_gave_to",
        "_may_nest",
        "_nested",
        "_nested_at",
        "_nested_chars",
        "_search",
    )

    def __init__(self, parser_limits: ParserLimits, marks: Marks) -> None:
        super().__init__(parser_limits, marks)
        self._form: FormReader | None = None
        self._form_close = CloseTag("question-form")
        self._form_text: list[str] = []  # tag and body, to be given back
        self._form_chars = 0
        self._may_nest = False  # a form in the form may end it
        self._nested: tuple[Opener, ...] = ()  # whose word may go on in the form
        self._nested_at = 0  # place of its "<"
        self._nested_chars = 0  # of that word
        self._gave_to = -1  # place up to which a form was given back for another
        self._bolt: dict[str, str] | None = None  # attributes of the artifact around
        self._search = CloseSearch()
        self._family: Family | None = None

    def _shift(self, chars: int) -> None:
        if self._artifact is not None:
            self._artifact.finder.shift(chars)
        elif self._reasoning is not None:
            self._reasoning.shift(chars)
        elif self._fit is not None:
            self._fit.shift(chars)
        elif self._form is not None:
            self._form_close.shift(chars)

    # --- open tags -------------------------------------------------------------------

    def _weigh(self) -> None:
        opener = self._opener
        if opener is None or opener.kind == "artifact":
            super()._weigh()
        elif opener.kind == "form":
            self._weigh_form()
        elif opener.kind == "bolt-action":
            self._weigh_action()
        else:
            self._read_attributes()
            self._hold(self._take_bolt, fit=None, runs=True)

    # --- forms -----------------------------------------------------------------------

    def _weigh_form(self) -> None:
        self._read_attributes()
        fit = None if self._begins_line else JsonFit(at=self._tag_end)
        self._hold(self._take_form, fit=fit, runs=True)

    def _take_form(self) -> None:
        self._tell_left_out(self._left_out, (self._start, self._tag_end))
        tag = self._buf[self._start - self._base : self._tag_end - self._base]
        self._form = FormReader(self._attributes)
        self._form_close = CloseTag(self._word[1:])
        self._form_text = [tag]
        self._form_chars = 0
        self._may_nest, self._nested = True, ()
        self._take_tag(self._tag_end)
        self._state = self._read_form

    def _read_form(self) -> bool:
        """Read up to the close tag, or to another form's tag that ends this one."""
        form, finder, end = self._form, self._form_close, len(self._buf)
        assert form is not None  # noqa: S101 - set with the state
        while self._at < end:
            if finder.start < 0 and not self._nested:
                self._at = self._next_angle()
                if self._at == end:
                    break
            close, nested = self._step_tags(self._at)
            self._at += 1
            if close >= 0:
                if self._feed_form(form, finder.start):
                    self._end_form(form, self._base + close)
                return True
            if nested >= 0 and not self._goes_on_at(form, nested):
                return True
        return not self._feed_form(form, end if self._final else self._certain_to())

    def _next_angle(self) -> int:
        """Return the index of the next ``<``, or the buffer's end."""
        found = self._buf.find("<", self._at)
        stop = found if found >= 0 else len(self._buf)
        self._looked += stop - self._at
        return stop

    def _certain_to(self) -> int:
        """Return the index of a ``<`` that may begin a tag, or the buffer's end."""
        if self._form_close.start >= 0:
            return self._form_close.start
        return self._nested_at - self._base if self._nested else len(self._buf)

    def _step_tags(self, at: int) -> tuple[int, int]:
        """Let the tags that may be here take the character at this index.

        Return the index behind the close tag, and that of another form's tag; or -1.
        """
        ch, finder, close = self._buf[at], self._form_close, -1
        self._looked += 1
        if ch == "<":
            self._nested = FORMS if self._may_nest else ()
            self._nested_at, self._nested_chars = self._base + at, 0
        if ch == "<" or finder.start >= 0:
            close = finder.find(self._buf, at, at + 1)
        matched = self._nested_chars
        self._nested = tuple([one for one in self._nested if one.takes(matched, ch)])
        self._nested_chars = matched + 1
        if any(one.chars == matched + 1 for one in self._nested):
            self._nested = ()
            return close, self._nested_at - self._base
        return close, -1

    def _goes_on_at(self, form: FormReader, at: int) -> bool:
        """Go on behind another form's tag, unless this one has failed and is no form.

        It goes on in a JSON string, and where questions of it were shown.
        """
        if not self._feed_form(form, at + 1):
            return False
        if not form.has_failed:
            return True
        if form.form.get("questions"):
            self._may_nest = False
            return True
        self._form_text[-1] = self._form_text[-1][:-1]
        self._told = self._at = at
        self._give_form_back("unclosed-form", "another one begins in it")
        self._gave_to = self._base + at
        return False

    def _feed_form(self, form: FormReader, to: int) -> bool:
        """Read the body up to this index; False: that is more than a form may have."""
        room = limits.MAX_FORM_CHARS - self._form_chars
        if to - self._told > room:
            self._feed_body(form, self._told + room)
            self._at = self._told
            self._give_form_back("form-too-long", "it is longer than a form may be")
            return False
        self._feed_body(form, to)
        return True

    def _feed_body(self, form: FormReader, to: int) -> None:
        if to <= self._told:
            return
        text = self._buf[self._told : to]
        self._form_text.append(text)
        self._form_chars += len(text)
        looked = form.looked
        if form.feed(text) and form.form.get("questions"):
            span = (self._start, self._base + to)
            self._events.append(QuestionForm(form.form, complete=False, span=span))
        self._looked += form.looked - looked
        self._told = to

    def _end_form(self, form: FormReader, end: int) -> None:
        """End a form at its close tag, which ends at this place."""
        looked = form.looked
        result = form.close()
        self._looked += form.looked - looked
        self._tell_faults(result.diagnostics, self._tag_end)
        self._take_tag(end)
        self._events.append(
            QuestionForm(result.form, complete=result.ok, span=(self._start, end))
        )
        self._form = None
        self._begin_text()

    def _give_form_back(self, code: str, why: str) -> None:
        """Show a form that is none as text, unless questions of it were shown."""
        form, self._form = self._form, None
        assert form is not None  # noqa: S101 - called while there is one
        span = (self._start, self._base + self._told)
        if self._start != self._gave_to:  # of forms in a row the first one is told
            self._diagnose(
                code, "warning", span, f"This is no question form, since {why}."
            )
        if form.form.get("questions"):
            raw = "".join(self._form_text[1:])
            shown = {**form.form, "raw": raw, "reason": code}
            self._events.append(QuestionForm(shown, complete=False, span=span))
        else:
            self._events.append(Text("".join(self._form_text)))
        self._begin_text()

    # --- bolt ------------------------------------------------------------------------

    def _take_bolt(self) -> None:
        self._tell_left_out(self._left_out, (self._start, self._tag_end))
        self._bolt = self._attributes
        self._looked += 1
        self._suppress("boltArtifact", self._tag_end)

    def _weigh_action(self) -> None:
        why = "it counts inside a boltArtifact only"
        if self._bolt is not None:
            self._read_attributes()
            kind = self._attributes.get("type", "")
            if kind == "file":
                self._hold(self._start_file, fit=None, runs=True)
                return
            why = f"its type is {kind!r}, and only files are written"
        if not self._markdown.may_hide(runs=True):
            self._diagnose(
                "stray-bolt-action",
                "warning",
                (self._start, self._tag_end),
                f"This boltAction is shown as text, since {why}.",
            )
        self._pass_opener()

    def _start_file(self) -> None:
        self._tell_left_out(self._left_out, (self._start, self._tag_end))
        path = self._attributes.get("filePath", "")
        title = (self._bolt or {}).get("title", "") or path
        self._start_artifact(
            {"identifier": path, "title": title, **self._attributes, "type": ""},
            (self._start, self._tag_end),
            finder=make_finder("", identifier=path, name=_BOLT_ACTION),
        )

    def _end_bolt(self, end: int) -> None:
        """Take the close tag of the artifact around, which ends at this place."""
        if self._bolt is None:
            self._pass_opener()
        else:
            self._bolt = None
            self._looked += 1
            self._suppress("boltArtifact", end)

    def _suppress(self, name: str, end: int) -> None:
        """Take out, and name, what goes from `_start` up to this place."""
        self._take_tag(end)
        self._events.append(Suppressed(name, end - self._start, (self._start, end)))
        self._begin_text()

    # --- internal tags -----------------------------------------------------------------

    def _open_internal(self, family: Family) -> None:
        """Look for the close tag of the internal tag that begins here."""
        self._search.begin(self._start + 1)
        self._family = family
        self._state = self._read_internal

    def _read_internal(self) -> bool:
        search, family = self._search, self._family
        assert family is not None  # noqa: S101 - set with the state
        start = self._start - self._base
        stop = min(len(self._buf), start + limits.MAX_SUPPRESSED_CHARS)
        looked = search.looked
        end = search.find(family, self._start, self._buf, self._base, stop)
        self._looked += search.looked - looked
        if end >= 0:
            self._suppress(family.name, end)
            return True
        if stop == len(self._buf) and not self._final:
            return False
        self._diagnose(
            "unclosed-internal-tag",
            "warning",
            (self._start, self._start + 1),
            f"An internal tag ({family.name}) is not closed; it is shown as text.",
        )
        self._markdown.pass_angle()
        self._at += 1
        self._state = self._read_text
        return True

    # --- the end of the text -----------------------------------------------------------

    def _close_open(self, reason: CloseReason) -> None:
        form = self._form
        if form is None:
            super()._close_open(reason)
            return
        place = self._base + len(self._buf)
        # what the stream cut off is no form to answer, even if it could be mended
        result = form.close() if form.is_whole else None
        if result is not None and result.ok:
            self._tell_faults(result.diagnostics, self._tag_end)
            span = (self._start, place)
            self._diagnose(
                "unclosed-form",
                "warning",
                span,
                "The form has no close tag; all of it was there.",
            )
            self._events.append(QuestionForm(result.form, complete=True, span=span))
            self._form = None
        else:
            self._give_form_back("unclosed-form", "it has no close tag")
