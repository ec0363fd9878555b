"""Calls of intrinsics that verifiers of other versions refuse: `tables/intrinsic_history`.

The table describes intrinsics in LLVM 22's form, so it applies only if the model has the form of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.doctor.findings import Obstacle
from bitcodec.doctor.rule import Effect, Remedy
from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.intrinsic_forms import lacking_form
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase
from bitcodec.tables.intrinsics import PREFIX
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.doctor.records import StreamRecords
    from bitcodec.ir.module import Module

__all__ = ["called_intrinsics", "refused_intrinsics"]

_TYPE, _BEFORE_PARAMETERS = 2, 2
"""The place of the type in the record of a function, and the operands of a function type before its parameters."""
_WITH_RULES = (f"{PREFIX}lifetime.", f"{PREFIX}dbg.")
"""Prefixes of intrinsics that `rules` or the upgrade of debug records handle."""
_FIRST_WITH_OPAQUE_POINTERS = 15
"""Older verifiers check pointees, which files with opaque pointers do not contain."""


def called_intrinsics(records: StreamRecords, payload: memoryview, module: Module) -> list[tuple[Function, int]]:
    """Return the intrinsics that a module calls in the form of its file, each with the row of its record.

    Args:
        records: of the bitstream of the module, which is the only one in it.
        payload: the bitstream.
        module: as LLVM 22 reads it.
    """
    names = records.strings(payload)
    if PREFIX.encode() not in names:
        return []
    return [*_called(records, names, module)]


def _called(records: StreamRecords, names: bytes, module: Module) -> Iterator[tuple[Function, int]]:
    types = records.rows(BlockId.TYPE_BLOCK)
    for row in records.rows(BlockId.MODULE_BLOCK):
        operands = records.operands(row)
        if records.code(row) != ModuleCode.FUNCTION or len(operands) <= _TYPE or operands[_TYPE] >= len(types):
            continue
        name = names[operands[0] : operands[0] + operands[1]]
        function = module.get(name.decode("utf-8", "replace")) if name.startswith(PREFIX.encode()) else None
        if not isinstance(function, Function):
            continue
        count = len(records.operands(types[operands[_TYPE]])) - _BEFORE_PARAMETERS
        has_rule = function.name.startswith(_WITH_RULES)
        is_same = count == len(function.value_type.parameter_types) and not has_rule
        if is_same and any(isinstance(user, CallBase) for user in present_uses(function)):
            yield function, row


def refused_intrinsics(called: list[tuple[Function, int]], version: int, records: StreamRecords) -> list[Obstacle]:
    """Return the intrinsics that the verifier of a version refuses in their form, or takes for others.

    Args:
        called: the intrinsics that the module calls, with the rows of their records.
        version: of LLVM.
        records: of the bitstream.
    """
    found = []
    for function, row in called if _FIRST_WITH_OPAQUE_POINTERS <= version < MODEL else ():
        form = lacking_form(function, version)
        if form is not None and form.way is Way.REFUSE:
            place = records.columns.records.start[row]
            found.append(
                Obstacle("intrinsic", Effect.REJECTS, "", form.name, records.name(row), place, 1, Remedy.DOWNGRADE)
            )
    return found
