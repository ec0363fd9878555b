# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Debug records: where variables are, between instructions.

Rules: docs/reference/records.md, 7.8; LLVM "Debug Info Records".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.members import expose_members, slots
from bitcodec.ir.metadata import Metadata, ValueAsMetadata
from bitcodec.printing import text_of
from bitcodec.tables.coded import CodedEnum

if TYPE_CHECKING:
    from bitcodec.ir.assignments import Checked
    from bitcodec.ir.debug_info import DIAssignID, DIExpression, DILabel, DILocalVariable, DILocation

__all__ = ["LABEL_RECORD", "DbgLabelRecord", "DbgVariableKind", "DbgVariableRecord", "DebugRecord"]


LABEL_RECORD = "dbg_label"
"""How text spells a record of a label."""


class DbgVariableKind(CodedEnum):
    """Kind of a debug record of a variable; the spelling is the record's."""

    VALUE = 61, "dbg_value"
    DECLARE = 62, "dbg_declare"
    ASSIGN = 63, "dbg_assign"
    DECLARE_VALUE = 66, "dbg_declare_value"


class DebugRecord:
    """A debug record before an instruction.

    Attributes:
        location: the scope it belongs to.
    """

    __slots__ = ("location",)

    def __init__(self, location: DILocation) -> None:
        self.location = location

    def __str__(self) -> str:
        return text_of(self)


class DbgVariableRecord(DebugRecord):
    """Says where a variable is from here on.

    Attributes:
        kind: the kind of the record.
        variable, expression: the variable, and its location relative to the value.
        assign_id, address_expression: of `dbg_assign` alone.
    """

    __match_args__ = ("kind", "variable", "value")
    __slots__ = slots("_address", "_value", "address_expression", "assign_id", "expression", "kind", "variable")

    kind: Checked[DbgVariableKind, DbgVariableKind | str]

    def __init__(
        self,
        kind: DbgVariableKind,
        location: DILocation,
        variable: DILocalVariable,
        expression: DIExpression,
        value: Metadata,
        *,
        assign_id: DIAssignID | None = None,
        address: Metadata | None = None,
        address_expression: DIExpression | None = None,
    ) -> None:
        self.location = location
        self.kind = kind
        self.variable = variable
        self.expression = expression
        self._value = value
        self.assign_id = assign_id
        self._address = address
        self.address_expression = address_expression

    @property
    def value(self) -> Metadata:
        """Metadata that wraps one or more values (`DIArgList`), an empty node if the variable has no location."""
        value = self._value
        return value.in_record() if isinstance(value, ValueAsMetadata) else value

    @value.setter
    def value(self, value: Metadata) -> None:
        require_metadata("value", value)
        self._value = value

    @property
    def address(self) -> Metadata | None:
        """Metadata that wraps the address of the variable, of `dbg_assign` only."""
        address = self._address
        return address.in_record() if isinstance(address, ValueAsMetadata) else address

    @address.setter
    def address(self, address: Metadata | None) -> None:
        require_metadata("address", address)
        self._address = address

    def __repr__(self) -> str:
        return f"<{self.kind} {self.variable!r}>"


class DbgLabelRecord(DebugRecord):
    """Says where a label of the source is."""

    __match_args__ = ("label",)
    __slots__ = ("label",)

    def __init__(self, location: DILocation, label: DILabel) -> None:
        self.location = location
        self.label = label

    def __repr__(self) -> str:
        return f"<{LABEL_RECORD} {self.label!r}>"


def require_metadata(name: str, value: object) -> None:
    """Raise `TypeError` if the value of an attribute is neither metadata nor None."""
    if not isinstance(value, Metadata | None):
        raise TypeError(f"{name} must be metadata or None; got {value!r}")


expose_members(DebugRecord, DbgVariableRecord, DbgLabelRecord)
