"""Calls: from fields to instructions.  Rules: bitcode record reference, section 7.4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.instructions.arithmetic import holds_floating_point
from bitcodec.bitcode.reader.instructions.flags import fast_math
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.instructions import (
    CALL_CONVENTION_SHIFT,
    CALL_MUST_TAIL_BIT,
    CALL_NO_TAIL_BIT,
    CALL_TAIL_BIT,
    CONVENTION_MASK,
)
from bitcodec.bitcode.upgrade.callbr import upgraded_callbr
from bitcodec.bitcode.upgrade.element_types import with_element_types
from bitcodec.ir.instructions import Call, CallBranch, Invoke, OperandBundle
from bitcodec.ir.types import PointerType
from bitcodec.tables.opcodes import TailCallKind

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitcode.reader.layouts import Fields
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type

__all__ = ["call", "call_branch", "invoke", "operand_bundle"]

_ARC_CALL = "clang.arc.attachedcall"


def call(state: FunctionState, fields: Fields) -> Instruction:
    """`call`."""
    flags = fields["flags"]
    _check_callee(fields)
    made = Call(
        fields["function_type"],
        fields["callee"],
        fields["arguments"],
        bundles=_take_bundles(state) if state.bundles else (),
        calling_convention=flags >> CALL_CONVENTION_SHIFT & CONVENTION_MASK,
        attributes=_attributes(state, fields),
        tail_kind=_tail_kind(flags),
    )
    if fields["fast_math"]:
        if not holds_floating_point(made.type):
            raise Malformed(f"fast-math flags on a call that gives {made.type.brief}")
        made.fast_math = fast_math(fields["fast_math"])
    return made


def _tail_kind(flags: int) -> TailCallKind:
    if flags >> CALL_NO_TAIL_BIT & 1:
        return TailCallKind.NOTAIL
    if flags >> CALL_MUST_TAIL_BIT & 1:
        return TailCallKind.MUSTTAIL
    return TailCallKind.TAIL if flags >> CALL_TAIL_BIT & 1 else TailCallKind.NONE


def invoke(state: FunctionState, fields: Fields) -> Instruction:
    """`invoke`."""
    _check_callee(fields)
    return Invoke(
        fields["function_type"],
        fields["callee"],
        fields["arguments"],
        fields["normal_destination"],
        fields["unwind_destination"],
        bundles=_take_bundles(state),
        calling_convention=fields["flags"] & CONVENTION_MASK,
        attributes=_attributes(state, fields),
    )


def call_branch(state: FunctionState, fields: Fields) -> Instruction:
    """`callbr`."""
    _check_callee(fields)
    upgraded_callbr(state.module.module.context, fields)
    return CallBranch(
        fields["function_type"],
        fields["callee"],
        fields["arguments"],
        fields["default_destination"],
        fields["indirect_destinations"],
        bundles=_take_bundles(state),
        calling_convention=fields["flags"] >> CALL_CONVENTION_SHIFT & CONVENTION_MASK,
        attributes=_attributes(state, fields),
    )


def operand_bundle(state: FunctionState, fields: Fields) -> None:
    """Keep an operand bundle for the call that it stands in front of."""
    bundle = OperandBundle(state.module.bundle_tag(fields["tag"]), tuple(fields["inputs"]))
    if bundle.tag != _ARC_CALL or bundle.inputs:
        state.bundles.append(bundle)


def _take_bundles(state: FunctionState) -> list[OperandBundle]:
    bundles, state.bundles = state.bundles, []
    return bundles


def _check_callee(fields: Fields) -> None:
    if not isinstance(fields["callee"].type, PointerType):
        raise Malformed(f"a {fields['callee'].type.brief} is called")


def _attributes(state: FunctionState, fields: Fields) -> AttributeList:
    module = state.module
    attributes: AttributeList = fields["attributes"]
    if state.keeps_type_ids:
        type_ids = fields["argument type ids"]

        def pointee(index: int) -> Type | None:
            type_id = type_ids[index] if index < len(type_ids) else NO_TYPE_ID
            try:
                return module.file_types.pointee(type_id)
            except Malformed:
                return None

        attributes = module.fitter.with_pointees(attributes, pointee)
        attributes = with_element_types(attributes, fields["callee"], pointee)
    function_type = fields["function_type"]
    extra = fields["arguments"][len(function_type.parameter_types) :]
    return module.fitter.without_incompatible(attributes, function_type, tuple([value.type for value in extra]))
