"""Rows of the tables of old x86 intrinsics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.upgrade.declarations import declared
from bitcodec.upgrade.intrinsics.rows import Replacement
from bitcodec.upgrade.intrinsics.x86.signatures import bound, immediates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import FunctionType, VectorType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["Condition", "Rows", "X86Row", "X86Table", "x86_call"]

Condition = Callable[[Mapping[str, "VectorType"]], bool]
"""Whether the vectors that a signature calls `V` and `W` go together."""


class X86Row(NamedTuple):
    """The replacement of calls of an old intrinsic.

    Attributes:
        signature: of its declaration, as `signatures` spells it.
        expand: creates the replacement of a call; None if only the callee changes.
        condition: further condition on the declaration's vectors, None if there is none.
        declares: returns the new type of the intrinsic from the old one; None if the intrinsic was removed.
        new: the new name, without `llvm.`; "" if it is unchanged.
    """

    signature: str
    expand: Expansion | None
    condition: Condition | None = None
    declares: Callable[[TypeTable, FunctionType], FunctionType] | None = None
    new: str = ""


Rows = dict[str, tuple[X86Row, ...]]
"""Rows by the name after `llvm.x86.`; a name that ends in `*` is a prefix."""


class X86Table:
    """All rows by name: the longest beginning of a name counts, and of several rows the first that fits.

    Args:
        read: returns them, quickly when asked again.
    """

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[], Rows]) -> None:
        self._read = read

    @property
    def rows(self) -> Rows:
        """The rows."""
        return self._read()

    def replacement(self, name: str, function: Function, module: Module) -> Replacement | None:
        """Return the replacement of a function, None if it is not an old intrinsic; `name` is without `llvm.x86.`."""
        old = function.value_type
        row = next((row for row in self._rows(name) if _fits(row, old)), None)
        if row is None:
            return None
        new = None
        if row.declares is not None:
            new_type = row.declares(module.context.types, old)
            new = declared(module, f"llvm.{row.new or f'x86.{name}'}", new_type, suffix=".old")
        return Replacement(new, row.expand, immediates(row.signature))

    def __contains__(self, name: str) -> bool:
        """Return whether old intrinsics have had the name, whatever their types."""
        return bool(self._rows(name))

    def _rows(self, name: str) -> Sequence[X86Row]:
        rows = self.rows
        beginnings = (f"{name[:end]}*" for end in range(len(name), 0, -1))
        return next((rows[key] for key in (name, *beginnings) if key in rows), ())


def _fits(row: X86Row, function_type: FunctionType) -> bool:
    vectors = bound(row.signature, function_type)
    return vectors is not None and (row.condition is None or row.condition(vectors))


def x86_call(rewriter: CallRewriter, name: str, *arguments: Value) -> Value:
    """Call the x86 intrinsic with the result of the old one."""
    return rewriter.intrinsic(f"x86.{name}", (), rewriter.call.type, arguments)
