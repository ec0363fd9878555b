"""Unwinding.  Rules: docs/reference/text.md, 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.texts import Texts

__all__ = ["TEXTS"]


def _landing_pad(pad: ir.LandingPad, texts: Texts) -> str:
    lines = [f"landingpad {texts.types[pad.type]}"]
    if pad.is_cleanup:
        lines.append("cleanup")
    size = 0
    for clause in pad.clauses:
        lines.append(f"{'filter' if clause.is_filter else 'catch'} {texts.typed(clause.value)}")
        size += len(lines[-1])
        texts.limit.check(size)
    return "\n          ".join(lines)


def _resume(resume: ir.Resume, texts: Texts) -> str:
    return f"resume {texts.typed(resume.value)}"


def _pad(pad: ir.CatchPad | ir.CleanupPad, texts: Texts) -> str:
    return f"{pad.opcode} within {texts.names[pad.parent_pad]} [{texts.listed(pad.arguments)}]"


def _catch_return(instruction: ir.CatchReturn, texts: Texts) -> str:
    return f"catchret from {texts.names[instruction.pad]} to {texts.typed(instruction.successor)}"


def _cleanup_return(instruction: ir.CleanupReturn, texts: Texts) -> str:
    return f"cleanupret from {texts.names[instruction.pad]} {_unwind(instruction, texts)}"


def _catch_switch(switch: ir.CatchSwitch, texts: Texts) -> str:
    handlers = texts.listed(switch.handlers)
    return f"catchswitch within {texts.names[switch.parent_pad]} [{handlers}] {_unwind(switch, texts)}"


def _unwind(instruction: ir.CleanupReturn | ir.CatchSwitch, texts: Texts) -> str:
    block = instruction.unwind_destination
    return "unwind to caller" if block is None else f"unwind {texts.typed(block)}"


TEXTS: dict[type, Callable[[Any, Texts], str]] = {
    ir.LandingPad: _landing_pad,
    ir.Resume: _resume,
    ir.CatchPad: _pad,
    ir.CleanupPad: _pad,
    ir.CatchReturn: _catch_return,
    ir.CleanupReturn: _cleanup_return,
    ir.CatchSwitch: _catch_switch,
}
