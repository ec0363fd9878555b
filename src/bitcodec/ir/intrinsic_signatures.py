"""Checks whether a function has a valid type for the intrinsic of its name, and which types the name contains.

`tables/intrinsics.txt` explains their spelling.  Types are matched in LLVM's order: one that depends on a type
that is not known yet is matched again after all parameters.
"""

from __future__ import annotations

from enum import auto
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.ir.intrinsic_numbers import IntrinsicNumbers
from bitcodec.ir.mangling import has_unnamed, intrinsic_name, mangled
from bitcodec.ir.type_properties import (
    is_floats,
    is_integers,
    is_pointer,
    is_pointers,
    is_same_shape,
    is_vector,
    scalar_width,
)
from bitcodec.ir.types import (
    FloatingPointType,
    IntegerType,
    MetadataType,
    PointerType,
    StructType,
    TargetExtensionType,
    TokenType,
    VectorType,
    VoidType,
    X86AMXType,
)
from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum
from bitcodec.tables.intrinsics import PREFIX, intrinsic_rows, short_part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.intrinsic_numbers import DeclaringModule
    from bitcodec.ir.types import FunctionType, Type

    Test: TypeAlias = Callable[[Type, list[Type]], bool | None]
    """Whether a type matches, given the overloaded types so far, which it may add to; None if that is unknown yet."""

__all__ = ["Misfit", "intrinsic_base", "mangled_name", "matched", "overloaded_types"]


class Misfit(PlainEnum):
    """Why a type is none that an intrinsic may have."""

    RESULT = auto()
    PARAMETER = auto()
    PARAMETERS_OR_VARIABLE = auto()
    """It has too few parameters, or no further arguments though the intrinsic has them."""
    VARIABLE = auto()
    """It has further arguments, or too few parameters before them."""


def intrinsic_base(name: str) -> str | None:
    """Return the name of an intrinsic between `llvm.` and the types, None if the name is not an intrinsic's.

    As in LLVM, the part before a dot that any intrinsic's name begins with decides, and the longest such: there is
    no `llvm.memcpy.in`, because `llvm.memcpy.inline` begins like that.
    """
    if not name.startswith(PREFIX):
        return None
    rows = intrinsic_rows()
    whole = name.removeprefix(PREFIX)
    if whole in rows:
        return whole
    found = short_part(whole)
    while not rows.has_beginning(found):
        found, dot, _ = found.rpartition(".")
        if not dot:
            return None
    return found if found in rows and rows[found].is_overloaded else None


def mangled_name(name: str, function_type: FunctionType, module: DeclaringModule) -> str | None:
    """Return the name that the intrinsic of a declaration has for its types, None if it is not an intrinsic.

    Args:
        name: a name that it may have by its types, or had before.
        function_type: its type.
        module: the module with the declaration: names for structs without a name end with a number there.

    Raises:
        BitcodecError: the name of a type is too long.
    """
    base = intrinsic_base(name)
    types = None if base is None else overloaded_types(base, function_type)
    if base is None or types is None:
        return None
    plain = intrinsic_name(base, types)
    if not has_unnamed(types):
        return plain
    if module._intrinsic_numbers is None:
        module._intrinsic_numbers = IntrinsicNumbers()
    return module._intrinsic_numbers.name(module, plain, base, function_type)


def overloaded_types(base: str, function_type: FunctionType) -> Sequence[Type] | None:
    """Return the types that its name contains, in order; None if the declaration cannot be of this intrinsic."""
    found = matched(base, function_type)
    return None if isinstance(found, Misfit) else found


def matched(base: str, function_type: FunctionType) -> Sequence[Type] | Misfit:
    """Return the types that the name of an intrinsic contains, in order, or why the type is none that it may have."""
    signature = _signature(intrinsic_rows()[base].signature)
    results = _results(signature, function_type.return_type)
    if results is None:
        return Misfit.RESULT
    overloads: list[Type] = []
    unknown: list[tuple[Misfit, Test, Type]] = []
    parameters = function_type.parameter_types
    for misfit, tests, types in (
        (Misfit.RESULT, signature.results, results),
        (Misfit.PARAMETER, signature.parameters, parameters),
    ):
        for test, type_ in zip(tests, types, strict=False):
            fits = test(type_, overloads)
            if fits is None:
                unknown.append((misfit, test, type_))
            elif not fits:
                return misfit
    if len(parameters) > len(signature.parameters):
        return Misfit.PARAMETER
    for misfit, test, type_ in unknown:
        if not test(type_, overloads):
            return misfit
    if len(parameters) == len(signature.parameters) and function_type.is_vararg is signature.is_vararg:
        return overloads
    return Misfit.VARIABLE if function_type.is_vararg else Misfit.PARAMETERS_OR_VARIABLE


class _Signature(NamedTuple):
    """Type tests of a signature.

    Attributes:
        results: of the return type, or of the elements of the returned struct.
        parameters: of the parameters.
        returns_struct: whether a struct is returned.
        is_vararg: whether there are further arguments.
    """

    results: tuple[Test, ...]
    parameters: tuple[Test, ...]
    returns_struct: bool
    is_vararg: bool


@cache
def _signature(text: str) -> _Signature:
    result, _, parameters = text.removesuffix(")").partition("(")
    returns_struct = result.startswith("{")
    results = result[1:-1].split(",") if returns_struct else [result]
    spellings = [each for each in parameters.split(",") if each]
    is_vararg = spellings[-1:] == ["..."]
    tests = tuple(map(_test, spellings[: len(spellings) - is_vararg]))
    return _Signature(tuple(map(_test, results)), tests, returns_struct, is_vararg)


def _results(signature: _Signature, returned: Type) -> Sequence[Type] | None:
    """Return the types of the results, None if their number is wrong."""
    if not signature.returns_struct:
        return (returned,)
    is_plain = isinstance(returned, StructType) and returned.is_literal and not returned.is_packed
    return returned.element_types if is_plain and len(returned.element_types) == len(signature.results) else None


@cache
def _test(spelling: str) -> Test:
    """Return the test whether a type has this spelling."""
    letter, colon, kind = spelling.partition(":")
    if colon:
        return _definition(_index(letter), kind)
    text, slash, letter = spelling.partition("/")
    if slash:
        return _alike(_test(text), _index(letter))
    letter, _, part = spelling.partition(".")
    if letter.isupper():
        return _derived(_index(letter), part)
    return lambda type_, _: _fixed_spelling(type_) == spelling


def _index(letter: str) -> int:
    return ord(letter) - ord("A")


def _definition(index: int, kind: str) -> Test:
    """Return the test of the first occurrence of an overloaded type."""
    name, slash, letter = kind.partition("/")
    if slash:
        return _vector_of_pointers(_index(letter))
    is_of_kind = _KINDS[name]

    def fits(type_: Type, overloads: list[Type]) -> bool | None:
        if index < len(overloads):
            return type_ is overloads[index]
        if index > len(overloads):
            return None
        overloads.append(type_)
        return is_of_kind(type_)

    return fits


_KINDS: dict[str, Callable[[Type], bool]] = {
    "*": lambda _: True,
    "f": is_floats,
    "i": is_integers,
    "p": is_pointer,
    "v": is_vector,
}
"""Whether an overloaded type has a kind."""


def _vector_of_pointers(index: int) -> Test:
    """Return the test of a vector of pointers, itself an overloaded type, with as many elements as another."""

    def fits(type_: Type, overloads: list[Type]) -> bool:
        overloads.append(type_)
        other = overloads[index]
        is_vector = isinstance(type_, VectorType) and isinstance(other, VectorType)
        return is_vector and is_same_shape(type_, other) and is_pointers(type_)

    return fits


def _alike(is_element: Test, index: int) -> Test:
    """Return the test of a scalar or a vector, as an overloaded type is one."""

    def fits(type_: Type, overloads: list[Type]) -> bool | None:
        if index >= len(overloads):
            return None
        return is_same_shape(type_, overloads[index]) and is_element(type_.scalar_type, overloads)

    return fits


def _derived(index: int, part: str) -> Test:
    """Return the test of a type that follows from an overloaded one."""
    count, of, divisor = part.partition("of")
    follows = _part_of(int(divisor)) if of and count == "1" else _DERIVED[part]

    def fits(type_: Type, overloads: list[Type]) -> bool | None:
        return follows(type_, overloads[index]) if index < len(overloads) else None

    return fits


def _part_of(divisor: int) -> Callable[[Type, Type], bool]:
    def follows(type_: Type, whole: Type) -> bool:
        return (
            isinstance(type_, VectorType)
            and isinstance(whole, VectorType)
            and type_.element_type is whole.element_type
            and type_.is_scalable is whole.is_scalable
            and type_.count == whole.count // divisor
        )

    return follows


def _is_wider(type_: Type, narrow: Type) -> bool:
    scalar, other = type_.scalar_type, narrow.scalar_type
    are_integers = isinstance(scalar, IntegerType) and isinstance(other, IntegerType)
    return are_integers and is_same_shape(type_, narrow) and scalar_width(type_) == 2 * scalar_width(narrow)


def _is_narrower(type_: Type, wide: Type) -> bool:
    is_number = isinstance(wide, (IntegerType, VectorType))
    return is_number and is_same_shape(type_, wide) and _is_narrower_scalar(type_.scalar_type, wide.scalar_type, 1)


def _is_narrower_scalar(scalar: Type, wide: Type, halvings: int) -> bool:
    """Return whether a scalar type is another one, halved so many times."""
    if isinstance(wide, IntegerType):
        return isinstance(scalar, IntegerType) and scalar.bit_width == wide.bit_width >> halvings
    if not isinstance(wide, FloatingPointType) or not isinstance(scalar, FloatingPointType):
        return False
    # LLVM without assertions takes `half` for half of anything but `double`.
    return scalar.spelling == ("float" if wide.spelling == "double" and halvings == 1 else "half")


def _is_cut(halvings: int) -> Callable[[Type, Type], bool]:
    def follows(type_: Type, whole: Type) -> bool:
        return (
            isinstance(type_, VectorType)
            and isinstance(whole, VectorType)
            and type_.is_scalable is whole.is_scalable
            and type_.count == whole.count << halvings
            and _is_narrower_scalar(type_.element_type, whole.element_type, halvings)
        )

    return follows


def _is_of_bits(type_: Type, other: Type) -> bool:
    is_vector = isinstance(type_, VectorType) and isinstance(type_.element_type, IntegerType)
    return is_vector and is_same_shape(type_, other) and scalar_width(type_) == scalar_width(other)


_DERIVED: dict[str, Callable[[Type, Type], bool]] = {
    "": lambda type_, other: type_ is other,
    "bits": _is_of_bits,
    "element": lambda type_, other: isinstance(other, VectorType) and type_ is other.element_type,
    "halves": _is_cut(1),
    "narrow": _is_narrower,
    "quarters": _is_cut(2),
    "wide": _is_wider,
}
"""Whether a type follows from another."""


def _fixed_spelling(type_: Type) -> str:
    """Return how names spell a type, "" for one that no signature names: its spelling could be long."""
    scalar = type_.scalar_type
    if isinstance(scalar, VoidType):
        return "void"
    is_plain = isinstance(scalar, TargetExtensionType) and not scalar.type_parameters
    return mangled(type_) if is_plain or isinstance(scalar, _FIXED) else ""


_FIXED = (FloatingPointType, IntegerType, MetadataType, PointerType, TokenType, X86AMXType)
