"""The form of a compiled file that runs, and helpers that only C code needs.

A compiled file reads the names here from `native.pxd`, where they are constants and functions of C.  It writes
`native.COMPILED`, not the bare name: Cython accepts `from bitcodec.host import native` for both.
"""

from __future__ import annotations

from typing import Any

__all__ = ["COMPILED", "as_dict", "as_list"]

COMPILED = False
"""Whether the importing file is compiled."""


def as_dict(found: Any) -> Any:
    """Return a dictionary; in C, one of a class derived from `dict` uses the methods of `dict` from here on."""
    return found


def as_list(found: Any) -> Any:
    """Return a list; in C one of a class derived from `list`, likewise."""
    return found
