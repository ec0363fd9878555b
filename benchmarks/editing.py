"""Instructions inserted and erased at random places of one block, and users of one value erased in random order."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

from benchmarks.measure import interleaved
from benchmarks.results import Result
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.ir import BinaryOperator, Load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.inputs import Input
    from bitcodec.ir import BasicBlock, Function, Instruction

__all__ = ["EDITING_ROWS"]

_SIZE = 20_000
_EDITS = 100_000
_measured: list[str] = []


def editing(_source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Change a block of 20,000 instructions 100,000 times; once, for no file matters."""
    if _measured:
        return
    for title, change, bar in (
        ("100,000 insertions and erasures in a block", edit, 1000.0),
        ("20,000 users of a value erased", erase_users, None),
    ):
        _measured.append(title)
        times = interleaved({title: change}, runs)
        took = times[title]
        yield Result(title, f"{_SIZE:,} instructions", "ms", took.median * 1e3, took.least * 1e3, bar, times)


EDITING_ROWS = (editing,)


def edit() -> float:
    """Insert before random instructions and erase random ones in turn; return the processor time in seconds."""
    function, block = _new_block()
    number = function.arguments[0]
    instructions: list[Instruction] = [BinaryOperator("add", number, number) for _ in range(_SIZE)]
    for instruction in instructions:
        instruction.insert_before(block.terminator)
    chance = Random(1)
    start = time.process_time()
    for _ in range(_EDITS // 2):
        made = BinaryOperator("add", number, number)
        made.insert_before(instructions[chance.randrange(_SIZE)])
        place = chance.randrange(_SIZE)
        instructions[place].erase_from_parent()
        instructions[place] = made
    elapsed = time.process_time() - start
    assert len(block) == _SIZE + 1
    return elapsed


def erase_users() -> float:
    """Erase all users of a value in random order; return the processor time in seconds."""
    function, block = _new_block()
    pointer = function.arguments[1]
    loads = [Load(pointer.type, pointer, 8) for _ in range(_SIZE)]
    for load in loads:
        load.insert_before(block.terminator)
    Random(1).shuffle(loads)
    start = time.process_time()
    for load in loads:
        load.erase_from_parent()
    elapsed = time.process_time() - start
    assert not pointer.users
    return elapsed


def _new_block() -> tuple[Function, BasicBlock]:
    """Return a function of an integer and a pointer, and its block, which returns."""
    module = new_module("editing")
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, [types.integer(32), types.ptr]))
    block = add_block(function)
    Builder(block).ret()
    return function, block
