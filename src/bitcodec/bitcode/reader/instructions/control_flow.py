"""Control flow: from fields to instructions.  Rules: bitcode record reference, sections 7.3 and 7.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.instructions.arithmetic import holds_floating_point
from bitcodec.bitcode.reader.instructions.flags import fast_math
from bitcodec.bitcode.reader.integers import wide
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.instructions import SWITCH_RANGES_MAGIC
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.instructions import Branch, IndirectBranch, Phi, Return, Switch, Unreachable
from bitcodec.ir.types import IntegerType, PointerType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitcode.reader.layouts import Fields
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions import Instruction

__all__ = ["branch", "indirect_branch", "is_range_switch", "phi", "range_switch", "ret", "switch", "unreachable"]

_MAX_RANGE_CASES = 1 << 16
"""A range stands for all its numbers, so that a few bytes could ask for any number of cases."""


def phi(_state: FunctionState, fields: Fields) -> Instruction:
    """`phi`."""
    edges = fields["incoming"]
    if not fields["type"].is_first_class:
        raise Malformed(f"a phi of {fields['type'].brief}")
    made = Phi(fields["type"], [value for value, _ in edges], [block for _, block in edges])
    if fields["flags"] and holds_floating_point(fields["type"]):
        made.fast_math = fast_math(fields["flags"])
    return made


def ret(state: FunctionState, fields: Fields) -> Instruction:
    """`ret`."""
    return Return(state.void, fields["value"])


def branch(state: FunctionState, fields: Fields) -> Instruction:
    """`br`."""
    if fields["otherwise"] is not None and fields["condition"] is None:
        raise Malformed("a branch to one of two blocks has no condition")
    return Branch(state.void, fields["target"], fields["condition"], fields["otherwise"])


def switch(state: FunctionState, fields: Fields) -> Instruction:
    """`switch`."""
    _check_number(fields)
    for number, _ in fields["cases"]:
        if not isinstance(number, ConstantInt):
            raise Malformed("a case is no number")
    return Switch(state.void, fields["condition"], fields["default"], fields["cases"])


def _check_number(fields: Fields) -> None:
    if not isinstance(fields["type"], IntegerType):
        raise Malformed(f"a switch by a {fields['type'].brief}, which is no integer")


def is_range_switch(operands: list[int]) -> bool:
    """Return whether the operands of a switch are in the form with ranges."""
    return bool(operands) and operands[0] >> 16 == SWITCH_RANGES_MAGIC


def range_switch(state: FunctionState, operands: list[int]) -> Instruction:
    """Make a `switch` of [magic, type, number, default, cases, (items, items..., block)...]."""
    reader = iter(operands)
    next(reader)
    type_ = state.type_of_id(next(reader))
    if not isinstance(type_, IntegerType):
        raise Malformed(f"a switch by a {type_.brief}, which is no integer")
    condition = state.typed_value(next(reader), type_)
    default = state.block(next(reader))
    cases: list[tuple[ConstantInt, BasicBlock]] = []
    for _ in range(next(reader)):
        numbers = [number for _ in range(next(reader)) for number in _range(reader, type_.bit_width)]
        block = state.block(next(reader))
        cases += [(state.module.constants.integer(type_, number), block) for number in numbers]
        if len(cases) > _MAX_RANGE_CASES:
            raise Malformed(f"its ranges stand for more than {_MAX_RANGE_CASES} cases")
    return Switch(state.void, condition, default, cases)


def _range(reader: Iterator[int], width: int) -> range:
    is_single = next(reader)
    low = _number(reader, width)
    high = low if is_single else _number(reader, width)
    if high - low >= _MAX_RANGE_CASES:
        raise Malformed(f"a range stands for more than {_MAX_RANGE_CASES} cases")
    return range(low, high + 1)


def _number(reader: Iterator[int], width: int) -> int:
    words = next(reader) if width > 64 else 1
    return wide([next(reader) for _ in range(words)]) & ((1 << width) - 1)


def indirect_branch(state: FunctionState, fields: Fields) -> Instruction:
    """`indirectbr`."""
    if not isinstance(fields["type"], PointerType):
        raise Malformed(f"a {fields['type'].brief} is no address of a block")
    return IndirectBranch(state.void, fields["address"], fields["destinations"])


def unreachable(state: FunctionState, _fields: Fields) -> Instruction:
    """`unreachable`."""
    return Unreachable(state.void)
