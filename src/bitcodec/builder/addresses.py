"""Address arithmetic.  Rules: LLVM Language Reference, "getelementptr Instruction"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import INTEGERS, POINTERS, SIZED, require, wrong
from bitcodec.builder.words import flags_of
from bitcodec.ir.constants import Constant, ConstantDataSequential, ConstantInt
from bitcodec.ir.instructions import GetElementPtr
from bitcodec.ir.types import IntegerType, PointerType, SequentialType, StructType, VectorType
from bitcodec.ir.values import Value
from bitcodec.tables.instruction_flags import GEPFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.builder.inserting import ValueLike
    from bitcodec.ir.types import Type

__all__ = ["AddressBuilder"]

_FIELD_BITS = 32
"""Width of indices into structs: LLVM has no other."""


class AddressBuilder(Inserter):
    """Computes addresses."""

    __slots__ = ()

    def getelementptr(
        self,
        type: Type,
        pointer: Value,
        indices: Sequence[ValueLike],
        *,
        inbounds: bool = False,
        nusw: bool = False,
        nuw: bool = False,
        name: str = "",
    ) -> GetElementPtr:
        """Return an address inside of the object at another.

        Args:
            type: the type of the object at the pointer.
            pointer: the other address, or a vector of them.
            indices: the first counts in units of `type`, the others lead to an element of it.  Python numbers get 32
                bits where they choose an element of a struct, elsewhere as many as the data layout has for indices.
            inbounds: whether it promises to stay inside the object; then it is `nusw` too.
            nusw, nuw: further promises.
            name: of the result.
        """
        require(SIZED, type, "getelementptr", "type")
        base = self._value(pointer, "getelementptr", "pointer")
        require(POINTERS, base.type, "getelementptr", "pointer")
        found = self._indices(type, base.type, indices)
        flags = flags_of(GEPFlags, inbounds=inbounds, nusw=nusw or inbounds, nuw=nuw)
        return self.insert(GetElementPtr(self._address_type(base, found), type, base, found, flags), name)

    def _indices(self, type: Type, pointer: Type, given: Sequence[ValueLike]) -> list[Value]:
        """Return indices as values, after a walk to the element that they lead to."""
        found: list[Value] = []
        for position, index in enumerate(given):
            is_field = position > 0 and isinstance(type, StructType)
            bits = _FIELD_BITS if is_field else self._index_width(pointer)
            value = self._number(index, bits, INTEGERS, "getelementptr", f"index {position}")
            found.append(value)
            if position > 0:
                type = _element(type, value)
        return found

    def _index_width(self, pointer: Type) -> int:
        scalar = pointer.scalar_type
        space = scalar.address_space if isinstance(scalar, PointerType) else 0
        return self.module.data_layout.pointer(space).index_width

    def _address_type(self, pointer: Value, indices: Sequence[Value]) -> Type:
        """Return the type of an address: a vector if the pointer or an index is one."""
        shapes = [value.type for value in (pointer, *indices) if isinstance(value.type, VectorType)]
        if not shapes:
            return pointer.type
        result = self.types.like(shapes[0], pointer.type.scalar_type)
        for shape in shapes:
            if self.types.like(shape, pointer.type.scalar_type) is not result:
                raise wrong("vectors of one length", shape, "getelementptr", f"operands beside {shapes[0].brief}")
        return result


def _element(type: Type, index: Value) -> Type:
    """Return the type of the element that an index chooses."""
    if isinstance(type, SequentialType):
        return type.element_type
    number = _field(index) if isinstance(type, StructType) else None
    if number is None or number not in range(len(type.element_types)):
        raise ValueError(f"getelementptr: {type.brief} has no element {index!r}")
    return type.element_types[number]


def _field(index: Value) -> int | None:
    """Return the number of an index into a struct, None if it is none."""
    scalar = index.type.scalar_type
    if not isinstance(scalar, IntegerType) or scalar.bit_width != _FIELD_BITS:
        return None
    match index:
        case ConstantInt(number):
            return number
        case ConstantDataSequential(elements) if len(set(elements)) == 1:
            return elements[0]
        case Constant(is_null=True):
            return 0
    return None
