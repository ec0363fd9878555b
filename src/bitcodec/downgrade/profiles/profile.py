"""The parts of a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Construct
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.constructs import Way
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["Order", "Profile", "row"]


def _no_row(_name: str) -> Construct | None:
    return None


class Order(NamedTuple):
    """The order in which a reader that verifies modules checks for constructs it lacks; all other rows are of bodies.

    After the rows of functions given here come the variables and aliases in the order of the file, then the functions.

    Attributes:
        unverified: the rows that it checks before LLVM's verifier.
        module: the rows that it checks next, in that order.
        functions: the rows that it checks in all functions, before the variables.
        inside: the rows that it checks in a variable or a function, in that order, before its contents.
        compiled: the messages of its code generator, in the order in which it finds them in a function.
        last: the rows that its code generator checks last.
    """

    unverified: tuple[Construct, ...] = ()
    module: tuple[Construct, ...] = ()
    functions: frozenset[Construct] = frozenset()
    inside: tuple[Construct, ...] = ()
    compiled: tuple[str, ...] = ()
    last: frozenset[Construct] = frozenset()


class Profile(NamedTuple):
    """A reader with rules in addition to its version's.

    Attributes:
        name: its name in commands and functions.
        reader: the program, as messages name it.
        version: the version of LLVM that it is based on.
        lower: lowers a module in place, and adds the losses.
        replaced_types: returns, for a module that `lower` has lowered, the types that others are written for; no
            instruction computes with values of these.
        targets: how triples of its targets begin.
        refusal: how it prints a message of its version of LLVM, with `{message}` and `{producer}`.
        short_refusal: the same for messages about metadata and the identification, with `{message}` alone.
        fatal: the same for errors that end LLVM's tools.
        order: the order of its checks.
        crashing: the rows that make it crash without a message.
        about_name: returns the row about the name of a global, None if it accepts the name.
    """

    name: str
    reader: str
    version: int
    lower: Callable[[Module, Losses], None]
    replaced_types: Callable[[Module], dict[Type, Type]]
    targets: tuple[str, ...]
    refusal: str = "{message}"
    short_refusal: str = "{message}"
    fatal: str = "{message}"
    order: Order = Order()
    crashing: frozenset[Construct] = frozenset()
    about_name: Callable[[str], Construct | None] = _no_row


def row(name: str, way: Way, instead: str = "", message: str = "") -> Construct:
    """Return the row of a construct that the reader of a profile lacks, whatever its version of LLVM has."""
    return Construct(name, 0, way, instead, message)
