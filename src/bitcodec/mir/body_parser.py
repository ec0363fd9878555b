"""The body of a machine function from text: blocks, their lists, and instructions.

Rules: the syntax that LLVM's own reader of machine IR accepts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.mir.blocks import ALL_LANES, BLOCK_ATTRIBUTES, LiveIn, MachineBasicBlock, Successor, normalized
from bitcodec.mir.instruction import MachineInstr
from bitcodec.mir.instruction_parser import instruction
from bitcodec.mir.lexer import Tokens
from bitcodec.mir.written import TextOwners
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.mir.source import SourceText

__all__ = ["ParsedBody", "parse_body"]

_LISTS = frozenset({"successors", "liveins"})


class ParsedBody(NamedTuple):
    """The body of a function.

    Attributes:
        blocks: in order.
        tail: the text behind the last one.
    """

    blocks: list[MachineBasicBlock]
    tail: str


def parse_body(source: SourceText, start: int, end: int) -> ParsedBody:
    """Read a body.

    Args:
        source: the text of the file.
        start: where the first line of the body begins.
        end: where the last one ends.

    Raises:
        MIRError: it is malformed.
    """
    parser = _BodyParser(source, start)
    position = start
    text = source.text
    while position < end:
        line_end = text.find("\n", position, end)
        if line_end < 0:
            line_end = end
        parser.line(position, line_end)
        position = line_end + 1
    return parser.finished(end)


class _BodyParser:
    """Goes through a body line by line."""

    def __init__(self, source: SourceText, start: int) -> None:
        self._source = source
        self._owners = TextOwners(source, start)
        self._blocks: list[MachineBasicBlock] = []
        self._numbers: set[int] = set()
        self._last: MachineBasicBlock | MachineInstr | None = None
        self._in_bundle = False

    def line(self, start: int, end: int) -> None:
        """Read one line."""
        tokens = Tokens(self._source, start, end)
        while True:
            tokens.skip_comments()
            if tokens.kind == "end":
                return
            if tokens.text in {"{", "}"}:
                self._brace(tokens)
            elif tokens.text.startswith("bb.") and tokens.kind == "word":
                self._block(tokens)
            elif not self._blocks:
                tokens.fail("a basic block expected before instructions")
            elif tokens.text in _LISTS:
                self._list(tokens)
            else:
                self._instruction(tokens)

    def finished(self, end: int) -> ParsedBody:
        """Return the parsed body."""
        if self._in_bundle:
            raise self._source.error("'}' expected: a bundle is not closed", end)
        return ParsedBody(self._blocks, self._owners.finish(end))

    def _brace(self, tokens: Tokens) -> None:
        is_opening = tokens.text == "{"
        if is_opening is self._in_bundle:
            tokens.fail("bundles do not nest" if is_opening else "an instruction expected")
        if not isinstance(self._last, MachineInstr):
            tokens.fail("an instruction expected before a bundle")
        tokens.advance()
        self._in_bundle = is_opening
        self._owners.brace(tokens.last_end, (is_opening, not is_opening and self._last.is_inside_bundle))

    def _block(self, tokens: Tokens) -> None:
        start = tokens.start
        if self._in_bundle:
            tokens.fail("'}' expected: a bundle is not closed")
        number, _, name = tokens.text[len("bb.") :].partition(".")
        if not number.isdecimal() or len(number) > _LONGEST_NUMBER:
            tokens.fail("the number of a basic block expected")
        if int(number) in self._numbers:
            tokens.fail("another number expected: this basic block is defined twice")
        tokens.advance()
        attributes = _attributes(tokens) if tokens.accept("(") else ()
        tokens.expect(":")
        block = MachineBasicBlock(int(number), name, attributes)
        self._numbers.add(block.number)
        self._blocks.append(block)
        self._last = block
        self._owners.begin(block, start, tokens.last_end)

    def _list(self, tokens: Tokens) -> None:
        """Read successors or registers; they belong to the text of the block."""
        block = self._blocks[-1]
        if self._last is not block:
            tokens.fail("an instruction expected: lists of a block stand before its instructions")
        if tokens.advance() == "successors":
            tokens.expect(":")
            more = _successors(tokens)
            # Each list of a block is normalized by itself, so that lists cannot just be joined.
            before = normalized(block.successors or ()) if more else block.successors or ()
            block.successors = before + more
        else:
            tokens.expect(":")
            block.liveins += _liveins(tokens)
        tokens.skip_comments()
        if tokens.kind != "end":
            tokens.fail("the end of the line expected")
        self._owners.extend(tokens.last_end)

    def _instruction(self, tokens: Tokens) -> None:
        start = tokens.start
        found = instruction(tokens)
        found.is_inside_bundle = self._in_bundle
        self._blocks[-1].append(found)
        self._owners.begin(found, start, tokens.last_end, takes_blank_lines=isinstance(self._last, MachineBasicBlock))
        self._last = found


_LONGEST_NUMBER = 10
"""Digits."""


def _attributes(tokens: Tokens) -> tuple[str, ...]:
    """Read the attributes in parentheses behind a label; LLVM takes lists with gaps, such as `()`."""
    found = []
    while True:
        if tokens.text in {",", ")"}:
            pass
        elif tokens.kind == "ir_block":
            found.append(tokens.advance())
        elif tokens.text in BLOCK_ATTRIBUTES:
            words = [tokens.advance()]
            kinds = BLOCK_ATTRIBUTES[words[0]].split()
            while kinds and tokens.kind in kinds:
                words.append(tokens.advance())
            found.append(" ".join(words))
        else:
            tokens.fail("an attribute of a basic block expected")
        if not tokens.accept(","):
            break
    tokens.expect(")")
    return tuple(found)


def _successors(tokens: Tokens) -> tuple[Successor, ...]:
    found: list[Successor] = []
    while tokens.kind == "block":
        number = int(tokens.advance()[len("%bb.") :].partition(".")[0])
        probability = None
        if tokens.accept("("):
            probability = tokens.integer("a probability")
            tokens.expect(")")
        found.append(Successor(number, probability))
        if not tokens.accept(","):
            break
    return tuple(found)


def _liveins(tokens: Tokens) -> tuple[LiveIn, ...]:
    found: list[LiveIn] = []
    while tokens.kind == "register":
        name = tokens.advance()
        found.append(LiveIn(name, tokens.integer("a lane mask") if tokens.accept(":") else ALL_LANES))
        if not tokens.accept(","):
            break
    return tuple(found)
