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

    A method is called as LLVM spells the instruction, with `_` behind what Python keeps for itself (`and_`, `or_`); a
    `br` with a condition is `cond_br`.  It always makes an instruction, also of constants alone, and returns it.

    Operands are values; where something else gives the type a Python `bool`, `int` or `float` will do.  What LLVM keeps
    in tables (predicates, orderings, operations of `atomicrmw`, fast-math flags...) may be given as text spells it.

    Types are checked as far as one instruction gives; what concerns more (dominance, blocks that end) is not.  Methods
    raise TypeError for an operand of a type that the instruction does not take, and ValueError for what there is not:
    an element, a flag, an ordering that the instruction cannot have, a place behind a terminator.  Blocks are left
    as they are then.

    Args:
        block: where to begin: at its end.  The block is in a function of a module.
    """

    __slots__ = ()
