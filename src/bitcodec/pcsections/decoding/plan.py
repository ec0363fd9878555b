"""Data that may follow a PC, as flat columns for the loops of `matching`."""

from __future__ import annotations

from array import array
from enum import IntEnum
from itertools import groupby
from typing import TYPE_CHECKING

from bitcodec.pcsections.schemas.kinds import Operation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitcodec.containers.elf_headers import ByteOrder
    from bitcodec.pcsections.decoding.code import Code
    from bitcodec.pcsections.schemas.kinds import Kind, SectionSchema

__all__ = ["DecodingPlan", "Owner"]

_LONGEST_PREFIX = 8


class Owner(IntEnum):
    """Owner of the target of a field: not determined yet, nothing, code of an unknown function, the first function."""

    UNSEEN = 0
    NOWHERE = 1
    NO_FUNCTION = 2
    FIRST_FUNCTION = 3


class DecodingPlan:
    """A schema of a section for a file.

    Kinds that the same functions may have are a group; group 0 has all.  In a group, instruction kinds are sorted by
    the number of their known first bytes, highest first, and by these bytes: kinds with equal numbers are a class.

    Args:
        schema: the schema.
        pc_size: bytes of a PC field.
        pointer_size: bytes of an address.
        byte_order: of the file.
        code: the functions of the file.
        by_function: whether functions have only kinds that the schema has for their names.
    """

    def __init__(
        self,
        schema: SectionSchema,
        *,
        pc_size: int,
        pointer_size: int,
        byte_order: ByteOrder,
        code: Code,
        by_function: bool = False,
    ) -> None:
        self.pc_size = pc_size
        self.pointer_size = pointer_size
        self.byte_order: ByteOrder = byte_order
        self.has_runs = schema.layout == "backend"
        self._kinds = schema.kinds
        self._lay_out(schema.kinds)
        self.group_classes = array("I")
        self.group_functions = array("I")
        self.group_empty = array("q")
        self.class_lengths = array("B")
        self.class_members = array("I")
        self.members = array("I")
        self.function_members = array("I")
        self._add_group(range(len(schema.kinds)))
        self.function_groups = array("I", bytes(4 * len(code.starts)))
        if by_function and schema.by_function is not None:
            self._group_functions(schema.by_function, code)
        self.group_classes.append(len(self.class_lengths))
        self.group_functions.append(len(self.function_members))
        self.class_members.append(len(self.members))

    def _lay_out(self, kinds: Sequence[Kind]) -> None:
        """Make the steps of kinds."""
        self.first_steps = array("I")
        self.size_lengths = array("B")
        self.prefixes = array("Q")
        self.operations = array("B")
        self.lengths = array("Q")
        self.conditions = array("Q")
        self.pool_starts = array("Q")
        self.pool = bytearray()
        self._prefix_lengths: list[int] = []
        for kind in kinds:
            first = len(self.operations)
            self.first_steps.append(first)
            self.size_lengths.append(kind.size_length if kind.is_function else 0)
            for operation, length, known, condition in kind.steps(self.pointer_size, self.byte_order):
                self.operations.append(operation)
                self.lengths.append(length)
                self.conditions.append(condition)
                self.pool_starts.append(len(self.pool))
                self.pool += known
            is_known = len(self.operations) > first and self.operations[first] == Operation.KNOWN
            length = min(self.lengths[first], _LONGEST_PREFIX) if is_known else 0
            start = self.pool_starts[first] if is_known else 0
            self._prefix_lengths.append(length)
            self.prefixes.append(int.from_bytes(self.pool[start : start + length]))
        self.first_steps.append(len(self.operations))

    def _group_functions(self, by_function: Mapping[str, tuple[int, ...]], code: Code) -> None:
        """Give each function the group of the kinds that any of its names requests."""
        wanted: dict[int, set[int]] = {}
        for name, kinds in by_function.items():
            for function in code.named(name):
                wanted.setdefault(function, set()).update(kinds)
        nothing = self._add_group(())
        self.function_groups = array("I", [nothing]) * len(code.starts)
        groups: dict[tuple[int, ...], int] = {}
        for function, numbers in wanted.items():
            key = tuple(sorted(numbers))
            if key not in groups:
                groups[key] = self._add_group(key)
            self.function_groups[function] = groups[key]

    def _add_group(self, kinds: Iterable[int]) -> int:
        """Add a group of kinds, and return its number."""
        self.group_classes.append(len(self.class_lengths))
        self.group_functions.append(len(self.function_members))
        self.group_empty.append(-1)
        instructions = []
        for kind in kinds:
            if self._kinds[kind].is_function:
                self.function_members.append(kind)
            elif self.first_steps[kind] < self.first_steps[kind + 1]:
                instructions.append(kind)
            elif self.group_empty[-1] < 0:
                self.group_empty[-1] = kind
        instructions.sort(key=lambda kind: (-self._prefix_lengths[kind], self.prefixes[kind]))
        for length, members in groupby(instructions, lambda kind: self._prefix_lengths[kind]):
            self.class_lengths.append(length)
            self.class_members.append(len(self.members))
            self.members.extend(members)
        return len(self.group_empty) - 1
