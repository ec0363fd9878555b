"""Summaries for link-time optimization: properties of the globals of one or more modules, without bodies.

Rules: LLVM 22's module summary index.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.summaries import (
    AllocationType,
    ByArgumentKind,
    DevirtualizationKind,
    FunctionFlag,
    Hotness,
    ImportKind,
    IndexFlags,
    SummaryFlag,
    TypeTestKind,
    VariableFlag,
    VCallVisibility,
)

if TYPE_CHECKING:
    from bitcodec.ir.constant_range import ConstantRange
    from bitcodec.tables.linkage import Linkage, Visibility

__all__ = [
    "AliasSummary",
    "Allocation",
    "AllocationContext",
    "ByArgument",
    "Callsite",
    "CompatibleVTable",
    "ConstVCall",
    "ContextSize",
    "Devirtualization",
    "FunctionSummary",
    "GlobalValueFlags",
    "GlobalValueSummary",
    "GlobalVarSummary",
    "ModuleSummaryIndex",
    "ParameterAccess",
    "ParameterUse",
    "SummarizedModule",
    "SummaryCall",
    "SummaryReference",
    "TypeIdInfo",
    "TypeIdSummary",
    "TypeTest",
    "VFuncId",
    "VTableFunction",
    "ValueInfo",
]


@dataclass(slots=True, eq=False)
class SummarizedModule:
    """A module of an index.

    Attributes:
        path: its path; "" for the result of regular link-time optimization of several.
        hash: five numbers of 32 bits each, all 0 if it has none.
    """

    path: str
    hash: tuple[int, ...] = (0, 0, 0, 0, 0)


class ValueInfo:
    """A global as several modules see it.

    Attributes:
        guid: its number, the same in all modules.
        name: its name, "" if it is not known.
        summaries: its summaries in the modules that define it.
    """

    __match_args__ = ("guid", "name", "summaries")
    __slots__ = ("guid", "name", "summaries")

    def __init__(self, guid: int, name: str = "") -> None:
        self.guid = guid
        self.name = name
        self.summaries: list[GlobalValueSummary] = []

    def summary_in(self, module: SummarizedModule) -> GlobalValueSummary | None:
        """Return its first summary in a module, None if there is none."""
        return next((summary for summary in self.summaries if summary.module is module), None)

    def __repr__(self) -> str:
        return f"<ValueInfo {self.name or self.guid!r}: {len(self.summaries)} summaries>"


class GlobalValueFlags(NamedTuple):
    """Flags of the summaries of all kinds of globals."""

    linkage: Linkage
    visibility: Visibility
    flags: frozenset[SummaryFlag]
    import_kind: ImportKind


class SummaryReference(NamedTuple):
    """A use of a global other than a call."""

    value: ValueInfo
    is_read_only: bool = False
    is_write_only: bool = False


@dataclass(slots=True, eq=False, kw_only=True)
class GlobalValueSummary:
    """Summary of a global that one module defines.

    Attributes:
        original_guid: the GUID of its name alone, by which other modules may refer to it; 0 if it is not given.
    """

    module: SummarizedModule
    flags: GlobalValueFlags
    references: tuple[SummaryReference, ...] = ()
    original_guid: int = 0


class SummaryCall(NamedTuple):
    """A call of a function.

    Attributes:
        relative_block_frequency: how often it is made for each call of the caller, in 256ths; 0 if it is not known.
    """

    callee: ValueInfo
    hotness: Hotness = Hotness.UNKNOWN
    relative_block_frequency: int = 0
    is_tail_call: bool = False


class VFuncId(NamedTuple):
    """A virtual function: the GUID of a type, and the offset in its tables."""

    guid: int
    offset: int


class ConstVCall(NamedTuple):
    """A virtual call whose arguments are known."""

    function: VFuncId
    arguments: tuple[int, ...]


class TypeIdInfo(NamedTuple):
    """Type tests of a function: GUIDs of the types that it tests for, and its virtual calls."""

    type_tests: tuple[int, ...] = ()
    type_test_assume_vcalls: tuple[VFuncId, ...] = ()
    type_checked_load_vcalls: tuple[VFuncId, ...] = ()
    type_test_assume_const_vcalls: tuple[ConstVCall, ...] = ()
    type_checked_load_const_vcalls: tuple[ConstVCall, ...] = ()


class ParameterUse(NamedTuple):
    """A call that a pointer is passed on to, as parameter `number`, moved by some of `offsets`, in bytes."""

    callee: ValueInfo
    number: int
    offsets: ConstantRange


class ParameterAccess(NamedTuple):
    """The bytes that are accessed through parameter `number`, and the calls that it is passed on to."""

    number: int
    offsets: ConstantRange
    calls: tuple[ParameterUse, ...]


class Callsite(NamedTuple):
    """A call that matters to contexts of allocations.

    Attributes:
        callee: None if the index leaves it out.
        clones: the number of the callee's clone that each clone of the caller calls.
        stack_ids: the frames that the call is, after inlining.
    """

    callee: ValueInfo | None
    clones: tuple[int, ...]
    stack_ids: tuple[int, ...]


class ContextSize(NamedTuple):
    """How many bytes are allocated in a full context."""

    context_id: int
    size: int


class AllocationContext(NamedTuple):
    """A context of calls that reach an allocation, innermost first, and how its memory is used."""

    type: AllocationType
    stack_ids: tuple[int, ...]
    sizes: tuple[ContextSize, ...] = ()


class Allocation(NamedTuple):
    """A call that allocates memory, with the type that it has in each clone of its function."""

    versions: tuple[AllocationType, ...]
    contexts: tuple[AllocationContext, ...]


@dataclass(slots=True, eq=False, kw_only=True)
class FunctionSummary(GlobalValueSummary):
    """Summary of a function that one module defines.

    Attributes:
        type_ids: None if it has no type tests.
    """

    instruction_count: int
    function_flags: frozenset[FunctionFlag] = frozenset()
    calls: tuple[SummaryCall, ...] = ()
    type_ids: TypeIdInfo | None = None
    parameter_accesses: tuple[ParameterAccess, ...] = ()
    callsites: tuple[Callsite, ...] = ()
    allocations: tuple[Allocation, ...] = ()


class VTableFunction(NamedTuple):
    """A virtual function in a table, at an offset in bytes."""

    function: ValueInfo
    offset: int


@dataclass(slots=True, eq=False, kw_only=True)
class GlobalVarSummary(GlobalValueSummary):
    """Summary of a variable that one module defines."""

    variable_flags: frozenset[VariableFlag] = frozenset()
    vcall_visibility: VCallVisibility = VCallVisibility.PUBLIC
    vtable_functions: tuple[VTableFunction, ...] = ()


@dataclass(slots=True, eq=False, kw_only=True)
class AliasSummary(GlobalValueSummary):
    """Summary of an alias that one module defines; its aliasee is None if the index leaves that out."""

    aliasee: ValueInfo | None


class TypeTest(NamedTuple):
    """Test whether an address has a type.  The numbers except the first are for targets without symbols."""

    kind: TypeTestKind
    size_m1_bit_width: int = 0
    align_log2: int = 0
    size_m1: int = 0
    bit_mask: int = 0
    inline_bits: int = 0


class ByArgument(NamedTuple):
    """Devirtualization of calls with known arguments.

    Attributes:
        info: the returned value, or the number of the call that returns it.
        byte, bit: position of the result, next to the table.
    """

    kind: ByArgumentKind
    info: int = 0
    byte: int = 0
    bit: int = 0


@dataclass(slots=True, eq=False)
class Devirtualization:
    """Devirtualization of the virtual calls at one offset of a type's tables."""

    kind: DevirtualizationKind = DevirtualizationKind.INDIRECT
    single_implementation: str = ""
    by_arguments: dict[tuple[int, ...], ByArgument] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class TypeIdSummary:
    """Resolution of a type; devirtualizations by offset, in bytes."""

    name: str
    guid: int
    test: TypeTest
    devirtualizations: dict[int, Devirtualization] = field(default_factory=dict)


class CompatibleVTable(NamedTuple):
    """A table of virtual functions that objects of a type may have, and where in it their address points, in bytes."""

    offset: int
    vtable: ValueInfo


class ModuleSummaryIndex:
    """The summaries of one module, or of several.

    Attributes:
        modules: by path.
        values: their globals by GUID, those too that are only used.
        type_ids: resolutions of types, by name.
        compatible_vtables: tables of virtual functions by the name of a type.
        cfi_function_definitions, cfi_function_declarations: functions that take part in control-flow integrity.
        flags: properties of the whole index.
        block_count: how many basic blocks there are.
    """

    __slots__ = (
        "block_count",
        "cfi_function_declarations",
        "cfi_function_definitions",
        "compatible_vtables",
        "flags",
        "modules",
        "type_ids",
        "values",
    )

    def __init__(self) -> None:
        self.modules: dict[str, SummarizedModule] = {}
        self.values: dict[int, ValueInfo] = {}
        self.type_ids: dict[str, TypeIdSummary] = {}
        self.compatible_vtables: dict[str, list[CompatibleVTable]] = {}
        self.cfi_function_definitions: list[str] = []
        self.cfi_function_declarations: list[str] = []
        self.flags = IndexFlags(0)
        self.block_count = 0

    def add_module(self, path: str) -> SummarizedModule:
        """Return the module at a path; it is added if it is missing."""
        if path not in self.modules:
            self.modules[path] = SummarizedModule(path)
        return self.modules[path]

    def add_value(self, guid: int) -> ValueInfo:
        """Return the global of a GUID; it is added if it is missing."""
        if guid not in self.values:
            self.values[guid] = ValueInfo(guid)
        return self.values[guid]

    def __repr__(self) -> str:
        return f"<ModuleSummaryIndex: {len(self.modules)} modules, {len(self.values)} values>"
