"""Rules of calls of intrinsics for AMD's GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import unsigned_of
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.instructions import Unreachable
from bitcodec.ir.metadata import MDNode, MDString
from bitcodec.ir.type_properties import address_space_of, is_integer
from bitcodec.ir.types import VectorType
from bitcodec.verifier.callees import calls_intrinsic, has_parameter_attribute
from bitcodec.verifier.calling_conventions import CHAIN_CALLERS, CHAINS, WHOLE_WAVE
from bitcodec.verifier.rules import without_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.types import Type
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["AMDGPU_RULES"]

_FLAT, _GLOBAL, _CONSTANT = 0, 1, 4
_LAST_KNOWN = 9
"""Address spaces; those behind the last known one are parts of global memory."""
_INREG = "inreg"
_FORMATS = range(5)
_EIGHTS, _SIXTEENS = (8, 8, 6, 6, 4), (16, 16, 12, 12, 8)
"""Registers that a matrix occupies, by the format of its elements."""


def _is_inreg(value: object) -> bool:
    return isinstance(value, Argument) and _INREG in value.parent.attributes.for_parameter(value.index)


def _passes_in_register(index: int, *, expected: bool) -> Any:
    return lambda call, _: has_parameter_attribute(call, index, _INREG) is expected


def _continued(message: str, holds: Callable[[CallBase, Body], bool]) -> Rule:
    """Return a rule after which LLVM checks the next ones even if this one does not hold."""

    def check(call: CallBase, body: Body) -> bool:
        if not holds(call, body):
            body.report(message, call)
        return True

    return message, check


def _operands(*indices: int) -> Callable[[CallBase, Body], tuple[object, ...]]:
    """Return a function that returns the values that LLVM prints: the call and some of its operands."""
    return lambda call, _: (call, *(call.operand_at(index) for index in indices if index < call.operand_count))


def _address_space(call: CallBase) -> int:
    return address_space_of(call.operand_at(0).type) or 0


# Control flow


def _is_before_unreachable(call: CallBase, body: Body) -> bool:
    following: Any = body.beside(call, 1)
    return isinstance(following, Unreachable) or is_unreachable_call(following)


def is_unreachable_call(instruction: Any) -> bool:
    """Return whether an instruction is a call after which control never comes back."""
    return getattr(instruction, "opcode", "") == "call" and calls_intrinsic(instruction, "llvm.amdgcn.unreachable")


_CHAIN: Rules = (
    _continued(
        "Intrinsic cannot be called from functions with this calling convention",
        lambda _, body: body.function.calling_convention in CHAIN_CALLERS,
    ),
    ("SGPR arguments must have the `inreg` attribute", _passes_in_register(2, expected=True)),
    ("VGPR arguments must not have the `inreg` attribute", _passes_in_register(3, expected=False)),
    ("llvm.amdgcn.cs.chain must be followed by unreachable", _is_before_unreachable),
)
_INACTIVE: Rules = (
    _continued(
        (
            "Intrinsic can only be used from functions with the amdgpu_cs_chain or amdgpu_cs_chain_preserve calling "
            "conventions"
        ),
        lambda _, body: body.function.calling_convention in CHAINS,
    ),
    ("Value for inactive lanes must not have the `inreg` attribute", _passes_in_register(1, expected=False)),
    (
        "Value for inactive lanes must be a function argument",
        lambda call, _: isinstance(call.operand_at(1), Argument),
    ),
    (
        "Value for inactive lanes must be a VGPR function argument",
        lambda call, _: not _is_inreg(call.operand_at(1)),
    ),
)
_FROM_INPUT: Rules = (
    (
        "only inreg arguments to the parent function are valid as inputs to this intrinsic",
        lambda call, _: _is_inreg(call.operand_at(0)),
    ),
)


def _callee(call: CallBase) -> Any:
    return call.operand_at(0)


def _passes_types(call: CallBase, _: object) -> bool:
    parameters = _callee(call).value_type.parameter_types
    return all(value.type is type_ for value, type_ in zip(call.arguments[1:], parameters[1:], strict=True))


def _passes_alike(call: CallBase, _: object) -> bool:
    attributes = _callee(call).attributes
    return all(
        has_parameter_attribute(call, index, _INREG) is (_INREG in attributes.for_parameter(index))
        for index in range(1, call.argument_count)
    )


_WHOLE_WAVE: Rules = (
    ("Indirect whole wave calls are not allowed", lambda call, _: isinstance(_callee(call), Function)),
    (
        "Callee must have the amdgpu_gfx_whole_wave calling convention",
        lambda call, _: _callee(call).calling_convention == WHOLE_WAVE,
    ),
    ("Variadic whole wave calls are not allowed", lambda call, _: not _callee(call).is_vararg),
    (
        "Call argument count must match callee argument count",
        lambda call, _: call.argument_count == len(_callee(call).value_type.parameter_types),
    ),
    (
        "Callee must have i1 as its first argument",
        lambda call, _: is_integer(_callee(call).value_type.parameter_types[0], 1),
    ),
    ("Argument types must match", _passes_types),
    ("Argument inreg attributes must match", _passes_alike),
)


# Memory and matrices

_PREFETCH: Rules = (
    (
        "llvm.amdgcn.s.prefetch.data only supports global or constant memory",
        lambda call, _: _address_space(call) in {_FLAT, _GLOBAL, _CONSTANT} or _address_space(call) > _LAST_KNOWN,
        without_values,
    ),
)


def _names_scope(call: CallBase, _: object) -> bool:
    node = getattr(call.operand_at(call.argument_count - 1), "metadata", None)
    return isinstance(node, MDNode) and len(node.operands) == 1 and isinstance(node.operands[0], MDString)


_COOPERATIVE: Rules = (
    (
        "cooperative atomic intrinsics require a generic or global pointer",
        lambda call, _: _address_space(call) in {_FLAT, _GLOBAL},
        _operands(0),
    ),
    (
        "cooperative atomic intrinsics require that the last argument is a metadata string",
        _names_scope,
        lambda call, _: (call, call.operand_at(call.argument_count - 1)),
    ),
)


def _has_registers(type_: Type, counts: tuple[int, ...]) -> bool:
    return (
        isinstance(type_, VectorType)
        and not type_.is_scalable
        and is_integer(type_.element_type, 32)
        and type_.count in counts
    )


def _multiplication(
    sources: tuple[int, int],
    formats: tuple[int, int],
    printed: tuple[int, int],
    words: tuple[str, str],
    registers: tuple[int, ...],
    counts: str,
) -> Rules:
    """Return the rules of a multiplication of matrices whose elements have few bits.

    Args:
        sources, formats: indices of the two matrices, and of the formats of their elements.
        printed: indices of the arguments that LLVM prints for the formats.
        words: names of the formats in messages.
        registers: registers that a matrix occupies, by format.
        counts: these numbers, in words.
    """

    def is_format(index: int) -> Any:
        return lambda call, _: unsigned_of(call.operand_at(index)) in _FORMATS

    def has_registers(index: int) -> Any:
        return lambda call, _: _has_registers(call.operand_at(index).type, registers)

    def has_enough(source: int, index: int) -> Any:
        return lambda call, _: call.operand_at(source).type.count >= registers[unsigned_of(call.operand_at(index))]

    return (
        *(
            (f"invalid value for {word} format", is_format(index), _operands(index))
            for word, index in zip(words, formats, strict=True)
        ),
        *(
            (f"operand {index} must be {counts} element i32 vector", has_registers(index), _operands(index))
            for index in sources
        ),
        *(
            ("invalid vector type for format", has_enough(source, index), _operands(source, shown))
            for source, index, shown in zip(sources, formats, printed, strict=True)
        ),
    )


_SCALED = _multiplication((0, 1), (3, 4), (3, 5), ("cbsz", "blgp"), _EIGHTS, "4, 6 or 8")
_WAVE = _multiplication((1, 3), (0, 2), (0, 2), ("matrix", "matrix"), _SIXTEENS, "8, 12 or 16")

AMDGPU_RULES: dict[str, Rules] = {
    "amdgcn.cs.chain": _CHAIN,
    "amdgcn.init.exec.from.input": _FROM_INPUT,
    "amdgcn.set.inactive.chain.arg": _INACTIVE,
    "amdgcn.call.whole.wave": _WHOLE_WAVE,
    "amdgcn.s.prefetch.data": _PREFETCH,
    "amdgcn.mfma.scale.f32.16x16x128.f8f6f4": _SCALED,
    "amdgcn.mfma.scale.f32.32x32x64.f8f6f4": _SCALED,
    "amdgcn.wmma.f32.16x16x128.f8f6f4": _WAVE,
    "amdgcn.wmma.scale.f32.16x16x128.f8f6f4": _WAVE,
    "amdgcn.wmma.scale16.f32.16x16x128.f8f6f4": _WAVE,
    **{
        f"amdgcn.cooperative.atomic.{access}.{shape}": _COOPERATIVE
        for access in ("load", "store")
        for shape in ("32x4B", "16x8B", "8x16B")
    },
}
"""By name, without `llvm.` and suffixes for types."""
