"""`dbg_declare` of arguments as LLVM up to 4.0 wrote it.  Rules: docs/reference/upgrades.md, 10.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.debug_info import DIExpression
from bitcodec.ir.debug_records import DbgVariableKind, DbgVariableRecord
from bitcodec.ir.functions import Argument
from bitcodec.ir.metadata import ValueAsMetadata

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import MetadataTable

__all__ = ["upgrade_declares"]

_DEREF = 0x06


def upgrade_declares(function: Function, metadata: MetadataTable) -> None:
    """Take away the dereference that expressions of arguments once began with: the argument is the address."""
    for block in function.blocks:
        for instruction in block.instructions:
            for record in instruction.debug_records:
                if isinstance(record, DbgVariableRecord) and _has_extra_deref(record):
                    record.expression = metadata.unique(DIExpression(record.expression.elements[1:]))


def _has_extra_deref(record: DbgVariableRecord) -> bool:
    value = record.value
    return (
        record.kind is DbgVariableKind.DECLARE
        and isinstance(value, ValueAsMetadata)
        and isinstance(value.value, Argument)
        and isinstance(record.expression, DIExpression)
        and tuple(record.expression.elements[:1]) == (_DEREF,)
    )
