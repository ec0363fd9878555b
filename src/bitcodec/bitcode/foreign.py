"""Handles exceptions of other packages at the boundaries of reader and writer.

A foreign exception means that a check is missing.  Users get a refusal; tests that look for such checks set
`ARE_REFUSED` to False, and then get the exception itself.
"""

from __future__ import annotations

__all__ = ["ARE_REFUSED", "reason_of"]

ARE_REFUSED = True
_MAX_TEXT = 200


def reason_of(error: BaseException) -> str:
    """Return the type and the message of an exception, in one short line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:_MAX_TEXT]
