"""Reads the memory profiles in summaries: allocations, the contexts that reach them, the calls in these.

Contexts share their outer frames in one array, a radix tree: at its index a context has the number of its frames, then
the numbers of their stack ids; a negative one gives the distance to the next frames.  So a short file could describe
very long contexts: a budget bounds them.
Rules: LLVM 22's module summary index; versions 9 to 12.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands, take_operand
from bitcodec.bitcode.reader.summary_types import member
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.bitcode.schema.summaries import VERSION_OF_COUNTED_CONTEXTS, VERSION_OF_SPLIT_STACK_IDS
from bitcodec.ir.summary import Allocation, AllocationContext, Callsite, ContextSize
from bitcodec.reasons import Reason
from bitcodec.tables.summaries import AllocationType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.summary_values import SummaryValues

__all__ = ["ContextReader"]

_FREE_FRAMES = 1 << 20
_FRAMES_PER_BYTE = 16

_WORD = 0xFFFF_FFFF
_NEGATIVE = 0x8000_0000
_BYTE = 0xFF
_ONLY_CLONE = (0,)
_ONLY_VERSION = (AllocationType.NONE,)


class ContextReader:
    """Reads the records that are about memory profiles.

    Args:
        values: the values of value ids.
        size: size of the summaries in bytes.

    Attributes:
        version: of the block that is just read.
        handlers: readers of records, by code.
    """

    def __init__(self, values: SummaryValues, size: int) -> None:
        self.version = 0
        self._values = values
        self._frames_left = _FREE_FRAMES + size * _FRAMES_PER_BYTE
        self._stack_ids: list[int] = []
        self._radix_tree: list[int] = []
        self._context_ids: list[int] = []
        self._callsites: list[Callsite] = []
        self._allocations: list[Allocation] = []
        self.handlers: dict[int, Callable[[list[int]], None]] = {
            Code.STACK_IDS: self._read_stack_ids,
            Code.CONTEXT_RADIX_TREE_ARRAY: self._read_radix_tree,
            Code.ALLOC_CONTEXT_IDS: self._read_context_ids,
            Code.PERMODULE_CALLSITE_INFO: self._read_callsite,
            Code.COMBINED_CALLSITE_INFO: self._read_combined_callsite,
            Code.PERMODULE_ALLOC_INFO: self._read_allocation,
            Code.COMBINED_ALLOC_INFO: lambda operands: self._read_combined_allocation(operands, has_frames=True),
            Code.COMBINED_ALLOC_INFO_NO_CONTEXT: lambda operands: self._read_combined_allocation(
                operands, has_frames=False
            ),
        }

    def take_callsites(self) -> tuple[Callsite, ...]:
        """Return the calls of the function that comes next, and forget them."""
        taken, self._callsites = self._callsites, []
        return tuple(taken)

    def take_allocations(self) -> tuple[Allocation, ...]:
        """Return the allocations of the function that comes next, and forget them."""
        taken, self._allocations = self._allocations, []
        return tuple(taken)

    # Tables

    def _read_stack_ids(self, operands: list[int]) -> None:
        self._stack_ids = _joined(operands) if self.version >= VERSION_OF_SPLIT_STACK_IDS else operands

    def _read_radix_tree(self, operands: list[int]) -> None:
        self._radix_tree = [operand & _WORD for operand in operands]

    def _read_context_ids(self, operands: list[int]) -> None:
        self._context_ids += _joined(operands)

    # Calls

    def _read_callsite(self, operands: list[int]) -> None:
        require_operands(operands, 1)
        callee = self._values.get(operands[0])
        self._callsites.append(Callsite(callee, _ONLY_CLONE, self._ids(operands[1:])))

    def _read_combined_callsite(self, operands: list[int]) -> None:
        require_operands(operands, 3)
        value_id, id_count, clone_count, rest = operands[0], operands[1], operands[2], operands[3:]
        if len(rest) != id_count + clone_count:
            raise Malformed(Reason.STACK_IDS(ids=id_count, clones=clone_count, count=len(rest)))
        clones = tuple(clone & _WORD for clone in rest[id_count:])
        self._callsites.append(Callsite(self._values.get(value_id), clones, self._ids(rest[:id_count])))

    # Allocations

    def _read_allocation(self, operands: list[int]) -> None:
        left = iter(operands)
        contexts = (
            self._counted_contexts(partial(take_operand, left)) if self._is_counted else self._all_contexts(operands)
        )
        sizes = list(left) if self._is_counted else []
        if sizes:
            contexts = self._sized(contexts, partial(take_operand, iter(sizes)))
        self._allocations.append(Allocation(_ONLY_VERSION, tuple(contexts)))

    def _read_combined_allocation(self, operands: list[int], *, has_frames: bool) -> None:
        left = iter(operands)
        take = partial(take_operand, left)
        context_count, version_count = take(), take()
        contexts = [self._context(take, has_frames=has_frames) for _ in range(context_count)]
        versions = [_allocation_type(take()) for _ in range(version_count)]
        if list(left):
            raise Malformed(Reason.OPERANDS_LEFT())
        self._allocations.append(Allocation(tuple(versions), tuple(contexts)))

    @property
    def _is_counted(self) -> bool:
        return self.version >= VERSION_OF_COUNTED_CONTEXTS

    def _counted_contexts(self, take: Callable[[], int]) -> list[AllocationContext]:
        return [self._context(take, has_frames=True) for _ in range(take())]

    def _all_contexts(self, operands: list[int]) -> list[AllocationContext]:
        left = iter(operands)
        return [AllocationContext(_allocation_type(kind), self._frames(partial(take_operand, left))) for kind in left]

    def _context(self, take: Callable[[], int], *, has_frames: bool) -> AllocationContext:
        kind = _allocation_type(take())
        return AllocationContext(kind, self._frames(take) if has_frames else ())

    def _sized(self, contexts: list[AllocationContext], take: Callable[[], int]) -> list[AllocationContext]:
        """Return contexts with their sizes, which have as many ids as there are."""
        ids = partial(take_operand, iter(self._context_ids))
        sized = []
        for context in contexts:
            sizes = [ContextSize(ids(), take()) for _ in range(take())]
            # An id of 0 represents a context of unknown size.
            sized.append(context._replace(sizes=tuple([size for size in sizes if size.context_id])))
        self._context_ids = []
        return sized

    # Frames

    def _frames(self, take: Callable[[], int]) -> tuple[int, ...]:
        """Return the stack ids of a context, which old files contain in the record itself."""
        if self._radix_tree:
            return self._shared_frames(take())
        return self._ids([take() for _ in range(take())])

    def _shared_frames(self, index: int) -> tuple[int, ...]:
        tree = self._radix_tree
        if index >= len(tree):
            raise Malformed(Reason.NO_CONTEXT(number=index, count=len(tree)))
        count = tree[index]
        self._frames_left -= count
        if self._frames_left < 0:
            raise Malformed(Reason.LONG_CONTEXTS())
        numbers = []
        for _ in range(count):
            index += 1
            if index < len(tree) and tree[index] & _NEGATIVE:
                index += _WORD + 1 - tree[index]
            if index >= len(tree):
                raise Malformed(Reason.DISTANT_CONTEXT(count=len(tree)))
            numbers.append(tree[index])
        return self._ids(numbers)

    def _ids(self, numbers: list[int]) -> tuple[int, ...]:
        ids = self._stack_ids
        try:
            return tuple([ids[number] for number in numbers])
        except IndexError:
            raise Malformed(Reason.FEW_STACK_IDS(count=len(ids))) from None


def _allocation_type(number: int) -> AllocationType:
    return member(AllocationType, number & _BYTE)


def _joined(halves: list[int]) -> list[int]:
    """Return the numbers of 64 bits from pairs of halves, the upper one first."""
    left = iter(halves)
    return [(upper << 32 | take_operand(left)) & 0xFFFF_FFFF_FFFF_FFFF for upper in left]
