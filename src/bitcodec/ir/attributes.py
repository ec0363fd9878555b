"""Attributes of functions, parameters, return values and calls; all immutable, equal by value, free to share.

Rules: LLVM Language Reference, "Parameter Attributes", "Function Attributes" and "Attribute Groups".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from bitcodec.frozen import Frozen
from bitcodec.ir.attribute_values import (
    AllocKind,
    AllocSize,
    AttributeInteger,
    Captures,
    MemoryEffects,
    NoFPClass,
    UnwindTable,
    VScaleRange,
)
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.spelling import escaped, printable
from bitcodec.tables.attributes import ATTRIBUTE_KINDS, AttributeKind, AttributeValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bitcodec.ir.types import Type

__all__ = [
    "NO_ATTRIBUTES",
    "Attribute",
    "AttributeList",
    "AttributeSet",
    "ConstantRange",
    "EnumAttribute",
    "IntegerAttribute",
    "RangeAttribute",
    "RangeListAttribute",
    "StringAttribute",
    "TypeAttribute",
]


class Attribute(Frozen):
    """One attribute; `str(attribute)` is its spelling on a parameter.

    Attributes:
        name: the spelling of its kind; of a string attribute, the string.
    """

    __slots__ = __match_args__ = ("name",)

    name: str

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "name", name)

    @property
    def key(self) -> str:
        """Its key in a set: its name, except for a string attribute that is named like a kind."""
        return self.name

    @property
    def kind(self) -> AttributeKind | None:
        """Its row in the table, None for a string attribute."""
        return ATTRIBUTE_KINDS[self.name]

    @property
    def order(self) -> tuple[int, bytes]:
        """Sorts the attributes of a set."""
        return _RANKS[self.name], b""

    @property
    def group_text(self) -> str:
        """Its spelling in an `attributes #N` line."""
        return str(self)

    def __str__(self) -> str:
        return self.name


class _OfKind(Attribute):
    """An attribute that has a row in the table."""

    __slots__ = ()

    value_kind: ClassVar[AttributeValue]

    def _set_name(self, name: str) -> None:
        """Set the name, which must belong to an attribute of this class."""
        kind = ATTRIBUTE_KINDS.get(name)
        if kind is None or (kind.value is not self.value_kind and kind.also is not self.value_kind):
            raise ValueError(f"{name!r} is not {self.value_kind.value}")
        object.__setattr__(self, "name", name)


class EnumAttribute(_OfKind):
    """An attribute that is there or not: `nounwind`."""

    __slots__ = ()

    value_kind: ClassVar[AttributeValue] = AttributeValue.FLAG

    def __init__(self, name: str) -> None:
        self._set_name(name)


class TypeAttribute(_OfKind):
    """An attribute with a type: `byval(%struct.a)`; None where an old file omits it."""

    __slots__ = ("type",)
    __match_args__ = ("name", "type")

    type: Type | None
    value_kind: ClassVar[AttributeValue] = AttributeValue.TYPE

    def __init__(self, name: str, type: Type | None) -> None:
        self._set_name(name)
        object.__setattr__(self, "type", type)

    def text(self, type_text: Callable[[Type], str]) -> str:
        """Return its spelling, with the type spelled by `type_text`."""
        return self.name if self.type is None else f"{self.name}({type_text(self.type)})"

    def __str__(self) -> str:
        return self.text(str)


class IntegerAttribute(_OfKind):
    """An attribute with an integer: `align 8`, `memory(read)`.

    Attributes:
        value: the integer; for `memory`, without the version that bitcode adds.
    """

    __slots__ = ("value",)
    __match_args__ = ("name", "value")

    value: int
    value_kind: ClassVar[AttributeValue] = AttributeValue.INTEGER

    def __init__(self, name: str, value: int) -> None:
        self._set_name(name)
        object.__setattr__(self, "value", value)

    @property
    def order(self) -> tuple[int, bytes]:
        """Sorts the attributes of a set: one that may lack an integer has the place that LLVM 23 gives it."""
        before = _BEFORE.get(self.name)
        return (_RANKS[self.name], b"") if before is None else (_RANKS[before], self.name.encode())

    @property
    def meaning(self) -> AttributeInteger | int:
        """Meaning of the integer: an object of `attribute_values`, or the integer itself if it is a number of bytes."""
        meaning = _MEANINGS.get(self.name)
        return self.value if meaning is None else meaning(self.value)

    @property
    def group_text(self) -> str:
        """Its spelling in an `attributes #N` line: there, `=` precedes a number of bytes."""
        return str(self) if self.name in _MEANINGS else f"{self.name}={self.value}"

    def __str__(self) -> str:
        meaning = self.meaning
        if self.name == "align":
            return f"{self.name} {meaning}"
        if isinstance(meaning, UnwindTable) and meaning.is_async:
            return self.name
        return f"{self.name}({meaning})"


class RangeAttribute(_OfKind):
    """An attribute with a range: `range(i32 0, 10)`."""

    __slots__ = ("range",)
    __match_args__ = ("name", "range")

    range: ConstantRange
    value_kind: ClassVar[AttributeValue] = AttributeValue.RANGE

    def __init__(self, name: str, range: ConstantRange) -> None:  # noqa: A002 - the field's name
        self._set_name(name)
        object.__setattr__(self, "range", range)

    def __str__(self) -> str:
        return f"{self.name}({self.range})"


class RangeListAttribute(_OfKind):
    """An attribute with several ranges: `initializes((0, 8), (16, 32))`."""

    __slots__ = ("ranges",)
    __match_args__ = ("name", "ranges")

    ranges: tuple[ConstantRange, ...]
    value_kind: ClassVar[AttributeValue] = AttributeValue.RANGES

    def __init__(self, name: str, ranges: tuple[ConstantRange, ...]) -> None:
        self._set_name(name)
        object.__setattr__(self, "ranges", ranges)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'({each.bounds})' for each in self.ranges)})"


class StringAttribute(Attribute):
    """An attribute that LLVM gives no meaning to: `"frame-pointer"="all"`; its value may be empty."""

    __slots__ = ("value",)
    __match_args__ = ("name", "value")

    value: str

    def __init__(self, name: str, value: str = "") -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "value", value)

    @property
    def key(self) -> str:
        """Its name, in quotes if there is a kind of that name."""
        return f'"{self.name}"' if self.name in ATTRIBUTE_KINDS else self.name

    @property
    def kind(self) -> None:
        """None: it has no row in the table."""
        return

    @property
    def order(self) -> tuple[int, bytes]:
        """Sorts it after all kinds, by the bytes of its name."""
        return len(_RANKS), self.name.encode("utf-8", "surrogateescape")

    def __str__(self) -> str:
        # LLVM escapes only the value.
        name = printable(self.name)
        return f'"{name}"="{escaped(self.value)}"' if self.value else f'"{name}"'


class AttributeSet:
    """The attributes of one entity, in the order of the table, string attributes last.

    Args:
        attributes: in any order; of several with one key the last one counts.
    """

    __slots__ = ("_attributes", "_hash")

    def __init__(self, attributes: Iterable[Attribute] = ()) -> None:
        ordered = sorted(attributes, key=lambda attribute: attribute.order)
        self._attributes = {attribute.key: attribute for attribute in ordered}
        self._hash = hash(tuple(self._attributes.values()))

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self._attributes.values())

    def __len__(self) -> int:
        return len(self._attributes)

    def __contains__(self, key: object) -> bool:
        """Whether an attribute of this key is there."""
        return key in self._attributes

    def __getitem__(self, key: str) -> Attribute:
        """Return the attribute of this key.

        Raises:
            KeyError: the set has no such attribute.
        """
        return self._attributes[key]

    def get(self, key: str) -> Attribute | None:
        """Return the attribute of this key, None if there is none."""
        return self._attributes.get(key)

    def string(self, key: str) -> str | None:
        """Return the value of a string attribute, None if it is absent."""
        found = self._attributes.get(key)
        return found.value if isinstance(found, StringAttribute) else None

    def integer(self, key: str) -> int | None:
        """Return the value of an integer attribute, None if it is absent."""
        found = self._attributes.get(key)
        return found.value if isinstance(found, IntegerAttribute) else None

    @property
    def memory(self) -> MemoryEffects | None:
        """Value of `memory(...)`, None if it is absent."""
        raw = self.integer("memory")
        return None if raw is None else MemoryEffects(raw)

    def with_(self, *attributes: Attribute) -> AttributeSet:
        """Return a set with these attributes too, in place of those with the same keys."""
        return AttributeSet([*self, *attributes])

    def without(self, *keys: str) -> AttributeSet:
        """Return a set without the attributes of these keys."""
        if not any(key in self._attributes for key in keys):
            return self
        return AttributeSet(attribute for attribute in self if attribute.key not in keys)

    def spelled(self, *, in_group: bool = False, type_text: Callable[[Type], str] = str) -> str:
        """Return the spellings of all, a space between them.

        Args:
            in_group: spell them for an `attributes #N` line, not for a parameter.
            type_text: how types are spelled.
        """
        texts = []
        for attribute in self:
            if isinstance(attribute, TypeAttribute):
                texts.append(attribute.text(type_text))
            else:
                texts.append(attribute.group_text if in_group else str(attribute))
        return " ".join(texts)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, AttributeSet) and self._hash == other._hash and self._attributes == other._attributes

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<AttributeSet {self}>"


NO_ATTRIBUTES = AttributeSet()
"""The empty set."""


class AttributeList:
    """The attributes of a function or call: of itself, of its return value and of its parameters.

    Args:
        for_function, for_return: sets.
        parameters: sets by index, from 0; parameters without attributes need not be there.
    """

    __slots__ = ("_hash", "_parameters", "for_function", "for_return")

    __match_args__ = ("for_function", "for_return", "parameters")

    def __init__(
        self,
        for_function: AttributeSet = NO_ATTRIBUTES,
        for_return: AttributeSet = NO_ATTRIBUTES,
        parameters: Mapping[int, AttributeSet] | None = None,
    ) -> None:
        self.for_function = for_function
        self.for_return = for_return
        found = (parameters or {}).items()
        self._parameters = dict(sorted((index, attributes) for index, attributes in found if attributes))
        self._hash = hash((for_function, for_return, tuple(self._parameters.items())))

    @property
    def parameters(self) -> Mapping[int, AttributeSet]:
        """The sets of those parameters that have attributes, by index, in order."""
        return self._parameters

    def for_parameter(self, index: int) -> AttributeSet:
        """Return the set of a parameter, counted from 0."""
        return self._parameters.get(index, NO_ATTRIBUTES)

    def with_function(self, attributes: AttributeSet) -> AttributeList:
        """Return a list with another set for the function itself."""
        return AttributeList(attributes, self.for_return, self._parameters)

    def with_return(self, attributes: AttributeSet) -> AttributeList:
        """Return a list with another set for the return value."""
        return AttributeList(self.for_function, attributes, self._parameters)

    def with_parameter(self, index: int, attributes: AttributeSet) -> AttributeList:
        """Return a list with another set for one parameter, counted from 0."""
        return AttributeList(self.for_function, self.for_return, {**self._parameters, index: attributes})

    def __bool__(self) -> bool:
        """Whether there is any attribute."""
        return bool(self.for_function or self.for_return or self._parameters)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, AttributeList) or self._hash != other._hash:
            return False
        return (
            self.for_function == other.for_function
            and self.for_return == other.for_return
            and self._parameters == other._parameters
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        parts = [("function", self.for_function), ("return", self.for_return)]
        parts += [(f"parameter {index}", attributes) for index, attributes in self._parameters.items()]
        return f"<AttributeList {'; '.join(f'{place}: {attributes}' for place, attributes in parts if attributes)}>"


_BEFORE = {"dead_on_return": "captures"}
"""By name of an attribute that has an integer since LLVM 23, the one that it follows if it has."""
_RANKS = {name: rank for rank, name in enumerate(ATTRIBUTE_KINDS)}

_MEANINGS: dict[str, type[AttributeInteger]] = {
    "allockind": AllocKind,
    "allocsize": AllocSize,
    "captures": Captures,
    "memory": MemoryEffects,
    "nofpclass": NoFPClass,
    "uwtable": UnwindTable,
    "vscale_range": VScaleRange,
}
