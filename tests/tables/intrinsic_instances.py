"""Declarations and calls of LLVM 22's intrinsics, for the readers of other versions to judge.

An overloaded intrinsic gets several instances; which of them LLVM 22 accepts, its verifier decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from bitcodec.builder import Builder, add_block, add_function, add_variable
from bitcodec.builder.metadata import metadata_value
from bitcodec.ir.attributes import AttributeList, AttributeSet, TypeAttribute
from bitcodec.ir.intrinsic_signatures import Misfit, matched
from bitcodec.ir.mangling import intrinsic_name
from bitcodec.ir.metadata import MDString
from bitcodec.ir.module import Module
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import (
    FloatingPointType,
    FunctionType,
    IntegerType,
    MetadataType,
    PointerType,
    TokenType,
    Type,
    VectorType,
)
from bitcodec.ir.values import Value
from bitcodec.tables.intrinsics import intrinsic_rows
from bitcodec.tables.linkage import ThreadLocalMode

__all__ = ["Instance", "instances_of", "module_of"]

_FLOATING = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "f128": "fp128", "ppcf128": "ppc_fp128"}
_CANDIDATES = {
    "*": "i32 f32 v4i32 p0 v4f32 i64 f16 v2f16 v2i64 i8",
    "i": "i32 v4i32 i64 i16 v8i16 i8 v16i8 v2i64 i32 i32",
    "f": "f32 v4f32 f16 f64 v8f16 v2f64 v2f16 f32 f32 f32",
    "v": "v4i32 v4f32 v16i8 v8f16 v2i64 v2f64 v8i16 v2i32 v8i32 v8i8",
    "p": "p0 p0 p1 p3 p5 p0 p7 p8 p0 p0",
}
"""By kind of overloaded type, those that are tried."""
_SCALABLE = {
    "*": "nxv4i32 nxv4f32 nxv16i8 nxv8i16 nxv2i64 nxv8f16 nxv2f64 nxv4i32 nxv4i32 nxv16i1",
    "i": "nxv4i32 i32 i64 nxv16i8 nxv8i16 nxv2i64 i32 i64 i64 i64",
    "f": "nxv4f32 nxv8f16 nxv2f64 f32 f64 nxv4f32 nxv4f32 f32 f32 f32",
    "v": "nxv4i32 nxv4f32 nxv16i8 nxv8i16 nxv2i64 nxv8f16 nxv2f64 nxv8bf16 nxv4i1 nxv16i1",
    "p": "p0 p0 p0 p0 p0 p0 p0 p0 p0 p0",
}
_OF_IMAGES = {
    "*": "v4f32 f32 v4f16 v2f32 i32 f32 f32 f32 f32 f32",
    "i": "i32 i32 i16 i32 i32 i32 i32 i32 i32 i32",
    "f": "f32 f32 f16 f32 f32 f32 f32 f32 f32 f32",
}
"""What is tried for images, whose descriptors are vectors of 8 integers, and those of samplers of 4."""
_DESCRIPTORS = ("v8i32", "v4i32")
_WITH_POINTERS = 2
"""The number of the instances whose descriptors are pointers."""
_IMAGES = "amdgcn.image."
_WITH_SCALABLE = ("aarch64.sve.", "aarch64.sme.", "riscv.v")
_TRIES = 10
_WITH_ELEMENT_TYPES = (
    *(f"aarch64.{name}" for name in ("ldaxr", "ldxr", "stlxr", "stxr")),
    *(f"arm.{name}" for name in ("ldaex", "ldrex", "stlex", "strex")),
    "preserve.array.access.index",
    "preserve.struct.access.index",
)
"""Intrinsics whose calls state what their first pointer points to."""


class Instance(NamedTuple):
    """An intrinsic with types.

    Attributes:
        base: the name without `llvm.` and types.
        number: among the instances of the intrinsic.
        type: of the function.
    """

    base: str
    number: int
    type: FunctionType

    @property
    def name(self) -> str:
        """The name of the declaration."""
        found = matched(self.base, self.type)
        assert not isinstance(found, Misfit)
        return intrinsic_name(self.base, found)


def instances_of(base: str, types: TypeTable) -> Iterator[Instance]:
    """Yield instances of an intrinsic, each with other types."""
    row = intrinsic_rows()[base]
    known = set()
    for number in range(_TRIES if row.is_overloaded else 1):
        try:
            type_ = _function_type(row.signature, types, number, base)
        except (AttributeError, IndexError, KeyError, ValueError, TypeError):
            continue
        if type_ not in known and not isinstance(matched(base, type_), Misfit):
            known.add(type_)
            yield Instance(base, number, type_)


def _function_type(text: str, types: TypeTable, number: int, base: str) -> FunctionType:
    result, _, parameters = text.removesuffix(")").partition("(")
    results = result[1:-1].split(",") if result.startswith("{") else [result]
    spellings = [each for each in parameters.split(",") if each]
    is_vararg = spellings[-1:] == ["..."]
    spellings = spellings[: len(spellings) - is_vararg]
    letters = _letters(results, spellings, types, number, base)
    made = [_type(each, types, letters) for each in results]
    returned = types.struct(made) if result.startswith("{") else made[0]
    return types.function(returned, [_type(each, types, letters) for each in spellings], is_vararg=is_vararg)


def _letters(results: list[str], spellings: list[str], types: TypeTable, number: int, base: str) -> dict[str, Type]:
    is_scalable, is_image = base.startswith(_WITH_SCALABLE), base.startswith(_IMAGES)
    candidates = _SCALABLE if is_scalable else _OF_IMAGES if is_image else _CANDIDATES
    descriptors = ["p8", "p8"] if number == _WITH_POINTERS else list(_DESCRIPTORS)
    letters: dict[str, Type] = {}
    for place, spelling in enumerate((*results, *spellings)):
        letter, colon, kind = spelling.partition(":")
        if not colon:
            continue
        name, slash, other = kind.partition("/")
        if slash:
            letters[letter] = types.like(letters[other], types.pointer())
        elif is_image and name == "*" and place >= len(results):
            letters[letter] = _fixed(descriptors.pop(0), types)
        else:
            letters[letter] = _fixed(candidates[name].split()[number], types)
    return letters


def _type(spelling: str, types: TypeTable, letters: dict[str, Type]) -> Type:
    letter, colon, _ = spelling.partition(":")
    if colon:
        return letters[letter]
    text, slash, letter = spelling.partition("/")
    if slash:
        return types.like(letters[letter], _type(text, types, letters).scalar_type)
    letter, _, part = spelling.partition(".")
    if letter.isupper() and len(letter) == 1:
        return _derived(letters[letter], part, types)
    return _fixed(spelling, types)


def _derived(type_: Type, part: str, types: TypeTable) -> Type:
    scalar = type_.scalar_type
    if not part:
        return type_
    if part == "element":
        return scalar
    if part == "bits":
        return types.like(type_, types.integer(scalar.bit_width))  # type: ignore[attr-defined]
    if part in {"wide", "narrow"}:
        return types.like(type_, _resized(scalar, 1 if part == "wide" else -1, types))
    assert isinstance(type_, VectorType)
    if part in {"halves", "quarters"}:
        halvings = 1 if part == "halves" else 2
        element = _resized(scalar, -halvings, types)
        return types.vector(type_.count << halvings, element, is_scalable=type_.is_scalable)
    count = type_.count // int(part.removeprefix("1of"))
    if not count:
        raise ValueError("a vector without elements")
    return types.vector(count, scalar, is_scalable=type_.is_scalable)


def _resized(scalar: Type, doublings: int, types: TypeTable) -> Type:
    if isinstance(scalar, IntegerType):
        width = scalar.bit_width << doublings if doublings > 0 else scalar.bit_width >> -doublings
        return types.integer(width)
    assert isinstance(scalar, FloatingPointType)
    if doublings == 1:
        return _named({"half": "float", "float": "double"}[scalar.spelling], types)
    return _named("float" if (scalar.spelling, doublings) == ("double", -1) else "half", types)


def _named(name: str, types: TypeTable) -> Type:
    found: Type = getattr(types, name)
    return found


_VECTOR = re.compile(r"(nx)?v(\d+)(.*)")


def _fixed(spelling: str, types: TypeTable) -> Type:
    vector = _VECTOR.fullmatch(spelling)
    if vector and spelling != "void":
        return types.vector(int(vector[2]), _fixed(vector[3], types), is_scalable=bool(vector[1]))
    if spelling in _FLOATING:
        return _named(_FLOATING[spelling], types)
    if spelling[0] == "i":
        return types.integer(int(spelling[1:]))
    if spelling[0] == "p":
        return types.pointer(int(spelling[1:]))
    if spelling == "taarch64.svcountt":
        return types.target_extension("aarch64.svcount")
    return {"void": types.void, "token": types.token, "Metadata": types.metadata, "x86amx": types.x86_amx}[spelling]


def module_of(instances: Iterable[Instance], module: Module, *, are_immediate: bool = False) -> Module:
    """Add a function to a module that calls each instance once, each behind a call of `marker` with its number.

    Arguments are constants where LLVM 22 requires that, else `undef`; the function is variadic, as some intrinsics
    require.

    Args:
        instances: with types of the context of the module.
        module: an empty module.
        are_immediate: whether all arguments that are integers are constants.
    """
    types = module.context.types
    caller = add_function(module, "caller", types.function(types.void, [], is_vararg=True))
    block = add_block(caller, "entry")
    builder = Builder(block)
    builder.at_end(block)
    number = types.integer(32)
    marker = add_function(module, "marker", types.function(types.void, [number]))
    for place, instance in enumerate(instances):
        builder.call(marker, [module.context.constants.integer(number, place)])
        declared = add_function(module, instance.name, instance.type)
        declared.attributes = AttributeList()
        immediate = _immediate(instance.base)
        arguments = [
            _special_argument(module, instance.base, type_)
            or _argument(module, type_, immediate.get(index + 1, 0 if are_immediate else None))
            for index, type_ in enumerate(instance.type.parameter_types)
        ]
        call = builder.call(declared, arguments)
        if instance.base in _WITH_ELEMENT_TYPES:
            element = AttributeSet([TypeAttribute("elementtype", types.integer(32))])
            pointers = [n for n, type_ in enumerate(instance.type.parameter_types) if isinstance(type_, PointerType)]
            call.attributes = AttributeList(parameters=dict.fromkeys(pointers[:1], element))
    builder.ret()
    return module


@cache
def _immediate(base: str) -> dict[int, int]:
    """Return the numbers of the parameters, from 1, that must be constants, with the least that they may be."""
    found = {}
    for text in intrinsic_rows()[base].attributes[1:]:
        place, _, attributes = text.partition(": ")
        if "immarg" in attributes.split():
            least = _RANGE.search(attributes)
            found[int(place)] = int(least[1]) if least else 0
    return found


_RANGE = re.compile(r"range\(\w+ (-?\d+),")


_SHAPE = 2
"""Rows and columns of a matrix whose elements a vector of 4 contains."""


def _special_argument(module: Module, base: str, type_: Type) -> Value | None:
    """Return the argument that verifiers require of few intrinsics, None for the usual one."""
    constants = module.context.constants
    if base == "threadlocal.address" and isinstance(type_, PointerType):
        name = f"thread_local.{type_.address_space}"
        found = module.get(name)
        if found is None:
            made = add_variable(module, name, module.context.types.integer(32), address_space=type_.address_space)
            made.thread_local_mode = ThreadLocalMode.GENERAL_DYNAMIC
            return made
        return found
    if base.startswith("matrix.") and isinstance(type_, IntegerType) and type_.bit_width > 1:
        return constants.integer(type_, _SHAPE)
    if base.startswith("coro.id") and isinstance(type_, PointerType):
        return constants.null(type_)
    return None


def _argument(module: Module, type_: Type, number: int | None) -> Value:
    constants = module.context.constants
    if isinstance(type_, MetadataType):
        return metadata_value(module, MDString("round.tonearest"))
    if isinstance(type_, TokenType):
        return constants.null(type_)
    if number is not None and isinstance(type_, IntegerType):
        return constants.integer(type_, number)
    if number is not None and isinstance(type_, FloatingPointType):
        return constants.floating(type_, 0)
    if number is not None and isinstance(type_, PointerType):
        return constants.null(type_)
    return constants.undef(type_)
