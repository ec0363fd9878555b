"""Old intrinsics of types that no LLVM gave them, which mutations make."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tests.hostile.mutators import all_blocks

import bitcodec
from bitcodec import BitcodecError, EncodingError
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode, ValueSymtabCode
from bitcodec.bitstream import Bitstream
from bitcodec.bitstream.items import DraftBlock, DraftRecord
from bitcodec.ir.intrinsic_signatures import intrinsic_base

__all__ = ["without_unfit_intrinsics"]

_PREFIX, _OTHER = b"llvm.", b"lxvm."
_ENDING = re.compile(r"(\.renamed|\.?\d+)+$")
_OLD_FORMS = re.compile(r"llvm\.(aarch64\.neon\.addp|arm\.(cde|mve)|nvvm\.(fabs\.|ex2\.|.*bf16)|x86)\.?")
"""Names that old intrinsics, which had other types, share with those of LLVM 22."""
_NAME_BEGINS = {ValueSymtabCode.ENTRY: 1, ValueSymtabCode.FNENTRY: 2}


def without_unfit_intrinsics(data: bytes, original: bytes) -> bytes | None:
    """Return a module with ordinary names for old intrinsics that the original has not, or has of another type.

    Names that come twice count too: LLVM takes each for the intrinsic, whatever is behind the name to keep them apart.

    Names keep their lengths, so that all offsets stay what they are.  Returns None if there is no such intrinsic.
    """
    try:
        unfit = {name for name, _ in _intrinsics(data) - _intrinsics(original)}
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
        (_ENDING.sub("", one.name), str(one.value_type))
        for one in bitcodec.loads(data).functions
        if one.is_intrinsic and (intrinsic_base(one.name) is None or _OLD_FORMS.match(one.name))
    )


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
    functions: list[DraftRecord] = []
    tables: list[DraftRecord] = []
    for block in blocks:
        if block.id == BlockId.MODULE_BLOCK:
            functions += [one for one in block.records if one.code == ModuleCode.FUNCTION and len(one.operands) > 1]
        elif block.id == BlockId.STRTAB_BLOCK:
            tables += [record for record in block.records if record.blob]
    is_changed = False
    for table in tables:
        names = bytearray(table.blob or b"")
        for begin, length, *_ in (function.operands for function in functions):
            if _is_among(bytes(names[begin : begin + length]), unfit):
                names[begin : begin + len(_OTHER)] = _OTHER
                is_changed = True
        table.blob = bytes(names)
    return is_changed
