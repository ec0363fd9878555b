"""Attributes for older versions of LLVM.  Rules: docs/reference/older-readers.md, 2."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.attributes import ATTRIBUTE_NAMES, FUNCTION_INDEX, AttributeTag
from bitcodec.bitcode.writer.attributes import NumberedAttribute
from bitcodec.downgrade.constructs import OPAQUE_POINTERS, Construct, Way
from bitcodec.ir.attribute_values import MemoryEffects, UnwindTable
from bitcodec.ir.attributes import IntegerAttribute, StringAttribute, TypeAttribute
from bitcodec.tables.attributes import MemoryAccess, first_version
from bitcodec.upgrade.attributes import BECAME_MEMORY, memory_of_version_0

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitcode.writer.attributes import Lowered
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.attributes import Attribute, AttributeList, AttributeSet

__all__ = ["OF_CALLS", "AttributeLowering", "attribute"]

OF_CALLS = frozenset({"byref", "hybrid_patchable", "preallocated", "swiftasync"})
"""Attributes that decide how functions are called, among those that not all versions have."""

_NUMBERS = {name: number for number, name in ATTRIBUTE_NAMES.items()}
_CAPTURES, _MEMORY, _MEMORY_LOCATIONS = 21, 16, 21
"""The first versions that have `captures`, `memory`, and in it the location `errnomem`."""

_PARTLY_DEAD = 23
"""The first version that has `dead_on_return` for a part of an object."""
_UNWIND_TABLE_KINDS, _ELEMENT_TYPE, _SLOT_ALIGNMENT = 15, 14, 13
"""The first versions that have `uwtable(sync)`, `elementtype`, and `alignstack` of parameters."""
_SAID_BY_POINTERS = frozenset({"byval", "elementtype", "inalloca", "sret"})
"""Attributes with a type that LLVM before 15 takes from the type of the pointer."""

_STRINGS: dict[tuple[str, str], tuple[int, str]] = {
    ("frame-pointer", "non-leaf-no-reserve"): (22, "non-leaf"),
    ("frame-pointer", "reserved"): (19, "none"),
}
"""By name and value of a string attribute, the first version whose verifier accepts it, and the value before."""

_OF_OTHERS = {"alloc-variant-zeroed": "allockind"}
"""By name of a string attribute, the attribute without which LLVM 22's verifier refuses it."""

_AS_STRINGS: dict[str, tuple[int, StringAttribute]] = {
    "null_pointer_is_valid": (7, StringAttribute("null-pointer-is-valid", "true")),
    "presplitcoroutine": (4, StringAttribute("coroutine.presplit", "0")),
}
"""By name of an attribute without which programs mean something else, the first version that knows it as a string."""


def attribute(name: str, since: int, way: Way, instead: str = "") -> Construct:
    """Return the construct that an attribute is."""
    return Construct(f"attribute `{name}`", since, way, instead)


class AttributeLowering:
    """Lowers sets of attributes; each is lowered once.

    Args:
        losses: receives the attributes that the version lacks.
        slot_size: bytes of a pointer; parameters on the stack are aligned to as much without an attribute.
    """

    def __init__(self, losses: Losses, slot_size: int = 0) -> None:
        self._losses = losses
        self._slot_size = slot_size
        self._version = losses.version
        self._lowered: dict[tuple[bool, AttributeSet], tuple[Lowered, tuple[Construct, ...]]] = {}
        self._lacking: dict[AttributeList, tuple[tuple[Construct, int], ...]] = {}

    def lowered(self, index: int, attributes: AttributeSet) -> Lowered:
        """Return the lowered form of the set at an index of a list."""
        return self._lower(attributes, of_function=index == FUNCTION_INDEX)[0]

    def survey(self, attributes: AttributeList, place: str, part: object = None, times: int = 1) -> bool:
        """Add the losses of a list that occurs a number of times; return whether there are any.

        Raises:
            EncodingError: it cannot be written.
        """
        lacking = self._lacking.get(attributes)
        if lacking is None:
            lacking = self._lacking[attributes] = tuple(Counter(self._constructs(attributes)).items())
        for construct, count in lacking:
            self._losses.add(construct, place, part, count * times)
        return bool(lacking)

    def _constructs(self, attributes: AttributeList) -> Iterator[Construct]:
        yield from self._lower(attributes.for_function, of_function=True)[1]
        for found in (attributes.for_return, *attributes.parameters.values()):
            yield from self._lower(found, of_function=False)[1]

    def _lower(self, attributes: AttributeSet, *, of_function: bool) -> tuple[Lowered, tuple[Construct, ...]]:
        known = self._lowered.get((of_function, attributes))
        if known is None:
            lacking: list[Construct] = []
            kept: list[Attribute | NumberedAttribute] = []
            for each in attributes:
                if not of_function and each.name == "alignstack" and self._version < _SLOT_ALIGNMENT:
                    lacking += self._slot_alignment(each)
                else:
                    kept += self._instead_of(each, lacking)
            known = self._lowered[of_function, attributes] = tuple(kept), tuple(lacking)
        return known

    def _slot_alignment(self, each: Attribute) -> list[Construct]:
        """Return the losses for the alignment of a parameter on the stack: none if stack slots are aligned as much."""
        if isinstance(each, IntegerAttribute) and each.value <= self._slot_size:
            return []
        return [attribute(str(each), _SLOT_ALIGNMENT, Way.REFUSE)]

    def _instead_of(self, each: Attribute, lacking: list[Construct]) -> list[Attribute | NumberedAttribute]:
        """Return the replacements of an attribute; add lossy ones to a list."""
        if isinstance(each, StringAttribute):
            return self._string(each, lacking)
        if isinstance(each, IntegerAttribute) and each.name in _SPECIAL:
            return _SPECIAL[each.name](self, each, lacking)
        if isinstance(each, TypeAttribute) and each.name in _SAID_BY_POINTERS and self._version < OPAQUE_POINTERS:
            return self.pointee(each)
        kind = each.kind
        assert kind is not None, "only string attributes have none"  # noqa: S101
        if first_version(kind.number) <= self._version:
            return [each]
        since, string = _AS_STRINGS.get(each.name, (0, None))
        if string is not None:
            is_known = self._version >= since
            way = Way.LOWER if is_known else Way.REFUSE
            lacking.append(attribute(each.name, first_version(kind.number) if is_known else since, way, str(string)))
            return [string]
        way = Way.REFUSE if each.name in OF_CALLS else Way.DROP
        lacking.append(attribute(each.name, first_version(kind.number), way))
        return []

    def _string(self, each: StringAttribute, lacking: list[Construct]) -> list[Attribute | NumberedAttribute]:
        other = _NUMBERS.get(_OF_OTHERS.get(each.name, ""), 0)
        if other and first_version(other) > self._version:
            lacking.append(Construct(f"attribute {each}", first_version(other), Way.DROP))
            return []
        since, value = _STRINGS.get((each.name, each.value), (0, ""))
        if since <= self._version:
            return [each]
        older = StringAttribute(each.name, value)
        lacking.append(Construct(f"attribute {each}", since, Way.DROP, str(older)))
        return [older]

    def captures(self, each: IntegerAttribute, lacking: list[Construct]) -> list[Attribute | NumberedAttribute]:
        """Lower `captures(...)`."""
        if self._version >= _CAPTURES:
            return [each]
        if not each.value:
            return [_enum("nocapture")]
        lacking.append(attribute(str(each), _CAPTURES, Way.DROP))
        return []

    def dead_on_return(self, each: IntegerAttribute, lacking: list[Construct]) -> list[Attribute | NumberedAttribute]:
        """Lower `dead_on_return(...)`: before, it is always about a whole object."""
        if self._version >= _PARTLY_DEAD:
            return [each]
        lacking.append(attribute(str(each), _PARTLY_DEAD, Way.DROP))
        return []

    def pointee(self, each: TypeAttribute) -> list[Attribute | NumberedAttribute]:
        """Lower an attribute whose type is the pointee of typed pointers: readers take it from the pointer."""
        if each.name == "elementtype":
            # The code generators of profiles do not use it with typed pointers.
            return [each] if self._version >= _ELEMENT_TYPE and not self._losses.reader else []
        return [_enum(each.name)]

    def unwind_table(self, each: IntegerAttribute, lacking: list[Construct]) -> list[Attribute | NumberedAttribute]:
        """Lower `uwtable`, which was a flag: `uwtable(sync)` is the same with more in the table."""
        if self._version >= _UNWIND_TABLE_KINDS:
            return [each]
        if each.value != UnwindTable.ASYNC:
            lacking.append(attribute(str(each), _UNWIND_TABLE_KINDS, Way.LOWER, "uwtable"))
        return [_enum("uwtable")]

    def memory(self, each: IntegerAttribute, lacking: list[Construct]) -> list[Attribute | NumberedAttribute]:
        """Lower `memory(...)`: effects that cannot be expressed are allowed, which is sound."""
        if self._version >= _MEMORY_LOCATIONS:
            return [each]
        effects = _of_three_locations(MemoryEffects(each.value))
        if self._version >= _MEMORY:
            if memory_of_version_0(effects) != each.value:
                lacking.append(Construct("`errnomem` in attribute `memory`", _MEMORY_LOCATIONS, Way.DROP))
            return [NumberedAttribute((AttributeTag.INTEGER, _NUMBERS["memory"], effects))]
        names = _names_of(MemoryEffects(memory_of_version_0(effects)))
        if not _means_the_same(names, each.value):
            lacking.append(attribute(str(each), _MEMORY, Way.DROP, " and ".join(names)))
        return [_enum(name) for name in names]


_SPECIAL: dict[
    str,
    Callable[[AttributeLowering, IntegerAttribute, list[Construct]], list[Attribute | NumberedAttribute]],
] = {
    "captures": AttributeLowering.captures,
    "dead_on_return": AttributeLowering.dead_on_return,
    "memory": AttributeLowering.memory,
    "uwtable": AttributeLowering.unwind_table,
}


def _enum(name: str) -> NumberedAttribute:
    return NumberedAttribute((AttributeTag.ENUM, _NUMBERS[name]))


def _of_three_locations(effects: MemoryEffects) -> int:
    """Return effects on arguments, inaccessible memory and the rest, as LLVM 16 to 20 write them."""
    targets = effects["target_mem0"] | effects["target_mem1"]
    other = effects["other"] | effects["errnomem"]
    return effects["argmem"] | (effects["inaccessiblemem"] | targets) << 2 | other << 4


def _names_of(effects: MemoryEffects) -> list[str]:
    """Return the attributes that express effects, as far as LLVM before 16 can."""
    accesses = [effects[location] for location in ("argmem", "inaccessiblemem", "other")]
    union = accesses[0] | accesses[1] | accesses[2]
    names = {
        MemoryAccess.NONE: ["readnone"],
        MemoryAccess.READ: ["readonly"],
        MemoryAccess.WRITE: ["writeonly"],
        MemoryAccess.READWRITE: [],
    }[MemoryAccess(union)]
    if not union or accesses[2]:
        return names
    places = {(True, False): "argmemonly", (False, True): "inaccessiblememonly"}
    return [*names, places.get((bool(accesses[0]), bool(accesses[1])), "inaccessiblemem_or_argmemonly")]


def _means_the_same(names: list[str], value: int) -> bool:
    effects = MemoryEffects(MemoryEffects.ALL)
    for name in names:
        effects &= BECAME_MEMORY[name]
    return effects.raw == value
