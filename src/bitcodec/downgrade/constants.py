"""Constants that older versions of LLVM lack: one row each.  Rules: docs/reference/older-readers.md, 5.

A reader takes a record of a constant that it does not know for `undef`: such a record must never be written for it.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.bitcode.schema.blocks import ConstantsCode
from bitcodec.bitcode.writer.constants import CONSTANT_WRITERS
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.operations import FLAGS_OF_INSTRUCTIONS, PTRTOADDR
from bitcodec.ir import constant_expressions as expressions
from bitcodec.ir.constants import Constant, ConstantFP, ConstantInt, InlineAsm, PoisonValue
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.types import IntegerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.instruction_flags import INLINE_ASSEMBLY, GEPFlags, newer_flags
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
        def inline_asm(self, asm: InlineAsm, /, *, has_type: bool = True) -> None: ...


__all__ = ["ROWS", "ConstantConstruct", "constant_writers", "may_refuse"]

_NO_TYPES: Mapping[Type, Type] = MappingProxyType({})
"""In the place of types that others are written for: there are none."""


class ConstantConstruct(NamedTuple):
    """A row.

    Attributes:
        construct: the construct.
        kind: the class of the constants.
        has: returns whether a constant of the class has it; None for all.
        write: writes a constant of the class for versions that lack the construct; None: as for LLVM 22.
    """

    construct: Construct
    kind: type[Value]
    has: Callable[[Any], bool] | None = None
    write: Callable[[Any, Any], None] | None = None


def constant_writers(
    losses: Losses, replaced_types: Mapping[Type, Type] = _NO_TYPES
) -> Mapping[type[Value], Callable[[Any, Any], None]]:
    """Return the functions that write constants for the version that losses are collected for.

    Args:
        losses: receives the constants that the version lacks.
        replaced_types: by type, the one that is written for it.
    """
    found: dict[type[Value], Callable[[Any, Any], None]] = dict(CONSTANT_WRITERS)
    if losses.version < _TYPED_ASSEMBLY:
        found[InlineAsm] = _write_assembly
    lacked: dict[type[Value], list[ConstantConstruct]] = {}
    for row in ROWS:
        if row.construct.since > losses.version:
            lacked.setdefault(row.kind, []).append(row)
            found[row.kind] = row.write or found[row.kind]
    for kind, rows in lacked.items():
        found[kind] = _reporting(found[kind], rows, losses)
    if replaced_types:
        found[ConstantFP] = _number_writer(replaced_types)
    return found


def _reporting(
    write: Callable[[Any, Any], None], rows: list[ConstantConstruct], losses: Losses
) -> Callable[[Any, Any], None]:
    """Return a function that adds the losses of constants, and writes them."""

    def report(records: _Records, constant: Constant) -> None:
        for row in rows:
            if row.has is None or row.has(constant):
                losses.add(row.construct, _place_of(constant), constant)
        write(records, constant)

    return report


def may_refuse(constants: ConstantTable, version: int) -> bool:
    """Return whether a constant exists that the functions which write constants for a version refuse."""
    refused = [row for row in ROWS if row.construct.since > version and row.construct.way is Way.REFUSE]
    kinds = tuple(row.kind for row in refused)
    return any(
        isinstance(each, row.kind) and (row.has is None or row.has(each))
        for each in chain(constants.assembly(), constants.with_operands())
        if isinstance(each, kinds)
        for row in refused
    )


def _write_cast(records: _Records, constant: expressions.ConstantCast) -> None:
    if constant.opcode == "ptrtoaddr":
        _write_as_cast(records, "ptrtoint", constant.operand.type, constant.operand)
    else:
        CONSTANT_WRITERS[type(constant)](records, constant)


def _write_function(records: _Records, constant: Any) -> None:
    _write_as_cast(records, "bitcast", constant.type, constant.global_value)


def _write_as_cast(records: _Records, opcode: str, type_: Type, operand: Value) -> None:
    records.add_fields(ConstantsCode.CE_CAST, opcode=CAST_OPCODES.index(opcode), operand_type=type_, operand=operand)


def _write_address(records: _Records, constant: expressions.ConstantGetElementPtr) -> None:
    """Write an address as LLVM before 19 does: a separate code for `inbounds`, no field for other flags."""
    is_inbounds = GEPFlags(constant.flags) & GEPFlags.INBOUNDS
    code = ConstantsCode.CE_INBOUNDS_GEP if is_inbounds else ConstantsCode.CE_GEP_OLD
    records.add_fields(code, source_element_type=constant.source_element_type, operands=constant.operands)


def _has_flags_since(opcode: str, since: int, constant: Any) -> bool:
    return any(row.since == since for row in newer_flags(opcode, constant.flags, since - 1))


def _write_signed_pointer(records: _Records, constant: expressions.ConstantPtrAuth) -> None:
    records.add_fields(
        ConstantsCode.PTRAUTH,
        pointer=constant.pointer,
        key=constant.key,
        discriminator=constant.discriminator,
        address_discriminator=constant.address_discriminator,
    )


def _write_undef(records: _Records, constant: PoisonValue) -> None:
    records.undef(constant)


def _write_assembly(records: _Records, asm: InlineAsm) -> None:
    """Write assembly text by the type of the pointer to it."""
    records.inline_asm(asm, has_type=False)


def _number_writer(replaced_types: Mapping[Type, Type]) -> Callable[[Any, Any], None]:
    """Return a function that writes a number, as the integer with its bits if its type is replaced by an integer."""

    def write(records: _Records, constant: ConstantFP) -> None:
        type_ = replaced_types.get(constant.type)
        if isinstance(type_, IntegerType):
            CONSTANT_WRITERS[ConstantInt](records, ConstantInt(type_, constant.bits))
        else:
            CONSTANT_WRITERS[ConstantFP](records, constant)

    return write


_TYPED_ASSEMBLY = ConstantsCode.INLINEASM.since
"""The first version whose records of assembly text have the type of the function."""

ROWS: tuple[ConstantConstruct, ...] = (
    ConstantConstruct(PTRTOADDR, expressions.ConstantCast, lambda cast: cast.opcode == "ptrtoaddr", _write_cast),
    ConstantConstruct(
        Construct("constant ptrauth", ConstantsCode.PTRAUTH.since, Way.REFUSE),
        expressions.ConstantPtrAuth,
    ),
    ConstantConstruct(
        Construct("deactivation symbol of a constant ptrauth", ConstantsCode.PTRAUTH2.since, Way.REFUSE),
        expressions.ConstantPtrAuth,
        lambda pointer: not pointer.deactivation_symbol.is_null,
        _write_signed_pointer,
    ),
    *(
        ConstantConstruct(construct, kind, partial(_has_flags_since, opcode, since))
        for kind, opcode in ((expressions.ConstantGetElementPtr, "getelementptr"), (InlineAsm, INLINE_ASSEMBLY))
        for since, construct in FLAGS_OF_INSTRUCTIONS[opcode].items()
    ),
    ConstantConstruct(
        Construct("`inrange` of a constant getelementptr", ConstantsCode.CE_GEP_WITH_INRANGE.since, Way.DROP),
        expressions.ConstantGetElementPtr,
        lambda address: address.in_range is not None,
        _write_address,
    ),
    ConstantConstruct(
        Construct("constant no_cfi", ConstantsCode.NO_CFI_VALUE.since, Way.DROP, "the function"),
        expressions.NoCFIValue,
        write=_write_function,
    ),
    ConstantConstruct(
        Construct("constant dso_local_equivalent", ConstantsCode.DSO_LOCAL_EQUIVALENT.since, Way.DROP, "the function"),
        expressions.DSOLocalEquivalent,
        write=_write_function,
    ),
    ConstantConstruct(
        Construct("address of a block in an address space other than 0", 12, Way.REFUSE),
        expressions.BlockAddress,
        lambda address: address.function.address_space != 0,
    ),
    ConstantConstruct(
        Construct("constant poison", ConstantsCode.POISON.since, Way.LOWER, "undef"),
        PoisonValue,
        write=_write_undef,
    ),
)
"""All of them; of a class, in the order in which they are reported."""


def _place_of(constant: Constant) -> str:
    """Return the name of the first function or other global that holds a constant, directly or through others."""
    if isinstance(constant, InlineAsm):
        return ""
    if isinstance(constant, expressions.BlockAddress):
        return constant.function.name
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
