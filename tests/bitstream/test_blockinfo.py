"""BLOCKINFO: what one block says of others, and from where on it holds."""

from __future__ import annotations

import pytest

from bits import Bits, Field

from .forms import Form

SETBID, BLOCKNAME, SETRECORDNAME = 1, 2, 3
NARROW: tuple[Field, ...] = (5, ("fixed", 4))
WIDE: tuple[Field, ...] = (6, ("vbr", 8))


def text(of: object) -> str:
    """Return an abbreviation, of whichever form of the package, as text."""
    return str(of)


def info_of(form: Form, bits: Bits) -> dict[int, list[str]]:
    infos = form.loads(bits.stream()).columns.block_infos
    return {block_id: list(map(text, made)) for block_id, made in infos[-1].info.abbreviations.items()}


def test_abbreviations_go_to_the_block_named_last(form: Form) -> None:
    bits = Bits().enter_block(0).unabbreviated(SETBID, [17]).define(*NARROW)
    bits.unabbreviated(SETBID, [8]).define(*WIDE).unabbreviated(SETBID, [17]).define(*WIDE).end_block()
    assert info_of(form, bits) == {17: ["[5, fixed(4)]", "[6, vbr(8)]"], 8: ["[6, vbr(8)]"]}


def test_ids_go_to_blockinfo_first(form: Form) -> None:
    bits = Bits().enter_block(0).unabbreviated(SETBID, [8]).define(*NARROW).end_block()
    bits.enter_block(8).define(*WIDE).abbreviated(5, WIDE, [6, 200]).abbreviated(4, NARROW, [5, 9]).end_block()
    block = form.loads(bits.stream()).blocks[1]
    assert [(record.code, record.operands) for record in block.records] == [(6, (200,)), (5, (9,))]
    assert list(map(text, block.shared_abbreviations)) == ["[5, fixed(4)]"]
    assert list(map(text, block.abbreviations)) == ["[5, fixed(4)]", "[6, vbr(8)]"]


def test_other_blocks_get_none(form: Form) -> None:
    bits = Bits().enter_block(0).unabbreviated(SETBID, [8]).define(*NARROW).end_block()
    bits.enter_block(9).abbreviated(4, NARROW, [5, 9]).end_block()
    error = form.loads(bits.stream()).decode().error
    assert error.reason == "abbreviation id 4 is not defined in this block; none is"
    assert error.block_path == (9,)


def test_a_second_one_replaces_the_first(form: Form) -> None:
    bits = Bits()
    for layout, block_id in ((NARROW, 8), (WIDE, 9)):
        bits.enter_block(0).unabbreviated(SETBID, [block_id]).define(*layout).end_block()
    bits.enter_block(9).abbreviated(4, WIDE, [6, 1]).end_block()
    bits.enter_block(8).abbreviated(4, NARROW, [5, 1]).end_block()
    columns = form.loads(bits.stream()).decode()
    assert columns.records.code[-1] == 6
    assert columns.error.block_path == (8,)


def test_an_open_block_keeps_what_it_began_with(form: Form) -> None:
    """Compiled, this once read outside of a table: the second BLOCKINFO, in the block, took the first one's away."""
    bits = Bits().enter_block(0).unabbreviated(SETBID, [8]).define(*NARROW).define(*WIDE).end_block()
    bits.enter_block(8).abbreviated(5, WIDE, [6, 77])
    bits.enter_block(0).unabbreviated(SETBID, [9]).define(*WIDE).end_block()
    bits.abbreviated(4, NARROW, [5, 7]).abbreviated(5, WIDE, [6, 79])
    bits.enter_block(9).abbreviated(4, WIDE, [6, 80]).end_block()
    bits.abbreviated(5, WIDE, [6, 81]).end_block()
    stream = form.loads(bits.stream())
    outer = stream.blocks[1]
    assert [record.operands for record in outer.records] == [(77,), (7,), (79,), (81,)]
    assert [text(record.abbreviation) for record in outer.records[1:3]] == ["[5, fixed(4)]", "[6, vbr(8)]"]
    assert outer.blocks[1].records[0].operands == (80,)
    assert form.encode(stream.payload, stream.columns) == bits.stream()


def test_many_in_open_blocks(form: Form) -> None:
    """The table of shared abbreviations grows; blocks all the way up still know theirs."""
    bits = Bits()
    for level in range(60):
        layout: tuple[Field, ...] = (level, ("fixed", 1 + level % 32))
        bits.enter_block(0).unabbreviated(SETBID, [8]).define(*layout).end_block()
        bits.enter_block(8).abbreviated(4, layout, [level, 1])
    for level in reversed(range(60)):
        bits.abbreviated(4, (level, ("fixed", 1 + level % 32)), [level, 0]).end_block()
    columns = form.loads(bits.stream()).columns
    codes = [code for code, by in zip(columns.records.code, columns.records.abbreviation, strict=True) if by == 4]
    assert codes == [*range(60), *reversed(range(60))]


def test_names(form: Form) -> None:
    bits = Bits().enter_block(0).unabbreviated(SETBID, [40]).unabbreviated(BLOCKNAME, b"Forty")
    bits.unabbreviated(SETRECORDNAME, [7, *b"Seven"]).unabbreviated(SETRECORDNAME, [7, *b"Later"])
    bits.unabbreviated(SETRECORDNAME, [8, 0xFFFF_FFC3, 0xE9]).end_block()
    info = form.loads(bits.stream()).columns.block_infos[0].info
    assert info.block_names == {40: "Forty"}
    assert info.record_names == {(40, 7): "Seven", (40, 8): "\xc3\xe9"}, "the first name given is kept, as by LLVM"


@pytest.mark.parametrize("code", [BLOCKNAME, SETRECORDNAME])
def test_names_before_setbid(form: Form, code: int) -> None:
    bits = Bits().enter_block(8).enter_block(0)
    start = bits.size
    error = form.loads(bits.unabbreviated(code, [65]).end_block().end_block().stream()).decode().error
    assert error.reason == "BLOCKINFO describes a block before SETBID names it"
    assert (error.bit_offset, error.block_path) == (start, (8, 0))


def test_definition_before_setbid(form: Form) -> None:
    start = Bits().enter_block(0).size
    error = form.loads(Bits().enter_block(0).define(*NARROW).end_block().stream()).decode().error
    assert error.reason == "BLOCKINFO describes a block before SETBID names it"
    assert (error.bit_offset, error.block_path) == (start, (0,))


@pytest.mark.parametrize(("records", "name"), [([(SETBID, [])], "SETBID"), ([(1, [9]), (3, [])], "SETRECORDNAME")])
def test_a_record_without_its_operand(form: Form, records: list[tuple[int, list[int]]], name: str) -> None:
    bits = Bits().enter_block(0)
    for code, operands in records:
        bits.unabbreviated(code, operands)
    error = form.loads(bits.end_block().stream()).decode().error
    assert error.reason == f"{name} has no operand"


def test_other_records_are_let_be(form: Form) -> None:
    bits = Bits().enter_block(0).unabbreviated(9, [1]).unabbreviated(SETBID, [8]).unabbreviated(99, []).end_block()
    columns = form.loads(bits.stream()).columns
    assert list(columns.records.code) == [9, 1, 99]


def test_in_force_from_the_next_block_on(form: Form) -> None:
    bits = Bits().enter_block(8).enter_block(9).end_block()
    bits.enter_block(0).unabbreviated(SETBID, [9]).define(*NARROW).end_block()
    bits.enter_block(9).end_block().end_block().enter_block(9).end_block()
    stream = form.loads(bits.stream())
    outer, last = stream.blocks
    before, _, after = outer.blocks
    assert before.block_info.abbreviations == {}
    assert list(map(text, after.shared_abbreviations)) == ["[5, fixed(4)]"]
    assert list(map(text, last.shared_abbreviations)) == ["[5, fixed(4)]"]
    assert list(outer.block_info_after.abbreviations) == [9]
