# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Metadata nodes that have been begun.  Nodes nest to any depth, so each waits in a list for the nodes inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.metadata_state import ParsedNode
from bitcodec.asm.parser.phrases import accept, accept_word, expect, parse_uint32
from bitcodec.asm.parser.tokens import COMMA, EXCLAIM, LEFT_BRACE, RIGHT_BRACE
from bitcodec.ir.metadata import LocalAsMetadata, MDTuple

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["Needs", "OpenNode", "OpenTuple", "is_node_number", "parse_node_number"]


class Needs:
    """Kind of the item that a node needs next."""

    NOTHING = 0
    """It is complete."""
    METADATA = 1
    LIST = 2
    """A list of metadata in braces."""


class OpenNode:
    """A node that has been begun."""

    __slots__ = ()

    def read(self, state: ModuleState) -> int:
        """Read up to metadata that may contain nodes, or to the end; return one of `Needs`.

        Raises:
            AssemblyError: the text is malformed.
        """
        raise NotImplementedError

    def take(self, part: Any) -> None:
        """Take the metadata or the list that it needed."""
        raise NotImplementedError

    def finish(self, state: ModuleState) -> Any:
        """Return the complete node, or the list.

        Raises:
            AssemblyError: it lacks something.
        """
        raise NotImplementedError


class OpenTuple(OpenNode):
    """A tuple, or a list of metadata; its brace is the current token.

    Attributes:
        allows_locals: whether its parts may be values of the function, as in arguments of calls up to LLVM 3.5.
    """

    __slots__ = ("_is_argument", "_is_begun", "_is_list", "_parts", "_reference", "allows_locals")

    def __init__(
        self,
        state: ModuleState,
        *,
        is_distinct: bool = False,
        is_list: bool = False,
        allows_locals: bool = False,
        is_argument: bool = False,
    ) -> None:
        self.allows_locals = allows_locals or is_argument
        self._is_argument = is_argument
        self._reference = ParsedNode(state.lexer.start)
        self._reference.is_distinct = is_distinct
        self._is_list = is_list
        self._is_begun = False
        self._parts: list[Any] = []
        expect(state.lexer, LEFT_BRACE, "expected '{' here")

    def read(self, state: ModuleState) -> int:
        """Read up to an element that is neither `null` nor a number, or past the closing brace."""
        lexer = state.lexer
        if not self._is_begun:
            self._is_begun = True
            if accept(lexer, RIGHT_BRACE):
                return Needs.NOTHING
        elif not accept(lexer, COMMA):
            expect(lexer, RIGHT_BRACE, "expected end of metadata node")
            return Needs.NOTHING
        parts = self._parts
        while True:
            if is_node_number(state):
                lexer.advance()
                parts.append(parse_node_number(state))
            elif accept_word(lexer, b"null"):
                parts.append(None)
            else:
                return Needs.METADATA
            if not accept(lexer, COMMA):
                expect(lexer, RIGHT_BRACE, "expected end of metadata node")
                return Needs.NOTHING

    def take(self, part: Any) -> None:
        """Take an element."""
        self._parts.append(part)

    def finish(self, state: ModuleState) -> Any:  # noqa: ARG002 - other kinds of nodes need it
        """Return the tuple or list."""
        if self._is_list:
            return tuple(self._parts)
        if self.allows_locals and _has_locals(self._parts):
            # As in bitcode: an argument of one value is that value; everything else around a value becomes empty.
            if not self._is_argument:
                return _LOCAL_NODE
            if len(self._parts) == 1 and self._parts[0] is not _LOCAL_NODE:
                return self._parts[0]
            self._parts.clear()
        self._reference.define(MDTuple, tuple(self._parts), is_distinct=self._reference.is_distinct)
        return self._reference


_LOCAL_NODE = object()
"""Takes the place of a node inside another that contains a value of the function."""


def _has_locals(parts: list[Any]) -> bool:
    return any(part is _LOCAL_NODE or isinstance(part, LocalAsMetadata) for part in parts)


_MAX_32 = 0xFFFF_FFFF


def is_node_number(state: ModuleState) -> bool:
    """Return whether the current token is the exclamation mark of `!N`."""
    lexer = state.lexer
    return lexer.kind == EXCLAIM and lexer.is_digit_next()


def parse_node_number(state: ModuleState) -> ParsedNode:
    """Return the node of the number after an exclamation mark.

    Raises:
        AssemblyError: the number is missing.
    """
    lexer, metadata = state.lexer, state.metadata
    start = lexer.start  # The position is that of the number, as in LLVM.
    number: int = lexer.short_number()
    if 0 <= number <= _MAX_32:
        lexer.advance()
    else:
        number = parse_uint32(lexer)
    return metadata.reference(number, start)
