"""Memory: what makes room, reads, writes and computes addresses.  Rules: assembly text reference, section 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir
from bitcodec.asm.constants import gep_flags
from bitcodec.asm.names import quoted
from bitcodec.ir.types import IntegerType
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["TEXTS"]


_BITS_OF_ALLOCA_COUNT = 32
_OPERANDS_OF_MOST_GEPS = 2
_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC


def _alloca(alloca: ir.Alloca, texts: Texts) -> str:
    parts = [texts.types[alloca.allocated_type]]
    if not _is_one(alloca.array_size):
        parts.append(texts.typed(alloca.array_size))
    if alloca.alignment:
        parts.append(f"align {alloca.alignment}")
    type_ = alloca.type
    if isinstance(type_, ir.PointerType) and type_.address_space:
        parts.append(f"addrspace({type_.address_space})")
    words = "inalloca " if alloca.is_inalloca else ""
    if alloca.is_swift_error:
        words += "swifterror "
    return f"alloca {words}{', '.join(parts)}"


def _is_one(count: ir.Value) -> bool:
    if not isinstance(count, ir.ConstantInt) or not isinstance(count.type, IntegerType):
        return False
    return count.value == 1 and count.type.bit_width == _BITS_OF_ALLOCA_COUNT


def _load(load: ir.Load, texts: Texts) -> str:
    types, pointer = texts.types, load._operands[0]
    return _access(load, f"{types[load.type]}, {types[pointer.type]} {texts.names[pointer]}")


def _store(store: ir.Store, texts: Texts) -> str:
    types, names = texts.types, texts.names
    value, pointer = store._operands
    return _access(store, f"{types[value.type]} {names[value]}, {types[pointer.type]} {names[pointer]}")


def _access(access: ir.Load | ir.Store, operands: str) -> str:
    align = f", align {access.alignment}" if access.alignment else ""
    volatile = " volatile" if access.is_volatile else ""
    if access.ordering is not _NOT_ATOMIC:
        return f"{access.opcode} atomic{volatile} {operands}{_order(access)}{align}"
    return f"{access.opcode}{volatile} {operands}{align}"


def _align(access: ir.AtomicCmpXchg | ir.AtomicRMW) -> str:
    return f", align {access.alignment}" if access.alignment else ""


def _order(access: ir.Load | ir.Store | ir.AtomicRMW | ir.Fence) -> str:
    return f"{_scope(access.sync_scope)} {access.ordering.spelling}"


def _scope(scope: str) -> str:
    return f" syncscope({quoted(scope)})" if scope else ""


def _fence(fence: ir.Fence, _texts: Texts) -> str:
    return f"fence{_order(fence)}"


def _cmpxchg(exchange: ir.AtomicCmpXchg, texts: Texts) -> str:
    words = " weak" if exchange.is_weak else ""
    if exchange.is_volatile:
        words += " volatile"
    orderings = f"{exchange.success_ordering.spelling} {exchange.failure_ordering.spelling}"
    operands = f"{texts.listed(exchange._operands)}{_scope(exchange.sync_scope)}"
    return f"cmpxchg{words} {operands} {orderings}{_align(exchange)}"


def _atomicrmw(change: ir.AtomicRMW, texts: Texts) -> str:
    volatile = " volatile" if change.is_volatile else ""
    operands = texts.listed(change._operands)
    return f"atomicrmw{volatile} {change.operation.spelling} {operands}{_order(change)}{_align(change)}"


def _get_element_ptr(gep: ir.GetElementPtr, texts: Texts) -> str:
    flags = gep_flags(gep.flags) if gep.flags else ""
    operands, types = gep._operands, texts.types
    head = f"getelementptr{flags} {types[gep.source_element_type]}"
    if len(operands) == _OPERANDS_OF_MOST_GEPS:
        names, (base, index) = texts.names, operands
        if base.type is not index.type:
            return f"{head}, {types[base.type]} {names[base]}, {types[index.type]} {names[index]}"
    # Where indices are no numbers, as LLVM itself has them no more, they may have the type of the pointer.
    of_one_type = operands[-1].type is operands[0].type
    listed = texts.operands(operands) if of_one_type else texts.listed(operands)
    return f"{head}, {listed}"


def _va_arg(instruction: ir.VAArg, texts: Texts) -> str:
    return f"va_arg {texts.typed(instruction.pointer)}, {texts.types[instruction.type]}"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.Alloca: _alloca,
    ir.Load: _load,
    ir.Store: _store,
    ir.Fence: _fence,
    ir.AtomicCmpXchg: _cmpxchg,
    ir.AtomicRMW: _atomicrmw,
    ir.GetElementPtr: _get_element_ptr,
    ir.VAArg: _va_arg,
}
