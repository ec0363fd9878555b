# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Rules of assignment tracking: a `!DIAssignID` links instructions and `#dbg_assign` records of one function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.construction import present
from bitcodec.ir.debug_info import DIAssignID
from bitcodec.ir.debug_records import DbgVariableKind, DbgVariableRecord
from bitcodec.verifier.rules import Problem

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.module import Module

__all__ = ["Assignments", "linked_instruction_problem", "linked_record_problems"]

_NOT_ASSIGN = "!DIAssignID should only be used by Assign DVRs."
_RECORD_ELSEWHERE = "DVRAssign not in same function as inst"
_INSTRUCTION_ELSEWHERE = "inst not in same function as #dbg_assign"
_KIND = "DIAssignID"


class Assignments:
    """The instructions that `DIAssignID` nodes are attached to, and the records that refer to these nodes.

    Both are in the order of the module.

    Attributes:
        instructions: for a node, instructions and their functions.
        records: for a node, records and their functions.
    """

    __slots__ = ("_odd_instructions", "_odd_records", "instructions", "records")

    def __init__(self, module: Module) -> None:
        self.instructions: dict[Any, list[tuple[Instruction, Function]]] = {}
        self.records: dict[Any, list[tuple[DbgVariableRecord, Function]]] = {}
        self._odd_instructions: dict[Any, Any] = {}
        self._odd_records: dict[Any, Any] = {}
        for function in module.functions:
            for block in function.blocks:
                self._collect(block.instructions, function)

    def _collect(self, instructions: Any, function: Function) -> None:
        """Add instructions of a function."""
        for instruction in instructions:
            if present.has_debug_records(instruction):
                self._collect_records(instruction.debug_records, function)
            if present.has_attachments(instruction):
                node = instruction.metadata.get(_KIND)
                if node is not None:
                    self.instructions.setdefault(node, []).append((instruction, function))

    def _collect_records(self, records: Any, function: Function) -> None:
        for record in records:
            if isinstance(record, DbgVariableRecord):
                nodes: list[Any] = [record.value]
                if record.kind is DbgVariableKind.ASSIGN:
                    nodes += (record.address, record.assign_id)
                for node in nodes:
                    if isinstance(node, DIAssignID):
                        self.records.setdefault(node, []).append((record, function))

    def odd_instruction(self, node: DIAssignID, function: Function) -> Instruction | None:
        """Return the first instruction with a node that is not in a function, None if all are."""
        linked = self.instructions.get(node)
        if not linked:
            return None
        first, owner = linked[0]
        if owner is not function:
            return first
        if node not in self._odd_instructions:
            self._odd_instructions[node] = _first_elsewhere(linked, owner)
        found: Instruction | None = self._odd_instructions[node]
        return found

    def odd_record(self, node: DIAssignID, function: Function) -> DbgVariableRecord | None:
        """Return the last record with a node that is not an assignment in a function, None if all are.

        LLVM visits the newest record first.
        """
        linked = self.records.get(node)
        if not linked:
            return None
        last, owner = linked[-1]
        if owner is not function or last.kind is not DbgVariableKind.ASSIGN:
            return last
        if node not in self._odd_records:
            self._odd_records[node] = _first_elsewhere(linked[::-1], owner)
        found: DbgVariableRecord | None = self._odd_records[node]
        return found


def _first_elsewhere(linked: list[Any], function: Function) -> Any:
    """Return the first instruction of another function, or the first record of another function or kind, if any."""
    for found, owner in linked:
        if owner is not function:
            return found
        if isinstance(found, DbgVariableRecord) and found.kind is not DbgVariableKind.ASSIGN:
            return found
    return None


def linked_record_problems(node: object, instruction: Instruction, assignments: Assignments) -> tuple[Problem, ...]:
    """Return the errors in the debug records that refer to a node attached to an instruction."""
    block = instruction.parent
    if not isinstance(node, DIAssignID) or block is None or block.parent is None:
        return ()
    record = assignments.odd_record(node, block.parent)
    if record is None:
        return ()
    if record.kind is not DbgVariableKind.ASSIGN:
        return (Problem(_NOT_ASSIGN, node, record),)
    return (Problem(_RECORD_ELSEWHERE, record, instruction),)


def linked_instruction_problem(
    record: DbgVariableRecord, instruction: Instruction, assignments: Assignments
) -> Problem | None:
    """Return the error in the instructions linked to a debug record, which precedes `instruction`."""
    node, block = record.assign_id, instruction.parent
    if not isinstance(node, DIAssignID) or block is None or block.parent is None:
        return None
    found = assignments.odd_instruction(node, block.parent)
    return None if found is None else Problem(_INSTRUCTION_ELSEWHERE, found, record, block, block.parent)
