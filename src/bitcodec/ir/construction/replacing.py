"""Values and instructions that are replaced or removed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import User, Value

__all__ = [
    "copy_attachments",
    "copy_location",
    "detach",
    "drop_all_operands",
    "erase_wrapper",
    "move_debug_records",
    "replace_uses",
    "replace_wrapped",
]


def replace_wrapped(old: Value, new: Value) -> None:
    """Let metadata that wraps a value wrap another."""
    wrapper, old._as_metadata = old._as_metadata, None
    if wrapper is not None:
        wrapper._value_replaced(new)


def copy_location(source: Instruction, target: Instruction) -> None:
    """Give an instruction the debug location of another, which need not have been read."""
    target._location = source._location


def replace_uses(old: Instruction, new: Value) -> None:
    """Let all users of an instruction use another value, which may be of another type."""
    old._read_metadata_uses()
    old._hand_over_uses(new)


def copy_attachments(source: Instruction, target: Instruction) -> None:
    """Give an instruction the attached metadata of another, which is going away; it need not have been read."""
    target._attachments = source._attachments


def move_debug_records(source: Instruction, target: Instruction) -> None:
    """Move debug records, read or not, to an instruction without debug records."""
    target._records, source._records = source._records, None


def detach(instruction: Instruction) -> None:
    """End the life of an instruction that is in no list of a block any more; metadata loses its value."""
    instruction._records = None
    instruction.parent = None
    erase_wrapper(instruction)


def erase_wrapper(value: Value) -> None:
    """Let metadata that wraps a value, which is going away, wrap nothing."""
    if value._as_metadata is not None:
        value._as_metadata._value_erased(None)


def drop_all_operands(users: Collection[User]) -> None:
    """Remove the operands of many users, in time that is linear in the number of uses of these operands.

    Args:
        users: the users; a collection that is not hashed, such as a list, is searched for each use.
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
