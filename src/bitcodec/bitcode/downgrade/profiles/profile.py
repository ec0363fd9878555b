"""What a profile consists of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitcodec.bitcode.downgrade.constructs import Construct

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.downgrade.constructs import Rule
    from bitcodec.bitcode.downgrade.losses import Losses
    from bitcodec.ir.module import Module

__all__ = ["Profile", "row"]


class Profile(NamedTuple):
    """A reader with rules of its own.

    Attributes:
        name: what commands and functions call it.
        reader: the program, as messages name it.
        version: the version of LLVM that it is made of.
        lower: lowers a module in place, and adds what the reader lacks to the losses.
        integer_types: floating-point types, as text spells them, that are written as integers of the same size; after
            `lower`, no instruction computes with them.
    """

    name: str
    reader: str
    version: int
    lower: Callable[[Module, Losses], None]
    integer_types: frozenset[str] = frozenset()


def row(name: str, rule: Rule, instead: str = "") -> Construct:
    """Return the row of a construct that the reader of a profile lacks, whatever its version of LLVM has."""
    return Construct(name, 0, rule, instead)
