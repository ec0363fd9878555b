"""Debug intrinsics for variables and labels, which become debug records.

A record has any node that is an argument, and lacks a part where the call has no node or location; the verifier reports
both, as LLVM's does.
Rules: docs/reference/upgrades.md, 10.5.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.ir.constants import Constant
from bitcodec.ir.debug_info import DIExpression
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord
from bitcodec.ir.metadata import MDNode, Metadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.upgrade.expression_folding import folded
from bitcodec.upgrade.intrinsics.rows import IntrinsicTable, OldIntrinsic

if TYPE_CHECKING:
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["TABLE"]

M = TypeVar("M", bound=Metadata)

_DEREF, _STACK_VALUE, _FRAGMENT = 0x06, 0x9F, 0x1000


def _variable(kind: DbgVariableKind) -> Expansion:
    """Return an expansion of calls with a value, a variable and an expression."""
    return lambda rewriter: _record(rewriter, kind)


def _record(rewriter: CallRewriter, kind: DbgVariableKind, variable: int = 1) -> None:
    """Make a record; the variable is that argument, the expression the next one."""
    parts: tuple[Any, ...] = (
        _location(rewriter),
        _metadata(rewriter, variable, MDNode),
        _metadata(rewriter, variable + 1, MDNode),
        _metadata(rewriter, 0, Metadata),
    )
    rewriter.record = DbgVariableRecord(kind, *parts)


def _value(rewriter: CallRewriter) -> None:
    """Make a record of a value; an old call has an offset too, and means nothing if that is not zero."""
    if len(rewriter.arguments) == 4:
        offset = rewriter.arguments[1]
        if isinstance(offset, Constant) and offset.is_null:
            _record(rewriter, DbgVariableKind.VALUE, variable=2)
    else:
        _record(rewriter, DbgVariableKind.VALUE)


def _address(rewriter: CallRewriter) -> None:
    """Make a record of the value at an address."""
    _record(rewriter, DbgVariableKind.VALUE)
    if isinstance(rewriter.record, DbgVariableRecord) and isinstance(rewriter.record.expression, DIExpression):
        elements = chain.from_iterable(folded(_dereferenced(rewriter.record.expression)))
        rewriter.record.expression = rewriter.module.context.metadata.unique(DIExpression(elements))


def _assignment(rewriter: CallRewriter) -> None:
    """Make a record of an assignment."""
    _record(rewriter, DbgVariableKind.ASSIGN)
    record = rewriter.record
    if isinstance(record, DbgVariableRecord):
        record.assign_id = _metadata(rewriter, 3, MDNode)
        record.address = _metadata(rewriter, 4, Metadata)
        record.address_expression = _metadata(rewriter, 5, MDNode)


def _label(rewriter: CallRewriter) -> None:
    parts: tuple[Any, ...] = (_location(rewriter), _metadata(rewriter, 0, MDNode))
    rewriter.record = DbgLabelRecord(*parts)


def _location(rewriter: CallRewriter) -> Any:
    """Return the location of a call, or the node that is attached to it as one: the verifier reports it."""
    call = rewriter.call
    return call.debug_location or (call.metadata.get("dbg") if call.has_attachments else None)


def _metadata(rewriter: CallRewriter, index: int, kind: type[M]) -> Any:
    """Return the metadata in an argument, None if it is of another kind."""
    argument = rewriter.arguments[index] if index < len(rewriter.arguments) else None
    found = argument.metadata if isinstance(argument, MetadataAsValue) else None
    return found if isinstance(found, kind) else None


def _dereferenced(expression: DIExpression) -> list[tuple[int, ...]]:
    """Return the operations of an expression with one more, before the fragment."""
    operations = list(expression.operations)
    ends = (index for index, operation in enumerate(operations) if operation[0] in {_STACK_VALUE, _FRAGMENT})
    end = next(ends, len(operations))
    return [*operations[:end], (_DEREF,), *operations[end:]]


TABLE = IntrinsicTable(
    {
        "addr": OldIntrinsic("*", expand=_address),
        "assign": OldIntrinsic("*", expand=_assignment),
        "declare": OldIntrinsic("*", expand=_variable(DbgVariableKind.DECLARE)),
        "label": OldIntrinsic("*", expand=_label),
        "value": OldIntrinsic("*", expand=_value),
    }
)
