"""Calls of the library in the place of instructions that the target has no instructions for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Load, Store
from bitcodec.transforms.atomic_expand.access import Access, accessed_type, failure_ordering
from bitcodec.transforms.atomic_expand.libcalls import (
    COMPARE_EXCHANGE,
    LOAD,
    OPERATIONS,
    STORE,
    CallRequest,
    call_routine,
    is_callable,
)
from bitcodec.transforms.atomic_expand.loops import Exchanged, expand_to_loop
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, replace_and_erase
from bitcodec.transforms.atomic_expand.reuse import PlainBuilder

if TYPE_CHECKING:
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.access import Atomic
    from bitcodec.transforms.atomic_expand.libcalls import Routine

__all__ = ["call_library"]


def call_library(instruction: Atomic) -> None:
    """Replace an instruction by a call of the library, or by a loop around a call that exchanges."""
    match instruction:
        case Load():
            _call(instruction, LOAD, _request(instruction))
        case Store():
            _call(instruction, STORE, _request(instruction)._replace(value=instruction.value, result=None))
        case AtomicCmpXchg():
            _call(instruction, COMPARE_EXCHANGE, _exchange_request(instruction))
        case AtomicRMW():
            routine, module = OPERATIONS.get(instruction.operation), instruction.module
            if routine and module and is_callable(module, routine, instruction.type, instruction.alignment):
                _call(instruction, routine, _request(instruction)._replace(value=instruction.value))
            else:
                # The library has no such operation.
                expand_to_loop(instruction, _exchanged_by_call)


def _call(instruction: Instruction, routine: Routine, request: CallRequest) -> None:
    assert instruction.parent is not None, "an expanded instruction is in a block"  # noqa: S101
    builder = PlainBuilder(instruction.parent)
    builder.before(instruction)
    builder.debug_location = instruction.debug_location
    result = call_routine(builder, routine, request)
    if result is None:
        instruction.erase_from_parent()
    else:
        replace_and_erase(instruction, result)


def _exchanged_by_call(builder: ReplacementBuilder, access: Access, loaded: Value, value: Value) -> Exchanged:
    """Exchange by a call; instructions that take its result apart have metadata, the call does not."""
    request = CallRequest(
        type=value.type,
        result=builder.types.struct([value.type, builder.integer(1)]),
        pointer=access.pointer,
        alignment=access.alignment,
        ordering=access.ordering,
        value=value,
        expected=loaded,
        failure=failure_ordering(access.ordering),
    )
    caller = PlainBuilder(builder.block)
    caller.debug_location = builder.debug_location
    pair = call_routine(caller, COMPARE_EXCHANGE, request)
    assert pair is not None, "an exchange has a result"  # noqa: S101
    success = builder.extractvalue(pair, 1, name="success")
    return Exchanged(success, builder.extractvalue(pair, 0, name="newloaded"))


def _request(instruction: Load | Store | AtomicRMW) -> CallRequest:
    return CallRequest(
        type=accessed_type(instruction),
        result=instruction.type,
        pointer=instruction.pointer,
        alignment=instruction.alignment,
        ordering=instruction.ordering,
    )


def _exchange_request(exchange: AtomicCmpXchg) -> CallRequest:
    return CallRequest(
        type=exchange.compare.type,
        result=exchange.type,
        pointer=exchange.pointer,
        alignment=exchange.alignment,
        ordering=exchange.success_ordering,
        value=exchange.new_value,
        expected=exchange.compare,
        failure=exchange.failure_ordering,
    )
