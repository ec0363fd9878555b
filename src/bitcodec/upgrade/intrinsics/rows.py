"""Rows of the tables of old intrinsics."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.mangling import intrinsic_name
from bitcodec.ir.types import IntegerType, PointerType, VoidType
from bitcodec.named_tuple import NamedTuple
from bitcodec.upgrade.declarations import declared
from bitcodec.upgrade.intrinsics.signatures import bound, function_type_of, immediates, type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["Expansion", "IntrinsicTable", "OldIntrinsic", "Replacement", "converted"]

Expansion: TypeAlias = "Callable[[CallRewriter], Value | None]"
"""Creates the replacement of a call; returns the value that replaces its result, None if it is void.

It returns the call itself if that stays unchanged, because its arguments are invalid.
"""


class Replacement(NamedTuple):
    """The replacement of an old intrinsic.

    Attributes:
        declaration: the new intrinsic, None if calls are expanded or dropped.
        expand: rewrites a call; None if only the callee changes.
        immediates: the arguments that must be constants for that.
    """

    declaration: Function | None
    expand: Expansion | None = None
    immediates: Sequence[int] = ()


class OldIntrinsic(NamedTuple):
    """An old intrinsic and its replacement in LLVM 22.

    Attributes:
        signature: of the old declaration, as `signatures` spells it.
        new: the new intrinsic: its name without `llvm.` and types, then these types; "" without one.
        new_signature: of the new declaration, "" if it is unchanged.
        arguments: of the new call: numbers of old ones, which are converted to the new types, or any word for a zero:
            `false`, `none`, `null`, `zero`; None if the call is not rebuilt.
        expand: makes the new call or another replacement of the old one, if the other fields cannot give it.
    """

    signature: str
    new: str = ""
    new_signature: str = ""
    arguments: str | None = None
    expand: Expansion | None = None


class IntrinsicTable:
    """Rows by name.

    Args:
        rows: by the name after `llvm.` and the target; a name that ends in `*` is a prefix of names, and the longest
            prefix counts.  Of several rows the first with a matching signature counts; no rows at all keep names out.
    """

    __slots__ = ("_exact", "_prefixes")

    def __init__(self, rows: Mapping[str, OldIntrinsic | Sequence[OldIntrinsic]]) -> None:
        listed = {name: [row] if isinstance(row, OldIntrinsic) else list(row) for name, row in rows.items()}
        self._exact = {name: found for name, found in listed.items() if not name.endswith("*")}
        prefixes = [(name.removesuffix("*"), found) for name, found in listed.items() if name.endswith("*")]
        self._prefixes = sorted(prefixes, key=lambda item: -len(item[0]))

    def replacement(self, name: str, function: Function, module: Module) -> Replacement | None:
        """Return the replacement of a function, None if it is not an old intrinsic."""
        for row in self._rows(name):
            letters = bound(row.signature, function.value_type)
            if letters is not None:
                return _replacement(row, letters, function, module)
        return None

    def __contains__(self, name: str) -> bool:
        """Return whether old intrinsics have had the name, whatever their types."""
        return bool(self._rows(name))

    def _rows(self, name: str) -> Sequence[OldIntrinsic]:
        found = self._exact.get(name)
        if found is not None:
            return found
        return next((rows for prefix, rows in self._prefixes if name.startswith(prefix)), ())


def _replacement(row: OldIntrinsic, letters: Mapping[str, Type], function: Function, module: Module) -> Replacement:
    """Return the replacement of a function that matches a row; the new intrinsic is declared."""
    constants = immediates(row.signature)
    if not row.new:
        return Replacement(None, row.expand, constants)
    types = module.context.types
    base, *overloads = row.new.split()
    name = intrinsic_name(base, [type_of(overload, letters, types) for overload in overloads])
    new_type = function_type_of(row.new_signature, letters, types) if row.new_signature else function.value_type
    declaration = declared(module, name, new_type, suffix=".old")
    if row.expand is not None or row.arguments is None:
        return Replacement(declaration, row.expand, constants)
    return Replacement(declaration, _call_of(row.arguments.split(), new_type.parameter_types), constants)


def _call_of(arguments: Sequence[str], parameters: Sequence[Type]) -> Expansion:
    """Return an expansion into one call, which takes the old one's name."""

    def expand(rewriter: CallRewriter) -> Value:
        pairs = zip(arguments, parameters, strict=True)
        call = rewriter.new_call([_argument(rewriter, argument, type_) for argument, type_ in pairs])
        result = converted(rewriter, call, rewriter.call.type)
        rewriter.take_name(call)
        return result

    return expand


def _argument(rewriter: CallRewriter, spelling: str, type_: Type) -> Value:
    if spelling.isdigit():
        return converted(rewriter, rewriter.arguments[int(spelling)], type_)
    return rewriter.zero(type_)  # `false`, `null`, `none` and `zero` all are


def converted(rewriter: CallRewriter, value: Value, type_: Type) -> Value:
    """Return a value in another type: truncated, extended with its sign, in another address space, or the same bits."""
    old = value.type
    if isinstance(old, VoidType) or isinstance(type_, VoidType):
        return value
    if isinstance(old, PointerType) and isinstance(type_, PointerType):
        return rewriter.cast("addrspacecast", value, type_)
    if isinstance(old, IntegerType) and isinstance(type_, IntegerType):
        if isinstance(value, ConstantInt):
            return rewriter.constants.integer(type_, value.unsigned)
        return rewriter.cast("trunc" if old.bit_width > type_.bit_width else "sext", value, type_)
    return rewriter.cast("bitcast", value, type_)
