"""The builder of an instruction's replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.builder import Builder, attribute
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant
from bitcodec.ir.folding.operations import FoldedOperations
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Branch, Call, Fence, Load, Store
from bitcodec.ir.pcsections import PCSECTIONS
from bitcodec.tables.instruction_flags import NO_FAST_MATH
from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.transforms.atomic_expand.reuse import Reuse, reuse_of_expansion
from bitcodec.transforms.atomic_expand.simplify import (
    simplified_binary,
    simplified_cast,
    simplified_compare,
    simplified_select,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.builder.attributes import AttributeLike
    from bitcodec.builder.calls import ArgumentLike
    from bitcodec.builder.inserting import ValueLike
    from bitcodec.ir.instruction_builder import Made
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import IntegerType, Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.instruction_flags import FastMathFlags
    from bitcodec.tables.opcodes import FCmpPredicate

__all__ = ["STRICT", "BareBuilder", "ReplacementBuilder", "keep_metadata", "replace_and_erase"]

_MMRA = "mmra"
_ORDERED = (Load, Store, AtomicCmpXchg, AtomicRMW, Fence)
"""Instructions that can have `!mmra`, in addition to calls that access memory."""
_NO_ATTRIBUTES = AttributeList()
STRICT = "strictfp"
_KEPT = (
    "tbaa",
    "tbaa.struct",
    "alias.scope",
    "noalias",
    "noalias.addrspace",
    "llvm.access.group",
    _MMRA,
    "amdgpu.no.remote.memory",
    "amdgpu.no.fine.grained.memory",
)
"""Metadata that holds for a wider access too."""


class ReplacementBuilder(Builder, FoldedOperations):
    """Inserts the replacement of an instruction in front of it.

    All its instructions, branches too, get the debug location and `!pcsections` of the original, and accesses its
    `!mmra`.  Its `FoldedOperations` find as much as LLVM's `InstSimplifyFolder`.

    Args:
        original: the instruction; it is in a module.
        is_plain: whether it carries over only `!pcsections`, as for the instructions that a target itself creates.
    """

    __slots__ = ("_mmra", "_pcsections", "_preceding", "is_strict", "original", "reuse")

    _preceding: Instruction | None

    def __init__(self, original: Instruction, *, is_plain: bool = False) -> None:
        block = cast("BasicBlock", original.parent)
        assert original.module is not None, "an expanded instruction is in a module"  # noqa: S101
        self._build_for(original.module)
        self.place(block, original)
        self.debug_location = original.debug_location
        self.original = original
        self.reuse: Reuse = reuse_of_expansion()
        self.is_strict = not is_plain and STRICT in self.function.attributes.for_function
        self._pcsections = original.metadata.get(PCSECTIONS)
        self._mmra = None if is_plain else original.metadata.get(_MMRA)

    def integer(self, bits: int) -> IntegerType:
        """Return an integer type."""
        return self.types.integer(bits)

    def plain_address(self, pointer: Value) -> Value:
        """Return an address in the space that intrinsics take which are there for no other."""
        return self.cast("addrspacecast", pointer, self.types.pointer())

    def _fold_binary(self, opcode: str, lhs: Value, rhs: Value) -> Value | None:
        return simplified_binary(self.constants, opcode, lhs, rhs)

    def _fold_cast(self, opcode: str, value: Value, type: Type) -> Value | None:
        return simplified_cast(self.constants, opcode, value, type)

    def _fold_compare(self, predicate: ICmpPredicate | FCmpPredicate, lhs: Value, rhs: Value) -> Value | None:
        if isinstance(predicate, ICmpPredicate):
            return simplified_compare(self.constants, predicate, lhs, rhs)
        return super()._fold_compare(predicate, lhs, rhs)

    def _fold_select(self, condition: Value, true_value: Value, false_value: Value) -> Value | None:
        return simplified_select(self.constants, condition, true_value, false_value)

    def split_off(self, name: str) -> BasicBlock:
        """Split the block in front of the original; the first part has no terminator, and the builder is at its end."""
        block = self.block
        rest = block.split_off(self.original, name)
        self.place(block, None)
        self.reuse.record(rest, name)
        return rest

    def block_before(self, following: BasicBlock, name: str) -> BasicBlock:
        """Return a new block in front of another."""
        made = BasicBlock(self.types.label, name)
        made.insert_before(following)
        self.reuse.record(made, name)
        return made

    def intrinsic(
        self,
        intrinsic: str,
        return_type: Type,
        arguments: Sequence[ArgumentLike] = (),
        *,
        attributes: AttributeList | Iterable[AttributeLike] = _NO_ATTRIBUTES,
        fast_math: FastMathFlags | str = NO_FAST_MATH,
        name: str = "",
    ) -> Call:
        """Call an intrinsic; in a function that is strict about floating-point numbers calls are so, too."""
        known = self.reuse.intrinsics.get(intrinsic)
        if known is not None and not self.is_strict and isinstance(attributes, AttributeList):
            values = cast("Sequence[Value]", arguments)
            convention = known.calling_convention
            made = Call(known.value_type, known, values, calling_convention=convention, attributes=attributes)
            return self.insert(made, name)
        call = super().intrinsic(
            intrinsic, return_type, arguments, attributes=attributes, fast_math=fast_math, name=name
        )
        if isinstance(call.callee, Function):
            self.reuse.intrinsics[intrinsic] = call.callee
        if self.is_strict:
            call.attributes = call.attributes.with_function(call.attributes.for_function.with_(attribute(STRICT)))
        return call

    def insert(self, instruction: Made, name: str = "") -> Made:
        """Insert an instruction where the builder is, with the metadata that it gets from the original."""
        if name:
            instruction.name = name
        self.reuse.record(instruction, instruction.name)
        if self.debug_location is not None:
            instruction.debug_location = self.debug_location
        if self._preceding is not None:
            instruction.insert_after(self._preceding)
        elif self.following is None:
            self.block.append(instruction)
        else:
            instruction.insert_before(self.following)
        if self._pcsections is not None:
            instruction.metadata[PCSECTIONS] = self._pcsections
        if self._mmra is not None and _is_ordered(instruction):
            instruction.metadata[_MMRA] = self._mmra
        return instruction

    # Expansions pass valid operands; these methods do not check them.

    def br(self, target: BasicBlock) -> Branch:
        """Branch to a block."""
        return self.insert(Branch(self.types.void, target))

    def cond_br(self, condition: ValueLike, true_target: BasicBlock, false_target: BasicBlock) -> Branch:
        """Branch to one of two blocks; the condition is a value."""
        return self.insert(Branch(self.types.void, true_target, cast("Value", condition), false_target))

    def place(self, block: BasicBlock, following: Instruction | None) -> None:
        """Move in front of an instruction of a block of the function, or to the block's end."""
        self.block = block
        self.following = following
        self._preceding = None

    def place_behind(self, instruction: Instruction) -> None:
        """Move right behind an instruction, in front of the debug records that follow it, for one instruction."""
        self._preceding = instruction


class BareBuilder(ReplacementBuilder):
    """Inserts the instructions that a target creates, without metadata, in front of one; it folds constants only.

    Args:
        original: the instruction; it is in a module.
        is_strict: whether its instructions are strict about floating-point numbers, in a strict function.
    """

    __slots__ = ()

    def __init__(self, original: Instruction, *, is_strict: bool = False) -> None:
        super().__init__(original, is_plain=not is_strict)
        self._pcsections = self._mmra = None

    def _fold_binary(self, opcode: str, lhs: Value, rhs: Value) -> Value | None:
        return super()._fold_binary(opcode, lhs, rhs) if _are_constant(lhs, rhs) else None

    def _fold_cast(self, opcode: str, value: Value, type: Type) -> Value | None:
        return super()._fold_cast(opcode, value, type) if value.type is type or _are_constant(value) else None

    def _fold_compare(self, predicate: ICmpPredicate | FCmpPredicate, lhs: Value, rhs: Value) -> Value | None:
        return super()._fold_compare(predicate, lhs, rhs) if _are_constant(lhs, rhs) else None

    def _fold_select(self, condition: Value, true_value: Value, false_value: Value) -> Value | None:
        is_known = _are_constant(condition, true_value, false_value)
        return super()._fold_select(condition, true_value, false_value) if is_known else None


def _are_constant(*values: Value) -> bool:
    return all(isinstance(value, Constant) for value in values)


def _is_ordered(made: Instruction) -> bool:
    """Return whether an instruction accesses memory, or orders accesses."""
    if isinstance(made, Call) and isinstance(made.callee, Function):
        memory = made.callee.attributes.for_function.memory
        return memory is None or memory.raw != 0
    return isinstance(made, _ORDERED)


def replace_and_erase(original: Instruction, value: Value) -> None:
    """Let a value take over the uses of an instruction, which is erased; its name gets lost, as in LLVM."""
    original.replace_all_uses_with(value)
    original.erase_from_parent()


def keep_metadata(made: Instruction, original: Instruction) -> None:
    """Give an access the metadata of the one that it replaces, as far as that holds for a wider one."""
    for kind in _KEPT:
        if kind in original.metadata:
            made.metadata[kind] = original.metadata[kind]
