"""Domains of alias scopes in the form of LLVM 24, which older verifiers refuse: found by the records of metadata."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import METADATA_CODES_WITH_ID, BlockId, MetadataCode, TypeCode
from bitcodec.doctor.keys import ConstructKind, Key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.doctor.records import StreamRecords

__all__ = ["flagged_domains"]

_KINDS = (7, 8)
"""The fixed numbers of the kinds `alias.scope` and `noalias`."""
_NODES = (MetadataCode.NODE, MetadataCode.DISTINCT_NODE)
_NO_ROW = -1
_LENGTHS = (2, 3)


def flagged_domains(records: StreamRecords) -> Iterator[tuple[Key, int]]:
    """Yield the records of nodes that are domains of attached alias scopes and have an `i1`."""
    booleans = set(_booleans(records))
    if not booleans:
        return
    blocks, ids = records.columns.blocks, records.block_ids
    metadata = {blocks.parent[block]: block for block, block_id in enumerate(ids) if block_id == BlockId.METADATA_BLOCK}
    of_modules: dict[int, list[int]] = {}
    found: set[int] = set()
    for block, block_id in enumerate(ids):
        lists = _attached_lists(records, block) if block_id == BlockId.METADATA_ATTACHMENT_BLOCK else ()
        if lists:
            function = blocks.parent[block]
            module = blocks.parent[function]
            if module not in of_modules:
                of_modules[module] = _rows_by_id(records, metadata.get(module))
            rows = [*of_modules[module], *_rows_by_id(records, metadata.get(function))]
            found.update(_domains(records, rows, lists, booleans))
    yield from ((Key(ConstructKind.DOMAIN, len(records.operands(row))), row) for row in sorted(found))


def _booleans(records: StreamRecords) -> Iterator[int]:
    """Yield the records that wrap values of type `i1`."""
    types = {
        number
        for number, row in enumerate(records.rows(BlockId.TYPE_BLOCK))
        if records.code(row) == TypeCode.INTEGER and records.operands(row)[:1] == [1]
    }
    codes, first, operands = (
        records.columns.records.code,
        records.columns.records.first_operand,
        records.columns.operands,
    )
    for row in records.rows(BlockId.METADATA_BLOCK) if types else ():
        if codes[row] == MetadataCode.VALUE:
            place = first[row]
            if (operands[place] if place < first[row + 1] else 0) in types:
                yield row


def _attached_lists(records: StreamRecords, block: int) -> Sequence[int]:
    """Return the ids of the lists of scopes that are attached to instructions."""
    found: dict[int, None] = {}
    blocks, columns = records.columns.blocks, records.columns
    places = columns.records.first_operand[blocks.first_record[block] : blocks.last_record[block] + 1].tolist()
    # Files have many such records, and hardly any of these kinds.
    for start, end in pairwise(places):
        for place in range(start + 1, end - 1, 2):
            if columns.operands[place] in _KINDS:
                found[columns.operands[place + 1]] = None
    return list(found)


def _rows_by_id(records: StreamRecords, block: int | None) -> list[int]:
    """Return the row of each metadata id of a block; strings do not have rows."""
    found: list[int] = []
    for row in () if block is None else _rows(records, block):
        code = records.code(row)
        if code == MetadataCode.STRINGS:
            # Each string has at least a bit in the record's blob.
            count = min((records.operands(row) or [0])[0], records.columns.end)
            found += [_NO_ROW] * count
        elif code in METADATA_CODES_WITH_ID:
            found.append(row)
    return found


def _domains(records: StreamRecords, rows: list[int], lists: Sequence[int], booleans: set[int]) -> Iterator[int]:
    """Yield the rows of the domains of scopes in some lists that have an `i1`."""

    def operands(number: int) -> list[int]:
        row = rows[number] if number < len(rows) else _NO_ROW
        return records.operands(row) if row != _NO_ROW and records.code(row) in _NODES else []

    scopes = {scope - 1 for each in lists for scope in operands(each) if scope}
    domains = {parts[1] - 1 for scope in scopes if len(parts := operands(scope)) in _LENGTHS and parts[1]}
    for domain in domains:
        parts = operands(domain)
        if len(parts) in _LENGTHS and parts[1] and parts[1] <= len(rows) and rows[parts[1] - 1] in booleans:
            yield rows[domain]


def _rows(records: StreamRecords, block: int) -> range:
    blocks = records.columns.blocks
    return range(blocks.first_record[block], blocks.last_record[block])
