"""The door for packages that construct parts of a module: the reader, upgrades and the builder.

These functions check nothing, enter no names and materialize nothing: their callers have checked the data.  Together
they must leave the model consistent, so that each operand of a user is an entry in the list of uses of that operand.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantData
from bitcodec.ir.uses import listed_uses

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import User, Value

__all__ = ["drop_all_operands", "keep_no_users", "set_blocks", "set_instructions", "set_users", "set_uses"]


def set_blocks(function: Function, blocks: Iterable[BasicBlock]) -> None:
    """Replace the blocks of a function, whose body has been read or is being read."""
    function._blocks = tuple(blocks)


def set_instructions(block: BasicBlock, instructions: Iterable[Instruction]) -> None:
    """Replace the instructions of a block; their parents stay as they are."""
    block._set_instructions(instructions)


def set_uses(value: Value, uses: Iterable[tuple[User, int]]) -> None:
    """Replace the list of uses of a value by these in this order: each user, and which of its operands the value is."""
    value._uses = listed_uses(uses)


def set_users(value: Value, users: Sequence[User]) -> None:
    """Replace the list of uses of a value by one use by each of these users in this order; no user occurs twice."""
    value._uses = [*users]


def keep_no_users(value: Value) -> None:
    """Let a value, which has no users yet, keep no list of them: a placeholder."""
    value._uses = ConstantData._UNTRACKED


def drop_all_operands(users: Collection[User]) -> None:
    """Remove the operands of many users, in time that is linear in the number of uses of these operands.

    Args:
        users: the users; what is not hashed, as a list, is searched for each use.
    """
    counts: Counter[Value] = Counter()
    for user in users:
        for number, operand in enumerate(user._operands):
            uses = operand._uses
            if isinstance(uses, list):
                counts[operand] += 1
            else:
                uses.remove(user, number)
    for operand, count in counts.items():
        if isinstance(operand._uses, list):
            _drop_last(operand._uses, users, count)
    for user in users:
        user._operands = ()


def _drop_last(uses: list[User], users: Collection[User], count: int) -> None:
    """Remove the last uses by some users, as many as are given: users that were just read are near the end."""
    kept: list[User] = []
    index = len(uses)
    while count and index:
        index -= 1
        if uses[index] in users:
            count -= 1
        else:
            kept.append(uses[index])
    uses[index:] = reversed(kept)
