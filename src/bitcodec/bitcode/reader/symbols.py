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

__all__ = ["global_names", "name_locals"]

_NAME_BEGINS: dict[int, int] = {ValueSymtabCode.ENTRY: 1, ValueSymtabCode.FNENTRY: 2}
"""Which operand begins the name, in records of the symbol table of a module."""


def global_names(records: Records) -> Iterator[tuple[int, str]]:
    """Yield value id and name of each global that a module's symbol table names.

    Raises:
        BitcodeError: a record makes no sense.
    """
    for row, code, operands in records:
        begins = _NAME_BEGINS.get(code)
        if begins is not None and len(operands) > begins:
            with records.placed(row):
                yield operands[0], _name(operands[begins:])


def name_locals(records: Records, table: SymbolTable, values: Sequence[Value], blocks: Sequence[Value]) -> None:
    """Give names to the values and blocks of a function.

    Raises:
        BitcodeError: a record makes no sense.
    """
    for row, code, operands in records:
        if code == ValueSymtabCode.ENTRY:
            named = values
        elif code == ValueSymtabCode.BBENTRY:
            named = blocks
        else:
            continue
        with records.placed(row):
            if operands[0] >= len(named):
                raise Malformed(f"there is nothing of number {operands[0]} to name")
            table.rename(named[operands[0]], _name(operands[1:]))


def _name(operands: list[int]) -> str:
    name = characters(operands)
    if "\0" in name:
        raise Malformed("the name has a zero byte")
    return name
