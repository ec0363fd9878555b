"""Memory: atomic and volatile accesses, and `va_arg`.  Rules: docs/reference/text.md, 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.asm.names import quoted
from bitcodec.tables.instruction_flags import flag_texts
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["TEXTS", "access_text"]

_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC


def access_text(access: ir.Load | ir.Store, operands: str) -> str:
    """Return the text of a load or store, given its operands' text."""
    align = f", align {access.alignment}" if access.alignment else ""
    flags = flag_texts(access.opcode)[access.flags]
    if access.ordering is not _NOT_ATOMIC:
        return f"{access.opcode} atomic{flags} {operands}{_order(access)}{align}"
    return f"{access.opcode}{flags} {operands}{align}"


def _align(access: ir.AtomicCmpXchg | ir.AtomicRMW) -> str:
    return f", align {access.alignment}" if access.alignment else ""


def _order(access: ir.Load | ir.Store | ir.AtomicRMW | ir.Fence) -> str:
    return f"{_scope(access.sync_scope)} {access.ordering.spelling}"


def _scope(scope: str) -> str:
    return f" syncscope({quoted(scope)})" if scope else ""


def _fence(fence: ir.Fence, _texts: Texts) -> str:
    return f"fence{_order(fence)}"


def _cmpxchg(exchange: ir.AtomicCmpXchg, texts: Texts) -> str:
    flags = flag_texts("cmpxchg")[exchange.flags]
    orderings = f"{exchange.success_ordering.spelling} {exchange.failure_ordering.spelling}"
    operands = f"{texts.listed(exchange.operands)}{_scope(exchange.sync_scope)}"
    return f"cmpxchg{flags} {operands} {orderings}{_align(exchange)}"


def _atomicrmw(change: ir.AtomicRMW, texts: Texts) -> str:
    flags = flag_texts("atomicrmw")[change.flags]
    operands = texts.listed(change.operands)
    return f"atomicrmw{flags} {change.operation.spelling} {operands}{_order(change)}{_align(change)}"


def _va_arg(instruction: ir.VAArg, texts: Texts) -> str:
    return f"va_arg {texts.typed(instruction.pointer)}, {texts.types[instruction.type]}"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.Fence: _fence,
    ir.AtomicCmpXchg: _cmpxchg,
    ir.AtomicRMW: _atomicrmw,
    ir.VAArg: _va_arg,
}
