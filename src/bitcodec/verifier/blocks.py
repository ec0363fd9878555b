# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Rules of basic blocks and of the phis they begin with, and the way through a function's body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction import present
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.instructions import Invoke
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.instructions.control_flow import Phi
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Load, Store
from bitcodec.ir.type_properties import is_operand
from bitcodec.verifier.alias_scopes import check_scope_declarations
from bitcodec.verifier.attachments import (
    ATOM_GROUP,
    SCOPE,
    AttachmentVerdict,
    attachment_order,
    check_atom,
    check_attachment,
    check_location,
    visit_attachments,
)
from bitcodec.verifier.bodies import Body
from bitcodec.verifier.convergence_regions import check_regions
from bitcodec.verifier.debug_records import check_records
from bitcodec.verifier.funclets import check_sibling_unwinds
from bitcodec.verifier.instructions import PROBLEMS, SHAPES
from bitcodec.verifier.instructions.calls import DEBUG_INFO_PROBLEMS
from bitcodec.verifier.operands import (
    IS_OWN_OPERAND,
    NOT_DOMINATED,
    NOT_FIRST_CLASS,
    OPERAND_CHECKS,
    USED_OUTSIDE,
    is_reached,
    type_problem,
)
from bitcodec.verifier.rules import LateProblem, NumberedProblem, PassingProblem, Problem, with_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.analysis.dominators import Dominators
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.values import Value
    from bitcodec.verifier.shapes import Finder
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_body"]

_ATOM_GROUP, _SCOPE = ATOM_GROUP, SCOPE
_SHAPES: dict[type, tuple[Any, ...]] = {kind: tuple(shape) for kind, shape in SHAPES.items()}
"""As plain tuples, which are taken apart faster."""


def check_body(function: Function, verifier: Verifier) -> None:
    """Check the blocks of a function, which all have terminators, and their instructions."""
    body = Body(function, verifier)
    checker = BodyChecker(body)
    for block in body.blocks:
        if _check_phis(block, body) and block.trailing_debug_records:
            body.report("Basic Block has trailing DbgRecords!", block, is_debug_info=True)
        checker.check_block(block)
    check_sibling_unwinds(body)
    if body.convergence.is_controlled:
        check_regions(body)
    check_scope_declarations(body)


class BodyChecker:
    """Checks the instructions of a body.  Most time that verifying takes is spent here."""

    __slots__ = (
        "_body",
        "_callees",
        "_dominators",
        "_entry",
        "_findings",
        "_function",
        "_location",
        "_scopes_of_atoms",
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
        self._findings = verifier.findings
        self._location: object = None
        self._dominators: Dominators | None = None
        self._entry = body.blocks[0]
        self._walk = verifier.metadata
        self._scopes_of_atoms = verifier.scopes_of_atoms
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
            if present.has_debug_records(instruction):
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
                self._report(problems, instruction, seen)
            else:
                self._check_rest(instruction, kind, seen, is_ordered)
            seen.add(instruction)
            previous = instruction

    def _report(self, problems: Sequence[str], instruction: Instruction, seen: set[Value]) -> None:
        """Report the problems of an instruction, and check as much of the rest of it as LLVM does."""
        early = [problem for problem in problems if not isinstance(problem, LateProblem)]
        late = [problem for problem in problems if isinstance(problem, LateProblem)]
        kind = type(instruction)
        for problem in early:
            self._body.report(problem, instruction, is_debug_info=problem in DEBUG_INFO_PROBLEMS)
        is_passed = all([isinstance(problem, PassingProblem) for problem in early])  # noqa: C419 - C has no generators
        if is_passed:
            self._check_rest(instruction, None if late else kind, seen, True)  # noqa: FBT003 - C has no others
        for problem in late:
            self._body.report(problem, instruction)
        if kind is Invoke and not is_passed and not late:
            self._check_instruction(instruction, seen)

    def _check_rest(self, instruction: Instruction, kind: type | None, seen: set[Value], is_ordered: bool) -> None:  # noqa: FBT001 - C has no others
        """Check the rules common to all instructions, and calls against the calls before them."""
        if is_ordered and isinstance(instruction, CallBase):
            _check_call(instruction, self._body)
        count = len(self._findings)
        self._check_instruction(instruction, seen)
        if kind is Invoke and len(self._findings) > count:
            # LLVM checks it as a call, and as a terminator.
            self._check_instruction(instruction, seen)

    def _key_of(
        self,
        instruction: Instruction,
        kind: type,
        shape: tuple[Any, ...],
        is_last: bool,  # noqa: FBT001 - C has no others
    ) -> tuple[object, ...]:
        """Return the facts about an instruction that its rules depend on."""
        operands = present.operands_of(instruction)
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
        """Check the rules common to all instructions; `seen` contains the instructions before it in its block."""
        problem = self._problem(instruction)
        if problem is not None:
            self._body.report(problem, instruction)
        elif self._check_operands(instruction, present.operands_of(instruction), seen):
            attached: Any = self._check_attachments(instruction) if present.has_attachments(instruction) else ()
            if attached is None:
                return
            location = present.present_location(instruction)
            if location is not None and location is not self._location:  # many follow one of the same location
                self._check_location(instruction, location)
            if attached:
                visit_attachments(attached, self._walk)

    def _problem(self, instruction: Instruction) -> str | None:
        """Return the error in an instruction itself, whatever its class; None if it is valid."""
        for operand in present.operands_of(instruction):
            if operand is instruction and not isinstance(instruction, Phi) and is_reached(instruction, self._body):
                return IS_OWN_OPERAND
        type_ = instruction.type
        if type_ not in self._value_types and (type_ is not self._void or present.name_of(instruction)):
            problem = type_problem(instruction, self._body.verifier)
            if problem is not None:
                return problem
        for user in present.present_uses(instruction):
            if isinstance(user, Instruction) and user.parent is None:
                return Problem(USED_OUTSIDE, instruction, user)
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
            if problem is NOT_DOMINATED:  # which is reported of all operands
                self._body.report(Problem(problem, operand, instruction), instruction)
            elif problem is not None:
                self._body.report(problem, instruction)
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

    def _check_attachments(self, instruction: Instruction) -> list[tuple[str, MDNode]] | None:
        """Check the metadata attached to an instruction; metadata that many instructions share is checked once.

        Return the attachments whose nodes are to be checked, too; None to skip the rest of the instruction.
        """
        kind, type_ = type(instruction), instruction.type
        unknown: list[tuple[str, MDNode]] = []
        for name, node in instruction.metadata.items():
            if (name, node, kind, type_) not in self._sound_attachments:
                unknown.append((name, node))
        if len(unknown) > 1:
            unknown.sort(key=attachment_order)
        for name, node in unknown:
            verdict = check_attachment(name, node, instruction, self._body)
            if verdict is AttachmentVerdict.STOP:
                return None
            if verdict is AttachmentVerdict.SOUND:
                self._sound_attachments.add((name, node, kind, type_))
        return unknown

    def _check_location(self, instruction: Instruction, location: Any) -> None:
        """Check the debug location of an instruction."""
        if type(location) is not DILocation:
            check_location(instruction, self._body)
            return
        if location not in self._walk.seen:
            self._walk.visit(location, with_locations=True)
        content: Any = present.present_content(location)
        is_sound = type(content) is tuple and (not content[_ATOM_GROUP] or content[_SCOPE] in self._scopes_of_atoms)
        if is_sound or check_atom(location, self._body):
            self._location = location


def _problems_found_by(finders: tuple[Finder, ...], instruction: Instruction, body: Body) -> list[str]:
    """Return the problems that rules for the class of an instruction find."""
    problems: list[str] = []
    for find in finders:
        found = find(instruction, body)
        if found:
            problems += (found,) if isinstance(found, str) else found
    return problems


def _check_call(call: CallBase, body: Body) -> None:
    """Check a call against the calls before it."""
    for problem in body.convergence.problems(call):
        body.report(with_values(NumberedProblem, problem, call), call)
    frame_problem = body.verifier.frames.problem(call, body.function)
    if frame_problem is not None:
        body.report(frame_problem, call)


def _check_phis(block: BasicBlock, body: Body) -> bool:
    """Check the phis of a block against its predecessors; return whether they match."""
    if not isinstance(block.instructions[0], Phi):
        return True
    predecessors = body.predecessors.get(block, [])
    distinct = set(predecessors)
    for phi in block.phis:
        blocks = phi.incoming_blocks
        # Nearly all phis have one edge from each predecessor.
        if (
            len(blocks) == len(predecessors) == len(distinct)
            and distinct.issuperset(blocks)
            and len(set(blocks)) == len(blocks)
        ):
            continue
        problem = _phi_problem(phi, predecessors, body)
        if problem:
            body.report(problem, phi)
            return False
    return True


def _phi_problem(phi: Phi, predecessors: list[BasicBlock], body: Body) -> Problem | None:
    if len(phi.incoming_blocks) != len(predecessors):
        return Problem("PHINode should have one entry for each predecessor of its parent basic block!", phi)
    # LLVM sorts by address: blocks of bitcode are made in their order.
    place = {block: number for number, block in enumerate(body.blocks)}
    elsewhere = len(place)
    incoming = sorted(phi.incoming, key=lambda edge: place.get(edge[1], elsewhere))
    previous: tuple[Value, BasicBlock] | None = None
    for edge, predecessor in zip(incoming, sorted(predecessors, key=place.__getitem__), strict=True):
        value, block = edge
        if previous is not None and previous[1] is block and previous[0] is not value:
            return Problem(
                "PHI node has multiple entries for the same basic block with different incoming values!",
                phi,
                block,
                value,
                previous[0],
            )
        if block is not predecessor:
            return Problem("PHI node entries do not match predecessors!", phi, block, predecessor)
        previous = edge
    return None
