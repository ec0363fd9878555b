"""Records that precede the summary of a function: its type tests, its parameters, its memory profile.

Rules: LLVM 22's module summary index, version 12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.bitcode.writer.rows import rotated
from bitcodec.bitcode.writer.summary_forms import halves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.bitcode.writer.summary_forms import SummaryBlock
    from bitcodec.ir.constant_range import ConstantRange
    from bitcodec.ir.summary import Allocation, FunctionSummary, ParameterAccess, ParameterUse, TypeIdInfo, ValueInfo

    ValueIds = Callable[[ValueInfo], "int | None"]

__all__ = ["StackIds", "add_accesses", "add_allocations", "add_callsites", "add_type_ids"]


class StackIds(dict[int, int]):
    """Numbers of stack ids, assigned on first use."""

    def __missing__(self, stack_id: int) -> int:
        number = self[stack_id] = len(self)
        return number

    def numbers(self, stack_ids: Iterable[int]) -> list[int]:
        """Return the numbers of some stack ids."""
        return [self[stack_id] for stack_id in stack_ids]


def add_type_ids(block: SummaryBlock, info: TypeIdInfo | None) -> None:
    """Add the type tests and checked loads of a function."""
    if info is None:
        return
    if info.type_tests:
        block.add(Code.TYPE_TESTS, info.type_tests)
    for code, calls in (
        (Code.TYPE_TEST_ASSUME_VCALLS, info.type_test_assume_vcalls),
        (Code.TYPE_CHECKED_LOAD_VCALLS, info.type_checked_load_vcalls),
    ):
        if calls:
            block.add(code, [operand for call in calls for operand in call])
    for code, const_calls in (
        (Code.TYPE_TEST_ASSUME_CONST_VCALL, info.type_test_assume_const_vcalls),
        (Code.TYPE_CHECKED_LOAD_CONST_VCALL, info.type_checked_load_const_vcalls),
    ):
        for const_call in const_calls:
            block.add(code, [*const_call.function, *const_call.arguments])


def add_accesses(block: SummaryBlock, accesses: Iterable[ParameterAccess], ids: ValueIds) -> None:
    """Add accesses through parameters; those that are passed to a global without an id are left out."""
    operands: list[int] = []
    for access in accesses:
        uses = [_use(use, ids) for use in access.calls]
        if None in uses:
            continue
        operands += [access.number, *_range(access.offsets), len(uses)]
        operands += [operand for use in uses if use is not None for operand in use]
    if operands:
        block.add(Code.PARAM_ACCESS, operands)


def _use(use: ParameterUse, ids: ValueIds) -> list[int] | None:
    callee = ids(use.callee)
    return None if callee is None else [use.number, callee, *_range(use.offsets)]


def _range(offsets: ConstantRange) -> Iterator[int]:
    yield rotated(offsets.lower)
    yield rotated(offsets.upper)


def add_callsites(
    block: SummaryBlock, function: FunctionSummary, ids: ValueIds, stack_ids: StackIds, *, is_index: bool
) -> None:
    """Add the calls in contexts of allocations; a callee without an id is 0, as in LLVM."""
    for callsite in function.callsites:
        callee = (ids(callsite.callee) if callsite.callee is not None else None) or 0
        frames = stack_ids.numbers(callsite.stack_ids)
        if is_index:
            counts = (len(frames), len(callsite.clones))
            block.add(Code.COMBINED_CALLSITE_INFO, [callee, *counts, *frames, *callsite.clones])
        else:
            block.add(Code.PERMODULE_CALLSITE_INFO, [callee, *frames])


def add_allocations(block: SummaryBlock, function: FunctionSummary, contexts: Iterator[int] | None) -> None:
    """Add the allocations of a function.

    Args:
        block: the summaries.
        function: the function.
        contexts: places of the contexts of all functions in the radix tree; None in an index, which has no contexts.
    """
    for allocation in function.allocations:
        kinds = [context.type.code for context in allocation.contexts]
        if contexts is None:
            versions = [version.code for version in allocation.versions]
            block.add(Code.COMBINED_ALLOC_INFO_NO_CONTEXT, [len(kinds), len(versions), *kinds, *versions])
        else:
            pairs = [operand for kind in kinds for operand in (kind, next(contexts))]
            block.add(Code.PERMODULE_ALLOC_INFO, [len(kinds), *pairs, *_sizes(block, allocation)])


def _sizes(block: SummaryBlock, allocation: Allocation) -> Iterator[int]:
    """Add the ids of contexts, which precede the allocation; return operands with their sizes."""
    sizes = [context.sizes for context in allocation.contexts]
    if not any(sizes):
        return
    # A context of unknown size has the id 0.
    listed = [[(size.context_id, size.size) for size in of_one] or [(0, 0)] for of_one in sizes]
    block.add(Code.ALLOC_CONTEXT_IDS, halves(context_id for of_one in listed for context_id, _ in of_one))
    for of_one in listed:
        yield len(of_one)
        yield from (size for _, size in of_one)
