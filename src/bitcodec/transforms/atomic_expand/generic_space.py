"""Accesses through generic (flat) addresses of AMDGPU, where the kind of memory decides how it is accessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder import metadata_node
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Cast, Store
from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.operations import new_value
from bitcodec.transforms.atomic_expand.replacing import BareBuilder
from bitcodec.transforms.atomic_expand.reuse import reuse_of_expansion
from bitcodec.transforms.atomic_expand.unordered import exchange_in_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.access import Atomic

__all__ = ["GLOBAL", "LOCAL", "NOALIAS_SPACE", "PRIVATE", "add_nothing", "check_space", "use_generic_address"]

GENERIC, GLOBAL, LOCAL, PRIVATE = 0, 1, 3, 5
"""Address spaces."""
NOALIAS_SPACE = "noalias.addrspace"
"""The kind of metadata that excludes address spaces, as ranges of their numbers."""
_NUMBER_BITS = 32


def use_generic_address(access: Atomic) -> None:
    """Let an access of private memory use the generic address of the same memory."""
    place = 1 if isinstance(access, Store) else 0
    module = access.module
    assert module is not None, "an expanded instruction is in a module"  # noqa: S101
    cast = Cast("addrspacecast", access.operand_at(place), module.context.types.pointer(GENERIC))
    cast.insert_before(access)
    cast.name = "scratch.ascast"
    reuse_of_expansion().is_repeatable = False
    access.set_operand(place, cast)


def add_nothing(rmw: AtomicRMW) -> None:
    """Turn an operation with zero that changes nothing into an addition of zero."""
    rmw.operation = AtomicRMWOperation.ADD


def check_space(access: AtomicRMW | AtomicCmpXchg, *, is_whole: bool) -> None:
    """Make an access of private memory not atomic, after a check whether the address is private.

    All others are unchanged, but exclude private memory.

    Args:
        access: the instruction.
        is_whole: whether an address is checked for shared memory, too, and each access knows its address space.
    """
    _SpaceCheck(access, is_whole=is_whole).expand()


class _SpaceCheck:
    """The blocks around an access, from top to bottom."""

    def __init__(self, access: AtomicRMW | AtomicCmpXchg, *, is_whole: bool) -> None:
        self.access = access
        self.builder = builder = BareBuilder(access)
        builder.reuse.is_repeatable = False  # the result has the name of the original, which stays
        self.pointer = access.pointer
        self.is_used = access.is_used
        self.is_whole = is_whole
        end = builder.split_off("atomicrmw.end")
        names = ["shared", "check.private"] * is_whole + ["private", "global", "phi"]
        blocks = {name: builder.block_before(end, f"atomicrmw.{name}") for name in names}
        self.blocks = {**blocks, "end": end}

    def expand(self) -> None:
        results: list[tuple[Value, BasicBlock]] = []
        if self.is_whole:
            self._branch("shared", "check.private")
            results.append((self._access_shared(), self.blocks["shared"]))
            self.builder.at_end(self.blocks["check.private"])
        self._branch("private", "global")
        results.append((self._access_private(), self.blocks["private"]))
        self._access_other()
        self._merge(results)

    def _branch(self, space: str, otherwise: str) -> None:
        """Branch to one block if the address is in a space, else to another."""
        builder = self.builder
        is_there = builder.intrinsic(f"llvm.amdgcn.is.{space}", builder.integer(1), [self.pointer], name=f"is.{space}")
        builder.cond_br(is_there, self.blocks[space], self.blocks[otherwise])

    def _access_shared(self) -> Value:
        builder = self.builder
        builder.at_end(self.blocks["shared"])
        pointer = self._address(LOCAL)
        made = self.access.clone()
        made.set_operand(0, pointer)
        self.blocks["shared"].append(made)
        builder.br(self.blocks["phi"])
        return made

    def _access_private(self) -> Value:
        builder, access = self.builder, self.access
        builder.at_end(self.blocks["private"])
        pointer = self._address(PRIVATE)
        if isinstance(access, AtomicRMW):
            loaded: Value = builder.load(access.type, pointer, alignment=access.alignment, name="loaded.private")
            stored = new_value(builder, access.operation, loaded, access.value)
            builder.store(stored, pointer, alignment=access.alignment)
        else:
            loaded = exchange_in_steps(builder, access, pointer)
        builder.br(self.blocks["phi"])
        return loaded

    def _access_other(self) -> None:
        """Move the access to its block; if it stays generic, it cannot be private any more."""
        builder, access, block = self.builder, self.access, self.blocks["global"]
        builder.at_end(block)
        if self.is_whole:
            access.set_operand(0, self._address(GLOBAL))
        access.remove_from_parent()
        block.append(access)
        if not self.is_whole:
            bounds = [builder.constants.integer(builder.integer(_NUMBER_BITS), PRIVATE + more) for more in (0, 1)]
            access.metadata[NOALIAS_SPACE] = metadata_node(builder.module, *bounds)
        builder.br(self.blocks["phi"])

    def _merge(self, results: Sequence[tuple[Value, BasicBlock]]) -> None:
        """Merge the results of the accesses, if the result is used, under the name of the original."""
        builder, access = self.builder, self.access
        builder.at_end(self.blocks["phi"])
        if self.is_used:
            result = builder.phi(access.type)
            access.replace_all_uses_with(result)
            for value, block in [*results, (access, self.blocks["global"])]:
                result.add_incoming(value, block)
            name, access.name = access.name, ""
            result.name = name
        builder.br(self.blocks["end"])

    def _address(self, space: int) -> Value:
        return self.builder.cast("addrspacecast", self.pointer, self.builder.types.pointer(space))
