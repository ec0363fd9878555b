"""Text of the findings of the verifier, as LLVM's verifier prints them: the message, then each value.

An instruction, a debug record, a node and named metadata are printed as their definitions, a cycle of control flow as
its blocks, every other value as an operand with its type.  Metadata nodes and attribute groups have the numbers of
LLVM's verifier: nodes have the numbers of the module's text; groups of calls are numbered when the first value of
their function is printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.analysis.cycles import Cycle
from bitcodec.asm.bodies import instruction_text, record_text
from bitcodec.asm.globals import comdat_text
from bitcodec.asm.metadata import is_inline
from bitcodec.asm.module import named_metadata_text
from bitcodec.asm.names import printable
from bitcodec.asm.nodes import node_text
from bitcodec.asm.numbering import FirstUseNumbers, Numbering
from bitcodec.asm.parts import function_of
from bitcodec.asm.texts import Texts
from bitcodec.ir.attributes import Attribute, AttributeList, AttributeSet
from bitcodec.ir.debug_records import DbgVariableKind, DebugRecord
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import Comdat
from bitcodec.ir.instructions import CallBase, Instruction
from bitcodec.ir.metadata import MDNode, Metadata, NamedMetadata
from bitcodec.ir.module import Module
from bitcodec.ir.types import StructType, Type
from bitcodec.ir.values import Value
from bitcodec.printing import beginning_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.findings import Finding

__all__ = ["FindingPrinter"]

_ENOUGH = 1 << 20
"""Characters of a value's text; the rest may be cut off."""
_FEW = 1 << 8
"""The same, once the values that were printed before have used up the limit of the module's text."""
_MAX_OWN_NUMBERS = 1 << 20
"""Limit on nodes and globals that are numbered again for findings with own numbers; later findings share numbers."""


class FindingPrinter:
    """Prints findings of a module, which is materialized and does not change meanwhile.

    Everything is numbered when the first value is printed.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self._shared: Texts | None = None
        self._own: tuple[object, Texts] | None = None
        self._own_left = _MAX_OWN_NUMBERS
        self._entered: set[Function] = set()

    def text_of(self, finding: Finding) -> str:
        """Return the lines of a finding: the message, and the values as LLVM prints them."""
        return f"{finding.message}\n{''.join(self._written(finding))}"

    def lines_of(self, finding: Finding) -> list[str]:
        """Return the text of each value of a finding, without those that LLVM does not print, and without line ends."""
        return [text for text in (text.strip("\n") for text in self._written(finding)) if text]

    def texts_of(self, findings: Iterable[Finding]) -> Iterator[str]:
        """Yield the lines of each finding."""
        return map(self.text_of, findings)

    def _written(self, finding: Finding) -> Iterator[str]:
        """Yield the text of each value, with the line end that LLVM prints after it, if any."""
        if not finding.values:
            return
        texts = self._texts_for(finding)
        for found in finding.values:
            value = int(found) if isinstance(found, bool) else found
            write = next((_WRITERS[kind] for kind in type(value).__mro__ if kind in _WRITERS), None)
            if write is None:
                raise TypeError(f"{value!r} is not printed in findings")
            yield self._limited(value, write, texts)

    def _limited(self, value: object, write: Callable[[Any, Texts], str], texts: Texts) -> str:
        limit = texts.limit
        if limit.left is not None and limit.left <= 0 and isinstance(value, Value | Metadata | DebugRecord):
            return f"{beginning_of(value, _FEW)[:_FEW]}...\n"
        if texts is self._shared:
            self._enter(function_of(value), texts)
        else:
            texts.enter(function_of(value))
        text = write(value, texts)
        if limit.left is not None:
            limit.left -= len(text)
        return text

    def _texts_for(self, finding: Finding) -> Texts:
        """Return the texts with the numbers that a finding has."""
        shared = self._shared = self._shared or self._numbered()
        function = finding.where
        if not (finding.has_own_numbers and isinstance(function, Function)) or self._own_left < 0:
            return shared
        if self._own is None or self._own[0] is not function:
            numbering = Numbering.of_function(function, shared.numbering)
            self._own_left -= len(numbering.nodes) + len(self._module.functions) + len(self._module.global_variables)
            self._own = function, Texts(self._module, numbering, enough=_ENOUGH)
            self._own[1].limit = shared.limit
        return self._own[1]

    def _numbered(self) -> Texts:
        numbering = Numbering.of_module(self._module)
        groups: FirstUseNumbers[AttributeSet] = FirstUseNumbers()
        numbering.groups = groups
        for variable in self._module.global_variables:
            numbering.add_group(variable.attributes)
        for function in self._module.functions:
            numbering.add_group(function.attributes.for_function)
        return Texts(self._module, numbering, enough=_ENOUGH)

    def _enter(self, function: Function | None, texts: Texts) -> None:
        """Name locals as in a function, and number the attribute groups of its calls."""
        if function is not None and function not in self._entered:
            self._entered.add(function)
            for block in function.blocks:
                for instruction in block.instructions:
                    if isinstance(instruction, CallBase):
                        texts.numbering.add_group(instruction.attributes.for_function)
        texts.enter(function)


def _instruction(instruction: Instruction, texts: Texts) -> str:
    return f"  {instruction_text(instruction, texts)}\n"


def _metadata(metadata: Metadata, texts: Texts) -> str:
    reference = texts.references[metadata]
    if isinstance(metadata, MDNode) and not is_inline(metadata):
        return f"{reference} = {node_text(metadata, texts)}\n"
    return f"{reference}\n"


def _type(type_: Type, texts: Texts) -> str:
    """Return the text of a type, which LLVM puts after a space, without a line end."""
    text = texts.types[type_]
    if isinstance(type_, StructType) and not type_.is_literal:
        return f" {text} = type {texts.types.body(type_)}"
    return f" {text}"


def _attribute_list(attributes: AttributeList, _texts: Texts) -> str:
    sets = [("function", attributes.for_function), ("return", attributes.for_return)]
    sets += [(f"arg({index})", found) for index, found in attributes.parameters.items()]
    lines = (f"  {{ {place} => {found.spelled()} }}\n" for place, found in sets if found)
    return f"AttributeList[\n{''.join(lines)}]\n"


def _cycle(cycle: Cycle, texts: Texts) -> str:
    """Return the text of a cycle: LLVM prints names of blocks without `%` and without quotes."""
    texts.enter(cycle.header.parent)
    if texts.limit.left is not None and texts.limit.left <= 0:
        return f"depth={cycle.depth}: ...\n"
    entries = " ".join(_block_name(block, texts) for block in cycle.entries)
    known = set(cycle.entries)
    others = "".join(f" {_block_name(block, texts)}" for block in cycle.blocks() if block not in known)
    return f"depth={cycle.depth}: entries({entries}){others}\n"


def _block_name(block: BasicBlock, texts: Texts) -> str:
    return printable(block.name) if block.name else texts.names[block].removeprefix("%")


_WRITERS: dict[type, Callable[[Any, Texts], str]] = {
    type(None): lambda _none, _: "",
    Instruction: _instruction,
    Value: lambda value, texts: f"{texts.typed(value)}\n",
    DebugRecord: lambda record, texts: f"{record_text(record, texts)}\n",
    # The text of named metadata has a line end of its own.
    NamedMetadata: lambda named, texts: f"{named_metadata_text(named, texts)}\n\n",
    Metadata: _metadata,
    Type: _type,
    Cycle: _cycle,
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
