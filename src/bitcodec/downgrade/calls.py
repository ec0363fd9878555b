"""Calls that older versions of LLVM lack: operand bundles and callbr.  Rules: docs/reference/older-readers.md, 6."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.analysis.control_flow import ControlFlow
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.rows import Family, InstructionConstruct
from bitcodec.downgrade.statepoints import is_statepoint, with_inline_operands
from bitcodec.ir import instructions as ir
from bitcodec.ir.construction.unlisted import with_bundles
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import VoidType

if TYPE_CHECKING:
    from bitcodec.downgrade.rows import Plan
    from bitcodec.ir.instructions import Instruction

__all__ = ["ATTACHED_CALL", "ATTACHED_TAG", "BUNDLES", "METADATA_INPUT", "ROWS"]

ATTACHED_TAG, _LIVE_TAG = "clang.arc.attachedcall", "gc-live"
ATTACHED_CALL = Construct(
    "operand bundle clang.arc.attachedcall with a function", 14, Way.LOWER, "a call of the function behind it"
)
BUNDLES = {
    ATTACHED_TAG: ATTACHED_CALL,
    "cfguardtarget": Construct("operand bundle cfguardtarget", 10, Way.REFUSE),
    "convergencectrl": Construct("operand bundle convergencectrl", 17, Way.DROP),
    "deactivation-symbol": Construct("operand bundle deactivation-symbol", 22, Way.REFUSE),
    _LIVE_TAG: Construct("operand bundle gc-live", 11, Way.LOWER, "arguments of the statepoint"),
    "kcfi": Construct("operand bundle kcfi", 16, Way.DROP),
    "preallocated": Construct("operand bundle preallocated", 11, Way.REFUSE),
    "ptrauth": Construct("operand bundle ptrauth", 15, Way.REFUSE),
}
"""By tag; code generators end on tags that they do not know."""
METADATA_INPUT = Construct("operand bundle with metadata", 20, Way.REFUSE)


def _write_bundles(call: ir.CallBase, plan: Plan, place: str, times: int) -> tuple[Instruction, ...] | None:
    """Write a call without the bundles that a version lacks."""
    live = BUNDLES[_LIVE_TAG]
    if plan.version < live.since and is_statepoint(call):
        plan.losses.add(live, place, call, times)
        return (with_inline_operands(call, plan.module),)
    kept = []
    for bundle in call.bundles:
        has_metadata = any(isinstance(value, MetadataAsValue) for value in bundle.inputs)
        if has_metadata and plan.version < METADATA_INPUT.since:
            plan.losses.add(METADATA_INPUT, place, call, times)
        row = BUNDLES.get(bundle.tag)
        if row is None or row.since <= plan.version:
            kept.append(bundle)
        else:
            plan.losses.add(row, place, call, times)
    return (with_bundles(call, kept),) if len(kept) < call.bundle_count else None


def _is_used_indirectly(call: ir.CallBranch) -> bool:
    """Return whether a result is used in blocks reached along an indirect edge."""
    function = call.function
    if not call.is_used or function is None:
        return False
    dominators = ControlFlow(function).dominators
    for use in call.uses:
        user = cast("ir.Instruction", use.user)
        block = user.parent
        if isinstance(user, ir.Phi):
            block = user.incoming_blocks[use.operand_number]
            if (block, user.parent) == (call.parent, call.default_destination):
                continue
        if block is None or not dominators.is_reachable(block):
            continue
        if not dominators.dominates(call.default_destination, block):
            return True
    return False


ROWS: tuple[InstructionConstruct | Family, ...] = (
    Family(
        max(row.since for row in (*BUNDLES.values(), METADATA_INPUT)),
        (ir.Call, ir.Invoke),
        _write_bundles,
        {"_bundles": [()]},
    ),
    InstructionConstruct(
        Construct("result of callbr on an indirect edge", 17, Way.REFUSE),
        (ir.CallBranch,),
        has=_is_used_indirectly,
    ),
    InstructionConstruct(Construct("callbr", FunctionCode.INST_CALLBR.since, Way.REFUSE), (ir.CallBranch,)),
    InstructionConstruct(
        Construct("result of callbr", 11, Way.REFUSE),
        (ir.CallBranch,),
        has=lambda call: not isinstance(call.type, VoidType),
    ),
)
