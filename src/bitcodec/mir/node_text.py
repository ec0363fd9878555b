"""Metadata nodes of the IR part as text: only the kinds that PC sections consist of.

The IR part stays text, for bitcodec reads no assembly.  What is read here are tuples of strings, other tuples and
simple constants: integers, truth values, null pointers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError
from bitcodec.ir.spelling import escaped
from bitcodec.mir.names import plain_name
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.context import Context
    from bitcodec.ir.pcsections import PCSection

__all__ = ["TupleText", "constant", "parse_tuple", "string_text", "tuple_text"]

_ELEMENT = re.compile(
    r"""\s*(?:
        (?P<string>!"[^"]*")\s*
      | (?P<node>![0-9]{1,9})\s*
      | (?P<null>null)\s*
      | (?P<constant>[A-Za-z][^,!{}"]*)
    )(?:,|\Z)""",
    re.VERBOSE,
)
_TUPLE = re.compile(r"(?P<distinct>distinct )?!\{(?P<elements>.*)\}\Z")
_INTEGER = re.compile(r"i(?P<width>[1-9][0-9]{0,6}) (?P<value>-?[0-9]{1,4000}|true|false)\Z")
_NULL = re.compile(r"ptr(?: addrspace\((?P<space>[0-9]{1,7})\))? null\Z")


class TupleText(NamedTuple):
    """A tuple, as its text has it.

    Attributes:
        elements: text of strings (in `MDString` form), numbers of nodes, `None`, or constants in their text.
        is_distinct: whether it differs from all others.
    """

    elements: tuple[tuple[str, str], ...]
    is_distinct: bool


def parse_tuple(text: str) -> TupleText:
    """Return the contents of a definition, such as `!{!"hot!C", !1}`: kinds of elements and their texts.

    Raises:
        PCSectionsError: it is not a tuple, or has other elements.
    """
    match = _TUPLE.match(text)
    if match is None:
        raise PCSectionsError(f"!pcsections: a tuple expected, not {text[:_SHOWN]}")
    elements = []
    inside = match["elements"]
    position = 0
    while position < len(inside):
        element = _ELEMENT.match(inside, position)
        if element is None:
            raise PCSectionsError(f"!pcsections: {inside[position:][:_SHOWN]} cannot be read")
        kind = next(kind for kind in ("string", "node", "null", "constant") if element[kind] is not None)
        elements.append((kind, plain_name(element[kind][1:]) if kind == "string" else element[kind].strip()))
        position = element.end()
    return TupleText(tuple(elements), match["distinct"] is not None)


def constant(text: str, context: Context) -> Constant:
    """Return the constant that a text spells, such as `i32 -2`.

    Raises:
        PCSectionsError: it is not a constant, or not of a kind that is read here.
    """
    if match := _INTEGER.match(text):
        width = int(match["width"])
        words = {"true": 1, "false": 0}
        value = words[match["value"]] if match["value"] in words else int(match["value"])
        if -(1 << (width - 1)) <= value < 1 << width:
            return context.constants.integer(context.types.integer(width), value)
    elif match := _NULL.match(text):
        return context.constants.null(context.types.pointer(int(match["space"] or 0)))
    raise PCSectionsError(f"!pcsections: expected an integer or a null pointer, found {text[:_SHOWN]}")


def string_text(section: PCSection) -> str:
    """Return the element that opens a section."""
    return f'!"{escaped(section.spelling)}"'


def tuple_text(elements: list[str], *, is_distinct: bool = False) -> str:
    """Return the definition of a tuple."""
    return f"{'distinct ' if is_distinct else ''}!{{{', '.join(elements)}}}"


_SHOWN = 60
"""Characters."""
