"""Changes machine instructions, and keeps their metadata right by rule.

Rules: PC Sections Metadata, "Note for Code Generation"; for all else that instructions carry, the tables below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import MIRError
from bitcodec.ir.propagation import Event, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.ir.propagation import Listener
    from bitcodec.mir.blocks import MachineBasicBlock
    from bitcodec.mir.instruction import MachineInstr, Suffix

__all__ = ["MachineRewriter"]

_KINDS = {"pcsections": "pcsections", "mmra": "mmra", "debug-location": "dbg", "heap-alloc-marker": "heapallocsite"}
"""Suffixes that are nodes, with their kinds of metadata in LLVM IR: the kinds that events describe."""

_FOR_ALL = ("pcsections", "mmra", "debug-location")
"""Keywords of the values that all replacements of an instruction get."""

_FOR_FIRST = ("pre-instr-symbol",)
_FOR_LAST = ("post-instr-symbol",)
_FOR_ONE = ("heap-alloc-marker", "cfi-type", "deactivation-symbol")
"""Keywords of the values that a replacement gets only if it is the only one."""

_UNIQUE = ("pre-instr-symbol", "post-instr-symbol", "debug-instr-number")
"""Keywords of values that identify one instruction: labels, and the number that debuggers find a value by."""


class MachineRewriter:
    """Replaces, duplicates, merges and erases machine instructions by the four rules of PC sections.

    Registers are up to the caller: nothing is renamed, and uses of registers that an erased instruction wrote stay.

    Args:
        listener: called with the event for each node, afterwards.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self._listener = listener

    def replace(self, old: MachineInstr, *new: MachineInstr) -> None:
        """Replace an instruction by new ones and erase it.

        New instructions without a block are put where the old one was, in order.  All get its PC sections and its debug
        location, unless they have their own; labels go to the first and the last.  If there is one new instruction, or
        one that writes the same registers, debuggers and the document's lists of calls refer to it.

        Raises:
            MIRError: new ones are missing, or one of them is the old one; or the old one has no block.
        """
        block = _block_of(old)
        if not new or old in new:
            raise MIRError(f"{old.opcode} has to be replaced by something else; it can be erased")
        is_opener = block.is_opener(old)
        for each in new:
            if each.block is None:
                each.is_inside_bundle = old.is_inside_bundle or (is_opener and each is not new[0])
                block.insert_before(old, each)
        carried = old.suffixes
        for each in new:
            _give(each, carried, _FOR_ALL)
        _give(new[0], carried, _FOR_FIRST)
        _give(new[-1], carried, _FOR_LAST)
        if len(new) == 1:
            _give(new[0], carried, _FOR_ONE)
        successor = next((each for each in new if each.defs and _names(each) == _names(old)), None)
        if successor is not None:
            _give(successor, carried, ("debug-instr-number",))
        self._take_out(old, successor or (new[0] if len(new) == 1 else None), is_opener=is_opener, joined=new)
        for keyword, node in _nodes(carried):
            holders = tuple(each for each in new if each.suffixes.get(keyword) == node)
            others = tuple(each for each in new if keyword in each.suffixes)
            outcome = Outcome.KEPT if holders else Outcome.MERGED if others else Outcome.LOST
            self._tell(outcome, keyword, node, old, holders or others, block)

    def duplicate(self, instruction: MachineInstr, before: MachineInstr | None = None) -> MachineInstr:
        """Return a copy of an instruction with everything attached to it, except labels and its number for debuggers.

        Entries of the document's lists about a call do not apply to the copy.

        Args:
            instruction: the original.
            before: the instruction to insert the copy before. Default: the one after the original.

        Raises:
            MIRError: one of the two has no block.
        """
        block = _block_of(instruction)
        copy = instruction.copy()
        copy.suffixes = {keyword: each for keyword, each in instruction.suffixes.items() if keyword not in _UNIQUE}
        following = block.following(instruction) if before is None else before
        copy.is_inside_bundle = following is not None and following.is_inside_bundle
        if before is None:
            block.insert_after(instruction, copy)
        else:
            _block_of(before).insert_before(before, copy)
        for keyword, node in _nodes(copy.suffixes):
            self._tell(Outcome.COPIED, keyword, node, instruction, (copy,), block)
        return copy

    def merge(self, kept: MachineInstr, gone: MachineInstr, *, moves: bool) -> None:
        """Let one instruction replace another, which is erased.

        It has the memory operands of both, and promises no more than both.  If it has PC sections it keeps them, else
        it gets the other's.

        Args:
            kept: the instruction to keep.
            gone: the instruction to erase.
            moves: whether the kept one runs where it did not: when two branches begin or end alike and it replaces
                both.  Its debug location is then lost, unless both had the same.

        Raises:
            MIRError: they are the same, or one of them has no block.
        """
        block = _block_of(kept)
        gone_block = _block_of(gone)
        if kept is gone:
            raise MIRError(f"{kept.opcode} cannot be merged with itself")
        ours, theirs = kept.suffixes, gone.suffixes
        _give(kept, theirs, ("pcsections",))
        if moves and kept.debug_location != gone.debug_location:
            kept.debug_location = None
        if ours.get("mmra") != theirs.get("mmra"):
            kept.set_suffix("mmra", None)
        kept.flags = tuple(flag for flag in kept.flags if flag in gone.flags)
        kept.memory_operands = tuple(dict.fromkeys(kept.memory_operands + gone.memory_operands))
        self._take_out(gone, None, is_opener=False)
        for keyword, node in _nodes(ours):
            is_kept = keyword in kept.suffixes
            self._tell(Outcome.KEPT if is_kept else Outcome.LOST, keyword, node, kept, (kept,) * is_kept, block)
        for keyword, node in _nodes(theirs):
            is_there = keyword in kept.suffixes
            outcome = Outcome.LOST if not is_there else Outcome.MERGED if keyword in ours else Outcome.KEPT
            self._tell(outcome, keyword, node, gone, (kept,) * is_there, gone_block)

    def erase(self, instruction: MachineInstr) -> None:
        """Erase an instruction, and everything attached to it.

        Raises:
            MIRError: it has no block.
        """
        block = _block_of(instruction)
        self._take_out(instruction, None, is_opener=False)
        for keyword, node in _nodes(instruction.suffixes):
            self._tell(Outcome.LOST, keyword, node, instruction, (), block)

    @staticmethod
    def _take_out(
        old: MachineInstr, successor: MachineInstr | None, *, is_opener: bool, joined: Iterable[MachineInstr] = ()
    ) -> None:
        """Remove an instruction from its block; its successor inherits the document's entries about it as a call."""
        block = _block_of(old)
        if block.function is not None:
            block.function.moved_call(old, successor)
        following = block.following(old)
        block.remove(old)
        if is_opener and following is not None and any(each.block is block for each in joined):
            following.is_inside_bundle = True

    def _tell(
        self,
        outcome: Outcome,
        keyword: str,
        node: Suffix,
        source: MachineInstr,
        results: tuple[MachineInstr, ...],
        block: MachineBasicBlock,
    ) -> None:
        if self._listener is not None:
            function = "" if block.function is None else block.function.name
            self._listener(Event(outcome, _KINDS[keyword], node, source, results, function))


def _block_of(instruction: MachineInstr) -> MachineBasicBlock:
    if instruction.block is None:
        raise MIRError(f"{instruction.opcode} is in no block")
    return instruction.block


def _nodes(suffixes: Mapping[str, Suffix]) -> list[tuple[str, Suffix]]:
    return [(keyword, suffixes[keyword]) for keyword in _KINDS if keyword in suffixes]


def _names(instruction: MachineInstr) -> list[str]:
    return [register.name for register in instruction.defs]


def _give(instruction: MachineInstr, carried: Mapping[str, Suffix], keywords: tuple[str, ...]) -> None:
    """Copy the values of another instruction to one that lacks them."""
    for keyword in keywords:
        if keyword in carried and keyword not in instruction.suffixes:
            instruction.set_suffix(keyword, carried[keyword])
