"""Comdats as LLVM 3.5 named them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.asm.parser.tokens import COMDAT_NAME

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["is_bare_comdat"]

_DEFINES = re.compile(rb"(?:\s|;[^\n]*\n)*=")


def is_bare_comdat(state: ModuleState) -> bool:
    """Return whether `$name` without parentheses follows `comdat`, and not the definition of another comdat."""
    lexer = state.lexer
    if lexer.kind != COMDAT_NAME or _DEFINES.match(lexer.data, lexer.end):
        return False
    return state.dialect.accepts(lexer, "expected top-level entity")
