"""Whether older versions have an intrinsic in the form of LLVM 22, by its types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.intrinsic_signatures import intrinsic_base, overloaded_types
from bitcodec.ir.mangling import mangled
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType, VectorType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.intrinsic_history import Presence, first_version, presence
from bitcodec.tables.intrinsics import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.functions import Function
    from bitcodec.ir.types import Type

__all__ = ["IntrinsicForm", "form_of", "kinds_of", "lacking_form", "sized_kinds_of"]


class IntrinsicForm(NamedTuple):
    """Name and types of an intrinsic, which decide which versions have it.

    Attributes:
        base: its name without `llvm.` and types.
        kinds: of the types that its name contains.
        sized: the same, with the sizes of numbers.
    """

    base: str
    kinds: str
    sized: str


def form_of(function: Function) -> IntrinsicForm | None:
    """Return the form of an intrinsic, None if LLVM 22 has no intrinsic of its name and type."""
    base = intrinsic_base(function.name)
    types = None if base is None else overloaded_types(base, function.value_type)
    return None if base is None or types is None else IntrinsicForm(base, kinds_of(types), sized_kinds_of(types))


def lacking_form(function: Function, version: int, form: IntrinsicForm | None = None) -> Construct | None:
    """Return the row of an intrinsic that a version does not have in this form, None if it does.

    Args:
        function: a declaration of a module of which all is read; its type is one that LLVM 22 accepts, else nothing is
            known of it.
        version: of LLVM.
        form: its form, if the caller knows it.
    """
    form = form or form_of(function)
    if form is None:
        return None
    base, kinds, sized = form
    found = presence(base, version, kinds, sized)
    if found is Presence.SAME or (found is Presence.IMMEDIATE and _are_immediate(function)):
        return None
    since = first_version(base, version, kinds, sized)
    if found in {Presence.OTHER_FORM, Presence.IMMEDIATE}:
        return Construct(f"today's form of {function.name}", since, Way.REFUSE)
    return Construct(PREFIX + base, since, Way.REFUSE if found is Presence.OTHER else Way.KEEP)


def _are_immediate(function: Function) -> bool:
    """Return whether all calls of a function pass constants where integers are."""
    calls = (user for user in present_uses(function) if isinstance(user, CallBase))
    passed = (each for call in calls for each in call.arguments if isinstance(each.type, IntegerType))
    return all(isinstance(each, ConstantInt) for each in passed)


def kinds_of(types: Iterable[Type]) -> str:
    """Return the kinds of types as rows of the table have them: `f.vi` for a number and a vector of integers."""
    return ".".join("v" * isinstance(type_, VectorType) + _KINDS.get(type(type_.scalar_type), "?") for type_ in types)


def sized_kinds_of(types: Iterable[Type]) -> str:
    """Return kinds with the sizes of numbers, as rows of the table have them if kinds do not decide: `i32.p`."""
    return ".".join("v" * isinstance(type_, VectorType) + _sized(type_.scalar_type) for type_ in types)


def _sized(type_: Type) -> str:
    return mangled(type_) if isinstance(type_, FloatingPointType | IntegerType) else _KINDS.get(type(type_), "?")


_KINDS: dict[type[Type], str] = {FloatingPointType: "f", IntegerType: "i", PointerType: "p"}
