"""Types that older versions of LLVM lack: one row each.  Rules: docs/reference/older-readers.md, 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import TypeCode
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.type_properties import is_scalable
from bitcodec.ir.types import FloatingPointType, TargetExtensionType, X86AMXType
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.types import Type

__all__ = ["ROWS", "TARGET_TYPE", "TypeConstruct", "lacked_types"]


class TypeConstruct(NamedTuple):
    """A row.

    Attributes:
        construct: the type.
        is_it: returns whether a type is one.
    """

    construct: Construct
    is_it: Callable[[Type], bool]


TARGET_TYPE = Construct("target extension type", TypeCode.TARGET_TYPE.since, Way.REFUSE)

ROWS: tuple[TypeConstruct, ...] = (
    TypeConstruct(TARGET_TYPE, lambda type_: isinstance(type_, TargetExtensionType)),
    TypeConstruct(
        Construct("type bfloat", TypeCode.BFLOAT.since, Way.REFUSE),
        lambda type_: isinstance(type_, FloatingPointType) and type_.spelling == "bfloat",
    ),
    TypeConstruct(
        Construct("type x86_amx", TypeCode.X86_AMX.since, Way.REFUSE),
        lambda type_: isinstance(type_, X86AMXType),
    ),
    TypeConstruct(
        Construct("scalable vector", 9, Way.REFUSE),
        is_scalable,
    ),
)


def lacked_types(version: int) -> list[TypeConstruct]:
    """Return the rows of the types that a version lacks."""
    return [row for row in ROWS if row.construct.since > version]
