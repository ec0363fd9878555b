"""The original in LLVM 22's format, with the expansions for an older version: the other side of a comparison.

`test_expansions` and `test_rewriting` run what is expanded, so a comparison is about everything else.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.writer.bodies import replaced
from bitcodec.bitcode.writer.dialect import BitcodeDialect, Written
from bitcodec.bitcode.writer.module import write_module
from bitcodec.downgrade import REWRITTEN
from bitcodec.downgrade.calls import BUNDLES
from bitcodec.downgrade.intrinsics import IntrinsicLowering
from bitcodec.downgrade.losses import Losses
from bitcodec.downgrade.operations import FREEZE
from bitcodec.downgrade.rewriting import rewrite
from bitcodec.downgrade.statepoints import is_statepoint, with_inline_operands
from bitcodec.ir.construction.copies import unlisted_cast
from bitcodec.ir.construction.unlisted import moved_to, with_bundles
from bitcodec.ir.instructions import CallBase, Freeze

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec import Loss
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module

__all__ = ["EXPANDED", "write_expanded"]

EXPANDED = {row.name for row in (*REWRITTEN, *BUNDLES.values(), FREEZE)}
"""Constructs other than intrinsics, for which other instructions are written."""


def write_expanded(module: Module, version: int, losses: Iterable[Loss]) -> bytes:
    """Return a module for LLVM 22 with what a version has for the intrinsics and instructions that it lacks."""
    module.materialize()
    if any(loss.construct in EXPANDED for loss in losses):
        module = deepcopy(module)
        module.materialize()
        rewrite(module, version)
    return write_module(module, _ExpandedDialect(module, version))


def _without_freeze(module: Module) -> Iterator[tuple[Instruction, tuple[Instruction, ...]]]:
    for function in module.functions:
        for block in function.blocks:
            for each in block.instructions:
                if isinstance(each, Freeze):
                    yield each, (moved_to(each, unlisted_cast("bitcast", each.operands[0], each.type)),)


class _ExpandedDialect(BitcodeDialect):
    def __init__(self, module: Module, version: int) -> None:
        self.replacements = {} if version >= FREEZE.since else dict(_without_freeze(module))
        calls = [user for each in module.functions for user in each.users if isinstance(user, CallBase)]
        newer = {tag for tag, row in BUNDLES.items() if row.since > version}
        for call in calls:
            kept = [bundle for bundle in call.bundles if bundle.tag not in newer]
            if len(kept) < call.bundle_count:
                self.replacements[call] = (with_bundles(call, kept),)
        if version < BUNDLES["gc-live"].since:
            self.replacements.update(
                {call: (with_inline_operands(call, module),) for call in calls if is_statepoint(call)}
            )
        intrinsics = IntrinsicLowering(module, Losses(version), self.replacements)
        intrinsics.survey()
        self._declarations = intrinsics.declarations
        self.added = intrinsics.added

    def written_in(self, function: Function) -> Written | None:
        return replaced(function, self.replacements)

    def declared(self, value: GlobalValue) -> Any:
        return self._declarations.get(value, value)  # type: ignore[call-overload]
