"""Tables of entries are made of columns, and contain what the entries do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bitcodec.pcsections import decode, decode_file
from bitcodec.pcsections.debug_info.lines import Lines
from bitcodec.pcsections.decoding.code import CodeFunction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.pcsections.decoding.entries import Entry

pytest.importorskip("pyarrow")

MASK = (1 << 64) - 1
FOLDER = Path(__file__).parents[2] / "data" / "pcsections"
FILES = sorted(path for path in FOLDER.glob("*.o") if not path.name.startswith("lines"))


def rows(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return entries as a table has them."""
    return [
        {
            "section": entry.section,
            "place": entry.place,
            "symbol": entry.pc.symbol,
            "offset": entry.pc.offset,
            "address": entry.pc.address,
            "size": entry.size,
            "aux": [{"type": aux.type, "value": str(aux.value), "name": aux.name or None} for aux in entry.aux],
            "file": entry.file,
            "line": entry.line,
        }
        for entry in entries
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_table_of_a_file(path: Path) -> None:
    found = decode_file(path)

    assert len(found) > 0
    assert found.to_arrow().to_pylist() == rows(found)


@pytest.mark.parametrize("functions", [[], [CodeFunction("f", 0x1000, 16), CodeFunction("f", 0x1010)]])
def test_a_table_of_bytes(functions: list[CodeFunction]) -> None:
    data = b"".join(
        (target - place).to_bytes(4, "little", signed=True) + constant.to_bytes(4, "little")
        for place, target, constant in ((0x2000, 0x1000, 7), (0x2008, 0x1012, 8), (0x2010, 0x1004, 7))
    )
    section = decode(data, 0x2000, "s=instruction:i32", functions=functions)
    table = section.to_arrow()

    assert table.to_pylist() == rows(section)
    assert [row["aux"][0]["value"] for row in table.to_pylist()] == ["7", "8", "7"]
    assert [row["symbol"] for row in table.to_pylist()] == (["f"] * 3 if functions else [None] * 3)


def test_files_and_lines() -> None:
    lines = Lines((FOLDER / "lines-x86_64.out").read_bytes())
    table = lines.table
    addresses = [*table.starts, *(end - 1 for end in table.ends), table.ends[-1], 0, table.starts[0] - 1]
    data = b"".join((each - 8 * row & MASK).to_bytes(8, "little") for row, each in enumerate(addresses))
    section = decode(data, 0, "s=instruction", pc_size=8)
    section.lines = lines

    assert section.to_arrow().to_pylist() == rows(section)
    assert len({(entry.file, entry.line) for entry in section}) > 3


def test_a_table_of_nothing() -> None:
    table = decode(b"", 0, "s=instruction").to_arrow()

    assert table.num_rows == 0
    assert table.column_names == ["section", "place", "symbol", "offset", "address", "size", "aux", "file", "line"]
