"""Cells of programs: the loops that follow a program find each fact of a field where its name says."""

from __future__ import annotations

from bitcodec.bitcode.reader.programs import (
    AMOUNT,
    CONDITION,
    CONDITION_SLOT,
    DEFAULT,
    ENTRY_CELLS,
    IF_BIT,
    MUST_END,
    OF,
    RULE,
    SLOT,
    STEP_CELLS,
    Programs,
)
from bitcodec.bitcode.schema.fields import RecordField, TypeRule, WordKind

FLAGS = RecordField("flags", WordKind.NUMBER)
POINTER = RecordField("pointer", WordKind.VALUE, rule=TypeRule.SAME, of="flags", if_bit=("flags", 5), default=9)


def test_cells_have_names() -> None:
    programs = Programs({3: (FLAGS, POINTER)}, exact={3})
    first, last, flags = programs.entries[3 * ENTRY_CELLS : 4 * ENTRY_CELLS]
    assert (first, last, flags) == (0, 2 * STEP_CELLS, MUST_END)
    slots = programs.slots
    step = programs.cells[STEP_CELLS:last]
    named = {SLOT: slots["pointer"], OF: slots["flags"], RULE: TypeRule.SAME.value, CONDITION: IF_BIT}
    named |= {CONDITION_SLOT: slots["flags"], AMOUNT: 5, DEFAULT: 9}
    assert len(named) == STEP_CELLS - 1, "each cell behind the kind has one name"
    assert {cell: step[cell] for cell in named} == named
    assert step[0] == WordKind.VALUE.value
