"""The table of offsets of function bodies.  Rules: docs/reference/records.md, 9.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ValueSymtabCode
from bitcodec.bitcode.writer.rows import BlockRows, Rows, encoded
from bitcodec.bitstream.abbreviations import Abbreviation, vbr

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["function_table", "symbol_table"]

_WIDTH = 4
_FNENTRY = 8
"""The id of the abbreviation, which follows the four that such blocks start with."""


def function_table(offsets: Mapping[int, int]) -> BlockRows:
    """Return the table of the offsets of bodies.

    Args:
        offsets: value id of each function, and the place of its block, in bits.
    """
    entries = Rows()
    for value_id, offset in offsets.items():
        # Counted in words, from the one in front of the identification block on.
        entries.add(ValueSymtabCode.FNENTRY, [value_id, offset // 32], _FNENTRY)
    abbreviation = Abbreviation.of(ValueSymtabCode.FNENTRY, vbr(8), vbr(8))
    return BlockRows(BlockId.VALUE_SYMTAB_BLOCK, _WIDTH, [abbreviation, entries])


def symbol_table(offsets: Mapping[int, int], names: Mapping[int, str]) -> BlockRows:
    """Return the table of the names of globals, and of the offsets of bodies, as LLVM 4 has it.

    Args:
        offsets: as above.
        names: value id of each global, and its name.
    """
    entries = Rows()
    for value_id, name in names.items():
        if value_id in offsets:
            entries.add(ValueSymtabCode.FNENTRY, [value_id, offsets[value_id] // 32, *encoded(name)])
        else:
            entries.add(ValueSymtabCode.ENTRY, [value_id, *encoded(name)])
    return BlockRows(BlockId.VALUE_SYMTAB_BLOCK, _WIDTH, [entries])
