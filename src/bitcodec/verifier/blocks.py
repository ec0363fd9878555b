# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Rules of basic blocks and of the phis they begin with, and the way through a function's body."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.instructions import CatchSwitch, Invoke
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.instructions.control_flow import Phi
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Load, Store
from bitcodec.verifier.attachments import check_location, is_sound_attachment
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

    from bitcodec.analysis.dominators import Dominators
    from bitcodec.ir.functions import Function
    from bitcodec.ir.values import Value
    from bitcodec.verifier.shapes import Finder
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_body"]

_SHAPES: dict[type, tuple[Any, ...]] = {kind: tuple(shape) for kind, shape in SHAPES.items()}
"""As plain tuples, which are taken apart faster."""


def check_body(function: Function, verifier: Verifier) -> None:
    """Check the blocks of a function, which all have terminators, and their instructions."""
    body = Body(function, verifier)
    checker = BodyChecker(body)
    for block in body.blocks:
        _check_phis(block, body)
        if block.trailing_debug_records:
            body.report("Basic Block has trailing DbgRecords!", block)
        checker.check_block(block)
    check_sibling_unwinds(body)


class BodyChecker:
    """Checks the instructions of a body.  Most time that verifying takes is spent here."""

    __slots__ = (
        "_body",
        "_callees",
        "_dominators",
        "_entry",
        "_function",
        "_location",
        "_shapes",
        "_sound_attachments",
        "_value_types",
        "_void",
        "_walk",
    )

    def __init__(self, body: Body) -> None:
        verifier = body.verifier
        self._body = body
        self._function = body.function
        self._location: object = None
        self._dominators: Dominators | None = None
        self._entry = body.blocks[0]
        self._walk = verifier.metadata
        self._shapes = verifier.sound_shapes
        self._callees = verifier.callee_facts
        self._sound_attachments = verifier.sound_attachments
        self._value_types = verifier.value_types
        self._void = verifier.module.context.types.void

    def check_block(self, block: BasicBlock) -> None:
        """Check the instructions of a block."""
        body, shapes = self._body, self._shapes
        instructions = block.instructions
        last = instructions[-1]
        seen: set[Value] = set()
        previous: Instruction | None = None
        for instruction in instructions:
            if instruction._records is not None:
                check_records(instruction, body)
            kind = type(instruction)
            shape = _SHAPES.get(kind)
            key = None if shape is None else self._key_of(instruction, kind, shape, instruction is last)
            known = None if key is None else shapes.get(key)
            finders, is_ordered = known or (PROBLEMS[kind], True)
            problems: Sequence[str] = ()
            if finders:
                body.previous = previous
                problems = _problems_found_by(finders, instruction, body)
            if known is None and shape is not None and key is not None and not problems:
                shapes[key] = shape[2](instruction, body)
            if problems:
                for problem in problems:
                    body.report(problem, instruction)
            else:
                self._check_instruction(instruction, seen)
                if is_ordered and isinstance(instruction, CallBase):
                    _check_call(instruction, body)
            seen.add(instruction)
            previous = instruction
        if isinstance(last, CatchSwitch):
            body.catch_switches.append(last)

    def _key_of(
        self,
        instruction: Instruction,
        kind: type,
        shape: tuple[Any, ...],
        is_last: bool,  # noqa: FBT001 - C has no others
    ) -> tuple[object, ...]:
        """Return what the rules of an instruction depend on."""
        operands = instruction._operands
        # Loads and stores are so frequent that their keys are made without a list and without a lookup of names.
        if kind is Load and len(operands) == 1:
            load: Any = instruction
            pointer = operands[0]
            return kind, is_last, load.type, pointer.type, load.alignment, load.ordering, load.sync_scope
        if kind is Store and len(operands) == 2:
            store: Any = instruction
            value, pointer = operands[0], operands[1]
            return kind, is_last, value.type, pointer.type, store.alignment, store.ordering, store.sync_scope
        names, first, _, callee_facts = shape
        parts: list[object] = [kind, is_last, instruction.type]
        for operand in operands:
            parts.append(operand.type)  # noqa: PERF401 - a loop that is compiled is faster
        for name in names:
            parts.append(getattr(instruction, name))  # noqa: PERF401
        if first is not None:
            for operand in operands[first:]:
                parts.append(operand if isinstance(operand, Constant) else None)  # noqa: PERF401
        if callee_facts is not None:
            callee = operands[-1]
            facts = self._callees.get(callee)
            if facts is None:
                facts = self._callees[callee] = callee_facts(callee, self._body.verifier)
            parts.append(facts)
        return tuple(parts)

    def _check_instruction(self, instruction: Instruction, seen: set[Value]) -> None:
        """Check what all instructions have to keep to; `seen` are those before it in its block."""
        problem = self._problem(instruction)
        if problem is not None:
            self._body.report(problem, instruction)
        elif self._check_operands(instruction, instruction._operands, seen):
            if instruction._attachments:
                self._check_attachments(instruction)
            location = instruction._location
            if location is not None and location is not self._location:  # many follow one of the same location
                self._check_location(instruction, location)

    def _problem(self, instruction: Instruction) -> str | None:
        """Return what is wrong with an instruction itself, whatever its class."""
        for operand in instruction._operands:
            if operand is instruction and not isinstance(instruction, Phi) and is_reached(instruction, self._body):
                return IS_OWN_OPERAND
        type_ = instruction.type
        if type_ not in self._value_types and (type_ is not self._void or instruction._name):
            problem = type_problem(instruction, self._body.verifier)
            if problem is not None:
                return problem
        for user in instruction._uses:
            if isinstance(user, Instruction) and user.parent is None:
                return USED_OUTSIDE
        return None

    def _check_operands(self, instruction: Instruction, operands: Sequence[Value], seen: set[Value]) -> bool:
        """Check the operands of an instruction but those in `seen`; return whether the rest of it is to be checked."""
        is_phi = isinstance(instruction, Phi)
        index = -1
        for operand in operands:
            index += 1
            if isinstance(operand, Instruction):
                if (not is_phi and operand in seen) or self._is_there(operand, instruction, index):
                    continue
            elif isinstance(operand, BasicBlock) and operand.parent is self._function:
                continue
            check = OPERAND_CHECKS[type(operand)]
            if check is not None:
                problem = check(operand, instruction, index, self._body)
            elif operand.type in self._value_types or is_operand(operand.type):
                problem = None
            else:
                problem = NOT_FIRST_CLASS
            if problem is not None:
                self._body.report(problem, instruction)
                if problem is not NOT_DOMINATED:  # which is reported of all operands
                    return False
        return True

    def _is_there(self, definition: Instruction, user: Instruction, index: int) -> bool:
        """Return whether a value is one that a user may have; if not, or if it depends on more, the rules decide."""
        defined_in = definition.parent
        if (
            defined_in is None
            or defined_in.parent is not self._function
            or definition.type not in self._value_types
            or isinstance(definition, Invoke)
        ):
            return False
        used_in = user.incoming_block(index) if isinstance(user, Phi) else user.parent
        if used_in is None:
            return False
        if used_in is defined_in:
            return isinstance(user, Phi)  # at its end a value of a block is there; before, the order matters
        return defined_in is self._entry or self._reaches(defined_in, used_in)

    def _reaches(self, defined_in: BasicBlock, used_in: BasicBlock) -> bool:
        """Return whether values of a block are there in another, or that one is never reached."""
        dominators = self._dominators
        if dominators is None:
            dominators = self._dominators = self._body.dominators
        if not dominators.is_reachable(used_in):
            return True
        return dominators.is_reachable(defined_in) and dominators.dominates(defined_in, used_in)

    def _check_attachments(self, instruction: Instruction) -> None:
        """Check the metadata attached to an instruction; what many instructions share is checked once."""
        kind, type_ = type(instruction), instruction.type
        for name, node in instruction.metadata.items():
            key = (name, node, kind, type_)
            if key not in self._sound_attachments and is_sound_attachment(name, node, instruction, self._body):
                self._sound_attachments.add(key)

    def _check_location(self, instruction: Instruction, location: Any) -> None:
        """Check the debug location of an instruction."""
        if type(location) is not DILocation:
            check_location(instruction, self._body)
            return
        self._location = location
        if location not in self._walk.seen:
            self._walk.visit(location, with_locations=True)


def _problems_found_by(finders: tuple[Finder, ...], instruction: Instruction, body: Body) -> list[str]:
    """Return the problems that rules for the class of an instruction find."""
    problems: list[str] = []
    for find in finders:
        problem = find(instruction, body)
        if problem is not None:
            problems.append(problem)
    return problems


def _check_call(call: CallBase, body: Body) -> None:
    """Check a call against the calls before it."""
    problem = body.convergence.problem(call) or body.verifier.frames.problem(call, body.function)
    if problem is not None:
        body.report(problem, call)


def _check_phis(block: BasicBlock, body: Body) -> None:
    if not isinstance(block.instructions[0], Phi):
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
