"""Names of structs that a module and the one it is linked into have in common.

While a module is read, a struct whose name is taken gets a number behind it.  If it is the same struct, it loses the
name before anything is linked, so that later modules need fewer numbers.  Rules: docs/reference/linking.md, 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction.present import source_of
from bitcodec.ir.type_finder import TypeFinder
from bitcodec.ir.types import StructType, TargetExtensionType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.module import Module
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type
    from bitcodec.linker.types import StructSet

__all__ = ["release_namesakes"]

_FORM = ("is_literal", "is_packed", "is_vararg", "count", "is_scalable")
"""Properties of types of one class, apart from the types in them and the names of structs."""
_MAX_COMPARISONS = 1 << 20
"""Names stay from here on, because pairs of structs can be many more than structs."""


def release_namesakes(source: Module, known: StructSet) -> None:
    """Remove the names of structs that are names of the destination with a number appended.

    Args:
        source: a module.
        known: the structs of the destination, which is of the same context.
    """
    table = source.context.types
    comparison = _Comparison(table)
    for struct in _identified_structs(source):
        name, dot, number = (struct.name or "").rpartition(".")
        if dot and number[:1].isdigit() and not known.has(struct):
            other = table.find_struct(name)
            if other is not None and known.has(other):
                comparison.compare(other, struct)


def _identified_structs(module: Module) -> Sequence[StructType]:
    """Return the identified structs of a module: as in LLVM, of its file unless everything has been read."""
    source = source_of(module)
    if source is not None:
        return source.identified_structs()
    finder = TypeFinder()
    finder.find_in(module)
    return finder.structs


class _Comparison:
    """Compares types but for names of structs; structs that are the same lose them.

    As in LLVM, these include structs in others that differ.
    """

    __slots__ = ("_known", "_left", "_table")

    def __init__(self, table: TypeTable) -> None:
        self._table = table
        self._known: dict[tuple[Type, Type], bool] = {}
        self._left = _MAX_COMPARISONS

    def compare(self, there: StructType, root: StructType) -> None:
        """Compare a struct of the source with one of the destination."""
        pending: list[tuple[Type, Type, Iterator[tuple[Type, Type]]]] = []
        pair: tuple[Type, Type] | None = (there, root)
        while pair is not None:
            if not self._may_be_same(*pair):
                self._known.update(dict.fromkeys([pair, *((left, right) for left, right, _ in pending)], False))
                return
            pending.append((*pair, zip(pair[0].element_types, pair[1].element_types, strict=True)))
            pair = None
            while pending and pair is None:
                pair = self._next_pair(pending[-1][2])
                if pair is None:
                    left, right, _ = pending.pop()
                    self._unite(left, right)

    def _next_pair(self, pairs: Iterator[tuple[Type, Type]]) -> tuple[Type, Type] | None:
        """Return the next pair that is not known to be the same."""
        for pair in pairs:
            self._left -= 1
            if pair[0] is not pair[1] and not self._known.get(pair):
                return pair
        return None

    def _may_be_same(self, left: Type, right: Type) -> bool:
        """Return whether two types are the same if the types in them are."""
        return self._left > 0 and self._known.get((left, right), True) and _have_same_form(left, right)

    def _unite(self, there: Type, type_: Type) -> None:
        self._known[there, type_] = True
        if isinstance(type_, StructType) and not type_.is_literal:
            self._table.release_name(type_)


def _have_same_form(left: Type, right: Type) -> bool:
    """Return whether two types are the same but for the types in them and the names of structs."""
    if type(left) is not type(right) or len(left.element_types) != len(right.element_types):
        return False
    if isinstance(left, StructType) and isinstance(right, StructType):
        return not (left.is_opaque or right.is_opaque) and _form(left) == _form(right)
    # Types of the other classes that consist of no types are the same object if they are the same.
    is_made_of_types = bool(left.element_types) or isinstance(left, TargetExtensionType)
    return is_made_of_types and _form(left) == _form(right)


def _form(type_: Type) -> tuple[object, ...]:
    return tuple([getattr(type_, name, None) for name in _FORM])
