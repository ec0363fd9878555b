"""From rows to programs: how a loop writes the instructions of a class, as small integers.

A program is made from the layout in `schema.instructions`, which the reader follows too, and from the `Form`s of
`instructions`, which name the source of each field.  `bodies` runs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.bitcode.schema.fields import RecordField, WordKind
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.writer.rows import UNABBREVIATED
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.bitcode.schema.blocks import FunctionCode


__all__ = [
    "ABSENT",
    "ADDRESS_SPACE",
    "ALL_FLAGS",
    "EXPLICIT_TYPE",
    "MASK",
    "TYPE_OF_RESULT",
    "FieldSource",
    "Form",
    "FormProgram",
    "Program",
    "SourceKind",
    "Step",
    "When",
    "attribute",
    "code_of",
    "constant",
    "operand",
    "operands",
    "packed",
    "packed_number",
    "part",
    "program_of",
    "tabled",
    "type_of",
]


class SourceKind:
    """Kinds of sources of a field's value."""

    OPERAND = 0
    ATTRIBUTE = 1
    TYPE_OF = 2
    """The type of an operand."""
    CODE_OF = 3
    """The number of the row of an enumeration that an attribute has."""
    TABLED = 4
    """The entry of a table for an attribute."""
    ALL_FLAGS = 5
    """The flags and the fast-math flags of the opcode."""
    PACKED = 6
    """A number that several attributes have a part of."""
    CONSTANT = 7
    OPERANDS = 8
    """The operands from one to another."""
    MASK = 9
    """The constant that is written for the mask of a shuffle."""
    ADDRESS_SPACE = 10
    """The address space of an alloca, None if it is the data layout's."""
    ABSENT = 11
    TYPE_OF_RESULT = 12
    """The type that the value of the instruction has in records."""
    EXPLICIT_TYPE = 13
    """The type that the record has because no operand shows it: of an alloca, of an address, of a call."""


Part: TypeAlias = "tuple[str, int, Mapping[Any, int] | None, bool]"
"""Name of an attribute, the factor of its number, a table of numbers or None, and whether it is a flag."""


class FieldSource(NamedTuple):
    """The source of a field's value.

    Attributes:
        kind: one of `SourceKind`.
        place: of the operand, negative if counted from the end.
        what: name of the attribute, table, parts or number.
    """

    kind: int
    place: int = 0
    what: Any = None


def operand(index: int) -> FieldSource:
    """Return the source that is an operand."""
    return FieldSource(SourceKind.OPERAND, index)


def operands(first: int, last: int | None = None) -> FieldSource:
    """Return the source that is a slice of the operands."""
    return FieldSource(SourceKind.OPERANDS, 0, slice(first, last))


def attribute(name: str) -> FieldSource:
    """Return the source that is an attribute."""
    return FieldSource(SourceKind.ATTRIBUTE, 0, name)


def type_of(index: int) -> FieldSource:
    """Return the source that is the type of an operand."""
    return FieldSource(SourceKind.TYPE_OF, index)


def code_of(name: str) -> FieldSource:
    """Return the source that is the number of an attribute, a row of an enumeration."""
    return FieldSource(SourceKind.CODE_OF, 0, name)


def tabled(name: str, table: Mapping[Any, int]) -> FieldSource:
    """Return the source that is the entry of a table for an attribute."""
    return FieldSource(SourceKind.TABLED, 0, (name, table))


def part(name: str, bit: int, table: Mapping[Any, int] | None = None, *, is_flag: bool = False) -> Part:
    """Return a part of an operand.

    Args:
        name: of the attribute.
        bit: the first bit of the part.
        table: the numbers that are written for the values of the attribute; None for these themselves.
        is_flag: whether 1 is written for each true value, and 0 for the others.
    """
    return name, 1 << bit, table, is_flag


def packed(base: int, *parts: Part) -> FieldSource:
    """Return the source that is a number which several attributes have a part of.

    Args:
        base: the bits that are always set.
        parts: results of `part`.
    """
    return FieldSource(SourceKind.PACKED, 0, (base, parts))


def packed_number(instruction: Any, base: int, parts: Sequence[Part]) -> int:
    """Return the number that a source of `packed` is for an instruction."""
    for name, factor, table, is_flag in parts:
        value = getattr(instruction, name)
        if table is not None:
            value = table[value]
        elif is_flag:
            value = 1 if value else 0
        base |= value * factor
    return base


def constant(number: int) -> FieldSource:
    """Return the source that is a number."""
    return FieldSource(SourceKind.CONSTANT, 0, number)


ALL_FLAGS = FieldSource(SourceKind.ALL_FLAGS, 0, ("flags", "fast_math"))
MASK = FieldSource(SourceKind.MASK)
ADDRESS_SPACE = FieldSource(SourceKind.ADDRESS_SPACE)
TYPE_OF_RESULT = FieldSource(SourceKind.TYPE_OF_RESULT)
EXPLICIT_TYPE = FieldSource(SourceKind.EXPLICIT_TYPE)
ABSENT = FieldSource(SourceKind.ABSENT)
"""Of a field that the form of a record does not have."""


class When:
    """When a field is written, or a form is taken."""

    ALWAYS = 0
    UNLESS_NONE = 1
    IF_TRUE = 2
    # The two below are for forms; they have an argument: a number, or an attribute with a value.
    MORE_OPERANDS = 3
    """There are more operands than the argument."""
    UNLESS_VALUE = 4
    """An attribute is another object than the argument."""


class Form(NamedTuple):
    """How a class of instructions is written.

    Attributes:
        code: of its record.
        sources: by field; by default the attribute of its name.
        abbreviation: the id to write it by, if each single value comes before it and no optional field is there.
        with_flags: the id to write it by if the optional field is there.
        when: when the form is taken: one of `When`.
        argument: of `when`.
    """

    code: FunctionCode
    sources: Mapping[str, FieldSource] = {}
    abbreviation: int = UNABBREVIATED
    with_flags: int = UNABBREVIATED
    when: int = When.ALWAYS
    argument: Any = None


Step = tuple[int, int, Any, int, int]
"""How one field is written: kind, place and `what` of its source, the number of its `WordKind`, one of `When`."""

FormProgram = tuple[Form, tuple[Step, ...]]
"""A form of a record, and the steps of its fields, in order."""

Program = tuple[FormProgram, ...]
"""How the instructions of a class are written: the first form whose condition holds is taken."""


def program_of(forms: Sequence[Form]) -> Program:
    """Return the program of a class with some forms."""
    return tuple((form, tuple(_steps(form))) for form in forms)


_OF_INSTRUCTION = {WordKind.INCOMING, WordKind.ARGUMENTS}
"""Kinds that are written from the instruction itself."""


def _steps(form: Form) -> list[Step]:
    steps: list[Step] = []
    for field in INSTRUCTION_LAYOUTS[form.code]:
        source = form.sources.get(field.name) or attribute(field.name)
        if field.kind in _OF_INSTRUCTION:
            source = constant(0)
        if source is not ABSENT:
            steps.append((*source, field.kind.value, _when(field)))
    return steps


def _when(field: RecordField) -> int:
    if field.is_optional:
        return When.UNLESS_NONE
    # What a bit announces has a default if that bit is not set in every record that is written.
    return When.IF_TRUE if field.default is not None and field.kind is WordKind.NUMBER else When.ALWAYS
