"""Reads VALUE_SYMTAB: the names of a function's values, and in old files those of globals.

Rules: bitcode record reference, section 9.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.text import characters
from bitcodec.bitcode.schema.blocks import ValueSymtabCode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.ir.symbols import SymbolTable
    from bitcodec.ir.values import Value

__all__ = ["HANDLED_SYMBOL_CODES", "global_names", "name_locals"]

_NAME_BEGINS: dict[int, int] = {ValueSymtabCode.ENTRY: 1, ValueSymtabCode.FNENTRY: 2}
"""Which operand begins the name, in records of the symbol table of a module."""

HANDLED_SYMBOL_CODES = frozenset(_NAME_BEGINS) | {ValueSymtabCode.BBENTRY}


def global_names(records: Records) -> Iterator[tuple[int, str]]:
    """Yield value id and name of each global that a module's symbol table names.

    Raises:
        BitcodeError: a record makes no sense.
    """
    with records.placed():
        for _, code, operands in records:
            begins = _NAME_BEGINS.get(code)
            if begins is not None and len(operands) > begins:
                yield operands[0], _name(operands[begins:])


def name_locals(records: Records, table: SymbolTable, values: Sequence[Value], blocks: Sequence[Value]) -> None:
    """Give names to the values and blocks of a function.

    Raises:
        BitcodeError: a record makes no sense.
    """
    named: dict[int, Sequence[Value]] = {ValueSymtabCode.ENTRY: values, ValueSymtabCode.BBENTRY: blocks}
    with records.placed():
        for _, code, operands in records:
            listed = named.get(code)
            if listed is None:
                continue
            if operands[0] >= len(listed):
                raise Malformed(f"there is nothing of number {operands[0]} to name")
            table.rename(listed[operands[0]], _name(operands[1:]))


def _name(operands: list[int]) -> str:
    name = characters(operands)
    if "\0" in name:
        raise Malformed("the name has a zero byte")
    return name
