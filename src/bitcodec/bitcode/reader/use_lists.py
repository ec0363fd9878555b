"""Reads USELIST: puts the users of a value in the writer's order.

Rules: docs/reference/records.md, 9.4.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.schema.blocks import UselistCode
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import Constant, ConstantData, ConstantWithOperands, InlineAsm
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.construction.setting import set_users, set_uses
from bitcodec.ir.metadata import Metadata, wrapped_values
from bitcodec.ir.metadata_walk import nodes_of
from bitcodec.ir.uses import numbered_uses
from bitcodec.ir.values import order_users
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from bitcodec.bitcode.creation_order import CreationOrder
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.forward import ForwardReferences
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.lazy import Deferred
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import User, Value

    _Placed: TypeAlias = dict[Value, list[tuple[User, int]]]
    """The uses of values that have been put in the order that the file states."""

__all__ = ["HANDLED_USELIST_CODES", "SharedUses", "order_uses"]

U = TypeVar("U")
HANDLED_USELIST_CODES = frozenset({UselistCode.DEFAULT, UselistCode.BB})


_OF_BLOCK = int(UselistCode.BB)
_SHARED = (Constant, InlineAsm)
_WORD = 0xFFFF_FFFF


class _Order(NamedTuple):
    """An order of uses.

    Attributes:
        value: the value that is used.
        order: for each use, from the newest on, its place.
        place: how many instructions of the function are before it, None if all are.
    """

    value: Value
    order: list[int]
    place: int | None


class OpenBody(Protocol):
    """A body that is being read: `FunctionState`."""

    function: Function
    blocks: list[BasicBlock]
    forward: ForwardReferences

    def known_value(self, number: int) -> Value:
        """Return the value of a number that is less than there are values."""


class SharedUses:
    """Orders of uses of globals and constants, which functions share, and of blocks that constants use.

    Their creation order depends on the order of reading, so they are ordered once all is read: first as LLVM's
    reader creates them, then as the file states.
    """

    def __init__(self) -> None:
        self._orders: dict[Function | None, list[_Order]] = {}
        self._bodies: dict[Function | None, Sequence[Instruction]] = {}
        self._late_holders: set[Function] = set()
        self._address_users: dict[Function, list[Function]] = {}
        self._wrapping: dict[Function, set[Deferred[list[DebugRecord]]]] = {}

    def add(self, function: Function | None, value: Value, order: list[int], place: int | None = None) -> None:
        """Remember an order that the file gives in a function; None means the operands of globals.

        Args:
            function: the function.
            value: the value whose uses are ordered.
            order: the order.
            place: how many instructions are before it, None if all are.
        """
        self._orders.setdefault(function, []).append(_Order(value, order, place))

    def follow(self, function: Function, instructions: Sequence[Instruction]) -> None:
        """Remember the instructions of a function, in the order of the file, which follow some of its orders."""
        self._bodies[function] = instructions

    def at_end_of(self, function: Function | None) -> Sequence[tuple[Value, list[int]]]:
        """Return the use-list orders at the end of a function that has been read: values, and orders."""
        return [(each.value, each.order) for each in self._orders.get(function, ()) if each.place is None]

    def holds_late(self, function: Function) -> None:
        """Remember that a function got its personality from an instruction."""
        self._late_holders.add(function)

    def needs_with(self, function: Function, users: list[Function]) -> None:
        """Remember that functions use addresses of blocks of another, as the file lists them."""
        self._address_users[function] = users

    def expect_wrapped(self, function: Function, records: Iterable[Deferred[list[DebugRecord]]]) -> None:
        """Remember unread debug records of a function that may wrap constants with operands."""
        unread = set(records)
        if unread:
            self._wrapping[function] = unread

    def apply(self, module: Module, *, is_lazy: bool = False) -> CreationOrder | None:
        """Put the uses of everything that several functions use in order; the module has been read to the end.

        Args:
            module: the module.
            is_lazy: whether bodies are read in the order of `llvm-dis` instead of the order of the module.

        Returns:
            The order in which all users were made; None if a file written from the module gives another one.
        """
        making, made, placed = self._make(module, is_lazy=is_lazy)
        _place(_unordered(making, placed), making, placed, _Rest(module, making))
        # A file may set personalities late; a file that is written from it does not.
        return None if self._late_holders or made != [*module.functions] else making

    def apply_before_metadata(self, module: Module) -> bool:
        """Put the uses in the order of the module, as `apply` does; only bodies and operands of globals have been read.

        Returns:
            Whether that was possible; else nothing was done. It is not if several uses of a value are by constants that
            nothing but metadata may hold: their order is the metadata's.
        """
        making, _, placed = self._make(module, is_lazy=False)
        unordered = _unordered(making, placed)
        if any(sum(user not in making for user in present_uses(value)) > 1 for value in unordered):
            return False
        _place(unordered, making, placed, _Rest(module, making))
        return True

    def _make(self, module: Module, *, is_lazy: bool) -> tuple[CreationOrder, list[Function], _Placed]:
        """Return the order in which users are made, the functions in that order, and the uses that the file orders."""
        from bitcodec.bitcode.creation_order import CreationOrder  # noqa: PLC0415 - few programs need it

        making = CreationOrder(module, self._late_holders, self._wrapping)
        placed: _Placed = {}
        making.make_globals()
        self._order(None, making, placed)
        made: list[Function] = []
        for function in _read_order(module, making, self._address_users) if is_lazy else module.functions:
            making.make_function(function)
            self._order(function, making, placed)
            made.append(function)
        return making, made, placed

    def _order(self, function: Function | None, making: CreationOrder, placed: _Placed) -> None:
        limits: Sequence[int] = making.limits(self._bodies[function]) if function in self._bodies else ()
        made: dict[Value, tuple[list[tuple[User, int]], list[int]]] = {}
        for value, order, place in self._orders.get(function, ()):
            if not making.is_shared(value):
                continue
            if value not in made:
                found = making.uses(value)
                made[value] = found, making.numbers_of(found)
            uses, numbers = made[value]
            is_early = place is not None and place < len(limits)
            count = bisect_right(numbers, limits[place]) if is_early else len(uses)  # type: ignore[index]
            if count == len(order):
                placed[value] = _ordered(_with_known(placed.get(value), uses[:count]), order)


class _Rest:
    """The order of constants that LLVM's reader has not made: metadata holds them, or nothing does.

    Args:
        module: the module.
        making: has made everything else.
    """

    def __init__(self, module: Module, making: CreationOrder) -> None:
        self._module = module
        self._making = making

    @cached_property
    def _numbers(self) -> dict[Value, int]:
        """The constants in the order in which the metadata of the module leads to them, and their places in it."""
        numbers: dict[Value, int] = {}
        operands = (each for node in nodes_of(self._module) for each in node.operands if isinstance(each, Metadata))
        wrapped = (value for each in operands for value in wrapped_values(each))
        for root in wrapped:
            pending = [root]
            while pending:
                value = pending.pop()
                if isinstance(value, ConstantWithOperands) and value not in numbers and value not in self._making:
                    numbers[value] = len(numbers)
                    pending += reversed(value.operands)
        return numbers

    def ordered(self, uses: list[tuple[User, int]]) -> list[tuple[User, int]]:
        """Return uses by such constants in order; constants that nothing in the module holds come first."""
        if len(uses) < 2:
            return uses
        numbers = self._numbers
        return sorted(uses, key=lambda use: (numbers.get(use[0], -1), _kind_of(use[0])))


def _kind_of(user: User) -> tuple[str, str, str]:
    """Return the sorting key of constants that nothing holds; equal ones stay in the order of reading."""
    return type(user).__name__, getattr(user, "opcode", ""), user.type.brief


def _read_order(
    module: Module, making: CreationOrder, address_users: Mapping[Function, Sequence[Function]]
) -> Iterator[Function]:
    """Yield the functions in the order in which `llvm-dis` reads their bodies.

    It is the order of the module, except for functions whose block addresses globals hold: these are read while the
    file is opened, then the functions that use other addresses of their blocks.

    Args:
        module: the module.
        making: has created the operands of globals; the caller creates each function before the next one.
        address_users: by function, the users of its blocks' addresses that the file lists.
    """
    read: set[Function] = set()
    addresses = [constant for constant in making.shared() if isinstance(constant, BlockAddress)]
    needed = deque(_functions_of(making, addresses))
    needing: dict[Function, None] = {}
    while needed:
        function = needed.popleft()
        if function not in read:
            read.add(function)
            yield function
            needed += _functions_of(making, addresses)
            needing.update(dict.fromkeys(address_users.get(function, ())))
    for function in (*needing, *module.functions):
        if function not in read:
            read.add(function)
            yield function


def _functions_of(making: CreationOrder, addresses: list[BlockAddress]) -> list[Function]:
    """Return the functions of the addresses that have been made, in that order, and take these out of the list."""
    made = making.sort_made(addresses)
    if made:
        addresses[:] = [address for address in addresses if address not in making]
    return [address.function for address in made]


def _unordered(making: CreationOrder, placed: _Placed) -> list[Value]:
    """Return the shared values that have users in another order than that in which they were made, or unmade ones."""
    return [value for value in making.shared() if value in placed or not making.is_in_order(value)]


def _place(values: Iterable[Value], making: CreationOrder, placed: _Placed, rest: _Rest) -> None:
    """Put the uses of values in order: first those by users that were not made, then as the file has it."""
    for value in values:
        known = placed.get(value)
        if known is not None and len(known) == len(present_uses(value)):
            set_uses(value, known)
            continue
        unmade = [use for use in numbered_uses(value) if use[0] not in making]
        if known is not None or unmade or not making.sort_uses(value):
            set_uses(value, rest.ordered(unmade) + _made(value, making, placed))


def _made(value: Value, making: CreationOrder, placed: _Placed) -> list[tuple[User, int]]:
    """Return the uses made so far; those that were put in order first."""
    return _with_known(placed.get(value), making.uses(value))


def _with_known(known: list[tuple[User, int]] | None, uses: list[tuple[User, int]]) -> list[tuple[User, int]]:
    """Return uses; those that were put in order first."""
    if known is None:
        return uses
    old = set(known)
    return known + [use for use in uses if use not in old]


def order_uses(
    records: Records,
    values: Sequence[Value | None],
    shared: SharedUses,
    body: OpenBody | None = None,
    place: int | None = None,
) -> None:
    """Order the uses of values and blocks; of values that functions share, later.

    Args:
        records: the block.
        values: values by number.
        shared: takes the orders that are applied later.
        body: the body that the block is in, None if it is in none.
        place: how many instructions of the body are before the block, None if all are.

    Raises:
        BitcodeError: a record is malformed.
    """
    function, blocks = (None, []) if body is None else (body.function, body.blocks)
    ordered: dict[int, Sequence[Value | None]]
    ordered = {int(UselistCode.DEFAULT): values, _OF_BLOCK: blocks}
    with records.placed():
        for _, code, operands in records:
            listed = ordered.get(code)
            if listed is None:
                continue
            require_operands(operands, 1)
            number = operands.pop()
            if len(operands) < 2:
                raise Malformed(Reason.SHORT_ORDER())
            if number >= len(listed):
                _order_awaited(None if code == _OF_BLOCK else body, number, operands)
                continue
            value = listed[number]
            if value is None:
                assert body is not None, "constants of the module have been made"  # noqa: S101
                value = body.known_value(number)
            if isinstance(value, _SHARED):
                if not isinstance(value, ConstantData):
                    shared.add(function, value, operands, place)
                continue
            if code == _OF_BLOCK:
                # Constants that have not been made yet may hold its address.
                shared.add(function, value, operands, place)
            _order(value, operands)


def _order_awaited(body: OpenBody | None, number: int, order: list[int]) -> None:
    """Sort the uses of a value that is not defined yet.

    Raises:
        Malformed: no instruction uses a value of that number.
    """
    awaited = None if body is None else body.forward.waiting.get(number)
    if awaited is None:
        raise Malformed(Reason.NO_ORDERED_VALUE(number=number))
    if len(awaited.sites) == len(order):
        awaited.sites = _ordered(awaited.sites, order)


def _order(value: Value, order: list[int]) -> None:
    """Sort the uses of a value that is a function's own."""
    if order_users(value, order):
        return
    uses = present_uses(value)
    if len(uses) != len(order):
        return  # what was upgraded may be used elsewhere
    if len(set(uses)) != len(uses):
        set_uses(value, _ordered(list(numbered_uses(value)), order))
    else:
        set_users(value, _ordered([*uses], order))


def _ordered(uses: list[U], order: list[int]) -> list[U]:
    """Return uses sorted: LLVM lists the newest use first, and `order` gives the place of each in that list."""
    last = len(order) - 1
    if max(order) == last and len(set(order)) == len(order):
        found = uses.copy()
        for use, place in zip(reversed(uses), order, strict=True):
            found[last - place] = use
        return found
    # LLVM sorts by 32 bits of the numbers in the file.
    oldest_first = [place & _WORD for place in reversed(order)]
    return [uses[place] for place in sorted(range(len(order)), key=oldest_first.__getitem__, reverse=True)]
