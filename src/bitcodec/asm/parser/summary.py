"""Summary entries: `^N = ...`.  Rules: assembly text reference, section 15; parsing reference, section 8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import expect
from bitcodec.asm.parser.tokens import EQUAL, LEFT_PARENTHESIS, RIGHT_PARENTHESIS

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["parse_summary_entry"]


def parse_summary_entry(state: ModuleState) -> None:
    """Read an entry, whose number is the current token.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    lexer.advance()
    lexer.fields = True
    expect(lexer, EQUAL, "expected '=' here")
    lexer.advance()
    lexer.advance()
    depth = 0
    while True:
        depth += (lexer.kind == LEFT_PARENTHESIS) - (lexer.kind == RIGHT_PARENTHESIS)
        if depth <= 0:
            lexer.fields = False
        lexer.advance()
        if depth <= 0:
            return
