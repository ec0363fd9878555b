"""The text of summaries for link-time optimization, at the end of a module's text.

Names of globals and types are printed without escapes, as in LLVM.
Rules: docs/reference/text.md, 15; LLVM 22's printer of the module summary index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.asm.names import escaped, printable
from bitcodec.ir.guid import guid_of
from bitcodec.ir.summary import AliasSummary, FunctionSummary, GlobalVarSummary
from bitcodec.tables.summaries import (
    CONST_VCALL_LISTS,
    REGULAR_LTO,
    TYPE_TEST_FIELDS,
    VCALL_LISTS,
    ByArgumentKind,
    DevirtualizationKind,
    FunctionFlag,
    Hotness,
    SummaryFlag,
    VariableFlag,
)
from bitcodec.tables.summary_labels import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from bitcodec.ir.constant_range import ConstantRange
    from bitcodec.ir.summary import (
        Allocation,
        AllocationContext,
        ByArgument,
        Callsite,
        CompatibleVTable,
        ConstVCall,
        Devirtualization,
        GlobalValueFlags,
        GlobalValueSummary,
        ModuleSummaryIndex,
        ParameterAccess,
        ParameterUse,
        SummarizedModule,
        SummaryCall,
        SummaryReference,
        TypeIdInfo,
        TypeIdSummary,
        TypeTest,
        ValueInfo,
        VFuncId,
        VTableFunction,
    )
    from bitcodec.tables.coded import CodedEnum

__all__ = ["summary_lines"]

T = TypeVar("T")

_WITH_INFO = (ByArgumentKind.UNIFORM_RETURN_VALUE, ByArgumentKind.UNIQUE_RETURN_VALUE)


def summary_lines(index: ModuleSummaryIndex) -> Iterator[str]:
    """Yield the lines of an index, without line ends; an empty line precedes the first."""
    return _SummaryText(index).lines()


class _SummaryText:
    """The text of one index: numbers for everything that its entries refer to."""

    __slots__ = ("_count", "_index", "_modules", "_slots", "_type_ids", "_type_slots", "_values", "_vtables")

    def __init__(self, index: ModuleSummaryIndex) -> None:
        self._index = index
        self._modules = sorted(index.modules.values(), key=lambda module: _data(module.path))
        self._values = sorted(index.values.values(), key=lambda value: value.guid)
        self._vtables = sorted(index.compatible_vtables, key=_data)
        self._type_ids = sorted(index.type_ids.values(), key=lambda type_id: type_id.guid)
        numbered: list[object] = [*self._modules, *self._values, *self._vtables, *self._type_ids]
        self._count = len(numbered)
        self._slots = {id(item): f"^{number}" for number, item in enumerate(numbered)}
        self._type_slots: dict[int, list[str]] = {}
        for type_id in self._type_ids:
            self._type_slots.setdefault(type_id.guid, []).append(self._slots[id(type_id)])

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        index, count = self._index, self._count
        yield from map(self._module, self._modules)
        yield from map(self._value, self._values)
        yield from map(self._type_id, self._type_ids)
        yield from map(self._compatible_vtables, self._vtables)
        if index.flags:
            yield f"^{count} = {Label.FLAGS}: {int(index.flags)}"
            count += 1
        yield f"^{count} = {Label.BLOCK_COUNT}: {index.block_count}"

    def _slot(self, item: object) -> str:
        return self._slots[id(item)]

    # Entries

    def _module(self, module: SummarizedModule) -> str:
        path = escaped(module.path or REGULAR_LTO)
        hash_ = f"{Label.HASH}: {_listed(str, module.hash)}"
        return f'{self._slot(module)} = {Label.MODULE}: ({Label.PATH}: "{path}", {hash_})'

    def _value(self, value: ValueInfo) -> str:
        name = f'{Label.NAME}: "{printable(value.name)}"' if value.name else f"{Label.GUID}: {value.guid}"
        summaries = f", {Label.SUMMARIES}: {_listed(self._summary, value.summaries)}" if value.summaries else ""
        comment = f" ; guid = {value.guid}" if value.name else ""
        return f"{self._slot(value)} = {Label.GV}: ({name}{summaries}){comment}"

    def _type_id(self, type_id: TypeIdSummary) -> str:
        found = sorted(type_id.devirtualizations.items())
        results = f", {Label.WPD_RESOLUTIONS}: {_listed(_devirtualization, found)}" if found else ""
        summary = f"{Label.SUMMARY}: ({_type_test(type_id.test)}{results})"
        name = printable(type_id.name)
        return f'{self._slot(type_id)} = {Label.TYPE_ID}: ({Label.NAME}: "{name}", {summary}) ; guid = {type_id.guid}'

    def _compatible_vtables(self, name: str) -> str:
        summary = f"{Label.SUMMARY}: {_listed(self._compatible_vtable, self._index.compatible_vtables[name])}"
        entry = f"{self._slot(name)} = {Label.TYPE_ID_COMPATIBLE_VTABLE}"
        return f'{entry}: ({Label.NAME}: "{printable(name)}", {summary}) ; guid = {guid_of(name)}'

    def _compatible_vtable(self, compatible: CompatibleVTable) -> str:
        return f"({Label.OFFSET}: {compatible.offset}, {self._slot(compatible.vtable)})"

    # Summaries of globals

    def _summary(self, summary: GlobalValueSummary) -> str:
        kind, own = self._own_part(summary)
        references = f", {Label.REFS}: {_listed(self._reference, summary.references)}" if summary.references else ""
        return f"{kind}: ({Label.MODULE}: {self._slot(summary.module)}, {_flags(summary.flags)}{own}{references})"

    def _own_part(self, summary: GlobalValueSummary) -> tuple[str, str]:
        """Return the label of the global's kind, and the fields that only this kind has."""
        if isinstance(summary, FunctionSummary):
            return Label.FUNCTION, ", ".join(["", *self._function(summary)])
        if isinstance(summary, GlobalVarSummary):
            return Label.VARIABLE, self._variable(summary)
        assert isinstance(summary, AliasSummary), "all other kinds of summaries are handled above"  # noqa: S101
        return Label.ALIAS, f", {Label.ALIASEE}: {'null' if summary.aliasee is None else self._slot(summary.aliasee)}"

    def _reference(self, reference: SummaryReference) -> str:
        slot = self._slot(reference.value)
        if reference.is_read_only:
            return f"{Label.READ_ONLY} {slot}"
        return f"{Label.WRITE_ONLY} {slot}" if reference.is_write_only else slot

    def _variable(self, summary: GlobalVarSummary) -> str:
        flags = _bits(VariableFlag, summary.variable_flags)
        if not summary.vtable_functions:
            return f", {Label.VAR_FLAGS}: ({flags})"
        functions = _listed(self._vtable_function, summary.vtable_functions)
        visibility = summary.vcall_visibility.code
        shown = f"{flags}, {Label.VCALL_VISIBILITY}: {visibility}"
        return f", {Label.VAR_FLAGS}: ({shown}), {Label.VTABLE_FUNCS}: {functions}"

    def _vtable_function(self, function: VTableFunction) -> str:
        return f"({Label.VIRT_FUNC}: {self._slot(function.function)}, {Label.OFFSET}: {function.offset})"

    def _function(self, summary: FunctionSummary) -> Iterator[str]:
        yield f"{Label.INSTS}: {summary.instruction_count}"
        if summary.function_flags:
            yield f"{Label.FUNC_FLAGS}: ({_bits(FunctionFlag, summary.function_flags)})"
        if summary.calls:
            yield f"{Label.CALLS}: {_listed(self._call, summary.calls)}"
        if summary.type_ids is not None:
            yield f"{Label.TYPE_ID_INFO}: ({', '.join(self._type_id_info(summary.type_ids))})"
        if summary.allocations:
            yield f"{Label.ALLOCS}: {_listed(_allocation, summary.allocations)}"
        if summary.callsites:
            yield f"{Label.CALLSITES}: {_listed(self._callsite, summary.callsites)}"
        if summary.parameter_accesses:
            yield f"{Label.PARAMS}: {_listed(self._parameter_access, summary.parameter_accesses)}"

    def _call(self, call: SummaryCall) -> str:
        parts = [f"{Label.CALLEE}: {self._slot(call.callee)}"]
        if call.hotness is not Hotness.UNKNOWN:
            parts.append(f"{Label.HOTNESS}: {call.hotness}")
        elif call.relative_block_frequency:
            parts.append(f"{Label.RELBF}: {call.relative_block_frequency}")
        if call.is_tail_call:
            parts.append(f"{Label.TAIL}: 1")
        return _listed(str, parts)

    def _callsite(self, callsite: Callsite) -> str:
        callee = "null" if callsite.callee is None else self._slot(callsite.callee)
        clones = f"{Label.CLONES}: {_listed(str, callsite.clones)}"
        return f"({Label.CALLEE}: {callee}, {clones}, {_stack_ids(callsite.stack_ids)})"

    def _parameter_access(self, access: ParameterAccess) -> str:
        calls = f", {Label.CALLS}: {_listed(self._parameter_use, access.calls)}" if access.calls else ""
        return f"({Label.PARAM}: {access.number}, {Label.OFFSET}: {_range(access.offsets)}{calls})"

    def _parameter_use(self, use: ParameterUse) -> str:
        offsets = f"{Label.OFFSET}: {_range(use.offsets)}"
        return f"({Label.CALLEE}: {self._slot(use.callee)}, {Label.PARAM}: {use.number}, {offsets})"

    # Type tests and checked loads of functions

    def _type_id_info(self, info: TypeIdInfo) -> Iterator[str]:
        if info.type_tests:
            tests = (slot for guid in info.type_tests for slot in self._type_slots.get(guid, [str(guid)]))
            yield f"{Label.TYPE_TESTS}: {_listed(str, tests)}"
        for field, name in VCALL_LISTS:
            if calls := getattr(info, field):
                yield f"{name}: {_listed(self._virtual_function, calls)}"
        for field, name in CONST_VCALL_LISTS:
            if const_calls := getattr(info, field):
                yield f"{name}: {_listed(self._const_vcall, const_calls)}"

    def _virtual_function(self, function: VFuncId) -> str:
        """Return a virtual function, once for each of the types that share its GUID."""
        types = self._type_slots.get(function.guid, [f"{Label.GUID}: {function.guid}"])
        return ", ".join(f"{Label.VFUNC_ID}: ({type_}, {Label.OFFSET}: {function.offset})" for type_ in types)

    def _const_vcall(self, call: ConstVCall) -> str:
        arguments = f", {_arguments(call.arguments)}" if call.arguments else ""
        return f"({self._virtual_function(call.function)}{arguments})"


def _data(text: str) -> bytes:
    """Return the bytes by which LLVM orders text."""
    return text.encode("utf-8", "surrogateescape")


def _listed(text_of: Callable[[T], str], items: Iterable[T]) -> str:
    return f"({', '.join(map(text_of, items))})"


def _bits(kind: type[CodedEnum], flags: Collection[CodedEnum]) -> str:
    return ", ".join(f"{flag.spelling}: {int(flag in flags)}" for flag in kind)


def _flags(flags: GlobalValueFlags) -> str:
    bits = _bits(SummaryFlag, flags.flags)
    seen = f"{Label.LINKAGE}: {flags.linkage}, {Label.VISIBILITY}: {flags.visibility}"
    return f"{Label.FLAGS}: ({seen}, {bits}, {Label.IMPORT_TYPE}: {flags.import_kind})"


def _range(offsets: ConstantRange) -> str:
    """Return the smallest and the largest of the offsets; all there are if they wrap around."""
    lowest, highest = offsets.lower, offsets.upper - 1
    half = 1 << (offsets.width - 1)
    if offsets.is_full or offsets.lower > offsets.upper:
        highest = half - 1
        if offsets.is_full or offsets.upper != -half:
            lowest = -half
    return f"[{lowest}, {highest}]"


def _allocation(allocation: Allocation) -> str:
    versions = f"{Label.VERSIONS}: {_listed(str, allocation.versions)}"
    return f"({versions}, {Label.MEM_PROF}: {_listed(_context, allocation.contexts)})"


def _context(context: AllocationContext) -> str:
    return f"({Label.TYPE}: {context.type}, {_stack_ids(context.stack_ids)})"


def _stack_ids(stack_ids: Iterable[int]) -> str:
    return f"{Label.STACK_IDS}: {_listed(str, stack_ids)}"


def _arguments(arguments: Iterable[int]) -> str:
    return f"{Label.ARGS}: {_listed(str, arguments)}"


def _type_test(test: TypeTest) -> str:
    extra = [(name, getattr(test, attribute)) for attribute, name in TYPE_TEST_FIELDS]
    parts = [f"{Label.KIND}: {test.kind}", f"{Label.SIZEM1_BIT_WIDTH}: {test.size_m1_bit_width}"]
    return f"{Label.TYPE_TEST_RES}: {_listed(str, parts + [f'{name}: {number}' for name, number in extra if number])}"


def _devirtualization(item: tuple[int, Devirtualization]) -> str:
    offset, result = item
    parts = [f"{Label.KIND}: {result.kind}"]
    if result.kind is DevirtualizationKind.SINGLE_IMPLEMENTATION:
        parts.append(f'{Label.SINGLE_IMPL_NAME}: "{result.single_implementation}"')
    if result.by_arguments:
        parts.append(f"{Label.RES_BY_ARG}: {_listed(_by_argument, sorted(result.by_arguments.items()))}")
    return f"({Label.OFFSET}: {offset}, {Label.WPD_RES}: {_listed(str, parts)})"


def _by_argument(item: tuple[tuple[int, ...], ByArgument]) -> str:
    arguments, result = item
    parts = [f"{Label.KIND}: {result.kind}"]
    if result.kind in _WITH_INFO:
        parts.append(f"{Label.INFO}: {result.info}")
    if result.byte or result.bit:
        parts += [f"{Label.BYTE}: {result.byte}", f"{Label.BIT}: {result.bit}"]
    return f"{_arguments(arguments)}, {Label.BY_ARG}: {_listed(str, parts)}"
