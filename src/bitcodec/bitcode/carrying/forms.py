"""Properties of records that are copied from one file to another: whether a code can be copied, and its results.

Rules: docs/reference/records.md, 6.2 and 7.3.
"""

from __future__ import annotations

from array import array

from bitcodec.bitcode.reader.programs import CODE_COUNT, Programs
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, FunctionCode
from bitcodec.bitcode.schema.constants import CONSTANT_LAYOUTS
from bitcodec.bitcode.schema.instructions import EXACT_RECORDS, INSTRUCTION_LAYOUTS
from bitcodec.bitcode.writer.abbreviations import ANY_COUNT, ids_by_length
from bitcodec.bitcode.writer.instructions import WRITTEN_CODES
from bitcodec.bitcode.writer.rows import UNABBREVIATED

__all__ = [
    "CONSTANTS",
    "CONSTANT_ABBREVIATIONS",
    "FIRST_IS_LAST",
    "FORM_CELLS",
    "FUNCTION_ABBREVIATIONS",
    "INSTRUCTIONS",
    "INSTRUCTION_FORMS",
    "LAST_IS_FIRST",
    "LENGTHS",
    "NO_RESULT",
    "ONE_RESULT",
    "PLAIN_CONSTANTS",
    "RESULT_OF_TYPE",
    "NotCarriedError",
]


class NotCarriedError(Exception):
    """A body contains a construct that records of another file would express differently: it must be read."""


_F, _C = FunctionCode, ConstantsCode

# Calls that branch on assembly text, and addresses of blocks, depend on the blocks of functions.
INSTRUCTIONS = Programs(
    {
        code: layout
        for code, layout in INSTRUCTION_LAYOUTS.items()
        if (code in WRITTEN_CODES and code != _F.INST_CALLBR) or code == _F.OPERAND_BUNDLE
    },
    exact=EXACT_RECORDS,
)
"""The layouts of instructions as LLVM 22 writes them, and of operand bundles."""

PLAIN_CONSTANTS = frozenset(
    {_C.NULL, _C.UNDEF, _C.POISON, _C.INTEGER, _C.WIDE_INTEGER, _C.FLOAT, _C.STRING, _C.CSTRING, _C.DATA}
)
"""The codes of constants without operands."""

CONSTANTS = Programs(
    {
        code: layout
        for code, layout in CONSTANT_LAYOUTS.items()
        if code in PLAIN_CONSTANTS
        or code
        in {
            _C.AGGREGATE,
            _C.CE_BINOP,
            _C.CE_CAST,
            _C.CE_GEP,
            _C.CE_GEP_WITH_INRANGE,
            _C.CE_EXTRACTELT,
            _C.CE_INSERTELT,
            _C.CE_SHUFFLEVEC,
            _C.CE_SHUFVEC_EX,
            _C.INLINEASM,
            _C.DSO_LOCAL_EQUIVALENT,
            _C.NO_CFI_VALUE,
            _C.PTRAUTH2,
        }
    }
)
"""The layouts of constants as LLVM 22 writes them."""

FORM_CELLS = 2
"""Cells of an entry of `INSTRUCTION_FORMS`: the result of the record, and LLVM's order of its operands."""
NO_RESULT, ONE_RESULT, RESULT_OF_TYPE = range(3)
"""A record makes no value, one value, or one if its function type returns anything."""
FIRST_IS_LAST, LAST_IS_FIRST = 1, 2
"""The first operand of the record is the last of the instruction, or the other way round."""

_WITHOUT_VALUE = (
    _F.INST_STORE,
    _F.INST_STOREATOMIC,
    _F.INST_FENCE,
    _F.INST_RET,
    _F.INST_BR,
    _F.INST_SWITCH,
    _F.INST_INDIRECTBR,
    _F.INST_UNREACHABLE,
    _F.INST_RESUME,
    _F.INST_CLEANUPRET,
    _F.INST_CATCHRET,
    _F.OPERAND_BUNDLE,
)
_CALLS = (_F.INST_CALL, _F.INST_INVOKE)


def _forms() -> array[int]:
    forms = array("q", [ONE_RESULT, 0]) * CODE_COUNT
    for codes, cell, value in (
        (_WITHOUT_VALUE, 0, NO_RESULT),
        (_CALLS, 0, RESULT_OF_TYPE),
        ((*_CALLS, _F.INST_STORE, _F.INST_STOREATOMIC), 1, FIRST_IS_LAST),
        ((_F.INST_VSELECT,), 1, LAST_IS_FIRST),
    ):
        for code in codes:
            forms[FORM_CELLS * code + cell] = value
    return forms


INSTRUCTION_FORMS = _forms()
"""For each record code `FORM_CELLS` cells."""

LENGTHS = 9
"""Counts of operands that abbreviations of a code differ by; the last means all larger ones."""


def _abbreviations(block_id: BlockId, omitted: tuple[int, ...] = ()) -> array[int]:
    ids = array("q", [UNABBREVIATED]) * (CODE_COUNT * LENGTHS)
    for (code, count), abbreviation_id in ids_by_length(block_id).items():
        if code not in omitted:
            for place in range(LENGTHS) if count == ANY_COUNT else (count,):
                ids[LENGTHS * code + place] = abbreviation_id
    return ids


FUNCTION_ABBREVIATIONS = _abbreviations(BlockId.FUNCTION_BLOCK)
CONSTANT_ABBREVIATIONS = _abbreviations(BlockId.CONSTANTS_BLOCK, (_C.NULL,))
"""The ids of abbreviations: for each record code one for each count of operands."""
