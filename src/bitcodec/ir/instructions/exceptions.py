# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Unwinding: landing pads and funclets."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.instructions.instruction import Instruction, Terminator
from bitcodec.ir.members import expose_members
from bitcodec.ir.operand_property import OperandProperty
from bitcodec.ir.values import Value
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.types import Type

__all__ = [
    "CatchPad",
    "CatchReturn",
    "CatchSwitch",
    "Clause",
    "CleanupPad",
    "CleanupReturn",
    "LandingPad",
    "Resume",
]


class Clause(NamedTuple):
    """A clause of a landing pad: catches a type, or (a filter) everything that is not in an array of types."""

    is_filter: bool
    value: Value


class LandingPad(Instruction):
    """Landing pad of unwinding; operands are the values of its clauses.

    Attributes:
        is_cleanup: whether it runs for whatever is thrown.
    """

    __match_args__ = ("clauses", "is_cleanup")
    __slots__ = ("_filters", "is_cleanup")

    opcode = "landingpad"

    def __init__(self, type: Type, clauses: Sequence[Clause], *, is_cleanup: bool = False) -> None:
        self._begin(type, tuple([clause.value for clause in clauses]))
        self._filters = [clause.is_filter for clause in clauses]
        self.is_cleanup = is_cleanup

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """Its clauses, in order."""
        return tuple(map(Clause, self._filters, self._operands))


class Resume(Terminator):
    """Goes on unwinding."""

    __match_args__ = ("value",)
    __slots__ = ()

    opcode = "resume"
    value: OperandProperty[Value] = OperandProperty(0, "The exception of a landing pad.")

    def __init__(self, void: Type, value: Value) -> None:
        self._begin(void, (value,))


class _FuncletPad(Instruction):
    __match_args__ = ("parent_pad", "arguments")
    __slots__ = ()

    parent_pad: OperandProperty[Value] = OperandProperty(-1, "The pad around it, `none` if there is none.")

    def __init__(self, token: Type, parent_pad: Value, arguments: Sequence[Value]) -> None:
        self._begin(token, (*arguments, parent_pad))

    @property
    def arguments(self) -> tuple[Value, ...]:
        """Arguments passed to the personality."""
        return tuple(self._operands[:-1])


class CatchPad(_FuncletPad):
    """Start of a handler; the pad around it is a `catchswitch`."""

    __slots__ = ()

    opcode = "catchpad"


class CleanupPad(_FuncletPad):
    """Start of a cleanup."""

    __slots__ = ()

    opcode = "cleanuppad"


class CatchReturn(Terminator):
    """Leaves a handler."""

    __match_args__ = ("pad", "successor")
    __slots__ = ()

    opcode = "catchret"
    pad: OperandProperty[Value] = OperandProperty(0, "The `catchpad` of the handler.")
    successor: OperandProperty[BasicBlock] = OperandProperty(1, "The block after the handler.")

    def __init__(self, void: Type, pad: Value, successor: BasicBlock) -> None:
        self._begin(void, (pad, successor))

    @property
    def _successor_indices(self) -> range:
        return range(1, 2)


class CleanupReturn(Terminator):
    """Leaves a cleanup."""

    __match_args__ = ("pad", "unwind_destination")
    __slots__ = ()

    opcode = "cleanupret"
    pad: OperandProperty[Value] = OperandProperty(0, "The `cleanuppad` of the cleanup.")

    def __init__(self, void: Type, pad: Value, unwind_destination: BasicBlock | None = None) -> None:
        self._begin(void, (pad,) if unwind_destination is None else (pad, unwind_destination))

    @property
    def unwind_destination(self) -> BasicBlock | None:
        """Block in which unwinding continues, None for the caller."""
        return self.successors[0] if self.successors else None

    @property
    def _successor_indices(self) -> range:
        return range(1, len(self._operands))


class CatchSwitch(Terminator):
    """Chooses a handler; operands are the pad around it, the unwind destination if it has one, then the handlers.

    `successors` has them in this order too.
    """

    __match_args__ = ("parent_pad", "handlers", "unwind_destination")
    __slots__ = ("_has_unwind_destination",)

    opcode = "catchswitch"
    parent_pad: OperandProperty[Value] = OperandProperty(0, "The pad around it, `none` if there is none.")

    def __init__(
        self,
        token: Type,
        parent_pad: Value,
        handlers: Sequence[BasicBlock],
        unwind_destination: BasicBlock | None = None,
    ) -> None:
        unwind = () if unwind_destination is None else (unwind_destination,)
        self._begin(token, (parent_pad, *unwind, *handlers))
        self._has_unwind_destination = unwind_destination is not None

    @property
    def has_unwind_destination(self) -> bool:
        """Whether unwinding continues in a block of this function, not in the caller."""
        return self._has_unwind_destination

    @property
    def unwind_destination(self) -> BasicBlock | None:
        """Block in which unwinding continues if no handler matches, None for the caller."""
        return cast("BasicBlock", self._operands[1]) if self._has_unwind_destination else None

    @property
    def handlers(self) -> tuple[BasicBlock, ...]:
        """The blocks that begin with its `catchpad`s."""
        return cast("tuple[BasicBlock, ...]", tuple(self._operands[1 + self._has_unwind_destination :]))

    @property
    def _successor_indices(self) -> range:
        return range(1, len(self._operands))


expose_members(LandingPad, Resume, _FuncletPad, CatchPad, CleanupPad, CatchReturn, CleanupReturn, CatchSwitch)
