"""Text of the fields of globals, by the table of these.  Rules: docs/reference/text.md, 6 and 7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.names import comdat_name, printable, quoted
from bitcodec.tables.global_rows import GlobalFieldKind, TextPlace
from bitcodec.tables.globals import fields_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.globals import Comdat, GlobalValue

__all__ = ["back_text", "front_text"]


def front_text(variable: GlobalValue) -> str:
    """Return the fields in front of `global` or `constant`, a space behind each."""
    return "".join([word for word, attribute in _FRONT if getattr(variable, attribute)])


def back_text(record: str, value: GlobalValue, texts: Texts) -> str:
    """Return the fields at the end of a global, a space in front of each.

    Args:
        record: what the table calls its record.
        value: the global.
        texts: makes the texts.
    """
    text = ""
    for attribute, default, spell, start in _BACK[record]:
        given = getattr(value, attribute)
        if given != default:
            text += spell(start, given, value, texts)
    return text


def _quoted(start: str, given: str, _value: GlobalValue, _texts: Texts) -> str:
    return f"{start} {quoted(given)}"


def _comdat(start: str, given: Comdat, value: GlobalValue, _texts: Texts) -> str:
    return start if given.name == value.name else f"{start}({comdat_name(given.name)})"


_SPELLERS: dict[GlobalFieldKind, Callable[[str, Any, GlobalValue, Texts], str]] = {
    GlobalFieldKind.BOOLEAN: lambda start, _given, _value, _texts: start,
    GlobalFieldKind.TEXT: _quoted,
    GlobalFieldKind.SECTION: _quoted,
    GlobalFieldKind.COLLECTOR: lambda start, given, _value, _texts: f'{start} "{printable(given)}"',
    GlobalFieldKind.MEMBER: lambda start, given, _value, _texts: f"{start} {quoted(given.spelling)}",
    GlobalFieldKind.ALIGNMENT: lambda start, given, _value, _texts: f"{start} {given}",
    GlobalFieldKind.COMDAT: _comdat,
    GlobalFieldKind.CONSTANT: lambda start, given, _value, texts: f"{start} {texts.typed(given)}",
}
"""Functions that take the word of a field, a value other than the default, the global, and what makes texts."""
_FRONT = [(f"{field.spelling} ", field.attribute) for field in fields_in("variable") if field.place is TextPlace.FRONT]
_BACK = {
    record: [
        (field.attribute, field.initial, _SPELLERS[field.kind], f"{comma} {field.spelling}")
        for field in fields_in(record)
        if field.place is TextPlace.BACK
    ]
    for record, comma in (("variable", ","), ("function", ""), ("alias", ","), ("ifunc", ","))
}
