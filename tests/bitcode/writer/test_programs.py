"""Programs that write instructions and nodes: made from the rows that the reader follows, for every class."""

from __future__ import annotations

import pytest

from bitcodec.bitcode.schema.fields import Kind
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.schema.metadata import layout_of
from bitcodec.bitcode.writer.debug_info import Operation, program_of
from bitcodec.bitcode.writer.instructions import PROGRAMS
from bitcodec.bitcode.writer.programs import Condition, SourceKind
from bitcodec.ir import debug_info, instructions
from bitcodec.ir.debug_info_base import DINode
from bitcodec.tables.debug_info import NODES

ABSTRACT = {"CallBase", "Instruction", "Terminator"}
CLASSES = [
    found
    for name in instructions.__all__
    if isinstance(found := getattr(instructions, name), type)
    and issubclass(found, instructions.Instruction)
    and name not in ABSTRACT
]
KINDS = {kind.value: kind for kind in Kind}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_class_of_instructions_has_a_program(kind: type[instructions.Instruction]) -> None:
    program = PROGRAMS[kind]
    assert [choice[0] for choice in program[:-1]].count(Condition.ALWAYS) == 0
    assert program[-1][0] == Condition.ALWAYS
    for _, _, (code, _, _, _, steps) in program:
        (layout,) = [layout for layout_code, layout in INSTRUCTION_LAYOUTS.items() if layout_code == code]
        kinds = [field.kind for field in layout]
        assert [KINDS[step[3]] for step in steps] == kinds[: len(steps)]
        for source, _, what, _, _ in steps:
            if source == SourceKind.ATTRIBUTE:
                assert hasattr(kind, what), f"{kind.__name__} has no {what}"


@pytest.mark.parametrize("row", NODES, ids=lambda row: row.name)
def test_what_a_node_refers_to_is_what_the_reader_finds(row: object) -> None:
    kind: type[DINode] = getattr(debug_info, row.name)  # type: ignore[attr-defined]
    program, names = program_of(kind), list(kind.defaults)
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
    assert program.operands[0][0] == Operation.HEADER
    for position, (operation, place, _) in enumerate(program.operands):
        if operation not in (Operation.HEADER, Operation.BITS, Operation.ZERO):
            assert places.get(names[place], position) == position
