"""Changes instructions, and keeps their metadata right by rule.

Rules: PC Sections Metadata, "Note for Code Generation"; `rules` for all other kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.instructions import CallBase, Load, Store
from bitcodec.ir.propagation import Event, Outcome
from bitcodec.transforms.rewriting.locations import dropped_location, merged_location
from bitcodec.transforms.rewriting.merging import Pair
from bitcodec.transforms.rewriting.replacing import taken_over
from bitcodec.transforms.rewriting.rules import MergeWhen, rule_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.propagation import Listener

__all__ = ["Rewriter"]

_UNDEFINED = ("noundef", "dereferenceable", "dereferenceable_or_null")


class Rewriter:
    """Replaces, duplicates, merges, hoists and erases instructions, by the rules of their metadata.

    `!pcsections` follows the four rules of PC sections: replacements and duplicates have it, of two merged instructions
    one's is kept, and erasing loses it.  All other kinds are treated as in LLVM 22.  An instruction whose flags,
    operands or place are changed in other ways keeps its metadata.

    Args:
        listener: called with the event for each node, afterwards.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self._listener = listener

    def replace(self, old: Instruction, *new: Instruction) -> None:
        """Replace an instruction by new ones and erase it: the last one gets its uses and name.

        New instructions without a block are put where the old one was, in order.  All get its PC sections and its debug
        location, unless they have their own; other kinds are attached where they still hold, and nothing else is.

        Raises:
            TypeError: the last is of another type, and the old one is used.
            ValueError: new ones are missing, or one of them is the old one, or uses it; or the old one has no block.
            BitcodecError: debug records of the function are malformed.
        """
        module = _module_of(old)
        if not new:
            raise ValueError(f"{old!r} has to be replaced by something; it can be erased")
        for each in new:
            _check_stands_alone(each, old)
        _check_takes_uses(old, new[-1])
        _read_records(old)
        for each in new:
            if each.parent is None:
                each.insert_before(old)
            if each.debug_location is None:
                each.debug_location = old.debug_location
        taken = [(each, taken_over(old, each, module, is_last=each is new[-1])) for each in new]
        for each, nodes in taken:
            for kind, node in nodes.values():
                each.metadata.setdefault(kind, node)
        function = _name_of(old)
        attached = dict(old.metadata)
        self._hand_over(old, new[-1])
        for kind, node in attached.items():
            holders = [(each, nodes[kind]) for each, nodes in taken if kind in nodes]
            kept = tuple(each for each, one in holders if each.metadata[one.kind] is one.node)
            merged = tuple(each for each, _ in holders)
            outcome = Outcome.KEPT if kept else Outcome.MERGED if merged else Outcome.LOST
            self._tell(Event(outcome, kind, node, old, kept or merged, function))

    def duplicate(self, instruction: Instruction, before: Instruction | None = None) -> Instruction:
        """Return a copy of an instruction with everything that is attached to it, including its debug location.

        Args:
            instruction: the original.
            before: the instruction to insert the copy before. Default: the one after the original.

        Raises:
            ValueError: it has no block, or it ends its block and `before` is not given.
        """
        _module_of(instruction)
        if before is None and instruction.is_terminator:
            raise ValueError(f"nothing can stand behind {instruction!r}")
        copy = instruction.clone()
        if before is None:
            copy.insert_after(instruction)
        else:
            copy.insert_before(before)
        for kind, node in instruction.metadata.items():
            self._tell(Event(Outcome.COPIED, kind, node, instruction, (copy,), _name_of(instruction)))
        return copy

    def merge(self, kept: Instruction, gone: Instruction, *, moves: bool) -> None:
        """Let one instruction replace another, which is erased.

        It promises no more than both did.  If it has PC sections it keeps them, else it gets the other's.

        Args:
            kept: the instruction to keep.
            gone: the instruction to erase: its uses are taken over.
            moves: whether the kept one runs, now or soon, where it did not: when two branches begin or end alike
                and it replaces both.  It does not if it ran before the other whenever that did.

        Raises:
            TypeError: the types differ, and the erased one is used.
            ValueError: one is the other or uses it, or has no block; or they are calls with different attributes.
            BitcodecError: debug records of the function are malformed.
        """
        context = _module_of(kept).context
        _module_of(gone)
        _check_stands_alone(kept, gone)
        _check_stands_alone(gone, kept)
        _check_takes_uses(gone, kept)
        _check_attributes(kept, gone)
        _read_records(gone)
        ours, theirs = dict(kept.metadata), dict(gone.metadata)
        merged = {}
        for kind in ours | theirs:
            pair = Pair(ours.get(kind), theirs.get(kind), kept, gone, context)
            merged[kind] = self._merged(kind, pair, moves=moves, well_defined="noundef" in ours)
        for kind, node in merged.items():
            _attach(kept, kind, node)
        if moves:
            kept.debug_location = merged_location(kept.debug_location, gone.debug_location, context)
        _narrow(kept, gone, moves=moves)
        function = _name_of(kept)
        self._hand_over(gone, kept)
        for kind, node in merged.items():
            self._tell_merged(kind, Pair(ours.get(kind), theirs.get(kind), kept, gone, context), node, function)

    def hoist(self, instruction: Instruction, before: Instruction) -> None:
        """Move an instruction to where it may run though it did not, without metadata that would make that undefined.

        Attributes of a call that would, are removed too, and so is the debug location, which is wrong there; a call
        keeps line 0 of its function, because inlined code needs a location.

        Raises:
            ValueError: one of the two has no block.
        """
        _module_of(before)
        instruction.move_before(before)
        instruction.debug_location = dropped_location(instruction)
        if isinstance(instruction, CallBase):
            instruction.attributes = _without_undefined(instruction.attributes)
        function = _name_of(instruction)
        for kind, node in list(instruction.metadata.items()):
            is_kept = rule_of(kind).is_harmless
            if not is_kept:
                del instruction.metadata[kind]
            outcome, where = (Outcome.KEPT, (instruction,)) if is_kept else (Outcome.LOST, ())
            self._tell(Event(outcome, kind, node, instruction, where, function))

    def erase(self, instruction: Instruction) -> None:
        """Erase an instruction, and everything that is attached to it.

        Raises:
            ValueError: something still uses it, or it has no block.
            BitcodecError: debug records of the function are malformed.
        """
        attached = dict(instruction.metadata)
        function = _name_of(instruction)
        instruction.erase_from_parent()
        self._tell_lost(instruction, attached.items(), function)

    @staticmethod
    def _merged(kind: str, pair: Pair, *, moves: bool, well_defined: bool) -> MDNode | None:
        rule = rule_of(kind)
        if pair.kept is None and not rule.from_either:
            return None
        is_due = (
            rule.when is MergeWhen.ALWAYS or moves or (rule.when is MergeWhen.UNLESS_WELL_DEFINED and not well_defined)
        )
        return rule.merge(pair) if is_due else pair.kept

    @staticmethod
    def _hand_over(old: Instruction, new: Instruction) -> None:
        """Let an instruction take over uses and name of one of its type, which is erased."""
        is_alike = old.type is new.type
        name = old.name
        if is_alike:
            old.replace_all_uses_with(new)  # debug information follows, too
        old.erase_from_parent()
        if is_alike and not new.name:
            new.name = name

    def _tell_merged(self, kind: str, pair: Pair, node: MDNode | None, function: str) -> None:
        if node is None:
            for source, attached in ((pair.keeper, pair.kept), (pair.goner, pair.gone)):
                if attached is not None:
                    self._tell_lost(source, [(kind, attached)], function)
            return
        if pair.kept is not None:
            outcome = Outcome.KEPT if node is pair.kept else Outcome.MERGED
            self._tell(Event(outcome, kind, pair.kept, pair.keeper, (pair.keeper,), function))
        if pair.gone is not None:
            outcome = Outcome.KEPT if pair.kept is None else Outcome.MERGED
            self._tell(Event(outcome, kind, pair.gone, pair.goner, (pair.keeper,), function))

    def _tell_lost(self, source: Instruction, attached: Iterable[tuple[str, MDNode]], function: str) -> None:
        for kind, node in attached:
            self._tell(Event(Outcome.LOST, kind, node, source, (), function))

    def _tell(self, event: Event) -> None:
        if self._listener is not None:
            self._listener(event)


def _module_of(instruction: Instruction) -> Module:
    module = instruction.module
    if module is None:
        raise ValueError(f"{instruction!r} is in no module")
    return module


def _read_records(instruction: Instruction) -> None:
    """Read the debug records that may name an instruction, before anything is changed."""
    function = instruction.function
    if function is not None:
        function.read_debug_records()


def _name_of(instruction: Instruction) -> str:
    function = instruction.function
    return "" if function is None else function.name


def _check_stands_alone(new: Instruction, old: Instruction) -> None:
    """Raise `ValueError` if an instruction is the erased one, or uses it."""
    if new is old or old in new.operands:
        raise ValueError(f"{new!r} cannot stand for {old!r}, which it {'is' if new is old else 'uses'}")


def _check_takes_uses(old: Instruction, new: Instruction) -> None:
    if old.is_used and old.type is not new.type:
        raise TypeError(f"{old!r} is used: it cannot be replaced by {new!r}, which is of another type")


def _check_attributes(kept: Instruction, gone: Instruction) -> None:
    if isinstance(kept, CallBase) and isinstance(gone, CallBase) and kept.attributes != gone.attributes:
        raise ValueError(f"{kept!r} cannot stand for {gone!r}: their attributes differ")


def _without_undefined(attributes: AttributeList) -> AttributeList:
    """Return attributes of a call without attributes of values that make the call undefined if they are not true."""
    parameters = {index: found.without(*_UNDEFINED) for index, found in attributes.parameters.items()}
    return AttributeList(attributes.for_function, attributes.for_return.without(*_UNDEFINED), parameters)


def _attach(instruction: Instruction, kind: str, node: MDNode | None) -> None:
    if node is None:
        instruction.metadata.pop(kind, None)
    else:
        instruction.metadata[kind] = node


def _narrow(kept: Instruction, gone: Instruction, *, moves: bool) -> None:
    """Let an instruction promise no more than another does: flags alone, and alignment if it moves."""
    if kept.opcode != gone.opcode:
        return
    for name in ("flags", "fast_math"):
        if hasattr(kept, name):
            setattr(kept, name, getattr(kept, name) & getattr(gone, name))
    if moves and isinstance(kept, (Load, Store)) and isinstance(gone, (Load, Store)):
        kept.alignment = min(kept.alignment, gone.alignment)
