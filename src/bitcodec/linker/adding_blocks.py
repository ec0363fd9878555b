"""Blocks and instructions of a text added to a function: `Function.parse_block` and `Builder.parse`.

They are parsed into a function without a name, which is in a separate module like other text that is added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.numbering import Numbering
from bitcodec.asm.parser.bodies import parse_blocks, parse_instructions
from bitcodec.asm.parser.dialects.dialect import NEWEST
from bitcodec.asm.parser.local_surroundings import LocalSurroundings
from bitcodec.asm.parser.module import parse_part
from bitcodec.ir.construction.deferring import materialize_symbols
from bitcodec.ir.construction.present import present_instructions
from bitcodec.ir.construction.setting import set_blocks, set_instructions
from bitcodec.ir.functions import Function
from bitcodec.linker.adding import Addition

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module

__all__ = ["parse_blocks_into", "parse_instructions_for"]


def parse_blocks_into(function: Function, text: str | bytes, *, name: str = "") -> list[BasicBlock]:
    """Add the blocks of a text to a function; see `Function.parse_block`."""
    blocks = _parse(function, text, name, parse_blocks)
    for block in blocks:
        function.append_block(block)
    return blocks


def parse_instructions_for(function: Function, text: str | bytes, *, name: str = "") -> list[Instruction]:
    """Return the instructions of a text, which are in no block yet; see `Builder.parse`."""
    (block,) = _parse(function, text, name, parse_instructions)
    instructions = [*present_instructions(block)]
    set_instructions(block, ())
    for instruction in instructions:
        instruction.parent = None
    return instructions


def _parse(
    function: Function,
    text: str | bytes,
    name: str,
    parse: Callable[[ModuleState, Function, LocalSurroundings], None],
) -> list[BasicBlock]:
    """Return the blocks of a text, which are in no function yet; the module has everything else that they need."""
    module = function.parent
    if module is None:
        raise ValueError(f"{function!r} is in no module")
    materialize_symbols(module)
    made = Function(function.type, function.value_type)

    def parse_part_of_body(state: ModuleState) -> None:
        state.module.append(made)
        parse(state, made, LocalSurroundings(function, state.lexer.data))
        _find_numbers(state, module)

    addition = Addition(parse_part(text, module, name=name, dialect=NEWEST[0], parse=parse_part_of_body))
    addition.check()
    blocks = [*made.blocks]
    set_blocks(made, ())
    made.erase_from_parent()
    for block in blocks:
        block.parent = None
    addition.move()
    return blocks


def _find_numbers(state: ModuleState, module: Module) -> None:
    """Let numbers of metadata nodes and attribute groups refer to the numbering of the module's text."""
    missing = {number for number, reference in state.metadata.numbered.items() if reference.kind is None}
    groups = {number for _, numbers in state.group_users for number in numbers}
    if not missing and not groups:
        return
    numbering = Numbering.of_module(module)
    for attributes, number in numbering.groups.items():
        if number in groups:
            state.groups[number] = tuple(attributes)
    if missing:
        for node, label in numbering.nodes.items():
            if label[:1] == "!" and label[1:].isdecimal() and int(label[1:]) in missing:
                reference = state.metadata.numbered[int(label[1:])]
                reference.kind, reference.node = type(node), node
