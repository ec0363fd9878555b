"""Calls of old intrinsics: rewritten body by body.  Rules: docs/reference/upgrades.md, 10.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction.present import present_blocks, present_instructions, present_uses
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Call
from bitcodec.upgrade.arc import arc_replacements
from bitcodec.upgrade.edits import CallEdits
from bitcodec.upgrade.intrinsics import replacement_of
from bitcodec.upgrade.rewriter import CallRewriter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.module import Module
    from bitcodec.upgrade.intrinsics import Replacement

__all__ = ["redirect_uses", "upgrade_calls", "upgrade_calls_of", "upgrade_intrinsics"]


def upgrade_calls(function: Function, replacements: Mapping[Function, Replacement]) -> set[Function]:
    """Rewrite the direct calls of old intrinsics in a function whose body has just been read; return these."""
    edits = CallEdits()
    called: set[Function] = set()
    for block in present_blocks(function):
        for instruction in present_instructions(block):
            if type(instruction) is Call and instruction.operand_at(-1) in replacements:
                callee = instruction.called_function
                if callee is not None:
                    called.add(callee)
                    _upgrade_call(instruction, replacements[callee], edits)
    edits.apply()
    return called


def upgrade_calls_of(old: Function, replacement: Replacement) -> None:
    """Rewrite all direct calls of one old intrinsic, the last one first, as llvm-as does."""
    edits = CallEdits()
    for user in reversed(tuple(present_uses(old))):
        if type(user) is Call and user.operand_at(-1) is old and user.called_function is old:
            _upgrade_call(user, replacement, edits)
    edits.apply()


def redirect_uses(old: Function, replacement: Replacement) -> None:
    """Replace other uses of an old declaration by the new one, if there is one.

    If the old one is no longer in a module, only the uses read so far are replaced.
    """
    new = replacement.declaration
    if new is not None and present_uses(old) and old.type is new.type:
        old.replace_all_uses_with(new)


def upgrade_intrinsics(module: Module, *, has_old_marker: bool = False) -> None:
    """Upgrade all old intrinsics, and Objective-C's runtime calls, of a module that has been read whole.

    Args:
        module: the module.
        has_old_marker: see `arc_replacements`.
    """
    replacements = {}
    for function in module.functions:
        replacement = replacement_of(function)
        if replacement is not None:
            replacements[function] = replacement
    replacements.update(arc_replacements(module, has_old_marker=has_old_marker))
    for function in module.functions:
        upgrade_calls(function, replacements)
    for old, replacement in replacements.items():
        redirect_uses(old, replacement)
        if not old.is_used:
            old.erase_from_parent()


def _upgrade_call(call: Call, replacement: Replacement, edits: CallEdits) -> None:
    declaration = replacement.declaration
    arguments = call.arguments
    if any(not isinstance(arguments[index], ConstantInt) for index in replacement.immediates):
        return
    if replacement.expand is not None:
        rewriter = CallRewriter(call, edits, declaration)
        result = replacement.expand(rewriter)
        if result is not call:
            rewriter.replace(result)
    elif declaration is not None:
        call.set_operand(-1, declaration)
