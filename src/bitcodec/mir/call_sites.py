"""Entries about calls in a function's document, by their places, kept right while instructions come and go.

`callSites` and `calledGlobals` mean an instruction by the place of its block and its own place in it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from bitcodec.mir.source import Edits
from bitcodec.mir.yaml_nodes import YamlMapping, YamlSequence

if TYPE_CHECKING:
    from bitcodec.mir.blocks import MachineBasicBlock
    from bitcodec.mir.instruction import MachineInstr
    from bitcodec.mir.source import SourceText

__all__ = ["CallSites"]

_LISTS = ("callSites", "calledGlobals")
_PLACE = ("bb", "offset")


class CallSites:
    """Entries that mean instructions.

    Args:
        attributes: the document of the function.
        source: the text of the file.
        blocks: the blocks of the function, as they were read.

    Raises:
        MIRError: an entry means no instruction.
    """

    __slots__ = ("_attributes", "_entries_of", "_meant", "_source")

    def __init__(self, attributes: YamlMapping, source: SourceText, blocks: list[MachineBasicBlock]) -> None:
        self._attributes = attributes
        self._source = source
        self._meant: dict[YamlMapping, MachineInstr | None] = {
            entry: self._instruction(entry, blocks) for name in _LISTS for entry in self._entries(name)
        }
        self._entries_of: defaultdict[MachineInstr, list[YamlMapping]] = defaultdict(list)
        for entry, instruction in self._meant.items():
            if instruction is not None:
                self._entries_of[instruction].append(entry)

    def move(self, old: MachineInstr, new: MachineInstr | None) -> None:
        """Move the entries about an instruction to another one, or remove them."""
        entries = self._entries_of.pop(old, [])
        for entry in entries:
            self._meant[entry] = new
        if entries and new is not None:
            self._entries_of[new] += entries

    def update(self, edits: Edits, blocks: list[MachineBasicBlock]) -> None:
        """Record the places that instructions have now; entries about instructions without a block are removed."""
        if not self._meant:
            return
        places = {
            id(instruction): (row, index)
            for row, block in enumerate(blocks)
            for index, instruction in enumerate(block.instructions)
        }
        for name in _LISTS:
            entries = self._entries(name)
            standing = [
                (entry, places[id(self._meant[entry])]) for entry in entries if id(self._meant[entry]) in places
            ]
            if len(standing) == len(entries):
                for entry, place in standing:
                    self._renumber(entry, place, edits)
            else:
                self._rewrite(name, [self._text(entry, place) for entry, place in standing], edits)

    @staticmethod
    def _renumber(entry: YamlMapping, place: tuple[int, int], edits: Edits) -> None:
        for key, value in zip(_PLACE, place, strict=True):
            node = entry[key]
            if node.value != value:
                edits.replace(node.start, node.end, str(value))

    def _text(self, entry: YamlMapping, place: tuple[int, int]) -> str:
        """Return the text of an entry as in its list, with its current place."""
        edits = Edits()
        edits.replace(0, entry.start, "")
        edits.replace(entry.end, len(self._source.text), "")
        self._renumber(entry, place, edits)
        return edits.applied_to(self._source.text)

    def _rewrite(self, name: str, entries: list[str], edits: Edits) -> None:
        """Replace the entries of a list."""
        sequence = self._attributes[name]
        if not isinstance(sequence, YamlSequence):
            return
        is_in_brackets = self._source.text[sequence.start] == "["
        end = sequence.end if is_in_brackets else sequence.items[-1].end
        text = "".join(f"{self._source.newline}  - {entry}" for entry in entries) or " []"
        edits.replace(self._attributes.key(name).end, end, f":{text}")

    def _entries(self, name: str) -> list[YamlMapping]:
        node = self._attributes.get(name)
        return [entry for entry in node if isinstance(entry, YamlMapping)] if isinstance(node, YamlSequence) else []

    def _instruction(self, entry: YamlMapping, blocks: list[MachineBasicBlock]) -> MachineInstr:
        numbers = [node.value if (node := entry.get(key)) is not None else None for key in _PLACE]
        match numbers:
            case [int(row), int(index)] if 0 <= row < len(blocks) and 0 <= index < len(blocks[row]):
                return blocks[row].instructions[index]
        raise self._source.error("the place of an instruction expected: 'bb' and 'offset'", entry.start)
