"""Abbreviations of summaries, and numbers for their flags.  Rules: LLVM 22's module summary index, version 12."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.bitcode.schema.summaries import (
    HOTNESS_BITS,
    IMPORT_KIND_BIT,
    VCALL_VISIBILITY_BIT,
    VISIBILITY_BIT,
)
from bitcodec.bitcode.writer.rows import UNABBREVIATED, BlockRows
from bitcodec.bitstream.abbreviations import Abbreviation, array, fixed, vbr
from bitcodec.tables.summaries import SUMMARY_LINKAGES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.summary import GlobalValueFlags, GlobalVarSummary, SummaryCall
    from bitcodec.tables.coded import CodedEnum

__all__ = [
    "CONTEXT_TREE",
    "GUIDS",
    "OF_INDEX",
    "OF_MODULE",
    "STACK_IDS",
    "SummaryBlock",
    "bits",
    "call_info",
    "global_flags",
    "halves",
    "variable_flags",
]

_WIDTH = 4
_FIRST_ID = 4
_WORD = 0xFFFF_FFFF

_of, _ID, _SHORT, _BITS = Abbreviation.of, vbr(8), vbr(4), vbr(6)

GUIDS = _of(Code.VALUE_GUID, vbr(6), fixed(32), fixed(32))
STACK_IDS = _of(Code.STACK_IDS, array, fixed(32))
CONTEXT_TREE = _of(Code.CONTEXT_RADIX_TREE_ARRAY, array, _ID)

OF_MODULE = (
    _of(Code.PERMODULE_PROFILE, _ID, _ID, _ID, _SHORT, _SHORT, _SHORT, _SHORT, array, _ID),
    _of(Code.PERMODULE_RELBF, _ID, _BITS, _ID, _SHORT, _SHORT, _SHORT, _SHORT, array, _ID),
    _of(Code.PERMODULE_GLOBALVAR_INIT_REFS, _ID, _BITS, array, _ID),
    _of(Code.PERMODULE_VTABLE_GLOBALVAR_INIT_REFS, _ID, _BITS, _SHORT, array, _ID),
    _of(Code.ALIAS, _ID, _BITS, _ID),
    _of(Code.TYPE_ID_METADATA, _ID, _ID, array, _ID),
    _of(Code.PERMODULE_CALLSITE_INFO, _ID, array, _ID),
    _of(Code.PERMODULE_ALLOC_INFO, _SHORT, array, _ID),
    CONTEXT_TREE,
)
"""Abbreviations of the summary of a module, in the order of their definitions."""

OF_INDEX = (
    _of(Code.COMBINED_PROFILE, _ID, _ID, _BITS, _ID, _SHORT, _ID, _SHORT, _SHORT, _SHORT, array, _ID),
    _of(Code.COMBINED_GLOBALVAR_INIT_REFS, _ID, _ID, _BITS, array, _ID),
    _of(Code.COMBINED_ALIAS, _ID, _ID, _BITS, _ID),
    _of(Code.COMBINED_CALLSITE_INFO, _ID, _SHORT, _SHORT, array, _ID),
    _of(Code.COMBINED_ALLOC_INFO_NO_CONTEXT, _SHORT, _SHORT, array, _ID),
)
"""Abbreviations of an index of several modules, in the order of their definitions."""


class SummaryBlock:
    """A block of summaries in the making: each record gets the abbreviation of its code, if one is defined.

    Args:
        block_id: `GLOBALVAL_SUMMARY_BLOCK` or `FULL_LTO_GLOBALVAL_SUMMARY_BLOCK`.

    Attributes:
        rows: the block.
    """

    def __init__(self, block_id: BlockId) -> None:
        self.rows = BlockRows(block_id, _WIDTH)
        self._ids: dict[int, int] = {}

    def define(self, *abbreviations: Abbreviation) -> None:
        """Define abbreviations, which the records that follow use."""
        for abbreviation in abbreviations:
            self.rows.items.append(abbreviation)
            code = abbreviation.operands[0].value
            self._ids[code] = _FIRST_ID + len(self._ids)

    def add(self, code: int, operands: Iterable[int]) -> None:
        """Add a record."""
        self.rows.rows().add(code, operands, self._ids.get(code, UNABBREVIATED))


def halves(numbers: Iterable[int]) -> list[int]:
    """Return numbers of 64 bits as two operands each, the upper half first."""
    return [half for number in numbers for half in (number >> 32, number & _WORD)]


def bits(flags: Iterable[CodedEnum]) -> int:
    """Return the number in which the bits of flags are set."""
    return sum(1 << flag.code for flag in flags)


def global_flags(flags: GlobalValueFlags) -> int:
    """Return the flags that all globals have as an operand."""
    linkage = SUMMARY_LINKAGES.index(flags.linkage)
    visibility = flags.visibility.code << VISIBILITY_BIT
    return linkage | bits(flags.flags) | visibility | flags.import_kind.code << IMPORT_KIND_BIT


def variable_flags(summary: GlobalVarSummary) -> int:
    """Return the flags of a variable as an operand."""
    return bits(summary.variable_flags) | summary.vcall_visibility.code << VCALL_VISIBILITY_BIT


def call_info(call: SummaryCall) -> int:
    """Return hotness of a call, and whether it is a tail call, as an operand.  Frequencies are not written."""
    return call.hotness.code | call.is_tail_call << HOTNESS_BITS
