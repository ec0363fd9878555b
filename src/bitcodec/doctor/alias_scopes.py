"""Domains of alias scopes in the form of LLVM 24, which older verifiers refuse: found by the records of metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import METADATA_CODES_WITH_ID, BlockId, MetadataCode, TypeCode
from bitcodec.doctor.keys import Key, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.doctor.records import Records

__all__ = ["flagged_domains"]

_KINDS = (7, 8)
"""The fixed numbers of the kinds `alias.scope` and `noalias`."""
_NODES = (MetadataCode.NODE, MetadataCode.DISTINCT_NODE)
_NO_ROW = -1
_LENGTHS = (2, 3)


def flagged_domains(records: Records) -> Iterator[tuple[Key, int]]:
    """Yield the records of nodes that are domains of attached alias scopes and have an `i1`."""
    booleans = {row for row in records.rows(BlockId.METADATA_BLOCK) if _is_boolean(records, row)}
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
    yield from ((Key(Kind.DOMAIN, len(records.operands(row))), row) for row in sorted(found))


def _is_boolean(records: Records, row: int) -> bool:
    """Return whether a record wraps a value of type `i1`."""
    if records.code(row) != MetadataCode.VALUE:
        return False
    types, number = records.rows(BlockId.TYPE_BLOCK), (records.operands(row) or [0])[0]
    if number >= len(types) or records.code(types[number]) != TypeCode.INTEGER:
        return False
    return records.operands(types[number])[:1] == [1]


def _attached_lists(records: Records, block: int) -> Sequence[int]:
    """Return the ids of the lists of scopes that are attached to instructions."""
    found: dict[int, None] = {}
    for row in _rows(records, block):
        pairs = records.operands(row)[1:]
        found.update((node, None) for kind, node in zip(pairs[::2], pairs[1::2], strict=False) if kind in _KINDS)
    return list(found)


def _rows_by_id(records: Records, block: int | None) -> list[int]:
    """Return the row of each metadata id of a block; strings have none."""
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


def _domains(records: Records, rows: list[int], lists: Sequence[int], booleans: set[int]) -> Iterator[int]:
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


def _rows(records: Records, block: int) -> range:
    blocks = records.columns.blocks
    return range(blocks.first_record[block], blocks.last_record[block])
