"""Orders of uses: said where a reader would find another than the module has.

Rules: bitcode record reference, section 9.4; the order in which LLVM's reader makes uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.making import Making
from bitcodec.bitcode.schema.blocks import BlockId, UselistCode
from bitcodec.bitcode.writer.rows import BlockRows, Rows
from bitcodec.ir.constants import Constant, ConstantData, InlineAsm
from bitcodec.ir.uses import numbered_uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import User, Value

    _Use = tuple[User, int]

__all__ = ["UseLists"]

_WIDTH = 3


class UseLists:
    """Orders of a module's uses.

    Args:
        module: which is read to the end.
    """

    def __init__(self, module: Module) -> None:
        module.order_uses()
        self._making = Making(module)
        self._shared: dict[Function | None, list[Value]] = {}
        self._find_shared(module)

    def _find_shared(self, module: Module) -> None:
        """Find for each shared value where the last of its users is made: there its order can be told."""
        last: dict[Value, Function | None] = {}
        self._making.make_globals()
        done = self._note(last, 0, None)
        for function in module.functions:
            self._making.make_function(function)
            done = self._note(last, done, function)
        for value, function in last.items():
            self._shared.setdefault(function, []).append(value)

    def _note(self, last: dict[Value, Function | None], done: int, function: Function | None) -> int:
        users = list(self._making)
        for user in users[done:]:
            for operand in user._operands:
                if isinstance(operand, Constant | InlineAsm) and not isinstance(operand, ConstantData):
                    last[operand] = function
        return len(users)

    def block(self, function: Function | None, values: Mapping[Value, int], blocks: Mapping[BasicBlock, int]) -> BlockRows | None:
        """Return what stands at the end of a function, or of the module's own tables; None if all is in order.

        Args:
            function: whose values are ordered, None for those that only globals use.
            values, blocks: their numbers.
        """
        rows = Rows()
        if function is not None:
            for block, number in blocks.items():
                _add(rows, UselistCode.BB, number, self._made(block), list(_used(block, self._making)))
            local = [*function.arguments, *(i for block in blocks for i in block._instructions)]
            places = {value: index for index, value in enumerate(local)}
            for value in local:
                uses = value._uses
                if len(uses) > 1:
                    _add(rows, UselistCode.DEFAULT, values.get(value, 0), _read(value, places), list(numbered_uses(value)))
        for value in self._shared.get(function, ()):
            if value in values:
                _add(rows, UselistCode.DEFAULT, values[value], self._made(value), list(_used(value, self._making)))
        if not rows:
            return None
        result = BlockRows(BlockId.USELIST_BLOCK, _WIDTH)
        result.items.append(rows)
        return result

    def _made(self, value: Value) -> list[_Use]:
        return self._making.uses(value) if len(value._uses) > 1 else []


def _used(value: Value, making: Making) -> Iterable[_Use]:
    """Return the uses of a value that a reader will make, in the module's order."""
    return (use for use in numbered_uses(value) if use[0] in making) if len(value._uses) > 1 else ()


def _read(value: Value, places: Mapping[Value, int]) -> list[_Use]:
    """Return the uses of an argument or instruction as a reader makes them: those in front of it when it comes."""
    place = places[value]
    ordered = sorted(((places[user], number, user) for user, number in numbered_uses(value)), key=lambda use: use[:2])
    early = [(user, number) for at, number, user in ordered if at <= place]
    late = [(user, number) for at, number, user in ordered if at > place]
    return early[::-1] + late


def _add(rows: Rows, code: int, number: int, read: list[_Use], wanted: list[_Use]) -> None:
    """Add the record that puts uses as they are read, oldest first, into the order that is wanted."""
    if len(wanted) < 2 or read == wanted:
        return
    places = {use: place for place, use in enumerate(reversed(wanted))}
    rows.add(code, [*(places[use] for use in reversed(read)), number])
