"""Sets of attributes, from a group or from a bitmap of LLVM up to 3.2.

Rules: docs/reference/records.md, 1.10, 5.2 and 5.3.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.bitcode.integers import constant_range, range_width
from bitcodec.bitcode.malformed import Malformed, require_operands, unknown_number
from bitcodec.bitcode.schema.attributes import (
    ATTRIBUTE_NAMES,
    FUNCTION_INDEX,
    MEMORY_VERSION_SHIFT,
    OLD_BITS,
    OLD_STACK_ALIGNMENT,
    OLD_UNWIND_TABLE,
    AttributeTag,
)
from bitcodec.bitcode.text import characters
from bitcodec.ir.attribute_values import Captures, MemoryEffects, NoFPClass, UnwindTable
from bitcodec.ir.attributes import (
    AttributeSet,
    IntegerAttribute,
    RangeAttribute,
    RangeListAttribute,
    StringAttribute,
    TypeAttribute,
)
from bitcodec.reasons import Reason
from bitcodec.upgrade.attributes import known_integer, memory_of_version_0, upgraded_flags, upgraded_strings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.attributes import Attribute
    from bitcodec.ir.types import Type

__all__ = ["attributes_of_bitmap", "attributes_of_group"]

_NEWEST_KIND = max(ATTRIBUTE_NAMES)
_SAY_NOTHING_IF_ZERO = frozenset(
    {"align", "alignstack", "dereferenceable", "dereferenceable_or_null", "nofpclass", "uwtable", "vscale_range"}
)


def attributes_of_bitmap(bitmap: int, *, of_function: bool) -> AttributeSet:
    """Return the attributes of a bitmap."""
    # Bits 16 to 31 are an alignment in bytes; what is above them belongs behind bit 20.
    bits = bitmap & 0xFFFF | (bitmap >> 32 & 0xFFFFF) << 21
    names = [name for bit, name in OLD_BITS.items() if bits >> bit & 1]
    attributes = upgraded_flags(names, of_function=of_function)
    attributes += _integer("align", bitmap >> 16 & 0xFFFF)
    attributes += _integer("alignstack", 1 << (bits >> OLD_STACK_ALIGNMENT & 7) >> 1)
    attributes += _integer("uwtable", UnwindTable.SYNC * (bits >> OLD_UNWIND_TABLE & 1))
    return AttributeSet(attributes)


def attributes_of_group(operands: list[int], type_of: Callable[[int], Type]) -> AttributeSet:
    """Return the attributes of a group: its number, the index it is for, then its attributes."""
    group = _Group(operands, type_of)
    try:
        attributes = [*group, *upgraded_flags(group.flags, of_function=operands[1] == FUNCTION_INDEX)]
    except ValueError as error:
        raise Malformed(Reason.WRONG_ATTRIBUTE(problem=str(error))) from None
    return upgraded_strings(AttributeSet(attributes))


class _Group:
    """The operands of a group, taken one after another.

    Attributes:
        flags: names of the attributes without a value, once the others are taken.
    """

    __slots__ = ("_at", "_operands", "_type_of", "flags")

    def __init__(self, operands: list[int], type_of: Callable[[int], Type]) -> None:
        self._operands = operands
        self._at = 2
        self._type_of = type_of
        self.flags: list[str] = []

    def __iter__(self) -> Iterator[Attribute]:
        """Yield the attributes that have a value."""
        require_operands(self._operands, self._at + 1)
        while self._at < len(self._operands):
            tag = self._next()
            if tag == AttributeTag.ENUM:
                self.flags.append(self._name())
            elif tag in _TAKE:
                yield from _TAKE[tag](self)
            else:
                raise Malformed(Reason.UNKNOWN_ATTRIBUTE_FORM(number=tag))

    def integer(self) -> list[Attribute]:
        """Take an attribute with an integer."""
        return _integer(self._name(), self._next())

    def string(self) -> list[Attribute]:
        """Take a string attribute."""
        return [StringAttribute(self._characters())]

    def string_with_value(self) -> list[Attribute]:
        """Take a string attribute that has a value."""
        return [StringAttribute(self._characters(), self._characters())]

    def type_unknown(self) -> list[Attribute]:
        """Take an attribute with a type that is not there."""
        return [TypeAttribute(self._name(), None)]

    def type(self) -> list[Attribute]:
        """Take an attribute with a type."""
        return [TypeAttribute(self._name(), self._type_of(self._next()))]

    def range(self) -> list[Attribute]:
        """Take an attribute with a range."""
        attribute = RangeAttribute(self._name(), constant_range(range_width(self._next), self._next))
        return [] if attribute.range.is_full else [attribute]

    def ranges(self) -> list[Attribute]:
        """Take an attribute with ranges in order, none touching another."""
        name, count, width = self._name(), self._next(), range_width(self._next)
        if count > len(self._operands):
            raise Malformed(Reason.RANGE_COUNT(count=count))
        ranges = tuple(constant_range(width, self._next) for _ in range(count))
        ends = [bound for each in ranges for bound in (each.lower, each.upper)]
        if any(first >= second for first, second in pairwise(ends)):
            raise Malformed(Reason.RANGE_ORDER())
        return [RangeListAttribute(name, ranges)]

    def _next(self) -> int:
        require_operands(self._operands, self._at + 1)
        operand = self._operands[self._at]
        self._at += 1
        return operand

    def _name(self) -> str:
        number = self._next()
        name = ATTRIBUTE_NAMES.get(number)
        if name is None:
            raise unknown_number("attribute kind", number, is_newer=number > _NEWEST_KIND)
        return name

    def _characters(self) -> str:
        try:
            end = self._operands.index(0, self._at)
        except ValueError:
            raise Malformed(Reason.UNENDED_STRING()) from None
        text = characters(self._operands[self._at : end])
        self._at = end + 1
        return text


_TAKE: dict[int, Callable[[_Group], list[Attribute]]] = {
    AttributeTag.INTEGER: _Group.integer,
    AttributeTag.STRING: _Group.string,
    AttributeTag.STRING_WITH_VALUE: _Group.string_with_value,
    AttributeTag.TYPE_UNKNOWN: _Group.type_unknown,
    AttributeTag.TYPE: _Group.type,
    AttributeTag.RANGE: _Group.range,
    AttributeTag.RANGES: _Group.ranges,
}


def _integer(name: str, value: int) -> list[Attribute]:
    """Return the attribute with an integer, if the integer has a meaning."""
    known = known_integer(name, value)
    if known is not None:
        return known
    if name in _MEANT:
        value = _MEANT[name](value)
    return [] if name in _SAY_NOTHING_IF_ZERO and not value else [IntegerAttribute(name, value)]


def _memory(value: int) -> int:
    return value & MemoryEffects.ALL if value >> MEMORY_VERSION_SHIFT else memory_of_version_0(value)


def _alignment(value: int) -> int:
    return 1 << (value & 0xFFFF_FFFF).bit_length() >> 1


_MEANT: dict[str, Callable[[int], int]] = {
    "align": _alignment,
    "alignstack": _alignment,
    "captures": Captures.ALL.__and__,
    "memory": _memory,
    "nofpclass": NoFPClass.ALL.__and__,
}
"""Normalization of integer attributes, as in LLVM: alignments become powers of two, unknown bits of sets are
dropped."""
