"""Constants for older versions of LLVM.  Rules: docs/reference/older-readers.md, 5.

A reader takes a record of a constant that it does not know for `undef`: such a record must never be written for it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.bitcode.schema.blocks import ConstantsCode
from bitcodec.bitcode.writer.constants import CONSTANT_WRITERS
from bitcodec.downgrade import constructs
from bitcodec.ir import constant_expressions as expressions
from bitcodec.ir.constants import Constant, ConstantFP, ConstantInt, InlineAsm, PoisonValue
from bitcodec.ir.construction import present_uses
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.types import IntegerType
from bitcodec.tables.instruction_flags import GEPFlags, newer_flags
from bitcodec.tables.opcodes import CAST_OPCODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

    class _Records(Protocol):
        def add_fields(self, code: ConstantsCode, /, **fields: Any) -> None: ...
        def undef(self, constant: Constant, /) -> None: ...
        def block_address(self, address: expressions.BlockAddress, /) -> None: ...
        def inline_asm(self, asm: InlineAsm, /, *, has_type: bool = True) -> None: ...


__all__ = ["NO_TYPES", "constant_writers", "may_refuse"]

NO_TYPES: Mapping[Type, Type] = MappingProxyType({})
"""In the place of types that others are written for: there are none."""


def constant_writers(
    losses: Losses, replaced_types: Mapping[Type, Type] = NO_TYPES
) -> Mapping[type[Value], Callable[[Any, Any], None]]:
    """Return the functions that write constants for the version that losses are collected for.

    Args:
        losses: receives what the version lacks.
        replaced_types: by type, the one that is written for it.
    """
    writers = _Writers(losses, replaced_types)
    found: dict[type[Value], Callable[[Any, Any], None]] = dict(CONSTANT_WRITERS)
    if losses.version < constructs.PTRTOADDR.since:
        found[expressions.ConstantCast] = writers.cast
        found[expressions.ConstantPtrAuth] = writers.signed_pointer
    if losses.version < constructs.IN_RANGE.since:
        found[expressions.ConstantGetElementPtr] = writers.address
    if losses.version < constructs.NO_CFI.since:
        found[InlineAsm] = writers.assembly
        found[expressions.NoCFIValue] = writers.plain_function
    if losses.version < constructs.EQUIVALENT.since:
        found[expressions.DSOLocalEquivalent] = writers.plain_function
    if losses.version < constructs.BLOCK_ADDRESS_SPACE.since:
        found[expressions.BlockAddress] = writers.block_address
    if losses.version < constructs.POISON.since:
        found[PoisonValue] = writers.poison
    if replaced_types:
        found[ConstantFP] = writers.number
    return found


def may_refuse(constants: ConstantTable, version: int) -> bool:
    """Return whether a constant exists that the functions which write constants for a version may refuse."""
    if version < constructs.UNWINDING_ASM.since and any(each.can_unwind for each in constants.assembly()):
        return True
    refused: list[type[Constant]] = []
    if version < constructs.SIGNED_POINTER_SYMBOL.since:
        refused.append(expressions.ConstantPtrAuth)
    if version < constructs.BLOCK_ADDRESS_SPACE.since:
        refused.append(expressions.BlockAddress)
    return any(isinstance(each, tuple(refused)) for each in constants.with_operands())


class _Writers:
    def __init__(self, losses: Losses, replaced_types: Mapping[Type, Type]) -> None:
        self._losses = losses
        self._replaced_types = replaced_types

    def cast(self, records: _Records, constant: expressions.ConstantCast) -> None:
        if constant.opcode != "ptrtoaddr":
            CONSTANT_WRITERS[type(constant)](records, constant)
            return
        self._add(constructs.PTRTOADDR, constant)
        operand = constant.operand
        opcode = CAST_OPCODES.index("ptrtoint")
        records.add_fields(ConstantsCode.CE_CAST, opcode=opcode, operand_type=operand.type, operand=operand)

    def address(self, records: _Records, constant: expressions.ConstantGetElementPtr) -> None:
        """Write an address as LLVM before 19 does: `inbounds` has a code of its own, other flags have no place."""
        flags = GEPFlags(constant.flags)
        for since in {row.since for row in newer_flags(constant.opcode, flags, self._losses.version)}:
            self._add(constructs.FLAGS_OF_INSTRUCTIONS[constant.opcode][since], constant)
        if constant.in_range is not None:
            self._add(constructs.IN_RANGE, constant)
        code = ConstantsCode.CE_INBOUNDS_GEP if flags & GEPFlags.INBOUNDS else ConstantsCode.CE_GEP_OLD
        records.add_fields(code, source_element_type=constant.source_element_type, operands=constant.operands)

    def signed_pointer(self, records: _Records, constant: expressions.ConstantPtrAuth) -> None:
        if self._losses.version < constructs.SIGNED_POINTER.since:
            self._add(constructs.SIGNED_POINTER, constant)
        if not constant.deactivation_symbol.is_null:
            self._add(constructs.SIGNED_POINTER_SYMBOL, constant)
        records.add_fields(
            ConstantsCode.PTRAUTH,
            pointer=constant.pointer,
            key=constant.key,
            discriminator=constant.discriminator,
            address_discriminator=constant.address_discriminator,
        )

    def block_address(self, records: _Records, constant: expressions.BlockAddress) -> None:
        if constant.function.address_space:
            self._losses.add(constructs.BLOCK_ADDRESS_SPACE, constant.function.name, constant)
        records.block_address(constant)

    def number(self, records: _Records, constant: ConstantFP) -> None:
        """Write a number as the integer with its bits if its type is written as one."""
        type_ = self._replaced_types.get(constant.type)
        if isinstance(type_, IntegerType):
            CONSTANT_WRITERS[ConstantInt](records, ConstantInt(type_, constant.bits))
        else:
            CONSTANT_WRITERS[ConstantFP](records, constant)

    def poison(self, records: _Records, constant: PoisonValue) -> None:
        self._add(constructs.POISON, constant)
        records.undef(constant)

    def plain_function(self, records: _Records, constant: Any) -> None:
        is_equivalent = isinstance(constant, expressions.DSOLocalEquivalent)
        self._add(constructs.EQUIVALENT if is_equivalent else constructs.NO_CFI, constant)
        value, opcode = constant.global_value, CAST_OPCODES.index("bitcast")
        records.add_fields(ConstantsCode.CE_CAST, opcode=opcode, operand_type=constant.type, operand=value)

    def assembly(self, records: _Records, asm: InlineAsm) -> None:
        """Write assembly text by the type of the pointer to it."""
        if asm.can_unwind and self._losses.version < constructs.UNWINDING_ASM.since:
            self._losses.add(constructs.UNWINDING_ASM, "", asm)
        records.inline_asm(asm, has_type=False)

    def _add(self, construct: constructs.Construct, constant: Constant) -> None:
        self._losses.add(construct, _place_of(constant), constant)


def _place_of(constant: Constant) -> str:
    """Return the name of the first function or other global that holds a constant, directly or through others."""
    pending: list[Value] = [constant]
    seen: set[Value] = set()
    while pending:
        for user in present_uses(pending.pop()):
            if isinstance(user, Instruction):
                return "" if user.function is None else user.function.name
            if isinstance(user, GlobalValue):
                return user.name
            if isinstance(user, Constant) and user not in seen:
                seen.add(user)
                pending.append(user)
    return ""
