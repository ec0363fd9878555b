"""Constructs whose replacement needs blocks or declarations in older versions: a copy of the module is rewritten.

Few modules need it.  Everything else is written from the module itself (`survey`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder import Builder
from bitcodec.downgrade.calls import ATTACHED_CALL, ATTACHED_TAG
from bitcodec.downgrade.memory import atomic_operation
from bitcodec.errors import EncodingError
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import AtomicRMW, Call, Invoke
from bitcodec.ir.types import PointerType
from bitcodec.tables.intrinsics import PREFIX
from bitcodec.transforms.atomic_expand.loops import expand_to_loop

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

__all__ = ["rewrite"]


def rewrite(module: Module, version: int) -> None:
    """Rewrite the constructs of `REWRITTEN` in a module.

    Args:
        module: the module, which is changed.
        version: of LLVM.

    Raises:
        EncodingError: the module has another function of a name that is needed.
    """
    known = set(module.functions)
    for function in list(module.functions):
        for block in list(function.blocks):
            for instruction in list(block.instructions):
                if isinstance(instruction, AtomicRMW):
                    _expand_operation(instruction, version)
                elif isinstance(instruction, Call | Invoke) and version < ATTACHED_CALL.since:
                    _call_after(instruction)
    for function in module.functions:
        if function not in known:
            function.attributes = AttributeList()  # nothing of the module is lost with them


def _expand_operation(operation: AtomicRMW, version: int) -> None:
    """Write a loop of `cmpxchg` for an operation that the version lacks."""
    construct = atomic_operation(operation)
    if construct is None or construct.since <= version:
        return
    flags = operation.flags
    exchange = expand_to_loop(operation).instruction
    if exchange is not None:
        exchange.flags |= flags


def _call_after(call: Call | Invoke) -> None:
    """Call the function of the runtime that a bundle attaches to a call, right after that one.

    This is how clang 12 writes it.  The bundle stays, for the next step to report.
    """
    attached = [each.inputs[0] for each in call.bundles if each.tag == ATTACHED_TAG and each.inputs]
    function = attached[0] if attached else None
    module = call.module
    if not isinstance(function, Function) or not isinstance(call.type, PointerType) or module is None:
        return
    name = function.name
    if name.startswith(PREFIX):
        name = name.removeprefix(PREFIX).replace(".", "_")
    type_ = module.context.types.function(call.type, [call.type])
    if module.get(name) is None:
        module.get_or_insert_function(name, type_)
    runtime = module.get(name)
    if not isinstance(runtime, Function) or runtime.value_type is not type_:
        raise EncodingError(f"@{name} is not the function of the Objective-C runtime")
    builder = _builder_behind(call)
    builder.debug_location = call.debug_location
    builder.call(runtime, [call])


def _builder_behind(call: Call | Invoke) -> Builder:
    """Return a builder at the place where control continues when a call returns."""
    block = call.parent
    assert block is not None  # noqa: S101 - bodies are walked block by block
    builder = Builder(block)
    if isinstance(call, Call):
        builder.after(call)
        return builder
    target = call.normal_destination
    if len(target.predecessors) > 1:
        between = BasicBlock(target.type)
        between.insert_before(target)
        builder.at_end(between)
        builder.br(target)
        call.replace_successor(target, between)
        for phi in target.phis:
            phi.replace_incoming_block(block, between)
        target = between
    builder.place(target, next(each for each in target.instructions if each.opcode != "phi"))
    return builder
