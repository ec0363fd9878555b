"""Memory operands of instructions.  Rules: LLVM's `MachineMemOperand`, as MIR spells it."""

from __future__ import annotations

from dataclasses import dataclass

from bitcodec.ir.spelling import escaped
from bitcodec.mir.operand import MachineOperand, offset_text

__all__ = ["MEMORY_FLAGS", "MEMORY_METADATA", "ORDERINGS", "CallEntry", "CustomSource", "MachineMemOperand"]

MEMORY_FLAGS = ("volatile", "non-temporal", "dereferenceable", "invariant")
"""Words in front of `load` or `store`, in LLVM's order; flags of the target follow, in quotes."""

ORDERINGS = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
"""Orderings of atomic accesses, the weakest first."""

MEMORY_METADATA = ("tbaa", "alias.scope", "noalias", "noalias.addrspace", "range")
"""Kinds of metadata behind the address."""


@dataclass(frozen=True, slots=True)
class CallEntry(MachineOperand):
    """The place from which the address of a called function is loaded."""

    callee: MachineOperand

    def _text(self) -> str:
        return f"call-entry {self.callee}"


@dataclass(frozen=True, slots=True)
class CustomSource(MachineOperand):
    """Memory that the back end has a name for: `stack`, `got`, ..., or, in quotes, one that the target has."""

    name: str

    def _text(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class MachineMemOperand:
    """A part of memory that an instruction reads or writes.

    Attributes:
        is_load: whether it is read.
        is_store: whether it is written.
        type: low-level type of the value there, such as `s32`; or `unknown-size`, or a number of bytes.
        value: the base of the address; None if unknown.
        offset: from there, in bytes.
        flags: words of `MEMORY_FLAGS` and flags of the target.
        sync_scope: scope of an atomic access, if it is not the system.
        ordering: of an atomic access.
        failure_ordering: of a comparison that fails.
        align: in bytes, where it is not the size.
        base_align: alignment in bytes without the offset, where it is not `align`.
        metadata: kinds and nodes.
        address_space: its number.
    """

    is_load: bool = False
    is_store: bool = False
    type: str = "unknown-size"
    value: MachineOperand | None = None
    offset: int = 0
    flags: tuple[str, ...] = ()
    sync_scope: str | None = None
    ordering: str = ""
    failure_ordering: str = ""
    align: int | None = None
    base_align: int | None = None
    metadata: tuple[tuple[str, MachineOperand], ...] = ()
    address_space: int = 0

    @property
    def is_volatile(self) -> bool:
        """Whether the access must not be changed or removed."""
        return "volatile" in self.flags

    @property
    def is_atomic(self) -> bool:
        """Whether the access has an ordering."""
        return bool(self.ordering)

    def __str__(self) -> str:
        words = [*self.flags]
        if self.is_load:
            words.append("load")
        if self.is_store:
            words.append("store")
        if self.sync_scope is not None:
            words.append(f'syncscope("{escaped(self.sync_scope)}")')
        words += filter(None, (self.ordering, self.failure_ordering, self._size()))
        if self.value is not None:
            words += (self._preposition(), f"{self.value}{offset_text(self.offset)}")
        return f"({' '.join(words)}{self._rest()})"

    def _size(self) -> str:
        return self.type if self.type == "unknown-size" or self.type.isdecimal() else f"({self.type})"

    def _preposition(self) -> str:
        if self.is_load:
            return "on" if self.is_store else "from"
        return "into"

    def _rest(self) -> str:
        rest = []
        if self.align is not None:
            rest.append(f", align {self.align}")
        if self.base_align is not None:
            rest.append(f", basealign {self.base_align}")
        rest += (f", !{kind} {node}" for kind, node in self.metadata)
        if self.address_space:
            rest.append(f", addrspace {self.address_space}")
        return "".join(rest)
