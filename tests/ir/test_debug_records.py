"""Debug records: they stand between instructions and stay there when instructions come and go, as in LLVM."""

from __future__ import annotations

import pytest

from bitcodec.ir import (
    BasicBlock,
    Branch,
    DbgLabelRecord,
    DbgVariableKind,
    DbgVariableRecord,
    DebugRecord,
    DIExpression,
    DIFile,
    DILabel,
    DILocalVariable,
    DILocation,
    Freeze,
    Instruction,
    Load,
    LocalAsMetadata,
    Module,
    Phi,
    Return,
)

from .graph import check
from .samples import counting


@pytest.fixture
def module() -> Module:
    return counting()


@pytest.fixture
def block(module: Module) -> BasicBlock:
    """Return `%last = load`, `%again = call`, `ret`, each with a record in front: 0, 1, 2."""
    block = module.functions["count"].blocks[2]
    for index, instruction in enumerate(block):
        instruction.debug_records.append(record(str(index)))
    return block


def record(name: str) -> DbgLabelRecord:
    scope = DIFile(filename="a.c", directory="/")
    location = DILocation(line=1, column=1, scope=scope)
    return DbgLabelRecord(location, DILabel(scope=scope, name=name, file=scope, line=1))


def frozen(block: BasicBlock) -> Freeze:
    assert block.parent is not None
    return Freeze(block.parent.arguments[0])


def shown(block: BasicBlock) -> str:
    """Return the opcodes, with the records in front of them."""
    pieces = [piece for made in block for piece in (*map(label, made.debug_records), made.opcode)]
    return " ".join([*pieces, *map(label, block.trailing_debug_records)])


def label(found: DebugRecord) -> str:
    assert isinstance(found, DbgLabelRecord)
    return str(found.label.name)


def test_at_first(block: BasicBlock) -> None:
    assert shown(block) == "0 load 1 call 2 ret"


def test_insert_before_goes_behind_the_records(block: BasicBlock) -> None:
    frozen(block).insert_before(block.instructions[1])
    assert shown(block) == "0 load 1 freeze call 2 ret"


def test_insert_after_goes_in_front_of_the_records(block: BasicBlock) -> None:
    frozen(block).insert_after(block.instructions[0])
    assert shown(block) == "0 load freeze 1 call 2 ret"


def test_insert_at_the_beginning_goes_in_front_of_all(block: BasicBlock) -> None:
    block.insert(0, frozen(block))
    block.insert(2, frozen(block))
    assert shown(block) == "freeze 0 load 1 freeze call 2 ret"


def test_a_phi_stands_in_front_of_records(block: BasicBlock) -> None:
    assert block.parent is not None
    phi = Phi(block.parent.arguments[0].type, [], [])
    phi.insert_before(block.instructions[0])
    assert shown(block) == "phi 0 load 1 call 2 ret"


def test_what_has_records_keeps_them_when_it_is_inserted(block: BasicBlock) -> None:
    made = frozen(block)
    made.debug_records.append(record("own"))
    made.insert_before(block.instructions[1])
    assert shown(block) == "0 load 1 own freeze call 2 ret"


def test_removing_leaves_records_to_what_follows(block: BasicBlock) -> None:
    load, call, _ = block.instructions
    call.remove_from_parent()
    assert shown(block) == "0 load 1 2 ret"
    load.remove_from_parent()
    assert shown(block) == "0 1 2 ret"
    assert load.debug_records == call.debug_records == []


def test_records_at_the_end_wait_for_what_comes(block: BasicBlock) -> None:
    *_, leave = block.instructions
    leave.erase_from_parent()
    assert shown(block) == "0 load 1 call 2"
    made = frozen(block)
    block.append(made)
    assert shown(block) == "0 load 1 call 2 freeze"
    made.erase_from_parent()
    Return(leave.type).insert_after(block.instructions[-1])
    assert shown(block) == "0 load 1 call 2 ret"


def test_moving_leaves_records_behind(block: BasicBlock) -> None:
    load, call, leave = block.instructions
    load.move_before(leave)
    assert shown(block) == "0 1 call 2 load ret"
    call.move_after(load)
    assert shown(block) == "0 1 2 load call ret"
    assert isinstance(load, Load)


def test_replacing_puts_the_new_one_behind_the_records(module: Module, block: BasicBlock) -> None:
    block.instructions[0].replace_with(frozen(block))
    assert shown(block) == "0 freeze 1 call 2 ret"
    check(module)


def test_records_of_a_block_go_with_it(module: Module, block: BasicBlock) -> None:
    rest = block.split(block.instructions[1])
    assert (shown(block), shown(rest)) == ("0 load 1 br", "call 2 ret")
    check(module)


def test_records_stay_behind_what_is_split_off(module: Module, block: BasicBlock) -> None:
    rest = block.split_off(block.instructions[1])
    assert block.terminator is None
    assert len(block.trailing_debug_records) == 1
    assert shown(rest) == "call 2 ret"
    block.append(Branch(module.context.types.void, rest))
    assert shown(block) == "0 load 1 br"
    check(module)


def test_a_record_follows_its_value(module: Module, block: BasicBlock) -> None:
    load, call, _ = block.instructions
    scope = DIFile(filename="a.c", directory="/")
    wrapper = module.context.metadata.value(load)
    location = DILocation(line=1, column=1, scope=scope)
    variable = DILocalVariable(scope=scope, name="v", file=scope, line=1)
    told = DbgVariableRecord(DbgVariableKind.VALUE, location, variable, DIExpression(), wrapper)
    call.debug_records.append(told)
    other = frozen(block)
    load.replace_with(other)
    match told:
        case DbgVariableRecord(DbgVariableKind.VALUE, found, LocalAsMetadata(Instruction() as value)):
            assert (found, value) == (variable, other)
        case _:
            pytest.fail(repr(told))
    assert str(told.kind) == "dbg_value"
    assert repr(told) == f"<dbg_value {variable!r}>"
    assert repr(record("here")) == f"<dbg_label {record('here').label!r}>"
