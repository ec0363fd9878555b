"""Constants that older versions of LLVM lack: one row each.  Rules: docs/reference/older-readers.md, 5.

A reader takes a record of a constant that it does not know for `undef`: such a record must never be written for it.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.bitcode.schema.blocks import ConstantsCode
from bitcodec.bitcode.writer.constants import CONSTANT_WRITERS, record_writer
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.operations import FLAGS_OF_INSTRUCTIONS, NEWER_CASTS, has_opcode
from bitcodec.ir import constant_expressions as expressions
from bitcodec.ir.constants import Constant, ConstantFP, ConstantInt, InlineAsm, PoisonValue, UndefValue
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.types import IntegerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.instruction_flags import INLINE_ASSEMBLY, flag_numbers, newer_flags
from bitcodec.tables.opcodes import CAST_OPCODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

    class _Records(Protocol):
        def add_record(self, code: ConstantsCode, constant: Constant, /, **given: Any) -> None: ...


__all__ = ["ROWS", "ConstantConstruct", "constant_writers", "may_refuse"]

_NO_TYPES: Mapping[Type, Type] = MappingProxyType({})
"""Replaced types: none."""


class ConstantConstruct(NamedTuple):
    """A row.

    Attributes:
        construct: the construct.
        kind: the class of the constants.
        has: returns whether a constant of the class has it; None for all.
        write: writes a constant that has it for versions that lack the construct; None: as others of its class.
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
    found[expressions.ConstantGetElementPtr] = _address_writer(losses.version)
    found |= {kind: record_writer(older) for kind, code, older in _OLDER_FORMS if code.since > losses.version}
    lacked: dict[type[Value], list[ConstantConstruct]] = {}
    for row in ROWS:
        if row.construct.since > losses.version:
            lacked.setdefault(row.kind, []).append(row)
    for kind, rows in lacked.items():
        found[kind] = _reporting(found[kind], rows, losses)
    if replaced_types:
        found[ConstantFP] = _number_writer(replaced_types)
    return found


def _reporting(
    usual: Callable[[Any, Any], None], rows: list[ConstantConstruct], losses: Losses
) -> Callable[[Any, Any], None]:
    """Return a function that adds the losses of constants, and writes them."""

    def report(records: _Records, constant: Constant) -> None:
        write = usual
        for row in rows:
            if row.has is None or row.has(constant):
                losses.add(row.construct, _place_of(constant), constant)
                write = row.write or write
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


def _write_cast(opcode: str, records: _Records, constant: Constant) -> None:
    """Write another cast of what a constant is made of."""
    operand = constant.operands[0]
    records.add_record(ConstantsCode.CE_CAST, constant, opcode=CAST_OPCODES.index(opcode), operand=operand)


def _address_writer(version: int) -> Callable[[Any, Any], None]:
    """Return a function that writes an address with the flags that a version has.

    Before LLVM 19, `inbounds` has a code of its own, and other flags have no place.
    """
    numbers, has_flags = flag_numbers("getelementptr", version=version), version >= ConstantsCode.CE_GEP.since

    def write(records: _Records, constant: expressions.ConstantGetElementPtr) -> None:
        flags = numbers[constant.flags]
        code = ConstantsCode.CE_INBOUNDS_GEP if flags else ConstantsCode.CE_GEP_OLD
        if has_flags:
            code = ConstantsCode.CE_GEP if constant.in_range is None else ConstantsCode.CE_GEP_WITH_INRANGE
        records.add_record(code, constant, flags=flags)

    return write


def _has_flags_since(opcode: str, since: int, constant: Any) -> bool:
    return any(row.since == since for row in newer_flags(opcode, constant.flags, since - 1))


def _number_writer(replaced_types: Mapping[Type, Type]) -> Callable[[Any, Any], None]:
    """Return a function that writes a number, as the integer with its bits if its type is replaced by an integer."""

    def write(records: _Records, constant: ConstantFP) -> None:
        type_ = replaced_types.get(constant.type)
        if isinstance(type_, IntegerType):
            CONSTANT_WRITERS[ConstantInt](records, ConstantInt(type_, constant.bits))
        else:
            CONSTANT_WRITERS[ConstantFP](records, constant)

    return write


_OLDER_FORMS: tuple[tuple[type[Value], ConstantsCode, ConstantsCode], ...] = (
    (InlineAsm, ConstantsCode.INLINEASM, ConstantsCode.INLINEASM_OLD2),
    (expressions.ConstantPtrAuth, ConstantsCode.PTRAUTH2, ConstantsCode.PTRAUTH),
)
"""Classes, each with its newest code and an older one; the type of assembly text was that of the pointer to it."""

ROWS: tuple[ConstantConstruct, ...] = (
    *(
        ConstantConstruct(
            construct, expressions.ConstantCast, partial(has_opcode, opcode), partial(_write_cast, construct.instead)
        )
        for opcode, construct in NEWER_CASTS.items()
    ),
    ConstantConstruct(
        Construct("constant ptrauth", ConstantsCode.PTRAUTH.since, Way.REFUSE),
        expressions.ConstantPtrAuth,
    ),
    ConstantConstruct(
        Construct("deactivation symbol of a constant ptrauth", ConstantsCode.PTRAUTH2.since, Way.REFUSE),
        expressions.ConstantPtrAuth,
        lambda pointer: not pointer.deactivation_symbol.is_null,
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
    ),
    ConstantConstruct(
        Construct("constant no_cfi", ConstantsCode.NO_CFI_VALUE.since, Way.DROP, "the function"),
        expressions.NoCFIValue,
        write=partial(_write_cast, "bitcast"),
    ),
    ConstantConstruct(
        Construct("constant dso_local_equivalent", ConstantsCode.DSO_LOCAL_EQUIVALENT.since, Way.DROP, "the function"),
        expressions.DSOLocalEquivalent,
        write=partial(_write_cast, "bitcast"),
    ),
    ConstantConstruct(
        Construct("address of a block in an address space other than 0", 12, Way.REFUSE),
        expressions.BlockAddress,
        lambda address: address.function.address_space != 0,
    ),
    ConstantConstruct(
        Construct("constant poison", ConstantsCode.POISON.since, Way.LOWER, "undef"),
        PoisonValue,
        write=CONSTANT_WRITERS[UndefValue],
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
