"""Entries as an Arrow table, for whoever has pyarrow (`pip install bitcodec[arrow]`).  Long columns are not copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa

    from bitcodec.pcsections.sections import DecodedSection

__all__ = ["to_arrow"]


def to_arrow(sections: Sequence[DecodedSection]) -> pa.Table:
    """Return a table with a row for each PC of some sections, in their order.

    Its columns: `section` (its name), `place` (bytes from the start of the section), `symbol` and `offset` (of the
    function), `address`, `size` (of the function), `aux` (a list of `type`, `value` as text, and `name`), `file` and
    `line`.  What is not known is null.

    Raises:
        ImportError: pyarrow is not installed.
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra

    schema = _schema(pa)
    tables = [_table(pa, section, schema) for section in sections]
    return pa.concat_tables([schema.empty_table(), *tables]).unify_dictionaries().combine_chunks()


def _schema(pa: Any) -> Any:
    names = pa.dictionary(pa.int32(), pa.string())
    aux = pa.struct([("type", pa.string()), ("value", pa.string()), ("name", pa.string())])
    return pa.schema(
        {
            "section": names,
            "place": pa.uint64(),
            "symbol": names,
            "offset": pa.uint64(),
            "address": pa.uint64(),
            "size": pa.uint64(),
            "aux": pa.list_(aux),
            "file": names,
            "line": pa.uint32(),
        }
    )


def _table(pa: Any, section: DecodedSection, schema: Any) -> Any:
    columns = section.columns
    rows = range(len(section))
    lines = [section.line(row) or (None, None) for row in rows]
    pcs = [section.pc(row) for row in rows]
    kinds = [kind >= 0 and section.kinds[kind].is_function for kind in columns.kind]
    each = {
        "section": [section.name] * len(section),
        "place": pa.Array.from_buffers(pa.uint64(), len(section), [None, pa.py_buffer(columns.place)]),
        "symbol": [pc.symbol for pc in pcs],
        "offset": [pc.offset for pc in pcs],
        "address": [pc.address for pc in pcs],
        "size": [size if is_function else None for size, is_function in zip(columns.size, kinds, strict=True)],
        "aux": [_aux(section, row) for row in rows],
        "file": [file for file, _ in lines],
        "line": [line for _, line in lines],
    }
    return pa.table({name: _array(pa, each[name], schema.field(name).type) for name in schema.names}, schema)


def _aux(section: DecodedSection, row: int) -> list[dict[str, str | None]]:
    return [{"type": type, "value": str(value), "name": name or None} for type, value, name in section.aux(row)]


def _array(pa: Any, values: Iterable[object], type: Any) -> Any:
    if isinstance(values, pa.Array):
        return values
    if pa.types.is_dictionary(type):
        return pa.array(values, type.value_type).dictionary_encode()
    return pa.array(values, type)
