"""Rows of the table of globals. Rules: docs/reference/records.md, 3.2 to 3.6; text.md, 6 and 7."""

from __future__ import annotations

from enum import auto

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum
from bitcodec.tables.coded import CodedEnum

__all__ = ["GlobalField", "GlobalFieldKind", "TextPlace"]


class GlobalFieldKind(PlainEnum):
    """Kind of a field's value, in Python and in a record. A record has 0 for the default."""

    BOOLEAN = auto()
    """`bool`."""
    MEMBER = auto()
    """Member of `GlobalField.members`; None is possible if it is the default."""
    ALIGNMENT = auto()
    """Number of bytes or None; a record has the exponent of two plus one."""
    TEXT = auto()
    """`str`; a record has two operands, its offset and size in the string table."""
    SECTION = auto()
    """`str`; a record has the number of a SECTIONNAME record plus one."""
    COLLECTOR = auto()
    """`str`; a record has the number of a GCNAME record plus one."""
    COMDAT = auto()
    """`Comdat` or None; a record has the number of a COMDAT record plus one."""
    CONSTANT = auto()
    """`Constant` or None, an operand of the global; a record has its value id plus one."""
    OTHER = auto()
    """Readers, writers and the model have code for it."""


class TextPlace(PlainEnum):
    """Place of a field in text. Fields of one place are in the order of their rows."""

    FRONT = auto()
    """Before `global` or `constant`: booleans of variables."""
    BACK = auto()
    """After the initializer, aliasee or resolver, or after the attributes of a function."""


class GlobalField(NamedTuple):
    """A field of globals.

    Attributes:
        name: of the operand of a record.
        kind: the kind of its value.
        owner: the class of the model that has it, "" if it is not an attribute of the model.
        variable, function, alias, old_alias, ifunc: the first operand that has it, after the name, in GLOBALVAR,
            FUNCTION, ALIAS, ALIAS_OLD, IFUNC; None if the record lacks it.
        bit: name of the operand and number of the bit, of a boolean that shares an operand with others.
        place: its place in text; None if text lacks it, or if code prints and parses it.
        word: the word for it in text, if that is not `name`.
        python_name: the attribute, if that is not `name`.
        members: the enumeration.
        default: the member that it is by default.
        unknown: the member that an unknown number is, if that is not the default.
        since: the first version of LLVM that has it, 0 if all versions have it that bitcodec writes.
        construct: its name in reports of `downgrade` on older versions; fields of one construct are reported once.
        ignored: how `doctor` names it for older readers that ignore it, "" if it reports nothing.
        is_optional: whether records end before it if it and everything after it is 0.
    """

    name: str
    kind: GlobalFieldKind = GlobalFieldKind.OTHER
    owner: str = ""
    variable: int | None = None
    function: int | None = None
    alias: int | None = None
    old_alias: int | None = None
    ifunc: int | None = None
    bit: tuple[str, int] | None = None
    place: TextPlace | None = None
    word: str = ""
    python_name: str = ""
    members: type[CodedEnum] | None = None
    default: CodedEnum | None = None
    unknown: CodedEnum | None = None
    since: int = 0
    construct: str = ""
    ignored: str = ""
    is_optional: bool = False

    @property
    def attribute(self) -> str:
        """The attribute of the model."""
        return self.python_name or self.name

    @property
    def spelling(self) -> str:
        """The word for it in text."""
        return self.word or self.name

    @property
    def initial(self) -> object:
        """The value of the attribute in a new global."""
        return _INITIAL.get(self.kind, self.default)


_INITIAL = {
    GlobalFieldKind.BOOLEAN: False,
    GlobalFieldKind.TEXT: "",
    GlobalFieldKind.SECTION: "",
    GlobalFieldKind.COLLECTOR: "",
}
