"""Rows as Arrow record batches, and the Arrow schemas of the tables."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from bitcodec.corpus.tables import TABLES
from bitcodec.corpus.texts import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from bitcodec.corpus.columns import Column

__all__ = ["batch_of", "schema_of"]

_LIST = "list<"
_OFFSETS = "i"


def schema_of(table: str, columns: Sequence[Column]) -> pa.Schema:
    """Return the Arrow schema of columns of a table; fields have the metadata `meaning` and `unit`.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra

    fields = [
        pa.field(column.name, _type(pa, column.type), metadata={"meaning": column.meaning, "unit": column.unit})
        for column in columns
    ]
    return pa.schema(fields, metadata={"table": table, "meaning": TABLES[table].meaning})


def batch_of(schema: pa.Schema, rows: Sequence[tuple[Any, ...]]) -> pa.RecordBatch:
    """Return rows as a record batch."""
    import pyarrow as pa  # noqa: PLC0415

    columns: Any = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [_array(pa, column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _type(pa: Any, name: str) -> Any:
    if name.startswith(_LIST):
        return pa.list_(_type(pa, name.removeprefix(_LIST).removesuffix(">")))
    return pa.bool_() if name == "bool" else getattr(pa, name)()


def _array(pa: Any, values: Sequence[Any], type_: Any) -> Any:
    if pa.types.is_list(type_) and not pa.types.is_string(type_.value_type):
        return _array_of_lists(pa, values, type_)
    try:
        return pa.array(values, type_)
    except UnicodeEncodeError:
        return pa.array([_clean(value) for value in values], type_)


def _array_of_lists(pa: Any, values: Sequence[array[int]], type_: Any) -> Any:
    """Return arrays of numbers as lists; their memory is joined, so no number becomes an object."""
    offsets = array(_OFFSETS, accumulate(map(len, values), initial=0))
    joined = b"".join(values)
    inner = pa.Array.from_buffers(type_.value_type, offsets[-1], [None, pa.py_buffer(joined)])
    bounds = pa.Array.from_buffers(pa.int32(), len(offsets), [None, pa.py_buffer(offsets)])
    return pa.ListArray.from_arrays(bounds, inner, type=type_)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    return [_clean(each) for each in value] if isinstance(value, list) else value
