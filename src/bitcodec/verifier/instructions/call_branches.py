"""Rules of `callbr`: it calls assembly text, or an intrinsic that ends some lanes of a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import Unreachable
from bitcodec.verifier.amdgpu import is_unreachable_call
from bitcodec.verifier.callees import calls_assembly, calls_intrinsic
from bitcodec.verifier.rules import PassingProblem, without_values

if TYPE_CHECKING:
    from bitcodec.ir.instructions import CallBranch
    from bitcodec.verifier.rules import Rules

__all__ = ["CALL_BRANCH_RULES", "kind_problems"]

_KILL = "llvm.amdgcn.kill"


def _ends_if_killed(call: CallBranch, _: object) -> bool:
    """Return whether lanes that a call ends do nothing more."""
    if not calls_intrinsic(call, _KILL):
        return True
    first = call.indirect_destinations[0].instructions[0]
    return isinstance(first, Unreachable) or is_unreachable_call(first)


CALL_BRANCH_RULES: Rules = (
    (
        "Callbr: indirect function / invalid signature",
        lambda call, _: calls_assembly(call) or call.called_function is not None,
        without_values,
    ),
    (
        "Callbr for intrinsics currently doesn't support operand bundles",
        lambda call, _: calls_assembly(call) or not call.bundles,
        without_values,
    ),
    (
        "Callbr amdgcn_kill only supports one indirect dest",
        lambda call, _: not calls_intrinsic(call, _KILL) or len(call.indirect_destinations) == 1,
        without_values,
    ),
    ("Callbr amdgcn_kill indirect dest needs to be unreachable", _ends_if_killed, without_values),
    (
        "Unwinding from Callbr is not allowed",
        lambda call, _: not calls_assembly(call) or not call.callee.can_unwind,
        without_values,
    ),
)


def kind_problems(call: CallBranch, _: object) -> list[str]:
    """Return the errors in the callee of a `callbr`; LLVM checks every callee as if it were an intrinsic."""
    if calls_assembly(call) or calls_intrinsic(call, _KILL):
        return []
    problems = [PassingProblem("Callbr currently only supports asm-goto and selected intrinsics")]
    callee = call.called_function
    if callee is not None and not callee.is_declaration:
        problems.append(PassingProblem("Intrinsic functions should never be defined!", callee))
    return [*problems]
