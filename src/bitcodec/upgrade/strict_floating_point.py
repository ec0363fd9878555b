"""Strict floating-point calls in functions that are not strict.

Rules: docs/reference/upgrades.md, 10.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction.present import present_blocks, present_instructions
from bitcodec.ir.instructions import CallBase
from bitcodec.upgrade.attributes import with_nobuiltin_for_strictfp

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function

__all__ = ["upgrade_strict_calls"]

_STRICT = "strictfp"
_CONSTRAINED = "llvm.experimental.constrained."


def upgrade_strict_calls(function: Function) -> None:
    """Let strict calls be `nobuiltin` instead, if the function around them is not strict."""
    if _STRICT in function.attributes.for_function:
        return
    for block in present_blocks(function):
        for instruction in present_instructions(block):
            if isinstance(instruction, CallBase) and _is_strict(instruction):
                instruction.attributes = with_nobuiltin_for_strictfp(instruction.attributes)


def _is_strict(call: CallBase) -> bool:
    callee = call.called_function
    if callee is not None and callee.name.startswith(_CONSTRAINED):
        return False
    if call.attributes and _STRICT in call.attributes.for_function:
        return True
    return callee is not None and not callee.is_intrinsic and _STRICT in callee.attributes.for_function
