"""Use-list orders.  Rules: docs/reference/parsing.md, 7; messages match llvm-as 22."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.constants import parse_typed_value
from bitcodec.asm.parser.phrases import accept, expect, expect_word, parse_uint32
from bitcodec.asm.parser.tokens import (
    COMMA,
    GLOBAL_ID,
    GLOBAL_NAME,
    LEFT_BRACE,
    LOCAL_ID,
    LOCAL_NAME,
    RIGHT_BRACE,
)
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant, ConstantData
from bitcodec.ir.construction.present import present_blocks
from bitcodec.ir.construction.setting import set_uses
from bitcodec.ir.functions import Function
from bitcodec.ir.uses import numbered_uses

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.values import Value

__all__ = ["parse_block_use_list_order", "parse_use_list_order"]


def parse_use_list_order(state: ModuleState) -> None:
    """Read `uselistorder T V, { ... }`, and put the uses of the value in that order.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    start = lexer.start
    expect_word(lexer, b"uselistorder", "expected uselistorder directive")
    value = parse_typed_value(state)
    expect(lexer, COMMA, "expected comma in uselistorder directive")
    order = _parse_order(state)
    _sort_uses(state, value, order, start)


def parse_block_use_list_order(state: ModuleState) -> None:
    """Read `uselistorder_bb @f, %block, { ... }`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    function_start, kind = lexer.start, lexer.kind
    key: bytes | int = b""
    if kind in (GLOBAL_NAME, GLOBAL_ID):
        key = lexer.content() if kind == GLOBAL_NAME else lexer.number()
    else:
        lexer.refuse("expected function name in uselistorder_bb")
    lexer.advance()
    expect(lexer, COMMA, "expected comma in uselistorder_bb directive")
    block_start, kind = lexer.start, lexer.kind
    if kind not in (LOCAL_NAME, LOCAL_ID):
        lexer.refuse("expected basic block name in uselistorder_bb")
    name = lexer.content() if kind == LOCAL_NAME else None
    lexer.advance()
    expect(lexer, COMMA, "expected comma in uselistorder_bb directive")
    order = _parse_order(state)
    function = state.numbered.get(key) if isinstance(key, int) else state.globals.get(key)
    if function is None:
        lexer.refuse("invalid function forward reference in uselistorder_bb", function_start)
    if not isinstance(function, Function):
        lexer.refuse("expected function name in uselistorder_bb", function_start)
    if not present_blocks(function):
        lexer.refuse("invalid declaration in uselistorder_bb", function_start)
    if name is None:
        lexer.refuse("invalid numeric label in uselistorder_bb", block_start)
    block = function.symbols.get(str(name, "utf-8", "surrogateescape"))
    if block is None:
        lexer.refuse("invalid basic block in uselistorder_bb", block_start)
    if not isinstance(block, BasicBlock):
        lexer.refuse("expected basic block in uselistorder_bb", block_start)
    _sort_uses(state, block, order, start)


def _parse_order(state: ModuleState) -> list[int]:
    lexer = state.lexer
    start = lexer.start
    expect(lexer, LEFT_BRACE, "expected '{' here")
    if lexer.kind == RIGHT_BRACE:
        lexer.refuse("expected non-empty list of uselistorder indexes")
    order = [parse_uint32(lexer)]
    while accept(lexer, COMMA):
        order.append(parse_uint32(lexer))
    expect(lexer, RIGHT_BRACE, "expected '}' here")
    if len(order) < 2:
        lexer.refuse("expected >= 2 uselistorder indexes", start)
    if max(order) >= len(order) or len(set(order)) != len(order):
        lexer.refuse("expected distinct uselistorder indexes in range [0, size)", start)
    if order == list(range(len(order))):
        lexer.refuse("expected uselistorder indexes to change the order", start)
    return order


def _sort_uses(state: ModuleState, value: Value, order: list[int], start: int) -> None:
    if isinstance(value, ConstantData):
        return  # LLVM does not keep a list of its uses
    if isinstance(value, Constant) and not state.pending.has_all_uses(value):
        return
    uses = list(numbered_uses(value))
    if not uses:
        state.lexer.refuse("value has no uses", start)
    if len(uses) < 2:
        state.lexer.refuse("value only has one use", start)
    if len(uses) != len(order):
        state.lexer.refuse(f"wrong number of indexes, expected {len(uses)}", start)
    newest_first = uses[::-1]
    moved = newest_first.copy()
    for use, place in zip(newest_first, order, strict=True):
        moved[place] = use
    set_uses(value, moved[::-1])
