"""Intrinsics whose calls define pointees by `elementtype`: each of these types needs a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import TypeAttribute
from bitcodec.ir.construction.unlisted import unlisted_copy
from bitcodec.ir.instructions import CallBase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.attributes import AttributeList, AttributeSet
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["Overloads", "type_attribute"]


def type_attribute(attributes: AttributeSet) -> Type | None:
    """Return the pointee that an attribute of a parameter gives."""
    for each in attributes:
        if isinstance(each, TypeAttribute) and each.type is not None:
            return each.type
    return None


def _types_in(attributes: AttributeList) -> Iterator[tuple[int, Type]]:
    """Yield the parameters that attributes give a type, and the type."""
    for index, own in attributes.parameters.items():
        type_ = type_attribute(own)
        if type_ is not None:
            yield index, type_


class Overloads:
    """Finds the types, and makes declarations for all but the first of each intrinsic.

    Args:
        module: the module, which is not changed.
        replacements: by instruction, the instructions that are written in its place; receives calls of new functions.

    Attributes:
        pointees: by function and number of a parameter, the type that it points to.
        added: the new functions, and the original of each.
    """

    def __init__(self, module: Module, replacements: dict[Instruction, tuple[Instruction, ...]]) -> None:
        self.pointees: dict[tuple[Function, int], Type] = {}
        self.added: dict[Function, Function] = {}
        self._replacements = replacements
        for function in module.functions:
            if function.is_intrinsic:
                self._look(function)

    def _look(self, function: Function) -> None:
        known: dict[tuple[tuple[int, Type], ...], Function] = {}
        of_lists: dict[AttributeList, tuple[tuple[int, Type], ...]] = {}
        for call in function.users:
            if not isinstance(call, CallBase) or call.callee is not function:
                continue
            types = of_lists.get(call.attributes)
            if types is None:
                types = of_lists[call.attributes] = tuple(_types_in(call.attributes))
            chosen = known.get(types)
            if chosen is None:
                chosen = known[types] = self._declared(function, types) if known else function
                for index, type_ in types:
                    self.pointees[chosen, index] = type_
            if chosen is not function:
                (*before, last) = self._replacements.get(call, (call,))
                operands = (*last.operands[:-1], chosen)
                self._replacements[call] = (*before, unlisted_copy(last, operands=operands))

    def _declared(self, function: Function, _types: tuple[tuple[int, Type], ...]) -> Function:
        made = unlisted_copy(function)
        self.added[made] = function
        return made
