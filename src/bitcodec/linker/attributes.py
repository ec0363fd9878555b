"""Attributes of linked functions and calls: types in them become the destination's; `nocallback` is removed.

`nocallback` promises that a function calls back into its own module only, which is no longer known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import NO_ATTRIBUTES, AttributeList, AttributeSet, TypeAttribute

if TYPE_CHECKING:
    from bitcodec.ir.attributes import Attribute
    from bitcodec.linker.types import TypeMapper

__all__ = ["NO_CALLBACK", "AttributeMapper"]

NO_CALLBACK = "nocallback"


class AttributeMapper:
    """Finds the destination's counterparts of a source's attributes.

    Args:
        types: finds types.
        known: lists of functions of the destination; more are added.  Equal lists become one, to be known by identity.
    """

    __slots__ = ("_calls", "_functions", "_known", "_sets", "_types")

    def __init__(self, types: TypeMapper, known: dict[AttributeList, AttributeList] | None = None) -> None:
        self._types = types
        self._known = {} if known is None else known
        self._functions: dict[AttributeList, AttributeList] = {}
        self._calls: dict[AttributeList, AttributeList] = {}
        self._sets: dict[AttributeSet, AttributeSet] = {NO_ATTRIBUTES: NO_ATTRIBUTES}

    def of_function(self, attributes: AttributeList) -> AttributeList:
        """Return the attributes of a function."""
        found = self._functions.get(attributes)
        if found is None:
            found = self._mapped(attributes)
            found = self._functions[attributes] = self._known.setdefault(found, found)
        return found

    def of_call(self, attributes: AttributeList) -> AttributeList:
        """Return the attributes of a call."""
        found = self._calls.get(attributes)
        if found is None:
            found = self._mapped(attributes)
            found = found.with_function(found.for_function.without(NO_CALLBACK))
            found = self._calls[attributes] = attributes if found == attributes else found
        return found

    def _mapped(self, attributes: AttributeList) -> AttributeList:
        sets = [attributes.for_function, attributes.for_return, *attributes.parameters.values()]
        mapped = [self._set(each) for each in sets]
        if all(new is old for new, old in zip(mapped, sets, strict=True)):
            return attributes
        return AttributeList(mapped[0], mapped[1], dict(zip(attributes.parameters, mapped[2:], strict=True)))

    def _set(self, attributes: AttributeSet) -> AttributeSet:
        found = self._sets.get(attributes)
        if found is None:
            mapped = [self._attribute(each) for each in attributes]
            is_same = all(new is old for new, old in zip(mapped, attributes, strict=True))
            found = self._sets[attributes] = attributes if is_same else AttributeSet(mapped)
        return found

    def _attribute(self, attribute: Attribute) -> Attribute:
        if not isinstance(attribute, TypeAttribute) or attribute.type is None:
            return attribute
        type_ = self._types.get(attribute.type)
        return attribute if type_ is attribute.type else TypeAttribute(attribute.name, type_)
