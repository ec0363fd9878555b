"""Streams that are sound but that LLVM 22 refuses: order of blocks, symbol tables, numbers of operands."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec import BitcodecError
from bitcodec.bitcode.offsets import relocated
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataCode
from bitcodec.bitcode.schema.instructions import EXACT_RECORDS
from bitcodec.bitcode.schema.metadata import RECORD_LENGTHS
from bitcodec.bitstream import Bitstream
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.items import DraftBlock, DraftRecord

from . import streams as s
from .streams import block, module, record, stream

DATA = Path(__file__).parents[1] / "data"
I32, VOID, ACTION, POINTER, FLOAT, METADATA = range(6)
TYPES = s.types(s.integer(32), s.VOID, s.function_type(VOID), s.opaque_pointer(), s.FLOAT, s.METADATA)
VARIABLE = record(7, I32, 2, 0, 0, 0, 0)
CONSTANTS = s.constants(s.set_type(I32), s.NULL)
DEFINED = s.function(ACTION, is_declaration=0)
BODY = s.function_block(s.RET_VOID)
ALIGNED = (CONSTANTS, BODY)
"""A body at a multiple of 32 bits, so that an offset can point to it."""


def read(data: bytes) -> None:
    bitcodec.loads(data).materialize()


def refuse(data: bytes, reason: str) -> None:
    with pytest.raises(BitcodecError, match=reason):
        read(data)


def reason_of(data: bytes) -> str:
    """Return why a module is refused, an empty string if it is read."""
    try:
        read(data)
    except BitcodecError as error:
        return str(error)
    return ""


def body(*items: s.Item) -> bytes:
    return stream(module(TYPES, DEFINED, s.function_block(*items)))


# The order of blocks


def test_types_come_first() -> None:
    read(stream(module(TYPES, VARIABLE, CONSTANTS)))
    refuse(stream(module(VARIABLE, TYPES)), "precedes the table of types")
    refuse(stream(module(CONSTANTS, TYPES)), "precede the table of types")


def test_no_global_follows_what_counts_globals() -> None:
    for between in (CONSTANTS, s.metadata(record(3))):
        refuse(stream(module(TYPES, between, VARIABLE)), "follows constants")
    refuse(stream(module(TYPES, DEFINED, BODY, VARIABLE)), "follows constants")


def test_what_globals_are_read_with_precedes_them() -> None:
    section = record(5, *b"s")
    placed = VARIABLE._replace(operands=(*VARIABLE.operands[:-1], 1))
    read(stream(module(TYPES, section, placed)))
    read(stream(module(TYPES, VARIABLE, section)))
    read(stream(module(TYPES, VARIABLE, CONSTANTS, section)))
    refuse(stream(module(TYPES, placed, section)), "GLOBALVAR record: no earlier record names the section 1")
    version = record(1, 2)
    read(stream(module(TYPES, VARIABLE, record(1, 1))))
    refuse(stream(module(TYPES, VARIABLE, version)), "VERSION record: the record follows globals")


def test_metadata_follows_types() -> None:
    read(stream(module(s.metadata(record(3)), TYPES)))
    refuse(stream(module(s.metadata(record(2, I32, 0)), TYPES)), "metadata precedes the table of types")


@pytest.mark.parametrize("kind", [BlockId.OPERAND_BUNDLE_TAGS_BLOCK, BlockId.SYNC_SCOPE_NAMES_BLOCK])
def test_one_block_of_names(kind: BlockId) -> None:
    one = block(kind, record(1, *b"x"))
    read(stream(module(TYPES, one)))
    refuse(stream(module(TYPES, one, one)), "a second block of this kind")


def test_constants_precede_bodies() -> None:
    read(stream(module(TYPES, DEFINED, CONSTANTS, BODY)))
    refuse(stream(module(TYPES, DEFINED, BODY, CONSTANTS)), "constants follow a function body")


def test_one_block_of_attributes() -> None:
    one = s.attribute_lists([s.FUNCTION_INDEX, 1 << 5])
    read(stream(module(TYPES, one)))
    read(stream(module(TYPES, block(9), one)))
    refuse(stream(module(TYPES, one, one)), "a second block of this kind")


def test_a_block_ends_where_its_length_says() -> None:
    data = bytearray(stream(module(TYPES, block(22, record(6, 0, "dbg")), VARIABLE)))
    read(bytes(data))
    place = next(found.start for found in Bitstream(bytes(data)).blocks[0].blocks if found.id == BlockId.TYPE_BLOCK)
    # The word after the header of the block: its length.
    length = place // 32 * 4 + 4
    words = int.from_bytes(data[length : length + 4], "little")
    data[length : length + 4] = (words + 1).to_bytes(4, "little")
    with pytest.raises(BitcodecError):
        read(bytes(data))


# Symbol tables


def test_values_that_a_symbol_table_names_exist() -> None:
    read(stream(module(TYPES, VARIABLE, s.value_symtab({0: "v"}))))
    refuse(stream(module(TYPES, VARIABLE, s.value_symtab({1: "v"}))), "value 1, which is to be named, does not exist")
    refuse(stream(module(TYPES, VARIABLE, block(14, record(1)))), "has too few operands")
    refuse(stream(module(TYPES, VARIABLE, s.value_symtab({}, {0: "v"}))), "outside of a function")


def with_offset(words: int) -> bytes:
    table = block(14, record(3, 0, 0))
    function = s.function(ACTION, is_declaration=0)
    named = function._replace(operands=(0, 1, *function.operands))
    return stream(module(TYPES, record(13, words), named, BODY, table, version=2), s.strtab("f"))


def test_the_offset_of_the_symbol_table_points_at_one() -> None:
    found = next(one for one in Bitstream(with_offset(0)).blocks[0].blocks if one.id == BlockId.VALUE_SYMTAB_BLOCK)
    # The width of the record depends on the offset; blocks begin at words.
    for guess in range(found.start // 32 - 2, found.start // 32 + 3):
        data = with_offset(guess)
        table = next(one for one in Bitstream(data).blocks[0].blocks if one.id == BlockId.VALUE_SYMTAB_BLOCK)
        if table.start == (guess + 1) * 32 - 32 + (Bitstream(data).blocks[0].start - 32):
            read(data)
        else:
            refuse(data, "no symbol table begins at bit")


NAMED = DEFINED._replace(operands=(0, 1, *DEFINED.operands))
SYMBOLS_AT = record(13, 0)


def entries(*numbers: int) -> s.Block:
    """Return a symbol table with entries for values; their offsets are still to be set."""
    return block(14, *(record(3, number, 0) for number in numbers))


def test_function_entries_are_functions() -> None:
    variable = VARIABLE._replace(operands=(1, 1, *VARIABLE.operands))

    def with_entry(value: int) -> bytes:
        items = (TYPES, NAMED, variable, SYMBOLS_AT, *ALIGNED, entries(value))
        return relocated(stream(module(*items, version=2), s.strtab("fv")))

    read(with_entry(0))
    refuse(with_entry(1), "value 1 is not a function")
    refuse(with_entry(3), "value 3, which is to be named, does not exist")


def test_function_entries_lead_to_bodies() -> None:
    other = NAMED._replace(operands=(1, *NAMED.operands[1:]))
    items = (TYPES, NAMED, other, SYMBOLS_AT, *ALIGNED, BODY)
    read(relocated(stream(module(*items, entries(0, 1), version=2), s.strtab("fg"))))
    draft = Bitstream(relocated(stream(module(*items, entries(0, 1), version=2), s.strtab("fg")))).edit()
    table = next(one for one in draft.blocks[0].blocks if one.id == BlockId.VALUE_SYMTAB_BLOCK)
    table.records[1].operands = (1, 1)
    refuse(draft.dumps(), "the body of value 1 does not begin at word 1")


def test_offsets_of_bodies_need_that_of_the_symbol_table() -> None:
    data = relocated(stream(module(TYPES, NAMED, *ALIGNED, entries(0), version=2), s.strtab("f")))
    refuse(data, "a body has an offset, but no VSTOFFSET record precedes it")


def test_the_offset_of_the_symbol_table_precedes_the_bodies() -> None:
    data = relocated(stream(module(TYPES, NAMED, *ALIGNED, entries(0), SYMBOLS_AT, version=2), s.strtab("f")))
    refuse(data, "the record follows a function body")


def test_a_symbol_table_without_names_follows_the_bodies() -> None:
    function = DEFINED._replace(operands=(0, 1, *DEFINED.operands))
    data = stream(module(TYPES, function, block(14, record(3, 0, 0)), BODY, version=2), s.strtab("f"))
    refuse(data, "the symbol table precedes the function bodies")


# Metadata


def test_a_name_is_followed_by_its_node() -> None:
    node, name, named = record(3), record(4, "n"), record(10, 0)
    read(stream(module(TYPES, s.metadata(node, name, named))))
    for wrong in ((name,), (name, node, named), (name, name, named)):
        refuse(stream(module(TYPES, s.metadata(node, *wrong))), "not followed by a NAMED_NODE|no name before it")


def test_what_metadata_is_attached_to_exists() -> None:
    kinds = block(22, record(6, 0, "dbg"))

    def attached(value: int) -> bytes:
        return stream(module(TYPES, VARIABLE, kinds, s.metadata(record(3), record(36, value, 0, 0))))

    read(attached(0))
    refuse(attached(1), "which does not exist")


def test_what_is_attached_to_globals_is_a_node() -> None:
    kinds = block(22, record(6, 0, "dbg"))
    for other in (record(1, "text"), record(2, I32, 1)):
        data = stream(module(TYPES, VARIABLE, CONSTANTS, kinds, s.metadata(other, record(36, 0, 0, 0))))
        refuse(data, "GLOBAL_DECL_ATTACHMENT record: metadata id 0 is not a node")


FENCE = record(FunctionCode.INST_FENCE, 4, 1)
NODE = s.metadata(record(3))
LOCATED = record(FunctionCode.DEBUG_LOC, 1, 1, 1, 0)


def test_records_precede_no_metadata_that_they_refer_to() -> None:
    read(body(NODE, s.RET_VOID))
    read(body(s.RET_VOID, NODE))
    for referring in (LOCATED, record(FunctionCode.DEBUG_RECORD_LABEL, 0, 0)):
        refuse(body(FENCE, referring, NODE, s.RET_VOID), "metadata id 0 is used before its block")
        read(body(NODE, FENCE, referring, NODE, s.RET_VOID))
    attached = s.metadata_attachments(record(11, 0, 0, 0))
    refuse(body(s.RET_VOID, attached, NODE), "metadata id 0 is used before its block")


def test_debug_information_that_is_dropped_is_read_all_the_same() -> None:
    refuse(body(FENCE, record(FunctionCode.DEBUG_RECORD_LABEL, 0, 5), s.RET_VOID), "metadata id")
    refuse(body(FENCE, record(FunctionCode.DEBUG_LOC, 1, 1, 7, 0), s.RET_VOID), "metadata id")


@pytest.mark.parametrize("code", sorted(RECORD_LENGTHS), ids=lambda code: MetadataCode(code).name)
def test_lengths_of_debug_information(code: int) -> None:
    longest = max(RECORD_LENGTHS[code])
    for length in range(longest + 3):
        # Node 0 is what records refer to.
        refers = (1, 0, 0) if code == MetadataCode.LOCATION else (1,)
        operands = (*refers, *[0] * length)[:length]
        data = stream(module(TYPES, s.metadata(record(3), record(code, *operands))))
        assert ("operands" in reason_of(data)) is (length not in RECORD_LENGTHS[code])


@pytest.mark.parametrize(
    ("code", "first", "position", "absent"),
    [
        (MetadataCode.COMPOSITE_TYPE, 1, 8, None),
        (MetadataCode.GLOBAL_VAR, 1, 11, None),
        (MetadataCode.LOCAL_VAR, 3, 8, None),
        (MetadataCode.LABEL, 1, 6, (1 << 64) - 1),
    ],
    ids=lambda code: getattr(code, "name", ""),
)
def test_alignments_and_suspend_points_have_32_bits(code: int, first: int, position: int, absent: int | None) -> None:
    def with_number(number: int) -> bytes:
        operands = [first, *[0] * (max(RECORD_LENGTHS[code]) - 1)]
        operands[position] = number
        return stream(module(TYPES, s.metadata(record(3), record(code, *operands))))

    read(with_number((1 << 32) - 1))
    refuse(with_number(1 << 32), "has more than 32 bits")
    for number in () if absent is None else (absent,):
        read(with_number(number))


def test_a_variable_may_lack_the_alignment_that_its_record_announces() -> None:
    read(stream(module(TYPES, s.metadata(record(3), record(MetadataCode.LOCAL_VAR, 3, *[0] * 7)))))


# Instructions


@pytest.mark.parametrize("name", ["atomics-O2-22.bc", "control-O2-16.bc", "exceptions-O2-19.bc", "structs-i386-14.bc"])
def test_no_operands_after_the_fields(name: str) -> None:
    """Each kind of record of a real file with one more operand: refused if LLVM checks the number of them."""
    data = (DATA / name).read_bytes()
    codes = {found.code for found in bodies(Bitstream(data).edit().blocks)} & set(map(int, EXACT_RECORDS))
    assert len(codes) > 3
    for code in codes:
        draft = Bitstream(data).edit()
        found = next(one for one in bodies(draft.blocks) if one.code == code)
        found.operands = (*found.operands, 1, 1, 1)
        found.abbreviation_id = AbbreviationId.UNABBREV_RECORD
        with pytest.raises(BitcodecError):
            read(relocated(draft.dumps()))


def bodies(outer: list[DraftBlock]) -> list[DraftRecord]:
    found = list(outer)
    for each in found:
        found += each.blocks
    return [one for each in found if each.id == BlockId.FUNCTION_BLOCK for one in each.records]


def test_the_number_of_operands() -> None:
    read(body(s.RET_VOID))
    refuse(body(record(FunctionCode.INST_FENCE, 6, 1, 0), s.RET_VOID), "more than it has fields")
    refuse(body(record(FunctionCode.INST_RET, 1, 1)), "more than it has fields")


def test_fast_math_flags_of_a_phi_of_integers() -> None:
    refuse(
        body(record(FunctionCode.INST_PHI, I32, 0, 0, 0), s.RET_VOID), "a phi of type i32 cannot have fast-math flags"
    )


# Constants


def test_constants_without_operands() -> None:
    for code in (5, 6, 7):
        refuse(stream(module(TYPES, s.constants(s.set_type(I32), record(code)))), "has too few operands")


def test_numbers_of_another_type_are_poison() -> None:
    variable = record(7, I32, 2, 2, 0, 0, 0)
    for constant in (record(6, 1), record(7, 0)):
        loaded = bitcodec.loads(stream(module(TYPES, variable, s.constants(s.set_type(I32), constant))))
        loaded.materialize()
        assert "global i32 poison" in bitcodec.print_assembly(loaded)


# Scopes of synchronization


def test_the_first_two_scopes_have_fixed_names() -> None:
    names = block(26, record(1, "a"), record(1, "b"), record(1, "c"))
    fences = [record(FunctionCode.INST_FENCE, 6, scope) for scope in range(3)]
    data = stream(module(TYPES, DEFINED, names, s.function_block(*fences, s.RET_VOID)))
    text = bitcodec.print_assembly(bitcodec.loads(data))
    assert [line.strip() for line in text.splitlines() if "fence" in line] == [
        'fence syncscope("singlethread") seq_cst',
        "fence seq_cst",
        'fence syncscope("c") seq_cst',
    ]


# Calls


def test_a_call_that_lacks_an_element_type() -> None:
    name = "llvm.preserve.array.access.index.p0.p0"
    index = s.function_type(POINTER, POINTER, I32, I32)
    type_id = len(TYPES.items) - 1
    types = TYPES._replace(items=(record(1, type_id + 1), *TYPES.items[1:], index))
    defined = DEFINED._replace(operands=(0, 1, *DEFINED.operands))
    declared = s.function(type_id)._replace(operands=(1, len(name), *s.function(type_id).operands))
    arguments = s.constants(s.set_type(POINTER), s.NULL, s.set_type(I32), s.NULL)
    calls = s.function_block(arguments, s.call(type_id, 3, 2, 1, 1), s.RET_VOID)
    refuse(stream(module(types, defined, declared, calls, version=2), s.strtab("f" + name)), "no element type")
