"""Texts in tables: of bounded length, and without bytes that are not UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.type_spelling import Spelling

if TYPE_CHECKING:
    from bitcodec.ir.types import StructType, Type

__all__ = ["MAX_TYPE_TEXT", "brief_body", "brief_type", "clean"]

MAX_TYPE_TEXT = 1024
"""Characters of a type in a table: types that share parts may have texts that no memory holds."""


def brief_type(type_: Type) -> str:
    """Return the text of a type, cut off after `MAX_TYPE_TEXT` characters."""
    return Spelling(enough=MAX_TYPE_TEXT).spell(type_)[:MAX_TYPE_TEXT]


def brief_body(struct: StructType) -> str:
    """Return the text of the elements of a struct, cut off after `MAX_TYPE_TEXT` characters."""
    return Spelling(enough=MAX_TYPE_TEXT).spell_body(struct)[:MAX_TYPE_TEXT]


def clean(text: str) -> str:
    r"""Return a text in which bytes that are not UTF-8 are written as `\xNN`."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text
