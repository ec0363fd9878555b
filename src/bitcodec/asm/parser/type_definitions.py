"""Definitions of named and numbered types.  Rules: docs/reference/text.md, 17.4."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.asm.parser.dialects.pointees import last_pointee
from bitcodec.asm.parser.phrases import accept_word, decoded
from bitcodec.asm.parser.tokens import LEFT_BRACE, LESS
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.types import StructType

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["parse_type_definition"]

_STRUCT_FOLLOWS = re.compile(rb"(?:[\0\s]|;[^\n]*\n|/\*.*?\*/)*\{", re.DOTALL)


def parse_type_definition(state: ModuleState, key: bytes | int, start: int) -> None:
    """Parse a type definition after `%T = type`.

    Raises:
        AssemblyError: the type is defined already, or malformed.
    """
    lexer, named = state.lexer, state.named_types
    if named.is_defined(key):
        lexer.refuse("redefinition of type", start)
    if accept_word(lexer, b"opaque"):
        named.defined_struct(key)
        return
    is_packed = lexer.kind == LESS
    if lexer.kind == LEFT_BRACE or (is_packed and _STRUCT_FOLLOWS.match(lexer.data, lexer.end)):
        _parse_body(state, key, start)
        return
    if named.is_used(key):
        lexer.refuse("forward references to non-struct type", start)
    type_ = named.types[key] = parse_type(state)
    pointee = last_pointee(state, type_)
    if pointee is not None:
        named.pointees[key] = pointee


def _parse_body(state: ModuleState, key: bytes | int, start: int) -> None:
    named = state.named_types
    named.reserve_name(key)
    body = parse_type(state)
    if not isinstance(body, StructType):  # a function type that returns a struct
        state.lexer.refuse("expected top-level entity")
    conflict = named.conflict(key, body)
    if conflict:
        state.lexer.refuse(conflict, start)
    if not named.define_struct(key, body):
        state.lexer.refuse(f"identified structure type '{decoded(key) if isinstance(key, bytes) else ''}' is recursive")
