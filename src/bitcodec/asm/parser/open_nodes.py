# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Metadata nodes that have been begun.  Nodes nest to any depth, so each waits in a list for the nodes inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.metadata_state import NodeReference
from bitcodec.asm.parser.phrases import accept, accept_word, expect, parse_uint32
from bitcodec.asm.parser.tokens import COMMA, EXCLAIM, INTEGER, LEFT_BRACE, RIGHT_BRACE
from bitcodec.ir.metadata import MDTuple

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["Needs", "OpenNode", "OpenTuple", "is_node_number", "parse_node_number"]


class Needs:
    """What a node needs next."""

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
    """A tuple, or a list of metadata; its brace is the current token."""

    __slots__ = ("_is_begun", "_is_list", "_parts", "_reference")

    def __init__(self, state: ModuleState, *, is_distinct: bool = False, is_list: bool = False) -> None:
        self._reference = NodeReference(state.lexer.start)
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
        self._reference.define(MDTuple, tuple(self._parts), is_distinct=self._reference.is_distinct)
        return self._reference


_DIGITS = b"0123456789"
_MANY_DIGITS = 10
"""Shorter numbers have less than 32 bits."""


def is_node_number(state: ModuleState) -> bool:
    """Return whether the current token is the exclamation mark of `!N`."""
    lexer = state.lexer
    return lexer.kind == EXCLAIM and lexer.data[lexer.end] in _DIGITS


def parse_node_number(state: ModuleState) -> NodeReference:
    """Return the node of the number behind an exclamation mark.

    Raises:
        AssemblyError: there is no number.
    """
    lexer, metadata = state.lexer, state.metadata
    start = lexer.start  # The position is that of the number, as in LLVM.
    text = lexer.data[start : lexer.end]
    if lexer.kind == INTEGER and len(text) < _MANY_DIGITS and text.isdigit():
        number = int(text)
        lexer.advance()
    else:
        number = parse_uint32(lexer)
    return metadata.numbered.get(number) or metadata.reference(number, start)
