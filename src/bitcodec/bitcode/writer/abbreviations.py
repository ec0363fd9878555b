"""Abbreviations of LLVM 22, and their use.

Rules: docs/reference/writer.md, 11.3 and 11.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import (
    BlockId,
    ConstantsCode,
    FunctionCode,
    MetadataCode,
    ModuleCode,
    ValueSymtabCode,
)
from bitcodec.bitcode.writer.rows import BlockRows
from bitcodec.bitstream.abbreviations import Abbreviation, Encoding, Operand, array, char6, fixed, vbr
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID, BlockInfoCode
from bitcodec.tables.instruction_flags import flag_width
from bitcodec.tables.opcodes import CAST_OPCODES
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "ANY_COUNT",
    "METADATA_INDEX_OFFSET",
    "SYMTAB_OFFSET",
    "ConstantAbbreviation",
    "FunctionAbbreviation",
    "SymtabAbbreviation",
    "block_info",
    "id_width",
    "ids_by_length",
]

ANY_COUNT = -1
"""Stands for the count of operands of a record that may have any number of them."""
SYMTAB_OFFSET = Abbreviation.of(ModuleCode.VSTOFFSET, fixed(32))
METADATA_INDEX_OFFSET = Abbreviation.of(MetadataCode.INDEX_OFFSET, fixed(32), fixed(32))
"""Records that end with words of 32 bits, which can be overwritten."""


def id_width(count: int) -> int:
    """Return how many bits a number from 0 to `count` takes, at least one."""
    return max(count, 1).bit_length()


class SymtabAbbreviation:
    """Ids in VALUE_SYMTAB."""

    ENTRY_8 = 4
    ENTRY_7 = 5
    ENTRY_CHAR6 = 6
    BBENTRY_CHAR6 = 7


class ConstantAbbreviation:
    """Ids in CONSTANTS_BLOCK; those from 8 on at module level alone."""

    SETTYPE = 4
    INTEGER = 5
    CE_CAST = 6
    NULL = 7
    AGGREGATE = 8
    STRING = 9
    CSTRING_7 = 10
    CSTRING_CHAR6 = 11


class FunctionAbbreviation:
    """Ids in FUNCTION_BLOCK."""

    LOAD = 4
    STORE = 5
    UNOP = 6
    UNOP_FLAGS = 7
    BINOP = 8
    BINOP_FLAGS = 9
    CAST = 10
    CAST_FLAGS = 11
    RET_VOID = 12
    RET = 13
    BR = 14
    BR_COND = 15
    UNREACHABLE = 16
    GEP = 17
    CMP = 18
    CMP_FLAGS = 19
    DEBUG_RECORD_VALUE_SIMPLE = 20
    DEBUG_LOC = 21


_LOCATION = (vbr(6), vbr(8), vbr(6), vbr(6), fixed(1), vbr(6), vbr(3))
LOCATION_LENGTH = len(_LOCATION)
"""The number of operands of debug locations of instructions; those in metadata have one more in front."""


def block_info(type_count: int, location_length: int = LOCATION_LENGTH, version: int = MODEL) -> BlockRows:
    """Return the block that defines the initial abbreviations of other blocks.

    Args:
        type_count: the number of types.
        location_length: the number of operands of debug locations.
        version: of LLVM.
    """
    block = BlockRows(BLOCKINFO_BLOCK_ID, 2)
    location = _LOCATION[:location_length]
    for block_id, abbreviations in _shared(fixed(id_width(type_count)), location, max(version, MODEL)):
        rows = block.rows()
        rows.add(BlockInfoCode.SETBID, [block_id])
        block.items += abbreviations
    return block


def _shared(
    type_: Operand, location: Sequence[Operand], version: int = MODEL
) -> Iterator[tuple[int, list[Abbreviation]]]:
    of, code = Abbreviation.of, FunctionCode
    flags_of_cast = fixed(flag_width(*CAST_OPCODES, version=version))
    yield (
        BlockId.VALUE_SYMTAB_BLOCK,
        [
            of(fixed(3), vbr(8), array, fixed(8)),
            of(ValueSymtabCode.ENTRY, vbr(8), array, fixed(7)),
            of(ValueSymtabCode.ENTRY, vbr(8), array, char6),
            of(ValueSymtabCode.BBENTRY, vbr(8), array, char6),
        ],
    )
    yield (
        BlockId.CONSTANTS_BLOCK,
        [
            of(ConstantsCode.SETTYPE, type_),
            of(ConstantsCode.INTEGER, vbr(8)),
            of(ConstantsCode.CE_CAST, fixed(4), type_, vbr(8)),
            of(ConstantsCode.NULL),
        ],
    )
    yield (
        BlockId.FUNCTION_BLOCK,
        [
            of(code.INST_LOAD, vbr(6), type_, vbr(4), fixed(flag_width("load"))),
            of(code.INST_STORE, vbr(6), vbr(6), vbr(4), fixed(flag_width("store"))),
            of(code.INST_UNOP, vbr(6), fixed(4)),
            of(code.INST_UNOP, vbr(6), fixed(4), fixed(flag_width("fneg"))),
            of(code.INST_BINOP, vbr(6), vbr(6), fixed(4)),
            of(code.INST_BINOP, vbr(6), vbr(6), fixed(4), fixed(flag_width("fadd", "add"))),
            of(code.INST_CAST, vbr(6), type_, fixed(4)),
            of(code.INST_CAST, vbr(6), type_, fixed(4), flags_of_cast),
            of(code.INST_RET),
            of(code.INST_RET, vbr(6)),
            of(code.INST_BR, vbr(6)),
            of(code.INST_BR, vbr(6), vbr(6), vbr(6)),
            of(code.INST_UNREACHABLE),
            of(code.INST_GEP, fixed(flag_width("getelementptr")), type_, array, vbr(6)),
            of(code.INST_CMP2, vbr(6), vbr(6), fixed(6)),
            of(code.INST_CMP2, vbr(6), vbr(6), fixed(6), fixed(flag_width("fcmp", "icmp"))),
            of(code.DEBUG_RECORD_VALUE_SIMPLE, vbr(7), vbr(7), vbr(7), vbr(6)),
            of(code.DEBUG_LOC, *location),
        ],
    )


def ids_by_length(block_id: BlockId) -> dict[tuple[int, int], int]:
    """Return the ids of the abbreviations that blocks begin with, by record code and count of operands.

    The count is `ANY_COUNT` of those that end with an array.
    """
    found: dict[tuple[int, int], int] = {}
    for shared_id, abbreviations in _shared(fixed(1), _LOCATION):
        if shared_id == block_id:
            for number, abbreviation in enumerate(abbreviations, 4):
                code, *operands = abbreviation.operands
                if code.encoding is Encoding.LITERAL:
                    found[code.value, ANY_COUNT if array in operands else len(operands)] = number
    return found
