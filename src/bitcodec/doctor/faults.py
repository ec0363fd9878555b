"""LLVM's messages for what no version reads, by bitcodec's own messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, BlockId, ConstantsCode
from bitcodec.doctor.layouts import message_about_layout
from bitcodec.doctor.record_names import FIRST_TO_NAME_SHORT_RECORDS, NAMES_OF_SHORT_RECORDS, message_about_record
from bitcodec.doctor.removed_expressions import message_about_expressions, needs_removed_expression
from bitcodec.doctor.rule import Effect
from bitcodec.doctor.rules import NEWEST, OLDEST
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.errors import PlacedError

__all__ = ["Reaction", "reaction_to"]


class Reaction(NamedTuple):
    """What a version of LLVM makes of a malformed record, and its message; "" if it has none."""

    effect: Effect
    message: str


class _Fault(NamedTuple):
    """A row: a regular expression for a message of bitcodec, some versions of LLVM, and what these print.

    Attributes:
        message: what they print; "" if they notice nothing, or have no message for their effect.
        path: the ids of the innermost blocks around the place; empty for any.
        effect: what they make of it.
    """

    pattern: str
    oldest: int
    newest: int
    message: str
    path: tuple[int, ...] = ()
    effect: Effect = Effect.REFUSES


def _fault(
    pattern: str, message: str, oldest: int = OLDEST, newest: int = NEWEST, *, path: tuple[int, ...] = ()
) -> _Fault:
    return _Fault(pattern, oldest, newest, message, path)


_SHORT_RECORDS = tuple(
    _fault(rf"^{record} record: has too few", f"Invalid {name} record", FIRST_TO_NAME_SHORT_RECORDS, path=(block,))
    for block, names in NAMES_OF_SHORT_RECORDS.items()
    for record, name in names.items()
)

_SHORT_SUMMARIES = tuple(
    # Readers do not look at the number of operands; where they take a list out of them, they crash.
    _fault(
        r"^(?!PERMODULE|COMBINED(?:_PROFILE|_GLOBALVAR_INIT_REFS)? |VALUE_GUID record: has too few operands: 0)"
        r"\w+ record: has too few",
        "",
        path=(block,),
    )
    for block in SUMMARY_BLOCKS
)


def _read_on(pattern: str, first_to_misread: int, oldest: int = OLDEST) -> tuple[_Fault, ...]:
    """Return the rows of records that are read beyond their end: the operands are what memory contains there.

    Args:
        pattern: a regular expression for the reason.
        first_to_misread: the first version that reads something; older ones crash.
        oldest: the first version that knows the record.
    """
    crash, reading = _fault(pattern, "", oldest, first_to_misread - 1), _fault(pattern, "", first_to_misread)
    return crash._replace(effect=Effect.CRASHES), reading._replace(effect=Effect.MISREADS)


_READ_ON = (
    *_read_on(r"^DEBUG_RECORD_(?:VALUE|DECLARE|DECLARE_VALUE|LABEL) record: has too few", 19, 19),
    *_read_on(r"^DEBUG_RECORD_ASSIGN record: has too few", 21, 19),
    *_read_on(r"^SUBRANGE record: has too few operands: [01]$", NEWEST + 1),
    *_read_on(r"^SUBRANGE record: has too few", 21),
    *_read_on(r"^COMDAT record: has too few operands: [01]$", 12),
    _fault(r"^ALIAS record: has too few operands: [01]$", "Alias and aliasee types don't match", 12, 14),
    *_read_on(r"^ALIAS record: has too few operands: [01]$", 12),
)
_TYPES = r"^(?:VOID|POINTER|FUNCTION|VECTOR|ARRAY|STRUCT\w*|LABEL|METADATA|FLOAT|DOUBLE|INTEGER|OPAQUE\w*) record: "
_LEAVES = (
    r"^(?:VOID|FLOAT|DOUBLE|HALF|BFLOAT|X86_FP80|FP128|PPC_FP128|X86_MMX|X86_AMX|LABEL|METADATA|TOKEN|INTEGER"
    r"|OPAQUE_POINTER) record: "
)
_INVALID_TYPE = r"cannot be an element|the number of types is not stated"

_FAULTS = (
    *_READ_ON,
    *_SHORT_RECORDS,
    *_SHORT_SUMMARIES,
    _fault(r"epoch (\d+) is another encoding", r"Incompatible epoch: Bitcode '\1' vs current: '0'"),
    _fault(r"unknown attribute kind \((\d+)\)", r"Unknown attribute kind (\1)"),
    _fault(r"unknown form of attribute", "Invalid attribute group entry", 13),
    _fault(r"is not an enum attribute", "Not an enum attribute", 13),
    _fault(r"^the file is empty", "file too small to contain bitcode header"),
    _fault(r"^the wrapper says", "Invalid bitcode wrapper header"),
    _fault(r"there is no garbage collector", "Invalid ID"),
    _fault(r"^(?:FUNCTION|GLOBALVAR) record: (?:there is no section|section \d+ is larger)", "Invalid ID"),
    _fault(r"record: an alignment of|record: alignment \d+ is larger", "Invalid alignment value"),
    _fault(r"^VERSION record: the record follows", "Invalid value"),
    _fault(r"^VERSION record: modules of version", "Invalid value"),
    _fault(r"^FUNCTION record: a function of type", "Invalid type for value", path=(BlockId.MODULE_BLOCK,)),
    _fault(r"^NAMED_NODE record: .* is no node", "Invalid named metadata: expect fwd ref to MDNode", 13),
    _fault(r"^INST_PHI record: there is no block", "Invalid phi BB", 16),
    _fault(r"record: an instruction stands after the end", "Invalid instruction with no BB"),
    _fault(r"an integer of \d+ bits", "Bitwidth for integer type out of range"),
    _fault(r"^VECTOR record: a vector of 0 of", "Invalid vector length"),
    _fault(r"^VECTOR record: a vector of ", "Invalid type", 14),
    _fault(r"^FUNCTION record: a .* cannot be a parameter", "Invalid function argument type"),
    _fault(_LEAVES + "the number of types is not stated", "Invalid TYPE table"),
    _fault("the table has more types", "Invalid TYPE table"),
    _fault(_TYPES + ".*(?:there is no type|" + _INVALID_TYPE + ")", "Invalid type", path=(BlockId.TYPE_BLOCK,)),
    _fault(r"a type is used before it is defined", "Invalid TYPE table: Only named structs can be forward referenced"),
    _fault(r"the table ends after \d+ types", "Malformed block"),
    _fault(r"^INST_LOAD record: .* where a pointer should be", "Load/Store operand is not a pointer type", newest=12),
    _fault(r"^INST_LOAD record: .* where a pointer should be", "Load operand is not a pointer type", 13),
    _fault(r"^INST_STORE record: .* where a pointer should be", "Load/Store operand is not a pointer type"),
    _fault(r"^INST_CMPXCHG_OLD record: what the pointer", "Cmpxchg operand is not a pointer type", 9),
    _fault(r"^CE_\w*GEP\w* record: address arithmetic on", "GEP base operand must be pointer or vector of pointer", 15),
    _fault(r"^NULL record: type .* has no zero", "Invalid type for a constant null value", 18),
    _fault(r"^INST_ALLOCA record: room at a", "Old-style alloca with a non-pointer type", newest=14),
    _fault(r"^INST_ALLOCA record: room at a", "Missing element type for old-style alloca", 15),
    _fault(
        # With indices that do not fit the type that it expects, a reader crashes.
        r"^INST_GEP record: the indices lead to no element",
        "Explicit gep type does not match pointee type of pointer operand",
        newest=15,
    ),
    _fault(r"^VALUE record: value \d+ turns out", "Assigned value does not match type of forward declaration", 15),
    _fault(r"^FUNCTION record: calling convention \d+ is larger", "Invalid calling convention ID"),
    _fault(r"record: there is no value \d+$", "Invalid constant reference", path=(BlockId.CONSTANTS_BLOCK,)),
    _fault(r"^OPAQUE record: \d+ operands", "Invalid opaque type record", 15),
    _fault(r"^INLINEASM\w* record: ", "Invalid inlineasm record", 15),
    _fault(r"^GLOBALVAR record: there is no code model", "", newest=17),
    _fault(r"^GLOBALVAR record: there is no code model", "Invalid global variable code model", 18),
    _fault(r"^ENTRY record: the name has a zero byte", "Invalid value name"),
    _fault(r"^SETTYPE record: there is no type", "Invalid settype record", 15),
    _fault(r"^INST_PHI record: (?!there is no block)", "Invalid phi record", 15),
    _fault(r"^DATA record: ", "Invalid type for value"),
    _fault(r"^C?STRING record: a string of \d+ bytes is no", "", newest=19),
    _fault(r"^ENTRY_OLD record: ", "Invalid parameter attribute record", 15),
    _fault(r"^DEBUG_RECORD_VALUE_SIMPLE record: has too few", "Invalid dbg record: invalid value", 19),
    _fault(r"^FNENTRY record: (?:has too few|there is no value)", "Invalid value reference in symbol table", 15),
    _fault(
        r"record: metadata id \d+ is no string",
        "Invalid named metadata: expect fwd ref to MDNode",
        12,
        path=(BlockId.METADATA_BLOCK,),
    ),
    _fault(r"^ATTACHMENT record: metadata id \d+, but", "Invalid metadata attachment", newest=12),
    _fault(r"^ATTACHMENT record: metadata id \d+, but", "Invalid metadata attachment: expect fwd ref to MDNode"),
    _fault(r"^CE_(?:INBOUNDS_)?GEP\w* record: there is no", "Invalid getelementptr constexpr record", 15),
    _fault(r"^CE_(?:INBOUNDS_)?GEP\w* record: a constant of type .* where .* is stated", "", 15),
    _fault(r"the constant is part of itself", "", 15),  # if nothing uses it
    _fault(r"^STRINGS record: 0 lengths", "Invalid record: metadata strings with no strings"),
    _fault(r"^STRINGS record: characters begin", "Invalid record: metadata strings corrupt offset"),
    _fault(r"^OPAQUE_POINTER record: \d+ operands", "Invalid opaque pointer record", 15),
    _fault(r"^INST_CALL record: has too few operands: (?![0-3]$)", "Insufficient operands to call"),
    _fault(r"^KIND record: kind \d+, but", "Conflicting METADATA_KIND records"),
    _fault(r"^KIND record: kind \d+ has the name", "Conflicting METADATA_KIND records"),
    _fault(r"^INST_CAST record: \w+ from", "Invalid cast"),
    _fault(r"^(INSERTVAL|EXTRACTVAL)", "Invalid record"),
    _fault(r"^INST_(EXTRACT|INSERT)VAL record: a [^\[{<%].* has no element", r"\1VAL: Invalid type"),
    _fault(r"^INST_(EXTRACT|INSERT)VAL record: a \[.* has no element", r"\1VAL: Invalid array index"),
    _fault(r"^INST_(EXTRACT|INSERT)VAL record: a .* has no element", r"\1VAL: Invalid struct index"),
    _fault(r"^INST_(EXTRACT|INSERT)VAL record: no index", r"\1VAL: Invalid instruction with 0 indices"),
    _fault(
        r"^INST_CALL record: what is called is a ptr.*, no function", "Callee is not of pointer to function type", 9
    ),
    _fault(r"^INST_(?:CALL|CALLBR) record: there is no type", "Explicit call type is not a function type"),
    # A reader takes the type of the function from behind the end of a record of four operands.
    _fault(r"^INST_INVOKE record: has too few operands: 4$", "Explicit invoke type is not a function type", 13),
    _fault(r"^INST_INVOKE record: has too few operands: (?![0-5]$)", "Insufficient operands to call"),
    _fault(r"^INST_(?:CALL|CALLBR|INVOKE) record: a .* is called", "Callee is not a pointer type"),
    _fault(r"^INST_INVOKE record: there is no type", "Explicit invoke type is not a function type"),
    _fault(r"^INST_CALL record: what is called is a .*, no function", "Explicit call type is not a function type"),
    _fault(r"^INST_INVOKE record: what is called is a .*, no function", "Explicit invoke type is not a function type"),
    _fault(r"where a vector should be|elements of a .*, which is no vector", "Invalid type for value"),
    _fault(r"ALIAS_OLD record: an alias of type", "Invalid type for value"),
    _fault(r"GLOBALVAR record: a variable at a .*, which is no pointer", "Invalid type for value"),
    _fault(r"a failing cmpxchg cannot be ordered", "Invalid cmpxchg failure ordering", 13),
    _fault(r"cmpxchg cannot be ordered", "Invalid cmpxchg success ordering", 13),
    _fault(
        r"^INST_CMP2? record: has too few operands: (?![01]$)",
        "Invalid record: operand number exceeded available operands",
        9,
    ),
    _fault(r"^INST_CALL record: what the pointer points to is not known", "Callee is not a pointer type", 15),
    _fault(r"^ENTRY record: a string without an end", "Invalid attribute group entry", 15),
    _fault(r"^DEBUG_RECORD\w* record: no instruction", "Invalid dbg record: missing instruction"),
    _fault(r"^CE_SHUFVEC_EX record: |^CE_SHUFFLEVEC record: ", "Invalid shufflevector constexpr record", 15),
    _fault(r"^INST_CMP2? record: there is no predicate", "", newest=17),
    _fault(r"^INST_CMP2? record: there is no predicate \d+ for \D*(?:float|double|half|fp)", "Invalid fcmp predicate"),
    _fault(r"^INST_CMP2? record: there is no predicate", "Invalid icmp predicate"),
    _fault(
        r"^a second block of this kind",
        "Invalid multiple synchronization scope names blocks",
        path=(BlockId.SYNC_SCOPE_NAMES_BLOCK,),
    ),
    _fault(r"^a second block of this kind", "Invalid multiple blocks"),
    _fault(r"^NAME record: the name is not followed", "METADATA_NAME not followed by METADATA_NAMED_NODE"),
    _fault(r"^ATTACHMENT record: metadata id \d+, attached as .* is no node", "Invalid metadata attachment"),
    _fault(r"^ATTACHMENT record: metadata id \d+ is no node", "Invalid metadata attachment", newest=12),
    _fault(
        r"^ATTACHMENT record: metadata id \d+ is no node", "Invalid metadata attachment: expect fwd ref to MDNode", 13
    ),
    _fault(r"^a body of a function that is not defined", "Insufficient function protos", 16),
    _fault(r"^INTEGER record: ", "Invalid integer const record", 15),
    _fault(
        r"^GLOBALVAR record: the initializer is value \d+, which is no constant", "Malformed global initializer set"
    ),
    _fault(r"^FUNCTION record: there is no comdat", "Invalid function comdat ID"),
    _fault(r"^GLOBALVAR record: there is no comdat", "Invalid global variable comdat ID"),
    _fault(r"^AGGREGATE record: \d+ elements do not make a (?:\[|<[^{])", "", newest=19),
    _fault(r"^AGGREGATE record: \d+ elements do not make a ", "", 12, 19),
    _fault(r"^AGGREGATE record: \d+ elements do not make a \[", "Invalid number of elements in array initializer"),
    _fault(
        r"^AGGREGATE record: \d+ elements do not make a <[^{]",
        "Invalid number of elements in vector initializer",
        20,
    ),
    _fault(
        r"^AGGREGATE record: \d+ elements do not make a [{%<]", "Invalid number of elements in struct initializer", 20
    ),
    _fault(r"^AGGREGATE record: the elements are not those of a \[", "Incorrect type in array initializer", 20),
    _fault(r"^AGGREGATE record: the elements are not those of a [{%<]", "Incorrect type in struct initializer", 20),
    _fault(r"^SETTYPE record: a constant cannot be", "Invalid constant type", 13),
    _fault(r"metadata kind \d+ has no name", "Invalid ID"),
    _fault(r"^VALUE record: value \d+ (?:is|turns out to be) a ", "Invalid value reference from metadata", 13),
    _fault(r"^GLOBALVAR record: @.* holds a ", "Invalid value reference from metadata", 13),
    _fault(r"^expected a module", "Malformed block"),
)


_UNNOTICED = (
    r"^VSTOFFSET record: no symbol table|^KIND record: kind \d+ has the name|^DECLAREBLOCKS record: blocks are declared"
    r"|^COMBINED\w* record: there is no module|^PERMODULE\w* record: more references are special"
    r"|^STRUCT\w* record: .* cannot be an element|^DATA record: \d+ numbers do not make"
    r"|^VSTOFFSET record: the record follows a function body"
    r"|^FNENTRY record: (?:the body of value \d+ does not begin|no body begins) at word"
    r"|^FNENTRY record: the offset of a body without|^code \d+ record: no such metadata is known"
    r"|\d+ functions are defined, \d+ have a body|^BLOCKADDRESS record: a constant of type"
)
"""What LLVM does not notice, or rules of their own describe."""


_LAYOUT = re.compile(r"^DATALAYOUT record: the data layout (.*)$")
_RECORD = re.compile(r"^(\w+) record: ")
_ABSENT = re.compile(r"there is no (?:type|value) (\d+)")
_FIRST_CUT = 1 << 32
"""The first number of a type or a value that readers, which take 32 bits of it, take for another."""


def _is_unknown(error: PlacedError, version: int) -> bool:
    """Return whether a version passes over a malformed constant because it does not know such records."""
    found = _RECORD.match(error.reason)
    in_constants = error.block_path[-1:] == (BlockId.CONSTANTS_BLOCK,)
    code = ConstantsCode.__members__.get(found[1]) if found and in_constants else None
    return code is not None and code.since > version


def _is_cut(error: PlacedError) -> bool:
    found = _ABSENT.search(error.reason)
    return found is not None and int(found[1]) >= _FIRST_CUT


def reaction_to(error: PlacedError, version: int) -> Reaction | None:
    """Return what a version of LLVM makes of a malformed record; None if it does not notice."""
    if re.search(_UNNOTICED, error.reason) or _is_cut(error) or _is_unknown(error, version):
        return None
    if needs_removed_expression(error.reason):
        return _refusal(message_about_expressions(error.reason, version))
    layout = _LAYOUT.match(error.reason)
    if layout:
        return _refusal(message_about_layout(layout[1], version))
    for row in _FAULTS:
        around = error.block_path[len(error.block_path) - len(row.path) :]
        if not row.oldest <= version <= row.newest or around != row.path:
            continue
        # Compiled here: most files have no fault.
        found = re.search(row.pattern, error.reason)
        if found:
            return _refusal(found.expand(row.message)) if row.effect is Effect.REFUSES else Reaction(row.effect, "")
    record = _RECORD.match(error.reason)
    block = error.block_path[-1] if error.block_path else None
    return _refusal(message_about_record(block, record[1] if record else "", version))


def _refusal(message: str | None) -> Reaction | None:
    return Reaction(Effect.REFUSES, message) if message else None
