"""Kinds of operands in records, which the reader and the writer share.

A record's layout is a row of fields.  Most are one operand each; fields that depend on more have a special kind.
Rules: docs/reference/records.md, 7.1.
"""

from __future__ import annotations

from enum import auto

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum

__all__ = ["Layout", "RecordField", "TypeRule", "WordKind"]


class WordKind(PlainEnum):
    """How a field is written."""

    NUMBER = auto()
    """An unsigned number."""
    FLAG = auto()
    """0 or 1."""
    ALIGNMENT = auto()
    """An alignment in bytes: the exponent of two plus one, 0 if none is given."""
    ORDERING = auto()
    """An atomic ordering."""
    SCOPE = auto()
    """A synchronization scope: its number in SYNC_SCOPE_NAMES."""
    ATTRIBUTES = auto()
    """An attribute list: its number in PARAMATTR, from 1; 0 if none."""
    RANGE = auto()
    """A width in bits and two numbers of that width: a constant range."""
    TYPE = auto()
    """A type id."""
    BLOCK = auto()
    """A basic block: its number in the function."""
    VALUE = auto()
    """A value, relative in new files; its type id follows if it is defined later."""
    TYPED_VALUE = auto()
    """A value whose type the field's `rule` gives."""
    ABSOLUTE = auto()
    """A value id, never relative."""
    # The kinds below take all operands that remain, or as many as a count says.
    VALUES = auto()
    """Values, each as VALUE."""
    COUNTED_VALUES = auto()
    """A count, then values."""
    BLOCKS = auto()
    """Blocks."""
    COUNTED_BLOCKS = auto()
    """A count, then blocks."""
    NUMBERS = auto()
    """Numbers."""
    ABSOLUTES = auto()
    """Value ids."""
    TYPED_ABSOLUTES = auto()
    """Pairs of type id and value id."""
    INCOMING = auto()
    """Edges of a phi: pairs of value (relative ones as signed numbers) and block; an odd one out are flags."""
    CASES = auto()
    """Cases of a switch: pairs of absolute value id and block."""
    CLAUSES = auto()
    """A count, then clauses of a landing pad: 0 (catch) or 1 (filter), and a value."""
    ARGUMENTS = auto()
    """Arguments of a call: by the callee's parameters, then each as VALUE."""
    INPUTS = auto()
    """Inputs of an operand bundle: each as VALUE, or metadata: a mark and a relative id."""


class TypeRule(PlainEnum):
    """Source of the type of a value that is written without it."""

    SAME = auto()
    """Another value has the same."""
    GIVEN = auto()
    """A type field gives it."""
    ELEMENT = auto()
    """It is the element type of another value, a vector."""
    POINTEE = auto()
    """It is the pointee type of another value, a typed pointer."""
    BOOLEAN = auto()
    """It is `i1`."""
    TOKEN = auto()
    """It is `token`."""


class RecordField(NamedTuple):
    """A field of a record.

    Attributes:
        name: its name in the model.
        kind: how it is written.
        rule: of TYPED_VALUE: the source of its type; of TYPE: the source if the record lacks the type.
        of: the field that its type depends on.
        default: the value of a missing operand; None if it must not be missing, unless `is_optional`.
        is_optional: whether a missing operand means None.
        if_bit: it is present only if this bit of a number before it is set.
        if_remaining: it is present only if this many operands remain, or an odd number of them if -1.
        since: the first version of LLVM that reads it; older ones refuse a record that has it, or ignore it.
    """

    name: str
    kind: WordKind
    rule: TypeRule | None = None
    of: str = ""
    default: int | None = None
    is_optional: bool = False
    if_bit: tuple[str, int] | None = None
    if_remaining: int = 0
    since: int = 0


Layout = tuple[RecordField, ...]
"""The fields of a record, in order."""
