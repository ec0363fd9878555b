"""Memory operands from tokens: the text behind `::`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bitcodec.mir.memory_operands import (
    MEMORY_FLAGS,
    MEMORY_METADATA,
    ORDERINGS,
    CallEntry,
    CustomSource,
    MachineMemOperand,
)
from bitcodec.mir.names import plain_name
from bitcodec.mir.operand_parser import external_symbol, global_address, low_level_type, node, operand

if TYPE_CHECKING:
    from typing import Any

    from bitcodec.mir.lexer import Tokens
    from bitcodec.mir.operand import MachineOperand

__all__ = ["memory_operand"]

_PREPOSITIONS = frozenset({"from", "into", "on"})
_SOURCES = frozenset({"stack", "got", "jump-table", "constant-pool", "unknown-address"})
_VALUES = frozenset({"value", "stack", "fixed_stack"})


def memory_operand(tokens: Tokens) -> MachineMemOperand:
    """Read one memory operand."""
    tokens.expect("(")
    flags = _flags(tokens)
    is_load = tokens.accept("load")
    is_store = tokens.accept("store")
    if not is_load and not is_store:
        tokens.fail("'load' or 'store' expected")
    sync_scope = _sync_scope(tokens) if tokens.text == "syncscope" else None
    ordering = _ordering(tokens)
    failure_ordering = _ordering(tokens) if ordering else ""
    type = _type(tokens)
    value, offset = _address(tokens) if tokens.text in _PREPOSITIONS else (None, 0)
    found = MachineMemOperand(
        is_load, is_store, type, value, offset, flags, sync_scope, ordering, failure_ordering, **_rest(tokens)
    )
    tokens.expect(")")
    return found


def _flags(tokens: Tokens) -> tuple[str, ...]:
    flags = []
    while tokens.text in MEMORY_FLAGS or tokens.kind == "string":
        flags.append(tokens.advance())
    return tuple(flags)


def _sync_scope(tokens: Tokens) -> str:
    tokens.advance()
    tokens.expect("(")
    name = plain_name(tokens.take("string", "a name in quotes"))
    tokens.expect(")")
    return name


def _ordering(tokens: Tokens) -> str:
    return tokens.advance() if tokens.text in ORDERINGS else ""


def _type(tokens: Tokens) -> str:
    if tokens.text == "unknown-size" or tokens.text.isdecimal():
        return tokens.advance()
    tokens.expect("(")
    type = low_level_type(tokens)
    tokens.expect(")")
    return type


def _address(tokens: Tokens) -> tuple[MachineOperand, int]:
    """Read the base and the offset of an address."""
    found: MachineOperand
    tokens.advance()
    if tokens.kind == "global":
        address = global_address(tokens)
        return replace(address, offset=0), address.offset
    if tokens.kind in _VALUES:
        found = operand(tokens, "")
    elif tokens.text == "call-entry":
        tokens.advance()
        found = CallEntry(external_symbol(tokens) if tokens.kind == "external" else global_address(tokens))
    elif tokens.text == "custom":
        tokens.advance()
        found = CustomSource(f"custom {tokens.take('string', 'a name in quotes')}")
    elif tokens.text in _SOURCES:
        found = CustomSource(tokens.advance())
    else:
        tokens.fail("an address expected")
    return found, tokens.offset()


def _rest(tokens: Tokens) -> dict[str, Any]:
    """Read the fields behind the address."""
    rest: dict[str, Any] = {}
    metadata = []
    while tokens.accept(","):
        if tokens.kind == "metadata" and tokens.text[1:] in MEMORY_METADATA:
            kind = tokens.advance()[1:]
            metadata.append((kind, node(tokens)))
        elif tokens.text in _NUMBERS:
            name = _NUMBERS[tokens.advance()]
            rest[name] = tokens.integer()
        else:
            tokens.fail("an alignment, an address space or metadata expected")
    return {**rest, "metadata": tuple(metadata)}


_NUMBERS = {"align": "align", "basealign": "base_align", "addrspace": "address_space"}
