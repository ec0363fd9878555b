"""What a body says that instructions have beside their operands: read when all of the body is there, or put off.

Who reads a whole module reads it at once; else instructions get what reads it when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.attachments import (
    LOCATION_KIND,
    DeferredAttachedLocation,
    DeferredAttachments,
    DeferredLocation,
    DeferredRecords,
    location_fields,
)
from bitcodec.bitcode.upgrade.branch_weights import are_misfits, ways_of
from bitcodec.errors import BitcodecError
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.lazy import Deferred

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.attachments import AttachmentSource
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["Beside"]


class Beside:
    """What the records of a body say that instructions have beside their operands.

    Args:
        source: what it is read with.
        function: the function.

    Attributes:
        locations: an instruction, and row and operands of the record that says its location; instructions that follow
            one another may share the operands.
        records: an instruction, row, code and operands of a debug record in front of it, and its value if the record
            says it as that of an operand; in the order of the file.
        attachments: an instruction, and row and pairs of kind and metadata id of what is attached to it.
    """

    __slots__ = ("_function", "_has_records", "_is_put_off", "_source", "attachments", "locations", "records")

    def __init__(self, source: AttachmentSource, function: Function) -> None:
        self._source = source
        self._function = function
        self._is_put_off = self._has_records = False
        self.locations: list[tuple[Instruction, int, list[int]]] = []
        self.records: list[tuple[Instruction, int, int, list[int], Value | None]] = []
        self.attachments: list[tuple[Instruction, int, tuple[int, ...]]] = []

    @property
    def has_records(self) -> bool:
        """Whether there are debug records."""
        return self._has_records or bool(self.records)

    @property
    def has_any(self) -> bool:
        """Whether there is something."""
        return bool(self._is_put_off or self.locations or self.records or self.attachments)

    def read(self) -> bool:
        """Read all, and all metadata of the function, unless some has been put off, or is malformed.

        Returns:
            Whether it was read; if not, it is put off.
        """
        if not self._is_put_off:
            try:
                if self._source.blocks:
                    self._source.metadata.read_all()
                if self.locations:
                    self._read_locations()
                self._read_records()
                self._read_attachments()
            except BitcodecError:
                pass  # goes to who asks for it
            else:
                return True
        self.put_off()
        return False

    def put_off(self) -> None:
        """Give the instructions what reads it when it is asked for."""
        self._is_put_off, self._has_records = True, self.has_records
        source, operands = self._source, None
        for instruction, row, its_operands in self.locations:
            if its_operands is not operands:
                operands = its_operands
                location = DeferredLocation(source, row, operands)
            instruction._location = location
        last, unread = None, [*self._function._unread_records]
        for instruction, row, code, its_operands, value in self.records:
            if instruction is not last:
                last = instruction
                records = instruction._records = DeferredRecords(source)
                unread.append(records)
            records.add(row, code, its_operands, value)
        self._function._unread_records = tuple(unread)
        for instruction, row, pairs in self.attachments:
            instruction._attachments = DeferredAttachments(source, row, pairs, ways_of(instruction))
            if LOCATION_KIND in pairs:
                stated = instruction._location
                instruction._location = DeferredAttachedLocation(
                    source, row, pairs, stated if isinstance(stated, Deferred) else None
                )
        self.locations, self.records, self.attachments = [], [], []

    def _read_locations(self) -> None:
        """Do for all locations what `DeferredLocation.resolve` does, but look for scopes only where they change."""
        source = self._source
        table = source.table
        known = table.nodes(DILocation)
        operands: list[int] = []
        node = scope = inlined_at = None
        scope_id = inlined_at_id = 0
        for instruction, row, its_operands in self.locations:
            if its_operands is operands:
                instruction._location = node
                continue
            operands = its_operands
            line, column, its_scope, its_inlined_at, is_implicit, group, rank = location_fields(operands)
            if its_scope != scope_id or its_inlined_at != inlined_at_id:
                scope_id, inlined_at_id = its_scope, its_inlined_at
                scope, inlined_at = source.scopes(row, scope_id, inlined_at_id)
            node = None
            if scope is not None:
                node = DILocation.__new__(DILocation)
                node.is_distinct = False
                content = node._content = (line, column, scope, inlined_at, is_implicit, group, rank)
                if known.setdefault(content, node) is not node:
                    node = table.known(node, content)
            instruction._location = node

    def _read_records(self) -> None:
        read, last = self._source.record, None
        found: list[DebugRecord] = []
        for instruction, row, code, operands, value in self.records:
            record = read(row, code, operands, value)
            if instruction is last:
                found.append(record)
            else:
                found = instruction._records = [record]
                last = instruction

    def _read_attachments(self) -> None:
        attached, attached_location = self._source.attached, self._source.attached_location
        for instruction, row, pairs in self.attachments:
            found = instruction._attachments = attached(row, pairs)
            if LOCATION_KIND in pairs and (location := attached_location(row, pairs)) is not None:
                instruction._location = location
            if "prof" in found and are_misfits(found["prof"], ways_of(instruction)):
                del found["prof"]
