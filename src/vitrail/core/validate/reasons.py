"""The one rule for the reason that somebody states for replacing a file."""

from __future__ import annotations

from vitrail.errors import InvalidInput
from vitrail.limits import MAX_REASON_CHARS

__all__ = ["reason_fault", "stated_reason"]


def reason_fault(reason: str) -> str | None:
    """Return what was got instead of a reason, in words; None where it is one."""
    if not reason.strip():
        return "no words"
    if len(reason) > MAX_REASON_CHARS:
        return f"{len(reason)} characters, and {MAX_REASON_CHARS} fit"
    if any("\ud800" <= char <= "\udfff" for char in reason):
        return "half a character (a lone surrogate)"
    return None


def stated_reason(reason: str | None) -> str | None:
    """Return a reason as it is kept with a revision, None where none is stated.

    Raises ``InvalidInput`` for a blank one, one of more than `MAX_REASON_CHARS`
    and one that is no text: it is refused, not cut, since it is kept for ever.

    >>> stated_reason(" Shorter. ")
    'Shorter.'
    """
    if reason is None:
        return None
    fault = reason_fault(reason)
    if fault is not None:
        raise InvalidInput(
            f"A reason to replace a file expected a few words, got {fault}. Nothing was "
            "written."
        )
    return reason.strip()
