"""The instructions of a function as a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions.instruction import Instruction

__all__ = ["FunctionInstructions"]


@Sequence.register
class FunctionInstructions:
    """The instructions of a function, block after block: a sequence that follows changes of the function.

    A loop may erase the instruction that it is at. An index is looked up block by block.
    """

    __slots__ = ("_function",)

    def __init__(self, function: Function) -> None:
        self._function = function

    def __iter__(self) -> Iterator[Instruction]:
        for block in self._function.blocks:
            yield from block.instructions

    def __reversed__(self) -> Iterator[Instruction]:
        return chain.from_iterable(reversed(block.instructions) for block in reversed(self._function.blocks))

    def __len__(self) -> int:
        return sum(map(len, self._function.blocks))

    def __contains__(self, item: object) -> bool:
        return getattr(item, "function", None) is self._function and any(each is item for each in self)

    @overload
    def __getitem__(self, key: int) -> Instruction: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Instruction]: ...
    def __getitem__(self, key: int | slice) -> Instruction | Sequence[Instruction]:
        if isinstance(key, slice):
            return tuple(self)[key]
        found = next(islice(self if key >= 0 else reversed(self), key if key >= 0 else ~key, None), None)
        if found is None:
            raise IndexError(f"instruction {key} of {len(self)}")
        return found

    def index(self, item: Instruction) -> int:
        """Return the position of an instruction.

        Raises:
            ValueError: it is not in the function.
        """
        for position, each in enumerate(self):
            if each is item:
                return position
        raise ValueError(f"{item!r} is not in {self._function!r}")

    def __repr__(self) -> str:
        return f"<{len(self)} instructions of @{self._function.name}>"
