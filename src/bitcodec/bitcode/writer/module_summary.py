"""The summary of one module, made from the model.  Rules: LLVM 22's module summary index, version 12.

Only functions, variables and aliases of the module have records.  A global that it lacks but refers to has a value id
after its own, which a record gives a GUID.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.bitcode.schema.summaries import SUMMARY_VERSION
from bitcodec.bitcode.writer.summary_contexts import radix_tree
from bitcodec.bitcode.writer.summary_forms import (
    GUIDS,
    OF_MODULE,
    STACK_IDS,
    SummaryBlock,
    bits,
    call_info,
    global_flags,
    halves,
    variable_flags,
)
from bitcodec.bitcode.writer.summary_functions import (
    StackIds,
    add_accesses,
    add_allocations,
    add_callsites,
    add_type_ids,
)
from bitcodec.ir.guid import global_identifier, guid_of
from bitcodec.ir.summary import AliasSummary, FunctionSummary, GlobalVarSummary
from bitcodec.tables.summaries import IndexFlags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitcode.writer.numbers import ModuleNumbers
    from bitcodec.bitcode.writer.rows import BlockRows
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.summary import GlobalValueSummary, ModuleSummaryIndex, ValueInfo

__all__ = ["module_summary"]

_FLAGS = IndexFlags.ENABLE_SPLIT_LTO_UNIT | IndexFlags.UNIFIED_LTO
"""Flags of a module; the others belong to an index of several."""


def module_summary(module: Module, index: ModuleSummaryIndex, numbers: ModuleNumbers) -> BlockRows:
    """Return the block that summarizes a module."""
    return _ModuleSummary(module, index, numbers).block()


class _ModuleSummary:
    def __init__(self, module: Module, index: ModuleSummaryIndex, numbers: ModuleNumbers) -> None:
        self._module = module
        self._index = index
        self._numbers = numbers
        self._globals = _globals_by_guid(module)
        self._guid_ids: dict[int, int] = {}
        self._stack_ids = StackIds()
        is_thin = module.flags.integer("ThinLTO") != 0
        self._block = SummaryBlock(
            BlockId.GLOBALVAL_SUMMARY_BLOCK if is_thin else BlockId.FULL_LTO_GLOBALVAL_SUMMARY_BLOCK
        )

    def block(self) -> BlockRows:
        index, block = self._index, self._block
        block.add(Code.VERSION, [SUMMARY_VERSION])
        block.add(Code.FLAGS, [index.flags & _FLAGS])
        if index.values:
            self._number_guids()
            self._add_tables()
            self._add_functions()
            self._add_variables()
            self._add_aliases()
            for name in sorted(index.compatible_vtables):
                self._add_vtables(name)
            if index.block_count:
                block.add(Code.BLOCK_COUNT, [index.block_count])
        return block.rows

    # Numbers

    def _number_guids(self) -> None:
        """Give numbers to the globals that functions refer to and the module lacks.

        As in LLVM, a global gets another number with each use; the last one counts.
        """
        count = self._numbers.value_count
        for value in sorted(self._index.values.values(), key=lambda value: value.guid):
            for summary in filter(_is_function, value.summaries):
                for used in _uses(summary):
                    if used.guid not in self._globals:
                        count += 1
                        self._guid_ids[used.guid] = count

    def _id(self, value: ValueInfo) -> int | None:
        found = self._globals.get(value.guid)
        return self._guid_ids.get(value.guid) if found is None else self._numbers.values[found]

    def _ids(self, values: Iterable[ValueInfo]) -> list[int]:
        return [number for number in map(self._id, values) if number is not None]

    def _add_tables(self) -> None:
        """Add GUIDs and stack ids, which all other records refer to by number."""
        block = self._block
        block.define(GUIDS)
        for guid, number in sorted(self._guid_ids.items()):
            block.add(Code.VALUE_GUID, [number, *halves([guid])])
        for function in self._all_functions():
            for allocation in function.allocations:
                for context in allocation.contexts:
                    self._stack_ids.numbers(context.stack_ids)
            for callsite in function.callsites:
                self._stack_ids.numbers(callsite.stack_ids)
        if self._stack_ids:
            block.define(STACK_IDS)
            block.add(Code.STACK_IDS, halves(self._stack_ids))
        block.define(*OF_MODULE)

    # Globals

    def _all_functions(self) -> Iterator[FunctionSummary]:
        for value in self._index.values.values():
            yield from filter(_is_function, value.summaries)

    def _summarized(self, values: Iterable[GlobalValue]) -> Iterator[tuple[GlobalValue, GlobalValueSummary]]:
        """Yield globals of the module, and the first summary of each."""
        guids = {value: guid for guid, value in self._globals.items()}
        for value in values:
            info = self._index.values.get(guids.get(value, 0))
            if info is not None and info.summaries:
                yield value, info.summaries[0]

    def _add_functions(self) -> None:
        functions = [
            (value, summary)
            for value, summary in self._summarized(self._module.functions)
            if isinstance(summary, FunctionSummary)
        ]
        contexts = [
            tuple(self._stack_ids.numbers(context.stack_ids))
            for _, summary in functions
            for allocation in summary.allocations
            for context in allocation.contexts
        ]
        places: list[int] = []
        if contexts:
            tree, places = radix_tree(contexts)
            self._block.add(Code.CONTEXT_RADIX_TREE_ARRAY, tree)
        left = iter(places)
        for value, summary in functions:
            self._add_function(value, summary, left)

    def _add_function(self, value: GlobalValue, summary: FunctionSummary, contexts: Iterator[int]) -> None:
        block = self._block
        add_type_ids(block, summary.type_ids)
        add_accesses(block, summary.parameter_accesses, self._id)
        add_callsites(block, summary, self._id, self._stack_ids, is_index=False)
        add_allocations(block, summary, contexts)
        references = summary.references
        operands = [
            self._numbers.values[value],
            global_flags(summary.flags),
            summary.instruction_count,
            bits(summary.function_flags),
            len(references),
            sum(reference.is_read_only for reference in references),
            sum(reference.is_write_only for reference in references),
            *self._ids(reference.value for reference in references),
        ]
        for call in summary.calls:
            operands += [*self._ids([call.callee]), call_info(call)]
        block.add(Code.PERMODULE_PROFILE, operands)

    def _add_variables(self) -> None:
        for value, summary in self._summarized(self._module.global_variables):
            if isinstance(summary, GlobalVarSummary):
                self._add_variable(value, summary)

    def _add_variable(self, value: GlobalValue, summary: GlobalVarSummary) -> None:
        head = [self._numbers.values[value], global_flags(summary.flags), variable_flags(summary)]
        references = sorted(self._ids(reference.value for reference in summary.references))
        if not summary.vtable_functions:
            self._block.add(Code.PERMODULE_GLOBALVAR_INIT_REFS, [*head, *references])
            return
        table = [
            operand
            for function, offset in summary.vtable_functions
            for number in self._ids([function])
            for operand in (number, offset)
        ]
        code = Code.PERMODULE_VTABLE_GLOBALVAR_INIT_REFS
        self._block.add(code, [*head, len(references), *references, *table])

    def _add_aliases(self) -> None:
        for value, summary in self._summarized(self._module.aliases):
            if isinstance(summary, AliasSummary) and summary.aliasee is not None:
                aliasee = self._id(summary.aliasee)
                if aliasee is not None:
                    self._block.add(Code.ALIAS, [self._numbers.values[value], global_flags(summary.flags), aliasee])

    def _add_vtables(self, name: str) -> None:
        operands = [*self._numbers.strings.place(name)]
        for offset, table in self._index.compatible_vtables[name]:
            operands += [operand for number in self._ids([table]) for operand in (offset, number)]
        self._block.add(Code.TYPE_ID_METADATA, operands)


def _is_function(summary: GlobalValueSummary) -> TypeGuard[FunctionSummary]:
    return isinstance(summary, FunctionSummary)


def _uses(summary: FunctionSummary) -> Iterator[ValueInfo]:
    """Yield the globals that a function refers to, in LLVM's order."""
    for call in summary.calls:
        yield call.callee
    for reference in summary.references:
        yield reference.value
    for callsite in summary.callsites:
        if callsite.callee is not None:
            yield callsite.callee


def _globals_by_guid(module: Module) -> dict[int, GlobalValue]:
    source = module.source_filename or module.identifier
    return {
        guid_of(global_identifier(value.name, source, is_local=value.linkage.is_local)): value
        for value in module.globals
        if value.name
    }
