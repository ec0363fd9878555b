"""Functions and their arguments; their blocks are in `basic_blocks`.

Rules: LLVM Language Reference, "Functions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.features import feature
from bitcodec.ir.assignments import a_calling_convention
from bitcodec.ir.attribute_spelling import with_function_attribute
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import Constant, remove_dead_constant_users
from bitcodec.ir.function_instructions import FunctionInstructions
from bitcodec.ir.global_fields import FunctionFields, check_fields, field_names
from bitcodec.ir.globals import GlobalObject, require_constant
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.members import slots
from bitcodec.ir.symbols import MAX_LOCAL_NAME_BYTES, SymbolTable
from bitcodec.ir.values import Value
from bitcodec.tables import calling_conventions
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.assignments import Checked
    from bitcodec.ir.attachments import Attachments
    from bitcodec.ir.attribute_spelling import AttributeLike, AttributeValueLike
    from bitcodec.ir.debug_info import DISubprogram
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.pcsections import PCSections
    from bitcodec.ir.types import FunctionType, PointerType, Type
    from bitcodec.ir.values import User

__all__ = ["Argument", "BasicBlock", "Function"]

_NO_ATTRIBUTES = AttributeList()
_OPERAND_NAMES = ("personality", "prefix_data", "prologue_data")


class Argument(Value):
    """A parameter of a function, inside it.  Its name and its uses are read with the function's body.

    Attributes:
        parent: the function.
        index: the index of the parameter, from 0.
    """

    __match_args__ = ("index", "type")
    __slots__ = ("index", "parent")

    def __init__(self, type: Type, parent: Function, index: int) -> None:
        super().__init__(type)
        self.parent = parent
        self.index = index

    @property
    def name(self) -> str:
        """Its name without `%`, "" if absent; setting one that is taken adds a number to it."""
        self.parent.materialize()
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self.parent.symbols.rename(self, name)

    def _read_users(self) -> None:
        self.parent.materialize()

    def _read_metadata_uses(self) -> None:
        self.parent.read_debug_records()

    def _symbol_table(self) -> SymbolTable:
        return self.parent.symbols

    def __repr__(self) -> str:
        name = f" %{self._name}" if self._name else ""
        return f"<Argument {self.index} {self.type.brief}{name}>"


class Function(GlobalObject, FunctionFields):
    """A function; its body is read when it is first requested.

    Attributes:
        calling_convention: a number of `tables.calling_conventions`.
        garbage_collector: name of the collector its frames are made for, "" if none.
        preferred_alignment: in bytes, None if the target decides.
    """

    __slots__ = slots(
        "_arguments",
        "_attributes",
        "_blocks",
        "_body_metadata",
        "_held",
        "_symbols",
        "_unread_body",
        "_unread_records",
        "calling_convention",
        *field_names("Function"),
    )

    value_type: FunctionType

    calling_convention: Checked[int, int | str]

    def __init__(
        self,
        type: PointerType,
        value_type: FunctionType,
        linkage: Linkage = Linkage.EXTERNAL,
    ) -> None:
        super().__init__(type, value_type, linkage)
        self.calling_convention = calling_conventions.C
        self._attributes: AttributeList | Deferred[AttributeList] = _NO_ATTRIBUTES
        for put, value in _OF_FUNCTIONS:
            put(self, value)
        self._arguments: tuple[Argument, ...] | None = None
        self._blocks: tuple[BasicBlock, ...] | list[BasicBlock] = ()
        self._symbols: SymbolTable | None = None
        self._unread_body: Deferred[None] | None = None
        self._body_metadata: Deferred[list[tuple[str, MDNode]]] | None = None
        self._unread_records: tuple[Deferred[list[DebugRecord]], ...] = ()
        self._held: tuple[str, ...] = ()

    @property
    def attributes(self) -> AttributeList:
        """Attributes of the function, its return value and its parameters."""
        attributes = self._attributes
        return attributes.fill(self, "_attributes") if isinstance(attributes, Deferred) else attributes

    @attributes.setter
    def attributes(self, attributes: AttributeList) -> None:
        if not isinstance(attributes, AttributeList):
            raise TypeError(f"attributes must be AttributeList; got {attributes!r}")
        self._attributes = attributes

    def has_attribute(self, name: str) -> bool:
        """Return whether the function itself has an attribute; `attributes` has those of parameters and results.

        >>> bitcodec.open("examples/hello.bc").functions["main"].has_attribute("nounwind")
        True
        """
        return name in self.attributes.for_function

    def add_attribute(self, name: AttributeLike, value: AttributeValueLike | None = None) -> None:
        """Add an attribute to the function itself; one of the same name is replaced.

        >>> function = bitcodec.open("examples/hello.bc").functions["main"]
        >>> function.add_attribute("noinline")
        >>> function.add_attribute("frame-pointer", "all")
        >>> function.remove_attribute("nounwind")

        Args:
            name: LLVM's spelling, such as "noinline", or the name of a string attribute.
            value: value of the attribute, such as an alignment or a string. Default: none.

        Raises:
            ValueError: no attribute of functions has this name, or it has another kind of value.
        """
        self.attributes = with_function_attribute(self.attributes, name, value)

    def remove_attribute(self, name: str) -> None:
        """Remove an attribute from the function itself, if it has it."""
        self.attributes = self.attributes.with_function(self.attributes.for_function.without(name))

    @property
    def function_type(self) -> FunctionType:
        """Its parameter types and return type."""
        return self.value_type

    @property
    def return_type(self) -> Type:
        """Its return type."""
        return self.value_type.return_type

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Its parameters."""
        arguments = self._arguments
        if arguments is not None:
            return arguments
        return (
            self._make_arguments()
            if self.parent is None
            else self.parent.context.lock.run_exclusively(self._make_arguments)
        )

    def _make_arguments(self) -> tuple[Argument, ...]:
        if self._arguments is None:  # else another thread was first
            types = self.value_type.parameter_types
            self._arguments = tuple([Argument(type_, self, index) for index, type_ in enumerate(types)])
        return self._arguments

    @property
    def blocks(self) -> tuple[BasicBlock, ...]:
        """Its basic blocks, the entry first; none for a declaration."""
        self.materialize()
        blocks = self._blocks
        if isinstance(blocks, tuple):
            return blocks
        # In a module another thread may be reading, which may change them.
        return tuple(blocks) if self.parent is None else self.parent.context.lock.run_exclusively(self._freeze_blocks)

    def _freeze_blocks(self) -> tuple[BasicBlock, ...]:
        self._blocks = tuple(self._blocks)
        return self._blocks

    @property
    def entry_block(self) -> BasicBlock | None:
        """Its entry block, None for a declaration."""
        self.materialize()
        return self._blocks[0] if self._blocks else None

    @property
    def instructions(self) -> FunctionInstructions:
        """All its instructions, block after block, as a sequence.

        >>> main = bitcodec.open("examples/hello.bc").functions["main"]
        >>> main.instructions[0].opcode, main.instructions[-1].opcode
        ('icmp', 'br')
        """
        return FunctionInstructions(self)

    @property
    def symbols(self) -> SymbolTable:
        """The names of its arguments, blocks and instructions."""
        self.materialize()
        if self._symbols is None:
            self._symbols = SymbolTable(max_bytes=MAX_LOCAL_NAME_BYTES)
        return self._symbols

    @property
    def _symbol_changes(self) -> int:
        """How often an argument, block or instruction was added, removed or renamed since the body was read."""
        return 0 if self._symbols is None else self._symbols.changes

    @property
    def is_declaration(self) -> bool:
        """Whether it has no body here."""
        return self._unread_body is None and not self._blocks

    @property
    def is_materialized(self) -> bool:
        """Whether its body has been read."""
        return self._unread_body is None

    @property
    def is_vararg(self) -> bool:
        """Whether calls may pass more than its parameters."""
        return self.value_type.is_vararg

    @property
    def is_intrinsic(self) -> bool:
        """Whether it is an intrinsic."""
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
        """Data placed before its entry, None if there is none."""
        return self._held_constant("prefix_data")

    @prefix_data.setter
    def prefix_data(self, value: Constant | None) -> None:
        self._hold("prefix_data", value)

    @property
    def prologue_data(self) -> Constant | None:
        """Data at its entry, before its code; None if there is none."""
        return self._held_constant("prologue_data")

    @prologue_data.setter
    def prologue_data(self, value: Constant | None) -> None:
        self._hold("prologue_data", value)

    @property
    def subprogram(self) -> DISubprogram | None:
        """Its debug information, None if absent."""
        return cast("DISubprogram | None", self.metadata.get("dbg"))

    @property
    def metadata(self) -> Attachments:
        """Attached metadata: nodes by kind, in order.  A kind may have several nodes: see `Attachments`."""
        if self._unread_body is not None and self._unread_body.holds_metadata:
            self.materialize()
        deferred = self._body_metadata
        if deferred is not None:
            deferred.lock.run(self._add_body_metadata)
        return super().metadata

    def _add_body_metadata(self) -> None:
        if self._body_metadata is not None:  # else another thread was first
            for kind, node in self._body_metadata.resolve():
                super().metadata.add(kind, node)
            self._body_metadata = None

    @property
    def pcsections(self) -> PCSections | None:
        """The PC sections it requests, None if there are none; of several nodes the first, as in LLVM's back end.

        Setting it replaces all of them.

        Raises:
            PCSectionsError: the attached node, or the new one, is malformed.
            ValueError: the function is not in a module.
        """
        return cast("PCSections | None", feature("requested_pcsections")(self))

    @pcsections.setter
    def pcsections(self, sections: PCSections | None) -> None:
        feature("request_pcsections")(self, sections)

    def materialize(self) -> None:
        """Read its body, if it was not read yet.

        Raises:
            BitcodecError: it is malformed.
        """
        body = self._unread_body
        if body is not None:
            body.fill(self, "_unread_body")

    def read_debug_records(self) -> None:
        """Read its debug records, if they were not read yet: they follow the values of the body from then on.

        Raises:
            BitcodecError: one of them, or the body, is malformed.
        """
        self.materialize()
        for records in self._unread_records:
            records.read()
        self._unread_records = ()

    def append_block(self, block: BasicBlock) -> None:
        """Put a block at the end.

        Raises:
            ValueError: it is in a function already.
        """
        self.materialize()
        self.insert_block(len(self._blocks), block)

    def parse_block(self, text: str | bytes, *, name: str = "") -> list[BasicBlock]:
        r"""Append the blocks of a text in LLVM assembly; a declaration becomes a definition.

        >>> main = bitcodec.open("examples/hello.bc").functions["main"]
        >>> (block,) = main.parse_block('''
        ... failed:
        ...   %code = add i32 %0, 1
        ...   ret i32 %code''')
        >>> print(block.terminator)
        ret i32 %code

        The text may use arguments, blocks and instructions of the function, and names of the module.  Numbers are those
        that the function has when it is printed: new values and blocks without a name continue them, `!5` and `#0` are
        numbers in the text of the whole module.  Names that the function has are refused.

        Args:
            text: one or more blocks, each with a terminator; the label of the first may be left out.
            name: of the text, for errors. Default: none.

        Returns:
            The new blocks, in order.

        Raises:
            AssemblyError: the text is malformed; the function is unchanged.
            BitcodecError: something in the module is malformed.
            ValueError: the function is in no module.
        """
        return cast("list[BasicBlock]", feature("parse_blocks_into")(self, text, name=name))

    def insert_block(self, index: int, block: BasicBlock) -> None:
        """Insert a block, with its instructions, before the one at `index`.

        Raises:
            ValueError: it is in a function already.
        """
        if block.parent is not None:
            raise ValueError(f"{block!r} is in a function already")
        self.materialize()
        self._changeable_blocks().insert(index, block)
        block.parent = self
        self.symbols.enter(block)
        for instruction in block._instructions:
            self.symbols.enter(instruction)

    def _changeable_blocks(self) -> list[BasicBlock]:
        """Return the list of its blocks; the tuple that `blocks` has returned does not change."""
        blocks = self._blocks
        if not isinstance(blocks, list):
            blocks = self._blocks = [*blocks]
        return blocks

    def delete_body(self) -> None:
        """Make an external declaration of it, without personality, metadata and comdat.

        Remaining uses of its blocks' addresses become `inttoptr (i32 1 to ptr)`, as in LLVM.
        """
        if self.parent is not None:
            self.parent._materialize_uses()
        self._let_go()
        self.linkage = Linkage.EXTERNAL
        self.comdat = None
        self.metadata.clear()

    def _let_go(self) -> None:
        self.materialize()
        self._held = ()
        super()._let_go()
        blocks, self._blocks = self._blocks, ()
        for block in blocks:
            block._drop_instructions()
            self.symbols.remove(block)
        remove_dead_constant_users(blocks)
        for block in blocks:
            for address in dict.fromkeys(block._uses):
                if isinstance(address, BlockAddress):
                    address._become_one()
            block.parent = None

    def _is_own(self, user: User, value: Value) -> bool:
        from bitcodec.ir.instructions.instruction import Instruction  # noqa: PLC0415 - instructions know functions

        return super()._is_own(user, value) or (isinstance(user, Instruction) and user.function is self)

    def _held_constant(self, role: str) -> Constant | None:
        self._complete()
        return cast("Constant", self._operands[self._held.index(role)]) if role in self._held else None

    def _hold(self, role: str, value: Constant | None) -> None:
        self._complete()
        held = dict(zip(self._held, self._operands, strict=True))
        held.pop(role, None)
        if value is not None:
            require_constant(role, value)
            held[role] = value
        self._held = tuple(name for name in _OPERAND_NAMES if name in held)
        self._set_operands([held[name] for name in self._held])

    def _repr_html_(self) -> str:
        """Return its assembly in colours for notebooks."""
        from bitcodec.notebooks import assembly_html  # noqa: PLC0415 - only notebooks need it

        return assembly_html(self)

    def __iter__(self) -> Iterator[BasicBlock]:
        return iter(self.blocks)

    def __len__(self) -> int:
        return len(self.blocks)

    def __getitem__(self, index: int) -> BasicBlock:
        return self.blocks[index]

    def __bool__(self) -> bool:
        return True  # a function without blocks is a function


_OF_FUNCTIONS = check_fields(Function, calling_convention=a_calling_convention())
