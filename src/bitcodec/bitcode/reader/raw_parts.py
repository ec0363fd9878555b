"""Summary and symbol-table blocks, kept unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, BlockId, ModuleCode, ValueSymtabCode
from bitcodec.ir.construction.deferring import materialize_symbols
from bitcodec.ir.module import RawPart

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.blocks import BlockPlace
    from bitcodec.bitcode.reader.module_tables import ModuleTables

__all__ = ["raw_parts"]

_SUMMARIES = (*SUMMARY_BLOCKS, BlockId.MODULE_STRTAB_BLOCK)


def raw_parts(tables: ModuleTables, symtab: BlockPlace | None) -> tuple[RawPart, ...]:
    """Return the summaries of a module, and its table of symbols for linkers, if there is one.

    Raises:
        BitcodecError: one of them is malformed.
    """
    summaries = [place for block_id in _SUMMARIES for place in tables.places(block_id)]
    if summaries:
        materialize_symbols(tables.module)
    counted = tuple(tables.values[: tables.global_count]) if summaries else ()
    parts = [_raw_part(place) for place in summaries]
    parts += [_raw_part(place) for place in tables.places(BlockId.VALUE_SYMTAB_BLOCK) if _is_of_index(place)]
    code, operands = int(ModuleCode.HASH), tables.records.operands
    hashes = tuple((code, tuple(operands(row))) for row in tables.records.rows_of(code))
    if hashes:
        parts.append(RawPart(BlockId.MODULE_BLOCK.name, hashes, b""))
    parts = [part._replace(globals=counted, strings=tables.strtab) for part in parts]
    return (*parts, *([] if symtab is None else [_raw_part(symtab)]))


def _is_of_index(place: BlockPlace) -> bool:
    """Return whether a symbol table belongs to an index of several modules, which names no globals.

    Raises:
        BitcodeError: it is malformed.
    """
    return any(place.decode().rows_of(ValueSymtabCode.COMBINED_ENTRY))


def _raw_part(place: BlockPlace) -> RawPart:
    """Return a block as a part that is kept as the file has it.

    Raises:
        BitcodecError: it is malformed.
    """
    records = place.decode()
    blobs = [blob for row, _, _ in records if (blob := records.blob(row)) is not None]
    kept = tuple((code, tuple(operands)) for _, code, operands in records)
    return RawPart(BlockId(place.id).name, kept, bytes(blobs[0]) if blobs else b"")
