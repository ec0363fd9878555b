"""Text of any part of a module, as `str` returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.bodies import block_text, instruction_text, record_text
from bitcodec.asm.functions import function_text
from bitcodec.asm.globals import alias_text, comdat_text, ifunc_text, variable_text
from bitcodec.asm.kept_numbers import KeptNumbers
from bitcodec.asm.metadata import is_inline
from bitcodec.asm.module import module_text, named_metadata_text
from bitcodec.asm.nodes import node_text
from bitcodec.asm.numbering import Numbering
from bitcodec.asm.texts import Texts
from bitcodec.host.collection import without_collection
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.debug_records import DbgVariableRecord, DebugRecord
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalVariable
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import DIArgList, LocalAsMetadata, MDNode, Metadata, NamedMetadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.module import Module
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Printer", "function_of", "name_of", "text_of"]


class Printer:
    """Prints many parts of a module, which keep their numbers.

    Locals have the numbers that they have in the text of the whole module.  Metadata nodes, attribute groups and
    structs without a name are numbered from 0 in the order in which they are mentioned; with `whole`, as in the text of
    the whole module, which is read to the end for it.

    Args:
        module: the module of the parts; None for parts without a module.
        whole: whether to number everything beforehand.
    """

    def __init__(self, module: Module | None = None, *, whole: bool = False) -> None:
        numbering = Numbering.of_module(module) if whole and module is not None else Numbering(module)
        self._texts = Texts(module, numbering)

    @classmethod
    def of_one_part(cls, part: object, enough: int | None = None) -> Printer:
        """Return a printer for one part; the numbers of locals that its module keeps serve for other parts too.

        Args:
            part: the part.
            enough: the number of characters that are needed of its text; None for all.
        """
        module = _module_of(part)
        printer = cls.__new__(cls)
        kept = None if module is None else KeptNumbers.of(module)
        numbering = Numbering(module, None if kept is None else kept.kinds())
        printer._texts = Texts(module, numbering, kept, enough)  # noqa: SLF001 - this is a second constructor
        return printer

    def name_of(self, value: Value) -> str:
        """Return how an operand refers to a value, without its type.

        Raises:
            BitcodecError: its function has not been read yet, and is malformed.
        """
        self._texts.enter(function_of(value))
        return self._texts.names[value]

    def text_of(self, part: object) -> str:
        """Return the text of a part, without an indent or a newline at the end.

        A function comes with its body, a block with its label; other values come with their type, or, if it
        defines a name, as its definition.

        Raises:
            BitcodecError: it has not been read yet, and is malformed.
            TypeError: it is not a part of a module.
        """
        for kind in type(part).__mro__:
            make = _TEXTS.get(kind)
            if make is not None:
                return make(part, self._texts)
        raise TypeError(f"{part!r} has no text")


def text_of(part: object, enough: int | None = None) -> str:
    """Return the text of a module or of any part of it, as `str` does; see `Printer.text_of`.

    The values of a function are counted once for many parts, as long as the function does not change.

    Args:
        part: the module or part.
        enough: the number of characters that are needed: a longer text may have others after them. Default: all.

    Raises:
        BitcodecError: it has not been read yet, and is malformed.
        TypeError: it is not a part of a module.
    """
    return Printer.of_one_part(part, enough).text_of(part)


def name_of(value: Value) -> str:
    """Return how an operand refers to a value, without its type: its name or its number; see `Printer.name_of`.

    Raises:
        BitcodecError: its function has not been read yet, and is malformed.
    """
    return Printer.of_one_part(value).name_of(value)


def _module_of(part: Any) -> Module | None:
    function = function_of(part)
    owner = part if function is None else function
    module = getattr(owner, "parent", None)
    return module if isinstance(module, Module) else None


def function_of(part: Any) -> Function | None:
    """Return the function that a part belongs to; None without one, or if it is unknown."""
    match part:
        case Instruction():
            return part.function
        case Argument() | BasicBlock():
            return part.parent
        case DbgVariableRecord():
            return function_of(part.value)
        case DIArgList():
            return next(filter(None, map(function_of, part.arguments)), None)
        case LocalAsMetadata() | MetadataAsValue():
            return function_of(part.value if isinstance(part, LocalAsMetadata) else part.metadata)
    return None


def _local(make: Callable[[Any, Texts], str]) -> Callable[[Any, Texts], str]:
    """Return a maker of the text of a part of a function, with names of its locals."""

    def text(part: Any, texts: Texts) -> str:
        function = function_of(part)
        if function is not None:
            function.materialize()
        texts.enter(function)
        return make(part, texts)

    return text


def _metadata(metadata: Metadata, texts: Texts) -> str:
    if isinstance(metadata, MDNode) and not is_inline(metadata):
        return node_text(metadata, texts)
    return texts.references[metadata]


def _block(block: BasicBlock, texts: Texts) -> str:
    is_entry = block.parent is not None and block is block.parent.entry_block
    return block_text(block, texts, is_entry=is_entry).strip("\n")


def _function(function: Function, texts: Texts) -> str:
    return "".join(function_text(function, texts)).removesuffix("\n")


def _module(module: Module, _texts: Texts) -> str:
    with without_collection():
        return "".join(module_text(module))


def _type(type_: Type, texts: Texts) -> str:
    return texts.types[type_]


def _value(value: Value, texts: Texts) -> str:
    return texts.typed(value)


_TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    Instruction: _local(instruction_text),
    BasicBlock: _local(_block),
    Function: _function,
    GlobalVariable: variable_text,
    GlobalAlias: alias_text,
    GlobalIFunc: ifunc_text,
    Comdat: lambda comdat, _: comdat_text(comdat),
    NamedMetadata: named_metadata_text,
    DebugRecord: _local(record_text),
    Metadata: _local(_metadata),
    Type: _type,
    Value: _local(_value),
    Module: _module,
}
