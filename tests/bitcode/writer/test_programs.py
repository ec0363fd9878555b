"""Programs that write instructions and nodes: made from the rows that the reader follows, for every class."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.bitcode.schema.fields import WordKind
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.schema.metadata import layout_of
from bitcodec.bitcode.writer.debug_info import NodeOperation, program_of
from bitcodec.bitcode.writer.instructions import PROGRAMS
from bitcodec.bitcode.writer.programs import SourceKind, When, packed_number, part
from bitcodec.bitstream import loads
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.ir import debug_info, instructions
from bitcodec.ir.debug_info_base import DINode
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.instruction_flags import FastMathFlags
from bitcodec.tables.opcodes import TailCallKind

ABSTRACT = {"CallBase", "Instruction", "Terminator"}
CLASSES = [
    found
    for name in instructions.__all__
    if isinstance(found := getattr(instructions, name), type)
    and issubclass(found, instructions.Instruction)
    and name not in ABSTRACT
]
KINDS = {kind.value: kind for kind in WordKind}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_class_of_instructions_has_a_program(kind: type[instructions.Instruction]) -> None:
    program = PROGRAMS[kind]
    assert [form.when for form, _ in program[:-1]].count(When.ALWAYS) == 0
    assert program[-1][0].when == When.ALWAYS
    for form, steps in program:
        kinds = [field.kind for field in INSTRUCTION_LAYOUTS[form.code]]
        assert [KINDS[step[3]] for step in steps] == kinds[: len(steps)]
        for source, _, what, _, _ in steps:
            if source == SourceKind.ATTRIBUTE:
                assert hasattr(kind, what), f"{kind.__name__} has no {what}"
            if source == SourceKind.PACKED:
                assert all(hasattr(kind, name) for name, _, _, _ in what[1])


def test_several_attributes_make_one_operand() -> None:
    class Shape:
        size, name, is_open = 5, "round", True

    parts = part("size", 4), part("name", 1, {"flat": 0, "round": 3}), part("is_open", 8, is_flag=True)
    assert packed_number(Shape(), 1, parts) == 0b1_0101_0111


def test_flags_of_calls_and_allocas() -> None:
    module = new_module("flags")
    types = module.context.types
    callee = add_function(module, "callee", types.function(types.double, []))
    function = add_function(module, "f", types.function(types.void, []))
    builder = Builder(add_block(function))
    call = builder.call(callee, [])
    call.calling_convention, call.tail_kind, call.fast_math = 8, TailCallKind.TAIL, FastMathFlags.NNAN
    builder.alloca(types.integer(64), alignment=1 << 32, swifterror=True)
    builder.ret()
    (written,) = [block for block in loads(bitcodec.dumps(module)).blocks if block.id == BlockId.MODULE_BLOCK]
    (body,) = [block for block in written.blocks if block.id == BlockId.FUNCTION_BLOCK]
    records = {record.code: list(record.operands) for record in body.records}
    # Bit 0 is `tail`, bits 1 to 10 are the calling convention, bit 15 is always set, bit 17 announces fast math.
    assert records[FunctionCode.INST_CALL][1:3] == [1 | 8 << 1 | 1 << 15 | 1 << 17, FastMathFlags.NNAN]
    # The alignment is 33: five bits of it are the lowest, the others follow bit 7, which is `swifterror`.
    assert records[FunctionCode.INST_ALLOCA][3] == 33 & 31 | 1 << 6 | 1 << 7 | 33 >> 5 << 8


@pytest.mark.parametrize("row", NODES, ids=lambda row: row.name)
def test_what_a_node_refers_to_is_what_the_reader_finds(row: object) -> None:
    kind: type[DINode] = getattr(debug_info, row.name)  # type: ignore[attr-defined]
    program, names = program_of(kind, 24), list(kind.defaults)
    layout = layout_of(program.code)
    fields = (layout.strings, layout.optional_strings, layout.nodes, layout.node_ids)
    read = {name for group in fields for name, _ in group}
    read |= {name for group in (layout.unsigned_integers, layout.signed_integers) for name, _ in group}
    assert {names[place] for place, _ in program.references} == read
    assert {names[place] for place, is_text in program.references if is_text} == {name for name, _ in layout.strings}
    assert (names[program.rest] if program.rest >= 0 else None) == (layout.rest and layout.rest[1])


@pytest.mark.parametrize("row", NODES, ids=lambda row: row.name)
def test_an_operand_is_written_where_it_is_read(row: object) -> None:
    kind: type[DINode] = getattr(debug_info, row.name)  # type: ignore[attr-defined]
    program, names = program_of(kind), list(kind.defaults)
    layout = layout_of(program.code)
    places = dict(layout.numbers + layout.strings + layout.nodes + layout.node_ids + layout.booleans)
    assert program.operands[0][0] == NodeOperation.HEADER
    for position, (operation, place, _) in enumerate(program.operands):
        if operation not in (NodeOperation.HEADER, NodeOperation.BITS, NodeOperation.ZERO):
            assert places.get(names[place], position) == position
