"""Reads VALUE_SYMTAB: the names of a function's values, and in old files of globals.

Rules: docs/reference/records.md, 9.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.schema.blocks import BlockId, ValueSymtabCode
from bitcodec.bitcode.text import characters
from bitcodec.ir.constants import Constant
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalValue
from bitcodec.reasons import Reason
from bitcodec.upgrade.expansion import EDGE_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.constants import ConstantReader
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.symbols import SymbolTable
    from bitcodec.ir.values import Value

__all__ = ["HANDLED_SYMBOL_CODES", "ConstantNames", "global_names", "name_locals", "old_names", "symbol_names"]

_NAME_BEGINS: dict[int, int] = {
    ValueSymtabCode.ENTRY: 1,
    ValueSymtabCode.FNENTRY: 2,
    ValueSymtabCode.BBENTRY: 1,
}
"""The index of the operand that begins the name."""

HANDLED_SYMBOL_CODES = frozenset(_NAME_BEGINS)


def global_names(records: Records) -> Iterator[tuple[int, str]]:
    """Yield value id and name of each global that a module's symbol table names.

    Raises:
        BitcodeError: a record is malformed.
    """
    with records.placed():
        for _, code, operands in records:
            begins = _NAME_BEGINS.get(code)
            if code != ValueSymtabCode.BBENTRY and begins is not None and len(operands) > begins:
                yield operands[0], _name(operands[begins:])


def old_names(tables: ModuleTables) -> dict[int, str]:
    """Return the names of globals in modules without a string table, by value id.

    Raises:
        BitcodeError: a record is malformed.
    """
    names: dict[int, str] = {}
    for place in tables.places(BlockId.VALUE_SYMTAB_BLOCK):
        names.update(global_names(place.decode()))
    return names


class ConstantNames:
    """Names of an old file that are of constants; one that is nothing but a global names the global.

    LLVM has resolved the constants that globals hold before it reads the names, such as a cast that changes nothing.

    Args:
        tables: of the module; its globals have been created, but not their operands.
        names: by value id, in the order of their records.
    """

    def __init__(self, tables: ModuleTables, names: dict[int, str]) -> None:
        self._tables = tables
        self._names = names if max(names, default=-1) >= tables.global_count else {}
        holders = tables.operands.values() if self._names else ()
        self._held = {number for operands in holders for _, number, _ in operands}

    def give(self, constants: ConstantReader) -> None:
        """Give the names to globals; all constants have been made."""
        values, count = self._tables.values, self._tables.global_count
        resolved = constants.with_parts(self._held)
        renamed: set[Value] = set()
        for number, name in self._names.items():
            value = values[number] if number < len(values) else None
            is_named = number in resolved if number >= count else value in renamed
            if is_named and isinstance(value, GlobalValue) and value.parent is not None:
                value.name = name
                renamed.add(value)


def symbol_names(tables: ModuleTables) -> list[str]:
    """Return the names of all globals, in order.

    Raises:
        BitcodeError: a name is malformed.
    """
    plain = tables.plain_names()
    if plain is not None:
        return plain
    tables.count_names_again()
    names = {} if tables.has_strtab else old_names(tables)
    with tables.records.placed():
        return [
            tables.string(operands[0], operands[1]) if tables.has_strtab else names.get(number, "")
            for number, (_, _, operands) in enumerate(tables.definitions())
        ]


def name_locals(
    records: Records,
    table: SymbolTable,
    state: FunctionState,
    value_count: int,
    reserve_edge_name: Callable[[], None],
) -> None:
    """Give names to the values and blocks of a function.

    Args:
        records: of the names.
        table: the names of the function.
        state: of the function's reader.
        value_count: how many values are defined before the names.
        reserve_edge_name: is called before a name that LLVM may have given to another block.

    Raises:
        BitcodeError: a record is malformed.
    """
    blocks = state.blocks
    with records.placed():
        for _, code, operands in records:
            begins = _NAME_BEGINS.get(code)
            if begins is None:
                continue
            is_block = code == ValueSymtabCode.BBENTRY
            require_operands(operands, 1)
            number = operands[0]
            if number >= (len(blocks) if is_block else value_count):
                raise Malformed(Reason.UNNAMED_NUMBER(number=number))
            require_operands(operands, begins)
            name = characters(operands[begins:]) if is_block else _name(operands[begins:])
            if name == EDGE_NAME:
                reserve_edge_name()
            if is_block:
                table.rename(blocks[number], name)
            else:
                _rename_value(state.known_value(number), table, name)


def _rename_value(value: Value, table: SymbolTable, name: str) -> None:
    """Give a name to a value: a global's name is in its module, and a constant has none.

    Raises:
        Malformed: it is an intrinsic that is replaced: LLVM looks for the replacement by the name.
    """
    if isinstance(value, Function) and value.parent is None:
        raise Malformed(Reason.REPLACED_NAME(name=value.name))
    if isinstance(value, GlobalValue):
        value.name = name
    elif not isinstance(value, Constant):
        table.rename(value, name)


def _name(operands: list[int]) -> str:
    name = characters(operands)
    if "\0" in name:
        raise Malformed(Reason.ZERO_IN_NAME())
    return name
