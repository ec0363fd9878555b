"""Constants as bytes: the data that accompanies a PC in its section.

Rules: PC Sections Metadata, "Encoding Options"; docs/reference/pc-sections.md, 2.3.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, ClassVar, cast

from bitcodec.errors import PCSectionsError
from bitcodec.ir.constants import (
    ConstantAggregateZero,
    ConstantArray,
    ConstantDataArray,
    ConstantDataSequential,
    ConstantDataVector,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    ConstantStruct,
    ConstantTargetNone,
    ConstantVector,
    ConstantWithOperands,
    PoisonValue,
    UndefValue,
)
from bitcodec.ir.pcsection_rules import broken_constant
from bitcodec.ir.types import IntegerType, PointerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.encoding.addresses import Addresses
from bitcodec.pcsections.references import Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.ir.constants import Constant
    from bitcodec.ir.types import ArrayType, StructType, Type, VectorType
    from bitcodec.pcsections.encoding.targets import Target

__all__ = ["LARGEST_CONSTANT", "EncodedConstant", "encode_constant", "uleb128"]

LARGEST_CONSTANT = 1 << 24
"""Maximum number of bytes of a constant: metadata can spell in a few bytes a value that no memory holds."""

_COMPRESSED_SIZES = range(2, 9)
"""Store sizes, in bytes, of the integers that the option C compresses."""


class EncodedConstant(NamedTuple):
    """The bytes of a constant; fields of references are zero."""

    data: bytes
    references: tuple[Reference, ...] = ()


def encode_constant(
    constant: Constant, target: Target, *, compressed: bool = False, addresses: Addresses | None = None
) -> EncodedConstant:
    """Return the bytes that LLVM writes for a constant in a PC section.

    Args:
        constant: any that a tuple of constants may hold.
        target: the target.
        compressed: whether the section has the option C.
        addresses: values of expressions so far, to be shared by many constants of one module.

    Raises:
        PCSectionsError: it has no bytes, or more than `LARGEST_CONSTANT`, or some that no relocation computes.
    """
    message = broken_constant(constant)
    if message is not None:
        raise PCSectionsError(f"!pcsections: {message}")
    try:
        size = target.data_layout.store_size(constant.type)
        if compressed and isinstance(constant, ConstantInt) and size in _COMPRESSED_SIZES:
            return EncodedConstant(uleb128(constant.unsigned))
        return _ConstantWriter(target, addresses or Addresses(target.data_layout)).encoded(constant)
    except ValueError as error:
        raise PCSectionsError(f"!pcsections: a constant of type {constant.type.brief}: {error}") from None


def uleb128(number: int) -> bytes:
    """Return a number as ULEB128 in as few bytes as it takes."""
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


class _ConstantWriter:
    """Writes one constant.  Repeated parts are copied, so that time is proportional to the bytes and the parts."""

    __slots__ = ("_addresses", "_data", "_layout", "_order", "_places", "_references")

    def __init__(self, target: Target, addresses: Addresses) -> None:
        self._layout = target.data_layout
        self._order = target.byte_order
        self._addresses = addresses
        self._places: dict[Constant, int] = {}
        self._references: list[Reference] = []

    def encoded(self, constant: Constant) -> EncodedConstant:
        layout = self._layout.layout(constant.type)
        size = layout.alloc_size
        if layout.is_scalable:
            raise PCSectionsError(
                f"!pcsections: the size of {constant.type.brief} is not known before the program runs"
            )
        if size > LARGEST_CONSTANT:
            raise PCSectionsError(
                f"!pcsections: a constant of type {constant.type.brief} has {size} bytes: more than {LARGEST_CONSTANT}"
            )
        self._data = bytearray(size)
        pending = [(0, constant)]
        while pending:
            offset, part = pending.pop()
            if self._is_written_elsewhere(offset, part):
                continue
            elements = self._ELEMENTS.get(type(part))
            if elements is None or (type(part) is ConstantVector and self._is_packed(part)):
                self._write(offset, part)
            elif self._layout.alloc_size(part.type):
                placed = zip(elements(self, part.type), cast("list[Constant]", part.operands), strict=False)
                pending += reversed([(offset + place, element) for place, element in placed])
        return EncodedConstant(bytes(self._data), tuple(self._references))

    def _is_written_elsewhere(self, offset: int, part: Constant) -> bool:
        """Copy a constant that was written before; the first time remember where it is."""
        if not isinstance(part, ConstantWithOperands):
            return False
        start = self._places.setdefault(part, offset)
        if start == offset:
            return False
        end = start + self._layout.alloc_size(part.type)
        self._data[offset : offset + end - start] = self._data[start:end]
        known = self._references
        first, last = (bisect_left(known, place, key=_offset) for place in (start, end))
        known += [row._replace(offset=row.offset - start + offset) for row in known[first:last]]
        return True

    def _array(self, type_: ArrayType | VectorType) -> Iterator[int]:
        stride = self._layout.alloc_size(type_.element_type)
        return (index * stride for index in range(type_.count))

    def _struct(self, type_: StructType) -> tuple[int, ...]:
        return self._layout.struct_layout(type_).offsets

    def _is_packed(self, part: Constant) -> bool:
        """Return whether elements of a vector lie bit by bit: whether there would be gaps between them."""
        element = self._layout.layout(part.type.scalar_type)
        return element.size_in_bits != element.alloc_size * 8

    def _write(self, offset: int, part: Constant) -> None:
        """Write a constant without parts."""
        rule = self._RULES.get(type(part))
        if rule is not None:
            data = rule(self, part)
        elif isinstance(part.type, IntegerType | PointerType):
            data = self._address(offset, part)
        else:
            raise PCSectionsError(f"!pcsections: a {type(part).__name__} of type {part.type.brief} has no known bytes")
        self._data[offset : offset + len(data)] = data

    def _number(self, bits: int, type_: Type) -> bytes:
        return bits.to_bytes(self._layout.store_size(type_), self._order)

    def _integer(self, part: ConstantInt) -> bytes:
        return self._number(part.unsigned, part.type)

    def _floating(self, part: ConstantFP) -> bytes:
        if part.type.spelling != "ppc_fp128":
            return self._number(_known_bits(part), part.type)
        # The first of the two doubles comes first, whatever the byte order is.
        return b"".join((part.bits >> low & _DOUBLE).to_bytes(8, self._order) for low in (0, 64))

    def _sequence(self, part: ConstantDataSequential) -> bytes:
        elements, type_ = part.elements, part.type.element_type
        data = elements if isinstance(elements, bytes) else b"".join(self._number(bits, type_) for bits in elements)
        # LLVM fills all the room of one byte again and again, the padding of a vector too.
        is_filled = data.count(data[:1]) == len(data)
        return data[:1] * self._layout.alloc_size(part.type) if is_filled else data

    def _packed(self, part: ConstantVector) -> bytes:
        width = self._layout.size_in_bits(part.type.element_type)
        elements = cast("list[Constant]", part.operands)
        # The element with the lowest address holds the first bits that the byte order has.
        texts = [f"{_bits(element):0{width}b}" for element in elements]
        joined = "".join(texts if self._order == "big" else reversed(texts))
        return self._number(int(joined, 2), part.type)

    def _zero(self, _part: Constant) -> bytes:
        return b""

    def _address(self, offset: int, part: Constant) -> bytes:
        symbol, distance = self._addresses.find(part)
        if not symbol:
            return self._number(distance, part.type)
        self._references.append(Reference(offset, symbol, distance, self._layout.store_size(part.type)))
        return b""

    _ELEMENTS: ClassVar[Mapping[type[Constant], Callable[..., Iterator[int] | tuple[int, ...]]]] = {
        ConstantArray: _array,
        ConstantVector: _array,
        ConstantStruct: _struct,
    }
    """Offsets of elements, by the class of the aggregate."""

    _RULES: ClassVar[Mapping[type[Constant], Callable[..., bytes]]] = {
        ConstantInt: _integer,
        ConstantFP: _floating,
        ConstantDataArray: _sequence,
        ConstantDataVector: _sequence,
        ConstantVector: _packed,
        ConstantPointerNull: _zero,
        ConstantTargetNone: _zero,
        ConstantAggregateZero: _zero,
        UndefValue: _zero,
        PoisonValue: _zero,
    }


_DOUBLE = (1 << 64) - 1
_X87_EXPONENT = 0x7FFF


def _offset(reference: Reference) -> int:
    return reference.offset


def _known_bits(number: ConstantFP) -> int:
    """Return the bits of a number as LLVM writes them, which has no x87 number with a wrong integer bit."""
    if number.type.spelling != "x86_fp80":
        return number.bits
    exponent, has_integer = number.bits >> 64 & _X87_EXPONENT, number.bits >> 63 & 1
    if exponent and not has_integer:
        return number.bits | _X87_EXPONENT << 64  # not a number
    return number.bits | 1 << 64 if has_integer and not exponent else number.bits


def _bits(element: Constant) -> int:
    match element:
        case ConstantInt():
            return element.unsigned
        case ConstantFP():
            return _known_bits(element)
        case UndefValue():
            return 0
        case _:
            kind = type(element).__name__
            raise PCSectionsError(
                f"!pcsections: a {kind} in a vector whose elements have gaps: only a number may be there"
            )
