"""In which order LLVM's reader makes the users of globals and constants.

Constants that are made of others are made when the first of what holds them is read: what globals hold first, the last
global first, then the operands of instructions, function by function.

Rules: bitcode record reference, section 9.4.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import repeat
from operator import lt
from typing import TYPE_CHECKING, Any

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import Constant, ConstantData, ConstantWithOperands
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Instruction, LandingPad, Select, Store
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.metadata import LocalAsMetadata, wrapped_values
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.uses import numbered_uses

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import User, Value

__all__ = ["Making"]

_STEP = 1 << 32
"""From instruction to instruction: between them there is room for the constants that are made for one of them."""


class Making(dict["User", int]):
    """The users that LLVM's reader has made so far, with numbers that tell the order.

    Args:
        module: which is read to the end.
        late_holders: functions that get what they hold, a personality, only with their first `landingpad`.

    Attributes:
        late_holders: as above.
    """

    def __init__(self, module: Module, late_holders: Collection[Function] = ()) -> None:
        super().__init__()
        self._module = module
        self.late_holders = late_holders
        self._next = 0
        self._functions: list[Function | None] = []
        self._firsts: list[int] = []
        constants = module.context.constants.with_operands()
        self._constants = list(constants)
        self._holds_wrapped = any(constant._as_metadata is not None for constant in self._constants)
        self._mentioning: set[Instruction] = {
            user for constant in self._constants for user in constant._uses if isinstance(user, Instruction)
        }

    def make_all(self) -> Making:
        """Make what the module consists of, and return this."""
        self.make_globals()
        for function in self._module.functions:
            self.make_function(function)
        return self

    def make_globals(self) -> None:
        """Make what globals hold."""
        self._begin(None)
        module = self._module
        for holders in (module.global_variables, module.ifuncs, module.aliases, module.functions):
            for holder in reversed(holders):
                if holder._operands and holder not in self.late_holders:
                    self._make_user(holder, holder._operands)

    def make_function(self, function: Function) -> None:
        """Make what a function consists of."""
        self._begin(function)
        if function.is_declaration:
            return
        instructions = [instruction for block in function.blocks for instruction in block._instructions]
        if self._holds_wrapped:
            for instruction in instructions:
                if instruction._records or isinstance(instruction, CallBase):
                    self._make_constants(_wrapped(instruction))
        first = -(-self._next // _STEP) * _STEP
        numbers = range(first + _STEP, first + _STEP * (len(instructions) + 1), _STEP)
        is_late = function in self.late_holders
        if is_late or not self._mentioning.isdisjoint(instructions):
            for number, instruction in zip(numbers, instructions, strict=True):
                self._next = number - _STEP + 1
                if is_late and isinstance(instruction, LandingPad):
                    self._make_user(function, function._operands)
                if instruction in self._mentioning:
                    self._make_constants(_read_order(instruction))
        self.update(zip(instructions, numbers, strict=True))
        self._next = first + _STEP * (len(instructions) + 1)

    def uses(self, value: Value) -> list[tuple[User, int]]:
        """Return the uses of a value that have been made: the users, and which operands they are, in order."""
        made = [use for use in numbered_uses(value) if use[0] in self]
        return sorted(made, key=lambda use: (self[use[0]], use[1]))

    def order(self, value: Value, after: int = -1) -> list[int]:
        """Return where in the order of its uses each one goes that has been made; both count from the newest.

        That is nothing if they are in the order in which they were made.

        Args:
            value: the value.
            after: the number of what was made in its place; users made before wait, and are served last to first.
        """
        numbers = self._unordered(value, after)
        if numbers is None:
            return []
        numbers = [number for number in numbers if number >= 0]
        wanted: list[Any] = numbers
        if len(set(numbers)) < len(numbers):
            wanted = [(self[user], operand) for user, operand in numbered_uses(value) if user in self]
        read = sorted(wanted)
        early = sum(number <= after for number in numbers)
        read[:early] = read[:early][::-1]
        if read == wanted:
            return []
        places = {use: place for place, use in enumerate(reversed(wanted))}
        return [places[use] for use in reversed(read)]

    def is_in_order(self, value: Value) -> bool:
        """Return whether all uses of a value are in the order in which they were made, and no user has two."""
        return self._unordered(value, -1) is None

    def function_of(self, user: User) -> Function | None:
        """Return the function that a user was made for, None if for what globals hold."""
        return self._functions[bisect_right(self._firsts, self[user]) - 1]

    def shared(self) -> Iterator[Value]:
        """Yield what is no function's own: globals, constants made of others, assembly; and blocks with an address."""
        yield from self._module.globals
        for constant in self._constants:
            yield constant
            if isinstance(constant, BlockAddress):
                yield constant.block
        yield from self._module.context.constants.assembly()

    def _unordered(self, value: Value, after: int) -> list[int] | None:
        """Return the numbers of a value's users, -1 for those not made; None if they rise from `after` on."""
        uses = value._uses
        if len(uses) < 2:
            return None
        numbers = [*map(self.get, uses, repeat(-1))]
        return None if all(map(lt, [after, *numbers], numbers)) else numbers

    def _begin(self, function: Function | None) -> None:
        self._functions.append(function)
        self._firsts.append(self._next)

    def _make_user(self, user: User, operands: Iterable[Value]) -> None:
        self._make_constants(operands)
        self._make(user)

    def _make(self, user: User) -> None:
        if user not in self:
            self[user] = self._next
            self._next += 1

    def _make_constants(self, values: Iterable[Value]) -> None:
        for value in values:
            if isinstance(value, ConstantWithOperands) and value not in self:
                self._make_constant(value)

    def _make_constant(self, value: Constant) -> None:
        pending: list[User] = [value]
        while pending:
            current = pending[-1]
            missing = [part for part in current._operands if _has_parts(part) and part not in self]
            if missing and current not in self:
                pending += reversed(missing)  # type: ignore[arg-type] # parts of constants are constants
            else:
                self._make(current)
                pending.pop()


def _has_parts(value: Value) -> bool:
    return not isinstance(value, ConstantData | GlobalValue | BasicBlock)


def _wrapped(instruction: Instruction) -> Iterator[Value]:
    """Yield the values that metadata beside an instruction wraps: metadata is read first."""
    for record in instruction.debug_records if instruction._records else ():
        if isinstance(record, DbgVariableRecord):
            for metadata in (record.value, record.address):
                # Most wrap a value of the function, which is no constant.
                if metadata is not None and type(metadata) is not LocalAsMetadata:
                    yield from wrapped_values(metadata)
    for operand in instruction._operands:
        if isinstance(operand, MetadataAsValue):
            yield from wrapped_values(operand.metadata)


def _read_order(instruction: Instruction) -> Sequence[Value]:
    """Return the operands of an instruction in the order in which its record has them."""
    operands = instruction._operands
    for kind, ordered in _READ_ORDERS:
        if isinstance(instruction, kind):
            return ordered(instruction, operands)
    return operands


def _call_order(call: CallBase, operands: Sequence[Value]) -> Sequence[Value]:
    arguments = call._argument_count
    return [*operands[arguments:-1], operands[-1], *operands[:arguments]]


_READ_ORDERS: tuple[tuple[type, Callable[[Any, Sequence[Value]], Sequence[Value]]], ...] = (
    (CallBase, _call_order),
    (Store, lambda _, operands: operands[::-1]),
    (Select, lambda _, operands: (*operands[1:], operands[0])),
)
