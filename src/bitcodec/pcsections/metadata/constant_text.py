"""Constants as users spell them: `i32:7,double:0.5,ptr:@table`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError, quote
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType

if TYPE_CHECKING:
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["constants_of_text"]

_BETWEEN = re.compile(r",\s*(?=[a-z]\w*:)")
_INTEGER = re.compile(r"i([1-9]\d{0,6})")
_BITS = re.compile(r"0x[0-9A-Fa-f]+")
_BOOLEANS = {"true": 1, "false": 0}
_FLOATS = ("half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128")


def constants_of_text(text: str, module: Module) -> tuple[Constant, ...]:
    """Return the constants that a text spells: `TYPE:VALUE`, with commas between.

    Types are `iN`, the floating-point types by LLVM's names, and `ptr`.  Values are numbers as Python has them, for
    `i1` `true` and `false` too, for floating-point types bit patterns too (`float:0x3f800000`), for `ptr` `null` and
    `@NAME` of a global.

    Raises:
        PCSectionsError: it spells none.
    """
    return tuple(_constant(part.strip(), module) for part in _BETWEEN.split(text))


def _constant(text: str, module: Module) -> Constant:
    name, colon, value = text.partition(":")
    type_ = _type(name, module) if colon else None
    if type_ is None:
        raise PCSectionsError(
            f"expected a constant like i32:7, double:0.5, ptr:null or ptr:@global, found {quote(text)}"
        )
    if isinstance(type_, PointerType):
        return _pointer(value, module)
    try:
        found = _number(type_, value, module)
    except (ValueError, OverflowError):
        found = None
    if found is None:
        raise PCSectionsError(f"{quote(text)}: {quote(value)} is not a valid {name}")
    return found


def _type(name: str, module: Module) -> Type | None:
    types = module.context.types
    integer = _INTEGER.fullmatch(name)
    if integer is not None:
        width = int(integer[1])
        return types.integer(width) if width <= IntegerType.MAX_WIDTH else None
    if name in _FLOATS:
        found: Type = getattr(types, name)
        return found
    return types.ptr if name == "ptr" else None


def _number(type_: Type, text: str, module: Module) -> Constant | None:
    """Return a number, None if it does not fit.

    Raises:
        ValueError: the text is not a number.
        OverflowError: it is too large for one of Python's.
    """
    constants = module.context.constants
    if isinstance(type_, FloatingPointType):
        if _BITS.fullmatch(text) is None:
            return constants.real(type_, float(text))
        bits = int(text, 16)
        return None if bits >> type_.bit_width else constants.floating(type_, bits)
    if not isinstance(type_, IntegerType):
        return None
    width = type_.bit_width
    number = _BOOLEANS[text] if width == 1 and text in _BOOLEANS else int(text, 0)
    return constants.integer(type_, number) if -(1 << (width - 1)) <= number < 1 << width else None


def _pointer(text: str, module: Module) -> Constant:
    if text == "null":
        return module.context.constants.null(module.context.types.ptr)
    found = module.get(text[1:]) if text.startswith("@") else None
    if found is None:
        raise PCSectionsError(
            f"{quote(f'ptr:{text}')} points to nothing: there are null, and @NAME for a global of this module"
        )
    return found
