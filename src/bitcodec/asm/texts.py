# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""State of all text of a module: its numbers, and the texts of types, values and metadata made so far."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from bitcodec.asm.constants import constant_text
from bitcodec.asm.limits import FEW, TextLimit
from bitcodec.asm.metadata import ExpressionTexts
from bitcodec.asm.names import global_name, local_name, metadata_name, printable
from bitcodec.asm.numbering import add_local_names, local_names, unnamed_globals
from bitcodec.asm.types import TypeTexts
from bitcodec.ir.constants import Constant, ConstantAggregate, ConstantDataSequential, InlineAsm
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.values import Value
from bitcodec.object_numbers import ObjectTexts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.asm.instructions.calls import CallWords
    from bitcodec.asm.kept_numbers import KeptNumbers
    from bitcodec.asm.numbering import Numbering
    from bitcodec.ir.attributes import AttributeSet
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.module import Module

__all__ = ["Texts"]

_BAD = "<badref>"
"""LLVM's text for a reference that it cannot resolve."""
_LARGE = (ConstantAggregate, ConstantDataSequential)
"""Constants that may be long and are rarely used twice."""


def _named_address_spaces(module: Module) -> dict[int, str]:
    """Return the words for the address spaces that the data layout of a module names."""
    pointers = module.data_layout.pointers
    return {number: f'addrspace("{printable(row.name)}")' for number, row in pointers.items() if row.name}


class _ConstantNames(ObjectTexts):
    """References to globals and constants, without their types."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._unnamed: Mapping[GlobalValue, int] | None = None

    def __missing__(self, value: Value) -> str:
        if isinstance(value, GlobalValue):
            text = self[value] = self._global(value)
            return text
        if isinstance(value, MetadataAsValue):
            return self._texts.references[value.metadata]
        if not isinstance(value, Constant | InlineAsm):
            return local_name(value.name) if value.name else _BAD
        text = constant_text(value, self._texts)
        if not isinstance(value, _LARGE):
            self[value] = text
        return text

    def _global(self, value: GlobalValue) -> str:
        if value.name:
            return global_name(value.name)
        if self._unnamed is None:
            self._unnamed = self._texts.unnamed_globals(value.parent)
        return f"@{self._unnamed[value]}" if value in self._unnamed else _BAD


class _LocalNames(ObjectTexts):
    """References to the values of a function, and to everything else that it uses."""

    def __init__(self, function: Function, outer: ObjectTexts) -> None:
        super().__init__()
        add_local_names(function, self)
        self._outer = outer

    def __missing__(self, value: Value) -> str:
        outer = self._outer
        text = outer[value]
        if value in outer:
            self[value] = text
        return text


class _KeptLocalNames(ObjectTexts):
    """The same, without a copy of the names of all locals."""

    def __init__(self, names: ObjectTexts, outer: ObjectTexts) -> None:
        super().__init__()
        self._names = names
        self._outer = outer

    def __missing__(self, value: Value) -> str:
        name = self._names.get(value)
        if name is None:
            return self._outer[value]
        self[value] = name
        return name

    def get(self, value: Value, default: Any = None) -> Any:
        """Return the name of a local; the default for other values, as `_LocalNames` does."""
        return self._names.get(value, default)


class Texts:
    """Makes texts.

    Args:
        module: the module, None for parts of none.
        numbering: numbers of entities in text.
        kept: numbers of locals and globals that other texts have too; None to number them for these texts.
        enough: the number of characters needed of each text; longer texts may end after them.
        prints_address_space_names: whether address spaces are printed by the names that the data layout gives them.

    Attributes:
        numbering: numbers of entities in text.
        limit: how much text may be made.
        references: references to metadata.
        expressions: texts of debug-info expressions.
        types: texts of types.
        names: references to values as operands, without their types.
        attribute_words: texts of attributes made so far.
        call_words: by the identity of an attribute list: common texts of calls with these attributes.
        function_remarks: by the attributes of a function: the comment before it.
        use_list_orders: the use-list orders to print: by function, by None for globals and constants.
    """

    def __init__(
        self,
        module: Module | None,
        numbering: Numbering,
        kept: KeptNumbers | None = None,
        enough: int | None = None,
        *,
        prints_address_space_names: bool = False,
    ) -> None:
        self.numbering = numbering
        self._kept_numbers = kept
        self.limit = TextLimit(module, enough)
        self.expressions = ExpressionTexts()
        self.references = numbering.nodes
        self.references.texts = self
        self.attribute_words: dict[AttributeSet, str] = {}
        self.call_words: dict[int, CallWords] = {}
        self.function_remarks: dict[AttributeSet, str] = {}
        self._address_spaces: dict[int, str] = {}
        if module is not None and prints_address_space_names:
            self._address_spaces = _named_address_spaces(module)
        self.types = TypeTexts(numbering.unnamed_structs, enough, self._address_spaces)
        self._constants = _ConstantNames(self)
        self.names: ObjectTexts = self._constants
        self._function: Function | None = None
        self._block_names: dict[Function, dict[Value, str]] = {}
        self._kind_names: dict[str, str] = {}
        self.use_list_orders: Mapping[Function | None, Sequence[tuple[Value, list[int]]]] = {}
        self.has_program_address_space = module is not None and module.data_layout.program_address_space != 0

    def enter(self, function: Function | None) -> None:
        """Take names of locals from a function from now on, or from none."""
        if function is not self._function:
            self.names = self._constants if function is None else self._names_in(function)
            self._function = function

    def _names_in(self, function: Function) -> ObjectTexts:
        if self._kept_numbers is None:
            return _LocalNames(function, self._constants)
        return _KeptLocalNames(self._kept_numbers.locals_of(function), self._constants)

    def address_space(self, number: int) -> str:
        """Return the words for an address space, its name in them if names are printed and it has one."""
        return self._address_spaces.get(number) or f"addrspace({number})"

    def kind_name(self, kind: str) -> str:
        """Return the name of a kind of attached metadata."""
        name = self._kind_names.get(kind)
        if name is None:
            name = self._kind_names[kind] = metadata_name(kind)
        return name

    def unnamed_globals(self, module: Module | None) -> Mapping[GlobalValue, int]:
        """Return the numbers of the globals of a module that have no name."""
        if module is None:
            return {}
        return unnamed_globals(module) if self._kept_numbers is None else self._kept_numbers.unnamed_globals()

    def typed(self, value: Value) -> str:
        """Return a value with its type before it."""
        return f"{self.types[value.type]} {self.names[value]}"

    def listed(self, values: Sequence[Value]) -> str:
        """Return values with their types, separated by commas.

        Raises:
            BitcodecError: their text is too long.
        """
        types, names = self.types, self.names
        typed = [f"{types[value.type]} {names[value]}" for value in values[:FEW]]
        if len(values) <= FEW:
            return ", ".join(typed)
        rest = (f"{types[value.type]} {names[value]}" for value in islice(values, FEW, None))
        return self.limit.join(chain(typed, rest))

    def operands(self, values: Sequence[Value]) -> str:
        """Return values with their types, or with one type for all, if all have the same."""
        type_ = values[0].type
        if any(value.type is not type_ for value in values):
            return self.listed(values)
        return f"{self.types[type_]} {self.limit.join(map(self.names.__getitem__, values))}"

    def block_name(self, function: Function, block: BasicBlock) -> str:
        """Return the reference to a block of any function."""
        if function is self._function:
            return self.names[block]
        if self._kept_numbers is not None:
            return self._kept_numbers.locals_of(function).get(block, _BAD)
        found = self._block_names.get(function)
        if found is None:
            names = local_names(function)
            found = self._block_names[function] = {each: names[each] for each in function.blocks}
        return found.get(block, _BAD)
