"""LLVM's messages for what no version reads, by bitcodec's own messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.errors import BitstreamError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.errors import PlacedError

__all__ = ["message_of"]


class _Fault(NamedTuple):
    """A row: a regular expression for a message of bitcodec, some versions of LLVM, and what these print."""

    pattern: re.Pattern[str]
    oldest: int
    newest: int
    message: str


_OLDEST, _NEWEST = 4, 22
_LAST_FATAL = 14
"""The last version that ends the program when it cannot decode an abbreviation."""
_DEFINE_ABBREVIATION = 2


def _fault(pattern: str, message: str, oldest: int = _OLDEST, newest: int = _NEWEST) -> _Fault:
    return _Fault(re.compile(pattern), oldest, newest, message)


def _fatal(pattern: str, message: str) -> tuple[_Fault, _Fault]:
    return _fault(pattern, f"LLVM ERROR: {message}", newest=_LAST_FATAL), _fault(pattern, message, _LAST_FATAL + 1)


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
    *_fatal(r"^an abbreviation has no operands", "Abbrev record with no operands"),
    *_fatal(r"^abbreviation id \d+ is not defined", "Invalid abbrev number"),
    _fault(r"there is no garbage collector", "Invalid ID"),
    _fault(r"record: an alignment of|record: alignment \d+ is larger", "Invalid alignment value"),
    _fault(r"^VERSION record: the record follows", "Invalid value"),
    _fault(r"an integer of \d+ bits", "Bitwidth for integer type out of range"),
    _fault(r"^VECTOR record: a vector of 0 of", "Invalid vector length"),
    _fault(r"^VECTOR record: has too few", "Invalid vector type record", 14),
    _fault(r"^FUNCTION record: a \S+ cannot be a parameter", "Invalid function argument type"),
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
    _fault(r"^INTEGER record: ", "Invalid integer const record", 16),
    _fault(r"^AGGREGATE record: the elements are not those of a \[", "Incorrect type in array initializer", 19),
    _fault(r"^AGGREGATE record: the elements are not those of a [{%<]", "Incorrect type in struct initializer", 19),
    _fault(r"^SETTYPE record: a constant cannot be", "Invalid constant type", 13),
    _fault(r"metadata kind \d+ has no name", "Invalid ID"),
    _fault(r"^VALUE record: value \d+ is a ", "Invalid value reference from metadata", 13),
    _fault(r"^GLOBALVAR record: @.* holds a ", "Invalid value reference from metadata", 13),
)


def message_of(error: PlacedError, version: int, payload: memoryview) -> str:
    """Return the message of a version of LLVM for a malformed bitstream."""
    for row in _FAULTS:
        found = row.pattern.search(error.reason) if row.oldest <= version <= row.newest else None
        if found:
            return found.expand(row.message)
    if not isinstance(error, BitstreamError):
        return "Invalid record"
    return _of_bits(error, version, payload)


_LENGTH = re.compile(r"block \d+ is (\d+) words long, more than what remains")
_FIRST_TO_REPORT_SKIPS = 9
_WORD = 32


def _of_bits(error: PlacedError, version: int, payload: memoryview) -> str:
    """Return the message for what is no sound bitstream."""
    found = _LENGTH.search(error.reason)
    if found and version >= _FIRST_TO_REPORT_SKIPS:
        body = (error.bit_offset // _WORD + 2) * _WORD
        return f"can't skip to bit {body + int(found[1]) * _WORD} from {body}"
    if not error.block_path:
        word = payload[error.bit_offset // 8 : error.bit_offset // 8 + 1]
        if word and word[0] & 3 == _DEFINE_ABBREVIATION:
            return "LLVM ERROR: Invalid encoding" if version <= _LAST_FATAL else "Invalid encoding"
    return "Malformed block"
