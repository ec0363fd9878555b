"""LLVM's messages about malformed records: rows that name reasons, records and versions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, BlockId, ConstantsCode, GlobalValueSummaryCode, TypeCode
from bitcodec.doctor.record_names import FIRST_TO_NAME_SHORT_RECORDS, NAMES_OF_SHORT_RECORDS
from bitcodec.doctor.rule import Effect
from bitcodec.doctor.rules import NEWEST, OLDEST
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from bitcodec.sentences import Sentence

__all__ = ["FAULTS", "UNNOTICED", "Fault"]


class Fault(NamedTuple):
    """A row: a malformed record, and the message of some versions of LLVM about it.

    Attributes:
        reasons: the reasons for which bitcodec refuses the record; empty for any.
        message: LLVM's message, in which `{number}` and the like are parameters of the reason; "" if these versions
            notice nothing, or have no message for their effect.
        records: the names of the records; empty for any.
        path: the ids of the innermost blocks around the place; empty for any.
        counts: the numbers of operands, None for any.
        types: the type in the reason begins with one of these; empty for any.
        texts: the values of a parameter, by its name; None for any.
        effect: its effect on them.
    """

    reasons: tuple[Reason, ...]
    message: str
    oldest: int = OLDEST
    newest: int = NEWEST
    records: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
    counts: Container[object] | None = None
    types: tuple[str, ...] = ()
    texts: tuple[str, object] | None = None
    effect: Effect = Effect.REFUSES

    def fits(self, reason: Sentence, block_path: tuple[int, ...]) -> bool:
        """Return whether a row is about a record, whatever the version."""
        parameters = reason.parameters
        return (
            (not self.reasons or reason.identity in self.reasons)
            and (not self.records or reason.record in self.records)
            and block_path[len(block_path) - len(self.path) :] == self.path
            and (self.counts is None or parameters.get("count") in self.counts)
            and (not self.types or str(parameters.get("type", "")).startswith(self.types))
            and (self.texts is None or parameters.get(self.texts[0]) == self.texts[1])
        )


def _fault(
    reasons: Reason | tuple[Reason, ...],
    message: str,
    oldest: int = OLDEST,
    newest: int = NEWEST,
    *,
    of: str | Iterable[str] = (),
    path: tuple[int, ...] = (),
    counts: Container[object] | None = None,
    types: tuple[str, ...] = (),
    texts: tuple[str, object] | None = None,
    effect: Effect = Effect.REFUSES,
) -> Fault:
    """Return a row; `of` has the names of the records, separated by spaces."""
    reasons = reasons if isinstance(reasons, tuple) else (reasons,)
    records = tuple(of.split()) if isinstance(of, str) else tuple(of)
    return Fault(reasons, message, oldest, newest, records, path, counts, types, texts, effect)


_crash = partial(_fault, message="", effect=Effect.CRASHES)


_SHORT = Reason.TOO_FEW_OPERANDS
_FROM = range(1 << 64).__getitem__
"""Returns a range from a slice."""
_ANY: tuple[Reason, ...] = ()

_SHORT_RECORDS = tuple(
    _fault(_SHORT, f"Invalid {name} record", FIRST_TO_NAME_SHORT_RECORDS, of=record, path=(block,))
    for block, names in NAMES_OF_SHORT_RECORDS.items()
    for record, name in names.items()
)

_CHECKED_SUMMARIES = ("COMBINED", "COMBINED_PROFILE", "COMBINED_GLOBALVAR_INIT_REFS", "VALUE_GUID")
_SHORT_SUMMARIES = tuple(
    # Readers do not look at the number of operands; where they take a list out of them, they crash.
    row
    for block in SUMMARY_BLOCKS
    for row in (
        _fault(_SHORT, "", of="VALUE_GUID", path=(block,), counts=_FROM(slice(1, None))),
        _fault(
            _SHORT,
            "",
            of=(
                code.name
                for code in GlobalValueSummaryCode
                if code.name not in _CHECKED_SUMMARIES and not code.name.startswith("PERMODULE")
            ),
            path=(block,),
        ),
    )
)


def _read_on(
    records: str, first_to_misread: int, oldest: int = OLDEST, counts: Container[object] | None = None
) -> tuple[Fault, ...]:
    """Return the rows of records that are read beyond their end: the operands are the contents of memory there.

    Args:
        records: their names.
        first_to_misread: the first version that reads something; older ones crash.
        oldest: the first version that knows the record.
        counts: the numbers of operands, None for any that are too few.
    """
    rows = (
        _crash(_SHORT, oldest=oldest, newest=first_to_misread - 1, of=records, counts=counts),
        _fault(_SHORT, "", first_to_misread, of=records, counts=counts, effect=Effect.MISREADS),
    )
    return tuple(row for row in rows if max(row.oldest, oldest) <= row.newest)


_READ_ON = (
    *_read_on("DEBUG_RECORD_VALUE DEBUG_RECORD_DECLARE DEBUG_RECORD_DECLARE_VALUE DEBUG_RECORD_LABEL", 19, 19),
    *_read_on("DEBUG_RECORD_ASSIGN", 21, 19),
    *_read_on("SUBRANGE", NEWEST + 1, counts=range(2)),
    *_read_on("SUBRANGE", 21),
    *_read_on("COMDAT", 12, counts=range(2)),
    _fault(_SHORT, "Alias and aliasee types don't match", 12, 14, of="ALIAS", counts=range(2)),
    *_read_on("ALIAS", 12, counts=range(2)),
)
_LEAVES = (
    "VOID FLOAT DOUBLE HALF BFLOAT X86_FP80 FP128 PPC_FP128 X86_MMX X86_AMX LABEL METADATA TOKEN INTEGER OPAQUE_POINTER"
)
_TYPES = (
    *("VOID", "POINTER", "FUNCTION", "VECTOR", "ARRAY", "LABEL", "METADATA", "FLOAT", "DOUBLE", "INTEGER"),
    *(code.name for code in TypeCode if code.name.startswith(("STRUCT", "OPAQUE"))),
)
_ADDRESSES = tuple(code.name for code in ConstantsCode if "GEP" in code.name)
_DEBUG_RECORDS = (
    "DEBUG_RECORD_VALUE DEBUG_RECORD_DECLARE DEBUG_RECORD_ASSIGN DEBUG_RECORD_VALUE_SIMPLE DEBUG_RECORD_LABEL"
    " DEBUG_RECORD_DECLARE_VALUE"
)
_CALLS, _COMPARISONS = "INST_CALL INST_CALLBR", "INST_CMP INST_CMP2"
_ARRAYS, _STRUCTS, _VECTORS = ("[",), ("{", "%", "<{"), ("<v", *(f"<{digit}" for digit in range(10)))
"""How types begin."""


def _elements(record: str, name: str) -> tuple[Fault, ...]:
    """Return the rows of an instruction that names an element by indices."""
    missing = Reason.NO_ELEMENT
    return (
        _fault(missing, f"{name}: Invalid array index", of=record, types=_ARRAYS),
        _fault(missing, f"{name}: Invalid struct index", of=record, types=("{", "%", "<")),
        _fault(missing, f"{name}: Invalid type", of=record),
        _fault(Reason.NO_INDEX, f"{name}: Invalid instruction with 0 indices", of=record),
    )


_OF_MODULE = (
    _fault(Reason.OTHER_EPOCH, "Incompatible epoch: Bitcode '{epoch}' vs current: '0'"),
    _fault((Reason.MODULE_MISSING, Reason.MODULE_EXPECTED, Reason.NO_MODULE), "Malformed block"),
    _fault(
        Reason.SECOND_BLOCK,
        "Invalid multiple synchronization scope names blocks",
        path=(BlockId.SYNC_SCOPE_NAMES_BLOCK,),
    ),
    _fault(Reason.SECOND_BLOCK, "Invalid multiple blocks"),
    _fault((Reason.UNKNOWN_ATTRIBUTE, Reason.NEWER_ATTRIBUTE), "Unknown attribute kind ({number})"),
    _fault(Reason.UNKNOWN_ATTRIBUTE_FORM, "Invalid attribute group entry", 13),
    _fault(Reason.UNENDED_STRING, "Invalid attribute group entry", 15, of="ENTRY"),
    _fault(_ANY, "Invalid parameter attribute record", 15, of="ENTRY_OLD"),
    _fault(Reason.AFTER_GLOBALS, "Invalid value", of="VERSION"),
    _fault(Reason.NEWER_MODULE, "Invalid value", of="VERSION"),
    _fault(Reason.NO_GARBAGE_COLLECTOR, "Invalid ID"),
    _fault(Reason.NO_SECTION, "Invalid ID", of="FUNCTION GLOBALVAR"),
    _fault(Reason.LARGE_FIELD, "Invalid ID", of="FUNCTION GLOBALVAR", texts=("field", "section")),
    _fault(Reason.LARGE_FIELD, "Invalid alignment value", texts=("field", "alignment")),
    _fault(Reason.LARGE_ALIGNMENT, "Invalid alignment value"),
    _fault(Reason.LARGE_FIELD, "Invalid calling convention ID", of="FUNCTION", texts=("field", "calling convention")),
    _fault(Reason.FUNCTION_TYPE, "Invalid type for value", of="FUNCTION", path=(BlockId.MODULE_BLOCK,)),
    _fault((Reason.ALIAS_POINTER, Reason.ALIAS_TYPE), "Invalid type for value", of="ALIAS_OLD"),
    _fault(Reason.VARIABLE_POINTER, "Invalid type for value", of="GLOBALVAR"),
    _fault(Reason.NO_CODE_MODEL, "", newest=17, of="GLOBALVAR"),
    _fault(Reason.NO_CODE_MODEL, "Invalid global variable code model", 18, of="GLOBALVAR"),
    _fault(Reason.NO_COMDAT, "Invalid function comdat ID", of="FUNCTION"),
    _fault(Reason.NO_COMDAT, "Invalid global variable comdat ID", of="GLOBALVAR"),
    _fault(Reason.NO_CONSTANT, "Malformed global initializer set", of="GLOBALVAR", texts=("role", "initializer")),
    _fault(Reason.GLOBAL_PROBLEM, "", of="GLOBALVAR"),
    _fault(Reason.ZERO_IN_NAME, "Invalid value name", of="ENTRY"),
    _fault(
        (_SHORT, Reason.NO_VALUE, Reason.NO_NAMED_VALUE), "Invalid value reference in symbol table", 15, of="FNENTRY"
    ),
    _fault(Reason.UNDEFINED_BODY, "Insufficient function protos", 16),
)
_OF_TYPES = (
    _fault(Reason.INTEGER_WIDTH, "Bitwidth for integer type out of range"),
    _fault(Reason.VECTOR_LENGTH, "Invalid vector length", of="VECTOR", counts=(0,)),
    _fault(Reason.VECTOR_LENGTH, "Invalid type", 14, of="VECTOR"),
    _fault(Reason.NO_PARAMETER_TYPE, "Invalid function argument type", of="FUNCTION"),
    _fault(Reason.TYPE_COUNT_NOT_STATED, "Invalid TYPE table", of=_LEAVES),
    _fault(Reason.MANY_TYPES, "Invalid TYPE table"),
    _fault(
        (Reason.NO_TYPE, Reason.NO_ELEMENT_TYPE, Reason.TYPE_COUNT_NOT_STATED),
        "Invalid type",
        of=_TYPES,
        path=(BlockId.TYPE_BLOCK,),
    ),
    _fault(Reason.TYPE_BEFORE_DEFINITION, "Invalid TYPE table: Only named structs can be forward referenced"),
    _fault(Reason.FEW_TYPES, "Malformed block"),
    _fault(Reason.ONE_OPERAND, "Invalid opaque type record", 15, of="OPAQUE"),
    _fault(Reason.ONE_OPERAND, "Invalid opaque pointer record", 15, of="OPAQUE_POINTER"),
)
_OF_CONSTANTS = (
    _fault(Reason.NO_TYPE, "Invalid settype record", 15, of="SETTYPE"),
    _fault(Reason.NO_VALUE, "Invalid constant reference", newest=14, path=(BlockId.CONSTANTS_BLOCK,)),
    _fault(Reason.NO_VALUE, "Invalid value ID", 15, path=(BlockId.CONSTANTS_BLOCK,)),
    _fault(Reason.VOID_CONSTANT, "Invalid constant type", 13, of="SETTYPE"),
    _fault(Reason.CONSTANT_PROBLEM, "Invalid type for a constant null value", 18, of="NULL"),
    _fault(_ANY, "Invalid integer const record", 15, of="INTEGER"),
    _fault(_ANY, "Invalid inlineasm record", 15, of="INLINEASM INLINEASM_OLD INLINEASM_OLD2 INLINEASM_OLD3"),
    _fault(_ANY, "Invalid type for value", of="DATA"),
    _crash(Reason.STRING_TYPE, newest=11),
    _fault(Reason.STRING_TYPE, ""),
    _fault(Reason.ADDRESS_TYPE, "GEP base operand must be pointer or vector of pointer", 15, of=_ADDRESSES),
    _fault(Reason.NO_TYPE, "Invalid getelementptr constexpr record", 15, of=_ADDRESSES),
    _fault(Reason.OTHER_CONSTANT_TYPE, "", 15, of=_ADDRESSES),
    _fault(_ANY, "Invalid shufflevector constexpr record", 15, of="CE_SHUFVEC_EX CE_SHUFFLEVEC"),
    _fault(Reason.ENDLESS_CONSTANT, "", 15),  # if nothing uses it
    _fault(Reason.ELEMENT_COUNT, "", newest=19, of="AGGREGATE", types=_ARRAYS + _VECTORS),
    _fault(Reason.ELEMENT_COUNT, "", 12, 19, of="AGGREGATE"),
    _fault(Reason.ELEMENT_COUNT, "Invalid number of elements in array initializer", 20, of="AGGREGATE", types=_ARRAYS),
    _fault(
        Reason.ELEMENT_COUNT, "Invalid number of elements in vector initializer", 20, of="AGGREGATE", types=_VECTORS
    ),
    _fault(
        Reason.ELEMENT_COUNT, "Invalid number of elements in struct initializer", 20, of="AGGREGATE", types=_STRUCTS
    ),
    _fault(Reason.OTHER_ELEMENTS, "Incorrect type in array initializer", 20, of="AGGREGATE", types=_ARRAYS),
    _fault(Reason.OTHER_ELEMENTS, "Incorrect type in struct initializer", 20, of="AGGREGATE", types=_STRUCTS),
)
_OF_METADATA = (
    _fault(Reason.NO_NODE, "Invalid named metadata: expect fwd ref to MDNode", 13, of="NAMED_NODE"),
    _fault(Reason.NO_NAMED_NODE, "METADATA_NAME not followed by METADATA_NAMED_NODE", of="NAME"),
    _fault(Reason.NO_STRING, "Invalid named metadata: expect fwd ref to MDNode", 12, path=(BlockId.METADATA_BLOCK,)),
    _fault(Reason.LATE_VALUE_TYPE, "Assigned value does not match type of forward declaration", 15, of="VALUE"),
    _fault((Reason.OTHER_VALUE_TYPE, Reason.LATE_VALUE_TYPE), "Invalid value reference from metadata", 13, of="VALUE"),
    _fault((Reason.NO_METADATA_ID, Reason.NO_NODE), "Invalid metadata attachment", newest=12, of="ATTACHMENT"),
    _fault(
        (Reason.NO_METADATA_ID, Reason.NO_NODE),
        "Invalid metadata attachment: expect fwd ref to MDNode",
        13,
        of="ATTACHMENT",
    ),
    _fault(Reason.ATTACHED_NO_NODE, "Invalid metadata attachment", of="ATTACHMENT"),
    _fault(Reason.STRINGS_COUNT, "Invalid record: metadata strings with no strings", of="STRINGS", counts=(0,)),
    _fault(Reason.STRINGS_OFFSET, "Invalid record: metadata strings corrupt offset", of="STRINGS"),
    _fault(Reason.LARGE_KIND, "Conflicting METADATA_KIND records", newest=22, texts=("number", (1 << 32) - 1)),
    _fault(Reason.LARGE_KIND, ""),
    # Readers skip unknown records, and later nodes have other numbers.
    _crash((Reason.NEWER_CODE, Reason.UNKNOWN_CODE), texts=("what", "metadata")),
    _fault(Reason.NAMELESS_KIND, "Invalid ID"),
)
_OF_BODIES = (
    _crash(Reason.FORWARD_TYPE, newest=11),
    _fault(Reason.FORWARD_TYPE, "", newest=14),
    _fault(Reason.FORWARD_TYPE, "Assigned value does not match type of forward declaration", 15),
    _fault(Reason.NO_BLOCK, "Invalid phi BB", 15, of="INST_PHI"),
    _fault(_ANY, "Invalid phi record", 15, of="INST_PHI"),
    _fault(Reason.AFTER_LAST_BLOCK, "Invalid instruction with no BB"),
    _fault(Reason.NO_INSTRUCTION, "Invalid dbg record: missing instruction", of=_DEBUG_RECORDS),
    _fault(_SHORT, "Invalid dbg record: invalid value", 19, of="DEBUG_RECORD_VALUE_SIMPLE"),
    _fault(Reason.NO_POINTER, "Load/Store operand is not a pointer type", newest=12, of="INST_LOAD"),
    _fault(Reason.NO_POINTER, "Load operand is not a pointer type", 13, of="INST_LOAD"),
    _fault(Reason.NO_POINTER, "Load/Store operand is not a pointer type", of="INST_STORE"),
    _fault(Reason.UNKNOWN_POINTEE, "Cmpxchg operand is not a pointer type", 9, of="INST_CMPXCHG_OLD"),
    _fault(Reason.ALLOCA_POINTER, "Old-style alloca with a non-pointer type", newest=14, of="INST_ALLOCA"),
    _fault(Reason.ALLOCA_POINTER, "Missing element type for old-style alloca", 15, of="INST_ALLOCA"),
    _fault(
        # With indices that do not fit the type that it expects, a reader crashes.
        Reason.NO_INDEXED_ELEMENT,
        "Explicit gep type does not match pointee type of pointer operand",
        newest=15,
        of="INST_GEP",
    ),
    _fault(Reason.CAST_TYPES, "Invalid cast", of="INST_CAST"),
    *_elements("INST_EXTRACTVAL", "EXTRACTVAL"),
    *_elements("INST_INSERTVAL", "INSERTVAL"),
    _fault((Reason.NO_VECTOR, Reason.SHUFFLE_OF_NO_VECTOR), "Invalid type for value"),
    _fault(Reason.ORDERING, "Invalid cmpxchg failure ordering", 13, texts=("what", "a failing cmpxchg")),
    _fault(Reason.ORDERING, "Invalid cmpxchg success ordering", 13, texts=("what", "cmpxchg")),
    _fault(
        _SHORT,
        "Invalid record: operand number exceeded available operands",
        9,
        of=_COMPARISONS,
        counts=_FROM(slice(2, None)),
    ),
    _fault(Reason.NO_PREDICATE, "", newest=17, of=_COMPARISONS),
    _fault(Reason.NO_PREDICATE, "Invalid {opcode} predicate", 18, of=_COMPARISONS),
)
_OF_CALLS = (
    _fault(_SHORT, "Insufficient operands to call", of="INST_CALL", counts=_FROM(slice(4, None))),
    # A reader takes the type of the function from behind the end of a record of four operands.
    _fault(_SHORT, "Explicit invoke type is not a function type", 13, of="INST_INVOKE", counts=(4,)),
    _fault(_SHORT, "Insufficient operands to call", of="INST_INVOKE", counts=_FROM(slice(6, None))),
    _fault(Reason.CALLEE_POINTER, "Callee is not a pointer type", of=f"{_CALLS} INST_INVOKE"),
    _fault(Reason.UNKNOWN_POINTEE, "Callee is not a pointer type", of="INST_CALL"),
    _fault(Reason.UNKNOWN_POINTEE, "Callee is not a pointer", of="INST_INVOKE"),
    _fault((Reason.NO_TYPE, Reason.CALLEE_TYPE), "Explicit call type is not a function type", of=_CALLS),
    _fault((Reason.NO_TYPE, Reason.CALLEE_TYPE), "Explicit invoke type is not a function type", of="INST_INVOKE"),
)
FAULTS = (
    *_READ_ON,
    *_SHORT_RECORDS,
    *_SHORT_SUMMARIES,
    *_OF_MODULE,
    *_OF_TYPES,
    *_OF_CONSTANTS,
    *_OF_METADATA,
    *_OF_BODIES,
    *_OF_CALLS,
)
"""The rows, in the order in which they are tried."""

UNNOTICED = (
    _fault((Reason.NO_SYMBOL_TABLE, Reason.AFTER_BODY), "", of="VSTOFFSET"),
    _fault(Reason.KIND_NAMED_TWICE, ""),
    _fault((Reason.BLOCKS_ONCE, Reason.BLOCKS_TWICE), "", of="DECLAREBLOCKS"),
    _fault((Reason.NO_INDEXED_MODULE, Reason.MANY_SPECIAL_REFERENCES), ""),
    _fault(Reason.NO_ELEMENT_TYPE, "", of="STRUCT_ANON STRUCT_NAMED"),
    _fault(Reason.NUMBER_COUNT, "", of="DATA"),
    _fault((Reason.BODY_OFFSET, Reason.NO_BODY, Reason.OFFSET_WITHOUT_TABLE), ""),
    _fault(Reason.BODY_COUNT, ""),
    _fault(Reason.OTHER_CONSTANT_TYPE, "", of="BLOCKADDRESS"),
)
"""Faults that LLVM does not notice, or that other rules describe."""
