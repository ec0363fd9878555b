"""Sizes and alignments of types, as a data layout has them.

Numbers equal release 22's, which computes sizes modulo 2**64.  For a scalable type they are the minimum, for a
`vscale` of 1.  Types may nest to any depth.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, ClassVar

from bitcodec.ir.layout_specification import Alignments, LayoutSpecification, PointerSpecification
from bitcodec.ir.target_types import layout_type
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    IntegerType,
    PointerType,
    StructType,
    TargetExtensionType,
    Type,
    VectorType,
    X86AMXType,
)
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Alignments", "DataLayout", "PointerSpecification", "StructLayout", "TypeLayout"]

_SIZE_MASK = (1 << 64) - 1
_X86_AMX = (X86AMXType.bit_width, Alignments(64, 64))
"""Bits and alignments of a tile register, whatever the data layout is."""


class TypeLayout(NamedTuple):
    """How values of a type lie in memory.

    Attributes:
        size_in_bits: bits that have a meaning.
        alloc_size: bytes from one element of an array to the next.
        abi_alignment: in bytes.
        preferred_alignment: in bytes.
        is_scalable: sizes are multiplied by `vscale`.
    """

    size_in_bits: int
    alloc_size: int
    abi_alignment: int
    preferred_alignment: int
    is_scalable: bool = False

    @property
    def store_size(self) -> int:
        """Maximum number of bytes that a store writes."""
        return -(-self.size_in_bits // 8)


class StructLayout(NamedTuple):
    """Layout of a struct's elements.

    Attributes:
        offsets: in bytes, of each element.
        size: in bytes, padding at the end counted.
        alignment: the strictest of its elements, in bytes.
        is_scalable: offsets and size are multiplied by `vscale`.
    """

    offsets: tuple[int, ...]
    size: int
    alignment: int
    is_scalable: bool


class DataLayout(LayoutSpecification):
    """A data layout string, and the sizes and alignments that follow from it.

    Methods that take a type raise ValueError if it is unsized.
    """

    __slots__ = ("_integer_widths", "_layouts", "_stand_ins", "_structs")

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self._layouts: dict[Type, TypeLayout] = {}
        self._structs: dict[StructType, StructLayout] = {}
        self._stand_ins: dict[TargetExtensionType, Type] = {}
        self._integer_widths = sorted(self.integers)

    def size_in_bits(self, type: Type) -> int:
        """Return how many bits of a value have a meaning."""
        return self.layout(type).size_in_bits

    def store_size(self, type: Type) -> int:
        """Return how many bytes a store may write."""
        return self.layout(type).store_size

    def alloc_size(self, type: Type) -> int:
        """Return how many bytes are from one element of an array to the next."""
        return self.layout(type).alloc_size

    def abi_alignment(self, type: Type) -> int:
        """Return the least alignment that values have, in bytes."""
        return self.layout(type).abi_alignment

    def preferred_alignment(self, type: Type) -> int:
        """Return the alignment to give where there is a choice, in bytes."""
        return self.layout(type).preferred_alignment

    def struct_layout(self, type: StructType) -> StructLayout:
        """Return where the elements of a struct are."""
        self.layout(type)
        return self._structs[type]

    def pointer_size(self, address_space: int = 0) -> int:
        """Return the size of a pointer, in bytes."""
        return -(-self.pointer(address_space).bit_width // 8)

    def layout(self, type: Type) -> TypeLayout:
        """Return size and alignments together."""
        found = self._layouts.get(type)
        return self._laid_out(type) if found is None else found

    def _laid_out(self, wanted: Type) -> TypeLayout:
        """Lay out a type after all its element types, innermost first."""
        layouts = self._layouts
        pending = [wanted]
        open_types: set[Type] = set()
        while pending:
            current = pending[-1]
            if current in layouts:
                pending.pop()
                continue
            missing = [part for part in dict.fromkeys(self._parts(current)) if part not in layouts]
            if missing:
                if current in open_types:
                    raise ValueError("a type that holds itself has no size")
                open_types.add(current)
                pending += missing
            else:
                layouts[current] = self._layout_of(current)
        return layouts[wanted]

    def _parts(self, type: Type) -> Sequence[Type]:
        """Return the types whose layouts determine the layout of a type."""
        if isinstance(type, TargetExtensionType):
            stand_in = self._stand_ins.get(type) or layout_type(type)
            if stand_in is None:
                raise ValueError(f"target type {type.name!r} has no size")
            self._stand_ins[type] = stand_in
            return (stand_in,)
        return type.element_types if isinstance(type, _AGGREGATES) else ()

    def _layout_of(self, type: Type) -> TypeLayout:
        rule = self._RULES.get(type.__class__)
        if rule is None:
            raise ValueError(f"a {type.__class__.__name__} has no size")
        return rule(self, type)

    def _scalar(self, bits: int, alignments: Alignments, *, is_scalable: bool = False) -> TypeLayout:
        store_size = -(-bits // 8)
        alloc_size = aligned(store_size, alignments.abi) & _SIZE_MASK
        return TypeLayout(bits, alloc_size, alignments.abi, alignments.preferred, is_scalable)

    def _integer(self, type: IntegerType) -> TypeLayout:
        widths = self._integer_widths
        # Without a width of its own it is like the next wider one, or like the widest.
        width = widths[min(bisect_left(widths, type.bit_width), len(widths) - 1)]
        return self._scalar(type.bit_width, self.integers[width])

    def _floating(self, type: FloatingPointType) -> TypeLayout:
        natural = _power_of_two(type.bit_width // 8)
        return self._scalar(type.bit_width, self.floats.get(type.bit_width, Alignments(natural, natural)))

    def _address(self, type: PointerType) -> TypeLayout:
        pointer = self.pointer(type.address_space)
        return self._scalar(pointer.bit_width, pointer.alignments)

    def _x86_amx(self, _type: X86AMXType) -> TypeLayout:
        return self._scalar(*_X86_AMX)

    def _vector(self, type: VectorType) -> TypeLayout:
        bits = type.count * self._layouts[type.element_type].size_in_bits & _SIZE_MASK
        natural = _power_of_two(-(-bits // 8))
        alignments = self.vectors.get(bits, Alignments(natural, natural))
        return self._scalar(bits, alignments, is_scalable=type.is_scalable)

    def _array(self, type: ArrayType) -> TypeLayout:
        element = self._layouts[type.element_type]
        size = type.count * element.alloc_size & _SIZE_MASK
        return element._replace(size_in_bits=size * 8 & _SIZE_MASK, alloc_size=size)

    def _target_extension(self, type: TargetExtensionType) -> TypeLayout:
        return self._layouts[self._stand_ins[type]]

    def _struct(self, type: StructType) -> TypeLayout:
        if type.elements is None:
            raise ValueError("an opaque struct has no size")
        parts = [self._layouts[element] for element in type.elements]
        is_scalable = any(part.is_scalable for part in parts)
        if is_scalable and not (isinstance(type.elements[0], VectorType) and len(set(type.elements)) == 1):
            raise ValueError("a struct has no size if it holds scalable types other than vectors of one type")
        found = self._structs[type] = _placed(parts, is_packed=type.is_packed, is_scalable=is_scalable)
        abi = 1 if type.is_packed else max(self.aggregate.abi, found.alignment)
        preferred = max(self.aggregate.preferred, found.alignment)
        alloc_size = aligned(found.size, abi) & _SIZE_MASK
        return TypeLayout(found.size * 8 & _SIZE_MASK, alloc_size, abi, preferred, is_scalable)

    _RULES: ClassVar[Mapping[type[Type], Callable[..., TypeLayout]]] = {
        IntegerType: _integer,
        FloatingPointType: _floating,
        PointerType: _address,
        X86AMXType: _x86_amx,
        VectorType: _vector,
        ArrayType: _array,
        StructType: _struct,
        TargetExtensionType: _target_extension,
    }


_AGGREGATES = (ArrayType, StructType, VectorType)


def aligned(size: int, alignment: int) -> int:
    """Return the least multiple of `alignment`, a power of two, that is not less than `size`."""
    return (size + alignment - 1) & -alignment


def _power_of_two(size: int) -> int:
    """Return the least power of two that is not less than `size`."""
    return 1 << (size - 1).bit_length() if size else 1


def _placed(parts: Sequence[TypeLayout], *, is_packed: bool, is_scalable: bool) -> StructLayout:
    """Lay out the elements of a struct in order."""
    size, alignment, offsets = 0, 1, []
    for part in parts:
        if not is_packed:
            alignment = max(alignment, part.abi_alignment)
            if not is_scalable:
                size = aligned(size, part.abi_alignment) & _SIZE_MASK
        offsets.append(size)
        size = (size + part.alloc_size) & _SIZE_MASK
    if not is_scalable:
        size = aligned(size, alignment) & _SIZE_MASK
    return StructLayout(tuple(offsets), size, alignment, is_scalable)
