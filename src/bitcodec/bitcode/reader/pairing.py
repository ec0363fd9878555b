"""Pairs bodies with functions.

Bodies follow one another in the order of the functions that are defined.  The symbol table states where the body of
each function begins, and LLVM reads it there; only the first body always belongs to the first function.  Every
writer gives the same pairs by both, so a file in which they differ is refused before any body is used.

Rules: docs/reference/records.md, 9.1 and 9.2.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import require_operands
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode, ValueSymtabCode
from bitcodec.bitcode.schema.globals import GLOBAL_LAYOUTS
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.errors import BitcodeError

__all__ = ["Bodies", "leave_out_skipped_blocks", "pair_bodies"]

_IS_DECLARATION = GLOBAL_LAYOUTS[ModuleCode.FUNCTION]._fields.index("is_declaration")
_WORD = 32
_ENTRY_OPERANDS = 2
_FOUND_BY_OFFSETS = (BlockId.FUNCTION_BLOCK, BlockId.VALUE_SYMTAB_BLOCK)


class Bodies(NamedTuple):
    """The bodies of a module.

    Attributes:
        rows: the row of each among the blocks of the module, by the value id of its function, in order.
        has_correct_offsets: whether all offsets in symbol tables are correct.
        refusal: the error if LLVM follows one to a place where no body begins.
    """

    rows: Mapping[int, int]
    has_correct_offsets: bool
    refusal: BitcodeError | None


def pair_bodies(tables: ModuleTables, base: int) -> Bodies:
    """Pair each body with its function.

    Args:
        tables: the module; no globals need to have been read.
        base: the bit offset that FNENTRY records count from.

    Raises:
        BitcodeError: there are more or fewer bodies than functions, or a symbol table gives one the body of another.
    """
    records = tables.records
    rows = tables.inner.get(BlockId.FUNCTION_BLOCK, [])
    with records.placed():
        functions = [*_defined_functions(tables)]
    if len(rows) > len(functions):
        raise records.inner(rows[len(functions)]).error(-1, Reason.UNDEFINED_BODY())
    if len(rows) < len(functions):
        reason = Reason.BODY_COUNT(defined=len(functions), bodies=len(rows))
        raise records.error(functions[-1][0], reason)
    pairs = {value_id: row for (_, value_id), row in zip(functions, rows, strict=True)}
    are_correct, refusal = True, None
    for error in _wrong_offsets(tables, pairs, base):
        are_correct, refusal = False, refusal or error
    return Bodies(pairs, are_correct, refusal)


def leave_out_skipped_blocks(tables: ModuleTables, base: int) -> None:
    """Remove the blocks that LLVM skips from the blocks of the module.

    After the first body LLVM goes on at the body with the highest offset in the symbol table.

    Args:
        tables: the module, of which nothing has been read yet.
        base: the bit offset that FNENTRY records count from.
    """
    inner = tables.inner
    first = next(iter(inner.get(BlockId.FUNCTION_BLOCK, ())), None)
    if first is None:
        return
    late = [block_id for block_id, rows in inner.items() if rows[-1] > first and block_id not in _FOUND_BY_OFFSETS]
    if not late:
        return
    starts = tables.records.columns.blocks.start
    resumed = max((base + words * _WORD for _, _, words in _last_entries(tables).values()), default=0)
    for block_id in late:
        kept = [row for row in inner.pop(block_id) if row < first or starts[row] > resumed]
        if kept:
            inner[block_id] = kept


def _defined_functions(tables: ModuleTables) -> Iterator[tuple[int, int]]:
    """Yield row and value id of each function that is defined."""
    field = _IS_DECLARATION + (2 if tables.has_strtab else 0)
    for value_id, (row, code, operands) in enumerate(tables.definitions()):
        if code == ModuleCode.FUNCTION:
            require_operands(operands, field + 1)
            if not operands[field]:
                yield row, value_id


def _wrong_offsets(tables: ModuleTables, pairs: Mapping[int, int], base: int) -> Iterator[BitcodeError | None]:
    """Yield an error for each wrong offset of a body in symbol tables, None for the first body, where LLVM uses none.

    Of several entries of a function the last counts.

    Raises:
        BitcodeError: an offset is of another function's body.
    """
    blocks = tables.records.columns.blocks
    starts, first = blocks.start, next(iter(pairs), None)
    places = {starts[row] for row in pairs.values()}
    entries = _last_entries(tables)
    for value_id, (records, row, words) in entries.items():
        start = base + words * _WORD
        if value_id in pairs and start != starts[pairs[value_id]]:
            error = records.error(row, Reason.BODY_OFFSET(number=value_id, word=words))
            if value_id != first and start in places:
                raise error
            yield None if value_id == first else error
    if entries:
        # After the bodies LLVM reads on at the highest offset, even that of a function without a body.
        records, row, words = max(entries.values(), key=itemgetter(2))
        start = base + words * _WORD
        end = 0 if first is None else starts[pairs[first]] + blocks.size_in_words[pairs[first]] * _WORD
        if start > end and start not in places:
            yield records.error(row, Reason.NO_BODY(word=words))


def _last_entries(tables: ModuleTables) -> dict[int, tuple[Records, int, int]]:
    """Return the last entry of each function in symbol tables, by value id: records, row, and its offset in words."""
    entries: dict[int, tuple[Records, int, int]] = {}
    for place in tables.places(BlockId.VALUE_SYMTAB_BLOCK):
        records = place.decode()
        for row, code, operands in records:
            if code == ValueSymtabCode.FNENTRY and len(operands) >= _ENTRY_OPERANDS:
                entries[operands[0]] = records, row, operands[1]
    return entries
