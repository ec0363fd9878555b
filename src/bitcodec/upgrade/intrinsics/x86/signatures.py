"""Signatures of the declarations of old intrinsics whose calls are rewritten.

A signature is spelled `result(parameter,...)`, each type as one of

| spelling | type |
| --- | --- |
| `V`, `W` | a vector of 128, 256 or 512 bits, the same for each occurrence; `Vi` of integers, `Vf32` of floats |
| `=i32` | as wide as `V`, of 32-bit integers |
| `~V` | of integers, in the shape of `V` |
| `128V` | 128 bits of elements as in `V` |
| `E` | an element of `V` |
| `M` | an integer that has a bit for each element of `V` |
| `R` | the same, 8 bits at least |
| `B` | a vector of `i1`, in the shape of `V` |
| `K` | an integer of 16, 32 or 64 bits, the same everywhere |
| `#i8`, `#` | an integer, of any width if none is given, that calls must pass as a constant |
| `p` | a pointer |
| other | as names of intrinsics spell it |
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bitcodec.ir.mangling import mangled
from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import IntegerType, PointerType, Type, VectorType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.types import FunctionType

__all__ = ["bit_width", "bound", "immediates"]

_REGISTER_WIDTHS = (128, 256, 512)
_ELEMENTS = {"i8", "i16", "i32", "i64", "f32", "f64"}
_MASK_WIDTHS = (16, 32, 64)
_WIDE_MASK = 8
"""From so many elements on a mask has just as many bits; masks of fewer elements have bits to spare."""


def bit_width(type_: Type) -> int:
    """Return the size in bits of a number or of a vector of numbers."""
    return scalar_width(type_) * (type_.count if isinstance(type_, VectorType) else 1)


def immediates(signature: str) -> tuple[int, ...]:
    """Return the indices of the parameters that calls must pass as constants."""
    return tuple(index for index, spelling in enumerate(_spellings(signature)[1:]) if spelling.startswith("#"))


def bound(signature: str, function_type: FunctionType) -> Mapping[str, VectorType] | None:
    """Return the types of `V` and `W` in a declaration, None if it has another signature."""
    spellings = _spellings(signature)
    types = function_type.element_types
    if function_type.is_vararg or len(spellings) != len(types):
        return None
    letters: dict[str, Type] = {}
    pairs = list(zip(spellings, types, strict=True))
    for spelling, type_ in pairs:
        letter = spelling[0]
        if letter in "VWK" and (not _starts(spelling, type_) or letters.setdefault(letter, type_) is not type_):
            return None
    vectors = {letter: type_ for letter, type_ in letters.items() if isinstance(type_, VectorType)}
    if all(spelling[0] in "VWK" or _fits(spelling, type_, vectors.get("V")) for spelling, type_ in pairs):
        return vectors
    return None


@lru_cache(maxsize=256)
def _spellings(signature: str) -> tuple[str, ...]:
    """Return the spelling of the result, then of the parameters."""
    result, _, parameters = signature.removesuffix(")").partition("(")
    return (result, *filter(None, parameters.split(",")))


def _starts(spelling: str, type_: Type) -> bool:
    """Return whether a type is valid for a letter."""
    letter, wanted = spelling[0], spelling[1:]
    if letter == "K":
        return isinstance(type_, IntegerType) and type_.bit_width in _MASK_WIDTHS
    if not isinstance(type_, VectorType) or type_.is_scalable or bit_width(type_) not in _REGISTER_WIDTHS:
        return False
    element = mangled(type_.element_type)
    return element in _ELEMENTS and wanted in {"", element[0], element}


def _fits(spelling: str, type_: Type, vector: VectorType | None) -> bool:
    """Return whether a type matches a spelling without its own letter."""
    if isinstance(type_, PointerType):
        return spelling == "p"
    element = mangled(type_)
    if spelling.startswith("#"):
        return isinstance(type_, IntegerType) and spelling in {"#", f"#{element}"}
    if vector is None:
        return element == {"void": "isVoid"}.get(spelling, spelling)
    if spelling in {"M", "R"}:
        return isinstance(type_, IntegerType) and _is_mask(type_.bit_width, vector.count, is_result=spelling == "R")
    return element == _derived(spelling, vector)


def _is_mask(bits: int, count: int, *, is_result: bool) -> bool:
    if is_result or count >= _WIDE_MASK:
        return bits == max(count, _WIDE_MASK)
    return bits >= count


def _derived(spelling: str, vector: VectorType) -> str:
    """Return the spelling, in names of intrinsics, of a type derived from `V`."""
    element, width = mangled(vector.element_type), scalar_width(vector)
    if spelling.startswith("="):
        other = spelling[1:]
        return f"v{bit_width(vector) // int(other[1:])}{other}"
    return {
        "128V": f"v{128 // width}{element}",
        "B": f"v{vector.count}i1",
        "E": element,
        "void": "isVoid",
        "~V": f"v{vector.count}i{width}",
    }.get(spelling, spelling)
