"""What a function's document says of calls by their places, kept right while instructions come and go.

`callSites` and `calledGlobals` mean an instruction by the place of its block and its own place in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.mir.yaml_nodes import YamlMapping, YamlSequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.mir.blocks import MachineBasicBlock
    from bitcodec.mir.instruction import MachineInstr
    from bitcodec.mir.source import Edits, Source

__all__ = ["CallSites"]

_LISTS = ("callSites", "calledGlobals")


class CallSites:
    """Entries that mean instructions.

    Args:
        attributes: the document of the function.
        source: the text of the file.
        blocks: the blocks of the function, as they were read.

    Raises:
        MIRError: an entry means no instruction.
    """

    __slots__ = ("_attributes", "_meant", "_source")

    def __init__(self, attributes: YamlMapping, source: Source, blocks: list[MachineBasicBlock]) -> None:
        self._attributes = attributes
        self._source = source
        self._meant: dict[YamlMapping, MachineInstr | None] = {
            entry: self._instruction(entry, blocks) for _, entry in self._entries()
        }

    def move(self, old: MachineInstr, new: MachineInstr | None) -> None:
        """Have what is said of an instruction hold for another one, or for none."""
        for entry, meant in self._meant.items():
            if meant is old:
                self._meant[entry] = new

    def update(self, edits: Edits, blocks: list[MachineBasicBlock]) -> None:
        """Note the places that instructions have now; what is said of one that stands nowhere goes."""
        if not self._meant:
            return
        places = {
            id(instruction): (row, index)
            for row, block in enumerate(blocks)
            for index, instruction in enumerate(block.instructions)
        }
        left = dict.fromkeys(_LISTS, 0)
        for name, entry in self._entries():
            place = places.get(id(self._meant[entry]))
            if place is None:
                start = self._source.line_start(entry.start)
                edits.replace(start, self._source.next_line(entry.end - 1), "")
            else:
                left[name] += 1
                for key, value in zip(("bb", "offset"), place, strict=True):
                    node = entry[key]
                    if node.value != value:
                        edits.replace(node.start, node.end, str(value))
        self._empty_lists(edits, left)

    def _empty_lists(self, edits: Edits, left: dict[str, int]) -> None:
        for name, count in left.items():
            node = self._attributes.get(name)
            if node is not None and isinstance(node, YamlSequence) and len(node) and not count:
                last = node.items[-1]
                edits.replace(
                    self._attributes.key(name).end, self._source.next_line(last.end - 1), f": []{self._source.newline}"
                )

    def _entries(self) -> Iterator[tuple[str, YamlMapping]]:
        for name in _LISTS:
            node = self._attributes.get(name)
            if isinstance(node, YamlSequence):
                yield from ((name, entry) for entry in node if isinstance(entry, YamlMapping))

    def _instruction(self, entry: YamlMapping, blocks: list[MachineBasicBlock]) -> MachineInstr:
        numbers = [node.value if (node := entry.get(key)) is not None else None for key in ("bb", "offset")]
        match numbers:
            case [int(row), int(index)] if 0 <= row < len(blocks) and 0 <= index < len(blocks[row]):
                return blocks[row].instructions[index]
        raise self._source.error("the place of an instruction expected: 'bb' and 'offset'", entry.start)
