"""Metadata blocks written in words: what is made when, what is one object, what is refused and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bitcodec
from bitcode.metadata_files import read_metadata
from bitcode.streams import (
    Record,
    block,
    constant_integer,
    constants,
    integer,
    metadata,
    record,
    set_type,
    stream,
    types,
)
from bitcode.streams import module as module_block
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.metadata import HANDLED_METADATA_CODES, ModuleMetadata
from bitcodec.bitcode.schema.blocks import MetadataCode as Code
from bitcodec.errors import BitcodeError, BitstreamError
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_info import (
    DIBasicType,
    DIDerivedType,
    DIEnumerator,
    DIExpression,
    DIFile,
    DILocation,
    DISubprogram,
)
from bitcodec.ir.metadata import ConstantAsMetadata, DIArgList, MDNode, MDString, MDTuple
from bitcodec.tables.versions import NEWEST
from bits import Bits

STRING, VALUE, NODE, DISTINCT = Code.STRING_OLD, Code.VALUE, Code.NODE, Code.DISTINCT_NODE

HOSTILE = Path(__file__).parents[2] / "data" / "hostile"


def module_of(*records: Record, kinds: tuple[Record, ...] = ()) -> ModuleMetadata:
    """Return the metadata of a module with the constants `i64 7` (type 0, value 0) and `i32 -1` (type 1, value 1)."""
    values = constants(set_type(0), constant_integer(7), set_type(1), constant_integer(-1))
    data = stream(
        module_block(types(integer(64), integer(32), record(16)), values, metadata(*records), block(22, *kinds))
    )
    return next(read_metadata(data))[0]


def node_of(*records: Record) -> MDNode:
    """Return the metadata of the last record."""
    module = module_of(*records)
    found = module.node(module.count - 1)
    assert isinstance(found, MDNode)
    return found


def test_every_record_that_llvm_understands_is_handled():
    # Those of METADATA_ATTACHMENT and METADATA_KIND blocks have numbers of their own.
    assert set(Code) <= HANDLED_METADATA_CODES


def test_tuples_strings_and_values():
    node = node_of(record(STRING, "a"), record(VALUE, 1, 1), record(NODE, 1, 2, 0))
    match node:
        case MDTuple(operands=(MDString("a"), ConstantAsMetadata(ConstantInt(-1)), None)):
            assert not node.is_distinct
        case _:
            pytest.fail(repr(node))


def test_records_that_no_version_has_take_no_id():
    assert module_of(record(STRING, "a"), record(43, 1, 2), record(NODE, 1)).count == 2


def test_records_of_newer_versions_are_refused():
    with pytest.raises(
        BitcodeError, match=f"no such metadata is known: a version of LLVM newer than {NEWEST} may have it"
    ):
        module_of(record(STRING, "a"), record(99, 1, 2), record(NODE, 1)).node(1)


def test_equal_nodes_become_one_and_distinct_ones_do_not():
    module = module_of(record(NODE, 2), record(NODE), record(NODE, 2), record(DISTINCT, 2), record(DISTINCT, 2))
    nodes = [module.node(number) for number in range(5)]
    assert nodes[0] is nodes[2]
    assert len({id(node) for node in nodes}) == 4


def test_a_node_that_refers_to_itself_is_distinct():
    node = node_of(record(NODE, 1))
    assert node.is_distinct
    assert node.operands == (node,)


def test_what_equals_a_node_that_refers_to_itself_is_that_node_if_it_precedes_it():
    # As llvm-dis 22 prints them.
    for order in ((0, 1, 2, 3), (2, 1, 0, 3), (3, 0, 1, 2)):
        module = module_of(record(NODE, 2, 3, 4), record(NODE, 3), record(NODE, 3), record(NODE, 3))
        nodes = {number: module.node(number) for number in order}
        assert nodes[1] is nodes[2]
        assert nodes[3] is not nodes[2]
        assert nodes[3].operands == (nodes[2],)  # type: ignore[attr-defined]


def test_equal_nodes_of_a_circle_are_one():
    # As llvm-dis 22 prints them.
    for order in ((0, 1, 2), (1, 0, 2), (2, 1, 0)):
        module = module_of(record(NODE, 2), record(NODE, 1), record(NODE, 2))
        nodes = {number: module.node(number) for number in order}
        assert nodes[0] is nodes[2]
        assert nodes[1].operands == (nodes[0],)  # type: ignore[attr-defined]


def test_circles():
    module = module_of(record(NODE, 2), record(NODE, 1), record(NODE, 4), record(DISTINCT, 3))
    first, second, third, fourth = (module.node(number) for number in range(4))
    assert isinstance(first, MDTuple)
    assert isinstance(fourth, MDTuple)
    assert first.operands == (second,)
    assert second.operands == (first,)  # type: ignore[attr-defined]
    assert not first.is_distinct
    assert fourth.operands == (third,)


def test_a_long_chain_needs_no_recursion():
    count = 20_000
    module = module_of(*(record(NODE, number + 2) for number in range(count)), record(NODE))
    node = module.node(0)
    for _ in range(count):
        assert isinstance(node, MDTuple)
        node = node[0]
    assert isinstance(node, MDTuple)
    assert len(node) == 0


def test_nodes_are_made_when_asked_for():
    broken = record(Code.LOCATION, 0, 1)
    module = module_of(record(STRING, "a"), record(NODE, 1), broken, record(Code.NAME, "n"), record(Code.NAMED_NODE, 1))
    assert len(module.named["n"].operands) == 1
    with pytest.raises(BitcodeError, match="LOCATION record: has too few operands"):
        module.read_all()
    # What was made before stays, and the same is refused again.
    assert isinstance(module.node(1), MDTuple)
    with pytest.raises(BitcodeError, match="LOCATION record"):
        module.node(2)


def test_named_metadata_without_a_name_is_ignored():
    module = module_of(record(NODE), record(Code.NAMED_NODE, 0))
    assert module.named == {}
    assert module.count == 1


def test_named_metadata_of_one_name_is_one():
    records = [record(Code.NAME, "n"), record(Code.NAMED_NODE, 0), record(Code.NAME, "n"), record(Code.NAMED_NODE, 0)]
    module = module_of(record(NODE), *records)
    assert list(module.named) == ["n"]
    assert len(module.named["n"].operands) == 2


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([record(NODE, 9)], "NODE record: expected a metadata id below 1, found 8"),
        ([record(Code.LOCATION, 0, 1, 1, 9, 0)], "LOCATION record: expected a metadata id below 1, found 9"),
        ([record(VALUE, 0)], "VALUE record: has too few operands"),
        ([record(Code.FILE, 0, 1, 0)], "FILE record: metadata id 0 is not a string"),
        ([record(Code.EXPRESSION, 4 << 1)], "EXPRESSION record: version 4 of an expression does not exist"),
        ([record(Code.ASSIGN_ID, 0)], "ASSIGN_ID record: a DIAssignID must be distinct"),
        ([record(Code.ARG_LIST, 0)], "ARG_LIST record: a list of arguments refers to itself"),
        ([record(NODE), record(Code.ARG_LIST, 0)], "ARG_LIST record: an argument of the list is not a value"),
        ([record(Code.SUBPROGRAM, 4, *[0] * 20)], "SUBPROGRAM record: a subprogram has flags, but no unit"),
        ([record(Code.SUBPROGRAM, 0, 0)], "SUBPROGRAM record: has too few operands"),
        ([record(Code.ENUMERATOR, 4, 1 << 32, 0, 1)], "ENUMERATOR record: an integer of 4294967296 bits is too wide"),
        ([record(Code.OLD_NODE, 2)], "OLD_NODE record: a type without a value"),
        ([record(Code.OLD_FN_NODE, 2)], "OLD_FN_NODE record: a type without a value"),
        ([record(Code.OLD_FN_NODE, 2, 0, 2)], "OLD_FN_NODE record: a type without a value"),
        ([record(Code.OLD_NODE, 77, 0)], "OLD_NODE record: type id 77"),
        (
            [record(Code.LOCAL_VAR, 2, *[0] * 7, 1 << 32)],
            "LOCAL_VAR record: alignment 4294967296 has more than 32 bits",
        ),
        (
            [record(Code.COMPOSITE_TYPE, 0, *[0] * 7, 1 << 32, *[0] * 7)],
            "COMPOSITE_TYPE record: alignment 4294967296 has more than 32 bits",
        ),
        (
            [record(Code.GLOBAL_VAR, 0, *[0] * 10, 1 << 32)],
            "GLOBAL_VAR record: alignment 4294967296 has more than 32 bits",
        ),
        ([record(Code.GENERIC_DEBUG, 0, 36, 1, 0)], "GENERIC_DEBUG record: version 1 of the node does not exist"),
        ([record(Code.GENERIC_DEBUG, 0, 1 << 16, 0, 0)], "GENERIC_DEBUG record: tag 65536 has more than 16 bits"),
        (
            [record(Code.GLOBAL_VAR, 3 << 1, *[0] * 12)],
            "GLOBAL_VAR record: version 3 of a global variable does not exist",
        ),
    ],
)
def test_refused_records_are_told_with_their_place(records: list[Record], reason: str):
    module = module_of(*records)
    with pytest.raises(BitcodeError) as caught:
        module.read_all()
    assert caught.value.reason == reason
    assert caught.value.block_path == (8, 15)
    assert caught.value.bit_offset > 0


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        (
            [record(Code.NAME, "n"), record(NODE), record(Code.NAMED_NODE, 0)],
            "NAME record: the name is not followed by a NAMED_NODE record",
        ),
        (
            [record(Code.KIND, 1, "a"), record(Code.KIND, 1, "b")],
            "KIND record: metadata kind 1 already has the name 'a'",
        ),
        (
            [record(Code.KIND, 1, "a"), record(Code.KIND, 1 << 32 | 1, "b")],
            "KIND record: metadata kind 1 already has the name 'a'",
        ),
        (
            [record(Code.KIND, (1 << 32) - 1, "a")],
            "KIND record: metadata kind 4294967295 exceeds the limit of LLVM, 4294967293",
        ),
        ([record(Code.KIND, 1)], "KIND record: has too few operands"),
        ([record(Code.STRINGS, 1 << 40, 0)], "STRINGS record: has no strings"),
    ],
)
def test_refused_at_the_first_touch(records: list[Record], reason: str):
    with pytest.raises(BitcodeError) as caught:
        _ = module_of(*records).count
    assert caught.value.reason == reason


def test_attachments_to_globals_are_refused_when_they_are_asked_for():
    module = module_of(record(Code.GLOBAL_DECL_ATTACHMENT, 0, 1))
    assert module.count == 0
    with pytest.raises(BitcodeError, match="GLOBAL_DECL_ATTACHMENT record: a metadata kind has no node"):
        _ = module.global_attachments


def test_named_metadata_holds_nodes_alone():
    module = module_of(record(STRING, "a"), record(Code.NAME, "n"), record(Code.NAMED_NODE, 0, 5))
    with pytest.raises(BitcodeError, match="NAMED_NODE record: metadata id 0 is not a node"):
        _ = module.named["n"].operands


def test_an_id_that_nobody_has():
    with pytest.raises(Malformed, match="expected a metadata id below 1, found 1"):
        module_of(record(NODE)).node(1)


def test_kinds_and_attachments_of_globals():
    module = module_of(
        record(NODE),
        record(Code.GLOBAL_DECL_ATTACHMENT, 3, 5, 0),
        kinds=(record(6, 0, "dbg"), record(6, 5, "section_prefix")),
    )
    assert module.kinds == {0: "dbg", 5: "section_prefix"}
    assert module.global_attachments == {3: [("section_prefix", 0)]}
    with pytest.raises(Malformed, match="kind 9 has no name"):
        module.kind(9)


def test_an_attachment_of_a_kind_without_name():
    module = module_of(record(NODE), record(Code.GLOBAL_DECL_ATTACHMENT, 0, 9, 0))
    with pytest.raises(BitcodeError, match="GLOBAL_DECL_ATTACHMENT record: metadata kind 9 has no name"):
        _ = module.global_attachments


def test_ids_of_a_function_follow_those_of_the_module():
    module = module_of(record(STRING, "a"), record(NODE, 1))
    inner = module_of(record(NODE, 2, 1), record(NODE, 3))
    function = module.function(inner._blocks, inner.value_of)
    assert function.count == 4
    first, second = function.node(2), function.node(3)
    assert isinstance(first, MDTuple)
    assert first.operands == (module.node(1), MDString("a"))
    assert isinstance(second, MDTuple)
    assert second.operands == (first,)
    with pytest.raises(Malformed):
        module.node(2)


def test_constants_of_64_bits_are_numbers():
    # [distinct, sizes are metadata], tag, name, size, align, encoding, flags
    assert node_of(record(VALUE, 0, 0), record(Code.BASIC_TYPE, 2, 0x24, 0, 1, 0, 5, 0)).size == 7  # type: ignore[attr-defined]
    node = node_of(record(VALUE, 1, 1), record(Code.BASIC_TYPE, 2, 0x24, 0, 1, 0, 5, 0))
    assert isinstance(node, DIBasicType)
    assert isinstance(node.size, ConstantAsMetadata)


def test_lists_of_arguments():
    module = module_of(record(VALUE, 0, 0), record(Code.ARG_LIST, 0, 0))
    found = module.node(1)
    assert isinstance(found, DIArgList)
    assert len(found.arguments) == 2


def test_text_that_is_no_utf8_is_kept():
    node = node_of(record(STRING, b"a\xff"), record(Code.FILE, 0, 1, 0))
    assert isinstance(node, DIFile)
    assert node.filename.encode("utf-8", "surrogateescape") == b"a\xff"


def test_short_records_have_defaults():
    location = node_of(record(NODE), record(Code.LOCATION, 1, 3, 4, 0, 0))
    assert isinstance(location, DILocation)
    assert (location.line, location.is_distinct, location.is_implicit_code, location.atom_group) == (3, True, False, 0)


B16, B32, B40 = 1 << 16, 1 << 32, 1 << 40


@pytest.mark.parametrize(
    ("wide", "expected"),
    [
        (record(Code.LOCATION, 1, B32 | 5, B32 | 4, 0, 0), {"line": 5, "column": 4}),
        (record(Code.LOCATION, 1, 5, B16, 0, 0, 0, 1 << 61 | 9, 50), {"column": 0, "atom_group": 9, "atom_rank": 2}),
        (record(Code.LEXICAL_BLOCK, 1, 0, 0, B32 | 5, B16 | 4), {"line": 5, "column": 0}),
        (record(Code.LOCAL_VAR, 0, 0, 0, 0, B40 | 5, 0, B16 | 2, B32 | 64), {"line": 5, "arg": 2, "flags": 64}),
        (record(Code.BASIC_TYPE, 0, B16 | 36, 0, 0, B32 | 8, B32 | 5), {"tag": 36, "align": 8, "encoding": 5}),
        (record(Code.MACRO, 0, B16 | 1, B32 | 5, 0, 0), {"type": 1, "line": 5}),
        (record(Code.SUBROUTINE_TYPE, 2, B32 | 1, 0, 256 | 1), {"flags": 1, "calling_convention": 1}),
        (record(Code.COMPILE_UNIT, 1, B16 | 4, *[0] * 4, B32 | 2, *[0] * 7, B40), {"language": 4, "dwo_id": B40}),
        (record(Code.DERIVED_TYPE, 2, B16 | 15, *[0] * 10, B32 | 3), {"tag": 15, "dwarf_address_space": 2}),
    ],
)
def test_numbers_are_as_wide_as_in_llvm(wide: Record, expected: dict[str, int]):
    # As llvm-dis 22 prints the nodes of such records.
    node = node_of(record(NODE), wide)
    assert {name: getattr(node, name) for name in expected} == expected


def test_numbers_and_flags_that_share_an_operand():
    # The operand is that which llvm-as 22 writes for these values.
    node = node_of(record(NODE), record(Code.DERIVED_TYPE, 0, 0x4300, *[0] * 12, 4343446))
    assert isinstance(node, DIDerivedType)
    assert (node.ptr_auth_key, node.ptr_auth_extra_discriminator) == (6, 4660)
    assert node.ptr_auth_is_address_discriminated is True
    assert node.ptr_auth_isa_pointer is False
    assert node.ptr_auth_authenticates_null_values is True


def test_definitions_of_subprograms_are_distinct():
    node = node_of(record(Code.SUBPROGRAM, 4 | 2, *[0] * 8, 8, *[0] * 9))
    assert isinstance(node, DISubprogram)
    assert node.is_distinct


@pytest.mark.parametrize(
    ("code", "length", "expected"),
    [
        (Code.LEXICAL_BLOCK, 5, True),
        (Code.FILE, 5, True),
        (Code.IMPORTED_ENTITY, 6, True),
        (Code.COMMON_BLOCK, 6, False),
        (Code.NAMESPACE, 3, False),
        (Code.LOCAL_VAR, 8, False),
    ],
)
def test_some_records_make_distinct_nodes_for_any_number_but_zero(code: int, length: int, *, expected: bool):
    # As llvm-dis 22 prints the nodes of such records.
    for first, is_distinct in ((0, False), (1, True), (32, expected)):
        module = module_of(record(code, first, *[0] * (length - 1)))
        node = module.node(0)
        assert isinstance(node, MDNode)
        assert node.is_distinct is is_distinct
        module.read_all()
        assert module.node(0) is node


@pytest.mark.parametrize(
    ("flags", "value", "expected"), [(0, 3, -2), (0, (1 << 64) - 1, -(1 << 63)), (2, 3, (1 << 64) - 2)]
)
def test_old_enumerators(flags: int, value: int, expected: int):
    node = node_of(record(STRING, "e"), record(Code.ENUMERATOR, flags, value, 1))
    assert isinstance(node, DIEnumerator)
    assert (node.value, node.name) == (expected, "e")


@pytest.mark.parametrize(
    ("bit_width", "words", "expected"),
    [(128, (0, 2 << 1), 2 << 64), (128, (14,), 7), (65, (1,), 1 << 63), (128, (3, 3), -1), (1 << 30, (2,), 1)],
)
def test_wide_enumerators(bit_width: int, words: tuple[int, ...], expected: int):
    """LLVM leaves out the highest words that are zero."""
    node = node_of(record(STRING, "e"), record(Code.ENUMERATOR, 4, bit_width, 1, *words))
    assert isinstance(node, DIEnumerator)
    assert (node.value, node.bit_width) == (expected, bit_width)


def test_expressions_of_equal_elements_are_one():
    module = module_of(record(Code.EXPRESSION, 3 << 1, 6), record(Code.EXPRESSION, 2 << 1, 6))
    assert module.node(0) is module.node(1)
    assert isinstance(module.node(0), DIExpression)


def strings_module(count: int, offset: int, blob: bytes) -> ModuleMetadata:
    """Return the metadata of a module whose metadata block holds one STRINGS record."""
    bits = Bits().enter_block(8, width=4).enter_block(15, width=4)
    bits.define(Code.STRINGS, ("vbr", 6), ("vbr", 6), "blob")
    bits.abbreviated(4, [Code.STRINGS, ("vbr", 6), ("vbr", 6), "blob"], [Code.STRINGS, count, offset], blob)
    return next(read_metadata(bits.end_block().end_block().stream()))[0]


def test_strings_share_a_record():
    lengths = Bits(b"").vbr(1, 6).vbr(0, 6).vbr(40, 6).align32().stream()
    module = strings_module(3, len(lengths), lengths + b"a" + b"b" * 40)
    assert [module.node(number) for number in range(3)] == [MDString("a"), MDString(""), MDString("b" * 40)]


@pytest.mark.parametrize(
    ("count", "offset", "reason"),
    [
        (1 << 30, 4, "1073741824 lengths do not fit in 4 bytes"),
        (0, 4, "0 lengths do not fit in 4 bytes"),
        (1, 400, "the characters begin at byte 400 of 5"),
    ],
)
def test_strings_that_cannot_be(count: int, offset: int, reason: str):
    with pytest.raises(BitcodeError, match=f"STRINGS record: {reason}"):
        _ = strings_module(count, offset, bytes(5)).count


def test_strings_longer_than_their_characters():
    with pytest.raises(BitcodeError, match="STRINGS record: strings of 3 bytes do not fit in 1"):
        strings_module(1, 4, b"\x03\0\0\0a").node(0)


def test_strings_of_a_later_block_are_refused_at_their_record():
    """The first lengths make sense, the second say more than there is: found when an upgrade asks for a text."""
    bits = Bits().enter_block(8, width=4)
    abbreviation = [Code.STRINGS, ("vbr", 6), ("vbr", 6), "blob"]
    places = []
    for blob in (b"\x01\0\0\0a", b"\x03\0\0\0a"):
        bits.enter_block(15, width=4).define(*abbreviation)
        places.append(bits.size)
        bits.abbreviated(4, abbreviation, [Code.STRINGS, 1, 4], blob).end_block()
    module = next(read_metadata(bits.end_block().stream()))[0]
    assert module.node(0) == MDString("a")
    for ask in (module.node, module.index.text):
        with pytest.raises(BitcodeError, match="STRINGS record: strings of 3 bytes do not fit in 1") as caught:
            ask(1)
        assert caught.value.bit_offset == places[1]


def test_a_composite_type_without_operands_is_refused():
    """Whether types are referred to by their identifiers is looked up in the first of them."""
    with pytest.raises(BitcodeError, match="COMPOSITE_TYPE record: has too few operands"):
        next(read_metadata(stream(module_block(metadata(record(Code.COMPOSITE_TYPE))))))[0].node(0)


def test_errors_of_bits_have_their_path():
    with pytest.raises(BitstreamError):
        list(read_metadata(stream(module_block(metadata(record(NODE))))[:-8]))


def test_distinct_nodes_are_read_at_the_first_touch():
    broken = record(Code.LOCATION, 0, 1)
    module = module_of(record(DISTINCT, 2, 1), record(DISTINCT, 3), broken)
    first = module.node(0)
    assert isinstance(first, MDTuple)
    assert first[1] is first
    second: Any = first[0]
    for _ in range(2):
        with pytest.raises(BitcodeError, match="LOCATION record: has too few operands"):
            _ = second.operands
    with pytest.raises(BitcodeError, match="LOCATION record: has too few operands"):
        module.read_deferred()
    assert module.node(0) is first
    assert module.node(1) is second


def test_a_long_chain_of_distinct_nodes_needs_no_recursion():
    count = 20_000
    module = module_of(*(record(DISTINCT, number + 2) for number in range(count)), record(NODE))
    nodes: list[Any] = [module.node(0)]
    module.read_deferred()
    for _ in range(count):
        nodes.append(nodes[-1][0])
    assert not nodes[-1].is_distinct
    module.read_all()
    assert all(module.node(number) is node for number, node in enumerate(nodes))


def test_nodes_may_be_made_while_others_wait_for_them():
    module = bitcodec.open(HOSTILE / "values-need-metadata.bc")
    assert [len(node.operands) for node in module.flags.nodes] == [3, 1, 1]
