"""Text of the findings of the verifier, as LLVM's verifier prints them: the message, then each value.

An instruction, a debug record, a node and named metadata are printed as their definitions, every other value as an
operand with its type.  Metadata nodes and attribute groups have the numbers of LLVM's verifier: nodes those
of the module's text; groups of calls are numbered when the first value of their function is printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.bodies import instruction_text, record_text
from bitcodec.asm.globals import comdat_text
from bitcodec.asm.metadata import is_inline
from bitcodec.asm.module import named_metadata_text
from bitcodec.asm.nodes import node_text
from bitcodec.asm.numbering import Numbering, Numbers
from bitcodec.asm.parts import function_of
from bitcodec.asm.texts import Texts
from bitcodec.ir.attributes import Attribute, AttributeList, AttributeSet
from bitcodec.ir.debug_records import DbgVariableKind, DebugRecord
from bitcodec.ir.globals import Comdat
from bitcodec.ir.instructions import CallBase, Instruction
from bitcodec.ir.metadata import MDNode, Metadata, NamedMetadata
from bitcodec.ir.module import Module
from bitcodec.ir.types import StructType, Type
from bitcodec.ir.values import Value
from bitcodec.printing import beginning_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.ir.findings import Finding
    from bitcodec.ir.functions import Function

__all__ = ["FindingPrinter"]

_ENOUGH = 1 << 20
"""Characters of a value's text; the rest may be cut off."""
_FEW = 1 << 8
"""The same, once the values that were printed before have used up the limit of the module's text."""


class FindingPrinter:
    """Prints findings of a module, which is materialized and does not change meanwhile.

    Everything is numbered when the first value is printed.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self._texts: Texts | None = None
        self._entered: set[Function] = set()

    def text_of(self, finding: Finding) -> str:
        """Return the lines of a finding: the message, and the values as LLVM prints them."""
        return f"{finding.message}\n{''.join(map(self._written, finding.values))}"

    def lines_of(self, finding: Finding) -> list[str]:
        """Return the text of each value of a finding, without those that LLVM does not print, and without line ends."""
        return [text for text in (self._written(value).strip("\n") for value in finding.values) if text]

    def texts_of(self, findings: Iterable[Finding]) -> Iterator[str]:
        """Yield the lines of each finding."""
        return map(self.text_of, findings)

    def _written(self, value: object) -> str:
        """Return the text of a value, with the line end that LLVM prints after it, if any."""
        if isinstance(value, bool):
            value = int(value)
        for kind in type(value).__mro__:
            write = _WRITERS.get(kind)
            if write is not None:
                return self._limited(value, write)
        raise TypeError(f"{value!r} is not printed in findings")

    def _limited(self, value: object, write: Callable[[Any, Texts], str]) -> str:
        if self._texts is None:
            self._texts = self._numbered()
        texts, limit = self._texts, self._texts.limit
        if limit.left is not None and limit.left <= 0 and isinstance(value, Value | Metadata | DebugRecord):
            return f"{beginning_of(value, _FEW)[:_FEW]}...\n"
        self._enter(function_of(value))
        text = write(value, texts)
        if limit.left is not None:
            limit.left -= len(text)
        return text

    def _numbered(self) -> Texts:
        numbering = Numbering.of_module(self._module)
        groups: Numbers[AttributeSet] = Numbers()
        numbering.groups = groups
        for variable in self._module.global_variables:
            numbering.add_group(variable.attributes)
        for function in self._module.functions:
            numbering.add_group(function.attributes.for_function)
        return Texts(self._module, numbering, enough=_ENOUGH)

    def _enter(self, function: Function | None) -> None:
        """Name locals as in a function, and number the attribute groups of its calls."""
        assert self._texts is not None, "texts are made first"  # noqa: S101 - for the type checker
        if function is not None and function not in self._entered:
            self._entered.add(function)
            for block in function.blocks:
                for instruction in block.instructions:
                    if isinstance(instruction, CallBase):
                        self._texts.numbering.add_group(instruction.attributes.for_function)
        self._texts.enter(function)


def _instruction(instruction: Instruction, texts: Texts) -> str:
    return f"  {instruction_text(instruction, texts)}\n"


def _metadata(metadata: Metadata, texts: Texts) -> str:
    reference = texts.references[metadata]
    if isinstance(metadata, MDNode) and not is_inline(metadata):
        return f"{reference} = {node_text(metadata, texts)}\n"
    return f"{reference}\n"


def _type(type_: Type, texts: Texts) -> str:
    """Return the text of a type, which LLVM puts behind a space, without a line end."""
    text = texts.types[type_]
    if isinstance(type_, StructType) and not type_.is_literal:
        return f" {text} = type {texts.types.body(type_)}"
    return f" {text}"


def _attribute_list(attributes: AttributeList, _texts: Texts) -> str:
    sets = [("function", attributes.for_function), ("return", attributes.for_return)]
    sets += [(f"arg({index})", found) for index, found in attributes.parameters.items()]
    lines = (f"  {{ {place} => {found.spelled()} }}\n" for place, found in sets if found)
    return f"AttributeList[\n{''.join(lines)}]\n"


_WRITERS: dict[type, Callable[[Any, Texts], str]] = {
    type(None): lambda _none, _: "",
    Instruction: _instruction,
    Value: lambda value, texts: f"{texts.typed(value)}\n",
    DebugRecord: lambda record, texts: f"{record_text(record, texts)}\n",
    # The text of named metadata has a line end of its own.
    NamedMetadata: lambda named, texts: f"{named_metadata_text(named, texts)}\n\n",
    Metadata: _metadata,
    Type: _type,
    Comdat: lambda comdat, _: f"{comdat_text(comdat)}\n",
    Attribute: lambda attribute, _: f"{attribute}\n",
    AttributeSet: lambda attributes, _: f"{attributes.spelled()}\n",
    AttributeList: _attribute_list,
    DbgVariableKind: lambda kind, _: kind.spelling.removeprefix("dbg_"),
    Module: lambda module, _: f"; ModuleID = '{module.identifier}'\n",
    int: lambda number, _: f"{number}\n",
    str: lambda text, _: f"{text}\n",
}
"""As `Verifier::Write` of LLVM does, by class."""
