"""Debug records: where variables of the source are, between instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import POINTER, require
from bitcodec.ir.debug_info import DIExpression
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord, DebugRecord

if TYPE_CHECKING:
    from bitcodec.ir.debug_info import DILabel, DILocalVariable, DILocation
    from bitcodec.ir.values import Value

__all__ = ["DebugRecordBuilder"]

Record = TypeVar("Record", bound=DebugRecord)


class DebugRecordBuilder(Inserter):
    """Makes debug records, which have no index in a block: each goes with the instruction behind it.

    For each, `location` is its scope. Default: the builder's debug location.
    """

    __slots__ = ()

    def dbg_declare(
        self,
        address: Value,
        variable: DILocalVariable,
        expression: DIExpression | None = None,
        *,
        location: DILocation | None = None,
    ) -> DbgVariableRecord:
        """Declare the address of a variable, for all of its function."""
        require(POINTER, self._value(address, "dbg_declare", "address").type, "dbg_declare", "address")
        return self._record(self._variable(DbgVariableKind.DECLARE, address, variable, expression, location))

    def dbg_value(
        self,
        value: Value,
        variable: DILocalVariable,
        expression: DIExpression | None = None,
        *,
        location: DILocation | None = None,
    ) -> DbgVariableRecord:
        """Record the value of a variable from here on."""
        known = self._value(value, "dbg_value", "value")
        return self._record(self._variable(DbgVariableKind.VALUE, known, variable, expression, location))

    def dbg_label(self, label: DILabel, *, location: DILocation | None = None) -> DbgLabelRecord:
        """Mark the place of a label of the source."""
        return self._record(DbgLabelRecord(self._located(location, "dbg_label"), label))

    def _variable(
        self,
        kind: DbgVariableKind,
        value: Value,
        variable: DILocalVariable,
        expression: DIExpression | None,
        location: DILocation | None,
    ) -> DbgVariableRecord:
        metadata = self.module.context.metadata
        return DbgVariableRecord(
            kind,
            self._located(location, kind.spelling),
            variable,
            metadata.unique(DIExpression()) if expression is None else expression,
            metadata.value(value),
        )

    def _located(self, location: DILocation | None, what: str) -> DILocation:
        found = self.debug_location if location is None else location
        if found is None:
            raise ValueError(f"{what} takes a location: give it one, or the builder")
        return found

    def _record(self, record: Record) -> Record:
        """Put a record where the builder is."""
        if self.following is not None:
            self.following.debug_records.append(record)
        elif self.block.terminator is not None:
            raise ValueError(f"{self.block!r} ends in {self.block.terminator.opcode} already: no record can follow")
        else:
            self.block.trailing_debug_records.append(record)
        return record
