"""Checks that the symbol table of a module is where LLVM 22 accepts it, and names values that exist.

Rules: docs/reference/records.md, 9.1 and 9.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode, ValueSymtabCode
from bitcodec.ir.functions import Function
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.reader.module_tables import ModuleTables

__all__ = ["check_symbol_table"]

_ENTRIES = {
    False: frozenset({ValueSymtabCode.ENTRY, ValueSymtabCode.FNENTRY}),
    True: frozenset({ValueSymtabCode.FNENTRY}),
}
"""Records of a symbol table that LLVM looks at, by whether a string table has the names."""

_WORD = 32


def check_symbol_table(tables: ModuleTables, base: int, value_count: int) -> None:
    """Check the symbol table of a module against its globals.

    Args:
        tables: the module; its globals have been read.
        base: the bit offset that VSTOFFSET records count from.
        value_count: how many values the module has.

    Raises:
        BitcodeError: it is not at the offset in VSTOFFSET, or names values that do not exist.
    """
    offset = _stated_offset(tables)
    if offset is not None and BlockId.FUNCTION_BLOCK in tables.inner:
        row, words = offset
        _check_place(tables, row, base + words * _WORD)
    _check_follows_bodies(tables)
    for place in tables.places(BlockId.VALUE_SYMTAB_BLOCK):
        records = place.decode()
        with records.placed():
            for _, code, operands in records:
                _check_entry(tables, code, operands, value_count)
                if code == ValueSymtabCode.FNENTRY and offset is None and _is_defined(tables.values[operands[0]]):
                    raise Malformed(Reason.OFFSET_WITHOUT_TABLE())


def _is_defined(value: object) -> bool:
    return isinstance(value, Function) and not value.is_declaration


def _stated_offset(tables: ModuleTables) -> tuple[int, int] | None:
    """Return the row of the last VSTOFFSET record and its operand, None without one."""
    found = None
    for row in tables.records.rows_of(ModuleCode.VSTOFFSET):
        operands = tables.records.operands(row)
        if not operands:
            raise tables.records.error(row, Reason.TOO_FEW_OPERANDS())
        found = row, operands[0]
    return found


def _check_place(tables: ModuleTables, row: int, start: int) -> None:
    starts = tables.records.columns.blocks.start
    if tables.records.start_of(row) > starts[tables.inner[BlockId.FUNCTION_BLOCK][0]]:
        raise tables.records.error(row, Reason.AFTER_BODY())
    if start not in [starts[block] for block in tables.inner.get(BlockId.VALUE_SYMTAB_BLOCK, ())]:
        raise tables.records.error(row, Reason.NO_SYMBOL_TABLE(bit=start))


def _check_follows_bodies(tables: ModuleTables) -> None:
    """Check that a symbol table without names follows a function body; before them LLVM expects names in it."""
    starts = tables.records.columns.blocks.start
    bodies: Sequence[int] = tables.inner.get(BlockId.FUNCTION_BLOCK, ())
    for row in tables.inner.get(BlockId.VALUE_SYMTAB_BLOCK, ()) if tables.has_strtab and bodies else ():
        if starts[row] < starts[bodies[0]]:
            raise tables.records.inner(row).error(-1, Reason.EARLY_SYMBOL_TABLE())


def _check_entry(tables: ModuleTables, code: int, operands: list[int], value_count: int) -> None:
    """Check a record of a symbol table; if names are in a string table, LLVM only checks functions."""
    if code == ValueSymtabCode.BBENTRY and not tables.has_strtab:
        raise Malformed(Reason.BLOCK_OUTSIDE_FUNCTION())
    if code not in _ENTRIES[tables.has_strtab]:
        return
    require_operands(operands, 2 if code == ValueSymtabCode.FNENTRY else 1)
    if operands[0] >= value_count:
        raise Malformed(Reason.NO_NAMED_VALUE(number=operands[0]))
    if tables.has_strtab and not isinstance(tables.values[operands[0]], Function):
        raise Malformed(Reason.NAMED_NO_FUNCTION(number=operands[0]))
