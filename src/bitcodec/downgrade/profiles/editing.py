"""Editing the copy of a module: helpers of all lowerings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder import Builder
from bitcodec.errors import EncodingError
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.types import VectorType
from bitcodec.tables.intrinsics import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["MAX_ELEMENTS", "assembly", "by_element", "calls_of", "editor", "intrinsics_of", "name_of", "replace"]


MAX_ELEMENTS = 1024
"""The longest vectors that are handled element by element: a few bytes of a file can name longer ones."""


def editor(instruction: Instruction) -> Builder:
    """Return a builder that inserts in front of an instruction, at its place in the source."""
    block = instruction.parent
    assert block is not None  # noqa: S101 - bodies are walked block by block
    builder = Builder(block)
    builder.before(instruction)
    builder.debug_location = instruction.debug_location
    return builder


def replace(instruction: Instruction, value: Value | None) -> None:
    """Replace an instruction by a value; None for one without result."""
    if value is not None:
        instruction.replace_all_uses_with(value)
        if instruction.name and not value.name:
            name, instruction.name = instruction.name, ""
            value.name = name
    instruction.erase_from_parent()


def calls_of(function: Function) -> list[CallBase]:
    """Return the calls of a function, without calls that only pass its address."""
    found = [user for user in function.users if isinstance(user, CallBase) and user.callee is function]
    return list(dict.fromkeys(found))


def name_of(call: CallBase) -> str:
    """Return the name of the function around a call."""
    function = call.function
    return "" if function is None else function.name


def intrinsics_of(module: Module) -> Iterator[tuple[Function, str]]:
    """Yield the intrinsics of a module with their names without prefix."""
    for function in list(module.functions):
        if function.name.startswith(PREFIX):
            yield function, function.name.removeprefix(PREFIX)


def by_element(
    builder: Builder, type_: Type, operands: Sequence[Value], make: Callable[[Sequence[Value]], Value]
) -> Value:
    """Return the result of a function of values, element by element if they are vectors.

    Args:
        builder: inserts the instructions.
        type_: of the result.
        operands: the values; scalars are the same for each element.
        make: returns the result for one element of each.

    Raises:
        EncodingError: the vectors are too long.
    """
    if not isinstance(type_, VectorType):
        return make(operands)
    if type_.is_scalable or type_.count > MAX_ELEMENTS:
        raise EncodingError(f"an operation on {type_} has no form for each element")
    result: Value = builder.constants.poison(type_)
    for index in range(type_.count):
        parts = [
            builder.extractelement(each, index) if isinstance(each.type, VectorType) else each for each in operands
        ]
        result = builder.insertelement(result, make(parts), index)
    return result


def assembly(
    builder: Builder,
    text: str,
    constraints: str,
    result: Type,
    operands: Sequence[Value] = (),
    *,
    has_side_effects: bool = True,
) -> Value:
    """Call PTX.

    Args:
        builder: inserts the call.
        text: the instructions, with `$0` for the first result or operand.
        constraints: of results and operands, as inline assembly has them.
        result: the type of the result.
        operands: the operands.
        has_side_effects: whether it must stay where it is.
    """
    type_ = builder.types.function(result, [each.type for each in operands])
    asm = builder.constants.inline_asm(type_, text, constraints, has_side_effects=has_side_effects)
    return builder.call(asm, list(operands), attributes=["nounwind"])
