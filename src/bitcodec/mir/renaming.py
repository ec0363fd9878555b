"""Machine functions after objects of the IR part got other names or numbers: everything that refers to them follows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bitcodec.mir.memory_operands import CallEntry
from bitcodec.mir.names import name_of, spelled
from bitcodec.mir.operand import MachineOperand
from bitcodec.mir.operands import (
    BlockAddressOperand,
    BlockReference,
    FrameIndex,
    GlobalAddress,
    IntrinsicID,
    IRBlock,
    IRValue,
)
from bitcodec.mir.yaml_nodes import YamlMapping, YamlNode, YamlScalar, YamlSequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.mir.blocks import MachineBasicBlock
    from bitcodec.mir.function import MachineFunction
    from bitcodec.mir.instruction import MachineInstr
    from bitcodec.mir.names import Name, Renaming

__all__ = ["rename"]

_GLOBALS = re.compile(r"""@("[^"]*"|[-\w$.]+)""", re.ASCII)
_BLOCK = re.compile(r"""(%ir-block\.)("[^"]*"|.+)""")
_NUMBERED = re.compile(r"(%(?:stack|bb)\.[0-9]+\.)(.+)")
"""An object on the stack or a block, by its number and by its name."""
_BLOCK_NUMBER = "%ir-block."
_PLAIN = re.compile(r"[-\w$.]+\Z", re.ASCII)
_WITH_GLOBALS = ("constants", "machineMetadataNodes")
"""Entries of documents that contain constants and nodes as text."""
_WITH_NUMBERED = ("frameInfo", "jumpTable")
"""Entries that contain objects on the stack or blocks."""


def rename(function: MachineFunction, renaming: Renaming) -> None:
    """Let everything in a machine function refer to objects of the IR part by their new names.

    Raises:
        MIRError: the body is malformed.
    """
    renamer = _Renamer(renaming, renaming.locals.get(function.name, {}))
    for block in function.blocks:
        renamer.block(block)
        for instruction in block.instructions:
            renamer.instruction(instruction)
    renamer.document(function.attributes)


class _Renamer:
    def __init__(self, renaming: Renaming, own: Mapping[Name, Name]) -> None:
        self._renaming = renaming
        self._globals = renaming.globals
        self._locals = own
        self._operands: dict[type[MachineOperand], Callable[..., MachineOperand]] = {
            GlobalAddress: self._named_by_global,
            IntrinsicID: self._named_by_global,
            IRBlock: self._named_by_local,
            IRValue: self._value,
            BlockAddressOperand: self._block_address,
            CallEntry: lambda operand: replace(operand, callee=self.operand(operand.callee)),
            BlockReference: self._with_local,
            FrameIndex: self._with_local,
        }

    # Bodies

    def block(self, block: MachineBasicBlock) -> None:
        """Rename the block of the IR part that a block was made of."""
        if block.name in self._locals:
            new = self._locals[block.name]
            block.name = _label(new)
            if not block.name:
                block.attributes = (f"{_BLOCK_NUMBER}{spelled(new)}", *block.attributes)
        elif any(attribute.startswith(_BLOCK_NUMBER) for attribute in block.attributes):
            self._numbered_block(block)
        block.attributes = tuple([self._in_attribute(attribute) for attribute in block.attributes])

    def _numbered_block(self, block: MachineBasicBlock) -> None:
        """Rename a block without a name, which may have one now."""
        number, *others = sorted(block.attributes, key=lambda attribute: not attribute.startswith(_BLOCK_NUMBER))
        new = self._locals.get(name_of(number[len(_BLOCK_NUMBER) :]))
        if new is not None and _label(new):
            block.name, block.attributes = _label(new), tuple(others)
        elif new is not None:
            is_own = (attribute == number for attribute in block.attributes)
            texts = zip(block.attributes, is_own, strict=True)
            block.attributes = tuple([f"{_BLOCK_NUMBER}{spelled(new)}" if own else text for text, own in texts])

    def _in_attribute(self, attribute: str) -> str:
        if attribute.startswith(_BLOCK_NUMBER):
            return attribute
        return _BLOCK.sub(lambda match: match[1] + spelled(self._local(name_of(match[2]))), attribute)

    def instruction(self, instruction: MachineInstr) -> None:
        """Rename the references of an instruction."""
        operands = tuple([self.operand(operand) for operand in instruction.operands])
        if operands != instruction.operands:
            instruction.operands = operands
        for keyword, value in instruction.suffixes.items():
            if isinstance(value, MachineOperand) and self.operand(value) != value:
                instruction.set_suffix(keyword, self.operand(value))
        if instruction.memory_operands:
            instruction.memory_operands = tuple(
                [
                    each if each.value is None else replace(each, value=self.operand(each.value))
                    for each in instruction.memory_operands
                ]
            )

    def operand(self, operand: MachineOperand) -> MachineOperand:
        """Return an operand with new names."""
        renamed = self._operands.get(type(operand))
        return operand if renamed is None else renamed(operand)

    def _named_by_global(self, operand: GlobalAddress | IntrinsicID) -> MachineOperand:
        return replace(operand, name=self._globals.get(operand.name, operand.name))

    def _named_by_local(self, operand: IRBlock) -> MachineOperand:
        return replace(operand, name=self._local(operand.name))

    def _value(self, operand: IRValue) -> MachineOperand:
        if operand.text:
            return replace(operand, text=self._with_globals(operand.text))
        return replace(operand, name=self._local(operand.name))

    def _block_address(self, operand: BlockAddressOperand) -> MachineOperand:
        names = self._renaming.locals.get(operand.function.name, {})
        block = replace(operand.block, name=names.get(operand.block.name, operand.block.name))
        function = replace(operand.function, name=self._globals.get(operand.function.name, operand.function.name))
        return replace(operand, function=function, block=block)

    def _with_local(self, operand: BlockReference | FrameIndex) -> MachineOperand:
        return replace(operand, name=_label(self._local(operand.name))) if operand.name else operand

    def _local(self, name: Name) -> Name:
        return self._locals.get(name, name)

    def _name(self, name: str) -> str:
        """Return the new name of a local, "" for one without a name."""
        new = self._local(name)
        return new if isinstance(new, str) else ""

    def _with_globals(self, text: str) -> str:
        def renamed(match: re.Match[str]) -> str:
            name = name_of(match[1])
            return f"@{spelled(self._globals[name])}" if name in self._globals else match[0]

        return _GLOBALS.sub(renamed, text)

    # The rest of the document

    def document(self, attributes: YamlMapping) -> None:
        """Rename the references of the entries of a document."""
        self._set(attributes.get("name"), lambda name: str(self._globals.get(name, name)))
        for entry in _entries(attributes.get("stack")):
            self._set(entry.get("name"), self._name)
        for entry in _entries(attributes.get("calledGlobals")):
            self._set(entry.get("callee"), lambda name: str(self._globals.get(name, name)))
        for key in _WITH_GLOBALS:
            for scalar in _scalars(attributes.get(key)):
                self._set(scalar, self._with_globals)
        for key in _WITH_NUMBERED:
            for scalar in _scalars(attributes.get(key)):
                self._set(scalar, self._numbered)

    def _numbered(self, text: str) -> str:
        match = _NUMBERED.fullmatch(text)
        if match is None:
            return text
        name = _label(self._local(match[2]))
        return f"{match[1]}{name}" if name else match[1].removesuffix(".")

    @staticmethod
    def _set(node: YamlNode | None, renamed: Callable[[str], str]) -> None:
        if isinstance(node, YamlScalar) and node.text and renamed(node.text) != node.text:
            node.set(renamed(node.text))


def _label(name: Name) -> str:
    """Return a name as `bb.1.name` and `%stack.0.name` have it, "" if they cannot."""
    return name if isinstance(name, str) and _PLAIN.match(name) else ""


def _entries(node: YamlNode | None) -> Iterator[YamlMapping]:
    if isinstance(node, YamlSequence):
        yield from (entry for entry in node if isinstance(entry, YamlMapping))


def _scalars(root: YamlNode | None) -> Iterator[YamlScalar]:
    """Yield the scalars of a node, those inside it too."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, YamlScalar):
            yield node
        elif isinstance(node, YamlSequence):
            pending += node.items
        elif isinstance(node, YamlMapping):
            pending += [node.get(key) for key in node]
