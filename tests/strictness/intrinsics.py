"""Old intrinsics of types that no LLVM gave them, which mutations make."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from tests.hostile.mutators import all_blocks

import bitcodec
from bitcodec import BitcodecError, EncodingError
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode, ValueSymtabCode
from bitcodec.bitstream import Bitstream
from bitcodec.bitstream.items import DraftBlock, DraftRecord
from bitcodec.ir.intrinsic_signatures import intrinsic_base
from bitcodec.upgrade.intrinsics import _tables_of

__all__ = ["without_unfit_intrinsics"]

_PREFIX, _OTHER = b"llvm.", b"lxvm."
_ENDING = re.compile(r"(\.renamed|\.?\d+)+$")
_NAME_BEGINS = {ValueSymtabCode.ENTRY: 1, ValueSymtabCode.FNENTRY: 2}


def without_unfit_intrinsics(data: bytes, original: bytes) -> bytes | None:
    """Return a module with ordinary names for old intrinsics that the original has not, or has of another type.

    Names that come twice count too: LLVM takes each for the intrinsic, whatever is behind the name to keep them apart.

    Names keep their lengths, so that all offsets stay what they are.  Returns None if there is no such intrinsic.
    """
    try:
        unfit = {name for name, _ in _intrinsics(data) - _intrinsics(original)} | _added_names(data, original)
        draft = Bitstream(data).edit()
        blocks = all_blocks(draft.blocks)
        if not unfit or not (_rename_in_tables(blocks, unfit) | _rename_in_strings(blocks, unfit)):
            return None
        return draft.dumps()
    except (BitcodecError, EncodingError):
        return None


@lru_cache(maxsize=512)
def _intrinsics(data: bytes) -> frozenset[tuple[str, str]]:
    """Return names and types of old intrinsics; endings that only keep functions of one name apart are left out."""
    return frozenset(
        (_ENDING.sub("", one.name), str(one.value_type)) for one in bitcodec.loads(data).functions if _is_old(one.name)
    )


def _is_old(name: str) -> bool:
    if not name.startswith("llvm."):
        return False
    tables, rest = _tables_of(name.removeprefix("llvm."))
    return intrinsic_base(name) is None or any(rest in table for table in tables)


def _added_names(data: bytes, original: bytes) -> set[str]:
    """Return names of old intrinsics that more records have than in the original, also if reading replaces them."""
    return {name for name in _names(data) - _names(original) if _is_old(name)}


@lru_cache(maxsize=512)
def _names(data: bytes) -> Counter[str]:
    """Return how many records give each name to a function."""
    blocks = all_blocks(Bitstream(data).edit().blocks)
    functions, tables = _functions_and_tables(blocks)
    named = (bytes((table.blob or b"")[begin : begin + size]) for table in tables for begin, size in functions)
    return Counter(name.decode(errors="surrogateescape") for name in named)


def _is_among(name: bytes, unfit: set[str]) -> bool:
    """Return whether a name in a file is that of an unfit intrinsic; reading may have added the names of types."""
    if not name.startswith(_PREFIX):
        return False
    stem = _ENDING.sub("", name.decode(errors="surrogateescape"))
    return any(one == stem or one.startswith(f"{stem}.") for one in unfit)


def _rename_in_tables(blocks: Iterable[DraftBlock], unfit: set[str]) -> bool:
    """Change names in symbol tables, which old files have; return whether there are any."""
    is_changed = False
    for block in blocks:
        for record in block.records if block.id == BlockId.VALUE_SYMTAB_BLOCK else ():
            begins = _NAME_BEGINS.get(record.code, len(record.operands))  # type: ignore[call-overload]
            name = bytes(operand & 0xFF for operand in record.operands[begins:])
            if _is_among(name, unfit):
                record.operands = (*record.operands[:begins], *_OTHER, *record.operands[begins + len(_OTHER) :])
                is_changed = True
    return is_changed


def _rename_in_strings(blocks: Iterable[DraftBlock], unfit: set[str]) -> bool:
    """Change the names of FUNCTION records in string tables; return whether there are any."""
    functions, tables = _functions_and_tables(blocks)
    is_changed = False
    for table in tables:
        names = bytearray(table.blob or b"")
        for begin, length in functions:
            if _is_among(bytes(names[begin : begin + length]), unfit):
                names[begin : begin + len(_OTHER)] = _OTHER
                is_changed = True
        table.blob = bytes(names)
    return is_changed


def _functions_and_tables(blocks: Iterable[DraftBlock]) -> tuple[list[tuple[int, int]], list[DraftRecord]]:
    """Return places and sizes of the names of functions, and the records of the string tables that have them."""
    functions: list[tuple[int, int]] = []
    tables: list[DraftRecord] = []
    for block in blocks:
        if block.id == BlockId.MODULE_BLOCK:
            found = (one.operands for one in block.records if one.code == ModuleCode.FUNCTION and len(one.operands) > 1)
            functions += [(begin, size) for begin, size, *_ in found]
        elif block.id == BlockId.STRTAB_BLOCK:
            tables += [record for record in block.records if record.blob]
    return functions, tables
