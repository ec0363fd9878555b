"""Expansions that come again: how an instruction was expanded is noted, and its stamp serves others of its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction.copies import slot_names
from bitcodec.ir.construction.present import (
    instructions_between,
    neighbours,
    present_wrapper,
)
from bitcodec.ir.construction.stamping import Stamp, StampedStep
from bitcodec.ir.construction.unlisted import unlisted_copy
from bitcodec.ir.instructions import Alloca, AtomicCmpXchg, Instruction, Phi
from bitcodec.ir.metadata import LocalAsMetadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.transforms.atomic_expand.shapes import is_first

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.access import Atomic
    from bitcodec.transforms.atomic_expand.reuse import Made

__all__ = ["Recording"]

_COMMON = frozenset(slot_names(Instruction))
"""Attributes that all instructions have."""
_EMPTY = {"operands": (), "location": None, "metadata": None, "debug_records": None, "parent": None}
"""Attributes that a prototype lacks."""

T = TypeVar("T")


class _NotRepeatableError(Exception):
    """An expansion depends on more than the shape of its original."""


class _Taken:
    """Uses of an instruction before its expansion, by which its replacement is found.

    Attributes:
        value: the instruction.
        use: its first use, if it has any.
        wrapper: the metadata that wraps it, if there is some.
    """

    __slots__ = ("use", "value", "wrapper")

    def __init__(self, value: Instruction) -> None:
        self.value = value
        self.use = next(value.uses, None)
        self.wrapper = present_wrapper(value)


class Recording:
    """How one instruction is expanded.

    Args:
        original: the instruction, right before it is expanded.
        made: the new values of the expansion, in order; the builders fill it.
    """

    def __init__(self, original: Atomic, made: Sequence[Made]) -> None:
        self._original = original
        self._made = made
        self._block = _known(original.parent)
        self._is_first = is_first(original)
        self._preceding, following = neighbours(original)
        self._following = [following]
        self._halves: list[_Taken] = []
        if isinstance(original, AtomicCmpXchg):
            self._halves = [_Taken(user) for user in original.users if isinstance(user, Instruction)]
        for _ in self._halves:  # which follow it: see `shape_of`
            self._following.append(neighbours(_known(self._following[-1]))[1])
        self._operands = original.operands
        self._metadata = dict(original.metadata)
        self._location = original.debug_location
        self._attributes = _attributes(original)
        self._taken = _Taken(original)

    def stamp(self, blocks: Sequence[BasicBlock]) -> Stamp | None:
        """Return the stamp that repeats the expansion, None if it depends on more than the shape of the original.

        Args:
            blocks: the new blocks, in order.
        """
        try:
            return self._stamp(blocks)
        except _NotRepeatableError:
            return None

    def _stamp(self, blocks: Sequence[BasicBlock]) -> Stamp:
        made = [each for each in self._made if _is_there(each.value)]
        # A name that is free again may have given another value a number.
        _require(not any(name for value, name, _ in self._made if not _is_there(value)))
        values = (*self._operands, self._block, self._original, *[each.value for each in made])
        self._later: list[tuple[Instruction, int]] = []
        self._places = {value: place for place, value in reversed([*enumerate(values)])}
        top = self._all_placed(each.value for each in made if self._is_on_top(each.value))
        layout = [top, *(self._instructions(block, blocks) for block in (self._block, *blocks))]
        is_kept = self._original.parent is not None
        _require(sum(map(len, layout)) == len(made) - len(blocks) + is_kept)
        erased = [each for each in self._halves if each.value.parent is None]
        _require(not erased or (len(erased) == len(self._halves) and bool(blocks)))
        halves = [self._result(each) for each in erased]
        result = -1 if is_kept or erased else self._result(self._taken)
        for value, name, _ in made:
            _require(value.name.startswith(name) if name else not value.name)
        steps = [self._step(value, name) for value, name, _ in made]
        self._add_later_operands(steps)
        self._check_uses([each.value for each in made], steps)
        changes = self._changes() if is_kept else None
        _require(is_kept or layout[1] != [])  # something in front of it gets its debug records
        before = sum(each.is_before for each in made)
        return Stamp(steps, layout, self._all_placed(blocks), result, halves, changes, before)

    def _is_on_top(self, value: Value) -> bool:
        """Return whether a new value goes to the start of the function."""
        return isinstance(value, Alloca) and not self._is_first

    def _instructions(self, block: BasicBlock, blocks: Sequence[BasicBlock]) -> list[int]:
        """Return the places of the instructions of a block that it did not have before."""
        first = self._preceding if block is self._block else None
        last = None
        if block is (blocks[-1] if blocks else self._block):
            last = next(each for each in self._following if each is None or each.parent is not None)
        _require(all(each is None or each.parent is block for each in (first, last)))
        found = instructions_between(block, first, last)
        return self._all_placed(each for each in found if not self._is_on_top(each))

    def _result(self, taken: _Taken) -> int:
        """Return the place of the value that has taken over the uses of an instruction, -1 for none."""
        found: Value | None = None
        if taken.use is not None:
            _require(not isinstance(taken.use.user, Instruction) or taken.use.user.parent is not None)
            found = taken.use.user.operand_at(taken.use.operand_number)
        elif taken.wrapper is not None:
            found = taken.wrapper.value
        if found is None:
            return -1
        place = self._placed(found)
        _require(place >= len(self._operands) + 2)
        return place

    def _changes(self) -> list[tuple[str, object]]:
        """Return the attributes that the original has got, and their values."""
        _require(self._original.operands == self._operands and dict(self._original.metadata) == self._metadata)
        now = _attributes(self._original)
        return [(name, value) for name, value in now.items() if value is not self._attributes[name]]

    def _step(self, value: Value, name: str) -> StampedStep:
        if isinstance(value, BasicBlock):
            return StampedStep(BasicBlock(value.type, name))
        assert isinstance(value, Instruction), "expansions make instructions and blocks"  # noqa: S101
        # At the start of the function it has the debug location of the first instruction there.
        has_location = value.debug_location is not None and not self._is_on_top(value)
        _require(not has_location or value.debug_location is self._location)
        incoming: list[int] = []
        changes: dict[str, object] = {"name": name, **_EMPTY}
        if isinstance(value, Phi):
            incoming = self._all_placed(value.incoming_blocks)
            changes["incoming_blocks"] = []
        _require(not any(isinstance(found, (list, dict)) for found in _attributes(value).values()))
        operands = self._operand_places(value)
        attached = [(kind, None if self._metadata.get(kind) is node else node) for kind, node in value.metadata.items()]
        return StampedStep(unlisted_copy(value, **changes), operands, incoming, attached, has_location=has_location)

    def _operand_places(self, user: Instruction) -> list[int | Value]:
        """Return the places of operands, constants unchanged, -1 for operands that are made after their user."""
        places, own = self._places, self._places[user]
        operands = [places.get(operand, operand) for operand in user.operands]
        for operand in operands:
            _require(isinstance(operand, (int, Constant)) or _is_constant_metadata(operand))
        later = [number for number, operand in enumerate(operands) if isinstance(operand, int) and operand > own]
        self._later += [(user, number) for number in later]
        return [-1 if number in later else operand for number, operand in enumerate(operands)]

    def _add_later_operands(self, steps: Sequence[StampedStep]) -> None:
        """Have each operand that is made after its user added when the builder did that: its uses are in that order."""
        first = len(self._operands) + 2
        additions: list[tuple[int, int, tuple[int, int, int]]] = []
        for user, number in self._later:
            operand = user.operand_at(number)
            users = operand.users
            rank = users.index(user)
            due = max([self._places[operand], *[self._places.get(each, 0) for each in users[:rank]]])
            additions.append((due, rank, (self._places[user], number, self._places[operand])))
        for due, _, addition in sorted(additions):
            steps[due - first].additions.append(addition)

    def _check_uses(self, made: Sequence[Value], steps: Sequence[StampedStep]) -> None:
        """Check that steps use new values in the existing order: a value that replaced another has an order."""
        first = len(self._operands) + 2
        users: dict[int, list[int]] = {}
        for own, (value, step) in enumerate(zip(made, steps, strict=True), first):
            later = {number for user, number in self._later if user is value}
            for number, operand in enumerate(getattr(value, "operands", ())):
                if operand in self._places and number not in later:
                    users.setdefault(self._places[operand], []).append(own)
            for user_place, _, place in step.additions:
                users.setdefault(place, []).append(user_place)
        for own, value in enumerate(made, first):
            places = [self._places.get(user, 0) for user in value.users]
            # An operand, the phi of a loop, may be a user: as others that the expansion does not make, it gets last.
            _require([place for place in places if place >= first - 1] == users.get(own, []))

    def _placed(self, value: Value) -> int:
        place = self._places.get(value)
        if place is None:
            raise _NotRepeatableError
        return place

    def _all_placed(self, values: Iterable[Value]) -> list[int]:
        return [self._placed(value) for value in values]


def _require(condition: bool) -> None:  # noqa: FBT001
    if not condition:
        raise _NotRepeatableError


def _known(found: T | None) -> T:
    """Return a property that every expanded instruction has."""
    assert found is not None  # noqa: S101
    return found


def _attributes(instruction: Instruction) -> dict[str, object]:
    """Return the attributes of an instruction that are specific to its class."""
    names = [name for name in slot_names(type(instruction)) if name not in _COMMON]
    return {name: getattr(instruction, name) for name in names if name != "_incoming_blocks"}


def _is_there(value: Value) -> bool:
    """Return whether something that was made was not erased again."""
    return isinstance(value, (BasicBlock, Instruction)) and value.parent is not None


def _is_constant_metadata(operand: object) -> bool:
    return isinstance(operand, MetadataAsValue) and not isinstance(operand.metadata, LocalAsMetadata)
