"""The text of summaries for link-time optimization, which stands after all else.

Names of globals and types stand as they are, not escaped; this is what LLVM does.
Rules: assembly text reference, section 15; LLVM 22's printer of the module summary index.
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

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from bitcodec.ir.constant_range import ConstantRange
    from bitcodec.ir.summary import (
        Allocation,
        AllocationContext,
        ByArgument,
        Call,
        Callsite,
        CompatibleVTable,
        ConstVCall,
        Devirtualization,
        GlobalValueFlags,
        GlobalValueSummary,
        ModuleSummaryIndex,
        ParameterAccess,
        ParameterUse,
        Reference,
        SummarizedModule,
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
            yield f"^{count} = flags: {int(index.flags)}"
            count += 1
        yield f"^{count} = blockcount: {index.block_count}"

    def _slot(self, item: object) -> str:
        return self._slots[id(item)]

    # Entries

    def _module(self, module: SummarizedModule) -> str:
        path = escaped(module.path or REGULAR_LTO)
        return f'{self._slot(module)} = module: (path: "{path}", hash: {_listed(str, module.hash)})'

    def _value(self, value: ValueInfo) -> str:
        name = f'name: "{printable(value.name)}"' if value.name else f"guid: {value.guid}"
        summaries = f", summaries: {_listed(self._summary, value.summaries)}" if value.summaries else ""
        comment = f" ; guid = {value.guid}" if value.name else ""
        return f"{self._slot(value)} = gv: ({name}{summaries}){comment}"

    def _type_id(self, type_id: TypeIdSummary) -> str:
        found = sorted(type_id.devirtualizations.items())
        results = f", wpdResolutions: {_listed(_devirtualization, found)}" if found else ""
        summary = f"summary: ({_type_test(type_id.test)}{results})"
        name = printable(type_id.name)
        return f'{self._slot(type_id)} = typeid: (name: "{name}", {summary}) ; guid = {type_id.guid}'

    def _compatible_vtables(self, name: str) -> str:
        summary = f"summary: {_listed(self._compatible_vtable, self._index.compatible_vtables[name])}"
        shown = printable(name)
        return f'{self._slot(name)} = typeidCompatibleVTable: (name: "{shown}", {summary}) ; guid = {guid_of(name)}'

    def _compatible_vtable(self, compatible: CompatibleVTable) -> str:
        return f"(offset: {compatible.offset}, {self._slot(compatible.vtable)})"

    # Summaries of globals

    def _summary(self, summary: GlobalValueSummary) -> str:
        kind, own = self._own_part(summary)
        references = f", refs: {_listed(self._reference, summary.references)}" if summary.references else ""
        return f"{kind}: (module: {self._slot(summary.module)}, {_flags(summary.flags)}{own}{references})"

    def _own_part(self, summary: GlobalValueSummary) -> tuple[str, str]:
        """Return what kind of global it is of, and what only such globals say."""
        if isinstance(summary, FunctionSummary):
            return "function", ", ".join(["", *self._function(summary)])
        if isinstance(summary, GlobalVarSummary):
            return "variable", self._variable(summary)
        assert isinstance(summary, AliasSummary), "there are no other summaries"  # noqa: S101
        return "alias", f", aliasee: {'null' if summary.aliasee is None else self._slot(summary.aliasee)}"

    def _reference(self, reference: Reference) -> str:
        access = "readonly " if reference.is_read_only else "writeonly " if reference.is_write_only else ""
        return f"{access}{self._slot(reference.value)}"

    def _variable(self, summary: GlobalVarSummary) -> str:
        flags = _bits(VariableFlag, summary.variable_flags)
        if not summary.vtable_functions:
            return f", varFlags: ({flags})"
        functions = _listed(self._vtable_function, summary.vtable_functions)
        visibility = summary.vcall_visibility.code
        return f", varFlags: ({flags}, vcall_visibility: {visibility}), vTableFuncs: {functions}"

    def _vtable_function(self, function: VTableFunction) -> str:
        return f"(virtFunc: {self._slot(function.function)}, offset: {function.offset})"

    def _function(self, summary: FunctionSummary) -> Iterator[str]:
        yield f"insts: {summary.instruction_count}"
        if summary.function_flags:
            yield f"funcFlags: ({_bits(FunctionFlag, summary.function_flags)})"
        if summary.calls:
            yield f"calls: {_listed(self._call, summary.calls)}"
        if summary.type_ids is not None:
            yield f"typeIdInfo: ({', '.join(self._type_id_info(summary.type_ids))})"
        if summary.allocations:
            yield f"allocs: {_listed(_allocation, summary.allocations)}"
        if summary.callsites:
            yield f"callsites: {_listed(self._callsite, summary.callsites)}"
        if summary.parameter_accesses:
            yield f"params: {_listed(self._parameter_access, summary.parameter_accesses)}"

    def _call(self, call: Call) -> str:
        parts = [f"callee: {self._slot(call.callee)}"]
        if call.hotness is not Hotness.UNKNOWN:
            parts.append(f"hotness: {call.hotness}")
        elif call.relative_block_frequency:
            parts.append(f"relbf: {call.relative_block_frequency}")
        if call.is_tail_call:
            parts.append("tail: 1")
        return _listed(str, parts)

    def _callsite(self, callsite: Callsite) -> str:
        callee = "null" if callsite.callee is None else self._slot(callsite.callee)
        return (
            f"(callee: {callee}, clones: {_listed(str, callsite.clones)}, stackIds: {_listed(str, callsite.stack_ids)})"
        )

    def _parameter_access(self, access: ParameterAccess) -> str:
        calls = f", calls: {_listed(self._parameter_use, access.calls)}" if access.calls else ""
        return f"(param: {access.number}, offset: {_range(access.offsets)}{calls})"

    def _parameter_use(self, use: ParameterUse) -> str:
        return f"(callee: {self._slot(use.callee)}, param: {use.number}, offset: {_range(use.offsets)})"

    # What functions ask of types

    def _type_id_info(self, info: TypeIdInfo) -> Iterator[str]:
        if info.type_tests:
            tests = (slot for guid in info.type_tests for slot in self._type_slots.get(guid, [str(guid)]))
            yield f"typeTests: {_listed(str, tests)}"
        for field, name in VCALL_LISTS:
            if calls := getattr(info, field):
                yield f"{name}: {_listed(self._virtual_function, calls)}"
        for field, name in CONST_VCALL_LISTS:
            if const_calls := getattr(info, field):
                yield f"{name}: {_listed(self._const_vcall, const_calls)}"

    def _virtual_function(self, function: VFuncId) -> str:
        """Return a virtual function, once for each of the types that share its GUID."""
        types = self._type_slots.get(function.guid, [f"guid: {function.guid}"])
        return ", ".join(f"vFuncId: ({type_}, offset: {function.offset})" for type_ in types)

    def _const_vcall(self, call: ConstVCall) -> str:
        arguments = f", {_arguments(call.arguments)}" if call.arguments else ""
        return f"({self._virtual_function(call.function)}{arguments})"


def _data(text: str) -> bytes:
    """Return what LLVM compares to put text in order."""
    return text.encode("utf-8", "surrogateescape")


def _listed(text_of: Callable[[T], str], items: Iterable[T]) -> str:
    return f"({', '.join(map(text_of, items))})"


def _bits(kind: type[CodedEnum], flags: Collection[CodedEnum]) -> str:
    return ", ".join(f"{flag.spelling}: {int(flag in flags)}" for flag in kind)


def _flags(flags: GlobalValueFlags) -> str:
    bits = _bits(SummaryFlag, flags.flags)
    return f"flags: (linkage: {flags.linkage}, visibility: {flags.visibility}, {bits}, importType: {flags.import_kind})"


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
    return f"(versions: {_listed(str, allocation.versions)}, memProf: {_listed(_context, allocation.contexts)})"


def _context(context: AllocationContext) -> str:
    return f"(type: {context.type}, stackIds: {_listed(str, context.stack_ids)})"


def _arguments(arguments: Iterable[int]) -> str:
    return f"args: {_listed(str, arguments)}"


def _type_test(test: TypeTest) -> str:
    extra = [(name, getattr(test, attribute)) for attribute, name in TYPE_TEST_FIELDS]
    parts = [f"kind: {test.kind}", f"sizeM1BitWidth: {test.size_m1_bit_width}"]
    return f"typeTestRes: {_listed(str, parts + [f'{name}: {number}' for name, number in extra if number])}"


def _devirtualization(item: tuple[int, Devirtualization]) -> str:
    offset, result = item
    parts = [f"kind: {result.kind}"]
    if result.kind is DevirtualizationKind.SINGLE_IMPLEMENTATION:
        parts.append(f'singleImplName: "{result.single_implementation}"')
    if result.by_arguments:
        parts.append(f"resByArg: {_listed(_by_argument, sorted(result.by_arguments.items()))}")
    return f"(offset: {offset}, wpdRes: {_listed(str, parts)})"


def _by_argument(item: tuple[tuple[int, ...], ByArgument]) -> str:
    arguments, result = item
    parts = [f"kind: {result.kind}"]
    if result.kind in _WITH_INFO:
        parts.append(f"info: {result.info}")
    if result.byte or result.bit:
        parts += [f"byte: {result.byte}", f"bit: {result.bit}"]
    return f"{_arguments(arguments)}, byArg: {_listed(str, parts)}"
