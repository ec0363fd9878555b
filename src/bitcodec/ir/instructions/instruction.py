# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: for speed
"""Base class of instructions: position in a block, metadata, a debug location.

Rules: LLVM Language Reference, "Instruction Reference".
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, cast

from bitcodec.features import feature
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.members import expose_members
from bitcodec.ir.types import LabelType
from bitcodec.ir.uses import UNTRACKED
from bitcodec.ir.values import User

if TYPE_CHECKING:
    from typing import Self

    from bitcodec.ir.debug_info import DILocation
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSections
    from bitcodec.ir.symbols import SymbolTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "Instruction",
    "Terminator",
    "block_of",
    "instructions_with_attachments",
    "instructions_with_extras",
    "instructions_with_records",
    "present_instructions_of",
    "slot_names",
]


class Instruction(User):
    """An instruction.

    Attributes:
        parent: the block it is in, None while it is in none.
    """

    __slots__ = ("_attachments", "_location", "_records", "parent")

    is_terminator: ClassVar[bool] = False

    parent: BasicBlock | None
    _location: DILocation | Deferred[DILocation | None] | None
    _attachments: dict[str, MDNode] | Deferred[dict[str, MDNode]] | None
    _records: list[DebugRecord] | Deferred[list[DebugRecord]] | None

    def __init__(self, type: Type, operands: tuple[Value, ...]) -> None:
        self._begin(type, operands)

    def _begin(self, type: Type, operands: tuple[Value, ...]) -> None:
        """Set the attributes of all instructions; see `host.code_copies`."""
        self.type = type
        self._name = ""
        self._uses = []
        self._as_metadata = None
        self._operands = operands
        self.parent = None
        self._location = None
        self._attachments = None
        self._records = None
        for operand in operands:
            uses = operand._uses
            if uses is not UNTRACKED:
                uses.append(self)

    @property
    def opcode(self) -> str:
        """The opcode, as text spells it."""
        raise NotImplementedError

    @property
    def function(self) -> Function | None:
        """The function it is in, None if it is in none."""
        return None if self.parent is None else self.parent.parent

    @property
    def module(self) -> Module | None:
        """The module it is in, None if it is in none."""
        function = self.function
        return None if function is None else function.parent

    @property
    def debug_location(self) -> DILocation | None:
        """The place in the source that it comes from, None if it is not known."""
        location = self._location
        return location.fill(self, "_location") if isinstance(location, Deferred) else location

    @debug_location.setter
    def debug_location(self, location: DILocation | None) -> None:
        from bitcodec.ir.debug_info import DILocation  # noqa: PLC0415 - many programs need none

        if not isinstance(location, DILocation | None):
            raise TypeError(f"debug_location must be DILocation or None; got {location!r}")
        self._location = location

    @property
    def metadata(self) -> dict[str, MDNode]:
        """Metadata attached to it by kind, its debug location not among them."""
        attachments = self._attachments
        if attachments is None:
            attachments = self._attachments = {}
        return attachments.fill(self, "_attachments") if isinstance(attachments, Deferred) else attachments

    @property
    def has_attachments(self) -> bool:
        """Whether metadata is attached to it, apart from its debug location.  Creates and reads nothing.

        >>> import bitcodec
        >>> module = bitcodec.open("examples/queue.bc")
        >>> [found.opcode for found in module.functions["push"].instructions if found.has_attachments]
        ['load', 'store', 'store']
        """
        return bool(self._attachments)

    @property
    def pcsections(self) -> PCSections | None:
        """The PC sections it requests, None if there are none; can be set.

        Raises:
            PCSectionsError: the attached node, or the new one, is malformed.
            ValueError: the instruction is not in a module.
        """
        return cast("PCSections | None", feature("requested_pcsections")(self))

    @pcsections.setter
    def pcsections(self, sections: PCSections | None) -> None:
        feature("request_pcsections")(self, sections)

    @property
    def has_debug_records(self) -> bool:
        """Whether there are debug records directly before it.  Creates and reads nothing.

        >>> import bitcodec
        >>> module = bitcodec.open("examples/queue.bc")
        >>> [found.opcode for found in module.functions["push"].instructions if found.has_debug_records]
        ['load', 'load']
        """
        return bool(self._records)

    @property
    def debug_records(self) -> list[DebugRecord]:
        """Debug records directly before it."""
        records = self._records
        if records is None:
            records = self._records = []
        return records.fill(self, "_records") if isinstance(records, Deferred) else records

    def materialize(self) -> None:
        """Read its location, attachments and debug records, if they have not been read.

        Raises:
            BitcodecError: it is malformed.
        """
        if self._location is not None:
            _ = self.debug_location
        if self._attachments is not None:
            _ = self.metadata
        if self._records is not None:
            _ = self.debug_records

    def clone(self) -> Self:
        """Return a copy of the instruction with the same operands, without a name and outside of any block.

        It has the same metadata and debug location; debug records before this one are not copied.

        Raises:
            BitcodecError: its location, attachments or debug records are malformed.
        """
        self.materialize()
        kind = type(self)
        made = kind.__new__(kind)
        for name in slot_names(cast("Any", kind)):
            part = getattr(self, name)
            setattr(made, name, part.copy() if isinstance(part, list | dict) else part)
        made._name = ""
        made._uses = []
        made._as_metadata = made._records = made.parent = None
        for operand in made._operands:
            operand._uses.append(made)
        return made

    def insert_before(self, other: Instruction) -> None:
        """Insert this new instruction directly before another one: after the debug records of that one.

        A phi is inserted before debug records.

        Raises:
            ValueError: it is in a block already, or the other one is not.
        """
        block = block_of(other)
        block._put(self, other, behind_records=True)

    def insert_after(self, other: Instruction) -> None:
        """Insert this new instruction directly after another one.

        Raises:
            ValueError: it is in a block already, or the other one is not.
        """
        block = block_of(other)
        block._put(self, block._following(other), behind_records=False)

    def move_before(self, other: Instruction) -> None:
        """Move it directly before another instruction; its debug records stay.

        Raises:
            ValueError: one of them is not in a block.
        """
        block_of(self), block_of(other)
        if other is not self:
            self.remove_from_parent()
            self.insert_before(other)

    def move_after(self, other: Instruction) -> None:
        """Move it directly after another instruction; its debug records stay.

        Raises:
            ValueError: one of them is not in a block.
        """
        block_of(self), block_of(other)
        if other is not self:
            self.remove_from_parent()
            self.insert_after(other)

    def remove_from_parent(self) -> None:
        """Remove it from its block; its uses stay, and its debug records move to the next instruction.

        Raises:
            ValueError: it is not in a block.
            BitcodecError: debug records of its function are malformed.
        """
        block = block_of(self)
        self._read_metadata_uses()
        if self._records is not None:
            self._leave_records_behind(block)
        block._unlink(self)
        if block.parent is not None:
            block.parent.symbols.remove(self)
        self.parent = None

    def erase_from_parent(self) -> None:
        """Take it out of its block for good; debug records that describe its value describe `poison` from now on.

        Raises:
            ValueError: it still has uses, or is not in a block.
            BitcodecError: debug records of its function are malformed.
        """
        block_of(self)
        if self._uses:
            raise ValueError(f"{self!r} is still used by {next(reversed(self._uses))!r}")
        self._read_metadata_uses()
        self._let_go()
        self.remove_from_parent()

    def drop_all_references(self) -> None:
        """Drop its operands, so that it is no longer their user: for an instruction that is not needed after all.

        Raises:
            ValueError: it is in a block, or something uses it.
        """
        if self.parent is not None or self._uses:
            raise ValueError(f"{self!r} is still there: erase it")
        self._let_go()

    def replace_with(self, other: Value) -> None:
        """Replace it by another value, which gets its uses, and its name if it has none; then erase it.

        A new instruction is inserted there, with the same debug location if it has none.

        Raises:
            TypeError: the types differ.
            ValueError: it is not in a block, or the new value is it, or uses it.
        """
        block_of(self)
        self._check_replacement(other)
        if isinstance(other, Instruction):
            if self in other._operands:
                raise ValueError(f"{other!r} uses what it is to replace")
            if other.parent is None:
                other.insert_before(self)
            if other._location is None:
                other._location = self._location
        self.replace_all_uses_with(other)
        name = self.name
        self.erase_from_parent()
        if not other.name:
            other.name = name

    def _let_go(self) -> None:
        """Drop all its operands, because it is deleted."""
        self._drop_operands()
        if self._as_metadata is not None:
            module = self.module
            if module is None:
                self._as_metadata._value_erased(None)
            else:
                self._as_metadata._value_replaced(module.context.constants.poison(self.type))
            self._as_metadata = None

    def _shown_operands(self) -> tuple[Value, ...]:
        module = self.module
        # In a module another thread may be reading, and replacing what has been upgraded.
        return tuple(self._operands) if module is None else module.context.lock.run_exclusively(self._freeze_operands)

    def _freeze_operands(self) -> tuple[Value, ...]:
        operands = self._operands = tuple(self._operands)
        return operands

    def _take_records(self, records: list[DebugRecord] | Deferred[list[DebugRecord]] | None) -> None:
        """Insert debug records before its own."""
        if records and self._records:
            self._records = _resolved(records) + _resolved(self._records)
        elif records:
            self._records = records

    def _leave_records_behind(self, block: BasicBlock) -> None:
        following = block._following(self)
        records, self._records = self._records, None
        if following is not None:
            following._take_records(records)
        elif records:
            block._trailing_records[:0] = _resolved(records)

    def _check_operand(self, old: Value, new: Value) -> None:
        if isinstance(old.type, LabelType) is not isinstance(new.type, LabelType):
            raise TypeError(f"{self!r} cannot have {new!r} in the place of {old!r}")

    def _goes_with(self, block: BasicBlock, _value: Value) -> bool:
        """Return whether its use of a value is deleted with a block."""
        return self.parent is block

    def _read_metadata_uses(self) -> None:
        function = self.function
        if function is not None:
            function.read_debug_records()

    def _symbol_table(self) -> SymbolTable | None:
        function = self.function
        return None if function is None else function.symbols

    def __repr__(self) -> str:
        name = f"%{self._name} = " if self._name else ""
        return f"<{name}{self.opcode} {self.type.brief}>"


class Terminator(Instruction):
    """An instruction that ends a block."""

    __slots__ = ()
    is_terminator = True

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        """Successors, one per edge, so a block may occur twice."""
        operands = self._operands
        return cast("tuple[BasicBlock, ...]", tuple([operands[index] for index in self._successor_indices]))

    def set_successor(self, index: int, block: BasicBlock) -> None:
        """Replace a successor, by its index in `successors`; phis do not change.

        Raises:
            IndexError: it has no such successor.
        """
        self.set_operand(self._successor_indices[index], block)

    def replace_successor(self, old: BasicBlock, new: BasicBlock) -> None:
        """Replace all edges to a block by edges to another; phis do not change."""
        for index, successor in enumerate(self.successors):
            if successor is old:
                self.set_successor(index, new)

    @property
    def _successor_indices(self) -> range:
        """Indices of the operands that are successors, in the order of `successors`."""
        return range(0)


def block_of(instruction: Instruction) -> BasicBlock:
    """Return the block of an instruction.

    Raises:
        ValueError: it is in no block.
    """
    if instruction.parent is None:
        raise ValueError(f"{instruction!r} is in no block")
    return instruction.parent


def instructions_with_extras(function: Function) -> list[Instruction]:
    """Return the instructions that have been read and have, read or not, a location, attachments or debug records."""
    found: list[Instruction] = []
    for block in function._blocks:
        for instruction in block._instructions:
            if instruction._location is not None or instruction._attachments or instruction._records:
                found.append(instruction)  # noqa: PERF401 - the variable of a comprehension has no C type
    return found


def instructions_with_attachments(function: Function, kinds: frozenset[str]) -> list[Instruction]:
    """Return the instructions that have been read and have attachments of some kinds, or attachments not yet read."""
    found: list[Instruction] = []
    for block in function._blocks:
        for instruction in block._instructions:
            attachments = instruction._attachments
            if attachments and (type(attachments) is not dict or not kinds.isdisjoint(attachments)):
                found.append(instruction)
    return found


def instructions_with_records(function: Function) -> list[Instruction]:
    """Return the instructions that have been read and have debug records, read or not."""
    found: list[Instruction] = []
    for block in function._blocks:
        for instruction in block._instructions:
            if instruction._records:
                found.append(instruction)  # noqa: PERF401 - the variable of a comprehension has no C type
    return found


def present_instructions_of(function: Function, kinds: frozenset[type[Instruction]]) -> list[Instruction]:
    """Return the instructions of a function that have been read and are of some classes."""
    found: list[Instruction] = []
    for block in function._blocks:
        for instruction in block._instructions:
            if type(instruction) in kinds:
                found.append(instruction)  # noqa: PERF401 - the variable of a comprehension has no C type
    return found


@cache
def slot_names(kind: type) -> tuple[str, ...]:
    """Return the names of the slots of a class and of those that it is derived from."""
    return tuple(name for base in kind.__mro__ for name in base.__dict__.get("__slots__", ()))


def _resolved(records: list[DebugRecord] | Deferred[list[DebugRecord]]) -> list[DebugRecord]:
    return records.read() if isinstance(records, Deferred) else records


expose_members(Instruction, Terminator)
