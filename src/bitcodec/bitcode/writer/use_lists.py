"""Use-list orders: written if a reader would find another order than the module's.

Rules: docs/reference/records.md, 9.4; the order in which LLVM's reader makes uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.creation_order import CreationOrder
from bitcodec.bitcode.schema.blocks import BlockId, UselistCode
from bitcodec.bitcode.writer.rows import BlockRows, Rows
from bitcodec.ir.constants import ConstantWithOperands, InlineAsm
from bitcodec.ir.construction.deferring import apply_use_orders
from bitcodec.ir.construction.present import (
    instructions_with_records,
    present_instructions_of,
    present_uses,
    present_wrapper,
)
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Call, CallBranch, Instruction, Invoke
from bitcodec.ir.metadata import DIArgList, wrapped_values
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.metadata_walk import wrappers_in_records
from bitcodec.ir.values import User

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

__all__ = ["BodyUseLists", "UseLists"]

_WIDTH = 3
_WITH_PARTS = (ConstantWithOperands, GlobalValue, InlineAsm)
"""Constants that have uses."""
_CALLS: frozenset[type[Instruction]] = frozenset({Call, Invoke, CallBranch})
"""Instructions whose operands may be metadata."""


class _Orders:
    """State for finding the orders of uses.

    Args:
        creation_order: order in which the users are created.
    """

    def __init__(self, creation_order: CreationOrder) -> None:
        self._creation_order = creation_order

    def _add_local(
        self, rows: Rows, function: Function, values: ObjectNumbers, blocks: Mapping[BasicBlock, int]
    ) -> None:
        """Add the orders of blocks, arguments and instructions."""
        block_orders, orders = self._creation_order.local_orders(function.arguments, blocks)
        for number, order in block_orders:
            rows.add(UselistCode.BB, [*order, number])
        for value, order in orders:
            rows.add(UselistCode.DEFAULT, [*order, values[value]])


class BodyUseLists(_Orders):
    """Orders of uses in one function, with the orders of globals and constants from the file.

    Args:
        creation_order: makes the users of its values; one serves for many functions.
        function: the function.
        kept: orders of shared values at its end in the file: the value, and the order.
    """

    def __init__(
        self, creation_order: CreationOrder, function: Function, kept: Iterable[tuple[Value, list[int]]]
    ) -> None:
        super().__init__(creation_order)
        creation_order.make_function(function)
        self._kept = kept

    def block(self, function: Function, values: ObjectNumbers, blocks: Mapping[BasicBlock, int]) -> BlockRows | None:
        """Return the use-list orders at the end of the function; None if all is in order.

        Args:
            function: the function.
            values, blocks: numbers of values and of its blocks.
        """
        rows = Rows()
        self._add_local(rows, function, values, blocks)
        for value, order in self._kept:
            if value in values:
                rows.add(UselistCode.DEFAULT, [*order, values[value]])
        return BlockRows(BlockId.USELIST_BLOCK, _WIDTH, [rows]) if rows else None


class UseLists(_Orders):
    """Orders of a module's uses.

    Args:
        module: a module that is read to the end.

    Raises:
        BitcodecError: something in the module is malformed.
    """

    def __init__(self, module: Module) -> None:
        super().__init__(_creation_order_of(module))
        self._orders = self._creation_order.shared_orders()
        self._shared = _Placement(self._orders).placed(module) if self._orders else {}

    def block(
        self, function: Function | None, values: ObjectNumbers, blocks: Mapping[BasicBlock, int]
    ) -> BlockRows | None:
        """Return the use-list orders at the end of a function, or of the module's own tables; None if all is in order.

        Args:
            function: the function of the ordered values, None for values that only globals use.
            values, blocks: their numbers.
        """
        shared = {
            user: [value for value in found if value in values]
            for user, found in self._shared.get(function, {}).items()
        }
        rows = Rows()
        block_orders: Sequence[tuple[int, Sequence[int]]] = ()
        orders: list[tuple[Value, Sequence[int]]] = []
        if function is not None:
            block_orders, local_orders = self._creation_order.local_orders(function.arguments, blocks)
            orders = self._merged(function, local_orders, shared) if shared else local_orders
        else:
            orders = [(value, self._orders[value]) for found in shared.values() for value in found]
        # As in LLVM, from the end of the function, or of the globals.
        for value, order in reversed(orders):
            rows.add(UselistCode.DEFAULT, [*order, values[value]])
        for number, order in reversed(block_orders):
            rows.add(UselistCode.BB, [*order, number])
        return BlockRows(BlockId.USELIST_BLOCK, _WIDTH, [rows]) if rows else None

    def _merged(
        self, function: Function, local_orders: list[tuple[Value, Sequence[int]]], shared: dict[User, list[Value]]
    ) -> list[tuple[Value, Sequence[int]]]:
        """Return the orders of arguments, then for each instruction the orders of shared values, and its own."""
        local = dict(local_orders)
        orders: list[tuple[Value, Sequence[int]]] = [
            (argument, local[argument]) for argument in function.arguments if argument in local
        ]
        for instruction in _among(function, {*local, *shared}):
            orders += [(value, self._orders[value]) for value in shared.get(instruction, ())]
            if instruction in local:
                orders.append((instruction, local[instruction]))
        return orders


class _Placement:
    """Finds the block in which the order of each shared value is given, as LLVM does.

    It is the body of the last function with an instruction that uses the value, directly or through constants,
    operands of globals and metadata of the instruction or its debug records, or else the module-level block.

    Args:
        wanted: the values.
    """

    def __init__(self, wanted: Iterable[Value]) -> None:
        self._wanted = set(wanted)
        self._seen: set[Value] = set()
        self._carriers = set(self._wanted)
        self._users: dict[Function, set[Value]] = {}

    def placed(self, module: Module) -> dict[Function | None, dict[User, list[Value]]]:
        """Return the values by function, None for the module, and by the user that leads to each, in LLVM's order."""
        self._find_users(module)
        found: dict[Function | None, dict[User, list[Value]]] = {}
        for function in reversed(module.functions):
            if not self._wanted:
                return found
            if users := self._users.get(function):
                found[function] = self._met((user, [*_mentioned(user)]) for user in _among(function, users))
        globals_ = [*module.global_variables, *module.functions, *module.aliases, *module.ifuncs]
        found[None] = self._met((value, (value,)) for value in globals_)
        return found

    def _find_users(self, module: Module) -> None:
        """Find the users that lead to the values: constants, globals, and users in the last function that has any."""
        functions = list(module.functions)
        numbers: dict[Function | None, int] = {function: number for number, function in enumerate(functions)}
        pending = list(self._wanted)
        while pending:
            last, users = -1, []
            for user in present_uses(pending.pop()):
                if isinstance(user, Instruction):
                    number = numbers.get(user.function, -1)
                    if number > last:
                        last, users = number, [user]
                    elif number == last:
                        users.append(user)
                elif isinstance(user, _WITH_PARTS) and user not in self._carriers:
                    self._carriers.add(user)
                    pending.append(user)
            if last >= 0:
                self._users.setdefault(functions[last], set()).update(users)
        wrappers: frozenset[Metadata | None] = frozenset(map(present_wrapper, self._carriers)) - {None}
        if wrappers:
            self._find_users_of_metadata(functions, wrappers)

    def _find_users_of_metadata(self, functions: Sequence[Function], wrappers: frozenset[Metadata | None]) -> None:
        """Find the users that reach the values through metadata, which is not among the users of a wrapped value."""
        for function in functions:
            found = [user for user in instructions_with_records(function) if _has_record_of(user, wrappers)]
            found += [user for user in present_instructions_of(function, _CALLS) if _has_operand_of(user, wrappers)]
            if found:
                self._users.setdefault(function, set()).update(found)

    def _met(self, users: Iterable[tuple[User, Sequence[Value]]]) -> dict[User, list[Value]]:
        found = {}
        for user, operands in users:
            values = [
                value
                for operand in operands
                if operand in self._carriers and operand not in self._seen
                for value in self._walk(operand)
            ]
            if values:
                found[user] = values
        return found

    def _walk(self, root: Value) -> list[Value]:
        """Return the wanted values among a constant and its operands, each before its operands."""
        found, pending = [], [root]
        while pending:
            value = pending.pop()
            if value in self._seen:
                continue
            self._seen.add(value)
            if value in self._wanted:
                self._wanted.remove(value)
                found.append(value)
            if isinstance(value, User):
                pending += [operand for operand in reversed(value.operands) if operand in self._carriers]
        return found


def _mentioned(user: Instruction) -> list[Value]:
    """Return the values in debug records before an instruction, its operands, and the values that these wrap."""
    found = [wrapper.value for wrapper in wrappers_in_records(user) if wrapper.value is not None]
    for operand in user.operands:
        if isinstance(operand, MetadataAsValue):
            found += wrapped_values(operand.metadata)
        else:
            found.append(operand)
    return found


def _has_record_of(user: Instruction, wrappers: frozenset[Metadata | None]) -> bool:
    return any(
        isinstance(record, DbgVariableRecord) and (_leads(record.value, wrappers) or record.address in wrappers)
        for record in user.debug_records
    )


def _has_operand_of(user: Instruction, wrappers: frozenset[Metadata | None]) -> bool:
    return any(isinstance(each, MetadataAsValue) and _leads(each.metadata, wrappers) for each in user.operands)


def _leads(metadata: Metadata | None, wrappers: frozenset[Metadata | None]) -> bool:
    """Return whether metadata is one of some wrappers, or a list with one of them."""
    return metadata in wrappers or (isinstance(metadata, DIArgList) and not wrappers.isdisjoint(metadata.arguments))


def _among(function: Function, wanted: Collection[Value]) -> list[Instruction]:
    """Return the wanted instructions of a function, in its order."""
    blocks = {each.parent for each in wanted if isinstance(each, Instruction)}
    return [each for block in function.blocks if block in blocks for each in block.instructions if each in wanted]


def _creation_order_of(module: Module) -> CreationOrder:
    """Put the uses of a module in order, and return the order in which a reader of the output creates the users.

    Raises:
        BitcodecError: something in the module is malformed.
    """
    found = apply_use_orders(module)
    return found if isinstance(found, CreationOrder) else CreationOrder(module).make_all()
