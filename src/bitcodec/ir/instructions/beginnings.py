"""How the interpreted form makes instructions fast.

The interpreter learns where the slots of an object are by the class that a piece of code meets first.  So each class of
instructions gets a copy of the code that sets the slots of all of them.  Compiled classes know where their slots are.
"""

from __future__ import annotations

from types import FunctionType

from bitcodec.ir.instructions.instruction import Instruction

__all__ = ["copy_beginnings"]


def copy_beginnings() -> None:
    """Give each class of instructions a copy of `Instruction._begin`, unless they are compiled."""
    begin = Instruction._begin
    pending: list[type[Instruction]] = [Instruction] if isinstance(begin, FunctionType) else []
    while pending:
        for kind in pending.pop().__subclasses__():
            copied = FunctionType(begin.__code__.replace(), begin.__globals__)
            setattr(kind, "_begin", copied)  # noqa: B010 - what a class is given by others, mypy cannot know
            pending.append(kind)
