"""Flags and operations that older versions of LLVM lack: one row each.  Rules: docs/reference/older-readers.md, 6."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.instructions import FLAGGED
from bitcodec.downgrade.rows import Family, InstructionConstruct
from bitcodec.ir import instructions as ir
from bitcodec.ir.construction.unlisted import moved_to, unlisted, unlisted_cast, unlisted_copy
from bitcodec.ir.types import ArrayType, StructType, VectorType
from bitcodec.tables.instruction_flags import (
    FLAGS,
    NO_CAST_FLAGS,
    NO_FAST_MATH,
    NO_INTEGER_FLAGS,
    FastMathFlags,
    flags_of_opcode,
    members_of,
    newer_flags,
)
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bitcodec.downgrade.rows import Plan
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "FAST_MATH_ARRAY",
    "FAST_MATH_PHI",
    "FAST_MATH_STRUCT",
    "FLAGS_OF_INSTRUCTIONS",
    "FREEZE",
    "PTRTOADDR",
    "ROWS",
]


def _write_operand(freeze: ir.Freeze, _plan: Plan) -> tuple[Instruction, ...]:
    value = freeze.operands[0]
    return (moved_to(freeze, unlisted_cast("bitcast", value, value.type)),)


def _write_subtraction(negation: ir.UnaryOperator, plan: Plan) -> tuple[Instruction, ...]:
    (operand,) = negation.operands
    made = unlisted(
        ir.BinaryOperator,
        operand.type,
        (_negative_zero(operand.type, plan.module), operand),
        opcode="fsub",
        flags=NO_INTEGER_FLAGS,
        fast_math=_older_flags(negation.fast_math, plan.version),
    )
    return (moved_to(negation, made),)


def _negative_zero(type_: Type, module: Module) -> Value:
    constants = module.context.constants
    scalar: Any = type_.scalar_type
    sign = 63 if scalar.spelling == "ppc_fp128" else scalar.bit_width - 1
    zero = constants.floating(scalar, 1 << sign)
    return constants.splat(type_, zero) if isinstance(type_, VectorType) else zero


def _write_without_flags(operation: Any, _plan: Plan) -> tuple[Instruction, ...]:
    return (unlisted_copy(operation, fast_math=NO_FAST_MATH),)


def _write_older_flags(operation: Any, plan: Plan, place: str, times: int) -> tuple[Instruction, ...] | None:
    """Write the fast-math flags that a version has; before LLVM 6, one flag is for all of them."""
    flags = operation.fast_math
    older = _older_flags(flags, plan.version)
    if older is flags:
        return None
    if flags != FastMathFlags.FAST:
        plan.losses.add(_FAST_MATH_FLAGS, place, operation, times)
    return (unlisted_copy(operation, fast_math=older),)


def _older_flags(flags: FastMathFlags, version: int) -> FastMathFlags:
    if version >= _FAST_MATH_FLAGS.since or not flags:
        return flags
    if flags & FastMathFlags.FAST == FastMathFlags.FAST:
        return FastMathFlags.UNSAFE_ALGEBRA
    known = FastMathFlags.NNAN | FastMathFlags.NINF | FastMathFlags.NSZ | FastMathFlags.ARCP
    if version >= _CONTRACT:
        known |= FastMathFlags.CONTRACT
    return flags if not flags & ~known else flags & known


def _constructs_of_flags() -> dict[str, dict[int, Construct]]:
    made: dict[str, dict[int, Construct]] = {}
    for opcode in dict.fromkeys(opcode for row in FLAGS for opcode in row.opcodes):
        for since in dict.fromkeys(row.since for row in flags_of_opcode(opcode) if row.since):
            rows = [row for row in flags_of_opcode(opcode) if row.since == since]
            name = f"flag{'s' * (len(rows) > 1)} {' and '.join(f'`{row.word}`' for row in rows)} of {opcode}"
            way = Way.REFUSE if any(row.is_needed for row in rows) else Way.DROP
            made.setdefault(opcode, {})[since] = Construct(name, since, way)
    return made


FLAGS_OF_INSTRUCTIONS = _constructs_of_flags()
"""By opcode, and by the first version that has them."""


def _find_flags(instruction: Any, plan: Plan, place: str, times: int) -> None:
    opcode = instruction.opcode
    for since in {row.since for row in newer_flags(opcode, instruction.flags, plan.version)}:
        plan.losses.add(FLAGS_OF_INSTRUCTIONS[opcode][since], place, instruction, times)


def _families_of_flags() -> Iterator[Family]:
    """Yield what finds flags, for the classes that have flags which are newer than others."""
    for kind, opcodes in {**FLAGGED, **_SEVERAL_OPCODES}.items():
        rows = [row for opcode in opcodes for row in flags_of_opcode(opcode)]
        newer = [row for row in rows if row.since]
        if newer:
            members = members_of(type(newer[0].member))
            known = [flags for flags in range(2 * max(row.member for row in rows)) if not _has_newer(opcodes, flags)]
            harmless: dict[str, Sequence[object]] = {"flags": [members[flags] for flags in known]}
            if kind in _SEVERAL_OPCODES:
                harmless["opcode"] = opcodes
            yield Family(max(row.since for row in newer), (kind,), _find_flags, harmless, counts=True)


_SEVERAL_OPCODES: dict[type[Instruction], Sequence[str]] = {
    ir.BinaryOperator: [name for row in BINARY_OPCODES for name in (row.integer, row.floating) if name],
    ir.Cast: CAST_OPCODES,
}
"""All opcodes of classes in which the same bit is another flag for another opcode."""


def _has_newer(opcodes: Sequence[str], flags: int) -> bool:
    return any(newer_flags(opcode, flags, 0) for opcode in opcodes)


def _is_conversion_of_numbers(cast: ir.Cast) -> bool:
    return bool(cast.fast_math) and not cast.flags


def _is_address(cast: ir.Cast) -> bool:
    return cast.opcode == "ptrtoaddr"


def _is_aggregate(instruction: Instruction) -> bool:
    return isinstance(instruction.type, StructType | ArrayType)


def _has_flags_of(kind: type[Type]) -> Callable[[Any], bool]:
    return lambda operation: bool(operation.fast_math) and isinstance(operation.type, kind)


def _has_fast_math(operation: Any) -> bool:
    return bool(operation.fast_math)


def _is_scalable(shuffle: Any) -> bool:
    return bool(shuffle.type.is_scalable)


_CONTRACT = 5
"""The first version that has `contract`."""
_CAST_FLAGS: Mapping[str, Sequence[object]] = {"flags": [NO_CAST_FLAGS], "opcode": CAST_OPCODES}
_FAST_MATH: Mapping[str, Sequence[object]] = {"fast_math": [NO_FAST_MATH]}
PTRTOADDR = Construct("ptrtoaddr", 22, Way.LOWER, "ptrtoint")
FAST_MATH_PHI = Construct("fast-math flags of phi", 10, Way.DROP)
FAST_MATH_ARRAY = Construct("fast-math flags of an array", 10, Way.DROP)
FAST_MATH_STRUCT = Construct("fast-math flags of a structure", 20, Way.DROP)
_FAST_MATH_FLAGS = Construct("fast-math flags `afn`, `reassoc` and `contract`", 6, Way.DROP)
_OF_AGGREGATES = (ir.Call, ir.Phi, ir.Select)
FREEZE = Construct("freeze", FunctionCode.INST_FREEZE.since, Way.DROP, "its operand")

ROWS: tuple[InstructionConstruct | Family, ...] = (
    *_families_of_flags(),
    InstructionConstruct(
        Construct("fast-math flags of fptrunc and fpext", 20, Way.DROP),
        (ir.Cast,),
        {**_CAST_FLAGS, **_FAST_MATH},
        _is_conversion_of_numbers,
    ),
    InstructionConstruct(
        PTRTOADDR, (ir.Cast,), {"opcode": [each for each in CAST_OPCODES if each != "ptrtoaddr"]}, _is_address
    ),
    InstructionConstruct(
        Construct("freeze of an aggregate", FREEZE.since, Way.REFUSE), (ir.Freeze,), has=_is_aggregate
    ),
    InstructionConstruct(FREEZE, (ir.Freeze,), write=_write_operand),
    InstructionConstruct(
        Construct("fneg", FunctionCode.INST_UNOP.since, Way.LOWER, "fsub from -0.0"),
        (ir.UnaryOperator,),
        write=_write_subtraction,
    ),
    InstructionConstruct(FAST_MATH_PHI, (ir.Phi,), _FAST_MATH, _has_fast_math, _write_without_flags),
    InstructionConstruct(
        Construct("fast-math flags of select", 9, Way.DROP),
        (ir.Select,),
        _FAST_MATH,
        _has_fast_math,
        _write_without_flags,
    ),
    InstructionConstruct(FAST_MATH_ARRAY, _OF_AGGREGATES, _FAST_MATH, _has_flags_of(ArrayType), _write_without_flags),
    InstructionConstruct(FAST_MATH_STRUCT, _OF_AGGREGATES, _FAST_MATH, _has_flags_of(StructType), _write_without_flags),
    Family(_FAST_MATH_FLAGS.since, (ir.BinaryOperator, ir.FCmp, ir.Call), _write_older_flags, _FAST_MATH),
    InstructionConstruct(
        Construct("shufflevector of scalable vectors", 11, Way.REFUSE),
        (ir.ShuffleVector,),
        has=_is_scalable,
    ),
)
