# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""State of parsing a module: types, globals, attribute groups, comdats, metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from bitcodec.asm.parser.dialects.dialect import TextDialect
from bitcodec.asm.parser.forward import ForwardConstant, PendingConstants
from bitcodec.asm.parser.metadata_state import MetadataState
from bitcodec.asm.parser.named_types import NamedTypes, primitive_types
from bitcodec.asm.parser.phrases import decoded
from bitcodec.asm.parser.type_rules import SIZED, traits_of
from bitcodec.ir.attributes import AttributeList, AttributeSet
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.module import Module
from bitcodec.ir.types import PointerType, SequentialType, StructType
from bitcodec.upgrade.expansion import Budget, Expandable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from bitcodec.asm.parser.function_state import ParsedFunction
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.summary_state import SummaryState
    from bitcodec.asm.parser.surroundings import Surroundings
    from bitcodec.ir.attributes import Attribute
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.context import Context
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import Comdat, GlobalValue, GlobalVariable
    from bitcodec.ir.instructions import CallBase, Instruction
    from bitcodec.ir.types import FunctionType, IntegerType, Type
    from bitcodec.ir.values import Value

__all__ = ["ModuleState", "Place"]


Place: TypeAlias = "tuple[bytes | int, int]"
"""A name or number, and where it is."""


def _new_module(identifier: str, context: Context | None, surroundings: Surroundings | None) -> Module:
    """Return a module without content, of the target of the one around it."""
    if surroundings is None:
        return Module(identifier, DataLayout(""), context)
    module = Module(identifier, surroundings.module.data_layout, context)
    module.target_triple = surroundings.module.target_triple
    return module


class ModuleState:
    """The state of the parser outside functions.

    Attributes:
        lexer: the tokens.
        dialect, is_old: the dialect of the text.
        surroundings: the module that the text is added to, None if it is a separate module.
        pointee, pointee_end: the pointee of the pointer type that was read last, and the end of that.
        old_fields: the values of fields that old nodes had, by name; by the identity of the content, which is here too.
        parameter_pointees: in old text the pointee of each parameter or argument of functions and calls.
        budget: how many instructions expressions may become.
        expandables: the expressions that become instructions.
        has_expandables: whether the function that is being read uses expressions that become instructions.
        module: the module that is being made.
        types, constants: tables of its context.
        void, ptr, label, metadata_type, boolean, null: of these tables.
        program_space: the address space of functions.
        one: the number of elements of an `alloca` that names none.
        casts: opcodes and types of casts that are known to be possible.
        function_types: function types of calls, by the types of result and arguments.
        indexed: types that addresses may be computed for, and types with indices that lead to an element.
        traits: traits of types, as far as they are known; see `type_rules`.
        named_types: the types that the text defines.
        primitive_types: types that are one word.
        whole_types: types of one word, as far as they have occurred.
        type_names: defined type names, by name or number.
        opcodes: parsers of instructions, as far as they have occurred.
        integers: integers by type and text.
        metadata: the nodes of the text.
        summary: the summary entries of the text, None if absent.
        assembly: the lines of module assembly.
        groups: attribute groups by number.
        pending: placeholders of constants until the end.
        function: the function whose body is being read, None outside bodies.
        opcode_start: the position of the opcode of the instruction that is being read.
        has_comma: whether the comma before the metadata of that instruction has been read with its operands.
    """

    def __init__(
        self,
        lexer: Lexer,
        identifier: str,
        dialect: TextDialect | None = None,
        context: Context | None = None,
        surroundings: Surroundings | None = None,
    ) -> None:
        self.lexer, self.surroundings = lexer, surroundings
        self.dialect = dialect or TextDialect()
        self.is_old = self.dialect.is_old
        self.pointee: Type | None = None
        self.pointee_end = -1
        self.old_fields: dict[int, tuple[tuple[Any, ...], dict[str, Any]]] = {}
        self.parameter_pointees: dict[Function | CallBase, list[Type | None]] = {}
        self.has_expandables = False
        self.expandables: dict[tuple[Hashable, ...], Expandable] = {}
        self.budget = Budget(lexer.length)
        self.module = _new_module(identifier, context, surroundings)
        context = self.context = self.module.context
        self.types = context.types
        self.constants: ConstantTable = context.constants
        self.void, self.ptr = context.types.void, context.types.ptr
        self.label, self.metadata_type = context.types.label, context.types.metadata
        self.program_space, self.next_number = self.module.data_layout.program_address_space, 0
        self.null = context.constants.null(self.ptr)
        self.one = context.constants.integer(context.types.integer(32), 1)
        self.casts: set[tuple[str, Type, Type]] = set()
        self.function_types: dict[tuple[Type, ...], FunctionType] = {}
        self.attribute_lists: dict[tuple[int, ...], AttributeList] = {}
        self.indexed: set[Type | tuple[Type, Value] | None] = set()
        self.boolean = context.types.integer(1)
        self.named_types = NamedTypes(context.types, surroundings)
        self.type_names = self.named_types.types
        self.primitive_types = primitive_types(context.types)
        self.metadata = MetadataState(context.metadata)
        self.summary: SummaryState | None = None
        self.assembly: list[str] = []
        self.groups: dict[int, tuple[Attribute, ...]] = {}
        self.group_users: list[tuple[Function | CallBase | GlobalVariable, tuple[int, ...]]] = []
        self.pending = PendingConstants()
        self.function: ParsedFunction | None = None
        self.opcode_start, self.has_comma = 0, False
        self._integer_types: dict[bytes, IntegerType] = {}
        self.integers: dict[Type, dict[bytes, Constant]] = {}
        self.traits: dict[Type, int] = {}
        self._sized: set[Type] = set()
        self._ptr_traits = traits_of(self.ptr, is_sized=True)
        self.whole_types: dict[bytes, Type] = {}
        self.opcodes: dict[bytes, tuple[str, Callable[[ModuleState, str], Instruction]]] = {}
        self.globals: dict[bytes, GlobalValue] = {}
        self.numbered: dict[int, GlobalValue] = {}
        self.forward_globals: dict[bytes | int, ForwardConstant] = {}
        self.comdats: dict[str, Comdat] = {}
        self.comdat_uses: dict[str, int] = {}
        self.waiting_addresses: dict[bytes | int, dict[bytes | int, tuple[Place, Place, ForwardConstant]]] = {}
        self.spelled_sets: dict[bytes, AttributeSet] = {}
        self._attribute_sets: dict[tuple[Attribute, ...], AttributeSet] = {}

    def integer_type(self, text: bytes) -> IntegerType:
        """Return the type that `iN` names."""
        found = self._integer_types.get(text)
        if found is None:
            found = self._integer_types[text] = self.types.integer(int(text[1:]))
        return found

    def integer(self, type: IntegerType, text: bytes, number: int) -> Constant:
        """Return the integer of a literal, and keep it."""
        found = self.constants.integer(type, number)
        self.integers.setdefault(type, {})[text] = found
        return found

    def traits_of(self, type: Type) -> int:
        """Return the traits of a type: the bits of `type_rules`."""
        if type is self.ptr:
            return self._ptr_traits
        found = self.traits.get(type)
        if found is None:
            found = traits_of(type, is_sized=self._is_sized(type))
            # A struct that has no elements yet may get some.
            if found & SIZED or not isinstance(type, StructType | SequentialType):
                self.traits[type] = found
        return found

    def function_type(self, result: Type, arguments: list[Value]) -> FunctionType:
        """Return the type of a function with the types of these values as parameters."""
        return self.function_of(result, [value.type for value in arguments])

    def function_of(self, result: Type, types: list[Type]) -> FunctionType:
        """Return the type of a function of a result and parameters."""
        key = (result, *types)
        found = self.function_types.get(key)
        if found is None:
            found = self.function_types[key] = self.types.function(result, types)
        return found

    def attribute_list(
        self, own: AttributeSet, returned: AttributeSet, parameters: dict[int, AttributeSet]
    ) -> AttributeList:
        """Return a list of attributes: one object for equal ones."""
        key = (id(own), id(returned), *[number for index, each in parameters.items() for number in (index, id(each))])
        found = self.attribute_lists.get(key)
        if found is None:
            found = self.attribute_lists[key] = AttributeList(own, returned, parameters)
        return found

    def spelled_set(self, text: bytes, attributes: list[Attribute]) -> AttributeSet:
        """Return the set of attributes of a text."""
        found = self.spelled_sets.get(text)
        if found is None:
            found = self.spelled_sets[text] = self.attribute_set(attributes)
        return found

    def _is_sized(self, type: Type) -> bool:
        """Return whether a type has a size; one that has keeps it, and so do those inside it."""
        if type in self._sized:
            return True
        found: set[Type] = set()
        pending = [type]
        while pending:
            inner = pending.pop()
            if inner in found or inner in self._sized:
                continue
            if not isinstance(inner, StructType | SequentialType):
                if not inner.is_sized:
                    return False
            elif isinstance(inner, StructType) and inner.elements is None:
                return False
            else:
                pending += inner.element_types
            found.add(inner)
        try:
            self.module.data_layout.layout(type)
        except ValueError:  # scalable vectors of several types in one struct
            return False
        self._sized |= found
        return True

    def attribute_set(self, attributes: list[Attribute]) -> AttributeSet:
        """Return the set of attributes: one object for those that are written alike."""
        key = tuple(attributes)
        found = self._attribute_sets.get(key)
        if found is None:
            found = self._attribute_sets[key] = AttributeSet(attributes)
        return found

    # Globals

    def note_place(self, kind: str, name: str, position: int) -> None:
        """Note the position of a name: `@` of a global, `$` of a comdat, `!` of metadata, `target` of its property."""
        if self.surroundings is not None:
            self.surroundings.places[kind, name] = position

    def global_value(self, key: bytes | int, type: Type, position: int) -> Constant:
        """Return a global as an operand of a type; one that comes later is stood for.

        Raises:
            AssemblyError: it has another type.
        """
        if not isinstance(type, PointerType):
            self.lexer.refuse("global variable reference must have pointer type", position)
        known = self.numbered if isinstance(key, int) else self.globals
        found: Constant | None = cast("dict[bytes | int, GlobalValue]", known).get(key)
        if found is None:
            found = self.forward_globals.get(key)
            if found is None:
                found = self.forward_globals[key] = ForwardConstant(type, position)
                return found
        if found.type is not type:
            name = str(key) if isinstance(key, int) else decoded(key)
            self.lexer.refuse(f"'@{name}' defined with type '{found.type}' but expected '{type}'", position)
        return found

    def define_global(self, value: GlobalValue, name: bytes, number: int) -> None:
        """Enter a global that has been created; it replaces its placeholders.

        Args:
            value: the global.
            name: its name, empty if it has none.
            number: its number if it has no name.
        """
        key: bytes | int
        if name:
            key = name
            self.globals[name] = value
        else:
            key = number
            self.numbered[number] = value
            self.next_number = number + 1
        forward = self.forward_globals.pop(key, None)
        if forward is not None:
            self.pending.settle(forward, value)
