"""The records of a bitstream that rules check, found in one walk."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import (
    RECORD_CODES,
    SUMMARY_BLOCKS,
    BlockId,
    ConstantsCode,
    MetadataCode,
    MetadataKindCode,
    ModuleCode,
    StrtabCode,
    TypeCode,
)
from bitcodec.bitcode.schema.globals import GLOBAL_LAYOUTS
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitstream.names import Names
from bitcodec.doctor.keys import Key
from bitcodec.doctor.observing import OBSERVERS, UNKNOWN_CODES

if TYPE_CHECKING:
    from bitcodec.bitstream import Columns

__all__ = ["GLOBALS", "REFERENCES", "Phase", "StreamRecords", "name_of_path", "phase_inside"]

_NAMES = Names(LLVM_IR_NAMES)
_CODES: dict[int, dict[int, str]] = {
    block_id.value: {code.value: code.name for code in codes} for block_id, codes in RECORD_CODES.items()
}
"""Names of records by block id and code."""

GLOBALS = tuple(GLOBAL_LAYOUTS)
"""Codes of the records that make globals."""
REFERENCES = (
    ConstantsCode.AGGREGATE,
    ConstantsCode.CE_CAST,
    ConstantsCode.CE_GEP_OLD,
    ConstantsCode.CE_INBOUNDS_GEP,
)
"""Codes of the records of constants that refer to others."""
_KEPT: dict[int, frozenset[int]] = {
    BlockId.MODULE_BLOCK: frozenset(
        {ModuleCode.VSTOFFSET, ModuleCode.ASM, ModuleCode.TRIPLE, ModuleCode.DATALAYOUT, *GLOBALS}
    ),
    BlockId.METADATA_BLOCK: frozenset({MetadataCode.KIND, MetadataCode.VALUE}),
    BlockId.METADATA_KIND_BLOCK: frozenset({MetadataKindCode.KIND}),
    BlockId.STRTAB_BLOCK: frozenset({StrtabCode.BLOB}),
    BlockId.TYPE_BLOCK: frozenset(range(256)) - {TypeCode.NUMENTRY, TypeCode.STRUCT_NAME},
    BlockId.CONSTANTS_BLOCK: frozenset(REFERENCES),
}
"""By block id, the codes of the records that are needed together."""


class Phase(IntEnum):
    """The order in which readers reach the parts of a file."""

    FILE = 0
    TOP_LEVEL = 1
    MODULES = 2
    """The number of modules is known."""
    MODULE = 3
    FIRST_BODY = 4
    """The symbol table is read."""
    BODIES = 5
    SUMMARIES = 6
    """With all else that follows the first body."""


def phase_inside(block_id: int, around: int) -> int:
    """Return the phase in which readers reach a block, given the phase of the block around it."""
    if block_id == BlockId.FUNCTION_BLOCK or around == Phase.BODIES:
        return Phase.BODIES
    return Phase.SUMMARIES if block_id in SUMMARY_BLOCKS or around == Phase.SUMMARIES else Phase.MODULE


def name_of_path(path: tuple[int, ...]) -> str:
    """Return the names of blocks, outermost first."""
    return " > ".join(map(_NAMES.describe_block, path)) or "top level"


class StreamRecords:
    """The records of a bitstream.

    Args:
        columns: the bitstream, decoded.

    Attributes:
        columns: the same.
        block_ids: id of each block.
        found: the rows of the first records of each construct, and how many records have it.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.block_ids: list[int] = columns.blocks.id.tolist()
        self.found: dict[Key, list[int]] = {}
        self._phases: list[int] = []
        for block_id, parent in zip(self.block_ids, columns.blocks.parent, strict=True):
            self._phases.append(phase_inside(block_id, self._phases[parent] if parent >= 0 else Phase.TOP_LEVEL))
        self._kept: dict[int, list[int]] = {}
        self._walk()

    def _walk(self) -> None:
        records, kept, found = self.columns.records, self._kept, self.found
        first, operands = records.first_operand.tolist(), self.columns.operands
        tables = [(OBSERVERS.get(each), _KEPT.get(each)) for each in self.block_ids]
        for row, (block, code) in enumerate(zip(records.block, records.code, strict=True)):
            observers, wanted = tables[block]
            if wanted is not None and code in wanted:
                kept.setdefault(self.block_ids[block], []).append(row)
            if observers is None:
                continue
            observe = observers.get(code)
            if observe is not None:
                for key in observe(operands[first[row] : first[row + 1]]):
                    seen = found.get(key)
                    if seen is None:
                        found[key] = [row, 1]
                    else:
                        seen[1] += 1
            elif (kind := UNKNOWN_CODES.get(self.block_ids[block])) and code not in _CODES[self.block_ids[block]]:
                found.setdefault(Key(kind, code), [row, 0])[1] += 1

    def rows(self, block_id: int) -> list[int]:
        """Return the rows of the records in blocks of an id that are needed together."""
        return self._kept.get(block_id, [])

    def code(self, row: int) -> int:
        """Return the code of a record."""
        return int(self.columns.records.code[row])

    def operands(self, row: int) -> list[int]:
        """Return the operands of a record."""
        return self.columns.operands_of(row).tolist()

    def strings(self, payload: memoryview) -> bytes:
        """Return the first string table of a bitstream: the last BLOB record of the block holds it."""
        rows = self.rows(BlockId.STRTAB_BLOCK)
        block_of = self.columns.records.block
        rows = [row for row in rows if block_of[row] == block_of[rows[0]]]
        start, size = (self.columns.blobs.of_record(rows[-1]) if rows else None) or (0, 0)
        return bytes(payload[start : start + size])

    def phase(self, row: int) -> int:
        """Return the phase in which readers reach a record."""
        return self._phases[self.columns.records.block[row]]

    def name(self, row: int) -> str:
        """Return the names of the block and of the record."""
        block_id, code = self.block_ids[self.columns.records.block[row]], self.code(row)
        name = _CODES.get(block_id, {}).get(code) or _NAMES.describe_record(block_id, code)
        return f"{_NAMES.describe_block(block_id)}, {name}"
