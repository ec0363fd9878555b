"""Rules of calls of intrinsics for matrices, which are vectors with a number of rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt, unsigned_of
from bitcodec.ir.types import FloatingPointType, IntegerType, VectorType
from bitcodec.named_tuple import NamedTuple
from bitcodec.verifier.rules import without_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.types import Type
    from bitcodec.verifier.rules import Rules

__all__ = ["MATRIX_RULES"]

_MAX_STRIDE_WIDTH = 64


class _Operation(NamedTuple):
    """The indices of the arguments of an operation.

    Attributes:
        rows, columns: the shape of the result, or of the matrix that is stored.
        matrices: the matrices that must have its elements.
        inner: the number of columns of the first matrix, and of rows of the second.
        stride: the number of elements from a column in memory to the next.
        stored: the matrix that is stored; None if the operation returns one.
    """

    rows: int
    columns: int
    matrices: tuple[int, ...] = ()
    inner: int | None = None
    stride: int | None = None
    stored: int | None = None


def _number(call: CallBase, index: int) -> int:
    return unsigned_of(call.operand_at(index))


def _callee(call: CallBase, _: object) -> tuple[object, ...]:
    """Return the value that LLVM prints below most of the messages."""
    return (call.callee,)


def _has_shape(type_: Type, call: CallBase, rows: int, columns: int) -> bool:
    return not isinstance(type_, VectorType) or type_.count == _number(call, rows) * unsigned_of(
        call.operand_at(columns)
    )


def _rules(operation: _Operation) -> Rules:
    """Return the rules of an operation."""
    rows, columns, matrices, inner, stride, stored = operation

    def result(call: CallBase) -> Type:
        return call.type if stored is None else call.operand_at(stored).type

    def has_elements(index: int) -> Callable[[CallBase, object], bool]:
        return lambda call, _: result(call).scalar_type is call.operand_at(index).type.scalar_type

    found: Rules = ()
    if inner is not None:
        found = (
            (
                "First argument of a matrix operation does not match specified shape!",
                lambda call, _: _has_shape(call.operand_at(0).type, call, rows, inner),
                without_values,
            ),
            (
                "Second argument of a matrix operation does not match specified shape!",
                lambda call, _: _has_shape(call.operand_at(1).type, call, inner, columns),
                without_values,
            ),
        )
    found += (
        (
            "Result type must be an integer or floating-point type!",
            lambda call, _: isinstance(result(call).scalar_type, (IntegerType, FloatingPointType)),
            _callee,
        ),
        *(
            (f"Vector element type mismatch of the result and {place} operand vector!", has_elements(index), _callee)
            for place, index in zip(("first", "second"), matrices, strict=False)
        ),
        (
            "Result of a matrix operation does not fit in the returned vector!",
            lambda call, _: _has_shape(result(call), call, rows, columns),
            without_values,
        ),
    )
    return found if stride is None else (*found, *_stride_rules(stride, rows))


def _stride_rules(stride: int, rows: int) -> Rules:
    def is_narrow(call: CallBase, _: object) -> bool:
        value = call.operand_at(stride)
        type_ = value.type
        return (
            not isinstance(value, ConstantInt)
            or not isinstance(type_, IntegerType)
            or type_.bit_width <= _MAX_STRIDE_WIDTH
        )

    def covers_rows(call: CallBase, _: object) -> bool:
        return not isinstance(call.operand_at(stride), ConstantInt) or unsigned_of(call.operand_at(stride)) >= _number(
            call, rows
        )

    return (
        ("Stride bitwidth cannot exceed 64!", is_narrow, _callee),
        ("Stride must be greater or equal than the number of rows!", covers_rows, _callee),
    )


MATRIX_RULES: dict[str, Rules] = {
    "matrix.multiply": _rules(_Operation(rows=2, columns=4, matrices=(0, 1), inner=3)),
    "matrix.transpose": _rules(_Operation(rows=1, columns=2, matrices=(0,))),
    "matrix.column.major.load": _rules(_Operation(rows=3, columns=4, stride=1)),
    "matrix.column.major.store": _rules(_Operation(rows=4, columns=5, stride=2, stored=0)),
}
"""By name, without `llvm.` and suffixes for types."""
