"""Casts of pointers into another address space: `bitcast` could do that once.

LLVM goes through an integer of 64 bits, whatever the target.  Rules: docs/reference/upgrades.md, 10.6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import Cast
from bitcodec.ir.types import PointerType

if TYPE_CHECKING:
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["is_address_space_bitcast", "upgraded_bitcast_constant", "upgraded_bitcasts"]

_BITS = 64


def is_address_space_bitcast(opcode: str, source: Type, target: Type) -> bool:
    """Return whether a cast is one that cannot be made any more."""
    if opcode != "bitcast":
        return False
    old, new = source.scalar_type, target.scalar_type
    return old is not new and isinstance(old, PointerType) and isinstance(new, PointerType)


def upgraded_bitcasts(value: Value, type_: Type, types: TypeTable) -> tuple[Cast, Cast]:
    """Return the two instructions that replace such a cast; the second one has its value."""
    address = Cast("ptrtoint", value, types.like(value.type, types.integer(_BITS)))
    return address, Cast("inttoptr", address, type_)


def upgraded_bitcast_constant(value: Constant, type_: Type, types: TypeTable, constants: ConstantTable) -> Constant:
    """Return the constant that replaces such a cast."""
    address = constants.cast("ptrtoint", value, types.like(value.type, types.integer(_BITS)))
    return constants.cast("inttoptr", address, type_)
