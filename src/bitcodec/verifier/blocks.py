# cython: language_level=3, annotation_typing=False
# ruff: noqa: SLF001 - the hot loop reads slots, so that it makes nothing that is not there
"""Rules of basic blocks and of the phis they begin with, and the way through a function's body."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import Constant
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.instructions import CallBase, Instruction, Phi
from bitcodec.verifier.attachments import check_attachments, check_location
from bitcodec.verifier.bodies import Body
from bitcodec.verifier.debug_records import check_records
from bitcodec.verifier.funclets import check_sibling_unwinds
from bitcodec.verifier.instructions import PROBLEMS, SHAPES
from bitcodec.verifier.kinds import is_operand
from bitcodec.verifier.operands import (
    IS_OWN_OPERAND,
    NOT_DOMINATED,
    NOT_FIRST_CLASS,
    OPERAND_CHECKS,
    USED_OUTSIDE,
    is_reached,
    type_problem,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.values import Value
    from bitcodec.verifier.shapes import Finder, Shape
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_body"]


def check_body(function: Function, verifier: Verifier) -> None:
    """Check the blocks of a function that all have terminators, and what stands in them."""
    body = Body(function, verifier)
    for block in body.blocks:
        _check_phis(block, body)
        if block.trailing_debug_records:
            body.report("Basic Block has trailing DbgRecords!", block)
        _check_instructions(block, body)
    check_sibling_unwinds(body)


def _check_instructions(block: BasicBlock, body: Body) -> None:
    """Check the instructions of a block.  Most time that verifying takes is spent here."""
    instructions = block.instructions
    last = instructions[-1]
    seen: set[Value] = set()
    body.previous = None
    for instruction in instructions:
        if instruction._records is not None:
            check_records(instruction, body)
        problems = _problems_of(instruction, body, is_last=instruction is last)
        for problem in problems:
            body.report(problem, instruction)
        if not problems:
            _check_instruction(instruction, body, seen)
            if isinstance(instruction, CallBase):
                _check_call(instruction, body)
        seen.add(instruction)
        body.previous = instruction


def _problems_of(instruction: Instruction, body: Body, *, is_last: bool) -> Sequence[str]:
    """Return the problems that rules for the class of an instruction find."""
    kind = type(instruction)
    shape = SHAPES.get(kind)
    if shape is None:
        return _problems_found_by(PROBLEMS[kind], instruction, body)
    key = _key_of(instruction, shape, is_last=is_last)
    remaining = body.verifier.sound_shapes.get(key)
    if remaining is not None:
        return _problems_found_by(remaining, instruction, body) if remaining else ()
    problems = _problems_found_by(PROBLEMS[kind], instruction, body)
    if not problems:
        body.verifier.sound_shapes[key] = shape.remaining
    return problems


def _problems_found_by(finders: tuple[Finder, ...], instruction: Instruction, body: Body) -> Sequence[str]:
    problems: list[str] = []
    for find in finders:
        problem = find(instruction, body)
        if problem is not None:
            problems.append(problem)
    return problems


def _key_of(instruction: Instruction, shape: Shape, *, is_last: bool) -> tuple[object, ...]:
    """Return what the rules of an instruction depend on."""
    operands = instruction._operands
    parts: list[object] = [operand.type for operand in operands]
    parts += (type(instruction), is_last, instruction.type)
    if shape.attributes:
        parts += [getattr(instruction, name) for name in shape.attributes]
    first = shape.first_constant
    if first is not None:
        parts += [operand if isinstance(operand, Constant) else None for operand in operands[first:]]
    return tuple(parts)


def _check_instruction(instruction: Instruction, body: Body, seen: set[Value]) -> None:
    """Check what all instructions have to keep to; `seen` are those before it in its block."""
    is_phi = isinstance(instruction, Phi)
    operands = instruction._operands
    problem: str | None = None
    for operand in operands:
        if operand is instruction and not is_phi and is_reached(instruction, body):
            problem = IS_OWN_OPERAND
    if problem is None and instruction.type not in body.verifier.value_types:
        problem = type_problem(instruction, body.verifier)
    if problem is None:
        for user in instruction.users if instruction._uses else ():
            if isinstance(user, Instruction) and user.parent is None:
                problem = USED_OUTSIDE
                break
    if problem is not None:
        body.report(problem, instruction)
        return
    if _check_operands(instruction, operands, body, seen if not is_phi else _NONE_SEEN):
        _check_attached(instruction, body)


def _check_operands(instruction: Any, operands: Any, body: Body, seen: set[Value]) -> bool:
    """Check the operands of an instruction but those in `seen`; return whether the rest of it is to be checked."""
    checks, value_types = OPERAND_CHECKS, body.verifier.value_types
    for index, operand in enumerate(operands):
        if operand not in seen:
            check = checks[type(operand)]
            if check is not None:
                problem = check(operand, instruction, index, body)
            elif operand.type in value_types or is_operand(operand.type):
                problem = None
            else:
                problem = NOT_FIRST_CLASS
            if problem is not None:
                body.report(problem, instruction)
                if problem is not NOT_DOMINATED:  # which is reported of all operands
                    return False
    return True


def _check_attached(instruction: Instruction, body: Body) -> None:
    """Check the metadata and the debug location of an instruction."""
    if instruction._attachments:
        check_attachments(instruction, body)
    location = instruction._location
    if location is not None:
        walk = body.verifier.metadata
        if type(location) is not DILocation:
            check_location(instruction, body)
        elif location not in walk.seen:
            walk.visit(location, with_locations=True)


_NONE_SEEN: set[Value] = set()


def _check_call(call: CallBase, body: Body) -> None:
    """Check a call against the calls before it."""
    problem = body.convergence.problem(call) or body.verifier.frames.problem(call, body.function)
    if problem is not None:
        body.report(problem, call)


def _check_phis(block: BasicBlock, body: Body) -> None:
    instructions = block.instructions
    if not instructions or not isinstance(instructions[0], Phi):
        return
    predecessors = body.predecessors.get(block, [])
    distinct = set(predecessors)
    for phi in block.phis:
        blocks = phi.incoming_blocks
        # One edge from each predecessor is what nearly all phis have.
        if (
            len(blocks) == len(predecessors) == len(distinct)
            and distinct.issuperset(blocks)
            and len(set(blocks)) == len(blocks)
        ):
            continue
        problem = _phi_problem(phi, Counter(predecessors))
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
