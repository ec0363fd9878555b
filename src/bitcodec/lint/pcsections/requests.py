"""Checks of a file against the modules that it was compiled from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions.memory import SINGLE_THREAD, AtomicCmpXchg, AtomicRMW, Load, Store
from bitcodec.pcsections.auditing.audit import audit
from bitcodec.pcsections.auditing.comparison import Verdict
from bitcodec.pcsections.encoding.targets import Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.lint.pcsections.inspected import Inspected
    from bitcodec.lint.pcsections.sections import Problem

__all__ = ["lost_requests", "unrequested_atomics"]

_ATOMICS = "sanmd_atomics"


def lost_requests(inspected: Inspected) -> Iterator[Problem]:
    """Find requests of the modules that nothing is left of in the file, though the function is there."""
    for module in inspected.modules:
        target = None if module.target_triple else Target.of_elf(inspected.file.header)
        for finding in audit(module, inspected.file.data, target).of({Verdict.LOST}):
            reason = f": {finding.reason}" if finding.reason else ""
            yield finding.function, f"of what it requests, {finding.wanted} is not in the file{reason}"


def unrequested_atomics(inspected: Inspected) -> Iterator[Problem]:
    """Find atomic operations without a request, in functions where others have one of the sanitizers."""
    for module in inspected.modules:
        for function in module.functions:
            if function.is_declaration:
                continue
            count = _unrequested(function)
            if count:
                what = "1 atomic operation has" if count == 1 else f"{count:,} atomic operations have"
                yield function.name, f"{what} no request for {_ATOMICS}, though others in this function have"


def _unrequested(function: Function) -> int:
    requested = unrequested = 0
    for instruction in function.instructions:
        if not _is_shared(instruction):
            continue
        sections = instruction.pcsections or ()
        if any(each.name.startswith(_ATOMICS) for each in sections):
            requested += 1
        else:
            unrequested += 1
    return unrequested if requested else 0


def _is_shared(instruction: Instruction) -> bool:
    """Return whether an instruction is an atomic access to memory, with other threads."""
    if isinstance(instruction, Load | Store):
        return instruction.is_atomic and instruction.sync_scope != SINGLE_THREAD
    return isinstance(instruction, AtomicCmpXchg | AtomicRMW) and instruction.sync_scope != SINGLE_THREAD
