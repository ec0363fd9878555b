# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: SLF001
"""Locations, debug records and attachments of the instructions of a body: read after the body, or deferred.

When a whole module is read, they are read at once; otherwise each instruction gets a placeholder that reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.reader.attachments import (
    DEBUG_RECORD_OPERANDS,
    LOCATION_KIND,
    LOCATION_OPERANDS,
    VARIABLE_KINDS,
    DeferredAttachedLocation,
    DeferredAttachments,
    DeferredLocation,
    DeferredRecords,
)
from bitcodec.bitcode.reader.metadata import UPGRADED_KINDS
from bitcodec.bitcode.reader.node_reader import known_node
from bitcodec.bitcode.schema.blocks import FunctionCode, MetadataAttachmentCode
from bitcodec.errors import BitcodecError
from bitcodec.ir.constants import ConstantWithOperands
from bitcodec.ir.construction import present
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_records import DbgVariableKind, DbgVariableRecord
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import MDNode
from bitcodec.reasons import Reason
from bitcodec.upgrade.branch_weights import WEIGHTED, are_misfits, ways_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.reader.attachments import AttachmentSource
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function
    from bitcodec.ir.values import Value

__all__ = ["InstructionExtras"]

_WORD, _COLUMN_LIMIT = 0xFFFF_FFFF, 1 << 16
_LOCATION_OPERANDS, _ATOM_GROUP = LOCATION_OPERANDS, 5
_CELL_BYTES = 8
_RECORD_CELLS = 3
"""Row, code and count of operands."""
_MAX_GROUP, _MAX_RANK = (1 << 61) - 1, 7
_ATTACHMENT = int(MetadataAttachmentCode.ATTACHMENT)
_VALUE_SIMPLE = int(FunctionCode.DEBUG_RECORD_VALUE_SIMPLE)
_ASSIGN, _LABEL = int(FunctionCode.DEBUG_RECORD_ASSIGN), int(FunctionCode.DEBUG_RECORD_LABEL)
_SIMPLE_OPERANDS = 3
_WRAPPED, _FROM_VALUE_TO_ADDRESS = 3, 3
"""Positions of the wrappers of the value and, in records of assignments, of the address."""
_VALUE = DbgVariableKind.VALUE


class InstructionExtras:
    """The locations, debug records and attachments that the records of a body give its instructions.

    Args:
        source: reads them.
        function: the function.
        records: the records of the body.

    Attributes:
        located, location_rows: instructions, and the row of the record with the location of each; instructions that
            follow one another may share it.
        records: an instruction, the row of a debug record before it, and the record's value if it is given
            as an operand; in the order of the file.
        attachments: an instruction, and row and pairs of kind and metadata id of its attachments.
        wrapping: debug records that have been deferred and give constants with operands as their values.
        wrapped_ids: each metadata id that deferred debug records give instead of a value, and those records.
    """

    def __init__(self, source: AttachmentSource, function: Function, records: Records) -> None:
        self._source = source
        self._function = function
        self._records = records
        self._first_row = records.first_row
        self._is_deferred = self._has_records = False
        self.located: list[Instruction] = []
        self.location_rows: list[int] = []
        self.records: list[tuple[Instruction, int, Value | None]] = []
        self.attachments: list[tuple[Instruction, int, tuple[int, ...]]] = []
        self.wrapping: list[DeferredRecords] = []
        self.wrapped_ids: list[tuple[int, DeferredRecords]] = []

    @property
    def has_records(self) -> bool:
        """Whether there are debug records."""
        return self._has_records or bool(self.records)

    @property
    def has_any(self) -> bool:
        """Whether there is anything."""
        return bool(self._is_deferred or self.located or self.records or self.attachments)

    def read(self) -> bool:
        """Read everything, and all metadata of the function, unless some has been deferred, or is malformed.

        Returns:
            Whether it was read; if not, it can be deferred.
        """
        if not self._is_deferred:
            try:
                if self._source.blocks:
                    self._source.metadata.read_all()
                if self.located:
                    self._read_locations()
                if self.records:
                    self._read_records()
                if self.attachments:
                    self._read_attachments()
            except BitcodecError:
                pass  # is raised when somebody requests the part
            else:
                return True
        return False

    def defer(self) -> None:
        """Give each instruction a placeholder that reads its part.

        Their numbers go to one array for the function: most are never read, and an object for each takes much memory.
        """
        self._is_deferred, self._has_records = True, self.has_records
        self._defer_locations()
        self._defer_records()
        source, first_row = self._source, self._first_row
        for instruction, row, pairs in self.attachments:
            # Most are loads and stores.
            ways = ways_of(instruction) if type(instruction) in WEIGHTED else None
            instruction._attachments = DeferredAttachments(source, row - first_row, pairs, ways)
            if LOCATION_KIND in pairs:
                stated = present.present_location(instruction)
                instruction._location = DeferredAttachedLocation(
                    source, row - first_row, pairs, stated if isinstance(stated, Deferred) else None
                )
        self.located, self.location_rows, self.records, self.attachments = [], [], [], []

    def _defer_locations(self) -> None:
        source, first_row, located = self._source, self._first_row, self.located
        columns = self._records.columns
        operands, bounds = columns.operands, columns.records.first_operand
        stored: Any = source.cells
        place = len(stored)
        count, last_row = 0, -1
        for row in self.location_rows:
            count += row != last_row
            last_row = row
        stored.frombytes(bytes(_CELL_BYTES * (1 + _LOCATION_OPERANDS) * count))
        cells = stored
        last_row = -1
        location: Any = None
        for index, row in enumerate(self.location_rows):
            if row != last_row:
                last_row = row
                location = DeferredLocation.__new__(DeferredLocation)
                location.source = source
                location.at = place
                first, count = bounds[row], bounds[row + 1] - bounds[row]
                if count != _LOCATION_OPERANDS:
                    count = min(count, _ATOM_GROUP)
                cells[place] = row - first_row
                for at in range(count):
                    cells[place + 1 + at] = operands[first + at]
                place += 1 + _LOCATION_OPERANDS
            instruction = located[index]
            instruction._location = location

    def _defer_records(self) -> None:
        source, first_row = self._source, self._first_row
        columns = self._records.columns
        operands, bounds, codes = columns.operands, columns.records.first_operand, columns.records.code
        stored: Any = source.cells
        place = len(stored)
        count = 0
        for _, row, _ in self.records:
            count += _RECORD_CELLS + min(_operand_count(codes[row]), bounds[row + 1] - bounds[row])
        stored.frombytes(bytes(_CELL_BYTES * count))
        cells = stored
        last: Any = None
        deferred: Any = None
        values: list[Any] = []
        unread: list[DeferredRecords] = []
        for instruction, row, value in self.records:
            if instruction is not last:
                last, values = instruction, []
                deferred = instruction._records = DeferredRecords(source, place, values)
                unread.append(deferred)
            code, first = codes[row], bounds[row]
            count = min(_operand_count(code), bounds[row + 1] - first)
            if value is None:
                for at in range(_WRAPPED, count, _FROM_VALUE_TO_ADDRESS):
                    self.wrapped_ids.append((operands[first + at], deferred))
            elif not isinstance(value, Instruction) and isinstance(value, ConstantWithOperands):
                self.wrapping.append(deferred)
            cells[place] = row - first_row
            cells[place + 1] = code
            cells[place + 2] = count
            for at in range(count):
                cells[place + _RECORD_CELLS + at] = operands[first + at]
            place += _RECORD_CELLS + count
            values.append(value)
        if unread:
            self._function._unread_records += tuple(unread)

    def add_attachments(self, records: Records, instructions: list[Instruction]) -> list[tuple[int, list[int]]]:
        """Take the attachments of a METADATA_ATTACHMENT block.

        Args:
            records: the block.
            instructions: instructions that it refers to, by number.

        Returns:
            Row and pairs of each record that attaches something to the function itself.

        Raises:
            BitcodeError: a record is malformed.
        """
        columns, attachments = records.columns, self.attachments
        operands, bounds, codes = columns.operands, columns.records.first_operand, columns.records.code
        seen: dict[int, int] = {}
        own: list[tuple[int, list[int]]] = []
        for rows in records.ranges():
            for row in range(rows.start, rows.stop):
                first, end = bounds[row], bounds[row + 1]
                if codes[row] != _ATTACHMENT:
                    continue
                if first == end:
                    raise records.error(row, Reason.TOO_FEW_OPERANDS())
                if not (end - first) & 1:
                    own.append((row, [operands[at] for at in range(first, end)]))
                    continue
                number = operands[first]
                if number >= len(instructions):
                    raise records.error(row, Reason.NO_INSTRUCTION_NUMBER(number=number))
                pairs = tuple([operands[at] for at in range(first + 1, end)])
                earlier = seen.setdefault(number, len(attachments))
                if earlier < len(attachments):
                    instruction, first_row, before = attachments[earlier]
                    attachments[earlier] = (instruction, first_row, before + pairs)
                else:
                    attachments.append((instructions[number], row, pairs))
        return own

    def metadata_ids(self, location: int, record: int, attachment: int) -> Iterator[int]:
        """Yield the metadata ids in entries from three indices on: in locations, records, attachments."""
        for row in dict.fromkeys(self.location_rows[location:]):
            yield max(self._records.operands(row)[2:4]) - 1
        for _, row, _ in self.records[record:]:
            yield from self._debug_record(row)[1]
        for _, _, pairs in self.attachments[attachment:]:
            yield from pairs[1::2]

    def _debug_record(self, row: int) -> tuple[int, list[int]]:
        """Return code and operands of a debug record, without those that LLVM ignores, and without a value."""
        code = int(self._records.columns.records.code[row])
        return code, self._records.operands(row)[: _operand_count(code)]

    def _read_locations(self) -> None:
        """Resolve all locations as `DeferredLocation.resolve` does, but look up scopes only where they change."""
        source, table, located = self._source, self._source.table, self.located
        columns, first_row = self._records.columns, self._first_row
        operands, bounds = columns.operands, columns.records.first_operand
        known, made = table.nodes(DILocation), source.made
        outer, first_id = made.outer, made.first_id
        node: DILocation | None = None
        scope: Any = None
        inlined_at: Any = None
        scope_id = inlined_at_id = index = 0
        last_row = -1
        for row in self.location_rows:
            instruction = located[index]
            index += 1
            if row == last_row:
                instruction._location = node
                continue
            last_row = row
            at, end = bounds[row], bounds[row + 1]
            line, column = operands[at] & _WORD, operands[at + 1] & _WORD
            its_scope, its_inlined_at = operands[at + 2], operands[at + 3]
            if its_scope != scope_id or its_inlined_at != inlined_at_id:
                scope_id, inlined_at_id = its_scope, its_inlined_at
                scope = known_node(made, outer, first_id, scope_id - 1) if scope_id else None
                inlined_at = known_node(made, outer, first_id, inlined_at_id - 1) if inlined_at_id else None
                if not isinstance(scope, MDNode) or (inlined_at_id and not isinstance(inlined_at, MDNode)):
                    scope, inlined_at = source.scopes(row - first_row, scope_id, inlined_at_id)
            node = None
            if scope is not None:
                count = end - at
                is_implicit = count >= _ATOM_GROUP and operands[at + 4] != 0
                group = rank = 0
                if count == _LOCATION_OPERANDS:
                    group, rank = operands[at + 5] & _MAX_GROUP, operands[at + 6] & _MAX_RANK
                content = (
                    line,
                    column if column < _COLUMN_LIMIT else 0,
                    scope,
                    inlined_at,
                    is_implicit,
                    group,
                    rank,
                )
                node = DILocation.__new__(DILocation)
                node.is_distinct = False
                node._content = content
                if known.setdefault(content, node) is not node:
                    node = table.known(node, content)
            instruction._location = node

    def _read_records(self) -> None:
        source, last = self._source, None
        made: Any = self._source.made
        outer, first_id = made.outer, made.first_id
        value_of, first_row = self._source.table.value, self._first_row
        columns = self._records.columns
        operands, bounds, codes = columns.operands, columns.records.first_operand, columns.records.code
        found: list[DebugRecord] = []
        for instruction, row, value in self.records:
            at, code = bounds[row], codes[row]
            wrapped: Any = None
            location = known_node(made, outer, first_id, operands[at])
            variable = known_node(made, outer, first_id, operands[at + 1])
            expression = None
            if code != _LABEL:
                expression = known_node(made, outer, first_id, operands[at + 2])
                if value is not None:
                    wrapped = present.present_wrapper(value) or value_of(value)
                elif code != _ASSIGN:
                    wrapped = known_node(made, outer, first_id, operands[at + 3])
            if location is None or variable is None or expression is None or wrapped is None:
                record: DebugRecord = source.record(row - first_row, code, self._debug_record(row)[1], value)
            else:
                made_record = DbgVariableRecord.__new__(DbgVariableRecord)
                made_record.location = location
                made_record.kind = _VALUE if value is not None else VARIABLE_KINDS[code]
                made_record.variable = variable
                made_record.expression = expression
                made_record._value = wrapped
                made_record.assign_id = made_record._address = made_record.address_expression = None
                record = made_record
            if instruction is last:
                found.append(record)
            else:
                found = instruction._records = [record]
                last = instruction

    def _read_attachments(self) -> None:
        source, first_row = self._source, self._first_row
        attached: dict[tuple[int, ...], dict[str, MDNode]] = source.by_pairs
        shared: dict[tuple[int, ...], dict[str, MDNode]] = source.module.attached
        for instruction, row, pairs in self.attachments:
            known = shared.get(pairs)
            if known is None:
                known = attached.get(pairs)
            if known is None:
                known = self._attached_nodes(pairs)
            found = known.copy() if known is not None else source.attached(row - first_row, pairs)
            instruction._attachments = found
            if LOCATION_KIND in pairs:
                location = source.attached_location(row - first_row, pairs)
                if location is not None:
                    instruction._location = location
            if "prof" in found and are_misfits(found["prof"], ways_of(instruction)):
                del found["prof"]

    def _attached_nodes(self, pairs: tuple[int, ...]) -> dict[str, MDNode] | None:
        """Attach created nodes as `AttachmentSource.attached` does; return None if others are needed."""
        source = self._source
        module: Any = source.module
        made: Any = source.made
        outer, first_id, kinds = made.outer, made.first_id, module.kinds
        found: dict[str, MDNode] = {}
        is_shared = True
        for index in range(0, len(pairs) - 1, 2):
            kind, metadata_id = pairs[index], pairs[index + 1]
            name = kinds.get(kind)
            node = None if kind == LOCATION_KIND else known_node(made, outer, first_id, metadata_id)
            if name is None or not isinstance(node, MDNode):
                return None
            found[name] = module.upgraded(name, node) if name in UPGRADED_KINDS else node
            is_shared &= metadata_id < first_id
        source.by_pairs[pairs] = found
        if is_shared:
            module.attached[pairs] = found
        return found


def _operand_count(code: int) -> int:
    """Return how many operands of a debug record count, without a value that is given as an operand."""
    return _SIMPLE_OPERANDS if code == _VALUE_SIMPLE else DEBUG_RECORD_OPERANDS[code]
