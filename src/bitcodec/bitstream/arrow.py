"""Columns as Arrow tables, for whoever has pyarrow (`pip install bitcodec[arrow]`).  Long columns are not copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from bitcodec.bitstream.columns import Columns

__all__ = ["to_arrow"]

_UNSIGNED = {1: "uint8", 4: "uint32", 8: "uint64"}


def to_arrow(data: memoryview, columns: Columns) -> tuple[pa.Table, pa.Table]:
    """Return two tables: a row for each record, a row for each block.

    Records have `block` (a row of the other table), `code`, `abbreviation` (an id), `start` and `end` (bits),
    `operands` (a list of uint64) and `blob` (bytes, null if there is none).  Blocks have the columns of `BlockColumns`.

    Args:
        data: the bytes that were decoded.
        columns: the decoded columns.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra

    records, blocks = columns.records, columns.blocks
    offsets = _array(pa, records.first_operand, "int64")
    record_table = pa.table(
        {
            "block": _array(pa, records.block),
            "code": _array(pa, records.code),
            "abbreviation": _array(pa, records.abbreviation),
            "start": _array(pa, records.start),
            "end": _array(pa, records.end),
            "operands": pa.LargeListArray.from_arrays(offsets, _array(pa, columns.operands)),
            "blob": pa.array(_blobs(data, columns), pa.large_binary()),
        }
    )
    block_table = pa.table({name: pa.array(getattr(blocks, name).tolist(), pa.int64()) for name in blocks.__slots__})
    return record_table, block_table


def _array(pa: Any, column: memoryview, type_name: str | None = None) -> Any:
    """Return an Arrow array over the memory of a contiguous column."""
    kind = pa.type_for_alias(type_name or _UNSIGNED[column.itemsize])
    return pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(column)])


def _blobs(data: memoryview, columns: Columns) -> list[bytes | None]:
    blobs: list[bytes | None] = [None] * len(columns.records)
    for record, start, size in zip(columns.blobs.record, columns.blobs.start, columns.blobs.size, strict=True):
        blobs[record] = bytes(data[start : start + size])
    return blobs
