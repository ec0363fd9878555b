"""Calls: from fields to instructions.  Rules: docs/reference/records.md, 7.4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec import upgrade
from bitcodec.bitcode.reader.function_state import check_callee
from bitcodec.bitcode.schema.instructions import (
    CALL_CONVENTION_SHIFT,
    CONVENTION_MASK,
)
from bitcodec.ir.instructions import CallBranch, Invoke, OperandBundle
from bitcodec.upgrade.element_types import element_type_arguments, with_element_types

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

__all__ = [
    "call_branch",
    "depends_on_pointees",
    "fitting_attributes",
    "invoke",
    "operand_bundle",
    "take_bundles",
]

_ARC_CALL = "clang.arc.attachedcall"


def invoke(
    state: FunctionState,
    attributes: AttributeList,
    flags: int,
    normal_destination: BasicBlock,
    unwind_destination: BasicBlock,
    function_type: FunctionType,
    callee: Value,
    arguments: list[Value],
) -> Instruction:
    """`invoke`."""
    check_callee(callee)
    return Invoke(
        function_type,
        callee,
        arguments,
        normal_destination,
        unwind_destination,
        bundles=take_bundles(state),
        calling_convention=flags & CONVENTION_MASK,
        attributes=fitting_attributes(state, attributes, function_type, callee, arguments),
    )


def call_branch(
    state: FunctionState,
    attributes: AttributeList,
    flags: int,
    default_destination: BasicBlock,
    indirect_destinations: list[BasicBlock],
    function_type: FunctionType,
    callee: Value,
    arguments: list[Value],
) -> Instruction:
    """`callbr`."""
    check_callee(callee)
    upgraded = upgrade.upgraded_callbr(
        state.module.module.context, function_type, callee, arguments, indirect_destinations
    )
    if upgraded is not None:
        function_type, callee = upgraded
        arguments = arguments[: len(function_type.parameter_types)]
    return CallBranch(
        function_type,
        callee,
        arguments,
        default_destination,
        indirect_destinations,
        bundles=take_bundles(state),
        calling_convention=flags >> CALL_CONVENTION_SHIFT & CONVENTION_MASK,
        attributes=fitting_attributes(state, attributes, function_type, callee, arguments),
    )


def operand_bundle(state: FunctionState, tag: int, inputs: list[Value]) -> None:
    """Keep an operand bundle for the call that follows."""
    bundle = OperandBundle(state.module.bundle_tag(tag), tuple(inputs))
    if bundle.tag != _ARC_CALL or bundle.inputs:
        state.bundles.append(bundle)


def take_bundles(state: FunctionState) -> list[OperandBundle]:
    """Return the operand bundles of a call, which are used up with it."""
    bundles = state.bundles.copy()
    state.bundles.clear()
    return bundles


def depends_on_pointees(state: FunctionState, attributes: AttributeList, callee: Value) -> bool:
    """Return whether the attributes of a call have types that arguments point to and the file leaves out."""
    return bool(state.module.fitter.untyped_parameters(attributes)) or any(True for _ in element_type_arguments(callee))


def fitting_attributes(
    state: FunctionState,
    attributes: AttributeList,
    function_type: FunctionType,
    callee: Value,
    arguments: list[Value],
) -> AttributeList:
    """Return the attributes of a call as LLVM 22 has them."""
    module = state.module

    def pointee(index: int) -> Type | None:
        return state.pointee_of_argument(index) if index < len(arguments) else None

    attributes = module.fitter.with_pointees(attributes, pointee)
    attributes = with_element_types(attributes, callee, pointee)
    extra = arguments[len(function_type.parameter_types) :]
    types = tuple([value.type for value in extra]) if extra else ()
    return module.fitter.without_incompatible(attributes, function_type, types)
