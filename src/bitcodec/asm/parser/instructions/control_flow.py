# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Control flow: `phi`, and the terminators that neither call nor unwind.

Rules: docs/reference/text.md, 9.3; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.constants import parse_typed_value, parse_value
from bitcodec.asm.parser.instructions.flags import check_fast_math, parse_optional_fast_math
from bitcodec.asm.parser.named_types import described
from bitcodec.asm.parser.phrases import accept, expect
from bitcodec.asm.parser.tokens import COMMA, LEFT_SQUARE, METADATA_NAME, RIGHT_SQUARE
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.instructions.control_flow import IndirectBranch, Phi, Switch, Unreachable, make_branch, make_return
from bitcodec.ir.type_properties import is_operand
from bitcodec.ir.types import IntegerType, PointerType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["PARSERS", "parse_blocks", "parse_typed_block"]


def parse_typed_block(state: ModuleState) -> BasicBlock:
    """Return the block of `label %x`.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    start = state.lexer.start
    block = parse_typed_value(state)
    if block.type is not state.label:
        state.lexer.refuse("expected a basic block", start)
    return block  # type: ignore[return-value]


def parse_blocks(state: ModuleState) -> list[BasicBlock]:
    """Return the blocks of `label %a, label %b]`, after the opening bracket.

    Raises:
        AssemblyError: something else is there.
    """
    blocks: list[BasicBlock] = []
    if state.lexer.kind != RIGHT_SQUARE:
        blocks.append(parse_typed_block(state))
        while accept(state.lexer, COMMA):
            blocks.append(parse_typed_block(state))
    expect(state.lexer, RIGHT_SQUARE, "expected ']' at end of block list")
    return blocks


def _return(state: ModuleState, _opcode: str) -> Instruction:
    lexer, start = state.lexer, state.lexer.start
    assert state.function is not None  # noqa: S101 - instructions are in functions
    result = state.function.function.return_type
    type_ = parse_type(state, "expected type", allow_void=True)
    value = None if type_ is state.void else parse_value(state, type_)
    if type_ is not result:
        lexer.refuse(f"value doesn't match function result type '{described(result)}'", start)
    return make_return(state.void, () if value is None else (value,))


def _branch(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    start = lexer.start
    condition = parse_typed_value(state)
    if condition.type is state.label:
        return make_branch(state.void, (condition,))
    if condition.type is not state.boolean:
        lexer.refuse("branch condition must have 'i1' type", start)
    expect(lexer, COMMA, "expected ',' after branch condition")
    target = parse_typed_block(state)
    expect(lexer, COMMA, "expected ',' after true destination")
    return make_branch(state.void, (condition, parse_typed_block(state), target))


def _switch(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    start = lexer.start
    condition = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after switch condition")
    default = parse_typed_block(state)
    expect(lexer, LEFT_SQUARE, "expected '[' with switch table")
    if not isinstance(condition.type, IntegerType):
        lexer.refuse("switch condition must have integer type", start)
    cases: list[tuple[ConstantInt, BasicBlock]] = []
    seen: set[Value] = set()
    while lexer.kind != RIGHT_SQUARE:
        case_start = lexer.start
        number = parse_typed_value(state)
        expect(lexer, COMMA, "expected ',' after case value")
        block = parse_typed_block(state)
        if number in seen:
            lexer.refuse("duplicate case value in switch", case_start)
        if not isinstance(number, ConstantInt):
            lexer.refuse("case value is not a constant integer", start)
        seen.add(number)
        cases.append((number, block))
    lexer.advance()
    return Switch(state.void, condition, default, cases)


def _indirect_branch(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    start = lexer.start
    address = parse_typed_value(state)
    expect(lexer, COMMA, "expected ',' after indirectbr address")
    expect(lexer, LEFT_SQUARE, "expected '[' with indirectbr")
    if not isinstance(address.type, PointerType):
        lexer.refuse("indirectbr address must have pointer type", start)
    return IndirectBranch(state.void, address, parse_blocks(state))


def _unreachable(state: ModuleState, _opcode: str) -> Instruction:
    return Unreachable(state.void)


def _phi(state: ModuleState, _opcode: str) -> Instruction:
    lexer = state.lexer
    opcode_start = state.opcode_start
    fast_math = parse_optional_fast_math(lexer)
    start = lexer.start
    type_ = parse_type(state)
    if not is_operand(type_):
        lexer.refuse("phi node must have first class type", start)
    values: list[Value] = []
    blocks: list[BasicBlock] = []
    label = state.types.label
    has_more = lexer.kind == LEFT_SQUARE
    while has_more:
        expect(lexer, LEFT_SQUARE, "expected '[' in phi value list")
        values.append(parse_value(state, type_))
        expect(lexer, COMMA, "expected ',' after insertelement value")
        block = parse_value(state, label)
        assert isinstance(block, BasicBlock)  # noqa: S101 - which is what values of this type are
        blocks.append(block)
        expect(lexer, RIGHT_SQUARE, "expected ']' in phi value list")
        has_more = accept(lexer, COMMA)
        if has_more and lexer.kind == METADATA_NAME:
            state.has_comma = True
            break
    check_fast_math(lexer, "phi", type_, fast_math, opcode_start)
    return Phi(type_, values, blocks, fast_math)


PARSERS: dict[str, Callable[[ModuleState, str], Instruction]] = {
    "ret": _return,
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect_branch,
    "unreachable": _unreachable,
    "phi": _phi,
}
