"""LLVM's messages for what no version reads, by bitcodec's own messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.doctor.rules import NEWEST, OLDEST
from bitcodec.doctor.top_level import FIRST_TO_REPORT_SKIPS, LAST_FATAL, end_of_file, message_from, module_size
from bitcodec.errors import BitstreamError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.errors import PlacedError

__all__ = ["ends_early", "message_of"]


class _Fault(NamedTuple):
    """A row: a regular expression for a message of bitcodec, some versions of LLVM, and what these print.

    Attributes:
        block: id of the block that the place is in; None for any.
    """

    pattern: re.Pattern[str]
    oldest: int
    newest: int
    message: str
    block: int | None = None


def _fault(
    pattern: str, message: str, oldest: int = OLDEST, newest: int = NEWEST, *, block: int | None = None
) -> _Fault:
    return _Fault(re.compile(pattern), oldest, newest, message, block)


def _fatal(pattern: str, message: str) -> tuple[_Fault, _Fault]:
    return _fault(pattern, f"LLVM ERROR: {message}", newest=LAST_FATAL), _fault(pattern, message, LAST_FATAL + 1)


_TYPES = r"^(?:VOID|POINTER|FUNCTION|VECTOR|ARRAY|STRUCT\w*|LABEL|METADATA|FLOAT|DOUBLE|INTEGER|OPAQUE\w*) record: "
_LEAVES = r"^(?:VOID|FLOAT|DOUBLE|HALF|LABEL|METADATA|INTEGER|OPAQUE_POINTER) record: "
_INVALID_TYPE = r"cannot be an element|the table has more types|the number of types is not stated"

_FAULTS = (
    _fault(r"epoch (\d+) is another encoding", r"Incompatible epoch: Bitcode '\1' vs current: '0'"),
    _fault(r"unknown attribute kind \((\d+)\)", r"Unknown attribute kind (\1)"),
    _fault(r"unknown form of attribute", "Invalid attribute group entry", 13),
    _fault(r"is not an enum attribute", "Not an enum attribute", 13),
    _fault(r"^the file is empty", "file too small to contain bitcode header"),
    _fault(r"^the wrapper says", "Invalid bitcode wrapper header"),
    *_fatal(r"^an abbreviation has a field of \d+ bits", "Fixed or VBR abbrev record with size > MaxChunkData"),
    *_fatal(r"^an abbreviation has an operand of unknown encoding", "Invalid encoding"),
    *_fatal(r"^an abbreviation has no operands", "Abbrev record with no operands"),
    *_fatal(r"^abbreviation id \d+ is not defined", "Invalid abbrev number"),
    _fault(r"there is no garbage collector", "Invalid ID"),
    _fault(r"^(?:FUNCTION|GLOBALVAR) record: (?:there is no section|section \d+ is larger)", "Invalid ID"),
    _fault(r"record: an alignment of|record: alignment \d+ is larger", "Invalid alignment value"),
    _fault(r"^VERSION record: the record follows", "Invalid value"),
    _fault(r"^VERSION record: modules of version", "Invalid value"),
    _fault(r"^FUNCTION record: has too few", "Invalid function record", 15, block=BlockId.TYPE_BLOCK),
    _fault(r"^INTEGER record: has too few", "Invalid integer record", 15, block=BlockId.TYPE_BLOCK),
    _fault(r"^FUNCTION record: a function of type", "Invalid type for value", block=BlockId.MODULE_BLOCK),
    _fault(r"^NAMED_NODE record: .* is no node", "Invalid named metadata: expect fwd ref to MDNode", 13),
    _fault(r"^INST_PHI record: there is no block", "Invalid phi BB", 16),
    _fault(r"record: an instruction stands after the end", "Invalid instruction with no BB"),
    _fault(r"an integer of \d+ bits", "Bitwidth for integer type out of range"),
    _fault(r"^VECTOR record: a vector of 0 of", "Invalid vector length"),
    _fault(r"^VECTOR record: has too few", "Invalid vector type record", 14),
    _fault(r"^FUNCTION record: a .* cannot be a parameter", "Invalid function argument type"),
    _fault(_LEAVES + "(?:the table has more types|the number of types is not stated)", "Invalid TYPE table"),
    _fault(_TYPES + ".*(?:there is no type|" + _INVALID_TYPE + ")", "Invalid type"),
    _fault(r"a type is used before it is defined", "Invalid TYPE table: Only named structs can be forward referenced"),
    _fault(r"the table ends after \d+ types", "Malformed block"),
    _fault(r"^INST_LOAD record: .* where a pointer should be", "Load operand is not a pointer type", 14),
    _fault(r"^SETTYPE record: has too few", "Invalid settype record", 15),
    _fault(r"^CE_SELECT record: has too few", "Invalid select constexpr record", 15),
    _fault(r"^CE_BINOP record: has too few", "Invalid binary op constexpr record", 15),
    _fault(r"^OPAQUE_POINTER record: \d+ operands", "Invalid opaque pointer record", 15),
    _fault(r"^INTEGER record: has too few", "Invalid integer const record", 15),
    _fault(r"^INST_CALL record: has too few", "Insufficient operands to call", 19),
    _fault(r"^KIND record: kind \d+, but", "Conflicting METADATA_KIND records"),
    _fault(r"^KIND record: kind \d+ has the name", "Conflicting METADATA_KIND records"),
    _fault(r"^INST_CAST record: \w+ from", "Invalid cast"),
    _fault(r"^(INSERTVAL|EXTRACTVAL)", "Invalid record"),
    _fault(r"^INST_(EXTRACT|INSERT)VAL record: a \[.* has no element", r"\1VAL: Invalid array index"),
    _fault(r"^INST_(EXTRACT|INSERT)VAL record: a .* has no element", r"\1VAL: Invalid struct index"),
    _fault(r"^INST_(EXTRACT|INSERT)VAL record: no index", r"\1VAL: Invalid instruction with 0 indices"),
    _fault(r"^INST_CALL record: what is called is a .*, no function", "Explicit call type is not a function type"),
    _fault(r"^INST_INVOKE record: what is called is a .*, no function", "Explicit invoke type is not a function type"),
    _fault(r"where a vector should be|elements of a .*, which is no vector", "Invalid type for value"),
    _fault(r"ALIAS_OLD record: an alias of type", "Invalid type for value"),
    _fault(r"GLOBALVAR record: a variable at a .*, which is no pointer", "Invalid type for value"),
    _fault(r"a failing cmpxchg cannot be ordered", "Invalid cmpxchg failure ordering", 13),
    _fault(r"cmpxchg cannot be ordered", "Invalid cmpxchg success ordering", 13),
    _fault(r"^INST_CMP2? record: has too few", "Invalid record: operand number exceeded available operands", 9),
    _fault(
        r"\d+ functions are defined, 0 have a body", "Trying to materialize functions before seeing function blocks"
    ),
    _fault(r"^a body of a function that is not defined", "Insufficient function protos", 16),
    _fault(r"^INTEGER record: ", "Invalid integer const record", 15),
    _fault(r"^a blob of \d+ bytes does not fit", "Blob ends too soon", 15),
    _fault(r"^a blob of \d+ bytes does not fit", "Invalid record", newest=LAST_FATAL, block=BlockId.STRTAB_BLOCK),
    _fault(r"^GLOBALVAR record: the initializer is value \d+, no constant", "Malformed global initializer set"),
    _fault(r"^FUNCTION record: there is no comdat", "Invalid function comdat ID"),
    _fault(r"^GLOBALVAR record: there is no comdat", "Invalid global variable comdat ID"),
    _fault(r"^AGGREGATE record: the elements are not those of a \[", "Incorrect type in array initializer", 19),
    _fault(r"^AGGREGATE record: the elements are not those of a [{%<]", "Incorrect type in struct initializer", 19),
    _fault(r"^SETTYPE record: a constant cannot be", "Invalid constant type", 13),
    _fault(r"metadata kind \d+ has no name", "Invalid ID"),
    _fault(r"^VALUE record: value \d+ is a ", "Invalid value reference from metadata", 13),
    _fault(r"^GLOBALVAR record: @.* holds a ", "Invalid value reference from metadata", 13),
)


def message_of(error: PlacedError, version: int, payload: memoryview) -> str | None:
    """Return the message of a version of LLVM for a malformed bitstream; None if it does not notice."""
    for row in _FAULTS:
        if not row.oldest <= version <= row.newest or row.block not in {None, *error.block_path[-1:]}:
            continue
        found = row.pattern.search(error.reason)
        if found:
            return found.expand(row.message)
    if not isinstance(error, BitstreamError):
        return "Invalid record"
    return _of_bits(error, version, payload) if error.block_path else message_from(payload, error.bit_offset, version)


_HEADER = re.compile(r"^block (\d+) (?:is \d+ words long, more than what remains|has abbreviation ids of)")
_ELEMENTS = re.compile(r"^(\d+) elements of \d+ or more bits do not fit in what remains")
_EARLY_END = re.compile(r"^the block ends at bit \d+, but its length says")
_FIRST_TO_CHECK_SIZES = 15
_WORD, _WORD_SIZE = 32, 4
_SKIPPED = ((), (BlockId.MODULE_BLOCK,), (BlockId.FUNCTION_BLOCK,), (BlockId.METADATA_BLOCK,))
"""Blocks that readers skip by their length before they read them, or load in parts."""


def ends_early(error: PlacedError) -> bool:
    """Return whether a block has a wrong length that LLVM does not look at, since it reads the block to its end."""
    return bool(_EARLY_END.search(error.reason)) and error.block_path[-1:] not in _SKIPPED


def _of_bits(error: BitstreamError, version: int, payload: memoryview) -> str | None:
    """Return the message for what is no sound bitstream inside a block."""
    if ends_early(error):
        return None
    elements = _ELEMENTS.search(error.reason)
    if elements:
        size = module_size(payload, error.bit_offset)
        if version >= _FIRST_TO_CHECK_SIZES and int(elements[1]) >= size:
            return "Size is not plausible"
        return end_of_file(size, version)
    if _HEADER.search(error.reason) and version >= FIRST_TO_REPORT_SKIPS:
        # Readers skip most blocks, and do not look at their width.
        body = (error.bit_offset // _WORD + 2) * _WORD
        words = int.from_bytes(payload[body // 8 - _WORD_SIZE : body // 8], "little")
        if body + words * _WORD > len(payload) * 8:
            return f"can't skip to bit {body + words * _WORD} from {body}"
    return "Malformed block"
