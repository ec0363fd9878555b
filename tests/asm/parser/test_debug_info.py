"""Specialised nodes and debug records: every class is read as it is printed, and refused as llvm-as 22 refuses it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bitcodec
from answers import ask
from bitcodec.asm.parser.node_programs import node_program
from bitcodec.ir import debug_info as ir
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableRecord
from bitcodec.ir.metadata import DIArgList, MDNode, MDTuple
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_flags import FixedPointKind
from bitcodec.tables.debug_info_rows import FieldKind, Node, NodeField, Printed
from bitcodec.tables.dwarf import TypeEncoding

MALFORMED: list[tuple[str, str]] = json.loads((Path(__file__).parent / "metadata_errors.json").read_text())
"""Texts, and what llvm-as 22 says of each: line, column and message, nothing if it accepts it."""

_NODES = {FieldKind.NODE, FieldKind.NODE_ID, FieldKind.TYPE}
_DEEP = 10_000


def parsed_node(text: str) -> MDNode:
    """Return the node of a line."""
    return bitcodec.parse_assembly(f"!n = !{{!0}}\n!0 = {text}\n").named_metadata["n"].operands[0]


def sample(field: NodeField, number: int) -> Any:
    """Return a value of a field that is not its default."""
    match field.kind:
        case FieldKind.BOOLEAN:
            return not field.default
        case FieldKind.STRING | FieldKind.STRING_OR_NONE:
            return f'text "{number}"'
        case FieldKind.NODES:
            return (MDTuple((), is_distinct=True), None)
        case FieldKind.NAMED | FieldKind.FLAGS:
            assert field.names is not None
            return next(number for number in reversed(field.names.spellings) if number and number != field.default)
        case FieldKind.SIGNED | FieldKind.WIDE | FieldKind.SIGNED_INTEGER:
            return -number - 1
        case kind if kind in _NODES:
            return MDTuple((), is_distinct=True)
    return 1


def sample_node(row: Node) -> Any:
    """Return a node all of whose fields differ from their defaults."""
    fields = {field.attribute: sample(field, number) for number, field in enumerate(row.fields)}
    if row.name == "DICompileUnit":
        fields["language"] = 0  # it is the other name that is printed
    if row.name == "DIEnumerator":
        fields |= {"value": 7, "bit_width": 3}
    if row.name == "DIFixedPointType":
        fields |= {"kind": FixedPointKind.Rational, "factor": 0, "encoding": TypeEncoding.signed_fixed}
        fields |= {"numerator_width": 5, "denominator_width": 5}
    return getattr(ir, row.name)(is_distinct=True, **fields)


def verdict(text: str) -> str:
    """Return the error of a text, nothing if it has none."""
    try:
        bitcodec.parse_assembly(f"{text}\n", dialect=22)
    except bitcodec.AssemblyError as error:
        return str(error)
    return ""


def plain(value: Any) -> Any:
    """Return the value of a field, `...` for a node."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return ... if isinstance(value, MDNode) else value


@pytest.mark.parametrize("row", NODES, ids=lambda row: row.name)
def test_all_fields_of_a_class_are_read_as_they_are_printed(row: Node) -> None:
    node = sample_node(row)
    module = bitcodec.Module("m", DataLayout(""))
    module.named_metadata["n"] = bitcodec.ir.NamedMetadata("n", [node])
    text = str(module)
    again = bitcodec.parse_assembly(text, name="m")
    assert str(again).splitlines()[3:] == text.splitlines()[3:]
    found = again.named_metadata["n"].operands[0]
    for field in row.fields:
        if field.printed is not Printed.NEVER:
            assert plain(getattr(found, field.attribute)) == plain(getattr(node, field.attribute)), field.name


@pytest.mark.parametrize("row", NODES, ids=lambda row: row.name)
def test_a_program_reads_every_field_of_its_row(row: Node) -> None:
    program = node_program(row.name.encode())
    assert program is not None
    labels = [field.name.encode() for field in row.fields if field.printed is not Printed.DERIVED]
    assert [label for label, step in program.fields.items() if step.place < len(row.fields)] == labels


def test_errors_are_those_of_llvm() -> None:
    assert {text: verdict(text) for text, _ in MALFORMED} == dict(MALFORMED)


def test_the_errors_are_up_to_date() -> None:
    for text, message in MALFORMED[::8]:
        done = ask(["llvm-as-22", "-disable-output", "-"], input=f"{text}\n", text=True)
        told = done.stderr.partition("\n")[0].removeprefix("llvm-as-22: ")
        assert told.replace("error: ", "").rpartition("<stdin>:")[2] == message


def test_fields_may_be_in_any_order_and_missing() -> None:
    node = parsed_node('!DIBasicType(encoding: 5, "name": "int", size: i64 32)')
    assert isinstance(node, ir.DIBasicType)
    assert (node.name, node.size, node.encoding, node.align) == ("int", 32, 5, 0)
    assert parsed_node("!DIBasicType()").size is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("value", "width"),
    [
        ("3", 3),
        ("0", 1),
        ("-1", 1),
        ("-128", 8),
        ("s0x80", 8),
        ("u0x0080", 9),
        ("u0x0", 4),
        ("255, isUnsigned: true", 8),
    ],
)
def test_widths_of_enumerators_are_those_of_llvm(value: str, width: int) -> None:
    assert parsed_node(f'!DIEnumerator(name: "x", value: {value})').bit_width == width  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("", 8),
        ("isLocal: true, isDefinition: false, isOptimized: true", 4 | 16),
        ("virtuality: DW_VIRTUALITY_pure_virtual", 2 | 8),
        ("isLocal: true, spFlags: DISPFlagOptimized | 32", 16 | 32),
    ],
)
def test_flags_of_old_subprograms(text: str, flags: int) -> None:
    node = parsed_node(f"distinct !DISubprogram({text})")
    assert isinstance(node, ir.DISubprogram)
    assert node.sp_flags == flags


def test_numbers_keep_the_bits_that_llvm_keeps() -> None:
    location = parsed_node("!DILocation(scope: !{}, atomGroup: 18446744073709551615, atomRank: 255)")
    assert isinstance(location, ir.DILocation)
    assert (location.atom_group, location.atom_rank) == ((1 << 61) - 1, 7)
    assert parsed_node("!DIFixedPointType(factor: 2147483648)").factor == -1 << 31  # type: ignore[attr-defined]
    pointer = "!DIDerivedType(tag: 15, baseType: null, ptrAuthIsaPointer: true, dwarfAddressSpace: 4294967295)"
    node = parsed_node(pointer)
    assert isinstance(node, ir.DIDerivedType)
    assert (node.ptr_auth_isa_pointer, node.dwarf_address_space) == (False, None)


def test_bounds_may_be_numbers() -> None:
    bounds = parsed_node("!DIGenericSubrange(lowerBound: -1, stride: 4)")
    assert str(bounds) == "!DIGenericSubrange(lowerBound: -1, stride: 4)"
    assert bounds.lower_bound.elements == (0x11, (1 << 64) - 1)  # type: ignore[attr-defined]
    assert str(parsed_node("!DISubrangeType(baseType: null, bias: 3)")).endswith("bias: i64 3)")


RECORDS = """\
define void @f(i32 %x) {
    #dbg_value(!DIArgList(i32 %y, ptr @g, i32 %x), !1, !DIExpression(DW_OP_LLVM_arg, 0), !2)
    #dbg_assign(i32 %y, !1, !DIExpression(), !3, ptr @g, !DIExpression(DW_OP_deref), !2)
  %y = add i32 %x, 1
    #dbg_label(!4, !2)
    #dbg_declare(!{}, !1, !DIExpression(), !2)
    #dbg_declare_value(i32 5, !1, !DIExpression(), !2)
  ret void
}

@g = global i32 0
!llvm.module.flags = !{!5}
!0 = !{}
!1 = !DILocalVariable(scope: !0)
!2 = !DILocation(scope: !0)
!3 = distinct !DIAssignID()
!4 = !DILabel(scope: !0, name: "l", file: null, line: 1)
!5 = !{i32 2, !"Debug Info Version", i32 3}
"""


def test_debug_records() -> None:
    module = bitcodec.parse_assembly(RECORDS)
    function = module.functions["f"]
    add, end = function.blocks[0].instructions
    value, assign = add.debug_records
    label, declare, constant = end.debug_records
    assert isinstance(value, DbgVariableRecord)
    assert isinstance(value.value, DIArgList)
    global_ = module.global_variables["g"]
    assert [argument.value for argument in value.value.arguments] == [add, global_, function.arguments[0]]
    assert isinstance(assign, DbgVariableRecord)
    assert assign.value.value is add  # type: ignore[attr-defined]
    assert assign.address.value is global_  # type: ignore[union-attr]
    assert isinstance(assign.assign_id, ir.DIAssignID)
    assert isinstance(label, DbgLabelRecord)
    assert label.label.name == "l"
    assert isinstance(declare, DbgVariableRecord)
    assert isinstance(declare.value, MDTuple)
    assert str(constant).startswith("#dbg_declare_value(i32 5, ")
    assert constant.location is value.location


def test_values_that_stand_for_globals_make_no_second_node() -> None:
    module = bitcodec.parse_assembly("!n = !{!0, !1}\n!0 = !{ptr @g}\n@g = global i8 0\n!1 = !{ptr @g}\n")
    first, second = module.named_metadata["n"].operands
    assert first is second


@pytest.mark.parametrize("begin", ["!DILocation(scope: ", "!{", "!GenericDINode(tag: 1, operands: {", "! {!{"])
def test_nodes_nest_to_any_depth(begin: str) -> None:
    with pytest.raises(bitcodec.AssemblyError, match="expected"):
        bitcodec.parse_assembly(f"!0 = {begin * _DEEP}")
    end = "".join({"(": ")", "{": "}"}.get(character, "") for character in reversed(begin))
    text = f"!n = !{{!0}}\n!0 = {begin * _DEEP}!{{}}{end * _DEEP}\n"
    assert bitcodec.parse_assembly(text).named_metadata["n"].operands[0].operands


MEMBERS = """!named = !{!0, !1, !2, !3, !4, !5, !6, !7}
!0 = !DICompositeType(tag: DW_TAG_structure_type, name: "A", identifier: "A")
!1 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !0, line: 1, baseType: null)
!2 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !0, line: 2, baseType: null)
!3 = !DISubprogram(linkageName: "f", scope: !0, line: 1, spFlags: 0)
!4 = !DISubprogram(linkageName: "f", scope: !0, line: 2, spFlags: 0)
!5 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "B"IDENTIFIER)
!6 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !5, line: 1, baseType: null)
!7 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !5, line: 2, baseType: null)
"""


@pytest.mark.parametrize("has_identifier", [True, False])
def test_members_of_types_with_identifiers_are_one_by_name(has_identifier: bool) -> None:
    text = MEMBERS.replace("IDENTIFIER", ', identifier: "B"' if has_identifier else "")
    nodes = bitcodec.parse_assembly(text).named_metadata["named"].operands
    assert (nodes[1], nodes[3]) == (nodes[2], nodes[4])
    assert (nodes[1].line, nodes[3].line) == (1, 1)
    assert (nodes[6] is nodes[7]) is has_identifier


def test_bounds_are_known_by_their_numbers() -> None:
    text = (
        "!named = !{!0, !1, !2, !3}\n!0 = !DISubrange(count: i32 3, lowerBound: 0)\n"
        "!1 = !DISubrange(count: 3, lowerBound: 0)\n!2 = !DISubrange(count: 3)\n!3 = !DISubrange(count: i32 -3)\n"
    )
    module = bitcodec.parse_assembly(text)
    first, second, third, fourth = module.named_metadata["named"].operands
    assert first is second
    assert len({id(node) for node in (first, third, fourth)}) == 3


def test_lists_of_the_same_arguments_are_one() -> None:
    text = (
        "define void @f(i32 %x) {\n"
        "    #dbg_value(!DIArgList(i32 %x, i32 1), !1, !DIExpression(), !2)\n"
        "    #dbg_value(!DIArgList(i32 %x, i32 1), !1, !DIExpression(), !2)\n"
        "    #dbg_value(!DIArgList(i32 1, i32 %x), !1, !DIExpression(), !2)\n"
        "  ret void\n}\n!0 = distinct !DISubprogram()\n!1 = !DILocalVariable(scope: !0)\n!2 = !DILocation(scope: !0)\n"
        '!llvm.module.flags = !{!3}\n!3 = !{i32 2, !"Debug Info Version", i32 3}\n'
    )
    (instruction,) = bitcodec.parse_assembly(text).functions["f"].entry_block.instructions
    first, second, third = (record.value for record in instruction.debug_records)
    assert first is second
    assert first is not third
