"""Top-level entities that are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import accept, expect, is_word, parse_string
from bitcodec.asm.parser.tokens import COMMA, EQUAL, LEFT_SQUARE, RIGHT_SQUARE

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["parse_libraries"]


def parse_libraries(state: ModuleState) -> bool:
    """Go past `deplibs = [...]` of LLVM 3.2 and older, which LLVM has dropped; return whether it was there.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    if not is_word(lexer, b"deplibs") or not state.dialect.accepts(lexer, "expected top-level entity"):
        return False
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' after deplibs")
    expect(lexer, LEFT_SQUARE, "expected '[' after deplibs")
    while lexer.kind != RIGHT_SQUARE:
        parse_string(lexer)
        if not accept(lexer, COMMA):
            break
    expect(lexer, RIGHT_SQUARE, "expected ']' at end of list")
    return True
