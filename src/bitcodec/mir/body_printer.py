"""The body of a machine function as text: unchanged parts with their original text, the rest as LLVM writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.mir.blocks import MachineBasicBlock
    from bitcodec.mir.body_parser import ParsedBody
    from bitcodec.mir.instruction import MachineInstr

__all__ = ["BodyPrinter"]

_INSTRUCTION = "  "
_BUNDLED = "    "


class BodyPrinter:
    """Prints bodies.

    Args:
        indentation: the text before each line of the body.
        newline: how lines end.
        keeps: whether unchanged parts keep their text.
    """

    def __init__(self, indentation: str, newline: str, *, keeps: bool) -> None:
        self._indentation = indentation
        self._newline = newline
        self._keeps = keeps

    def text(self, body: ParsedBody) -> str:
        """Return the text of a body, which ends with a line break."""
        pieces: list[str] = []
        for index, block in enumerate(body.blocks):
            pieces += self._block(block, is_first=index == 0)
        return "".join(pieces) + (body.tail if self._keeps else "")

    def _block(self, block: MachineBasicBlock, *, is_first: bool) -> Iterator[str]:
        written = block.written if self._keeps else None
        if written is not None:
            yield written.before
        else:
            yield self._indentation if is_first else f"{self._indentation}{self._newline}{self._indentation}"
        if written is not None and written.said == block.said():
            yield from (written.text, written.after)
        else:
            yield self._header(block)
        instructions = [*block.instructions]
        inside = [each.is_inside_bundle for each in instructions]
        for instruction, is_inside, is_next_inside in zip(instructions, inside, [*inside[1:], False], strict=False):
            yield from self._instruction(instruction, (not is_inside and is_next_inside, is_inside > is_next_inside))

    def _header(self, block: MachineBasicBlock) -> str:
        lines = [f"{block.label}:"]
        if block.successors is not None:
            lines.append(f"  successors: {', '.join(map(str, block.successors))}".rstrip())
        if block.liveins:
            lines.append(f"  liveins: {', '.join(map(str, block.liveins))}")
        if len(lines) > 1 and block.instructions:
            lines.append("")
        return f"{self._newline}{self._indentation}".join(lines) + self._newline

    def _instruction(self, instruction: MachineInstr, braces: tuple[bool, bool]) -> Iterator[str]:
        """Yield the text of an instruction, after which a bundle is opened or closed."""
        written = instruction.written if self._keeps else None
        if written is not None:
            yield written.before
        else:
            yield self._indentation + (_BUNDLED if instruction.is_inside_bundle else _INSTRUCTION)
        yield written.text if written is not None and written.said == instruction.said() else str(instruction)
        if written is not None and written.braces == braces:
            yield written.after
            return
        opens, closes = braces
        yield f" {{{self._newline}" if opens else self._newline
        if closes:
            yield f"{self._indentation}{_INSTRUCTION}}}{self._newline}"
