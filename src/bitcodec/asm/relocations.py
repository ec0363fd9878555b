"""The comment after calls of `llvm.experimental.gc.relocate`: which pointers it is about.

Rules: docs/reference/text.md, 9.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt, ConstantTokenNone, UndefValue
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.instructions.calls import statepoint_of

if TYPE_CHECKING:
    from bitcodec.asm.texts import Texts
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["RELOCATE", "relocation_remark"]

RELOCATE = "llvm.experimental.gc.relocate."
"""Prefix of the names of the intrinsic."""
_ARGUMENTS = 3
"""A token of the statepoint, and the indices of two live pointers."""


def relocation_remark(call: Instruction, texts: Texts) -> str:
    """Return ` ; (BASE, DERIVED)` for a call of the intrinsic, else nothing."""
    callee = call.operand_at(-1)
    if not callee.name.startswith(RELOCATE) or not isinstance(callee, Function) or not isinstance(call, CallBase):
        return ""
    arguments = call.arguments
    if len(arguments) != _ARGUMENTS:
        return ""
    if isinstance(arguments[0], (UndefValue, ConstantTokenNone)):
        return " ; (undef, undef)"
    statepoint = statepoint_of(arguments[0])
    if statepoint is None:
        return ""
    pointers = [_live_pointer(statepoint, index) for index in arguments[1:]]
    if None in pointers:
        return ""
    return f" ; ({', '.join(texts.names[pointer] for pointer in pointers if pointer is not None)})"


def _live_pointer(statepoint: CallBase, index: Value) -> Value | None:
    """Return the operand at an index of the live pointers; as in LLVM, it may be one after them."""
    place = _first_live_operand(statepoint) + (index.unsigned if isinstance(index, ConstantInt) else 0)
    return statepoint.operand_at(place) if place < statepoint.operand_count else None


def _first_live_operand(statepoint: CallBase) -> int:
    """Return the index of the first operand that is a live pointer."""
    first = len(statepoint.arguments)
    for bundle in statepoint.bundles:
        if bundle.tag == "gc-live":
            return first
        first += len(bundle.inputs)
    return 0
