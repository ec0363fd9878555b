"""Debug-info classes: what the table makes of itself."""

from __future__ import annotations

import pytest

from bitcodec.ir import debug_info
from bitcodec.ir.debug_info import (
    DIAssignID,
    DIBasicType,
    DICompositeType,
    DIDerivedType,
    DIExpression,
    DIFile,
    DILocation,
    DINode,
    DIScope,
    DISubprogram,
    DIType,
    GenericDINode,
)
from bitcodec.ir.metadata import MDString, MDTuple, MetadataTable
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_flags import NameTableKind
from bitcodec.tables.debug_info_rows import FieldKind, Node, NodeField
from bitcodec.tables.dwarf import Language, Tag, TypeEncoding

from .debug_info_stub import STUB, stub

ROWS = [pytest.param(row, id=row.name) for row in NODES]
NUMBERED = {
    FieldKind.STRING,
    FieldKind.STRING_OR_NONE,
    FieldKind.NODE,
    FieldKind.NODE_ID,
    FieldKind.TYPE,
    FieldKind.INTEGER,
    FieldKind.SIGNED_INTEGER,
}


def test_stub_is_that_of_the_table():
    assert STUB.read_text(encoding="utf-8") == stub() + "\n", "run `python tests/ir/debug_info_stub.py`"


@pytest.mark.parametrize("row", ROWS)
def test_no_two_fields_share_a_place(row: Node):
    def places(field: NodeField) -> list[tuple[int | None, int]]:
        shift, count = field.bits or (0, 64)
        return [(field.position, bit) for bit in range(shift, shift + count)]

    taken = [place for field in row.fields for place in places(field)]
    assert len(taken) == len(set(taken))
    assert (0, 0) not in taken, "that bit says whether the node is distinct"


@pytest.mark.parametrize("row", ROWS)
def test_what_refers_to_metadata_is_an_operand_and_no_two_are_the_same(row: Node):
    ranks = [field.operand for field in row.fields if field.operand is not None]
    assert len(ranks) == len(set(ranks))
    assert all((field.operand is not None) == (field.kind in NUMBERED | {FieldKind.NODES}) for field in row.fields)


@pytest.mark.parametrize("row", ROWS)
def test_numbers_with_names_have_names(row: Node):
    for field in row.fields:
        assert (field.names is not None) >= (field.kind in (FieldKind.NAMED, FieldKind.FLAGS)), field.name


@pytest.mark.parametrize("row", ROWS)
def test_a_class_has_the_fields_of_its_row_and_nothing_else(row: Node):
    node = getattr(debug_info, row.name)()
    assert not hasattr(node, "__dict__")
    assert node.__match_args__ == tuple(field.attribute for field in row.fields)
    assert not node.is_distinct
    with pytest.raises(TypeError, match="has no field 'colour'"):
        type(node)(colour=1)


@pytest.mark.parametrize(
    ("directory", "filename", "expected"),
    [
        ("/src", "a.c", "/src/a.c"),
        ("/", "a.c", "/a.c"),
        ("", "a.c", "a.c"),
        ("/src", "/usr/include/stdio.h", "/usr/include/stdio.h"),
        ("C:\\src", "a.c", "C:\\src\\a.c"),
        ("C:\\src", "D:\\lib\\b.h", "D:\\lib\\b.h"),
        ("C:/src/", "sub\\a.c", "C:/src/sub\\a.c"),
    ],
)
def test_paths_of_source_files(directory: str, filename: str, expected: str):
    assert DIFile(filename=filename, directory=directory).path == expected


def test_names_are_pythons():
    assert DISubprogram.__match_args__[:3] == ("name", "linkage_name", "scope")
    assert "ptr_auth_isa_pointer" in DIDerivedType.__match_args__
    assert "calling_convention" in debug_info.DISubroutineType.__match_args__


def test_defaults_are_those_of_text():
    assert DIBasicType().tag == Tag.base_type == 0x24
    assert debug_info.DICompileUnit().split_debug_inlining is True
    assert debug_info.DIGlobalVariable().is_definition is True
    assert DIFile().source is None
    assert DICompositeType().enum_kind is None


def test_patterns_and_classes_in_common():
    match DIBasicType(name="int", size=32, encoding=TypeEncoding.signed):
        case DIType(name="int", size=32) as found:
            assert isinstance(found, DIScope)
        case _:
            pytest.fail("no match")


def test_operands_stand_in_llvms_order():
    file, scope, base, data = DIFile(filename="a.c"), DIFile(), DIBasicType(name="int"), MDTuple()
    node = DIDerivedType(
        tag=Tag.member, name="x", scope=scope, file=file, base_type=base, size=32, offset=64, extra_data=data
    )
    assert node.operands == (file, scope, "x", 32, 64, base, data, None)
    node.set_operand(5, None)
    assert node.base_type is None


def test_operands_of_a_generic_node_follow_its_header():
    first, second = MDString("a"), MDTuple()
    node = GenericDINode(tag=Tag.label, header="h", dwarf_operands=(first, None))
    assert node.operands == ("h", first, None)
    node.set_operand(2, second)
    assert node.dwarf_operands == (first, second)


def test_equal_nodes_are_one_unless_distinct():
    table = MetadataTable()
    first = table.unique(DILocation(line=1, scope=None))
    assert table.unique(DILocation(line=1)) is first
    assert table.unique(DILocation(line=2)) is not first
    distinct = DILocation(line=1, is_distinct=True)
    assert table.unique(distinct) is distinct


def test_repr_shows_what_was_given():
    assert repr(DILocation(line=3, is_distinct=True)) == "<distinct DILocation line=3>"
    assert repr(debug_info.DISubroutineType()) == "<DISubroutineType>"
    assert repr(DIExpression([6])) == "DIExpression([6])"
    assert repr(DIAssignID()) == "<distinct DIAssignID>"


def test_operations_of_an_expression():
    assert list(DIExpression([0x23, 8, 0x06, 0x1000, 0, 32]).operations) == [(0x23, 8), (0x06,), (0x1000, 0, 32)]
    assert list(DIExpression([0x7777, 0x10]).operations) == [(0x7777,), (0x10,)]
    assert DIExpression().operands == ()
    with pytest.raises(IndexError, match="has no operand 0"):
        DIExpression().set_operand(0, None)


def test_spelling_of_numbers():
    assert Tag.spelling_of(0x24) == "DW_TAG_base_type"
    assert Tag.spelling_of(0x9999) == "39321"
    assert Language.spelling_of(Language.C_plus_plus_14) == "DW_LANG_C_plus_plus_14"
    assert NameTableKind.spelling_of(2) == "None"
    assert (len(Tag.spellings), len(Language.spellings), len(TypeEncoding.spellings)) == (115, 63, 24)


def test_all_classes_are_exported():
    assert {row.name for row in NODES} <= set(debug_info.__all__)
    assert issubclass(DISubprogram, debug_info.DILocalScope)
    assert issubclass(debug_info.DILocalScope, DINode)
