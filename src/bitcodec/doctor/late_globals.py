"""Globals that follow constants, and so have higher numbers: metadata may refer to other values than intended.

Rules: LLVM's readers number values in the order of the file; bitcodec refuses such files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, MetadataCode, TypeCode
from bitcodec.doctor.records import GLOBALS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.doctor.records import StreamRecords

__all__ = ["misnumbered_values"]

_POINTERS = (TypeCode.POINTER, TypeCode.OPAQUE_POINTER)
_GLOBAL = -1
"""Stands for the type of a global."""
_WITH_VALUE = 2


def misnumbered_values(records: StreamRecords) -> Iterator[int]:
    """Yield the rows of metadata of modules that wraps a value by another type than it has.

    Args:
        records: of a bitstream.
    """
    blocks, block_of = records.columns.blocks, records.columns.records.block
    globals_of: dict[int, list[int]] = {}
    for row in records.rows(BlockId.MODULE_BLOCK):
        if records.code(row) in GLOBALS:
            globals_of.setdefault(block_of[row], []).append(row)
    for module, rows in globals_of.items():
        inside = [each for each in range(module + 1, blocks.last_block[module]) if blocks.parent[each] == module]
        constants = [each for each in inside if records.block_ids[each] == BlockId.CONSTANTS_BLOCK]
        if constants and records.columns.records.start[rows[-1]] > blocks.start[constants[0]]:
            yield from _mismatches(records, inside, rows)


def _mismatches(records: StreamRecords, inside: Sequence[int], rows: Sequence[int]) -> Iterator[int]:
    """Yield rows, given the blocks in a module and the rows of its globals."""
    blocks, starts = records.columns.blocks, records.columns.records.start
    codes, known, waiting = list[int](), list[int](), list(reversed(rows))
    for block in inside:
        while waiting and starts[waiting[-1]] < blocks.start[block]:
            waiting.pop()
            known.append(_GLOBAL)
        block_id = records.block_ids[block]
        if block_id == BlockId.TYPE_BLOCK:
            parent = records.columns.records.block
            codes = [records.code(row) for row in records.rows(block_id) if parent[row] == block]
        elif block_id == BlockId.CONSTANTS_BLOCK:
            known += _types_of_constants(records, block)
        elif block_id == BlockId.METADATA_BLOCK:
            for row in range(blocks.first_record[block], blocks.last_record[block]):
                if records.code(row) != MetadataCode.VALUE or len(operands := records.operands(row)) != _WITH_VALUE:
                    continue
                type_id, number = operands
                if type_id < len(codes) and number < len(known) and not _is_of(known[number], type_id, codes):
                    yield row


def _is_of(known: int, type_id: int, codes: Sequence[int]) -> bool:
    return codes[type_id] in _POINTERS if known == _GLOBAL else type_id == known


def _types_of_constants(records: StreamRecords, block: int) -> Iterator[int]:
    """Yield the ids of the types of the constants of a block."""
    blocks, current = records.columns.blocks, 0
    for row in range(blocks.first_record[block], blocks.last_record[block]):
        if records.code(row) == ConstantsCode.SETTYPE:
            current = (records.operands(row) or [0])[0]
        else:
            yield current
