"""Loops of `cmpxchg`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder import metadata_node
from bitcodec.named_tuple import NamedTuple
from bitcodec.transforms.atomic_expand.access import Access, at_least_monotonic, failure_ordering
from bitcodec.transforms.atomic_expand.integers import from_integer, to_integer
from bitcodec.transforms.atomic_expand.operations import new_value
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, keep_metadata, replace_and_erase

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Branch
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

    Exchanger: TypeAlias = "Callable[[ReplacementBuilder, Access, Value, Value], Exchanged]"

__all__ = ["Exchanged", "cmpxchg_loop", "exchanged", "expand_to_loop", "has_profile", "mark_unknown"]

_PROF = "prof"


class Exchanged(NamedTuple):
    """Result of an exchange.

    Attributes:
        success: whether memory held the expected value.
        loaded: the value that it held.
        instruction: the `cmpxchg`, None if it is a call.
    """

    success: Value
    loaded: Value
    instruction: AtomicCmpXchg | None = None


def cmpxchg_loop(
    builder: ReplacementBuilder,
    type: Type,
    access: Access,
    new_value: Callable[[Value], Value],
    exchange: Exchanger,
) -> Exchanged:
    """Load, compute and exchange until no other thread interferes; return the exchange.

    The builder is in front of its original again at the end, in the block where the loop ends.
    """
    start = builder.block
    end = builder.split_off("atomicrmw.end")
    loop = builder.block_before(end, "atomicrmw.start")
    first = builder.load(type, access.pointer, alignment=access.alignment)
    builder.br(loop)
    builder.at_end(loop)
    loaded = builder.phi(type, [(first, start)], name="loaded")
    access = access._replace(ordering=at_least_monotonic(access.ordering))
    found = exchange(builder, access, loaded, new_value(loaded))
    loaded.add_incoming(found.loaded, builder.block)
    mark_unknown(builder.cond_br(found.success, end, loop))
    builder.before(builder.original)
    return found


def expand_to_loop(rmw: AtomicRMW, exchange: Exchanger | None = None) -> Exchanged:
    """Replace an `atomicrmw` with a loop of exchanges; return the exchange.  Default: by `cmpxchg`."""
    builder = ReplacementBuilder(rmw)
    found = cmpxchg_loop(
        builder,
        rmw.type,
        Access.of(rmw),
        lambda loaded: new_value(builder, rmw.operation, loaded, rmw.value),
        exchange or exchanged,
    )
    replace_and_erase(rmw, found.loaded)
    return found


def exchanged(builder: ReplacementBuilder, access: Access, loaded: Value, value: Value) -> Exchanged:
    """Exchange by `cmpxchg`, which is of integers."""
    new_value = to_integer(builder, value)
    made = builder.cmpxchg(
        access.pointer,
        to_integer(builder, loaded),
        new_value,
        alignment=access.alignment,
        success_ordering=access.ordering,
        failure_ordering=failure_ordering(access.ordering),
        sync_scope=access.sync_scope,
    )
    keep_metadata(made, builder.original)
    success = builder.extractvalue(made, 1, name="success")
    found = builder.extractvalue(made, 0, name="newloaded")
    return Exchanged(success, from_integer(builder, found, value.type), made)


def mark_unknown(branch: Branch) -> None:
    """Mark the weights of the branch of a loop as unknown, if the function has a profile."""
    function, module = branch.function, branch.module
    if function is not None and module is not None and has_profile(function):
        branch.metadata[_PROF] = metadata_node(module, "unknown", "atomic-expand")


def has_profile(function: Function) -> bool:
    """Return whether it is known how often a function is called."""
    return _PROF in function.metadata
