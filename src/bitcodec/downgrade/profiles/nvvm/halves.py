"""Floating-point types of 16 bits for libNVVM, which lacks them: operations on them are done in float.

After this, only instructions that move values have such types; the writer writes integers of 16 bits for them.  A sum,
difference, product, quotient or square root that is rounded to float and then to 16 bits is the one that is rounded
once, because float has more than twice as many digits.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.downgrade.profiles.editing import by_element, editor, replace
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.ir import instructions as ir
from bitcodec.ir.types import FloatingPointType, VectorType
from bitcodec.tables.instruction_flags import NO_FAST_MATH
from bitcodec.tables.intrinsics import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.builder import Builder
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["lower_halves"]

_SIZE, _FLOAT_SIZE = 16, 32
_SIGN, _QUIET, _INFINITY = 0x8000, 0x40, 0x7F80_0000
_ROUND, _ABSOLUTE = 0x7FFF, 0x7FFF_FFFF
_BY_FLOAT = frozenset({
    "acos", "asin", "atan", "atan2", "canonicalize", "ceil", "cos", "cosh", "exp", "exp10", "exp2", "floor", "fmuladd",
    "ldexp", "llrint", "llround", "log", "log10", "log2", "lrint", "lround", "maxnum", "minnum", "nearbyint", "pow",
    "powi", "rint", "round", "roundeven", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
})  # fmt: skip
"""Intrinsics whose result for float, rounded, is that for 16 bits as exactly as these are defined."""


def is_half(type_: Type) -> bool:
    """Return whether a type is one of 16 bits, or a vector of such."""
    scalar = type_.scalar_type
    return isinstance(scalar, FloatingPointType) and scalar.spelling in rows.HALVES


def lower_halves(module: Module, losses: Losses) -> None:
    """Lower everything that computes with types of 16 bits."""
    for function in module.functions:
        for block in function.blocks:
            for instruction in list(block.instructions):
                _lower(instruction, losses, function.name)


def _lower(instruction: Instruction, losses: Losses, place: str) -> None:
    found = [value.type for value in (instruction, *instruction.operands) if is_half(value.type)]
    if not found:
        return
    losses.add(rows.HALVES[found[0].scalar_type.spelling], place, instruction)  # type: ignore[attr-defined]
    lower = _RULES.get(type(instruction))
    if lower is not None:
        lower(instruction, editor(instruction))


def _float_like(builder: Builder, type_: Type) -> Type:
    single = builder.types.float
    return builder.types.vector(type_.count, single) if isinstance(type_, VectorType) else single


def _extended(builder: Builder, value: Value) -> Value:
    """Return a value as float."""
    if not is_half(value.type):
        return value
    return by_element(builder, _float_like(builder, value.type), [value], lambda parts: _extend(builder, parts[0]))


def _extend(builder: Builder, value: Value) -> Value:
    types = builder.types
    bits = builder.bitcast(value, types.integer(_SIZE))
    if value.type.spelling == "half":  # type: ignore[attr-defined]
        return builder.intrinsic("llvm.convert.from.fp16.f32", types.float, [bits])
    word = types.integer(_FLOAT_SIZE)
    return builder.bitcast(builder.shl(builder.zext(bits, word), _SIZE), types.float)


def _truncated(builder: Builder, value: Value, type_: Type) -> Value:
    """Return float, or double for half, rounded to a type of 16 bits."""
    if not is_half(type_):
        return value
    return by_element(builder, type_, [value], lambda parts: _truncate(builder, parts[0], type_.scalar_type))


def _truncate(builder: Builder, value: Value, type_: Type) -> Value:
    types = builder.types
    if type_.spelling == "half":  # type: ignore[attr-defined]
        suffix = "f32" if value.type is types.float else "f64"
        bits: Value = builder.intrinsic(f"llvm.convert.to.fp16.{suffix}", types.integer(_SIZE), [value])
        return builder.bitcast(bits, type_)
    if value.type is not types.float:
        value = _rounded_to_odd(builder, value)
    word = types.integer(_FLOAT_SIZE)
    bits = builder.bitcast(value, word)
    high = builder.lshr(bits, _SIZE)
    rounded = builder.lshr(builder.add(builder.add(bits, _ROUND), builder.and_(high, 1)), _SIZE)
    is_nan = builder.icmp("ugt", builder.and_(bits, _ABSOLUTE), _INFINITY)
    chosen = builder.select(is_nan, builder.or_(high, _QUIET), rounded)
    return builder.bitcast(builder.trunc(chosen, types.integer(_SIZE)), type_)


def _rounded_to_odd(builder: Builder, value: Value) -> Value:
    """Return double as float that rounds on as the double itself does: if it is not exact, its last bit is 1."""
    types = builder.types
    word = types.integer(_FLOAT_SIZE)
    near = builder.fptrunc(value, types.float)
    bits = builder.bitcast(near, word)
    back = builder.fpext(near, types.double)
    quad = types.integer(64)
    magnitude = builder.and_(builder.bitcast(back, quad), (1 << 63) - 1)
    wanted = builder.and_(builder.bitcast(value, quad), (1 << 63) - 1)
    step = builder.select(builder.icmp("ugt", magnitude, wanted), -1, builder.constant(word, 1))
    is_even = builder.icmp("eq", builder.and_(bits, 1), 0)
    is_odd_wanted = builder.and_(builder.fcmp("one", back, value), is_even)
    return builder.bitcast(builder.select(is_odd_wanted, builder.add(bits, step), bits), types.float)


def _binary(operation: ir.BinaryOperator, builder: Builder) -> None:
    left, right = (_extended(builder, operand) for operand in operation.operands)
    make = getattr(builder, operation.opcode)
    replace(operation, _truncated(builder, make(left, right, fast_math=operation.fast_math), operation.type))


def _negation(negation: ir.UnaryOperator, builder: Builder) -> None:
    def make(parts: Sequence[Value]) -> Value:
        bits = builder.bitcast(parts[0], builder.types.integer(_SIZE))
        return builder.bitcast(builder.xor(bits, -_SIGN), parts[0].type)

    replace(negation, by_element(builder, negation.type, negation.operands, make))


def _comparison(comparison: ir.FCmp, builder: Builder) -> None:
    left, right = (_extended(builder, operand) for operand in comparison.operands)
    replace(comparison, builder.fcmp(comparison.predicate, left, right, fast_math=comparison.fast_math))


def _cast(cast: ir.Cast, builder: Builder) -> None:
    if cast.opcode == "bitcast":
        return
    (operand,) = cast.operands
    value = _extended(builder, operand)
    if not is_half(cast.type):
        extended = value.type.scalar_type is not cast.type.scalar_type
        replace(cast, getattr(builder, cast.opcode)(value, cast.type) if extended else value)
        return
    if cast.opcode in {"sitofp", "uitofp"}:
        value = getattr(builder, cast.opcode)(value, _float_like(builder, cast.type))
    replace(cast, _truncated(builder, value, cast.type))


def _call(call: ir.Call, builder: Builder) -> None:
    """Let an intrinsic compute with float; flags of other calls are for floating-point results only."""
    function: Any = call.callee
    name = getattr(function, "name", "").removeprefix(PREFIX)
    base, *types = _split(name)
    if base in _BY_BITS:
        replace(call, by_element(builder, call.type, call.arguments, partial(_BY_BITS[base], builder)))
        return
    if base not in _BY_FLOAT:
        if is_half(call.type):
            call.fast_math = NO_FAST_MATH
        return
    if base == "fmuladd":
        _multiply_and_add(call, builder)
        return
    changed = [part.replace("bf16", "f32").replace("f16", "f32") for part in types]
    result = _float_like(builder, call.type) if is_half(call.type) else call.type
    arguments = [_extended(builder, argument) for argument in call.arguments]
    made = builder.intrinsic(".".join([f"{PREFIX}{base}", *changed]), result, arguments, fast_math=call.fast_math)
    replace(call, _truncated(builder, made, call.type))


def _multiply_and_add(call: ir.Call, builder: Builder) -> None:
    """Round the product, too: as one of the two results that are allowed."""
    first, second, third = (_extended(builder, argument) for argument in call.arguments)
    product = _truncated(builder, builder.fmul(first, second), call.type)
    total = builder.fadd(_extended(builder, product), third)
    replace(call, _truncated(builder, total, call.type))


def _absolute(builder: Builder, parts: Sequence[Value]) -> Value:
    bits = builder.bitcast(parts[0], builder.types.integer(_SIZE))
    return builder.bitcast(builder.and_(bits, _SIGN - 1), parts[0].type)


def _copy_sign(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return a number with the sign of another, which conversions may take from numbers that are not normal."""
    value, sign = (builder.bitcast(part, builder.types.integer(_SIZE)) for part in parts)
    bits = builder.or_(builder.and_(value, _SIGN - 1), builder.and_(sign, -_SIGN))
    return builder.bitcast(bits, parts[0].type)


_BY_BITS = {"copysign": _copy_sign, "fabs": _absolute}
"""Intrinsics that change the sign alone."""


def _split(name: str) -> list[str]:
    """Return the base of the name of an intrinsic, and its types."""
    for base in (name.partition(".")[0], ".".join(name.split(".")[:2])):
        if base in _BY_FLOAT or base in _BY_BITS:
            return [base, *name[len(base) + 1 :].split(".")]
    return [name]


_RULES: dict[type[Instruction], Callable[[Any, Builder], None]] = {
    ir.BinaryOperator: _binary,
    ir.UnaryOperator: _negation,
    ir.FCmp: _comparison,
    ir.Cast: _cast,
    ir.Call: _call,
}
"""By class."""
