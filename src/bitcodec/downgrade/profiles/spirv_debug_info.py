"""Debug information for the translator to SPIR-V, which writes it as OpenCL.DebugInfo.100 has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.expressions import fragment_of
from bitcodec.downgrade.profiles.profile import row
from bitcodec.ir.debug_info import DIDerivedType, DIExpression
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.metadata import ValueAsMetadata
from bitcodec.tables.dwarf import Tag

if TYPE_CHECKING:
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.module import Module

__all__ = ["EXPRESSION", "lower_debug_info"]

EXPRESSION = row("operator of !DIExpression that OpenCL.DebugInfo.100 lacks", Way.DROP, "a variable without location")
_SPACE = row("pointer type without `dwarfAddressSpace` in debug information", Way.LOWER, "address space 0")
_POINTERS = frozenset({Tag.pointer_type, Tag.reference_type, Tag.rvalue_reference_type})
_KNOWN = frozenset({0x06, 0x10, 0x16, 0x18, 0x1C, 0x22, 0x23, 0x9D, 0x9F, 0x1000})
"""deref, constu, swap, xderef, minus, plus, plus_uconst, bit_piece, stack_value, LLVM_fragment."""


def lower_debug_info(module: Module, losses: Losses) -> None:
    """Leave out nodes on which the translator ends, or that it writes as SPIR-V that validators refuse."""
    for type_ in module.debug_info.types:
        if isinstance(type_, DIDerivedType) and type_.tag in _POINTERS and type_.dwarf_address_space is None:
            losses.add(_SPACE, "", str(type_))
            type_.dwarf_address_space = 0
    for function in module.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                for record in instruction.debug_records if instruction.has_debug_records else ():
                    if isinstance(record, DbgVariableRecord) and not _is_known(record.expression):
                        losses.add(EXPRESSION, function.name, str(record.expression))
                        _forget(record, module)


def _is_known(expression: DIExpression) -> bool:
    return all(operation[0] in _KNOWN for operation in expression.operations)


def _forget(record: DbgVariableRecord, module: Module) -> None:
    """Remove the location of a variable from here on."""
    context = module.context
    value = record.value
    known = value.value if isinstance(value, ValueAsMetadata) else None
    type_ = context.types.integer(1) if known is None else known.type
    record.value = ValueAsMetadata(context.constants.poison(type_))
    record.expression = DIExpression(fragment_of(record.expression))
