"""Entries as a table and as JSON."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

from bitcodec.cli.json_documents import document_of_rows
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.tables import short
from bitcodec.pcsections.schemas.sanitizers import FEATURES, SanitizerFeatures
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.pcsections.decoding.decode import Decoded
    from bitcodec.pcsections.decoding.entries import AuxValue, Entry

__all__ = ["as_json", "data_of", "print_entries", "print_json"]

_TITLES: tuple[str, ...] = ("section", "place", "pc", "address", "size", "data", "source")
_NUMBERS = {1, 3, 4}
"""Columns whose cells end at one line."""


def print_entries(found: Sequence[tuple[str, Decoded]]) -> None:
    """Print a table of entries; of several files each entry names its own."""
    rows = [_cells(entry) for _, decoded in found for entry in decoded]
    titles, numbers = _TITLES, _NUMBERS
    if len(found) > 1:
        names = [one_line(short(file)) for file, decoded in found for _ in range(len(decoded))]
        rows = [(name, *row) for name, row in zip(names, rows, strict=True)]
        titles, numbers = ("object", *titles), {number + 1 for number in numbers}
    if sys.stdout.isatty():
        _print_colored(titles, numbers, rows)
    else:
        write_text(STANDARD_OUTPUT, _lines(titles, numbers, rows))


def print_json(found: Sequence[tuple[str, Decoded]]) -> None:
    """Print a document of entries, as they are made."""
    if len(found) == 1:
        ((file, decoded),) = found
        rows = (as_json(entry) for entry in decoded)
        head: dict[str, Any] = {"file": file}
    else:
        rows = ({"file": file, **as_json(entry)} for file, decoded in found for entry in decoded)
        head = {"file": None}
    write_text(STANDARD_OUTPUT, document_of_rows("pcsections decode", head, "entries", rows))


def _cells(entry: Entry) -> tuple[str, ...]:
    address = entry.pc.address
    cells = (
        entry.section,
        str(entry.place),
        str(entry.pc),
        "" if address is None else f"{address:#x}",
        "" if entry.size is None else str(entry.size),
        data_of(entry),
        "" if entry.file is None else f"{entry.file}:{entry.line}",
    )
    return tuple(one_line(cell) for cell in cells)


def data_of(entry: Entry) -> str:
    """Return the constants of an entry as a table has them."""
    return ", ".join(map(_data, entry.aux))


def _data(aux: AuxValue) -> str:
    if aux.name == FEATURES:
        names = SanitizerFeatures(int(aux.value)).names
        return f"{aux.name} {' '.join(names) or 'none'}"
    is_address = isinstance(aux.value, int) and str(aux.type).startswith("ptr")
    return f"{aux.name or aux.type or 'bytes'} {f'{aux.value:#x}' if is_address else aux.value}"


def _lines(titles: tuple[str, ...], numbers: set[int], rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    for row in (titles, *rows):
        cells = (
            f"{cell:>{width}}" if index in numbers else f"{cell:<{width}}"
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip() + "\n"


def _print_colored(titles: tuple[str, ...], numbers: set[int], rows: Iterable[tuple[str, ...]]) -> None:
    from rich.console import Console  # noqa: PLC0415 - only where a terminal is shown to
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for index, title in enumerate(titles):
        style = "cyan" if title == "pc" else "dim" if title in {"place", "source"} else ""
        table.add_column(title, style=style, overflow="fold", justify="right" if index in numbers else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(highlight=False).print(table)


def as_json(entry: Entry) -> dict[str, Any]:
    """Return an entry as documents have it."""
    return {
        "section": entry.section,
        "pc": entry.pc._asdict(),
        "size": entry.size,
        "aux": [_aux_as_json(aux) for aux in entry.aux],
        "source_file": entry.file,
        "source_line": entry.line,
    }


def _aux_as_json(aux: AuxValue) -> dict[str, Any]:
    value = aux.value
    if isinstance(value, float) and not math.isfinite(value):
        value = str(value)
    found: dict[str, Any] = {"type": aux.type, "value": value}
    if aux.name == FEATURES:
        found["names"] = SanitizerFeatures(int(aux.value)).names
    return found
