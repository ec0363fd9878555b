"""Rows of the debug-info table. Rules: docs/reference/text.md, 13.1."""

from __future__ import annotations

from enum import auto
from functools import cache

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum
from bitcodec.tables.names import Named

__all__ = ["DISTINCT", "AbstractNode", "Bound", "FieldKind", "Node", "NodeField", "Printed"]


class FieldKind(PlainEnum):
    """Kind of a field's value: in Python, in a record and in text. A missing operand of a record is 0."""

    NUMBER = auto()
    """`int`, not negative."""
    COLUMN = auto()
    """As NUMBER, but 0 unless 16 bits hold it."""
    SIGNED = auto()
    """`int` of 32 bits; a record has it in two's complement."""
    WIDE = auto()
    """`int` of any width, signed or not; a record has its width and its words, each sign-rotated."""
    BOOLEAN = auto()
    """`bool`."""
    NAMED = auto()
    """`int`; text has the name that `NodeField.names` has for it."""
    FLAGS = auto()
    """`int`; text has the names of its bits."""
    NUMBER_OR_NONE = auto()
    """`int` or None; a record has `NodeField.absent` for None."""
    STRING = auto()
    """`str`, "" if missing; a record has the string's metadata id plus one."""
    STRING_OR_NONE = auto()
    """`str` or None."""
    NODE = auto()
    """`Metadata` or None; a record has its metadata id plus one."""
    NODE_ID = auto()
    """`Metadata` or None; a record has its metadata id."""
    TYPE = auto()
    """As NODE; before LLVM 4 also the identifier of a type, as a string."""
    INTEGER = auto()
    """`int` for a constant `i64`, taken as unsigned; else as NODE.  A record has its metadata id plus one."""
    SIGNED_INTEGER = auto()
    """As INTEGER, the constant taken as signed."""
    NODES = auto()
    """A tuple of NODE: the rest of the record."""


class Printed(PlainEnum):
    """When text has a field."""

    UNLESS_EMPTY = auto()
    """Unless it is 0, false, empty or missing."""
    UNLESS_MISSING = auto()
    """Unless it is missing."""
    UNLESS_DEFAULT = auto()
    """Unless it has its default value."""
    ALWAYS = auto()
    """Always; `null` if it is missing."""
    NEVER = auto()
    """The class itself implies it; text may have it nevertheless."""
    DERIVED = auto()
    """Not in text: another field gives it."""
    WITH_CHECKSUM = auto()
    """If the file has a checksum."""
    WITH_POINTER_AUTH = auto()
    """If any of the `ptrAuth` fields is set."""
    WITH_POINTER_AUTH_UNLESS_EMPTY = auto()
    """The same, and this one is not 0."""
    WITH_LANGUAGE = auto()
    """If the language has no name apart from its version."""
    WITH_LANGUAGE_NAME = auto()
    """If it has."""
    WITH_LANGUAGE_NAME_UNLESS_EMPTY = auto()
    """The same, and this one is not 0."""
    IF_VIRTUAL = auto()
    """If the subprogram is virtual, or the number is not 0."""
    IF_RATIONAL = auto()
    """If the fixed-point type counts in fractions."""
    UNLESS_RATIONAL_OR_EMPTY = auto()
    """If it does not, and the number is not 0."""


class Bound(PlainEnum):
    """Meaning of a signed number in text, in the place of metadata."""

    EXPRESSION = auto()
    """An expression that is just this number; text has the number of such an expression."""
    CONSTANT = auto()
    """A constant `i64`; text has its type too."""


class NodeField(NamedTuple):
    """A field of a node; fields are in the order in which text has them.

    Attributes:
        name: as text spells it.
        kind: the kind of its value.
        position: its index among the operands of the record, None if it is not one.
        printed: when text has it.
        operand: its rank among the node's operands (metadata and strings), None if it is none.
        names: the names of its numbers.
        width: how many bits LLVM keeps of a number.
        default: its value where none is given, and in records that end before it.
        absent: the operand for None.
        bits: first bit and number of bits, if it is a part of the record's operand.
        python_name: its name in Python, if that is not `name` in snake case.
        since: the first version of LLVM whose records have it, 0 if all have that are written.
        is_required: whether text must have it.
        may_be_empty: whether text may have `null`, or an empty string.
        minimum: the smallest number that text may have, if it is not the smallest of the field's kind.
        limit: the largest number that text may have, if it is not the largest of `width` bits.
        bound: the meaning of a signed number in text, None if text cannot have one in place of metadata.
        width_of: the name of the number whose width in bits it is, empty for other fields.
    """

    name: str
    kind: FieldKind
    position: int | None
    printed: Printed = Printed.UNLESS_EMPTY
    operand: int | None = None
    names: type[Named] | None = None
    width: int = 32
    default: int | bool | str | tuple[()] | None = None
    absent: int = 0
    bits: tuple[int, int] | None = None
    python_name: str = ""
    since: int = 0
    is_required: bool = False
    may_be_empty: bool = True
    minimum: int | None = None
    limit: int | None = None
    bound: Bound | None = None
    width_of: str = ""

    @property
    def attribute(self) -> str:
        """Name of the attribute in Python."""
        return self.python_name or _in_python(self.name)


@cache
def _in_python(name: str) -> str:
    """Return a name with a `_` before each word that begins with a capital letter, in small letters."""
    pairs = zip(f" {name}", name, strict=False)
    return "".join([f"_{each}" if before.islower() and each.isupper() else each for before, each in pairs]).lower()


class AbstractNode(NamedTuple):
    """Common base of several kinds of nodes: a class without fields."""

    name: str
    base: str
    meaning: str


class Node(NamedTuple):
    """A kind of node.

    Attributes:
        name: as text spells it; its class has this name too.
        record: the name of its record code.
        base: the class it belongs to.
        shortest: how many operands its record has at least, as any LLVM wrote it.
        meaning: its description.
        since: the first version of LLVM that has such nodes, 0 if all have that are written for.
    """

    name: str
    record: str
    base: str
    shortest: int
    meaning: str
    fields: tuple[NodeField, ...]
    since: int = 0


DISTINCT = 1
"""The bit of a record's first operand for distinct nodes."""
