"""Entries as an Arrow table, for whoever has pyarrow (`pip install bitcodec[arrow]`).  Long columns are not copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from bitcodec.pcsections.decoding.entries import AuxValue
    from bitcodec.pcsections.decoding.sections import DecodedSection

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
    cells: dict[str, list[object]] = {name: [] for name in schema.names if name != "place"}
    for entry in section:
        cells["section"].append(entry.section)
        cells["symbol"].append(entry.pc.symbol)
        cells["offset"].append(entry.pc.offset)
        cells["address"].append(entry.pc.address)
        cells["size"].append(entry.size)
        cells["aux"].append([_aux(aux) for aux in entry.aux])
        cells["file"].append(entry.file)
        cells["line"].append(entry.line)
    places = pa.Array.from_buffers(pa.uint64(), len(section), [None, pa.py_buffer(section.columns.place)])
    arrays = {name: _array(pa, column, schema.field(name).type) for name, column in cells.items()}
    return pa.table({"place": places, **arrays}).select(schema.names).cast(schema)


def _aux(aux: AuxValue) -> dict[str, str | None]:
    return {"type": aux.type, "value": str(aux.value), "name": aux.name or None}


def _array(pa: Any, values: list[object], type: Any) -> Any:
    if pa.types.is_dictionary(type):
        return pa.array(values, type.value_type).dictionary_encode()
    return pa.array(values, type)
