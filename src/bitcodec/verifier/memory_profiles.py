"""Rules of `!memprof` and `!callsite`: where memory came from, by call stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.metadata import MDNode, MDString
from bitcodec.verifier.kinds import constant_integer

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.verifier.rules import Rules

__all__ = ["CALL_SITE_RULES", "PROFILE_RULES"]


def _is_stack(node: Any) -> bool:
    return all(constant_integer(entry) is not None for entry in node.operands)


def _each(rule: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return what asks whether a rule holds for each block of information that a node lists."""
    return lambda node: all(rule(block) for block in node.operands)


def _sizes(block: Any) -> list[Any]:
    """Return what follows the stack and the type of a block."""
    return list(block.operands[2:])


_SIZES = "Not all !memprof MemInfoBlock operands 2 to N are MDNode"
_STACK_SIZE = "call stack metadata should have at least 1 operand"
_STACK_ENTRY = "call stack metadata operand should be constant integer"

CALL_SITE_RULES: Rules = (
    (_STACK_SIZE, lambda node: node.operands),
    (_STACK_ENTRY, _is_stack),
)
PROFILE_RULES: Rules = (
    (
        "!memprof annotations should have at least 1 metadata operand (MemInfoBlock)",
        lambda node: node.operands,
    ),
    (
        "Each !memprof MemInfoBlock should have at least 2 operands",
        _each(lambda block: isinstance(block, MDNode) and len(block.operands) >= 2),
    ),
    (
        "!memprof MemInfoBlock first operand should not be null",
        _each(lambda block: block.operands[0] is not None),
    ),
    (
        "!memprof MemInfoBlock first operand should be an MDNode",
        _each(lambda block: isinstance(block.operands[0], MDNode)),
    ),
    (_STACK_SIZE, _each(lambda block: block.operands[0].operands)),
    (_STACK_ENTRY, _each(lambda block: _is_stack(block.operands[0]))),
    (
        "!memprof MemInfoBlock second operand should be an MDString",
        _each(lambda block: isinstance(block.operands[1], MDString)),
    ),
    (_SIZES, _each(lambda block: all(isinstance(size, MDNode) for size in _sizes(block)))),
    (f"{_SIZES} with 2 operands", _each(lambda block: all(len(size.operands) == 2 for size in _sizes(block)))),
    (f"{_SIZES} with ConstantInt operands", _each(lambda block: all(map(_is_stack, _sizes(block))))),
)
