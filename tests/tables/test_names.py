"""Rows with names are numbers: those of DWARF, of flags, and of kinds of name tables."""

from __future__ import annotations

from bitcodec.tables.debug_info_flags import DIFlag, NameTableKind
from bitcodec.tables.dwarf import Tag


def test_rows_are_numbers():
    assert Tag.member == 0x0D
    assert type(Tag.member) is int
    assert DIFlag.IndirectVirtualBase == 0x24


def test_every_row_and_nothing_else_is_spelled():
    rows = {name: row for name, row in vars(Tag).items() if isinstance(row, int) and not name.startswith("__")}
    del rows["limit"]
    assert Tag.spellings == {row: f"DW_TAG_{name}" for name, row in rows.items()}
    assert len(Tag.spellings) == len(rows) == 115


def test_numbers_without_a_name_and_names_that_python_keeps():
    assert Tag.spelling_of(0x3E) == "62"
    assert NameTableKind.spelling_of(NameTableKind.None_) == "None"
    assert Tag.spelling_of(0) == "DW_TAG_null"
