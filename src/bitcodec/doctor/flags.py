"""Flags of instructions that older versions take for others, from the rows of flags."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.instructions import OPCODES_WITH_FLAGS
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.places import place_of
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.instruction_flags import FLAGS, flags_by_number, flags_of_opcode, newer_flags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitcodec.bitcode.schema.blocks import FunctionCode

__all__ = ["FLAG_OBSERVERS", "MISREAD_FLAGS", "MisreadFlags"]


class MisreadFlags(NamedTuple):
    """Flags of the instructions with one opcode that older versions take for another.

    Attributes:
        opcode: of the instructions.
        since: the first version that has the flags.
        words: of the flags, in text.
        misread_as: the word of the other flag.
    """

    opcode: str
    since: int
    words: tuple[str, ...]
    misread_as: str

    @property
    def description(self) -> str:
        """The flags in the words of LLVM IR, and their meaning in older versions."""
        words = " or ".join(f"`{word}`" for word in self.words)
        return f"flag{'s' * (len(self.words) > 1)} {words} of {self.opcode}, read as `{self.misread_as}`,"


def _groups() -> Iterator[MisreadFlags]:
    groups = dict.fromkeys((row.opcodes[0], row.since, row.misread_as) for row in FLAGS if row.misread_as)
    for opcode, since, other in groups:
        rows = [row for row in flags_of_opcode(opcode) if (row.since, row.misread_as) == (since, other)]
        yield MisreadFlags(opcode, since, tuple(row.word for row in rows), other)


MISREAD_FLAGS = tuple(_groups())
"""Their places are the numbers of the keys of `ConstructKind.FLAGS`."""


@lru_cache(maxsize=1024)
def _keys(opcode: str, number: int) -> tuple[Key, ...]:
    """Return the keys of the flags that a number in a record represents."""
    newer = {row.word for row in newer_flags(opcode, flags_by_number(opcode)[number], 0)}
    found = [index for index, group in enumerate(MISREAD_FLAGS) if group.opcode == opcode and newer & {*group.words}]
    return tuple(Key(ConstructKind.FLAGS, index) for index in found)


def _observer(code: FunctionCode, opcode: str) -> Callable[[Sequence[int]], Iterable[Key]]:
    place_of_flags = place_of(code, "flags")

    def observe(operands: Sequence[int]) -> Iterable[Key]:
        place = place_of_flags(operands)
        return _keys(opcode, operands[place]) if len(operands) > place and operands[place] else ()

    return observe


FLAG_OBSERVERS = {
    code: _observer(code, opcode)
    for code, opcode in OPCODES_WITH_FLAGS.items()
    if any(group.opcode == opcode for group in MISREAD_FLAGS)
}
"""By record code, the function that yields the keys of the flags of a record."""
