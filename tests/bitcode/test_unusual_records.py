"""Records of functions that no LLVM writes but LLVM 22 reads, and what it reads them as."""

from __future__ import annotations

from typing import Any

import pytest

import bitcodec
from bitcodec import BitcodecError
from bitcodec.bitcode.reader.attachments import location_fields
from bitcodec.bitcode.schema.blocks import FunctionCode, MetadataCode, ValueSymtabCode
from bitcodec.verifier import verify

from . import streams as s
from .streams import block, module, record, stream

I32, I1, FUNCTION, VOID, ACTION = range(5)
TYPES = s.types(s.integer(32), s.integer(1), s.function_type(0, 0), s.VOID, s.function_type(3))
SYMBOLS = 14
USES = 18
BINARY_CONSTANT, UDIV = 10, 3
GLOBALS = 1
"""How many values a module has before the arguments of its only function."""
BEYOND_32_BITS = 1 << 40


def body_of(*items: s.Item, blocks: int = 1) -> Any:
    """Return the function `i32 (i32)` with this body."""
    data = stream(module(TYPES, s.function(FUNCTION, is_declaration=0), s.function_block(*items, blocks=blocks)))
    read = bitcodec.loads(data)
    read.materialize()
    return read.functions[0]


def names_of(*entries: s.Record) -> tuple[str, str, str]:
    """Return the names of the function, of its argument and of its block."""
    function = body_of(s.ret(1), block(SYMBOLS, *entries))
    return function.name, function.arguments[0].name, function.blocks[0].name


def test_local_symbols_have_names_as_those_of_the_module() -> None:
    entry, function_entry, block_entry = ValueSymtabCode.ENTRY, ValueSymtabCode.FNENTRY, ValueSymtabCode.BBENTRY
    assert names_of(record(entry, GLOBALS, "ab"), record(block_entry, 0, "cd")) == ("", "ab", "cd")
    assert names_of(record(function_entry, GLOBALS, 7, "ab")) == ("", "ab", "")
    assert names_of(record(entry, 0, "ab")) == ("ab", "", "")
    assert names_of(record(block_entry, 0, "c\0d")) == ("", "", "c\0d")
    with pytest.raises(BitcodecError, match="the name has a zero byte"):
        names_of(record(entry, GLOBALS, "c\0d"))


def test_instructions_may_follow_a_list_of_uses() -> None:
    without_expression = s.constants(s.set_type(0), s.constant_integer(7))
    with_expression = s.constants(s.set_type(0), s.constant_integer(7), record(BINARY_CONSTANT, UDIV, 2, 2))
    uses = block(USES, record(1, 1, 0, 2))
    plain = body_of(without_expression, s.binary(2, 1), uses, s.ret(1))
    expanded = body_of(with_expression, s.binary(3, 1), uses, s.ret(1))
    assert [instruction.opcode for instruction in plain.instructions] == ["add", "ret"]
    assert [instruction.opcode for instruction in expanded.instructions] == ["udiv", "add", "ret"]


def test_names_are_of_values_in_front_of_them() -> None:
    numbers = s.constants(s.set_type(0), s.constant_integer(7))
    names = block(SYMBOLS, record(ValueSymtabCode.ENTRY, GLOBALS + 2, "sum"))
    named = body_of(numbers, s.binary(1, 1), names, s.ret(1))
    assert [instruction.name for instruction in named.instructions] == ["sum", ""]
    with pytest.raises(BitcodecError, match="value or block 3, which is to be named, does not exist"):
        body_of(numbers, names, s.binary(1, 1), s.ret(1))


def test_edges_of_one_block_have_one_value() -> None:
    numbers = s.constants(s.set_type(I32), s.constant_integer(5), s.constant_integer(6), s.set_type(I1), s.NULL)
    condition, five, six = 1, s.signed(3), s.signed(2)
    function = body_of(
        numbers,
        s.conditional_branch(condition, 1, 1),
        s.phi(I32, (five, 0), (six, 0)),
        s.ret(1),
        blocks=2,
    )
    phi = function.blocks[1].instructions[0]
    assert [value.value for value, _ in phi.incoming] == [5, 5]
    assert verify(function.parent) == []
    other = function.parent.context.constants.integer(phi.type, 6)
    phi.set_operand(1, other)
    (finding,) = verify(function.parent)
    assert finding.message == ("PHI node has multiple entries for the same basic block with different incoming values!")


def test_users_of_block_addresses_are_functions() -> None:
    users = FunctionCode.BLOCKADDR_USERS
    assert len(body_of(record(users, 0), s.ret(1)).blocks) == 1
    for operands in ([], [GLOBALS], [9]):
        with pytest.raises(BitcodecError, match="a user of block addresses is not a function"):
            body_of(record(users, *operands), s.ret(1))


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ([3, BEYOND_32_BITS | 4, 1, 2, 1], (3, 4, 1, 2, True, 0, 0)),
        ([BEYOND_32_BITS | 3, 1 << 16, 1, 0], (3, 0, 1, 0, False, 0, 0)),
        ([3, 4, 1, 0, 0, 9], (3, 4, 1, 0, False, 0, 0)),
        ([3, 4, 1, 0, 0, 9, 2], (3, 4, 1, 0, False, 9, 2)),
        ([3, 4, 1, 0, 0, 1 << 61 | 9, 50], (3, 4, 1, 0, False, 9, 2)),
    ],
)
def test_numbers_of_locations(operands: list[int], expected: tuple[int, ...]) -> None:
    assert location_fields(operands) == expected


def test_records_of_one_instruction_attach_together() -> None:
    kinds = s.metadata(record(6, 1, "a"), record(6, 2, "b"), record(3))
    attached = s.metadata_attachments(record(11, 0, 1, 0), record(11, 0, 2, 0))
    items = (kinds, s.function_block(s.ret(1), attached))
    read = bitcodec.loads(stream(module(TYPES, s.function(FUNCTION, is_declaration=0), *items)))
    assert list(read.functions[0].blocks[0].instructions[0].metadata) == ["a", "b"]


def test_a_location_that_no_record_states_is_none() -> None:
    (block_,) = body_of(s.ret(1), record(FunctionCode.DEBUG_LOC_AGAIN)).blocks
    assert block_.instructions[0].debug_location is None


def test_numbers_of_attribute_groups_have_32_bits() -> None:
    nounwind, noundef = 18, 68
    groups = block(10, record(3, 1, s.FUNCTION_INDEX, 0, nounwind), record(3, BEYOND_32_BITS | 2, 1, 0, noundef))
    lists = block(9, record(2, BEYOND_32_BITS | 1, 2))
    function = s.function(FUNCTION, is_declaration=0, attributes=1)
    read = bitcodec.loads(stream(module(groups, lists, TYPES, function, s.function_block(s.ret(1)))))
    attributes = read.functions[0].attributes
    assert repr(attributes) == "<AttributeList function: nounwind; parameter 0: noundef>"


VARIABLE = ("location", "variable", "expression", "value")
DEBUG_RECORDS = {
    FunctionCode.DEBUG_RECORD_VALUE: VARIABLE,
    FunctionCode.DEBUG_RECORD_DECLARE: VARIABLE,
    FunctionCode.DEBUG_RECORD_DECLARE_VALUE: VARIABLE,
    FunctionCode.DEBUG_RECORD_ASSIGN: (*VARIABLE, "assign_id", "address_expression", "address"),
    FunctionCode.DEBUG_RECORD_LABEL: ("location", "label"),
}
"""Fields by code.  LLVM 22 checks no length: it ignores further operands, and for missing ones reads stale memory."""


def debug_record_of(code: FunctionCode, *operands: int) -> Any:
    """Return a debug record; the number of operands of a node is its metadata id."""
    nodes = s.metadata(
        *(record(MetadataCode.NODE, [0] * count) for count in range(8)),
        record(MetadataCode.STRING_OLD, "Debug Info Version"),
        record(MetadataCode.VALUE, I32, GLOBALS),
        record(MetadataCode.NODE, 10, 9, 10),
        record(MetadataCode.NAME, "llvm.module.flags"),
        record(MetadataCode.NAMED_NODE, 10),
    )
    three = s.constants(s.set_type(I32), s.constant_integer(3))
    body = s.function_block(s.ret(1), record(code, *operands))
    read = bitcodec.loads(stream(module(TYPES, s.function(FUNCTION, is_declaration=0), three, nodes, body)))
    (found,) = read.functions[0].blocks[0].instructions[0].debug_records
    return found


@pytest.mark.parametrize("further", [(), (1, 2, 3), (7, 99999, 1 << 40)])
@pytest.mark.parametrize("code", DEBUG_RECORDS)
def test_further_operands_of_debug_records_are_ignored(code: FunctionCode, further: tuple[int, ...]) -> None:
    fields = DEBUG_RECORDS[code]
    found = debug_record_of(code, *range(len(fields)), *further)
    nodes = {name: getattr(found, name, None) for names in DEBUG_RECORDS.values() for name in names}
    assert {name: len(node.operands) for name, node in nodes.items() if node is not None} == {
        name: number for number, name in enumerate(fields)
    }


@pytest.mark.parametrize("code", DEBUG_RECORDS)
def test_debug_records_that_lack_operands_are_refused(code: FunctionCode) -> None:
    for count in range(len(DEBUG_RECORDS[code])):
        with pytest.raises(BitcodecError, match=f"{code.name} record: has too few operands"):
            debug_record_of(code, *range(count))


def test_constants_are_made_of_constants() -> None:
    """LLVM 22 makes instructions of such a constant."""
    struct = s.record(18, 0, I32)
    types = block(17, record(1, 6), *TYPES.items[1:], struct)
    constant = s.constants(s.set_type(5), record(7, GLOBALS))
    body = s.function_block(constant, s.ret(2))
    with pytest.raises(BitcodecError, match="value 1 is not a constant"):
        bitcodec.loads(stream(module(types, s.function(FUNCTION, is_declaration=0), body))).materialize()


def test_a_module_may_have_several_blocks_of_metadata() -> None:
    first = s.metadata(record(MetadataCode.NODE), record(MetadataCode.NODE, 1))
    second = s.metadata(
        record(MetadataCode.NODE, 2), record(MetadataCode.NAME, *b"n"), record(MetadataCode.NAMED_NODE, 2)
    )
    read = bitcodec.loads(stream(module(TYPES, first, second)))
    read.materialize()
    assert str(read).splitlines()[-5:] == ["!n = !{!0}", "", "!0 = !{!1}", "!1 = !{!2}", "!2 = !{}"]


def with_a_stack_slot() -> bytes:
    """Return a module that reserves memory in a record with the type of a pointer to address space 47."""
    types = s.types(*TYPES.items[1:], s.pointer(I32, 47))
    pointer, flags = 5, 3
    body = s.function_block(record(19, pointer, I32, GLOBALS, flags), s.ret(2))
    return stream(module(types, s.function(FUNCTION, is_declaration=0), body))


SLOT = "  %2 = alloca i32, i32 %0, align 4"
"""Recorded with LLVM 22.1.8: the data layout alone decides the address space."""


def test_a_stack_slot_is_where_the_data_layout_puts_it() -> None:
    assert SLOT in str(bitcodec.loads(with_a_stack_slot())).splitlines()


def test_llvm_puts_a_stack_slot_there_too() -> None:
    assert SLOT in s.llvm_dis(with_a_stack_slot()).splitlines()


def test_a_body_of_an_old_intrinsic_that_something_uses_is_read_as_a_whole() -> None:
    text = """\
@user = global ptr @llvm.dbg.label

define void @llvm.dbg.label(metadata %0) !dbg !4 {
  %2 = load i32, ptr null, align 4, !dbg !6, !range !7
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 1, scope: !4)
!7 = !{i32 2, i32 3}
"""
    read = bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text)))
    read.materialize()
    assert "  %2 = load i32, ptr null, align 4, !dbg !4, !range !5" in str(read).splitlines()


def test_the_last_string_table_of_a_block_has_the_names() -> None:
    """The name as `llvm-dis` 22.1.8 prints it."""
    function = s.function(ACTION)
    named = function._replace(operands=(0, 2, *function.operands))
    data = stream(module(TYPES, named, version=2), block(23, s.Blob(1, b"ab"), s.Blob(1, b"cd")))
    assert [one.name for one in bitcodec.loads(data).functions] == ["cd"]


def test_a_name_reaches_past_the_last_string_table() -> None:
    """`llvm-dis` 22.1.8: "Invalid record"."""
    function = s.function(ACTION)
    named = function._replace(operands=(0, 2, *function.operands))
    for last in (s.Blob(1, b"c"), record(1)):
        with pytest.raises(BitcodecError, match="a name at byte 0 of 2 bytes reaches past the string table"):
            _ = bitcodec.loads(stream(module(TYPES, named, version=2), block(23, s.Blob(1, b"ab"), last))).functions[0]
