"""Flags and operations that older versions of LLVM lack: one row each.  Rules: docs/reference/older-readers.md, 6."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.writer.instructions import OPCODES
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.rows import Family, InstructionConstruct
from bitcodec.ir import instructions as ir
from bitcodec.ir.construction.copies import unlisted_cast
from bitcodec.ir.construction.unlisted import moved_to, unlisted, unlisted_copy
from bitcodec.ir.types import ArrayType, StructType, VectorType
from bitcodec.tables.instruction_flags import (
    FAST_MATH,
    FAST_MATH_FLAGS,
    FAST_MATH_OF,
    FLAGS,
    NO_FAST_MATH,
    NO_INTEGER_FLAGS,
    Flag,
    flags_of_opcode,
    members_of,
    newer_fast_math,
    newer_flags,
    older_fast_math,
)
from bitcodec.tables.opcodes import CAST_OPCODES, CASTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bitcodec.downgrade.rows import Plan
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.instruction_flags import FastMathFlag

__all__ = [
    "FAST_MATH_ARRAY",
    "FAST_MATH_CONSTRUCTS",
    "FAST_MATH_OF_INSTRUCTIONS",
    "FAST_MATH_STRUCT",
    "FLAGS_OF_INSTRUCTIONS",
    "FREEZE",
    "NEWER_CASTS",
    "ROWS",
    "has_opcode",
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
        fast_math=negation.fast_math,
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
    """Write the fast-math flags that a version has."""
    older = older_fast_math(operation.fast_math, plan.version)
    if older is operation.fast_math:
        return None
    for since in dict.fromkeys(row.since for row in newer_fast_math(operation.fast_math, plan.version)):
        plan.losses.add(FAST_MATH_CONSTRUCTS[since], place, operation, times)
    return (unlisted_copy(operation, fast_math=older),)


def _constructs_of_flags(rows: Sequence[Flag | FastMathFlag], kind: str, of: str = "") -> dict[int, Construct]:
    """Return the constructs that flags of some instructions are, by the first version that has them."""
    made = {}
    for since in dict.fromkeys(row.since for row in rows if row.since):
        new = [row for row in rows if row.since == since]
        name = f"{kind}{'s' * (len(new) > 1)} {' and '.join(f'`{row.word}`' for row in new)}{of}"
        is_needed = any(isinstance(row, Flag) and row.is_needed for row in new)
        made[since] = Construct(name, since, Way.REFUSE if is_needed else Way.DROP)
    return made


FLAGS_OF_INSTRUCTIONS = {
    opcode: _constructs_of_flags(flags_of_opcode(opcode), "flag", f" of {opcode}")
    for opcode in dict.fromkeys(opcode for row in FLAGS for opcode in row.opcodes)
}
"""By opcode, and by the first version that has them."""
FAST_MATH_CONSTRUCTS = _constructs_of_flags(FAST_MATH_FLAGS, "fast-math flag")
"""By the first version that has them."""
FAST_MATH_OF_INSTRUCTIONS = {
    row.opcodes: Construct(f"fast-math flags of {' and '.join(row.opcodes)}", row.since, Way.DROP)
    for row in FAST_MATH
    if row.since
}
"""By opcodes."""


def _find_flags(instruction: Any, plan: Plan, place: str, times: int) -> None:
    opcode = instruction.opcode
    for since in {row.since for row in newer_flags(opcode, instruction.flags, plan.version)}:
        plan.losses.add(FLAGS_OF_INSTRUCTIONS[opcode][since], place, instruction, times)


def _families_of_flags() -> Iterator[Family]:
    """Yield families that find flags, for the classes with flags newer than others."""
    for kind, opcodes in OPCODES.items():
        rows = [row for opcode in opcodes for row in flags_of_opcode(opcode)]
        newer = [row for row in rows if row.since]
        if newer:
            members = members_of(type(newer[0].member))
            known = [flags for flags in range(2 * max(row.member for row in rows)) if not _has_newer(opcodes, flags)]
            harmless: dict[str, Sequence[object]] = {"flags": [members[flags] for flags in known]}
            if len(opcodes) > 1:
                # The same bit is another flag for another opcode.
                harmless["opcode"] = opcodes
            yield Family(max(row.since for row in newer), (kind,), _find_flags, harmless, counts=True)


def _has_newer(opcodes: Sequence[str], flags: int) -> bool:
    return any(newer_flags(opcode, flags, 0) for opcode in opcodes)


def has_opcode(opcode: str, cast: Any) -> bool:
    """Return whether a cast, an instruction or a constant, is one of an opcode."""
    return bool(cast.opcode == opcode)


def _is_aggregate(instruction: Instruction) -> bool:
    return isinstance(instruction.type, StructType | ArrayType)


def _has_flags_of(kind: type[Type]) -> Callable[[Any], bool]:
    return lambda operation: bool(operation.fast_math) and isinstance(operation.type, kind)


def _classes_of(opcodes: Sequence[str]) -> tuple[type[Instruction], ...]:
    return tuple(kind for kind, known in OPCODES.items() if not {*known}.isdisjoint(opcodes))


def _has_fast_math(opcodes: Sequence[str]) -> Callable[[Any], bool]:
    return lambda operation: operation.opcode in opcodes and bool(operation.fast_math)


def _is_scalable(shuffle: Any) -> bool:
    return bool(shuffle.type.is_scalable)


_FAST_MATH: Mapping[str, Sequence[object]] = {"fast_math": [NO_FAST_MATH]}
NEWER_CASTS = {row.opcode: Construct(row.opcode, row.since, Way.LOWER, row.instead) for row in CASTS if row.since}
"""By opcode."""
FAST_MATH_ARRAY = Construct("fast-math flags of an array", 10, Way.DROP)
FAST_MATH_STRUCT = Construct("fast-math flags of a structure", 20, Way.DROP)
_OF_AGGREGATES = (ir.Call, ir.Phi, ir.Select)
FREEZE = Construct("freeze", FunctionCode.INST_FREEZE.since, Way.DROP, "its operand")

ROWS: tuple[InstructionConstruct | Family, ...] = (
    *_families_of_flags(),
    *(
        InstructionConstruct(
            construct,
            (ir.Cast,),
            {"opcode": [each for each in CAST_OPCODES if each != opcode]},
            partial(has_opcode, opcode),
        )
        for opcode, construct in NEWER_CASTS.items()
    ),
    InstructionConstruct(
        Construct("freeze of an aggregate", FREEZE.since, Way.REFUSE), (ir.Freeze,), has=_is_aggregate
    ),
    InstructionConstruct(FREEZE, (ir.Freeze,), write=_write_operand),
    *(
        InstructionConstruct(construct, _classes_of(opcodes), _FAST_MATH, _has_fast_math(opcodes), _write_without_flags)
        for opcodes, construct in FAST_MATH_OF_INSTRUCTIONS.items()
    ),
    InstructionConstruct(FAST_MATH_ARRAY, _OF_AGGREGATES, _FAST_MATH, _has_flags_of(ArrayType), _write_without_flags),
    InstructionConstruct(FAST_MATH_STRUCT, _OF_AGGREGATES, _FAST_MATH, _has_flags_of(StructType), _write_without_flags),
    Family(max(FAST_MATH_CONSTRUCTS), _classes_of([*FAST_MATH_OF]), _write_older_flags, _FAST_MATH),
    InstructionConstruct(
        Construct("fneg", FunctionCode.INST_UNOP.since, Way.LOWER, "fsub from -0.0"),
        (ir.UnaryOperator,),
        write=_write_subtraction,
    ),
    InstructionConstruct(
        Construct("shufflevector of scalable vectors", 11, Way.REFUSE),
        (ir.ShuffleVector,),
        has=_is_scalable,
    ),
)
