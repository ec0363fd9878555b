"""Summaries as objects: records of all versions, and those that make no sense."""

from __future__ import annotations

import time
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from amounts import amount, some
from bitcode.streams import (
    Block,
    Record,
    block,
    function,
    function_type,
    integer,
    llvm_dis,
    module,
    record,
    stream,
    strtab,
    types,
    value_symtab,
    variable,
)
from bitcodec import BitcodecError, BitcodeError
from bitcodec.asm.summary import summary_lines
from bitcodec.bitcode.reader.summaries import HANDLED_SUMMARY_CODES
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.ir.construction.present import raw_parts
from bitcodec.ir.guid import global_identifier, guid_of
from bitcodec.ir.module import Module
from bitcodec.ir.summary import (
    AliasSummary,
    ContextSize,
    FunctionSummary,
    GlobalVarSummary,
    ModuleSummaryIndex,
    SummaryCall,
    VFuncId,
)
from bitcodec.tables.linkage import Linkage
from bitcodec.tables.summaries import (
    AllocationType,
    FunctionFlag,
    Hotness,
    IndexFlags,
    SummaryFlag,
    VariableFlag,
    VCallVisibility,
)

DATA = Path(__file__).parents[2] / "data" / "summaries"
VERSIONS = range(1, 13)
"""Those that LLVM 22 reads."""


# Streams


def summary_block(*records: Record, version: int = 12) -> Block:
    return block(20, record(Code.VERSION, version), *records)


def combined(*records: Record, version: int = 12, names: str = "") -> bytes:
    """Return an index of modules 0 (`a`) and 1 (`b`); value ids 1 to 5 are the GUIDs 10 to 50."""
    paths = block(19, record(1, 0, "a"), record(2, 1, 2, 3, 4, 5), record(1, 1, "b"))
    split = [0] if version >= 11 else []
    guids = [record(Code.VALUE_GUID, value_id, *split, value_id * 10) for value_id in range(1, 6)]
    return stream(module(paths, summary_block(*guids, *records, version=version), version=2), strtab(names))


def of_one(*records: Record, version: int = 12) -> bytes:
    """Return a module of variables 0 and 1 (`x`, local `y`), functions 2 and 3 (`f`, `g`), and its summary."""
    named = [
        record(7, 0, 1, *variable(0, is_constant=2).operands),
        record(7, 1, 1, *variable(0, is_constant=2, linkage=3).operands),
        record(8, 2, 1, *function(1).operands),
        record(8, 3, 1, *function(1).operands),
    ]
    kinds = types(integer(32), function_type(0))
    source = record(16, "s.c")
    return stream(module(kinds, source, *named, summary_block(*records, version=version), version=2), strtab("xyfg"))


def index_of(data: bytes) -> ModuleSummaryIndex:
    summary = bitcodec.loads(data).summary
    assert summary is not None
    return summary


def text_of(data: bytes) -> list[str]:
    module = bitcodec.loads(data)
    module.identifier = "<stdin>"
    assert module.summary is not None
    return list(summary_lines(module.summary))


def llvm_text_of(data: bytes) -> list[str]:
    return [line for line in llvm_dis(data).split("\n") if line.startswith("^")]


def refusal(data: bytes) -> str:
    with pytest.raises(BitcodeError) as refused:
        _ = bitcodec.loads(data).summary
    return str(refused.value)


def function_record(version: int, *calls: int, code: Code = Code.COMBINED_PROFILE) -> Record:
    """Return the summary of value 2 with 4 references: 1, 2, readonly 3 and writeonly 4, as far as a version can."""
    head = [2, 1] if code in (Code.COMBINED, Code.COMBINED_PROFILE) else [2]
    flags = [0b1010] if version >= 4 else []
    entry_count = [77] if version >= 6 and len(head) > 1 else []
    special = ([1] if version >= 5 else []) + ([1] if version >= 7 else [])
    fields = [*head, 0x45, 9, *flags, *entry_count, 4, *special]
    return record(code, *fields, *([1, 2, 3, 4] if len(head) > 1 else [0, 1, 2, 3]), *calls)


# Functions


@pytest.mark.parametrize("version", VERSIONS)
def test_functions_of_all_versions(version: int) -> None:
    calls = (1, 5, 6, 3, 7, 8) if version == 1 else (1, 3, 3, 8 | 1)
    index = index_of(combined(function_record(version, *calls), version=version))
    (summary,) = index.values[20].summaries
    assert isinstance(summary, FunctionSummary)
    assert summary.module is index.modules["b"]
    assert summary.instruction_count == 9
    assert summary.flags.linkage is Linkage.WEAK_ODR
    old = {SummaryFlag.LIVE, SummaryFlag.NOT_ELIGIBLE_TO_IMPORT} if version < 3 else set()
    assert summary.flags.flags == {SummaryFlag.DSO_LOCAL} | old
    has_flags = version >= 4
    assert summary.function_flags == (
        {FunctionFlag.READ_ONLY, FunctionFlag.RETURN_DOES_NOT_ALIAS} if has_flags else set()
    )
    assert [reference.value.guid for reference in summary.references] == [10, 20, 30, 40]
    read_only = [reference.is_read_only for reference in summary.references]
    write_only = [reference.is_write_only for reference in summary.references]
    assert read_only == [False, False, version >= 7, 5 <= version < 7]
    assert write_only == [False, False, False, version >= 7]
    first, second = index.values[10], index.values[30]
    if version == 1:
        assert summary.calls == (SummaryCall(first), SummaryCall(second))
    else:
        assert summary.calls == (SummaryCall(first, Hotness.HOT), SummaryCall(second, Hotness.COLD, is_tail_call=True))


FUNCTION_CODES = [
    (Code.PERMODULE, (2, 3), (2, 6, 3, 7)),
    (Code.PERMODULE_PROFILE, (2, 3, 3, 9), (2, 6, 6, 3, 7, 7)),
    (Code.PERMODULE_RELBF, (2, 256, 3, 1 << 28 | 300), (2, 6, 3, 7)),
    (Code.COMBINED, (2, 3), (2, 6, 3, 7)),
    (Code.COMBINED_PROFILE, (2, 3, 3, 9), (2, 6, 6, 3, 7, 7)),
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("code", "calls", "old_calls"), FUNCTION_CODES, ids=lambda value: getattr(value, "name", ""))
def test_functions_are_what_llvm_reads(
    code: Code, calls: tuple[int, ...], old_calls: tuple[int, ...], version: int
) -> None:
    one = function_record(version, *(old_calls if version == 1 else calls), code=code)
    data = (combined if "COMBINED" in code.name else of_one)(one, version=version)
    text = text_of(data)
    assert len(text) > 4
    assert text == llvm_text_of(data)


def test_calls_with_frequency() -> None:
    index = index_of(of_one(function_record(12, 3, 1 << 28 | 300, code=Code.PERMODULE_RELBF)))
    summary = index.values[guid_of("f")].summaries[0]
    assert isinstance(summary, FunctionSummary)
    assert summary.calls == (SummaryCall(index.values[guid_of("g")], Hotness.UNKNOWN, 300, is_tail_call=True),)


def test_what_comes_before_a_function_is_of_it_alone() -> None:
    one = record(Code.COMBINED_PROFILE, 1, 0, 0, 1, 0, 0, 0, 0, 0)
    other = record(Code.COMBINED_PROFILE, 2, 0, 0, 1, 0, 0, 0, 0, 0)
    before = [
        record(Code.TYPE_TESTS, 7, 8),
        record(Code.TYPE_CHECKED_LOAD_VCALLS, 9, 16, 10, 24),
        record(Code.PARAM_ACCESS, 0, 2, 8, 1, 3, 2, 0, 4),
        record(Code.STACK_IDS, 0, 100, 1, 200),
        record(Code.COMBINED_CALLSITE_INFO, 3, 1, 2, 1, 0, 1),
        record(Code.COMBINED_ALLOC_INFO_NO_CONTEXT, 1, 1, 2, 4),
    ]
    index = index_of(combined(*before, one, other))
    first, second = index.values[10].summaries[0], index.values[20].summaries[0]
    assert isinstance(first, FunctionSummary)
    assert isinstance(second, FunctionSummary)
    assert first.type_ids is not None
    assert first.type_ids.type_tests == (7, 8)
    assert first.type_ids.type_checked_load_vcalls == (VFuncId(9, 16), VFuncId(10, 24))
    (access,) = first.parameter_accesses
    assert (access.number, access.offsets.bounds) == (0, "1, 4")
    (use,) = access.calls
    assert (use.number, use.callee.guid, use.offsets.bounds) == (3, 20, "0, 2")
    (callsite,) = first.callsites
    assert (callsite.callee, callsite.clones, callsite.stack_ids) == (index.values[30], (0, 1), ((1 << 32) + 200,))
    (allocation,) = first.allocations
    assert allocation.versions == (AllocationType.HOT,)
    assert [context.type for context in allocation.contexts] == [AllocationType.COLD]
    assert (second.type_ids, second.parameter_accesses, second.callsites, second.allocations) == (None, (), (), ())


# Variables, aliases, names


def test_variables() -> None:
    index = index_of(
        of_one(
            record(Code.PERMODULE_GLOBALVAR_INIT_REFS, 0, 0x47, 0b101, 1, 2),
            record(Code.PERMODULE_VTABLE_GLOBALVAR_INIT_REFS, 1, 0, 0b1100, 1, 0, 2, 16, 3, 24),
        )
    )
    variable, table = index.values[guid_of("x")].summaries[0], index.values[guid_of("s.c;y")].summaries[0]
    assert isinstance(variable, GlobalVarSummary)
    assert isinstance(table, GlobalVarSummary)
    assert variable.variable_flags == {VariableFlag.READ_ONLY, VariableFlag.CONSTANT}
    assert [reference.value.name for reference in variable.references] == ["y", "f"]
    assert (table.variable_flags, table.vcall_visibility) == ({VariableFlag.CONSTANT}, VCallVisibility.LINKAGE_UNIT)
    assert [reference.value.name for reference in table.references] == ["x"]
    assert [(entry.function.name, entry.offset) for entry in table.vtable_functions] == [("f", 16), ("g", 24)]
    assert (variable.original_guid, table.original_guid) == (guid_of("x"), guid_of("y"))


@pytest.mark.parametrize("version", VERSIONS)
def test_variables_and_aliases_are_what_llvm_reads(version: int) -> None:
    flags = [0b11] if version >= 5 else []
    one = of_one(
        record(Code.PERMODULE_GLOBALVAR_INIT_REFS, 0, 0x47, *flags, 1, 2),
        record(Code.PERMODULE_VTABLE_GLOBALVAR_INIT_REFS, 1, 0, 0b10100, 1, 0, 2, 16, 3, 24),
        record(Code.ALIAS, 3, 5, 0),
        version=version,
    )
    several = combined(
        record(Code.COMBINED_GLOBALVAR_INIT_REFS, 1, 0, 0x47, *flags, 1, 2),
        record(Code.COMBINED_GLOBALVAR_INIT_REFS, 1, 1, 0x8A, *flags),
        record(Code.COMBINED_ORIGINAL_NAME, 1234),
        record(Code.COMBINED_ALIAS, 3, 1, 9, 1),
        record(Code.COMBINED_ALIAS, 3, 0, 6, 0),
        version=version,
    )
    for data in (one, several):
        assert len(text_of(data)) > 5
        assert text_of(data) == llvm_text_of(data)


def test_aliases() -> None:
    index = index_of(
        combined(
            record(Code.COMBINED_GLOBALVAR_INIT_REFS, 1, 1, 0, 0),
            record(Code.COMBINED_ALIAS, 2, 1, 0, 1),
            record(Code.COMBINED_ORIGINAL_NAME, 1234),
            record(Code.COMBINED_ALIAS, 3, 1, 0, 99),
            record(Code.COMBINED_ALIAS, 4, 0, 0, 3),
        )
    )
    known, unknown, elsewhere = (index.values[guid].summaries[0] for guid in (20, 30, 40))
    assert isinstance(known, AliasSummary)
    assert isinstance(unknown, AliasSummary)
    assert isinstance(elsewhere, AliasSummary)
    assert known.aliasee is index.values[10]
    assert known.original_guid == 1234
    assert unknown.aliasee is None, "the index leaves it out"
    assert elsewhere.aliasee is None, "the module says nothing of it"
    assert index.values[10].summary_in(index.modules["b"]) is index.values[10].summaries[0]
    assert index.values[10].summary_in(index.modules["a"]) is None


def test_names_of_old_files_stand_in_the_symbol_table() -> None:
    kinds = types(integer(32))
    names = value_symtab({0: "x", 1: "y"})
    summaries = summary_block(record(Code.PERMODULE_GLOBALVAR_INIT_REFS, 1, 7, 0), version=4)
    local = variable(0, is_constant=2, linkage=3)
    data = stream(module(kinds, record(16, "s.c"), variable(0, is_constant=2), local, summaries, names))
    index = index_of(data)
    assert {value.name: guid for guid, value in index.values.items()} == {"x": guid_of("x"), "y": guid_of("s.c;y")}
    assert len(index.values[guid_of("s.c;y")].summaries) == 1


def test_guids() -> None:
    digest = md5(b"main", usedforsecurity=False).digest()
    assert guid_of("main") == int.from_bytes(digest[:8], "little") == 15822663052811949562
    assert global_identifier("\1main", "s.c", is_local=False) == "main"
    assert global_identifier("\1main", "s.c", is_local=True) == "s.c;main"
    assert global_identifier("main", "", is_local=True) == "<unknown>;main"


# Whole indexes


def test_modules() -> None:
    index = index_of(combined())
    assert {path: module.hash for path, module in index.modules.items()} == {"a": (1, 2, 3, 4, 5), "b": (0, 0, 0, 0, 0)}


def test_flags_and_counts_add_up() -> None:
    index = index_of(
        combined(
            record(Code.FLAGS, 0x8),
            record(Code.FLAGS, 0xFFFF_F005),
            record(Code.BLOCK_COUNT, 3),
            record(Code.BLOCK_COUNT, 4),
            record(77, 1, 2, 3),
        )
    )
    assert index.flags == IndexFlags.DEAD_STRIPPED | IndexFlags.ENABLE_SPLIT_LTO_UNIT
    assert index.block_count == 7


def test_functions_of_control_flow_integrity() -> None:
    index = index_of(
        combined(record(Code.CFI_FUNCTION_DEFS, 0, 2, 2, 1), record(Code.CFI_FUNCTION_DECLS, 3, 2), names="abcde")
    )
    assert (index.cfi_function_definitions, index.cfi_function_declarations) == (["ab", "c"], ["de"])


def test_a_module_that_stands_for_itself() -> None:
    module = bitcodec.open(DATA / "module-22.bc")
    assert module.summary is not None
    assert module.summary is module.summary
    assert list(module.summary.modules) == [module.identifier]
    assert {value.name for value in module.globals} >= {value.name for value in module.summary.values.values()}
    assert next(part.name for part in raw_parts(module)) == "GLOBALVAL_SUMMARY_BLOCK"


def test_a_changed_module_keeps_what_was_read() -> None:
    module, other = bitcodec.open(DATA / "module-22.bc"), bitcodec.open(DATA / "module-22.bc")
    module.source_filename = "elsewhere.c"
    for value in list(module.functions)[:3]:
        value.name = f"new.{value.name}"
    assert module.summary is not None
    assert other.summary is not None
    assert module.summary.values.keys() == other.summary.values.keys()


def test_it_is_there_after_all_has_been_read() -> None:
    module = bitcodec.open(DATA / "module-22.bc")
    module.materialize()
    assert module.summary is not None
    assert len(module.summary.values) > 15


def test_modules_have_none_of_themselves() -> None:
    assert bitcodec.loads(stream(module())).summary is None
    assert Module("new", bitcodec.loads(stream(module())).data_layout).summary is None


# Memory profiles


def function_with(*records: Record, version: int = 12) -> FunctionSummary:
    named = record(Code.PERMODULE_PROFILE, *[2, 0, 1, 0, 0, 0, 0])
    index = index_of(of_one(*records, named, version=version))
    (summary,) = index.values[guid_of("f")].summaries
    assert isinstance(summary, FunctionSummary)
    return summary


def contexts(summary: FunctionSummary) -> list[Any]:
    return [(context.type.spelling, *context.stack_ids) for context in summary.allocations[0].contexts]


IDS = record(Code.STACK_IDS, 0, 100, 0, 200, 0, 300)


def test_contexts_of_old_versions() -> None:
    ids = record(Code.STACK_IDS, 100, 200, 300)
    uncounted = function_with(ids, record(Code.PERMODULE_ALLOC_INFO, 1, 2, 0, 2, 2, 1, 1), version=9)
    counted = function_with(ids, record(Code.PERMODULE_ALLOC_INFO, 2, 1, 2, 0, 2, 2, 1, 1), version=10)
    assert contexts(uncounted) == contexts(counted) == [("notcold", 100, 300), ("cold", 200)]
    assert uncounted.allocations[0].versions == (AllocationType.NONE,)


def test_contexts_that_share_frames() -> None:
    tree = record(Code.CONTEXT_RADIX_TREE_ARRAY, 2, 0, (1 << 32) - 3, 2, 1, 2, 0)
    alone = function_with(IDS, tree, record(Code.PERMODULE_ALLOC_INFO, 2, 1, 0, 2, 3))
    assert contexts(alone) == [("notcold", 100, 300), ("cold", 200, 300)]


def test_sizes_of_contexts() -> None:
    tree = record(Code.CONTEXT_RADIX_TREE_ARRAY, 1, 0)
    ids = record(Code.ALLOC_CONTEXT_IDS, 0, 7, 1, 8, 0, 0)
    summary = function_with(IDS, tree, ids, record(Code.PERMODULE_ALLOC_INFO, 2, 1, 0, 2, 0, 2, 50, 60, 1, 0))
    first, second = summary.allocations[0].contexts
    assert first.sizes == (ContextSize(7, 50), ContextSize((1 << 32) + 8, 60))
    assert second.sizes == (), "an id of 0 tells no size"


def test_shared_frames_cannot_be_multiplied() -> None:
    """Each of many contexts says that it has all frames there are."""
    count = 20_000
    tree = record(Code.CONTEXT_RADIX_TREE_ARRAY, count, *[0] * count)
    many = record(Code.PERMODULE_ALLOC_INFO, count, *[1, 0] * count)
    start = time.process_time()
    assert "far longer than the file" in refusal(of_one(IDS, tree, many))
    assert time.process_time() - start < 5


# What makes no sense


@pytest.mark.parametrize("code", sorted(HANDLED_SUMMARY_CODES - {Code.TYPE_TESTS, Code.STACK_IDS}))
@pytest.mark.parametrize("version", some([9, 4, 1, 12], 1))
def test_records_cut_short(code: Code, version: int) -> None:
    """However few operands there are, and however odd: nothing but our own errors."""
    kinds = (of_one, combined)
    for make in kinds:
        for operands in [*([1] * size for size in range(12)), [1 << 63] * 9, [(1 << 64) - 1] * 12]:
            try:
                text = text_of(make(record(code, *operands), version=version))
            except BitcodecError:
                continue
            assert text[-1].partition(" = ")[2].startswith("blockcount:")


ODD = [
    (of_one(version=15), "VERSION record: expected a summary of version 1 to 14, found version 15"),
    (of_one(version=0), "found version 0"),
    (stream(module(block(20, record(Code.FLAGS, 1)))), "begin with its version"),
    (stream(module(block(20))), "begin with its version"),
    (of_one(record(Code.PERMODULE, 9, 0, 1, 0, 0, 0, 0)), "value 9, which is to be summarized, does not exist"),
    (of_one(record(Code.PERMODULE, 2, 11, 1, 0, 0, 0, 0)), "linkage 11 does not exist"),
    (of_one(record(Code.PERMODULE, 2, 0x300, 1, 0, 0, 0, 0)), "Visibility 3 does not exist"),
    (
        of_one(record(Code.PERMODULE, 2, 0, 1, 0, 1, 1, 1, 0)),
        "more references are marked read-only or write-only than the 1",
    ),
    (of_one(record(Code.PERMODULE, 2, 0, 1, 0, 1 << 40, 0, 0, 0)), "1099511627776 references do not fit in 1 operands"),
    (of_one(record(Code.PERMODULE_PROFILE, 2, 0, 1, 0, 0, 0, 0, 3, 5)), "Hotness 5 does not exist"),
    (of_one(record(Code.PERMODULE_PROFILE, 2, 0, 1, 0, 0, 0, 0, 3)), "has too few operands"),
    (of_one(record(Code.PERMODULE_GLOBALVAR_INIT_REFS, 0, 0, 0b11000)), "VCallVisibility 3 does not exist"),
    (of_one(record(Code.ALIAS, 0, 0, 1)), "no summary of the aliasee precedes the alias"),
    (of_one(record(Code.COMBINED, 0, 0, 0, 1, 0, 0, 0, 0, 0)), "the index has no module 0"),
    (of_one(record(Code.COMBINED_ORIGINAL_NAME, 1)), "no summary precedes the name"),
    (of_one(record(Code.PARAM_ACCESS, 0, 2, 8, 1 << 40)), "has too few operands"),
    (of_one(record(Code.TYPE_ID, 0, 9, 1, 0, 0, 0, 0, 0)), "reaches past the string table"),
    (of_one(record(Code.TYPE_ID, 0, 1, 6, 0, 0, 0, 0, 0)), "TypeTestKind 6 does not exist"),
    (of_one(record(Code.TYPE_ID, 0, 1, 1, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1 << 50)), "has too few operands"),
    (of_one(record(Code.TYPE_ID_METADATA, 0, 1, 16, 9)), "value 9, which is to be summarized, does not exist"),
    (
        of_one(record(Code.STACK_IDS, 0, 1), record(Code.PERMODULE_CALLSITE_INFO, 2, 1)),
        "a stack id is out of range: there are 1",
    ),
    (of_one(record(Code.COMBINED_CALLSITE_INFO, 2, 1, 1, 0)), "1 stack ids and 1 clones do not match 1 operands"),
    (of_one(record(Code.COMBINED_ALLOC_INFO_NO_CONTEXT, 0, 0, 1)), "operands are left over"),
    (of_one(IDS, record(Code.PERMODULE_ALLOC_INFO, 1, 3, 0)), "AllocationType 3 does not exist"),
    (
        of_one(IDS, record(Code.CONTEXT_RADIX_TREE_ARRAY, 1, 0), record(Code.PERMODULE_ALLOC_INFO, 1, 1, 2)),
        "expected the number of a context below 2, found 2",
    ),
    (
        of_one(IDS, record(Code.CONTEXT_RADIX_TREE_ARRAY, 9, 0), record(Code.PERMODULE_ALLOC_INFO, 1, 1, 0)),
        "a context reaches past the 2 frames",
    ),
    (
        of_one(IDS, record(Code.CONTEXT_RADIX_TREE_ARRAY, 1, 1 << 31), record(Code.PERMODULE_ALLOC_INFO, 1, 1, 0)),
        "a context reaches past the 2 frames",
    ),
    (stream(module(block(19, record(2, 1, 2, 3, 4, 5)), summary_block())), "no module precedes the hash"),
    (
        stream(module(block(19, record(1, 0, "a"), record(2, 1)), summary_block())),
        "expected a hash of 5 numbers, found 1",
    ),
]


@pytest.mark.parametrize(("data", "reason"), ODD, ids=[reason for _, reason in ODD])
def test_refusals(data: bytes, reason: str) -> None:
    assert reason in refusal(data)


def test_refusals_tell_their_place_and_may_be_repeated() -> None:
    module = bitcodec.loads(of_one(record(Code.PERMODULE, 9, 0, 1, 0, 0, 0, 0)))
    for _ in range(2):
        with pytest.raises(BitcodeError) as refused:
            _ = module.summary
        assert refused.value.block_path == (8, 20)
        assert refused.value.bit_offset > 0
    assert [value.name for value in module.globals] == ["x", "y", "f", "g"], "what is beside it is read all the same"


def test_many_aliases_of_one_value_take_no_longer() -> None:
    count = amount(8_000, 20_000)
    one = record(Code.COMBINED_GLOBALVAR_INIT_REFS, 1, 0, 0, 0)
    start = time.process_time()
    index = index_of(combined(*[one] * count, *[record(Code.COMBINED_ALIAS, 1, 0, 0, 1)] * count))
    assert len(index.values[10].summaries) == 2 * count
    assert time.process_time() - start < 10
