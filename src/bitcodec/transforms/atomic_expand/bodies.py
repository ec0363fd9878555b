"""Visits bodies of functions and expands each instruction, or repeats the expansion of one with its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction.present import present_blocks
from bitcodec.ir.construction.setting import set_blocks
from bitcodec.ir.construction.stamping import Ending
from bitcodec.transforms.atomic_expand.description import Expansion
from bitcodec.transforms.atomic_expand.loops import has_profile
from bitcodec.transforms.atomic_expand.plans import Recording
from bitcodec.transforms.atomic_expand.replacing import STRICT
from bitcodec.transforms.atomic_expand.reuse import reuse_of_expansion
from bitcodec.transforms.atomic_expand.shapes import atomics_of, shape_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.construction.stamping import Stamp
    from bitcodec.ir.functions import Function
    from bitcodec.transforms.atomic_expand.access import Atomic
    from bitcodec.transforms.atomic_expand.expansion import Expander
__all__ = ["BodyExpander"]

_SMALL = "minsize"


class _Stamps:
    """The expansions of a target in functions that are alike.

    Attributes:
        known: by shape; None for expansions that cannot be repeated.
        seen: the shapes that there were.
    """

    __slots__ = ("known", "seen")

    def __init__(self) -> None:
        self.known: dict[Hashable, Stamp | None] = {None: None}
        self.seen: set[Hashable] = set()

    def is_due(self, shape: Hashable) -> bool:
        """Return whether the expansion of an instruction is to be recorded: it is the second of its shape."""
        was_seen = shape in self.seen
        self.seen.add(shape)
        return was_seen and shape not in self.known


class BodyExpander:
    """Expands the atomic instructions of functions.

    Args:
        expander: expands one instruction.
    """

    def __init__(self, expander: Expander) -> None:
        target = expander.target
        self._expander = expander
        self._comes_again = target.may_leave_some
        self._has_conditions = any(rule.expansion is Expansion.FLAGS for rule in target.operation)
        self._stamps: dict[Hashable, _Stamps] = {}

    def expand(self, function: Function, instructions: Iterable[Atomic]) -> None:
        """Expand atomic instructions that `soundness.check_all` has let pass; the last of a block comes first.

        As in LLVM, instructions in new blocks are expanded again, unless that changes nothing for the target.  While a
        block is expanded, the function has only that and its entry: so each new block gets its place at once, however
        many there are.
        """
        if not self._expander.target.is_expanded:
            return
        waiting: dict[BasicBlock | None, list[Atomic]] = {}
        for instruction in instructions:
            waiting.setdefault(instruction.parent, []).append(instruction)
        if not waiting:
            return
        function.read_debug_records()
        blocks = present_blocks(function)
        entry, originals = blocks[0], set(blocks)
        stamps = self._stamps.setdefault(_kind(function), _Stamps())
        done: list[BasicBlock] = []
        pending = [*reversed(blocks)]
        while pending:
            block = pending.pop()
            found = waiting.get(block)
            if self._comes_again and block not in originals:
                found = atomics_of(block)
            done.append(block)
            if found:
                kept = (block,) if block is entry else (entry, block)
                pending += reversed(self._expand_block(function, kept, found, stamps))
        set_blocks(function, done)

    def _expand_block(
        self, function: Function, kept: tuple[BasicBlock, ...], found: Iterable[Atomic], stamps: _Stamps
    ) -> list[BasicBlock]:
        """Expand instructions of a block, the last first; return the new blocks behind it, in order."""
        ending, table, known = Ending(kept[-1]), function.symbols, stamps.known
        behind: list[list[BasicBlock]] = []
        for instruction in found:
            shape = self._shape(instruction)
            stamp = known.get(shape)
            if stamp is not None:
                behind.append(stamp.apply(instruction, ending, table))
                continue
            ending.restore()
            set_blocks(function, kept)
            is_recorded = stamps.is_due(shape)
            recording = self._expand_one(instruction, is_recorded=is_recorded)
            behind.append([*present_blocks(function)[len(kept) :]])
            if is_recorded:
                known[shape] = None if recording is None else recording.stamp(behind[-1])
        ending.restore()
        return [block for blocks in reversed(behind) for block in blocks]

    def _shape(self, instruction: Atomic) -> Hashable:
        """Return everything that decides the expansion of an instruction, None if more than that does."""
        shape = shape_of(instruction, self._has_conditions)
        traits = self._expander.target.traits
        return shape if shape is None or traits is None else (shape, traits(instruction))

    def _expand_one(self, instruction: Atomic, *, is_recorded: bool) -> Recording | None:
        """Expand an instruction by itself; return how that was done, None if that cannot be repeated."""
        if not is_recorded:
            self._expander.expand(instruction)
            return None
        with reuse_of_expansion().recorded(instruction) as made:
            recording = Recording(instruction, made)
            self._expander.expand(instruction)
        return recording if reuse_of_expansion().is_repeatable else None


def _kind(function: Function) -> Hashable:
    """Return the properties of the enclosing function that expansions depend on."""
    own = function.attributes.for_function
    return STRICT in own, _SMALL in own, has_profile(function)
