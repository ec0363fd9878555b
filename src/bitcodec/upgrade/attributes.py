"""Attributes of older files, and of newer ones, as LLVM 22 has them.

Rules: docs/reference/upgrades.md, 10.4; docs/reference/records.md, 5.3 and 5.6; for newer files, the
upgrade of LLVM 22's attributes in LLVM 23.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attribute_types import may_carry
from bitcodec.ir.attribute_values import MemoryEffects, UnwindTable
from bitcodec.ir.attributes import (
    AttributeList,
    AttributeSet,
    EnumAttribute,
    IntegerAttribute,
    StringAttribute,
    TypeAttribute,
)
from bitcodec.malformed import Malformed
from bitcodec.reasons import Reason
from bitcodec.tables.attributes import MemoryAccess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.ir.attributes import Attribute
    from bitcodec.ir.types import FunctionType, Type

__all__ = [
    "BECAME_MEMORY",
    "AttributeFitter",
    "known_integer",
    "memory_of_version_0",
    "upgraded_flags",
    "upgraded_strings",
    "with_byval_of_interrupt",
    "with_nobuiltin_for_strictfp",
    "without_implicit_section",
    "without_unsafe_fp_atomics",
]

BECAME_MEMORY = {
    "readnone": MemoryEffects(0),
    "readonly": MemoryEffects.everywhere(MemoryAccess.READ),
    "writeonly": MemoryEffects.everywhere(MemoryAccess.WRITE),
    "argmemonly": MemoryEffects.of(argmem=MemoryAccess.READWRITE),
    "inaccessiblememonly": MemoryEffects.of(inaccessiblemem=MemoryAccess.READWRITE),
    "inaccessiblemem_or_argmemonly": MemoryEffects.of(
        argmem=MemoryAccess.READWRITE, inaccessiblemem=MemoryAccess.READWRITE
    ),
}
"""Attributes of functions that become one `memory`: the intersection of their effects."""

_GOT_VALUE: dict[str, Attribute] = {
    "nocapture": IntegerAttribute("captures", 0),
    "uwtable": IntegerAttribute("uwtable", UnwindTable.ASYNC),
    "byval": TypeAttribute("byval", None),
    "inalloca": TypeAttribute("inalloca", None),
    "sret": TypeAttribute("sret", None),
    "nooutline": StringAttribute("nooutline"),
}
"""Attributes without a value of other versions, as LLVM 22 has them; their types are found later."""

_DENORMAL_MODES = ("ieee", "preserve-sign", "positive-zero", "dynamic")
_WHOLE_OBJECT = (1 << 64) - 1


def upgraded_flags(names: Iterable[str], *, of_function: bool) -> list[Attribute]:
    """Return the attributes of names without a value.

    Raises:
        ValueError: an attribute is unknown, or needs a value.
    """
    attributes: list[Attribute] = []
    memory: MemoryEffects | None = None
    for name in names:
        if of_function and name in BECAME_MEMORY:
            effects = BECAME_MEMORY[name]
            memory = effects if memory is None else memory & effects
        else:
            attributes.append(_GOT_VALUE.get(name) or EnumAttribute(name))
    if memory is not None:
        attributes.append(IntegerAttribute("memory", memory.raw))
    return attributes


def known_integer(name: str, value: int) -> list[Attribute] | None:
    """Return the LLVM 22 form of an integer attribute of LLVM 23, None if the attribute is another one."""
    if name == "denormal_fpenv":
        return _denormal_modes(value)
    if name == "dead_on_return" and value == _WHOLE_OBJECT:
        return [EnumAttribute(name)]
    return None


def _denormal_modes(value: int) -> list[Attribute]:
    """Return the string attributes equivalent to `denormal_fpenv`.

    Four bits are for all types, the next four for `float`: two of each for results, two for operands.
    """
    general, single = (_denormal_mode(value >> shift) for shift in (0, 4))
    found: list[Attribute] = [StringAttribute("denormal-fp-math", general)]
    return found if single == general else [*found, StringAttribute("denormal-fp-math-f32", single)]


def _denormal_mode(bits: int) -> str:
    return f"{_DENORMAL_MODES[bits & 3]},{_DENORMAL_MODES[bits >> 2 & 3]}"


def memory_of_version_0(value: int) -> int:
    """Return the value of `memory` with a place for `errnomem`, which was part of `other` before LLVM 22."""
    other = value >> 4 & 3
    return value & 0xF | other << 4 | other << 6


def upgraded_strings(attributes: AttributeSet) -> AttributeSet:
    """Return a set with new attributes in place of strings that stood for them."""
    added: list[Attribute] = []
    frame_pointer = _frame_pointer(attributes)
    if frame_pointer is not None:
        added.append(StringAttribute("frame-pointer", frame_pointer))
    if attributes.string("null-pointer-is-valid") == "true":
        added.append(EnumAttribute("null_pointer_is_valid"))
    kept = attributes.without("no-frame-pointer-elim", "no-frame-pointer-elim-non-leaf", "null-pointer-is-valid")
    return kept.with_(*added) if added else kept


def _frame_pointer(attributes: AttributeSet) -> str | None:
    eliminated = attributes.string("no-frame-pointer-elim")
    if eliminated == "true":
        return "all"
    if "no-frame-pointer-elim-non-leaf" in attributes:
        return "non-leaf"
    return None if eliminated is None else "none"


def with_nobuiltin_for_strictfp(attributes: AttributeList) -> AttributeList:
    """Return the attributes of a strict floating-point call inside a function that is not strict.

    The call is strict if it or the function it calls by name has `strictfp`.  Callers must not pass calls of
    constrained intrinsics.
    """
    function = attributes.for_function
    return attributes.with_function(function.without("strictfp").with_(EnumAttribute("nobuiltin")))


def without_implicit_section(attributes: AttributeList) -> tuple[AttributeList, str | None]:
    """Return the attributes of a function, and the section that they name for it, None if they name none."""
    section = attributes.for_function.string("implicit-section-name")
    if section is None:
        return attributes, None
    return attributes.with_function(attributes.for_function.without("implicit-section-name")), section


def without_unsafe_fp_atomics(attributes: AttributeList) -> tuple[AttributeList, bool]:
    """Return the attributes of a function with a body, and whether its `atomicrmw` of floating point may be unsafe."""
    value = attributes.for_function.string("amdgpu-unsafe-fp-atomics")
    if value is None:
        return attributes, False
    return attributes.with_function(attributes.for_function.without("amdgpu-unsafe-fp-atomics")), value == "true"


def with_byval_of_interrupt(attributes: AttributeList, pointee: Type) -> AttributeList:
    """Return the attributes of an `x86_intrcc` function with `byval` on its first parameter, a typed pointer."""
    first = attributes.for_parameter(0)
    if "byval" in first:
        return attributes
    return attributes.with_parameter(0, first.with_(TypeAttribute("byval", pointee)))


class AttributeFitter:
    """Makes attributes fit the types of their values.  Results are cached."""

    __slots__ = ("_carried", "_fitting", "_typed", "_untyped")

    def __init__(self) -> None:
        self._fitting: dict[tuple[AttributeList, FunctionType, tuple[Type, ...]], AttributeList] = {}
        self._carried: dict[tuple[Type, AttributeSet], AttributeSet] = {}
        self._typed: dict[tuple[AttributeList, tuple[Type | None, ...]], AttributeList] = {}
        self._untyped: dict[AttributeList, tuple[int, ...]] = {}

    def with_pointees(
        self, attributes: AttributeList, pointee_of_parameter: Callable[[int], Type | None]
    ) -> AttributeList:
        """Return a list whose `byval`, `inalloca` and `sret` have types.

        Args:
            attributes: a list; if it lacks no type it is returned itself.
            pointee_of_parameter: returns the pointee of a parameter, counted from 0; None if that is not known.

        Raises:
            Malformed: a type is not known.
        """
        untyped = self.untyped_parameters(attributes)
        if not untyped:
            return attributes
        pointees = tuple(map(pointee_of_parameter, untyped))
        if None in pointees:
            raise Malformed(Reason.UNTYPED_ATTRIBUTE(number=untyped[pointees.index(None)]))
        key = (attributes, pointees)
        found = self._typed.get(key)
        if found is None:
            sets = {
                index: _typed(attributes.for_parameter(index), pointee)
                for index, pointee in zip(untyped, pointees, strict=True)
            }
            found = AttributeList(attributes.for_function, attributes.for_return, {**attributes.parameters, **sets})
            self._typed[key] = found
        return found

    def untyped_parameters(self, attributes: AttributeList) -> tuple[int, ...]:
        """Return the parameters whose `byval`, `inalloca` or `sret` has no type, counted from 0."""
        untyped = self._untyped.get(attributes)
        if untyped is None:
            untyped = self._untyped[attributes] = tuple(_untyped_parameters(attributes))
        return untyped

    def without_incompatible(
        self, attributes: AttributeList, function_type: FunctionType, variadic: tuple[Type, ...] = ()
    ) -> AttributeList:
        """Return a list without the attributes that values of these types cannot have.

        Args:
            attributes: of a function or call.
            function_type: its type.
            variadic: types of the arguments of a call after the parameters.
        """
        key = (attributes, function_type, variadic)
        found = self._fitting.get(key)
        if found is None:
            found = self._fitting[key] = self._fitted(attributes, function_type, variadic)
        return found

    def _fitted(
        self, attributes: AttributeList, function_type: FunctionType, variadic: tuple[Type, ...]
    ) -> AttributeList:
        types = (*function_type.parameter_types, *variadic)
        returned = self._carried_by(function_type.return_type, attributes.for_return)
        parameters = {
            index: self._carried_by(types[index], parameter) if index < len(types) else parameter
            for index, parameter in attributes.parameters.items()
        }
        if returned == attributes.for_return and parameters == attributes.parameters:
            return attributes
        return AttributeList(attributes.for_function, returned, parameters)

    def _carried_by(self, type_: Type, attributes: AttributeSet) -> AttributeSet:
        """Return the attributes of a set that values of a type can have."""
        if not attributes:
            return attributes
        key = (type_, attributes)
        found = self._carried.get(key)
        if found is None:
            misfits = [attribute.key for attribute in attributes if not may_carry(type_, attribute)]
            found = self._carried[key] = attributes.without(*misfits)
        return found


def _untyped_parameters(attributes: AttributeList) -> Iterable[int]:
    for index, parameter in attributes.parameters.items():
        if any(map(_lacks_type, parameter)):
            yield index


def _lacks_type(attribute: Attribute) -> bool:
    return isinstance(attribute, TypeAttribute) and attribute.type is None


def _typed(attributes: AttributeSet, pointee: Type | None) -> AttributeSet:
    return attributes.with_(
        *(TypeAttribute(attribute.name, pointee) for attribute in attributes if _lacks_type(attribute))
    )
