"""Metadata nodes: what refers to what, and the programs that print fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bitcodec
from bitcodec import ir
from bitcodec.asm.debug_info import NodePrintPrograms, PrintWhen, ValueShape
from bitcodec.asm.functions import function_text
from bitcodec.asm.nodes import add_node_lines, node_text
from bitcodec.asm.numbering import Numbering
from bitcodec.asm.text_buffer import TextBuffer
from bitcodec.asm.texts import Texts
from bitcodec.ir import debug_info
from bitcodec.ir.metadata import MDNode, MDTuple, Metadata
from bitcodec.ir.node_operands import OPERAND_LISTS, OPERAND_PLACES
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_rows import FieldKind, Node, Printed

EXAMPLE = Path(__file__).parents[2] / "examples" / "queue.bc"
_METADATA_KINDS = {FieldKind.NODE, FieldKind.NODE_ID, FieldKind.TYPE, FieldKind.INTEGER, FieldKind.SIGNED_INTEGER}

_NOT_PRINTED = (Printed.NEVER, Printed.DERIVED)
_SIGNED = (
    "ptrAuthKey: 2, ptrAuthIsAddressDiscriminated: false, ptrAuthIsaPointer: false, "
    "ptrAuthAuthenticatesNullValues: false"
)


def of_row(row: Node) -> Any:
    return getattr(debug_info, row.name)


def node_of_tuples(row: Node) -> tuple[MDNode, dict[str, Metadata]]:
    """Return a node that refers to another tuple by each of its fields that hold metadata."""
    operands: dict[str, Metadata] = {
        field.attribute: MDTuple((), is_distinct=True) for field in row.fields if field.kind in _METADATA_KINDS
    }
    return of_row(row)(**operands), operands


@pytest.mark.parametrize("row", NODES, ids=lambda row: row.name)
def test_operand_places_are_in_the_order_of_operands(row: Node) -> None:
    node, operands = node_of_tuples(row)
    content = node.key()
    found = [content[place] for place in reversed(OPERAND_PLACES[of_row(row)])]
    assert found == [operand for operand in node.operands if isinstance(operand, Metadata)]
    assert len(found) == len(operands)


@pytest.mark.parametrize("row", NODES, ids=lambda row: row.name)
def test_nodes_are_numbered_in_the_order_of_operands(row: Node) -> None:
    node, _ = node_of_tuples(row)
    numbering = Numbering(None)
    numbering.add_node(node)
    assert list(numbering.nodes) == [node, *(operand for operand in node.operands if isinstance(operand, Metadata))]


def test_lists_of_operands_are_numbered_too() -> None:
    assert OPERAND_LISTS.keys() == {ir.GenericDINode}
    parts = [MDTuple((), is_distinct=True) for _ in range(3)]
    node = ir.GenericDINode(tag=1, header="", dwarf_operands=(parts[1], None, parts[0], parts[2]))
    numbering = Numbering(None)
    numbering.add_node(MDTuple((node, parts[2])))
    assert list(numbering.nodes)[1:] == [node, parts[1], parts[0], parts[2]]


def test_numbers_do_not_follow_python_s_stack() -> None:
    node = MDTuple(())
    for _ in range(20_000):
        node = MDTuple((node,))
    numbering = Numbering(None)
    numbering.add_node(node)
    assert len(numbering.nodes) == 20_001


@pytest.mark.parametrize("row", NODES, ids=lambda row: row.name)
def test_a_program_has_each_field_that_is_ever_printed(row: Node) -> None:
    head, program = NodePrintPrograms()[of_row(row)]
    assert head == f"!{row.name}("
    printed = [(place, field) for place, field in enumerate(row.fields) if field.printed not in _NOT_PRINTED]
    assert [(place, label) for place, label, *_ in program] == [
        (place, f", {field.name}: ") for place, field in printed
    ]
    for (_, field), (_, _, when, shape, detail) in zip(printed, program, strict=True):
        assert (when == PrintWhen.ALWAYS) is (field.printed is Printed.ALWAYS)
        assert (detail is None) is (shape in {ValueShape.NUMBER, ValueShape.STRING, ValueShape.REFERENCE})


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (ir.DILocation(), "!DILocation(line: 0, scope: null)"),
        (ir.DILocation(line=3, is_distinct=True), "distinct !DILocation(line: 3, scope: null)"),
        (ir.DIBasicType(), "!DIBasicType()"),
        (ir.DIEnumerator(name='"', value=-1 << 70), f'!DIEnumerator(name: "\\22", value: {-1 << 70})'),
        (MDTuple(()), "!{}"),
        (MDTuple((None,), is_distinct=True), "distinct !{null}"),
        (ir.DIAssignID(), "distinct !DIAssignID()"),
        (ir.DISubrange(count=0), "!DISubrange(count: 0)"),
        (ir.DISubrange(count=MDTuple(())), "!DISubrange(count: !0)"),
        (
            ir.DIDerivedType(tag=15, ptr_auth_key=2),
            f"!DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, {_SIGNED})",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_texts_of_nodes(node: MDNode, text: str) -> None:
    texts = Texts(None, Numbering(None))
    assert node_text(node, texts) == text
    buffer = TextBuffer()
    add_node_lines(buffer, [node, node], 7, texts)
    assert buffer.take() == f"!7 = {text}\n!8 = {text}\n"


def test_blocks_are_pieces_if_they_are_to_be() -> None:
    module = bitcodec.open(EXAMPLE)
    module.materialize()
    for function in module.functions:
        texts = Texts(module, Numbering.of_module(module))
        whole = list(function_text(function, texts))
        by_block = list(function_text(function, texts, by_block=True))
        assert "".join(by_block) == "".join(whole)
        if not function.is_declaration:
            assert len(by_block) - len(whole) == len(function.blocks) - 1
