"""What linkers resolve symbols by, from the records of globals: no globals are made for it.

Rules: bitcode record reference, sections 3.2 to 3.6.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.globals import (
    LINKAGES,
    OLD_DLL_CLASSES,
    GlobalReader,
    supports_comdats,
)
from bitcodec.bitcode.reader.symbols import old_names
from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import FIELD_BOUNDS, GLOBAL_LAYOUTS, IMPLICIT_COMDAT_LINKAGES
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.sources import LinkerSymbols, SymbolRow
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.linkage import DLLStorageClass, Linkage, SelectionKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.reader.module_tables import ModuleTables

__all__ = ["linker_symbols"]

_DLL_CLASSES = tuple(DLLStorageClass)
_MASK = FIELD_BOUNDS["linkage"].mask
_IS_LOCAL = frozenset(code for code, linkage in LINKAGES.items() if linkage.is_local)
_HELD: dict[int, str] = {ModuleCode.GLOBALVAR: "initializer", ModuleCode.FUNCTION: "is_declaration"}
_OBJECTS = frozenset(_HELD)
"""Codes of the records of variables and functions."""
_DEFINES_GLOBAL = bytes(code in GLOBAL_LAYOUTS for code in range(256))
_MISSING = 1 << 16
"""The place of a field that a record cannot have: behind the end of all."""


class _Places(NamedTuple):
    """Where fields are among the operands that follow the name."""

    linkage: int
    held: int
    dll_storage_class: int
    comdat: int
    aliasee: int


def _place(fields: tuple[str, ...], name: str) -> int:
    return fields.index(name) if name in fields else _MISSING


_PLACES = {
    code: _Places(
        *[
            _place(layout._fields, name)
            for name in ("linkage", _HELD.get(code, ""), "dll_storage_class", "comdat", "aliasee")
        ]
    )
    for code, layout in GLOBAL_LAYOUTS.items()
}


def linker_symbols(tables: ModuleTables) -> LinkerSymbols:
    """Return the symbols of a module that others see, and its comdats.

    Raises:
        BitcodeError: a record makes no sense.
    """
    return _SymbolReader(tables).read()


class _SymbolReader:
    """Reads rows of symbols.

    Args:
        tables: of the module, whose globals have not been made.
    """

    def __init__(self, tables: ModuleTables) -> None:
        self._tables = tables
        self._names_begin = 2 if tables.has_strtab else 0
        self._linkage_places = {code: self._names_begin + places.linkage for code, places in _PLACES.items()}
        self._rows: list[int] = []
        self._comdats_of_aliases: dict[int, str | None] = {}
        has_implicit = supports_comdats(tables.module.target_triple)
        self._implicit = IMPLICIT_COMDAT_LINKAGES if has_implicit else frozenset()
        self._comdats = {comdat.name: comdat.selection_kind for comdat in tables.comdats}

    def read(self) -> LinkerSymbols:
        """Return the symbols and comdats."""
        tables, begin = self._tables, self._names_begin
        tables.count_names_again()
        records = tables.records
        for each in records.ranges():
            self._rows += compress(each, records.code_bytes(each).translate(_DEFINES_GLOBAL))
        names = {} if tables.has_strtab else old_names(tables)
        rows = []
        for number in self._numbers_seen_by_others():
            row = self._rows[number]
            with records.placed(row):
                operands = records.operands(row)
                name = tables.string(operands[0], operands[1]) if begin else names.get(number, "")
                if name:
                    rows.append(self._row(name, number, operands[begin:]))
        return LinkerSymbols(rows, self._comdats)

    def _numbers_seen_by_others(self) -> Iterator[int]:
        """Yield the numbers of the globals that are not local.  Most are, so no list is made of their records."""
        records = self._tables.records
        columns = records.columns
        codes, firsts, operands = columns.records.code, columns.records.first_operand, columns.operands
        for number, row in enumerate(self._rows):
            place = firsts[row] + self._linkage_places[codes[row]]
            if place >= firsts[row + 1]:
                with records.placed(row):
                    raise IndexError
            if operands[place] & _MASK not in _IS_LOCAL:
                yield number

    def _record(self, number: int) -> tuple[int, list[int]]:
        """Return the code of the record of a global, and the operands that follow the name."""
        records, row = self._tables.records, self._rows[number]
        return records.columns.records.code[row], records.operands(row)[self._names_begin :]

    def _row(self, name: str, number: int, fields: list[int]) -> SymbolRow:
        code = self._tables.records.columns.records.code[self._rows[number]]
        places = _PLACES[code]
        linkage_code = fields[places.linkage] & _MASK
        linkage = LINKAGES.get(linkage_code, Linkage.EXTERNAL)
        is_declaration = False
        if places.held != _MISSING:
            is_declaration = bool(fields[places.held]) == (code == ModuleCode.FUNCTION)
        if places.dll_storage_class < len(fields):
            dll_code = fields[places.dll_storage_class] & _MASK
            storage = _DLL_CLASSES[dll_code] if dll_code < len(_DLL_CLASSES) else DLLStorageClass.DEFAULT
        else:
            storage = OLD_DLL_CLASSES.get(linkage_code, DLLStorageClass.DEFAULT)
        comdat = self._own_comdat(fields, places, name) if code in _OBJECTS else self._comdat(number)
        variable = self._variable(number, name) if linkage is Linkage.APPENDING else None
        return SymbolRow(name, linkage, is_declaration, storage, comdat, variable)

    def _comdat(self, number: int) -> str | None:
        """Return the comdat of what an alias stands for; None if it depends on a constant, "" for an ifunc."""
        known = self._comdats_of_aliases
        seen: list[int] = []
        found: str | None = None
        while number < len(self._rows):
            if number in known:
                found = known[number]
                break
            code, fields = self._record(number)
            places = _PLACES[code]
            if code == ModuleCode.IFUNC:
                found = ""
                break
            if code in _OBJECTS:
                found = self._own_comdat(fields, places, "")
                break
            known[number] = None
            seen.append(number)
            number = fields[places.aliasee]
        known.update(dict.fromkeys(seen, found))
        return found

    def _own_comdat(self, fields: list[int], places: _Places, name: str) -> str | None:
        if places.comdat < len(fields):
            number = fields[places.comdat] & _MASK
            return self._tables.comdat(number).name if number else ""
        if fields[places.linkage] & _MASK not in self._implicit:
            return ""
        if name:
            self._comdats.setdefault(name, SelectionKind.ANY)
        return name or None

    def _variable(self, number: int, name: str) -> GlobalVariable:
        """Return a variable that belongs to no module."""
        code, fields = self._record(number)
        tables = self._tables
        tables.row = self._rows[number]
        made, _ = GlobalReader(tables).read(code, fields, name)
        if not isinstance(made, GlobalVariable):
            raise Malformed("only variables can be appended to")
        return made
