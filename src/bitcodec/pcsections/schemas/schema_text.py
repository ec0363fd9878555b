"""Schemas by hand, as text.

    SPEC  = SECTION ["!C"] "=" KIND {"|" KIND}
    KIND  = ("instruction" | "function") [":" FIELD {"," FIELD}]
    FIELD = TYPE [":" NUMBER]

A KIND describes the data behind the PC of an instruction, or the PC and size of a function.  TYPE is `iN`, `ptr`, a
floating-point type by LLVM's name, or `N x i8` for N plain bytes; NUMBER is the known value of an integer.  With
`!C`, function sizes and integers of 2 to 8 bytes are ULEB128.  `cold!C=function:i32|instruction:i8:7,i64` has entries
of functions with an i32, and of instructions with the byte 7 and an i64.
"""

from __future__ import annotations

import re

from bitcodec.errors import PCSectionsError, quote
from bitcodec.ir.pcsection_rules import OPTIONS_MARK, broken_name
from bitcodec.pcsections.schemas.kinds import Field, Kind, SectionSchema, integer_bits

__all__ = ["parse_schema"]

_KINDS = {"instruction": False, "function": True}
_SIZES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16, "ppc_fp128": 16, "ptr": None}
"""Sizes in bytes."""
_BYTES = re.compile(r"(\d{1,9}) ?x ?i8")
_MOST_BITS = 1 << 23
_EXAMPLE = "write it as hot=instruction:i32,i64 or cold!C=function:i32|instruction"


def parse_schema(text: str) -> tuple[str, SectionSchema]:
    """Return the name of the section that a SPEC is for, and its possible contents.

    Raises:
        PCSectionsError: it is none.
    """
    spelling, equals, kinds = text.partition("=")
    if not equals:
        raise PCSectionsError(f"{quote(text)} is not a schema: {_EXAMPLE}")
    problem = broken_name(spelling)
    if problem is not None:
        raise PCSectionsError(f"the schema {quote(text)}: {problem}")
    name, _, options = spelling.partition(OPTIONS_MARK)
    found = dict.fromkeys(_kind(kind.strip(), text, is_compressed="C" in options) for kind in kinds.split("|"))
    return name, SectionSchema(tuple(found))


def _kind(text: str, schema: str, *, is_compressed: bool) -> Kind:
    name, colon, fields = text.partition(":")
    if name not in _KINDS:
        raise PCSectionsError(
            f"the schema {quote(schema)}: {quote(name)} is neither 'instruction' nor 'function': {_EXAMPLE}"
        )
    each = fields.split(",") if colon else []
    return Kind(_KINDS[name], tuple(_field(field.strip(), schema, is_compressed) for field in each), is_compressed)


def _field(text: str, schema: str, is_compressed: bool) -> Field:  # noqa: FBT001 - of the section
    type_, colon, value = text.partition(":")
    bits = integer_bits(type_)
    if colon and bits is None:
        raise PCSectionsError(f"the schema {quote(schema)}: {quote(text)}: only integers can have a known value")
    if bits is not None and 0 < bits <= _MOST_BITS:
        size = 0 if is_compressed and 8 < bits <= 64 else _allocated(bits)
        return Field(type_, size, _number(value, bits, schema) if colon else None)
    if type_ in _SIZES:
        return Field(type_, _SIZES[type_])
    bytes_ = _BYTES.fullmatch(type_)
    if bytes_ is None:
        types = ", ".join(_SIZES)
        raise PCSectionsError(f"the schema {quote(schema)}: expected iN, {types} or N x i8, found {quote(type_)}")
    return Field(f"[{bytes_[1]} x i8]", int(bytes_[1]))


def _allocated(bits: int) -> int:
    """Return how many bytes an integer takes, on all targets that have other sizes for none."""
    stored = -(-bits // 8)
    return 1 << (stored - 1).bit_length() if stored <= 16 else -(-stored // 16) * 16


def _number(text: str, bits: int, schema: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = 1 << bits
    if not -(1 << bits - 1) <= value < 1 << bits:
        raise PCSectionsError(f"the schema {quote(schema)}: {quote(text)} is not a valid i{bits}")
    return value
