"""Operands of inline assembly for libNVVM, which takes integers of 8 to 64 bits, pointers, float and double.

LLVM's code generator puts a vector that fits into a register into its low bits, and extends narrow integers.  libNVVM
does the same with integers, so vectors are passed as integers.  libNVVM of CUDA 12 lacks registers of 128 bits, and its
PTX lacks functions with the constraint for these, `q`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.profiles.editing import editor, replace
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.ir.constants import ConstantInt, InlineAsm
from bitcodec.ir.instructions import Call
from bitcodec.ir.type_properties import result_types
from bitcodec.ir.types import ArrayType, FloatingPointType, IntegerType, StructType, VectorType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.instruction_flags import AsmFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.builder import Builder
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["lower_assembly_operands"]

_WIDTHS = {"c": 16, "h": 16, "r": 32, "f": 32, "l": 64, "d": 64}
"""Bits of a register, by its constraint.  A register of a predicate, `b`, takes the lowest bit of an integer."""
_IMMEDIATES = frozenset({"i", "n"})
_FLOATING = frozenset({"d", "f"})
"""Constraints of registers whose results libNVVM does not narrow."""
_WIDE = "q"
_PASSED = (8, 16, 32, 64)
"""The widths of integers that libNVVM passes."""


class _Operand(NamedTuple):
    """A result or an argument: its type, and its constraint, "" if the constraints do not fit the call."""

    type: Type
    constraint: str


def lower_assembly_operands(module: Module, losses: Losses) -> None:
    """Pass small vectors and odd integers as integers; refuse operands that are larger than their register."""
    for function in module.functions:
        for block in function.blocks:
            for instruction in list(block.instructions):
                if isinstance(instruction, Call) and isinstance(instruction.callee, InlineAsm):
                    _lower(instruction, instruction.callee, losses, function.name)


def _lower(call: Call, callee: InlineAsm, losses: Losses, place: str) -> None:
    results, arguments = _operands(call, callee)
    if any(each.constraint == _WIDE for each in (*results, *arguments)):
        losses.add(rows.ASSEMBLY_REGISTER, place, call)
        return
    widths = [_passed_width(each) for each in results]
    widths += [_passed_width(each, value) for each, value in zip(arguments, call.arguments, strict=True)]
    if None in widths:
        losses.add(rows.ASSEMBLY_TYPE, place, call)
    elif any(widths):
        losses.add(rows.ASSEMBLY_OPERAND, place, call)
        builder = editor(call)
        types = [
            builder.types.integer(width) if width else each.type
            for each, width in zip((*results, *arguments), widths, strict=True)
        ]
        _pass_as(builder, call, callee, arguments, types)


def _operands(call: Call, callee: InlineAsm) -> tuple[list[_Operand], list[_Operand]]:
    """Return the results and the arguments of a call with their constraints; `0` becomes the first result's."""
    outputs: list[str] = []
    inputs: list[str] = []
    numbered: dict[str, str] = {}
    for text in callee.constraints.split(","):
        if text.startswith("~"):
            continue
        letter = text.lstrip("=&")
        letter = numbered[str(len(numbered))] = numbered.get(letter, letter)
        (outputs if text.startswith("=") and "*" not in text else inputs).append(letter)
    parts = result_types(call.type)
    if (len(outputs), len(inputs)) != (len(parts), len(call.arguments)):
        outputs, inputs = [""] * len(parts), [""] * len(call.arguments)
    results = [_Operand(type_, letter) for type_, letter in zip(parts, outputs, strict=True)]
    return results, [_Operand(each.type, letter) for each, letter in zip(call.arguments, inputs, strict=True)]


def _passed_width(operand: _Operand, value: Value | None = None) -> int | None:
    """Return the width of the integer that passes an operand, 0 for its own type, None if no register fits."""
    type_ = operand.type
    bits = _bits(type_)
    if bits in _PASSED and not isinstance(type_, VectorType):
        return 0
    if bits == 0:
        return None if isinstance(type_, ArrayType | StructType | VectorType) else 0
    if operand.constraint in _IMMEDIATES and isinstance(value, ConstantInt):
        return _PASSED[-1] if -(1 << 63) <= value.signed < 1 << 63 else None
    room = _WIDTHS.get(operand.constraint, 1 if operand.constraint == "b" else 0)
    if bits > room:
        return None
    return room if operand.constraint in _FLOATING else next(width for width in _PASSED if width >= bits)


def _bits(type_: Type) -> int:
    """Return the bits of an integer, a number, or a vector of either; 0 for other types, and vectors of single bits."""
    scalar = type_.scalar_type
    if isinstance(type_, VectorType):
        width = 0 if type_.is_scalable else _bits(scalar)
        return width * type_.count if width in _PASSED else 0
    if isinstance(scalar, FloatingPointType):
        return {"half": 16, "bfloat": 16, "float": 32, "double": 64}.get(scalar.spelling, 0)
    return scalar.bit_width if isinstance(scalar, IntegerType) else 0


def _pass_as(
    builder: Builder, call: Call, callee: InlineAsm, arguments: Sequence[_Operand], types: Sequence[Type]
) -> None:
    """Call the assembly with results and arguments of other types."""
    parts = result_types(call.type)
    results = types[: len(parts)]
    passed = [
        _converted(builder, value, type_, is_signed=operand.constraint in _IMMEDIATES)
        for operand, value, type_ in zip(arguments, call.arguments, types[len(parts) :], strict=True)
    ]
    result: Type = (*results, builder.types.void)[0]
    if isinstance(call.type, StructType):
        result = builder.types.struct(list(results))
    assembly = builder.constants.inline_asm(
        builder.types.function(result, [each.type for each in passed]),
        callee.assembly,
        callee.constraints,
        callee.flags & (AsmFlags.SIDEEFFECT | AsmFlags.ALIGNSTACK),
    )
    made = builder.call(assembly, passed, attributes=call.attributes, bundles=call.bundles, tail=call.tail_kind)
    made.metadata.update(call.metadata)
    if not isinstance(call.type, StructType):
        replace(call, _converted_back(builder, made, parts[0]) if parts else None)
        return
    value: Value = builder.constants.poison(call.type)
    for index, part in enumerate(parts):
        value = builder.insertvalue(value, _converted_back(builder, builder.extractvalue(made, index), part), index)
    replace(call, value)


def _converted(builder: Builder, value: Value, type_: Type, *, is_signed: bool) -> Value:
    if value.type is type_:
        return value
    if isinstance(value, ConstantInt) and is_signed:
        return builder.constant(type_, value.signed)
    if isinstance(value.type, VectorType):
        value = builder.bitcast(value, builder.types.integer(_bits(value.type)))
    return value if value.type is type_ else builder.zext(value, type_)


def _converted_back(builder: Builder, value: Value, type_: Type) -> Value:
    if value.type is type_:
        return value
    number = builder.types.integer(_bits(type_))
    value = value if value.type is number else builder.trunc(value, number)
    return value if type_ is number else builder.bitcast(value, type_)
