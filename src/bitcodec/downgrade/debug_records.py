"""Debug records for older versions of LLVM, which have other kinds of them, or calls of intrinsics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import FunctionCode, MetadataCode
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.construction.setting import set_name
from bitcodec.ir.debug_records import DbgVariableKind
from bitcodec.ir.functions import Function

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.debug_info import DIExpression
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["ASSIGNMENTS", "DEBUG_RECORDS", "DECLARE_VALUES", "ROWS", "DebugRecords"]

DEBUG_RECORDS = Construct(
    "debug records", FunctionCode.DEBUG_RECORD_VALUE.since, Way.LOWER, "calls of llvm.dbg intrinsics"
)

DECLARE_VALUES = Construct("#dbg_declare_value", FunctionCode.DEBUG_RECORD_DECLARE_VALUE.since, Way.LOWER, "#dbg_value")
ASSIGNMENTS = Construct("#dbg_assign", 16, Way.DROP, "#dbg_value")

ROWS: dict[DbgVariableKind | None, tuple[Construct, DbgVariableKind | None]] = {
    None: (Construct("#dbg_label", MetadataCode.LABEL.since, Way.DROP), None),
    DbgVariableKind.ASSIGN: (ASSIGNMENTS, DbgVariableKind.VALUE),
    DbgVariableKind.DECLARE_VALUE: (DECLARE_VALUES, DbgVariableKind.VALUE),
}
"""By kind, None for labels: the construct, and the kind that is written instead; None if nothing is."""

_INTRINSICS = {
    DbgVariableKind.VALUE: ("llvm.dbg.value", 3),
    DbgVariableKind.DECLARE: ("llvm.dbg.declare", 3),
    DbgVariableKind.ASSIGN: ("llvm.dbg.assign", 6),
    None: ("llvm.dbg.label", 1),
}
"""By kind, the intrinsic that was called, and how many parameters it has."""
_SINCE_NO_OFFSET = 6
"""The first version whose `llvm.dbg.value` has no offset."""


class DebugRecords:
    """Finds debug records of a module that a version lacks, and their replacements.

    Args:
        module: the module, which is not changed.
        losses: receives the records that the version lacks.
        check: is called with each expression and the name of its function.

    Attributes:
        codes, dropped_kinds: as of `Dialect`.
        calls, added, offset: as of `Dialect`, after `lower`.
    """

    def __init__(self, module: Module, losses: Losses, check: Callable[[DIExpression, str], None]) -> None:
        self._module = module
        self._losses = losses
        self._check = check
        self._checked: set[DIExpression] = set()
        self._kinds: dict[DbgVariableKind | None, None] = {}
        self._lacked = {kind: row for kind, row in ROWS.items() if row[0].since > losses.version}
        self.codes = {kind: (self._older(kind) or kind).code for kind in DbgVariableKind}
        self.dropped_kinds = frozenset({"DIAssignID"} if DbgVariableKind.ASSIGN in self._lacked else ())
        self.calls: dict[DbgVariableKind | None, Function] | None = None
        self.added: tuple[Function, ...] = ()
        self.offset: ConstantInt | None = None

    def survey(self, record: Any, kind: DbgVariableKind | None, place: str) -> bool:
        """Add the losses of a record; return whether there are any except its expressions."""
        self._kinds[kind] = None
        for expression in () if kind is None else (record.expression, record.address_expression):
            if expression is not None and expression not in self._checked:
                self._checked.add(expression)
                self._check(expression, place)
        row = self._lacked.get(kind)
        if row is not None:
            self._losses.add(row[0], place, record)
        return row is not None

    def lower(self) -> None:
        """Declare the intrinsics that are called in the place of the records that were looked at."""
        if self._losses.version >= DEBUG_RECORDS.since or not self._kinds:
            return
        functions: dict[DbgVariableKind | None, Function] = {}
        self.calls = {}
        for kind in self._kinds:
            older = self._older(kind)
            if kind is None and kind in self._lacked:
                continue
            if older not in functions:
                functions[older] = self._intrinsic(older)
            self.calls[kind] = functions[older]
        self.added = tuple(functions.values())

    def _older(self, kind: DbgVariableKind | None) -> DbgVariableKind | None:
        return self._lacked[kind][1] if kind in self._lacked else kind

    def _intrinsic(self, kind: DbgVariableKind | None) -> Function:
        types = self._module.context.types
        name, count = _INTRINSICS[kind]
        parameters: list[Type] = [types.metadata] * count
        if kind is DbgVariableKind.VALUE and self._losses.version < _SINCE_NO_OFFSET:
            parameters.insert(1, types.integer(64))
            self.offset = self._module.context.constants.integer(types.integer(64), 0)
        space = self._module.data_layout.program_address_space
        function = Function(types.pointer(space), types.function(types.void, parameters))
        set_name(function, name)
        return function
