"""An index of several modules, made from the model: their paths, then their summaries.

A reference to a global that the index has no summary of is left out, as in LLVM.
Rules: LLVM 22's module summary index, version 12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ModuleStrtabCode
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.bitcode.schema.summaries import SUMMARY_VERSION
from bitcodec.bitcode.writer.rows import BlockRows, characters, encoded
from bitcodec.bitcode.writer.summary_forms import (
    GUIDS,
    OF_INDEX,
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
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, Abbreviation, array, char6, fixed, vbr
from bitcodec.ir.summary import AliasSummary, FunctionSummary, GlobalVarSummary
from bitcodec.tables.summaries import REGULAR_LTO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitcode.writer.strings import StringTable
    from bitcodec.ir.summary import (
        Devirtualization,
        GlobalValueSummary,
        ModuleSummaryIndex,
        SummarizedModule,
        TypeIdInfo,
        TypeIdSummary,
        ValueInfo,
    )

__all__ = ["index_blocks"]

_PATHS_WIDTH = 3
_PATH_8, _PATH_7, _PATH_CHAR6, _HASH = range(4, 8)
_WORD = fixed(32)
_PATH_ABBREVIATIONS = (
    Abbreviation.of(ModuleStrtabCode.ENTRY, vbr(8), array, fixed(8)),
    Abbreviation.of(ModuleStrtabCode.ENTRY, vbr(8), array, fixed(7)),
    Abbreviation.of(ModuleStrtabCode.ENTRY, vbr(8), array, char6),
    Abbreviation.of(ModuleStrtabCode.HASH, _WORD, _WORD, _WORD, _WORD, _WORD),
)
_ASCII = 128
_NO_COUNT = 0
"""Number of entries of a function, which LLVM 22 no longer states."""
_PATH_CHARACTERS = frozenset(CHAR6_ALPHABET)


def index_blocks(index: ModuleSummaryIndex, strings: StringTable) -> Iterator[BlockRows]:
    """Yield the blocks of an index: paths of modules, summaries.

    Args:
        index: the index.
        strings: the string table, to which names of types are added.
    """
    modules = sorted(index.modules.values(), key=lambda module: encoded(module.path or REGULAR_LTO))
    yield _paths(modules)
    yield _IndexSummary(index, modules, strings).block()


def _paths(modules: Iterable[SummarizedModule]) -> BlockRows:
    block = BlockRows(BlockId.MODULE_STRTAB_BLOCK, _PATHS_WIDTH, _PATH_ABBREVIATIONS)
    rows = block.rows()
    for number, module in enumerate(modules):
        path = characters(module.path or REGULAR_LTO)
        rows.add(ModuleStrtabCode.ENTRY, [number, *path], _path_abbreviation(bytes(path)))
        if any(module.hash):
            rows.add(ModuleStrtabCode.HASH, module.hash, _HASH)
    return block


def _path_abbreviation(path: bytes) -> int:
    if _PATH_CHARACTERS.issuperset(path):
        return _PATH_CHAR6
    return _PATH_7 if max(path) < _ASCII else _PATH_8


class _IndexSummary:
    def __init__(self, index: ModuleSummaryIndex, modules: list[SummarizedModule], strings: StringTable) -> None:
        self._index = index
        self._strings = strings
        self._modules = {id(module): number for number, module in enumerate(modules)}
        self._values = sorted(index.values.values(), key=lambda value: value.guid)
        self._guid_ids: dict[int, int] = {}
        self._stack_ids = StackIds()
        self._block = SummaryBlock(BlockId.GLOBALVAL_SUMMARY_BLOCK)

    def block(self) -> BlockRows:
        index, block = self._index, self._block
        block.add(Code.VERSION, [SUMMARY_VERSION])
        block.add(Code.FLAGS, [index.flags])
        self._add_tables()
        aliases = []
        for value, summary in self._summaries():
            if isinstance(summary, FunctionSummary):
                self._add_function(value, summary)
            elif isinstance(summary, GlobalVarSummary):
                references = self._ids(reference.value for reference in summary.references)
                operands = [*self._head(value, summary), variable_flags(summary), *references]
                self._add(Code.COMBINED_GLOBALVAR_INIT_REFS, operands, summary)
            elif isinstance(summary, AliasSummary):
                aliases.append((value, summary))
        # Readers know an alias only if its aliasee precedes it.
        for value, alias in aliases:
            aliasee = None if alias.aliasee is None else self._id(alias.aliasee)
            self._add(Code.COMBINED_ALIAS, [*self._head(value, alias), aliasee or 0], alias)
        self._add_types()
        if index.block_count:
            block.add(Code.BLOCK_COUNT, [index.block_count])
        return block.rows

    def _summaries(self) -> Iterator[tuple[ValueInfo, GlobalValueSummary]]:
        for value in self._values:
            for summary in value.summaries:
                yield value, summary

    def _id(self, value: ValueInfo) -> int | None:
        return self._guid_ids.get(value.guid)

    def _ids(self, values: Iterable[ValueInfo]) -> list[int]:
        return [number for number in map(self._id, values) if number is not None]

    def _add_tables(self) -> None:
        """Add GUIDs and stack ids; as in LLVM, a global with several summaries has the number of the last one."""
        block = self._block
        for number, (value, summary) in enumerate(self._summaries(), 1):
            self._guid_ids[value.guid] = number
            if isinstance(summary, FunctionSummary):
                for callsite in summary.callsites:
                    self._stack_ids.numbers(callsite.stack_ids)
        block.define(GUIDS)
        for guid, number in self._guid_ids.items():
            block.add(Code.VALUE_GUID, [number, *halves([guid])])
        if self._stack_ids:
            block.define(STACK_IDS)
            block.add(Code.STACK_IDS, halves(self._stack_ids))
        block.define(*OF_INDEX)

    # Globals

    def _head(self, value: ValueInfo, summary: GlobalValueSummary) -> list[int]:
        return [self._guid_ids[value.guid], self._modules[id(summary.module)], global_flags(summary.flags)]

    def _add(self, code: int, operands: list[int], summary: GlobalValueSummary) -> None:
        """Add a summary; for a local, the GUID of its name alone follows."""
        self._block.add(code, operands)
        if summary.flags.linkage.is_local:
            self._block.add(Code.COMBINED_ORIGINAL_NAME, [summary.original_guid])

    def _add_function(self, value: ValueInfo, summary: FunctionSummary) -> None:
        block = self._block
        add_type_ids(block, summary.type_ids)
        add_accesses(block, summary.parameter_accesses, self._id)
        add_callsites(block, summary, self._id, self._stack_ids, is_index=True)
        add_allocations(block, summary, None)
        references = [reference for reference in summary.references if self._id(reference.value) is not None]
        operands = [
            *self._head(value, summary),
            summary.instruction_count,
            bits(summary.function_flags),
            _NO_COUNT,
            len(references),
            sum(reference.is_read_only for reference in references),
            sum(reference.is_write_only for reference in references),
            *self._ids(reference.value for reference in references),
        ]
        for call in summary.calls:
            operands += [operand for number in self._ids([call.callee]) for operand in (number, call_info(call))]
        self._add(Code.COMBINED_PROFILE, operands, summary)

    # Types

    def _add_types(self) -> None:
        """Add the resolutions of the types that functions refer to."""
        guids = {
            guid
            for _, summary in self._summaries()
            if isinstance(summary, FunctionSummary) and summary.type_ids is not None
            for guid in _type_guids(summary.type_ids)
        }
        for type_id in sorted(self._index.type_ids.values(), key=lambda type_id: type_id.guid):
            if type_id.guid in guids:
                self._add_type(type_id)

    def _add_type(self, type_id: TypeIdSummary) -> None:
        test = type_id.test
        operands = [*self._strings.place(type_id.name), test.kind.code, *test[1:]]
        for offset, result in sorted(type_id.devirtualizations.items()):
            operands += [offset, *self._devirtualization(result)]
        self._block.add(Code.TYPE_ID, operands)

    def _devirtualization(self, result: Devirtualization) -> Iterator[int]:
        yield result.kind.code
        yield from self._strings.place(result.single_implementation)
        yield len(result.by_arguments)
        for arguments, found in sorted(result.by_arguments.items()):
            yield len(arguments)
            yield from arguments
            yield from (found.kind.code, *found[1:])


def _type_guids(info: TypeIdInfo) -> Iterator[int]:
    yield from info.type_tests
    for calls in (info.type_test_assume_vcalls, info.type_checked_load_vcalls):
        yield from (call.guid for call in calls)
    for const_calls in (info.type_test_assume_const_vcalls, info.type_checked_load_const_vcalls):
        yield from (call.function.guid for call in const_calls)
