"""Rules of basic blocks and of the phis they begin with, and the way through a function's body."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.ir.instructions import CallBase, Phi
from bitcodec.verifier.bodies import Body
from bitcodec.verifier.debug_records import check_records
from bitcodec.verifier.funclets import check_sibling_unwinds
from bitcodec.verifier.instructions import PROBLEMS
from bitcodec.verifier.operands import check_instruction

if TYPE_CHECKING:
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_body"]


def check_body(function: Function, verifier: Verifier) -> None:
    """Check the blocks of a function that all have terminators, and what stands in them."""
    body = Body(function, verifier)
    for block in body.blocks:
        _check_phis(block, body)
        if block.trailing_debug_records:
            body.report("Basic Block has trailing DbgRecords!", block)
        seen: set[Instruction] = set()
        for instruction in block.instructions:
            check_records(instruction, body)
            problems = [
                problem for find in PROBLEMS[type(instruction)] if (problem := find(instruction, body)) is not None
            ]
            for problem in problems:
                body.report(problem, instruction)
            if not problems:
                check_instruction(instruction, body, seen)
                if isinstance(instruction, CallBase):
                    _check_call(instruction, body)
            seen.add(instruction)
    check_sibling_unwinds(body)


def _check_call(call: CallBase, body: Body) -> None:
    """Check a call against the calls before it."""
    problem = body.convergence.problem(call) or body.verifier.frames.problem(call, body)
    if problem is not None:
        body.report(problem, call)


def _check_phis(block: BasicBlock, body: Body) -> None:
    instructions = block.instructions
    if not instructions or not isinstance(instructions[0], Phi):
        return
    expected = Counter(body.predecessors.get(block, ()))
    for phi in block.phis:
        problem = _phi_problem(phi, expected)
        if problem:
            body.report(problem, phi)
            break


def _phi_problem(phi: Phi, expected: Counter[BasicBlock]) -> str | None:
    blocks = phi.incoming_blocks
    if len(blocks) != expected.total():
        return "PHINode should have one entry for each predecessor of its parent basic block!"
    values: dict[BasicBlock, Value] = {}
    for value, block in phi.incoming:
        if values.setdefault(block, value) is not value:
            return "PHI node has multiple entries for the same basic block with different incoming values!"
    if Counter(blocks) != expected:
        return "PHI node entries do not match predecessors!"
    return None
