"""Functions, their arguments and basic blocks.

Rules: LLVM Language Reference, "Functions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.constants import Constant
from bitcodec.ir.globals import GlobalObject
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.symbols import SymbolTable
from bitcodec.ir.values import Value
from bitcodec.tables import calling_conventions
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.debug_info import DISubprogram
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.types import FunctionType, LabelType, PointerType, Type

__all__ = ["Argument", "BasicBlock", "Function"]

_NO_ATTRIBUTES = AttributeList()
_OPERAND_NAMES = ("personality", "prefix_data", "prologue_data")


class Argument(Value):
    """A parameter of a function, inside it.

    Attributes:
        parent: the function.
        index: which parameter, from 0.
    """

    __match_args__ = ("index", "type")
    __slots__ = ("index", "parent")

    def __init__(self, type: Type, parent: Function, index: int) -> None:
        super().__init__(type)
        self.parent = parent
        self.index = index

    def _symbol_table(self) -> SymbolTable:
        return self.parent.symbols

    def __repr__(self) -> str:
        return f"<Argument {self.index} {self.type} %{self.name}>"


class BasicBlock(Value):
    """A straight run of instructions, the last of them a terminator.

    Attributes:
        parent: the function, None while it is in none.
    """

    __match_args__ = ("name",)
    __slots__ = ("_instructions", "_trailing_records", "parent")

    type: LabelType

    def __init__(self, type: LabelType, name: str = "") -> None:
        super().__init__(type)
        self._name = name
        self._instructions: list[Instruction] = []
        self._trailing_records: list[DebugRecord] = []
        self.parent: Function | None = None

    @property
    def instructions(self) -> tuple[Instruction, ...]:
        """Its instructions, in order."""
        return tuple(self._instructions)

    @property
    def terminator(self) -> Instruction | None:
        """The instruction that ends it, None while it has none."""
        last = self._instructions[-1] if self._instructions else None
        return last if last is not None and last.is_terminator else None

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        """Where control may go from here."""
        terminator = self.terminator
        return () if terminator is None else terminator.successors

    @property
    def predecessors(self) -> tuple[BasicBlock, ...]:
        """Where control may come from, each block once."""
        found = dict.fromkeys(user.parent for user in self._terminators())
        return tuple(block for block in found if block is not None)

    @property
    def trailing_debug_records(self) -> list[DebugRecord]:
        """Debug records after the last instruction, while it has no terminator."""
        return self._trailing_records

    def append(self, instruction: Instruction) -> None:
        """Put an instruction at the end.

        Raises:
            ValueError: it stands somewhere already.
        """
        self.insert(len(self._instructions), instruction)

    def insert(self, index: int, instruction: Instruction) -> None:
        """Put an instruction before the one at `index`.

        Raises:
            ValueError: it stands somewhere already.
        """
        if instruction.parent is not None:
            raise ValueError(f"{instruction!r} stands in a block already; move it instead")
        self._instructions.insert(index, instruction)
        instruction.parent = self
        if self.parent is not None:
            self.parent.symbols.enter(instruction)

    def erase_from_parent(self) -> None:
        """Take the block out of its function for good, with its instructions.

        Raises:
            ValueError: something outside still uses it or an instruction of it.
        """
        outside = [
            user
            for value in (self, *self._instructions)
            for user in value.users
            if getattr(user, "parent", None) is not self
        ]
        if outside:
            raise ValueError(f"{self!r} is still used by {outside[0]!r}")
        for instruction in reversed(self._instructions):
            instruction._drop_operands()
            instruction.parent = None
        self._instructions.clear()
        if self.parent is not None:
            self.parent._blocks.remove(self)
            self.parent.symbols.remove(self)
            self.parent = None

    def _terminators(self) -> Iterator[Instruction]:
        from bitcodec.ir.instructions.instruction import Instruction  # noqa: PLC0415 - instructions know blocks

        for user in self._uses:
            if isinstance(user, Instruction):
                yield user

    def _symbol_table(self) -> SymbolTable | None:
        return None if self.parent is None else self.parent.symbols

    def __iter__(self) -> Iterator[Instruction]:
        return iter(self.instructions)

    def __len__(self) -> int:
        return len(self._instructions)

    def __bool__(self) -> bool:
        return True  # a block without instructions is a block

    def __repr__(self) -> str:
        return f"<BasicBlock %{self.name}, {len(self._instructions)} instructions>"


class Function(GlobalObject):
    """A function; its body is read when it is first asked for.

    Attributes:
        calling_convention: a number of `tables.calling_conventions`.
        garbage_collector: name of the collector its frames are made for, "" if none.
        preferred_alignment: in bytes, None if the target decides.
    """

    __slots__ = (
        "_arguments",
        "_attributes",
        "_blocks",
        "_body_metadata",
        "_held",
        "_read_body",
        "_symbols",
        "calling_convention",
        "garbage_collector",
        "preferred_alignment",
    )

    value_type: FunctionType

    def __init__(
        self,
        type: PointerType,
        value_type: FunctionType,
        linkage: Linkage = Linkage.EXTERNAL,
    ) -> None:
        super().__init__(type, value_type, linkage)
        self.calling_convention = calling_conventions.C
        self._attributes: AttributeList | Deferred[AttributeList] = _NO_ATTRIBUTES
        self.garbage_collector = ""
        self.preferred_alignment: int | None = None
        self._arguments: tuple[Argument, ...] | None = None
        self._blocks: list[BasicBlock] = []
        self._symbols: SymbolTable | None = None
        self._read_body: Callable[[Function], None] | None = None
        self._body_metadata: Deferred[list[tuple[str, MDNode]]] | None = None
        self._held: tuple[str, ...] = ()

    @property
    def attributes(self) -> AttributeList:
        """Attributes of the function, its return value and its parameters."""
        attributes = self._attributes
        if isinstance(attributes, Deferred):
            attributes = self._attributes = attributes.resolve()
        return attributes

    @attributes.setter
    def attributes(self, attributes: AttributeList) -> None:
        self._attributes = attributes

    @property
    def function_type(self) -> FunctionType:
        """Its parameters and what it returns."""
        return self.value_type

    @property
    def return_type(self) -> Type:
        """What it returns."""
        return self.value_type.return_type

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Its parameters, named as its body names them."""
        self.materialize()
        return self.parameters

    @property
    def parameters(self) -> tuple[Argument, ...]:
        """Its parameters; no body is read for them, and so they may have no names yet."""
        if self._arguments is None:
            types = self.value_type.parameter_types
            self._arguments = tuple(Argument(type_, self, index) for index, type_ in enumerate(types))
        return self._arguments

    @property
    def blocks(self) -> tuple[BasicBlock, ...]:
        """Its basic blocks, the entry first; none for a declaration."""
        self.materialize()
        return tuple(self._blocks)

    @property
    def entry_block(self) -> BasicBlock | None:
        """Where it begins, None for a declaration."""
        self.materialize()
        return self._blocks[0] if self._blocks else None

    @property
    def instructions(self) -> Iterator[Instruction]:
        """All its instructions, block after block."""
        for block in self.blocks:
            yield from block.instructions

    @property
    def symbols(self) -> SymbolTable:
        """The names of its arguments, blocks and instructions."""
        if self._symbols is None:
            self._symbols = SymbolTable()
        return self._symbols

    @property
    def is_declaration(self) -> bool:
        """Whether it has no body here."""
        return self._read_body is None and not self._blocks

    @property
    def is_materialized(self) -> bool:
        """Whether its body has been read."""
        return self._read_body is None

    @property
    def is_vararg(self) -> bool:
        """Whether calls may pass more than its parameters."""
        return self.value_type.is_vararg

    @property
    def is_intrinsic(self) -> bool:
        """Whether the compiler itself stands for it."""
        return self._name.startswith("llvm.")

    @property
    def personality(self) -> Constant | None:
        """The function that unwinding through it calls, None if none."""
        return self._held_constant("personality")

    @personality.setter
    def personality(self, value: Constant | None) -> None:
        self._hold("personality", value)

    @property
    def prefix_data(self) -> Constant | None:
        """What stands before its entry, None if nothing."""
        return self._held_constant("prefix_data")

    @prefix_data.setter
    def prefix_data(self, value: Constant | None) -> None:
        self._hold("prefix_data", value)

    @property
    def prologue_data(self) -> Constant | None:
        """What stands at its entry, before its code; None if nothing."""
        return self._held_constant("prologue_data")

    @prologue_data.setter
    def prologue_data(self, value: Constant | None) -> None:
        self._hold("prologue_data", value)

    @property
    def subprogram(self) -> DISubprogram | None:
        """The debug information of it, None if there is none."""
        found = next((node for kind, node in self.metadata if kind == "dbg"), None)
        return cast("DISubprogram | None", found)

    @property
    def metadata(self) -> list[tuple[str, MDNode]]:
        """Attached metadata: kind and node, in order; a kind may occur more than once."""
        self.materialize()
        attached = super().metadata
        if self._body_metadata is not None:
            attached += self._body_metadata.resolve()
            self._body_metadata = None
        return attached

    def materialize(self) -> None:
        """Read its body, if it was not read yet.

        Raises:
            BitcodecError: it is malformed.
        """
        if self._read_body is not None:
            read, self._read_body = self._read_body, None
            try:
                read(self)
            except BaseException:
                self._read_body = read
                raise

    def append_block(self, block: BasicBlock) -> None:
        """Put a block at the end.

        Raises:
            ValueError: it stands in a function already.
        """
        self.insert_block(len(self.blocks), block)

    def insert_block(self, index: int, block: BasicBlock) -> None:
        """Put a block before the one at `index`.

        Raises:
            ValueError: it stands in a function already.
        """
        if block.parent is not None:
            raise ValueError(f"{block!r} stands in a function already")
        self.materialize()
        self._blocks.insert(index, block)
        block.parent = self
        self.symbols.enter(block)
        for instruction in block._instructions:
            self.symbols.enter(instruction)

    def delete_body(self) -> None:
        """Make a declaration of it."""
        self.materialize()
        for block in self._blocks:
            for instruction in block._instructions:
                instruction._drop_operands()
        for block in self._blocks:
            block.parent = None
        self._blocks.clear()
        self._symbols = None

    def erase_from_parent(self) -> None:
        """Take it out of its module for good, body and all.

        Raises:
            ValueError: something still uses it.
        """
        if any(getattr(user, "function", None) is not self for user in self.users):
            raise ValueError(f"@{self.name} is still used")
        self.delete_body()
        super().erase_from_parent()

    def _held_constant(self, role: str) -> Constant | None:
        self._complete()
        return cast("Constant", self._operands[self._held.index(role)]) if role in self._held else None

    def _hold(self, role: str, value: Constant | None) -> None:
        self._complete()
        held = dict(zip(self._held, self._operands, strict=True))
        held.pop(role, None)
        if value is not None:
            held[role] = value
        self._held = tuple(name for name in _OPERAND_NAMES if name in held)
        self._set_operands([held[name] for name in self._held])
