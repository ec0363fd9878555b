"""Finds the field of a struct at a distance in bytes, and reads the structs of accesses from their tags.

Newer versions of LLVM write addresses of fields as a number of bytes; older ones name the fields.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantAggregateZero, ConstantDataSequential, ConstantInt
from bitcodec.ir.functions import Argument
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple
from bitcodec.ir.types import ArrayType, PointerType, StructType
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["FieldFinder", "FieldPath", "constant_index", "described", "is_number", "leading_fields", "tag_of"]

_ACCESS_TAG = 3
"""Minimum number of operands of a tag that names the accessed field of a struct."""
_MAX_INDEX = 0x7FFF_FFFF
_MANGLED = "_ZTS"
_PREFIXES = ("struct.", "class.", "union.")


class FieldPath(NamedTuple):
    """How an address names a field.

    Attributes:
        source: the type that the pointer points to.
        indices: the operands of the address behind the pointer.
        struct: the named struct whose field it is, None if it is an element of something else.
        field: the number of the field.
    """

    source: Type
    indices: tuple[int, ...]
    struct: StructType | None
    field: int


class FieldFinder:
    """Finds fields.

    Args:
        layout: sizes and places of fields.
    """

    def __init__(self, layout: DataLayout) -> None:
        self._layout = layout
        self._names: dict[str, StructType] | None = None

    def find(self, type_: Type, offset: int, wanted: Type) -> FieldPath | None:
        """Return the path to a part of a type, None if no part of it is there or those there have other types.

        Args:
            type_: of the whole.
            offset: where the part is, in bytes.
            wanted: the type of the part.
        """
        try:
            return self._find(type_, offset, wanted)
        except ValueError:  # it has no size
            return None

    def _find(self, type_: Type, offset: int, wanted: Type) -> FieldPath | None:
        source, indices = type_, [0]
        owner: tuple[StructType | None, int] = (None, 0)
        size = self._layout.alloc_size(type_)
        if type_ is wanted and size and not offset % size and abs(offset // size) <= _MAX_INDEX:
            return FieldPath(source, (offset // size,), None, 0)
        if not 0 <= offset < size:
            return None
        while type_ is not wanted or offset:
            if isinstance(type_, StructType):
                layout = self._layout.struct_layout(type_)
                if layout.is_scalable or not layout.offsets:
                    return None
                index = bisect_right(layout.offsets, offset) - 1
                owner = None if type_.is_literal else type_, index
                offset -= layout.offsets[index]
                type_ = type_.element_types[index]
            elif isinstance(type_, ArrayType):
                size = self._layout.alloc_size(type_.element_type)
                index = offset // size if size else 0
                if type_.count and index >= type_.count:
                    return None
                owner = None, 0
                offset -= index * size
                type_ = type_.element_type
            else:
                return None
            indices.append(index)
        return FieldPath(source, tuple(indices), *owner)

    def struct_named(self, name: str, types: list[Type]) -> StructType | None:
        """Return the struct that a tag names, None if there is no such struct.

        Args:
            name: as in C, or mangled as in C++.
            types: the types of the module, and the types inside them.
        """
        if self._names is None:
            self._names = {}
            pending, seen = [*types], set(types)
            while pending:
                current = pending.pop()
                if isinstance(current, StructType) and current.name and current.elements:
                    self._names.setdefault(current.name, current)
                missing = [part for part in current.element_types if part not in seen]
                seen.update(missing)
                pending += missing
        if name.startswith(_MANGLED):
            digits = name[len(_MANGLED) :]
            name = digits.lstrip("0123456789")
            if digits[: len(digits) - len(name)] != str(len(name)):
                return None
        return next((self._names[prefix + name] for prefix in _PREFIXES if prefix + name in self._names), None)


def described(path: FieldPath | None) -> tuple[FieldPath | None, bool, StructType | None, int]:
    """Return a path, whether it leads to a whole, and the struct and number of the field if that is a pointer."""
    if path is None:
        return None, False, None, 0
    is_pointer_field = path.struct is not None and type(path.struct.element_types[path.field]) is PointerType
    return path, len(path.indices) == 1, path.struct if is_pointer_field else None, path.field


def leading_fields(type_: Type, wanted: Type) -> int:
    """Return how many times the first part is taken from a type to get another, 0 if that does not lead to it."""
    count = 0
    while type_ is not wanted:
        if isinstance(type_, StructType) and type_.elements:
            type_ = type_.elements[0]
        elif isinstance(type_, ArrayType) and type_.count:
            type_ = type_.element_type
        else:
            return 0
        count += 1
    return count


def tag_of(tag: object) -> tuple[str, int]:
    """Return the name of the struct that is accessed by an instruction with a `tbaa` tag, and the place of the field.

    The name is "" if the tag does not describe a struct.
    """
    if not isinstance(tag, MDTuple) or len(tag.operands) < _ACCESS_TAG:
        return "", 0
    base, access, offset = tag.operands[:_ACCESS_TAG]
    if base is access or not isinstance(base, MDTuple) or not base.operands:
        return "", 0
    name = base.operands[0]
    if not isinstance(offset, ConstantAsMetadata) or not isinstance(offset.value, ConstantInt):
        return "", 0
    return (name.text, offset.value.unsigned) if isinstance(name, MDString) else ("", 0)


def constant_index(index: Value) -> int:
    """Return the number of a field of a struct, which an index gives."""
    if isinstance(index, ConstantInt):
        return index.unsigned
    if isinstance(index, ConstantDataSequential):
        return index.elements[0]
    return 0 if isinstance(index, ConstantAggregateZero) else constant_index(index.operands[0])  # type: ignore[attr-defined]


def is_number(index: Value) -> bool:
    """Return whether an index gives a number that is known."""
    return isinstance(index, ConstantInt | ConstantDataSequential | ConstantAggregateZero) or not isinstance(
        index, Instruction | Argument
    )
