"""Entries as an Arrow table, for whoever has pyarrow (`pip install bitcodec[arrow]`).  Long columns are not copied."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pyarrow as pa

    from bitcodec.pcsections.debug_info.lines import Lines
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
    """Return the table of a section, whose columns are made of its columns, not of entries."""
    import pyarrow.compute as pc  # noqa: PLC0415 - an extra

    columns, count, code = section.columns, len(section), section.code
    counters = _buffer(pa, columns.pc)
    functions = _row_or_null(pc, _buffer(pa, columns.function))
    entries = _buffer(pa, code.entries).take(functions)
    offsets = pc.subtract(counters, entries)
    kinds = _row_or_null(pc, _buffer(pa, columns.kind))
    is_function = pa.array([kind.is_function for kind in section.kinds], pa.bool_()).take(kinds)
    files, lines = _places(pa, pc, section, counters)
    nothing = pa.nulls(count, pa.uint64())
    arrays = {
        "section": _constant(pa, section.name, count),
        "place": _buffer(pa, columns.place),
        "symbol": _names(pa, functions, code.name),
        "offset": offsets if section.is_linked else pc.coalesce(offsets, counters),
        "address": counters if section.is_linked else nothing,
        "size": pc.if_else(is_function, _buffer(pa, columns.size), nothing),
        "aux": _constants(pa, section, schema.field("aux").type),
        "file": files,
        "line": lines,
    }
    return pa.table(arrays).select(schema.names).cast(schema)


def _buffer(pa: Any, column: Any) -> Any:
    """Return a column as an array, without copying it."""
    view = memoryview(column)
    type_ = {"Q": pa.uint64(), "q": pa.int64(), "I": pa.uint32()}[view.format]
    return pa.Array.from_buffers(type_, len(view), [None, pa.py_buffer(view)])


def _row_or_null(pc: Any, rows: Any) -> Any:
    """Return rows of another table, null where they are negative."""
    return pc.if_else(pc.greater_equal(rows, 0), rows, None)


def _constant(pa: Any, text: str, count: int) -> Any:
    indices = pa.repeat(pa.scalar(0, pa.int32()), count)
    return pa.DictionaryArray.from_arrays(indices, pa.array([text], pa.string()))


def _names(pa: Any, rows: Any, name: Callable[[int], str]) -> Any:
    """Return the names of rows; each is looked up once."""
    found = rows.dictionary_encode()
    names = pa.array([name(row) for row in found.dictionary.to_pylist()], pa.string()).dictionary_encode()
    return pa.DictionaryArray.from_arrays(names.indices.take(found.indices), names.dictionary)


def _places(pa: Any, pc: Any, section: DecodedSection, counters: Any) -> tuple[Any, Any]:
    """Return files and lines of PCs."""
    known, count = section.lines, len(section)
    places = None if known is None else _addresses(pa, pc, section, known, counters)
    if known is None or places is None or not known.table.starts:
        return _constant(pa, "", 0).take(pa.nulls(count, pa.int32())), pa.nulls(count, pa.uint32())
    table = known.table
    starts = table.starts
    rows = pa.array([bisect_right(starts, place) - 1 for place in places.fill_null(0).to_pylist()], pa.int64())
    rows = pc.if_else(places.is_valid(), _row_or_null(pc, rows), None)
    rows = pc.if_else(pc.less(places, _buffer(pa, table.ends).take(rows)), rows, None)
    files = pa.array(table.files, pa.string()).dictionary_encode()
    return (
        pa.DictionaryArray.from_arrays(files.indices.take(rows), files.dictionary),
        _buffer(pa, table.lines).take(rows),
    )


def _addresses(pa: Any, pc: Any, section: DecodedSection, lines: Lines, counters: Any) -> Any:
    """Return where PCs are in the table of lines, null where it has no lines for a section; None if for none."""
    if section.is_linked:
        base = lines.base(None)
        return None if base is None else pc.add(counters, pa.scalar(base, pa.uint64()))
    sections = _buffer(pa, section.columns.section).dictionary_encode()
    bases = pa.array([lines.base(each) for each in sections.dictionary.to_pylist()], pa.uint64())
    return pc.add(counters, bases.take(sections.indices))


def _constants(pa: Any, section: DecodedSection, type_: Any) -> Any:
    """Return the constants of each row; equal bytes of one kind are read once, unless addresses are among them."""
    columns, data, is_shared = section.columns, bytes(section.data), not section.has_references
    known: dict[object, int] = {}
    values: list[list[dict[str, str | None]]] = [[]]
    rows = array("I", bytes(4 * len(section)))
    with_fields = {number for number, kind in enumerate(section.kinds) if kind.fields}
    for row, kind in enumerate(columns.kind if with_fields else ()):
        if kind in with_fields:
            key = (kind, data[columns.aux_start[row] : columns.aux_end[row]]) if is_shared else row
            number = known.get(key)
            if number is None:
                number = known[key] = len(values)
                values.append([_aux(aux) for aux in section.constants(row)])
            rows[row] = number
    return pa.array(values, type_).take(_buffer(pa, rows))


def _aux(aux: AuxValue) -> dict[str, str | None]:
    return {"type": aux.type, "value": str(aux.value), "name": aux.name or None}
