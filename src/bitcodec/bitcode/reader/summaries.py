"""Reads summaries for link-time optimization: GLOBALVAL_SUMMARY_BLOCK and FULL_LTO_GLOBALVAL_SUMMARY_BLOCK.

Rules: LLVM 22's module summary index, versions 1 to 12.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.bitcode.integers import constant_range
from bitcodec.bitcode.malformed import Malformed, require_operands, take_operand
from bitcodec.bitcode.reader.summary_contexts import ContextReader
from bitcodec.bitcode.reader.summary_types import TypeSummaryReader, member
from bitcodec.bitcode.reader.summary_values import SummaryValues
from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.bitcode.schema.summaries import (
    ALIAS_LAYOUTS,
    FREQUENCY_BITS,
    FUNCTION_LAYOUTS,
    HOTNESS_BITS,
    IMPORT_KIND_BIT,
    LINKAGE_BITS,
    NEWEST_SUMMARY_VERSION,
    VARIABLE_LAYOUTS,
    VCALL_VISIBILITY_BIT,
    VERSION_OF_CALL_INFO,
    VERSION_OF_LATER_CONTEXTS,
    VERSION_OF_LIVENESS,
    VERSION_OF_SPLIT_GUIDS,
    VISIBILITY_BIT,
    CallInfo,
    SummaryLayout,
)
from bitcodec.ir.summary import (
    AliasSummary,
    FunctionSummary,
    GlobalValueFlags,
    GlobalVarSummary,
    ModuleSummaryIndex,
    ParameterAccess,
    ParameterUse,
    SummaryCall,
    SummaryReference,
    VTableFunction,
)
from bitcodec.reasons import Reason
from bitcodec.tables.linkage import Visibility
from bitcodec.tables.summaries import (
    SUMMARY_LINKAGES,
    FunctionFlag,
    Hotness,
    ImportKind,
    IndexFlags,
    SummaryFlag,
    VariableFlag,
    VCallVisibility,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitcode.reader.blocks import BlockPlace
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.summary import GlobalValueSummary, SummarizedModule, ValueInfo

__all__ = ["HANDLED_SUMMARY_CODES", "read_summary"]

HANDLED_SUMMARY_CODES = frozenset(Code)

# Bits other than LLVM 22's flags have no meaning.
_INDEX_FLAGS = sum(IndexFlags)
_GLOBAL_FLAGS = (2 << IMPORT_KIND_BIT) - 1
_FUNCTION_FLAGS = sum(1 << flag.code for flag in FunctionFlag)
_VARIABLE_FLAGS = sum(1 << flag.code for flag in VariableFlag)
_WORD = 0xFFFF_FFFF
_DOUBLE_WORD = 0xFFFF_FFFF_FFFF_FFFF
_RANGE_WIDTH = 64

Fields = dict[str, int]
"""Fields of a record by name, as its layout has them."""


def read_summary(tables: ModuleTables) -> ModuleSummaryIndex:
    """Return the index of a module, or of several modules, in its file; an empty one if it has none.

    Raises:
        BitcodeError: it is malformed.
    """
    places = [place for block_id in SUMMARY_BLOCKS for place in tables.places(block_id)]
    reader = SummaryReader(tables, sum(place.size for place in places))
    for place in places:
        reader.read(place)
    return reader.index


class SummaryReader:
    """Reads the blocks that summarize one module, or several.

    Args:
        tables: of the module that they are in.
        size: their size in bytes.

    Attributes:
        index: the index that they are read into.
    """

    def __init__(self, tables: ModuleTables, size: int) -> None:
        self.index = ModuleSummaryIndex()
        self._version = 0
        self._values = SummaryValues(tables, self.index)
        self._values.read()
        self._types = TypeSummaryReader(self.index, self._values, tables.string)
        self._contexts = ContextReader(self._values, size)
        self._accesses: tuple[ParameterAccess, ...] = ()
        self._latest: GlobalValueSummary | None = None
        self._latest_function: FunctionSummary | None = None
        self._summarized: set[tuple[ValueInfo, SummarizedModule]] = set()
        self._handlers: dict[int, Callable[[list[int]], None]] = {
            **self._types.handlers,
            **self._contexts.handlers,
            **{code: partial(self._read_function, layout) for code, layout in FUNCTION_LAYOUTS.items()},
            **{code: partial(self._read_variable, layout) for code, layout in VARIABLE_LAYOUTS.items()},
            **{code: partial(self._read_alias, layout) for code, layout in ALIAS_LAYOUTS.items()},
            Code.FLAGS: self._read_flags,
            Code.BLOCK_COUNT: self._read_block_count,
            Code.VALUE_GUID: self._read_value_guid,
            Code.COMBINED_ORIGINAL_NAME: self._read_original_name,
            Code.PARAM_ACCESS: self._read_parameter_accesses,
        }

    def read(self, place: BlockPlace) -> None:
        """Read one block.

        Raises:
            BitcodeError: it is malformed.
        """
        records, handlers = place.decode(), self._handlers
        with records.placed():
            each = iter(records)
            _, code, operands = next(each, (0, 0, []))
            if code != Code.VERSION:
                raise Malformed(Reason.NO_SUMMARY_VERSION())
            require_operands(operands, 1)
            self._begin(operands[0])
            for _, code, operands in each:
                if code in handlers:
                    handlers[code](operands)
                if code in self._contexts.handlers and self._version >= VERSION_OF_LATER_CONTEXTS:
                    self._add_contexts()

    def _begin(self, version: int) -> None:
        if not 1 <= version <= NEWEST_SUMMARY_VERSION:
            raise Malformed(Reason.SUMMARY_VERSION(version=version, newest=NEWEST_SUMMARY_VERSION))
        self._version = self._contexts.version = self._types.version = version

    # Properties of the whole index

    def _read_flags(self, operands: list[int]) -> None:
        require_operands(operands, 1)
        self.index.flags |= IndexFlags(operands[0] & _INDEX_FLAGS)

    def _read_block_count(self, operands: list[int]) -> None:
        require_operands(operands, 1)
        self.index.block_count = (self.index.block_count + operands[0]) & _DOUBLE_WORD

    def _read_value_guid(self, operands: list[int]) -> None:
        is_split = self._version >= VERSION_OF_SPLIT_GUIDS
        require_operands(operands, 3 if is_split else 2)
        guid = (operands[1] << 32 | operands[2]) & _DOUBLE_WORD if is_split else operands[1]
        self._values.define(operands[0], guid)

    # Functions, variables, aliases

    def _read_function(self, layout: SummaryLayout, operands: list[int]) -> None:
        fields, rest = self._fields(layout, operands)
        count = _counted(fields["reference_count"], rest)
        summary = FunctionSummary(
            module=self._module(fields),
            flags=self._flags(fields),
            references=self._references(rest[:count], fields),
            instruction_count=fields["instruction_count"] & _WORD,
            function_flags=_function_flags(fields.get("function_flags", 0) & _FUNCTION_FLAGS),
            calls=self._calls(layout.call_info, iter(rest[count:])),
            type_ids=self._types.take(),
            parameter_accesses=self._accesses,
            callsites=self._contexts.take_callsites(),
            allocations=self._contexts.take_allocations(),
        )
        self._accesses = ()
        self._latest_function = summary
        self._add(fields, summary)

    def _add_contexts(self) -> None:
        """Add the memory profile of the function whose summary was read last."""
        callsites, allocations = self._contexts.take_callsites(), self._contexts.take_allocations()
        if not callsites and not allocations:
            return
        if self._latest_function is None:
            raise Malformed(Reason.PROFILE_WITHOUT_SUMMARY())
        self._latest_function.callsites += callsites
        self._latest_function.allocations += allocations

    def _read_variable(self, layout: SummaryLayout, operands: list[int]) -> None:
        fields, rest = self._fields(layout, operands)
        count = _counted(fields.get("reference_count", len(rest)), rest)
        flags = fields.get("variable_flags", 0)
        left = iter(rest[count:])
        summary = GlobalVarSummary(
            module=self._module(fields),
            flags=self._flags(fields),
            references=self._references(rest[:count], {}),
            variable_flags=_variable_flags(flags & _VARIABLE_FLAGS),
            vcall_visibility=member(VCallVisibility, flags >> VCALL_VISIBILITY_BIT & 3),
            vtable_functions=tuple([VTableFunction(self._value(value_id), take_operand(left)) for value_id in left]),
        )
        self._add(fields, summary)

    def _read_alias(self, layout: SummaryLayout, operands: list[int]) -> None:
        fields, _ = self._fields(layout, operands)
        module = self._module(fields)
        aliasee = self._values.get(fields["aliasee"])
        if aliasee is not None and (aliasee, module) not in self._summarized:
            aliasee = None
        if aliasee is None and "module" not in fields:
            raise Malformed(Reason.NO_ALIASEE_SUMMARY())
        self._add(fields, AliasSummary(module=module, flags=self._flags(fields), aliasee=aliasee))

    def _fields(self, layout: SummaryLayout, operands: list[int]) -> tuple[Fields, list[int]]:
        """Return the fields of a record, and the operands after them."""
        names = layout.names(self._version)
        require_operands(operands, len(names))
        return dict(zip(names, operands, strict=False)), operands[len(names) :]

    def _module(self, fields: Fields) -> SummarizedModule:
        return self._values.module(fields["module"]) if "module" in fields else self._values.own_module

    def _flags(self, fields: Fields) -> GlobalValueFlags:
        return _flags(fields["flags"] & _GLOBAL_FLAGS, is_before_liveness=self._version < VERSION_OF_LIVENESS)

    def _add(self, fields: Fields, summary: GlobalValueSummary) -> None:
        value, original_guid = self._values.value(fields["value"])
        if "module" in fields:
            self._latest = summary
        else:
            summary.original_guid = original_guid
        value.summaries.append(summary)
        self._summarized.add((value, summary.module))

    def _read_original_name(self, operands: list[int]) -> None:
        if self._latest is None:
            raise Malformed(Reason.NAME_WITHOUT_SUMMARY())
        require_operands(operands, 1)
        self._latest.original_guid = operands[0]
        self._latest = None

    # References of summaries

    def _value(self, value_id: int) -> ValueInfo:
        return self._values.value(value_id).value

    def _references(self, value_ids: list[int], fields: Fields) -> tuple[SummaryReference, ...]:
        write_only = len(value_ids) - fields.get("write_only_count", 0)
        read_only = write_only - fields.get("read_only_count", 0)
        if read_only < 0:
            raise Malformed(Reason.MANY_SPECIAL_REFERENCES(count=len(value_ids)))
        return tuple(
            [
                SummaryReference(self._value(value_id), read_only <= number < write_only, number >= write_only)
                for number, value_id in enumerate(value_ids)
            ]
        )

    def _calls(self, info: CallInfo, left: Iterator[int]) -> tuple[SummaryCall, ...]:
        make = (_CALL_MAKERS if self._version >= VERSION_OF_CALL_INFO else _OLD_CALL_MAKERS)[info]
        return tuple([make(self._value(value_id), left) for value_id in left])

    def _read_parameter_accesses(self, operands: list[int]) -> None:
        left = iter(operands)
        take = partial(take_operand, left)
        accesses = []
        for number in left:
            offsets = constant_range(_RANGE_WIDTH, take)
            accesses.append(ParameterAccess(number, offsets, tuple([self._use(take) for _ in range(take())])))
        self._accesses = tuple(accesses)

    def _use(self, take: Callable[[], int]) -> ParameterUse:
        number, callee = take(), self._value(take())
        return ParameterUse(callee, number, constant_range(_RANGE_WIDTH, take))


def _call_with_count(callee: ValueInfo, left: Iterator[int]) -> SummaryCall:
    take_operand(left)  # number of call sites, which LLVM ignores
    return SummaryCall(callee)


def _call_with_counts(callee: ValueInfo, left: Iterator[int]) -> SummaryCall:
    take_operand(left)
    take_operand(left)  # how often it is called
    return SummaryCall(callee)


def _plain_call(callee: ValueInfo, _left: Iterator[int]) -> SummaryCall:
    return SummaryCall(callee)


def _call_with_hotness(callee: ValueInfo, left: Iterator[int]) -> SummaryCall:
    info = take_operand(left)
    return SummaryCall(callee, member(Hotness, info & _low_bits(HOTNESS_BITS)), 0, bool(info >> HOTNESS_BITS & 1))


def _call_with_frequency(callee: ValueInfo, left: Iterator[int]) -> SummaryCall:
    info = take_operand(left)
    return SummaryCall(callee, Hotness.UNKNOWN, info & _low_bits(FREQUENCY_BITS), bool(info >> FREQUENCY_BITS & 1))


CallMaker: TypeAlias = "Callable[[ValueInfo, Iterator[int]], SummaryCall]"

_OLD_CALL_MAKERS: dict[CallInfo, CallMaker] = {
    CallInfo.NOTHING: _call_with_count,
    CallInfo.HOTNESS: _call_with_counts,
    CallInfo.FREQUENCY: _call_with_count,
}
_CALL_MAKERS: dict[CallInfo, CallMaker] = {
    CallInfo.NOTHING: _plain_call,
    CallInfo.HOTNESS: _call_with_hotness,
    CallInfo.FREQUENCY: _call_with_frequency,
}


def _counted(count: int, operands: list[int]) -> int:
    if count > len(operands):
        raise Malformed(Reason.MANY_REFERENCES(count=count, operands=len(operands)))
    return count


def _low_bits(count: int) -> int:
    return (1 << count) - 1


@cache
def _flags(flags: int, *, is_before_liveness: bool) -> GlobalValueFlags:
    linkage = flags & _low_bits(LINKAGE_BITS)
    if linkage >= len(SUMMARY_LINKAGES):
        raise Malformed(Reason.NO_LINKAGE(number=linkage))
    found = {flag for flag in SummaryFlag if flags >> flag.code & 1}
    if is_before_liveness:
        found |= {SummaryFlag.NOT_ELIGIBLE_TO_IMPORT, SummaryFlag.LIVE}
    return GlobalValueFlags(
        SUMMARY_LINKAGES[linkage],
        member(Visibility, flags >> VISIBILITY_BIT & 3),
        frozenset(found),
        member(ImportKind, flags >> IMPORT_KIND_BIT & 1),
    )


@cache
def _function_flags(flags: int) -> frozenset[FunctionFlag]:
    return frozenset(flag for flag in FunctionFlag if flags >> flag.code & 1)


@cache
def _variable_flags(flags: int) -> frozenset[VariableFlag]:
    return frozenset(flag for flag in VariableFlag if flags >> flag.code & 1)
