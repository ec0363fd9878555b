"""How rows spell the type of a declaration: `A:v(P:p,#i32,A)`.

Result and parameters are each one of

| spelling | type |
| --- | --- |
| `i32`, `v4f32`, `p0`, `void`... | as names of intrinsics spell it |
| `A` | any type, the same for each occurrence of the letter |
| `A:i`, `A:f`, `A:p` | numbers, floating-point numbers, pointers, or vectors of them |
| `A:v`, `A:vf`, `A:s` | a vector, one of floating-point numbers, a scalable one |
| `#i32` | the type after `#`, of an argument that calls must pass as a constant |
| `A/B` | elements as in `A`, as many as in `B`; of new declarations alone, as the following |
| `{A,i1}` | a struct |

`*` alone is any signature.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bitcodec.ir.mangling import FLOATING_POINT, mangled
from bitcodec.ir.type_properties import is_floats, is_integers, is_pointers, is_scalable, is_vector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import FunctionType, Type

__all__ = ["bound", "function_type_of", "immediates", "type_of"]

_TESTS: dict[str, Callable[[Type], bool]] = {
    "": lambda _: True,
    "f": is_floats,
    "i": is_integers,
    "p": is_pointers,
    "s": is_scalable,
    "v": is_vector,
    "vf": lambda type_: is_vector(type_) and is_floats(type_),
}
"""Tests for a letter in a signature, by the text after its colon."""

_SPELLINGS = {spelling: name for name, spelling in FLOATING_POINT.items()}
_VECTOR = r"(nx)?v([0-9]+)(.+)"


@cache
def _tokens(signature: str) -> tuple[str, ...]:
    """Return the result, then the parameters."""
    result, parameters = re.fullmatch(r"([^(]+)\((.*)\)", signature).groups()  # type: ignore[union-attr] # of our rows
    return (result, *filter(None, parameters.split(",")))


@cache
def immediates(signature: str) -> tuple[int, ...]:
    """Return the indices of the parameters that calls must pass as constants."""
    if signature == "*":
        return ()
    return tuple(index for index, token in enumerate(_tokens(signature)[1:]) if token.startswith("#"))


def bound(signature: str, function_type: FunctionType) -> Mapping[str, Type] | None:
    """Return the types of the letters in a declaration, None if it has another signature."""
    if signature == "*":
        return {}
    tokens = _tokens(signature)
    types = function_type.element_types
    if function_type.is_vararg or len(tokens) != len(types):
        return None
    letters: dict[str, Type] = {}
    for token, type_ in zip(tokens, types, strict=True):
        letter, _, kind = token.removeprefix("#").partition(":")
        if letter.isupper():
            if not _TESTS[kind](type_) or letters.setdefault(letter, type_) is not type_:
                return None
        elif _spelled(type_) != letter:
            return None
    return letters


def function_type_of(signature: str, letters: Mapping[str, Type], types: TypeTable) -> FunctionType:
    """Return the type of a new declaration."""
    result, _, parameters = signature.removesuffix(")").partition("(")
    return types.function(type_of(result, letters, types), _types_of(parameters, letters, types))


def type_of(spelling: str, letters: Mapping[str, Type], types: TypeTable) -> Type:
    """Return the type of a spelling in a new declaration."""
    if spelling.startswith("{"):
        return types.struct(_types_of(spelling[1:-1], letters, types))
    if spelling in letters:
        return letters[spelling]
    element, slash, shape = spelling.partition("/")
    if slash:
        return types.like(letters[shape], letters[element].scalar_type)
    vector = re.fullmatch(_VECTOR, spelling)
    if vector is not None:
        scalable, count, element = vector.groups()
        return types.vector(int(count), _scalar(element, types), is_scalable=scalable is not None)
    return _scalar(spelling, types)


def _types_of(spellings: str, letters: Mapping[str, Type], types: TypeTable) -> list[Type]:
    return [type_of(spelling, letters, types) for spelling in spellings.split(",") if spelling]


def _scalar(spelling: str, types: TypeTable) -> Type:
    if spelling in _SPELLINGS:
        found: Type = getattr(types, _SPELLINGS[spelling])
        return found
    if spelling[1:].isdigit():
        number = int(spelling[1:])
        return types.integer(number) if spelling[0] == "i" else types.pointer(number)
    return {"void": types.void, "token": types.token}[spelling]


def _spelled(type_: Type) -> str:
    return "void" if (spelling := mangled(type_)) == "isVoid" else spelling
