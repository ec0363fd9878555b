"""Intrinsics of newer GPUs for libNVVM: each is an instruction of PTX, which is written as inline assembly.

An operand of 16-bit floating-point type is in a register for 16 bits, a vector of two such in one for 32 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.profiles.editing import assembly, calls_of, editor, intrinsics_of, name_of, replace
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.downgrade.profiles.nvvm.matrices import matrix_ptx
from bitcodec.downgrade.profiles.nvvm.ptx import PTX, instruction
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.intrinsic_signatures import Misfit, matched
from bitcodec.ir.type_properties import result_types
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType, VectorType
from bitcodec.tables.intrinsics import PREFIX, base_in, intrinsic_rows

if TYPE_CHECKING:
    from bitcodec.builder import Builder
    from bitcodec.downgrade.losses import Losses
    from bitcodec.downgrade.profiles.nvvm.ptx import Ptx
    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["lower_to_assembly"]


_SIZES = {16: "h", 32: "r", 64: "l"}
_FLOATS = {"float": "f", "double": "d", "half": "h", "bfloat": "h"}
_PAIR = 2
_HALF, _WORD = 16, 32


def lower_to_assembly(module: Module, losses: Losses) -> None:
    """Write PTX for the intrinsics that have a row; declarations of another type are left alone."""
    for function, name in intrinsics_of(module):
        base = base_in(name, intrinsic_rows())
        if base and isinstance(matched(base, function.function_type), Misfit):
            continue
        parts = result_types(function.return_type)
        of_all = PTX.get(name) or matrix_ptx(name, len(parts), len(function.function_type.parameter_types))
        for call in calls_of(function):
            found = of_all or instruction(name, _immediates(call))
            if found is not None:
                losses.add(rows.intrinsic(PREFIX + name, "PTX", message=""), name_of(call), call)
                replace(call, _called(editor(call), call, found))
        if not function.is_used:
            function.erase_from_parent()


def _called(builder: Builder, call: CallBase, found: Ptx) -> Value | None:
    """Call PTX instead of an intrinsic, with operands and results as registers have them."""
    result = call.type
    parts = result_types(result)
    registers = [_register(builder, part) for part in parts]
    operands = [_as_register(builder, operand) for operand in call.arguments]
    constraints = [f"={_letter(type_)}" for type_ in registers]
    constraints += [
        "n" if _is_immediate(call, index) else _letter(operand.type) for index, operand in enumerate(operands)
    ]
    constraints += ["~{memory}"] if found.clobbers_memory else []
    type_ = builder.types.struct(registers) if len(registers) > 1 else (*registers, builder.types.void)[0]
    made = assembly(builder, found.text, ",".join(constraints), type_, operands, has_side_effects=not found.is_pure)
    if len(parts) < _PAIR:
        return _from_register(builder, made, parts[0]) if parts else None
    value: Value = builder.constants.poison(result)
    for index, part in enumerate(parts):
        value = builder.insertvalue(value, _from_register(builder, builder.extractvalue(made, index), part), index)
    return value


def _immediates(call: CallBase) -> list[int]:
    """Return the values of the arguments that must be constants."""
    places = [index for index in range(len(call.arguments)) if _is_immediate(call, index)]
    found = [call.arguments[index] for index in places]
    return [each.value for each in found if isinstance(each, ConstantInt)]


def _is_immediate(call: CallBase, index: int) -> bool:
    function = call.callee
    attributes = getattr(function, "attributes", None)
    return attributes is not None and "immarg" in attributes.for_parameter(index)


def _register(builder: Builder, type_: Type) -> Type:
    """Return the type of the register that a value is in."""
    types = builder.types
    if isinstance(type_, IntegerType) and type_.bit_width < _HALF:
        return types.integer(_WORD if type_.bit_width == 1 else _HALF)
    if isinstance(type_, VectorType):
        return types.integer(builder.module.data_layout.size_in_bits(type_))
    if isinstance(type_, FloatingPointType) and type_.spelling in rows.HALVES:
        return types.integer(_HALF)
    return type_


def _as_register(builder: Builder, value: Value) -> Value:
    wanted = _register(builder, value.type)
    if wanted is value.type:
        return value
    if isinstance(value, ConstantInt):
        return builder.constant(wanted, value.unsigned)
    return builder.zext(value, wanted) if isinstance(value.type, IntegerType) else builder.bitcast(value, wanted)


def _from_register(builder: Builder, value: Value, type_: Type) -> Value:
    if value.type is type_:
        return value
    if isinstance(type_, IntegerType):
        return builder.icmp("ne", value, 0) if type_.bit_width == 1 else builder.trunc(value, type_)
    return builder.bitcast(value, type_)


def _letter(type_: Type) -> str:
    if isinstance(type_, IntegerType):
        return _SIZES[type_.bit_width]
    if isinstance(type_, PointerType):
        return "l"
    assert isinstance(type_, FloatingPointType)  # noqa: S101 - intrinsics with a row have no other types
    return _FLOATS[type_.spelling]
