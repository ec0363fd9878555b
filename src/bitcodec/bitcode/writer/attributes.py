"""Numbers and records of attributes: groups of them, and lists of groups.

Rules: docs/reference/records.md, 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.bitcode.schema.attributes import FUNCTION_INDEX, MEMORY_VERSION_SHIFT, RETURN_INDEX, AttributeTag
from bitcodec.bitcode.schema.blocks import BlockId, ParamattrCode, ParamattrGroupCode
from bitcodec.bitcode.writer.rows import BlockRows, Rows, characters, range_operands
from bitcodec.errors import EncodingError, quote
from bitcodec.ir.attributes import (
    AttributeList,
    AttributeSet,
    EnumAttribute,
    IntegerAttribute,
    RangeAttribute,
    RangeListAttribute,
    StringAttribute,
    TypeAttribute,
)
from bitcodec.named_tuple import NamedTuple
from bitcodec.object_numbers import ObjectNumbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitcodec.bitcode.writer.types import TypeNumbers
    from bitcodec.ir.attributes import Attribute

__all__ = ["AttributeNumbers", "Lowered", "NumberedAttribute"]

_WIDTH = 3


class NumberedAttribute(NamedTuple):
    """An attribute that LLVM 22 has no more, as records of older versions hold it.

    Attributes:
        operands: tag, number of the kind, and the operands after these.
    """

    operands: tuple[int, ...]


Lowered: TypeAlias = "AttributeSet | tuple[Attribute | NumberedAttribute, ...]"
"""The attributes that are written for a set."""

_MEMORY_VERSION = 1 << MEMORY_VERSION_SHIFT


class AttributeNumbers(dict[AttributeList, int]):
    """Numbers of attribute lists, assigned on first use: from 1; 0 means no attributes.

    Args:
        types: numbers of types.
        known: lists that have numbers already, in order.
        group_count: how many groups have numbers already.
        lowered: returns the attributes written for the set at an index.

    Attributes:
        found: the numbers of lists that calls have: many have the same one, which is found faster by identity.
    """

    def __init__(
        self,
        types: TypeNumbers,
        known: Sequence[AttributeList] = (),
        group_count: int = 0,
        lowered: Callable[[int, AttributeSet], Lowered] | None = None,
    ) -> None:
        super().__init__()
        self._types = types
        self._list_count = len(known)
        self._group_count = group_count
        for number, attributes in enumerate(known, 1):
            self.setdefault(attributes, number)
        self._lowered = lowered
        self._groups: dict[tuple[int, Lowered], int] = {}
        self._lists: list[list[int]] = []
        self.found = ObjectNumbers()

    def __missing__(self, attributes: AttributeList) -> int:
        groups = [self._group(index, found) for index, found in self._sets(attributes) if found]
        if groups:
            self._lists.append(groups)
        number = self[attributes] = self._list_count + len(self._lists) if groups else 0
        return number

    def _sets(self, attributes: AttributeList) -> Iterator[tuple[int, Lowered]]:
        for index, found in _sets(attributes):
            yield index, found if self._lowered is None else self._lowered(index, found)

    def _group(self, index: int, attributes: Lowered) -> int:
        found = self._groups.setdefault((index, attributes), self._group_count + len(self._groups) + 1)
        for attribute in attributes:
            if isinstance(attribute, TypeAttribute) and attribute.type is not None:
                _ = self._types[attribute.type]
        return found

    def blocks(self) -> Iterator[BlockRows]:
        """Yield the blocks of groups and of lists, none if no list has been used."""
        if self._lists:
            yield BlockRows(BlockId.PARAMATTR_GROUP_BLOCK, _WIDTH, [self.groups()])
            yield BlockRows(BlockId.PARAMATTR_BLOCK, _WIDTH, [self.lists()])

    def groups(self) -> Rows:
        """Return the records of the groups that were not known."""
        rows = Rows()
        for (index, attributes), number in self._groups.items():
            operands = [number, index]
            for attribute in attributes:
                operands += _OPERANDS[type(attribute)](attribute, self._types)
            rows.add(ParamattrGroupCode.ENTRY, operands)
        return rows

    def lists(self) -> Rows:
        """Return the records of the lists that were not known."""
        rows = Rows()
        for numbers in self._lists:
            rows.add(ParamattrCode.ENTRY, numbers)
        return rows


def _sets(attributes: AttributeList) -> Iterator[tuple[int, AttributeSet]]:
    yield FUNCTION_INDEX, attributes.for_function
    yield RETURN_INDEX, attributes.for_return
    for index, found in attributes.parameters.items():
        yield index + 1, found


def _number(attribute: Attribute) -> int:
    kind = attribute.kind
    assert kind is not None, "only string attributes have none"  # noqa: S101
    return kind.number


def _enum(attribute: EnumAttribute, _types: TypeNumbers) -> list[int]:
    return [AttributeTag.ENUM, _number(attribute)]


def _integer(attribute: IntegerAttribute, _types: TypeNumbers) -> list[int]:
    value = attribute.value | _MEMORY_VERSION if attribute.name == "memory" else attribute.value
    return [AttributeTag.INTEGER, _number(attribute), value]


def _string(attribute: StringAttribute, _types: TypeNumbers) -> list[int]:
    name = _terminated(attribute.name)
    if not attribute.value:
        return [AttributeTag.STRING, *name]
    return [AttributeTag.STRING_WITH_VALUE, *name, *_terminated(attribute.value)]


def _terminated(text: str) -> list[int]:
    if "\0" in text:
        raise EncodingError(f"the string attribute {quote(text)} cannot be written: a zero ends texts of attributes")
    return [*characters(text), 0]


def _type(attribute: TypeAttribute, types: TypeNumbers) -> list[int]:
    if attribute.type is None:
        return [AttributeTag.TYPE_UNKNOWN, _number(attribute)]
    return [AttributeTag.TYPE, _number(attribute), types[attribute.type]]


def _range(attribute: RangeAttribute, _types: TypeNumbers) -> list[int]:
    return [AttributeTag.RANGE, _number(attribute), *range_operands(attribute.range)]


def _ranges(attribute: RangeListAttribute, _types: TypeNumbers) -> list[int]:
    operands = [AttributeTag.RANGES, _number(attribute), len(attribute.ranges)]
    # All are of one width, which is written once.
    operands += range_operands(attribute.ranges[0])[:1]
    for each in attribute.ranges:
        operands += range_operands(each)[1:]
    return operands


def _numbered(attribute: NumberedAttribute, _types: TypeNumbers) -> list[int]:
    return list(attribute.operands)


_OPERANDS: dict[type[Attribute | NumberedAttribute], Callable[[Any, TypeNumbers], list[int]]] = {
    NumberedAttribute: _numbered,
    EnumAttribute: _enum,
    IntegerAttribute: _integer,
    StringAttribute: _string,
    TypeAttribute: _type,
    RangeAttribute: _range,
    RangeListAttribute: _ranges,
}
