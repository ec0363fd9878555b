"""Comdats as LLVM 3.5 named them, and those that weak globals of LLVM 3.4 and older had without saying so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.asm.parser.tokens import COMDAT_NAME
from bitcodec.upgrade.comdats import IMPLICIT_COMDAT_LINKAGES, add_implicit_comdats

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["imply_comdats", "is_bare_comdat"]

_DEFINES = re.compile(rb"(?:\s|;[^\n]*\n)*=")


def is_bare_comdat(state: ModuleState) -> bool:
    """Return whether `$name` without parentheses follows `comdat`, and not the definition of another comdat."""
    lexer = state.lexer
    if lexer.kind != COMDAT_NAME or _DEFINES.match(lexer.data, lexer.end):
        return False
    return state.dialect.accepts(lexer, "expected top-level entity")


def imply_comdats(state: ModuleState) -> None:
    """Put the globals of a text without comdats into those that their linkages imply, as the reader of bitcode does."""
    if state.dialect.is_before(3, 5):
        objects = (*state.module.global_variables, *state.module.functions)
        add_implicit_comdats(state.module, [each for each in objects if each.linkage in IMPLICIT_COMDAT_LINKAGES])
