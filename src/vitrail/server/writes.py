"""What a request says about a write besides its bytes: why it replaces a file."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import Depends, Header

from vitrail.core.validate.reasons import reason_fault
from vitrail.errors import InvalidInput

__all__ = ["ReplaceReason", "replace_reason"]


def replace_reason(value: str | None) -> str | None:
    r"""Return the reason that a ``Vitrail-Replace`` header states, None where none is sent.

    The header is JSON, so that words of any language fit into one; what is not
    ASCII is escaped. Raises ``InvalidInput``.

    >>> replace_reason('{"reason": "K\\u00fcrzer"}')
    'Kürzer'
    """
    if value is None:
        return None
    try:
        said = json.loads(value)
    except (ValueError, RecursionError) as cause:
        raise _wrong("text that is no JSON") from cause
    if not isinstance(said, dict) or set(said) != {"reason"}:
        raise _wrong("other JSON")
    reason = said["reason"]
    if not isinstance(reason, str):
        raise _wrong("no words")
    fault = reason_fault(reason)
    if fault is not None:
        raise _wrong(fault)
    return reason.strip()


def _wrong(what: str) -> InvalidInput:
    return InvalidInput(
        'Vitrail-Replace expected {"reason": "why the file is replaced"} as JSON, with '
        f"\\u escapes beyond ASCII; got {what}."
    )


def _stated(
    vitrail_replace: Annotated[str | None, Header()] = None,
) -> str | None:
    return replace_reason(vitrail_replace)


ReplaceReason = Annotated[str | None, Depends(_stated)]
"""Why a write replaces a file, where the request says it."""
