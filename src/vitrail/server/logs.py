"""Logs: one line an event on standard error, a plain traceback where there is one.

Values of variables are never logged: they may be keys, or a person's text.
"""

from __future__ import annotations

import sys

import structlog

__all__ = ["set_up_logs"]


def set_up_logs() -> None:
    """Choose how events are logged, unless the program around the server has."""
    if structlog.is_configured():
        return
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        # Looked up at each event: whoever redirects standard error gets them.
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
