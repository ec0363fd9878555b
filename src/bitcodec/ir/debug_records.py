"""Debug records: where variables are, between instructions.

Rules: bitcode record reference, section 7.8; LLVM "Debug Info Records".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.printing import Printable
from bitcodec.tables.coded import CodedEnum

if TYPE_CHECKING:
    from bitcodec.ir.debug_info import DIAssignID, DIExpression, DILabel, DILocalVariable, DILocation
    from bitcodec.ir.metadata import Metadata

__all__ = ["DbgLabelRecord", "DbgVariableKind", "DbgVariableRecord", "DebugRecord"]


class DbgVariableKind(CodedEnum):
    """What a record says of its variable; the spelling is that of the record."""

    VALUE = 61, "dbg_value"
    DECLARE = 62, "dbg_declare"
    ASSIGN = 63, "dbg_assign"
    DECLARE_VALUE = 66, "dbg_declare_value"


class DebugRecord(Printable):
    """A record in front of an instruction.

    Attributes:
        location: the scope it belongs to.
    """

    __slots__ = ("location",)

    def __init__(self, location: DILocation) -> None:
        self.location = location


class DbgVariableRecord(DebugRecord):
    """Says where a variable is from here on.

    Attributes:
        kind: what it says.
        variable, expression: which variable, and how to get at it from the value.
        value: metadata that wraps a value or several (`DIArgList`), an empty node if the variable is nowhere.
        assign_id, address, address_expression: of `dbg_assign` alone.
    """

    __match_args__ = ("kind", "variable", "value")
    __slots__ = ("address", "address_expression", "assign_id", "expression", "kind", "value", "variable")

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
        self.value = value
        self.assign_id = assign_id
        self.address = address
        self.address_expression = address_expression

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
        return f"<dbg_label {self.label!r}>"
