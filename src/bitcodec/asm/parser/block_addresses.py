"""`blockaddress`: of a block of a function that may come later, in the text or in the body.

Rules: docs/reference/parsing.md, 3; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.forward import ForwardConstant
from bitcodec.asm.parser.phrases import decoded
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.construction.present import present_blocks
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.types import PointerType

if TYPE_CHECKING:
    from bitcodec.asm.parser.function_state import ParsedFunction
    from bitcodec.asm.parser.module_state import ModuleState, Place
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.types import Type

__all__ = ["block_address", "check_block_addresses", "settle_block_addresses"]


def block_address(state: ModuleState, function: Place, block: Place, type: Type | None, start: int) -> Constant:
    """Return the address of a block, or a placeholder of the expected type until the function has been read.

    Raises:
        AssemblyError: the block does not exist, or the type of an unknown function's block is not a pointer.
    """
    known = _known(state, function[0])
    if known is None and state.function is not None:
        outer = state.function.outer_function(function[0])
        if outer is not None and state.surroundings is not None:
            outer_block = state.function.block(*block)
            state.surroundings.used += (outer, outer_block)
            return state.constants.block_address(outer, outer_block)
    if known is None:
        expected = state.types.ptr if type is None else type
        if not isinstance(expected, PointerType):
            state.lexer.refuse(f"type of blockaddress must be a pointer and not '{expected}'", start)
        return _wait(state, function, block, expected)
    if not isinstance(known, Function):
        state.lexer.refuse("expected function name in blockaddress", function[1])
    body = state.function
    if body is not None and body.function is known:
        return state.constants.block_address(known, body.block(*block))
    if not present_blocks(known):
        return _wait(state, function, block, known.type)
    if isinstance(block[0], int):
        state.lexer.refuse("cannot take address of numeric label after the function is defined", block[1])
    found = known.symbols.get(decoded(block[0]))
    if not isinstance(found, BasicBlock):
        state.lexer.refuse("referenced value is not a basic block", block[1])
    return state.constants.block_address(known, found)


def _known(state: ModuleState, key: bytes | int) -> GlobalValue | None:
    return state.numbered.get(key) if isinstance(key, int) else state.globals.get(key)


def _wait(state: ModuleState, function: Place, block: Place, type: Type) -> Constant:
    waiting = state.waiting_addresses.setdefault(function[0], {})
    known = waiting.get(block[0])
    if known is None:
        known = waiting[block[0]] = (function, block, ForwardConstant(type, block[1]))
    return known[2]


def settle_block_addresses(state: ModuleState, key: bytes | int, body: ParsedFunction) -> None:
    """Find, or make, the blocks of a function whose body begins: these are the first uses of the blocks, as in LLVM.

    Raises:
        AssemblyError: a name belongs to an argument, or the function is in an unexpected address space.
    """
    waiting = state.waiting_addresses.pop(key, {}).values()
    for _, (name, position), forward in sorted(waiting, key=_number_or_name):
        if isinstance(body.known(name), Argument):
            state.lexer.refuse("referenced value is not a basic block", position)
        address = state.constants.block_address(body.function, body.block(name, position))
        if address.type is not forward.type:
            label = decoded(name) if isinstance(name, bytes) else ""
            state.lexer.refuse(f"'{label}' defined with type '{address.type}' but expected '{forward.type}'", position)
        state.pending.settle(forward, address)


def _number_or_name(waiting: tuple[Place, Place, ForwardConstant]) -> tuple[bool, bytes | int]:
    """Return the key by which LLVM sorts blocks that wait for their function."""
    name = waiting[1][0]
    return isinstance(name, bytes), name


def check_block_addresses(state: ModuleState) -> None:
    """Check that every address of a block is resolved.

    Raises:
        AssemblyError: the function does not exist, or is a declaration.
    """
    for waiting in state.waiting_addresses.values():
        (key, position), _, _ = next(iter(waiting.values()))
        if _known(state, key) is None:
            state.lexer.refuse("expected function name in blockaddress", position)
        state.lexer.refuse("cannot take blockaddress inside a declaration", position)
