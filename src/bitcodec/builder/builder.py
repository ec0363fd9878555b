"""The builder: one method for each instruction of LLVM 22."""

from __future__ import annotations

from bitcodec.builder.addresses import AddressBuilder
from bitcodec.builder.arithmetic import ArithmeticBuilder
from bitcodec.builder.calls import CallBuilder
from bitcodec.builder.casts import CastBuilder
from bitcodec.builder.control_flow import ControlFlowBuilder
from bitcodec.builder.debug_records import DebugRecordBuilder
from bitcodec.builder.exceptions import ExceptionBuilder
from bitcodec.builder.memory import MemoryBuilder
from bitcodec.builder.vectors import VectorBuilder

__all__ = ["Builder"]


class Builder(
    ArithmeticBuilder,
    CastBuilder,
    VectorBuilder,
    MemoryBuilder,
    AddressBuilder,
    CallBuilder,
    ControlFlowBuilder,
    ExceptionBuilder,
    DebugRecordBuilder,
):
    """Makes instructions, and puts each at the end of a block or in front of another.

    A method has the name of the instruction in LLVM, with `_` behind keywords of Python (`and_`, `or_`); a
    `br` with a condition is `cond_br`.  It always makes an instruction, also of constants alone, and returns it.

    Operands are values, or Python's `bool`, `int` or `float` where something else gives the type.  Rows of LLVM's
    tables (predicates, orderings, operations of `atomicrmw`, fast-math flags...) may be given as text spells them.

    Types are checked within one instruction; rules about more (dominance, terminators of blocks) are not.  Methods
    raise TypeError for an operand of a type that the instruction does not take, and ValueError for an invalid choice:
    an element, a flag, an ordering that the instruction cannot have, a place behind a terminator.  Blocks are then
    unchanged.

    Args:
        block: the block to begin with, at its end.  It is in a function of a module.
    """

    __slots__ = ()
