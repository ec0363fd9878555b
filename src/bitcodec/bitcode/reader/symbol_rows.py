"""Symbols that linkers resolve, from the records of globals; no globals are created for it.

Rules: docs/reference/records.md, 3.2 to 3.6.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.reader.globals import (
    IMPLICIT_COMDAT_CODES,
    LINKAGES,
    OLD_DLL_CLASSES,
    GlobalReader,
    is_hidden,
    visibility_of,
)
from bitcodec.bitcode.reader.symbols import old_names
from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import DEFINES_GLOBAL, FIELD_BOUNDS, GLOBAL_LAYOUTS
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.sources import LinkerSymbols, SymbolRow
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason
from bitcodec.tables.linkage import DLLStorageClass, Linkage, SelectionKind, Visibility
from bitcodec.upgrade.comdats import supports_comdats

if TYPE_CHECKING:
    from typing import TypeAlias

    from bitcodec.bitcode.reader.module_tables import ModuleTables

    _Key: TypeAlias = tuple[int, int, bool | None, int | None, int, int]
    """Of a global: the code of its record, the number of its linkage, whether the field is set that marks
    a definition (None without that field), the number of its DLL storage class (None in old files), the
    number of its visibility, and the field `dso_local`.
    """

__all__ = ["linker_symbols"]

_MASK = FIELD_BOUNDS["linkage"].mask
_IS_LOCAL = frozenset(code for code, linkage in LINKAGES.items() if linkage.is_local)
_HELD: dict[int, str] = {ModuleCode.GLOBALVAR: "initializer", ModuleCode.FUNCTION: "is_declaration"}
_OBJECTS = frozenset(_HELD)
"""Codes of the records of variables and functions."""
_MISSING = 1 << 16
"""The place of a field that a record cannot have: after the end of all."""


class _Places(NamedTuple):
    """Indices of fields among the operands after the name."""

    linkage: int
    held: int
    dll_storage_class: int
    visibility: int
    dso_local: int
    comdat: int
    aliasee: int


def _place(fields: tuple[str, ...], name: str) -> int:
    return fields.index(name) if name in fields else _MISSING


_PLACES = {
    code: _Places(
        *[
            _place(layout._fields, name)
            for name in (
                "linkage",
                _HELD.get(code, ""),
                "dll_storage_class",
                "visibility",
                "dso_local",
                "comdat",
                "aliasee",
            )
        ]
    )
    for code, layout in GLOBAL_LAYOUTS.items()
}


def linker_symbols(tables: ModuleTables) -> LinkerSymbols:
    """Return the symbols of a module that others see, and its comdats.

    Raises:
        BitcodeError: a record is malformed.
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
        self._facts: dict[_Key, tuple[Linkage, bool, DLLStorageClass, Visibility, bool]] = {}
        self._comdats_of_aliases: dict[int, str | None] = {}
        has_implicit = supports_comdats(tables.module.target_triple)
        self._implicit = IMPLICIT_COMDAT_CODES if has_implicit else frozenset()
        self._comdats = {comdat.name: comdat.selection_kind for comdat in tables.comdats}

    def read(self) -> LinkerSymbols:
        """Return the symbols and comdats."""
        tables, begin = self._tables, self._names_begin
        tables.count_names_again()
        records = tables.records
        for each in records.ranges():
            self._rows += compress(each, records.code_bytes(each).translate(DEFINES_GLOBAL))
        names = {} if tables.has_strtab else old_names(tables)
        columns, found, rows = records.columns, self._rows, []
        firsts, codes, operands = columns.records.first_operand, columns.records.code, columns.operands
        linkage_places, string = self._linkage_places, tables.string
        with records.placed():
            for number, row in enumerate(found):
                records.current = row
                first, last = firsts[row], firsts[row + 1]
                place = first + linkage_places[codes[row]]
                if place >= last:
                    raise Malformed(Reason.TOO_FEW_OPERANDS())
                # Most are local, so no list is made of their records.
                if operands[place] & _MASK not in _IS_LOCAL:
                    fields = operands[first:last].tolist()
                    name = string(fields[0], fields[1]) if begin else names.get(number, "")
                    if name:
                        rows.append(self._row(name, number, codes[row], fields[begin:]))
        return LinkerSymbols(rows, self._comdats)

    def _record(self, number: int) -> tuple[int, list[int]]:
        """Return the code of the record of a global, and the operands that follow the name."""
        records, row = self._tables.records, self._rows[number]
        code, operands = records.columns.records.code[row], records.operands(row)
        require_operands(operands, self._linkage_places[code] + 1)
        return code, operands[self._names_begin :]

    def _row(self, name: str, number: int, code: int, fields: list[int]) -> SymbolRow:
        places = _PLACES[code]
        held = fields[places.held] != 0 if places.held != _MISSING else None
        storage_code = fields[places.dll_storage_class] & _MASK if places.dll_storage_class < len(fields) else None
        visibility_code = fields[places.visibility] & _MASK if places.visibility < len(fields) else 0
        is_dso_local = fields[places.dso_local] & _MASK if places.dso_local < len(fields) else 0
        key = (code, fields[places.linkage] & _MASK, held, storage_code, visibility_code, is_dso_local)
        facts = self._facts.get(key)
        if facts is None:
            facts = self._facts[key] = _facts_of(key)
        comdat = self._own_comdat(fields, places, name) if code in _OBJECTS else self._comdat(number)
        variable = self._variable(number, name) if facts[0] is Linkage.APPENDING else None
        return SymbolRow(name, *facts, comdat, variable)

    def _comdat(self, number: int) -> str | None:
        """Return the comdat of an alias's aliasee; None if it depends on a constant, "" for an ifunc."""
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
            raise Malformed(Reason.ONLY_VARIABLES_APPENDED())
        return made


def _facts_of(key: _Key) -> tuple[Linkage, bool, DLLStorageClass, Visibility, bool]:
    """Return linkage, whether it is a declaration, DLL storage class, visibility, and whether it is `dso_local`."""
    code, linkage_code, held, storage_code, visibility_code, is_dso_local = key
    is_declaration = held is not None and held is (code == ModuleCode.FUNCTION)
    if storage_code is None:
        storage = OLD_DLL_CLASSES.get(linkage_code, DLLStorageClass.DEFAULT)
    else:
        storage = DLLStorageClass.of(storage_code) or DLLStorageClass.DEFAULT
    linkage, visibility = LINKAGES.get(linkage_code, Linkage.EXTERNAL), visibility_of(visibility_code)
    return linkage, is_declaration, storage, visibility, is_dso_local == 1 or is_hidden(visibility, linkage)
