"""Rules of attributes: allowed positions, attributes that exclude each other, allowed values."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.ir.attribute_types import may_carry
from bitcodec.ir.attribute_values import NoFPClass
from bitcodec.ir.attributes import RangeListAttribute, StringAttribute, TypeAttribute
from bitcodec.ir.type_properties import is_pointer
from bitcodec.ir.types import FunctionType, PointerType
from bitcodec.tables.attributes import AttributePosition
from bitcodec.verifier.function_attributes import function_attribute_problems
from bitcodec.verifier.rules import MAXIMUM_ALIGNMENT, first_broken, worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.attributes import AttributeList, AttributeSet
    from bitcodec.ir.types import Type
    from bitcodec.verifier.rules import Rule, Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["attribute_problems", "value_problems"]

_HUGE = 1 << 32
"""Bytes that an argument passed by value may not have."""
_EXCLUSIVE = (
    ("inalloca", "readonly"),
    ("sret", "returned"),
    ("zeroext", "signext"),
    ("readnone", "readonly"),
    ("readnone", "writeonly"),
    ("readonly", "writeonly"),
    ("noinline", "alwaysinline"),
)
_TYPE_DEPENDENT = ("alloc-variant-zeroed", "allocsize", "modular-format", "vector-function-abi-variant")
"""Attributes of functions whose rules depend on the type of the function."""
_PASSED_IN_MEMORY = ("byval", "byref", "inalloca", "preallocated")


def attribute_problems(
    function_type: FunctionType,
    attributes: AttributeList,
    verifier: Verifier,
    *,
    is_intrinsic: bool,
    is_assembly: bool = False,
) -> tuple[str, ...]:
    """Return all problems of the attributes of a function or call; shared attributes are checked once."""
    if not attributes:
        return ()
    known = verifier.attribute_problems
    key = (attributes, function_type, is_intrinsic, is_assembly)
    if key not in known:
        known[key] = tuple(_problems(function_type, attributes, verifier, is_intrinsic, is_assembly))
    return known[key]


def _problems(
    function_type: FunctionType,
    attributes: AttributeList,
    verifier: Verifier,
    is_intrinsic: bool,  # noqa: FBT001 - as `attribute_problems` has it
    is_assembly: bool,  # noqa: FBT001 - the same
) -> Iterator[str]:
    for attribute in attributes.for_return:
        kind = attribute.kind
        if kind is not None and not kind.positions & AttributePosition.RETURN:
            yield worded("Attribute '{}' does not apply to function return values", attribute)
            return
    yield from value_problems(attributes.for_return, function_type.return_type, verifier)
    for index, found in attributes.parameters.items():
        if index >= len(function_type.parameter_types):
            # An argument without a parameter: its type is known to the call alone.
            continue
        if not is_intrinsic and "immarg" in found:
            yield "immarg attribute only applies to intrinsics"
            return
        if not is_intrinsic and not is_assembly and "elementtype" in found:
            yield "Attribute 'elementtype' can only be applied to intrinsics and inline asm."
            return
        yield from value_problems(found, function_type.parameter_types[index], verifier)
    problem = first_broken(_PARAMETERS, attributes, function_type) if attributes.parameters else None
    if problem is not None:
        yield problem
    elif attributes.for_function:
        yield from _whole_problems(function_type, attributes, verifier)


def _whole_problems(function_type: FunctionType, attributes: AttributeList, verifier: Verifier) -> tuple[str, ...]:
    """Return the errors in the attributes of a function or call as a whole; shared attributes are checked once."""
    whole = attributes.for_function
    is_writable = any("writable" in found for found in attributes.parameters.values())
    type_ = function_type if any(name in whole for name in _TYPE_DEPENDENT) else None
    known, key = verifier.whole_problems, (whole, is_writable, type_)
    if key not in known:
        known[key] = tuple(function_attribute_problems(function_type, attributes, verifier.module))
    return known[key]


def value_problems(attributes: AttributeSet, type_: Type, verifier: Verifier) -> tuple[str, ...]:
    """Return the errors in the attributes of a parameter or return value; shared attributes are checked once."""
    if not attributes:
        return ()
    known, key = verifier.value_problems, (attributes, type_)
    if key not in known:
        known[key] = tuple(_value_problems(attributes, type_, verifier))
    return known[key]


def _value_problems(attributes: AttributeSet, type_: Type, verifier: Verifier) -> Iterator[str]:
    for attribute in attributes:
        kind = attribute.kind
        if kind is not None and not kind.positions & (AttributePosition.PARAMETER | AttributePosition.RETURN):
            yield worded("Attribute '{}' does not apply to parameters", attribute)
            return
    problem = first_broken(_TOGETHER, attributes)
    if problem is not None:
        yield problem
        return
    for attribute in attributes:
        if not isinstance(attribute, StringAttribute) and not may_carry(type_, attribute):
            yield worded("Attribute '{}' applied to incompatible type!", attribute)
            return
    problem = first_broken(_ON_POINTERS, attributes, verifier) if is_pointer(type_) else None
    problem = problem or first_broken(_VALUES, attributes)
    if problem is not None:
        yield problem


def _without_both(first: str, second: str) -> Rule:
    quotes = "" if first == "writable" else "'"
    message = f"Attributes {quotes}{first} and {second}{quotes} are incompatible!"
    return (message, lambda attributes: first not in attributes or second not in attributes)


def _passes_one_way(attributes: AttributeSet) -> bool:
    ways = sum(name in attributes for name in ("byval", "inalloca", "preallocated", "nest", "byref"))
    return ways + ("sret" in attributes or "inreg" in attributes) <= 1


def _is_alone(attributes: AttributeSet) -> bool:
    return "immarg" not in attributes or len(attributes) - ("range" in attributes) == 1


_TOGETHER: Rules = (
    ("Attribute 'immarg' is incompatible with other attributes except the 'range' attribute", _is_alone),
    (
        "Attributes 'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret' are incompatible!",
        _passes_one_way,
    ),
    *(_without_both(first, second) for first, second in _EXCLUSIVE),
    _without_both("writable", "readnone"),
    _without_both("writable", "readonly"),
)


def _pointee(attributes: AttributeSet, name: str) -> Type | None:
    attribute = attributes.get(name)
    return attribute.type if isinstance(attribute, TypeAttribute) else None


def _passed_in_memory(name: str) -> Rules:
    """Return the rules for the pointee type of a pointer with an attribute."""

    def is_sized(attributes: AttributeSet, verifier: Verifier) -> bool:
        type_ = _pointee(attributes, name)
        return type_ is None or not verifier.is_unsized[type_]

    def is_small(attributes: AttributeSet, verifier: Verifier) -> bool:
        type_ = _pointee(attributes, name)
        return type_ is None or verifier.layout.alloc_size(type_) < _HUGE

    return (
        (f"Attribute '{name}' does not support unsized types!", is_sized),
        (f"huge '{name}' arguments are unsupported", is_small),
    )


def _is_on_stack(attributes: AttributeSet, verifier: Verifier) -> bool:
    type_ = _pointee(attributes, "byval")
    return type_ is None or not verifier.is_not_for_stack[type_]


_ON_POINTERS: Rules = (
    (
        "huge alignment values are unsupported",
        lambda attributes, _: (attributes.integer("align") or 1) <= MAXIMUM_ALIGNMENT,
    ),
    ("'byval' argument has illegal target extension type", _is_on_stack),
    *(rule for name in _PASSED_IN_MEMORY for rule in _passed_in_memory(name)),
)


def _initialized(attributes: AttributeSet) -> list[tuple[int, int]] | None:
    attribute = attributes.get("initializes")
    if not isinstance(attribute, RangeListAttribute):
        return None
    return [(found.lower, found.upper) for found in attribute.ranges]


def _is_ordered(attributes: AttributeSet) -> bool:
    ranges = _initialized(attributes) or []
    return all(lower < upper for lower, upper in ranges) and all(one[1] < other[0] for one, other in pairwise(ranges))


_VALUES: Rules = (
    ("Attribute 'initializes' does not support empty list", lambda attributes: _initialized(attributes) != []),
    ("Attribute 'initializes' does not support unordered ranges", _is_ordered),
    (
        "Attribute 'nofpclass' must have at least one test bit set",
        lambda attributes: attributes.integer("nofpclass") != 0,
    ),
    (
        "Invalid value for 'nofpclass' test mask",
        lambda attributes: not (attributes.integer("nofpclass") or 0) & ~NoFPClass.ALL,
    ),
)


def _is_once(name: str) -> Callable[[AttributeList, FunctionType], bool]:
    """Return a test whether one parameter at most has an attribute; arguments without parameters do not count."""

    def holds(attributes: AttributeList, function_type: FunctionType) -> bool:
        count = len(function_type.parameter_types)
        return sum(name in found for index, found in attributes.parameters.items() if index < count) <= 1

    return holds


def _returns_parameter(attributes: AttributeList, function_type: FunctionType) -> bool:
    return all(
        "returned" not in found or _is_lossless(function_type.parameter_types[index], function_type.return_type)
        for index, found in attributes.parameters.items()
        if index < len(function_type.parameter_types)
    )


def _is_lossless(source: Type, target: Type) -> bool:
    """Return whether values of one type are values of another too."""
    if source is target:
        return True
    both_pointers = isinstance(source, PointerType) and isinstance(target, PointerType)
    return both_pointers and source.address_space == target.address_space  # type: ignore[attr-defined]


def _is_last(attributes: AttributeList, function_type: FunctionType) -> bool:
    last = len(function_type.parameter_types) - 1
    return all("inalloca" not in found or index >= last for index, found in attributes.parameters.items())


def _is_in_front(attributes: AttributeList, function_type: FunctionType) -> bool:
    count = len(function_type.parameter_types)
    return all(
        "sret" not in found or index in {0, 1} or index >= count for index, found in attributes.parameters.items()
    )


_PARAMETERS: Rules = (
    ("More than one parameter has attribute nest!", _is_once("nest")),
    ("More than one parameter has attribute returned!", _is_once("returned")),
    ("Incompatible argument and return types for 'returned' attribute", _returns_parameter),
    ("Cannot have multiple 'sret' parameters!", _is_once("sret")),
    ("Attribute 'sret' is not on first or second parameter!", _is_in_front),
    ("Cannot have multiple 'swiftself' parameters!", _is_once("swiftself")),
    ("Cannot have multiple 'swiftasync' parameters!", _is_once("swiftasync")),
    ("Cannot have multiple 'swifterror' parameters!", _is_once("swifterror")),
    ("inalloca isn't on the last parameter!", _is_last),
)
