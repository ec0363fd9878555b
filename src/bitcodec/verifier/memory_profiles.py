"""Rules of `!memprof` and `!callsite`: where memory came from, by call stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.metadata import MDNode, MDString, constant_integer
from bitcodec.verifier.rules import Problem, first_broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.verifier.rules import Rules

__all__ = ["call_stack_problems", "profile_problems"]


def call_stack_problems(node: MDNode) -> Iterator[str]:
    """Yield the problem of a call stack."""
    if not node.operands:
        yield Problem("call stack metadata should have at least 1 operand", node)
    for entry in node.operands:
        if constant_integer(entry) is None:
            yield Problem("call stack metadata operand should be constant integer", entry)
            return


_SIZES = "Not all !memprof MemInfoBlock operands 2 to N are MDNode"
_BLOCK: Rules = (
    (
        "Each !memprof MemInfoBlock should have at least 2 operands",
        lambda block: isinstance(block, MDNode) and len(block.operands) >= 2,
    ),
    ("!memprof MemInfoBlock first operand should not be null", lambda block: block.operands[0] is not None),
    ("!memprof MemInfoBlock first operand should be an MDNode", lambda block: isinstance(block.operands[0], MDNode)),
)
_SIZE: Rules = (
    (_SIZES, lambda size: isinstance(size, MDNode)),
    (f"{_SIZES} with 2 operands", lambda size: len(size.operands) == 2),
    (
        f"{_SIZES} with ConstantInt operands",
        lambda size: all(constant_integer(number) is not None for number in size.operands),
    ),
)


def profile_problems(node: MDNode) -> Iterator[str]:
    """Yield the problems of a profile: all problems of call stacks, and the first problem of another kind."""
    if not node.operands:
        yield Problem("!memprof annotations should have at least 1 metadata operand (MemInfoBlock)", node)
    block: Any
    for block in node.operands:
        problem = first_broken(_BLOCK, block)
        if problem is None:
            yield from call_stack_problems(block.operands[0])
            problem = _content_problem(block)
        if problem is not None:
            yield Problem(problem, block)
            return


def _content_problem(block: Any) -> str | None:
    """Return the error in the operands behind the call stack of a block."""
    if not isinstance(block.operands[1], MDString):
        return "!memprof MemInfoBlock second operand should be an MDString"
    return next(filter(None, (first_broken(_SIZE, size) for size in block.operands[2:])), None)
