"""Attachments and numbers of instructions that no LLVM writes so but LLVM 22 reads, and what it reads them as.

Expected lines are those that llvm-dis 22 prints.
"""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.ir import DILocation
from bitcodec.ir.instructions import Instruction

from . import streams as s
from .streams import block, module, record, stream

I32, VOID, FUNCTION = range(3)
TYPES = s.types(s.integer(32), s.VOID, s.function_type(VOID))
KINDS = block(22, record(6, 0, "dbg"), record(6, 1, "b"), record(6, 2, "a"))
BEYOND_32_BITS = 1 << 32

FLAGS, SUBPROGRAM, FIRST_LOCATION, SECOND_LOCATION, TUPLE = 3, 4, 5, 6, 7
"""Metadata ids."""
METADATA = s.metadata(
    record(2, I32, 1),
    record(1, "Debug Info Version"),
    record(2, I32, 2),
    record(3, 1, 2, 3),
    # A definition, of a unit, a file and a type.
    record(21, 7, 0, 11, 0, 10, 1, 9, 0, 0, 8, 0, 0, 13, 0, 0, 0, 0, 0, 0),
    record(7, 0, 5, 6, SUBPROGRAM, 0),
    record(7, 0, 7, 8, SUBPROGRAM, 0),
    record(3),
    record(19, 0, 0, TUPLE + 1),
    record(16, 0, 11, 0, 0, 0),
    record(1, "x"),
    record(3),
    record(20, 1, 4, 10, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
    record(4, "llvm.module.flags"),
    record(10, FLAGS),
    record(4, "llvm.dbg.cu"),
    record(10, 12),
)
CONSTANTS = s.constants(s.set_type(I32), s.constant_integer(2), s.constant_integer(3))
SECOND = record(35, 7, 8, SUBPROGRAM + 1, 0)
"""A record of the second location."""


def read_instruction(*items: s.Item, is_read_whole: bool) -> Instruction:
    """Return the only instruction of a function, a `ret void` that these records and blocks follow."""
    body = s.function_block(s.RET_VOID, *items)
    function = s.function(FUNCTION, is_declaration=0)
    read = bitcodec.loads(stream(module(TYPES, KINDS, function, CONSTANTS, METADATA, body)))
    if is_read_whole:
        read.materialize()
    return read.functions[0].blocks[0].instructions[0]


@pytest.mark.parametrize("is_read_whole", [False, True])
@pytest.mark.parametrize("before", [(), (SECOND,)], ids=["alone", "after a record"])
def test_an_attachment_of_kind_0_is_the_location(before: tuple[s.Record, ...], *, is_read_whole: bool) -> None:
    attached = s.metadata_attachments(record(11, 0, 1, TUPLE, 0, FIRST_LOCATION))
    instruction = read_instruction(*before, attached, is_read_whole=is_read_whole)
    assert isinstance(instruction.debug_location, DILocation)
    assert instruction.debug_location.line == 5
    assert list(instruction.metadata) == ["b"]
    assert str(instruction).startswith("ret void, !dbg !")
    assert str(instruction).count("!dbg") == 1


@pytest.mark.parametrize("is_read_whole", [False, True])
def test_no_other_attachment_is_a_location(*, is_read_whole: bool) -> None:
    attached = s.metadata_attachments(record(11, 0, 1, FIRST_LOCATION, 2, TUPLE))
    instruction = read_instruction(SECOND, attached, is_read_whole=is_read_whole)
    assert instruction.debug_location is not None
    assert instruction.debug_location.line == 7
    assert list(instruction.metadata) == ["b", "a"]


@pytest.mark.parametrize("is_read_whole", [False, True])
def test_a_record_without_attachments_attaches_nothing(*, is_read_whole: bool) -> None:
    read = read_instruction(s.metadata_attachments(record(11, 0)), is_read_whole=is_read_whole)
    assert not read.metadata
    assert read.debug_location is None


def test_attachments_are_printed_in_the_order_in_which_kinds_are_registered() -> None:
    nodes = s.metadata(record(3), record(5))
    body = s.function_block(s.RET_VOID, s.metadata_attachments(record(11, 0, 2, 0, 1, 1)))
    data = stream(module(TYPES, KINDS, s.function(FUNCTION, is_declaration=0), nodes, body))
    assert "\n  ret void, !b !0, !a !1\n" in str(bitcodec.loads(data))


def test_numbers_of_attribute_lists_have_32_bits() -> None:
    groups = block(10, record(3, 1, s.FUNCTION_INDEX, 0, 18))
    body = s.function_block(s.call(FUNCTION, 2, attributes=BEYOND_32_BITS | 1), s.RET_VOID)
    functions = s.function(FUNCTION), s.function(FUNCTION, is_declaration=0)
    text = str(bitcodec.loads(stream(module(groups, block(9, record(2, 1)), TYPES, *functions, body))))
    assert "\n  call void @0() #0\n" in text
    assert "\nattributes #0 = { nounwind }\n" in text


def test_a_bitcast_that_becomes_two_instructions_has_two_numbers() -> None:
    types = s.types(s.opaque_pointer(), s.opaque_pointer(3), s.VOID, s.function_type(2, 0))
    attached = s.metadata_attachments(record(11, 0, 1, 0), record(11, 1, 2, 1), record(11, 2, 1, 1))
    body = s.function_block(record(3, 1, 1, 11), s.RET_VOID, attached)
    nodes = s.metadata(record(3), record(5))
    text = str(bitcodec.loads(stream(module(types, KINDS, s.function(3, is_declaration=0), nodes, body))))
    assert text.partition("{\n")[2].splitlines()[:3] == [
        "  %2 = ptrtoint ptr %0 to i64, !b !0",
        "  %3 = inttoptr i64 %2 to ptr addrspace(3), !a !1",
        "  ret void, !b !1",
    ]


@pytest.mark.parametrize(
    ("operands", "reason"),
    [
        ([0, 1, 1, 0], "expected a pointer as the base of getelementptr, found i32"),
        ([0, 0, 0, 0, 1], "expected a pointer as the base of getelementptr, found i32"),
        ([0, 9, 0, 0, 0], "type 9 does not exist"),
        ([9, 0, 0, 0], "type 9 does not exist"),
    ],
    ids=str,
)
def test_the_type_that_a_record_states_for_an_address_is_a_pointer(operands: list[int], reason: str) -> None:
    # The value is the variable: LLVM looks at the type in the record, of which it says the same.
    types = s.types(s.integer(32), s.pointer(0), s.integer(64))
    values = s.constants(s.set_type(0), s.constant_integer(0), s.set_type(1), record(12, *operands))
    with pytest.raises(bitcodec.BitcodecError, match=reason):
        bitcodec.loads(stream(module(types, s.variable(1), values))).materialize()
