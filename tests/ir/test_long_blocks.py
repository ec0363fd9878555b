"""Changes in a long block take few steps wherever they are; what a block, a function, a user shows is not copied."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import bitcodec
from bitcodec.ir import BasicBlock, BinaryOperator, Function, Instruction, Phi, Return, Unreachable
from bitcodec.ir.construction.present import instructions_between, neighbours
from bitcodec.ir.instruction_list import InstructionRuns
from bitcodec.ir.runs import MAX_RUN

from .graph import check
from .samples import counting, new_block, new_function, new_module

COUNT = 3000


class CountingAdd(BinaryOperator):
    """An instruction that counts how often instructions are compared with it."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other: object) -> bool:
        CountingAdd.comparisons += 1
        return self is other

    __hash__ = BinaryOperator.__hash__


def new_add(function: Function, kind: type[BinaryOperator] = BinaryOperator) -> BinaryOperator:
    number = function.arguments[0]
    return kind("add", number, number)


def filled(count: int, kind: type[BinaryOperator] = BinaryOperator) -> tuple[BasicBlock, list[Instruction]]:
    """Return a block of additions that ends with `unreachable`, and its instructions."""
    module = new_module()
    function = new_function(module, "f", None, [module.context.types.integer(32)])
    block = new_block(function)
    for _ in range(count):
        block.append(new_add(function, kind))
    block.append(Unreachable(module.context.types.void))
    return block, list(block)


def random_place(count: int) -> Callable[[Random], int]:
    return lambda chance: chance.randrange(count)


@pytest.mark.parametrize("place", [lambda _: 0, lambda _: COUNT - 1, lambda _: COUNT // 2, random_place(COUNT)])
def test_each_change_takes_few_steps(place: Callable[[Random], int]) -> None:
    block, instructions = filled(COUNT, CountingAdd)
    function, chance = block.parent, Random(1)
    assert function is not None
    CountingAdd.comparisons = 0
    for number in range(COUNT):
        at = place(chance)
        made = new_add(function, CountingAdd)
        if number % 3 == 0:
            made.insert_before(instructions[at])
        elif number % 3 == 1:
            made.insert_after(instructions[at])
        else:
            block.insert(at, made)
        instructions[at].erase_from_parent()
        instructions[at] = made
    # Three searches of a run each time.
    assert CountingAdd.comparisons <= 3 * MAX_RUN * COUNT
    assert len(block) == COUNT + 1


@pytest.mark.parametrize("count", [5, MAX_RUN, COUNT])
@pytest.mark.parametrize("seed", range(5))
def test_random_changes_leave_what_a_list_would_have(seed: int, count: int) -> None:
    block, expected = filled(count)
    function, chance = block.parent, Random(seed)
    assert function is not None
    for _ in range(300):
        place, verb = chance.randrange(len(expected)), chance.randrange(6)
        made, other = new_add(function), expected[place]
        if verb == 0:
            made.insert_before(other)
            expected.insert(place, made)
        elif verb == 1 and place < len(expected) - 1:
            made.insert_after(other)
            expected.insert(place + 1, made)
        elif verb == 2:
            block.insert(place, made)
            expected.insert(place, made)
        elif verb == 3:
            moved = expected.pop(chance.randrange(len(expected) - 1)) if len(expected) > 2 else other
            if moved is not other:
                moved.move_before(other)
                expected.insert(expected.index(other), moved)
            else:
                expected[:] = block.instructions
        elif not other.is_terminator:
            other.erase_from_parent()
            expected.remove(other)
        if made.parent is None:
            made.drop_all_references()
        if chance.random() < 0.1:
            assert list(block.instructions) == expected
        assert len(block) == len(expected)
        assert block.terminator is expected[-1]
    assert list(block) == expected
    assert function.parent is not None
    check(function.parent)


def test_a_long_block_is_split_and_joined_like_any_other() -> None:
    block, instructions = filled(COUNT)
    instructions[7].erase_from_parent()
    assert isinstance(block._instructions, InstructionRuns)
    rest = block.split(instructions[COUNT // 2])
    assert list(rest) == instructions[COUNT // 2 :]
    assert list(block)[:-1] == [each for each in instructions[: COUNT // 2] if each is not instructions[7]]
    assert block.successors == (rest,)
    for moved in rest.instructions:
        moved.erase_from_parent()
    assert not rest.instructions
    assert rest.terminator is None


@pytest.mark.parametrize("count", [5, COUNT])
def test_iteration_goes_through_what_was_there(count: int) -> None:
    block, instructions = filled(count)
    function = block.parent
    assert function is not None
    seen = []
    for each in block:
        seen.append(each)
        if not each.is_terminator:
            new_add(function).insert_after(each)
            each.erase_from_parent()
    assert seen == instructions
    assert len(block) == len(instructions)
    for other in function:
        other.erase_from_parent()
    assert function.blocks == ()


@pytest.mark.parametrize("count", [5, COUNT])
def test_what_is_shown_is_copied_once_and_stays_as_it_is(count: int) -> None:
    block, instructions = filled(count)
    shown = block.instructions
    assert shown is block.instructions
    instructions[1].erase_from_parent()
    assert list(shown) == instructions
    assert list(block.instructions) == [instructions[0], *instructions[2:]]
    assert block.instructions is block.instructions


def test_blocks_and_operands_are_copied_once() -> None:
    module = counting()
    function = module.functions["count"]
    blocks = function.blocks
    assert blocks is function.blocks
    made = new_block(function)
    assert function.blocks == (*blocks, made)
    assert function.blocks is function.blocks
    phi = blocks[1].phis[0]
    operands = phi.operands
    assert operands is phi.operands
    phi.add_incoming(operands[0], made)
    assert phi.operands == (*operands, operands[0])
    assert phi.operands is phi.operands
    phi.set_operand(0, operands[1])
    assert phi.operands == (operands[1], operands[1], operands[0])
    assert isinstance(phi, Phi)


def test_edges_are_added_without_a_copy_of_all() -> None:
    module = counting()
    phi = module.functions["count"].blocks[1].phis[0]
    phi.add_incoming(phi.operands[0], phi.incoming_blocks[0])
    operands = phi._operands
    for _ in range(10):
        phi.add_incoming(phi.operand_at(0), phi.incoming_block(0))
    assert phi._operands is operands


def test_a_block_that_is_built_is_not_copied_for_each_instruction() -> None:
    module = new_module()
    block = new_block(new_function(module, "f"))
    instructions = block._instructions
    for _ in range(10):
        block.append(Return(module.context.types.void))
    assert block._instructions is instructions


@pytest.mark.parametrize("version", [22, 18, 14, 9])
def test_a_long_block_is_written_for_every_version(version: int) -> None:
    block, instructions = filled(COUNT)
    instructions[7].erase_from_parent()
    assert isinstance(block._instructions, InstructionRuns)
    assert block.parent is not None
    module = block.parent.parent
    assert module is not None
    before = [each.opcode for each in block]
    (found,) = bitcodec.loads(bitcodec.dumps(module, llvm_version=version)).functions[0].blocks
    assert [each.opcode for each in found] == before


def test_a_long_block_with_names_is_written_after_a_change() -> None:
    block, instructions = filled(3 * MAX_RUN)
    assert block.parent is not None
    instructions[MAX_RUN].name = "named"
    new_add(block.parent).insert_before(instructions[MAX_RUN])
    assert isinstance(block._instructions, InstructionRuns)
    module = block.parent.parent
    assert module is not None
    copy = bitcodec.loads(bitcodec.dumps(module))
    assert [found.name for found in copy.functions["f"].instructions].index("named") == MAX_RUN + 1


def test_splits_from_the_end_take_few_steps() -> None:
    block, instructions = filled(COUNT, CountingAdd)
    function = block.parent
    assert function is not None
    CountingAdd.comparisons = 0
    for instruction in reversed(instructions[:-1]):
        block.split(instruction)
    assert CountingAdd.comparisons < COUNT * MAX_RUN
    assert len(function.blocks) == COUNT + 1
    assert [found for found in function.instructions if found.opcode != "br"] == instructions
    assert function.parent is not None
    check(function.parent)


@pytest.mark.parametrize("count", [1, MAX_RUN // 2, 3 * MAX_RUN])
def test_what_is_around_an_instruction_and_between_two_is_what_a_list_has(count: int) -> None:
    block, instructions = filled(count)
    padded = [None, *instructions, None]
    assert [neighbours(each) for each in instructions] == [*zip(padded, padded[2:], strict=False)]
    for start in (0, 1, count // 2, count):
        for end in (start, count // 2 + 1, count, count + 1):
            first, last = instructions[start - 1] if start else None, padded[end + 1]
            assert start > end or instructions_between(block, first, last) == instructions[start:end]


def test_a_few_instructions_take_the_place_of_one() -> None:
    block, expected = filled(COUNT)
    function, chance = block.parent, Random(1)
    assert function is not None
    runs = InstructionRuns(expected)
    for number in range(COUNT):
        place = chance.randrange(len(expected) - 1)
        made: list[Instruction] = [new_add(function) for _ in range(number % 4)]
        made.insert(number % 3, expected[place] if number % 5 else new_add(function))
        runs.replace(expected[place], made)
        expected[place : place + 1] = made
        if number % 100 == 0:
            assert (runs.position(made[-1]), len(runs)) == (place + len(made) - 1, len(expected))
    assert runs.listed() == expected
    assert [runs.position(each) for each in expected] == [*range(len(expected))]
