"""Rules of control flow to exception-handling pads, and of unwinding from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import (
    CatchPad,
    CatchReturn,
    CatchSwitch,
    CleanupPad,
    CleanupReturn,
    Invoke,
    LandingPad,
)
from bitcodec.verifier.bodies import is_eh_pad
from bitcodec.verifier.callees import callee_of, has_function_attribute
from bitcodec.verifier.kinds import stripped
from bitcodec.verifier.nested_pads import FUNCLETS, enclosing, parent_of
from bitcodec.verifier.rules import PassingProblem, Problem, with_values

if TYPE_CHECKING:
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions import CallBase, Instruction
    from bitcodec.ir.values import Value
    from bitcodec.verifier.bodies import Body

__all__ = ["check_sibling_unwinds", "funclet_token_problem", "pad_problems"]

_CALLED_OBJC = {
    "objc.autorelease",
    "objc.autoreleasePoolPop",
    "objc.autoreleasePoolPush",
    "objc.autoreleaseReturnValue",
    "objc.copyWeak",
    "objc.destroyWeak",
    "objc.initWeak",
    "objc.loadWeak",
    "objc.loadWeakRetained",
    "objc.moveWeak",
    "objc.release",
    "objc.retain",
    "objc.retain.autorelease",
    "objc.retainAutorelease",
    "objc.retainAutoreleaseReturnValue",
    "objc.retainAutoreleasedReturnValue",
    "objc.retainBlock",
    "objc.retainedObject",
    "objc.storeStrong",
    "objc.storeWeak",
    "objc.sync.enter",
    "objc.sync.exit",
    "objc.unretainedObject",
    "objc.unretainedPointer",
    "objc.unsafeClaimAutoreleasedReturnValue",
}
"""Intrinsics that LLVM's code generators may turn into calls of functions."""
_FUNCLET_PERSONALITIES = {
    "_except_handler3",
    "_except_handler4",
    "__C_specific_handler",
    "__CxxFrameHandler3",
    "ProcessCLRException",
    "__gxx_wasm_personality_v0",
}
"""Personalities whose handlers become functions."""
_NOT_UNWOUND_TO = "EH pad must be jumped to via an unwind edge"


def pad_problems(pad: Instruction, body: Body) -> tuple[str, ...]:
    """Return the error in the edges to a pad, at most one; LLVM checks the rest of the pad."""
    problem = _predecessors_problem(pad, body)
    return () if problem is None else (with_values(PassingProblem, problem, pad),)


def _predecessors_problem(pad: Instruction, body: Body) -> str | None:
    block = pad.parent
    if block is None or block is body.blocks[0]:
        return "EH pad cannot be in entry block."
    # The way made last is the first one in LLVM's list.
    predecessors = dict.fromkeys(reversed(body.predecessors.get(block, ())))
    if isinstance(pad, LandingPad):
        return _landing_problem(block, predecessors)
    if isinstance(pad, CatchPad):
        return _catch_problem(pad, predecessors)
    return next(filter(None, (_edge_problem(pad, block, source) for source in predecessors)), None)


def _landing_problem(block: BasicBlock, predecessors: dict[BasicBlock, None]) -> str | None:
    if all(_unwinds_to(source.terminator, block) for source in predecessors):
        return None
    return "Block containing LandingPadInst must be jumped to only by the unwind edge of an invoke."


def _unwinds_to(terminator: Instruction | None, block: BasicBlock) -> bool:
    return (
        isinstance(terminator, Invoke)
        and terminator.unwind_destination is block
        and terminator.normal_destination is not block
    )


def _catch_problem(pad: CatchPad, predecessors: dict[BasicBlock, None]) -> str | None:
    switch = pad.parent_pad
    if not isinstance(switch, CatchSwitch):
        return None  # another rule reports it
    if predecessors and list(predecessors) != [switch.parent]:
        return "Block containg CatchPadInst must be jumped to only by its catchswitch."
    if switch.unwind_destination is pad.parent:
        return Problem("Catchswitch cannot unwind to one of its catchpads", switch, pad)
    return None


def _edge_problem(pad: Instruction, block: BasicBlock, source: BasicBlock) -> str | None:
    """Return the error in one edge to a pad: it may leave pads, but enter only this one."""
    terminator = source.terminator
    match terminator:
        case Invoke():
            if not _unwinds_to(terminator, block):
                return Problem(_NOT_UNWOUND_TO, pad, terminator)
            callee = callee_of(terminator)
            if callee is not None and callee.is_intrinsic and has_function_attribute(terminator, "nounwind"):
                return None
            left = _funclet_of(terminator)
        case CleanupReturn():
            left = enclosing(terminator.pad)
            if left is parent_of(pad):
                return Problem("A cleanupret must exit its cleanup", terminator)
        case CatchSwitch():
            left = terminator
        case _:
            return Problem(_NOT_UNWOUND_TO, pad, terminator)
    return _leaving_problem(pad, left, terminator)


def _leaving_problem(pad: Instruction, left: Value | None, terminator: Instruction) -> str | None:
    """Return the error in leaving pads, from the innermost outwards, to enter another pad."""
    outer = parent_of(pad)
    seen: set[Value] = set()
    while True:
        if left is pad:
            return Problem("EH pad cannot handle exceptions raised within it", left, terminator)
        if left is outer:
            return None
        if left is None:
            return Problem("A single unwind edge may only enter one EH pad", terminator)
        if left in seen:
            return Problem("EH pad jumps through a cycle of pads", left)
        seen.add(left)
        if not isinstance(left, FUNCLETS):
            return Problem("Parent pad must be catchpad/cleanuppad/catchswitch", terminator)
        left = parent_of(left)


def _funclet_of(invoke: Invoke) -> Value | None:
    """Return the pad that contains an `invoke`, from its operand bundle; None if no pad does."""
    inputs = (bundle.inputs[0] for bundle in invoke.bundles if bundle.tag == "funclet" and bundle.inputs)
    return enclosing(next(inputs, None))


def check_sibling_unwinds(body: Body) -> None:
    """Check that sibling pads do not unwind to each other in a cycle."""
    visited: set[Instruction] = set()
    for pad in body.siblings:
        path: set[Instruction] = set()
        current: Instruction | None = pad
        while current is not None and current in body.siblings and current not in visited:
            visited.add(current)
            path.add(current)
            current = _unwound_to(body.siblings[current], body)
        if current is not None and current in path:
            body.report(Problem("EH pads can't handle each other's exceptions", *_circle(current, body)), current)
            return  # LLVM reports the first circle


def _circle(start: Instruction, body: Body) -> list[Instruction]:
    """Return the pads of a circle, each with the terminator by which it is left."""
    nodes: list[Instruction] = []
    pad: Instruction | None = start
    while pad is not None:
        terminator = body.siblings[pad]
        nodes += dict.fromkeys((pad, terminator))
        pad = _unwound_to(terminator, body)
        if pad is start:
            break
    return nodes


def _unwound_to(terminator: Instruction, body: Body) -> Instruction | None:
    destination = getattr(terminator, "unwind_destination", None)
    return None if destination is None else body.first_behind_phis(destination)


def funclet_token_problem(call: CallBase, intrinsic: str, body: Body) -> str | None:
    """Return the problem of a call that lacks the bundle with the funclet it is in, None if it needs none."""
    if intrinsic not in _CALLED_OBJC or not _has_funclets(body.function):
        return None
    if body.funclet_blocks is None:
        body.funclet_blocks = _find_funclet_blocks(body)
    if call.parent not in body.funclet_blocks or any(bundle.tag == "funclet" for bundle in call.bundles):
        return None
    return "Missing funclet token on intrinsic call"


def _has_funclets(function: Function) -> bool:
    personality = None if function.personality is None else stripped(function.personality)
    if not isinstance(personality, Function):
        return False
    name = personality.name
    if function.parent is not None and function.parent.target_triple.startswith("arm64ec"):
        name = name.removeprefix("#")
    return name in _FUNCLET_PERSONALITIES


def _find_funclet_blocks(body: Body) -> frozenset[BasicBlock]:
    """Return the blocks that control reaches inside a `catchpad` or `cleanuppad`."""
    reached: set[tuple[BasicBlock, bool]] = set()
    pending = [(body.blocks[0], False)]
    while pending:
        block, is_inside = pending.pop()
        head = body.first_behind_phis(block)
        if is_eh_pad(head):
            is_inside = isinstance(head, (CatchPad, CleanupPad))
        if (block, is_inside) in reached:
            continue
        reached.add((block, is_inside))
        pending += [(successor, _is_inside_behind(block, is_inside, body)) for successor in block.successors]
    return frozenset(block for block, is_inside in reached if is_inside)


def _is_inside_behind(block: BasicBlock, is_inside: bool, body: Body) -> bool:  # noqa: FBT001 - a fact, no option
    """Return whether control is inside a pad behind a block."""
    terminator = block.terminator
    if not isinstance(terminator, CatchReturn):
        return is_inside
    switch = terminator.pad.parent_pad if isinstance(terminator.pad, CatchPad) else None
    around = parent_of(switch)
    outer = around.parent if isinstance(around, (CatchPad, CleanupPad)) else None
    return isinstance(body.first_behind_phis(outer or body.blocks[0]), (CatchPad, CleanupPad))
