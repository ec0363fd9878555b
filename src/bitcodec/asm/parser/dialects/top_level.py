"""Top-level entities that are gone, or stood anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import accept, expect, is_word, parse_string
from bitcodec.asm.parser.tokens import COMMA, EQUAL, LEFT_SQUARE, RIGHT_SQUARE, WORD
from bitcodec.tables.linkage import DLLStorageClass, Linkage, Visibility

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["begins_unnamed_global", "parse_libraries"]

_GLOBAL_WORDS = frozenset(
    spelling.encode()
    for spelling in (
        *(each.spelling for kind in (Linkage, Visibility, DLLStorageClass) for each in kind if each.spelling),
        *("global", "constant", "alias", "thread_local", "unnamed_addr", "addrspace"),
    )
)


def begins_unnamed_global(state: ModuleState) -> bool:
    """Return whether a global without a name begins, as up to LLVM 3.9."""
    lexer = state.lexer
    return (
        lexer.kind == WORD
        and lexer.text() in _GLOBAL_WORDS
        and state.dialect.accepts(lexer, "expected top-level entity")
    )


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
