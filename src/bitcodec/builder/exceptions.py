"""Unwinding: landing pads and funclets.  Rules: LLVM, "Exception Handling in LLVM"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import PASSED, TOKEN, VALUE, require, wrong
from bitcodec.ir.constants import Constant
from bitcodec.ir.instructions import (
    CatchPad,
    CatchReturn,
    CatchSwitch,
    Clause,
    CleanupPad,
    CleanupReturn,
    LandingPad,
    Resume,
)
from bitcodec.ir.types import ArrayType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["ExceptionBuilder"]


class ExceptionBuilder(Inserter):
    """Makes landing pads and funclet pads for unwinding."""

    __slots__ = ()

    def landingpad(
        self, type: Type, clauses: Iterable[Constant] = (), *, cleanup: bool = False, name: str = ""
    ) -> LandingPad:
        """Return the exception that arrives here by unwinding.

        Args:
            type: type of the result: as the personality defines it, mostly `{ ptr, i32 }`.
            clauses: the exceptions to catch, in order: an array is a filter.
            cleanup: whether this is to run for every exception.
            name: of the result.

        Raises:
            ValueError: both clauses and a cleanup are missing.
        """
        require(VALUE, type, "landingpad", "type")
        found = []
        for value in clauses:
            if not isinstance(value, Constant):
                raise wrong("a constant", value, "landingpad", "clause")
            found.append(Clause(isinstance(value.type, ArrayType), value))
        if not found and not cleanup:
            raise ValueError("landingpad takes a clause at least, or is a cleanup")
        return self.insert(LandingPad(type, found, is_cleanup=cleanup), name)

    def resume(self, value: Value) -> Resume:
        """Resume unwinding with the value of a landing pad."""
        require(VALUE, self._value(value, "resume", "value").type, "resume", "value")
        return self.insert(Resume(self.types.void, value))

    def catchswitch(
        self,
        parent_pad: Value | None,
        handlers: Sequence[BasicBlock],
        unwind_destination: BasicBlock | None = None,
        *,
        name: str = "",
    ) -> CatchSwitch:
        """Choose a handler.

        Args:
            parent_pad: the pad around it, None at the top level.
            handlers: the blocks that begin with a `catchpad`.
            unwind_destination: the block where unwinding continues if no handler matches, None for the caller.
            name: of the token.

        Raises:
            ValueError: the handlers are empty.
        """
        if not handlers:
            raise ValueError("catchswitch takes a handler at least")
        blocks = [self._block(block, "catchswitch", "handler") for block in handlers]
        unwind = self._unwind(unwind_destination, "catchswitch")
        pad = self._pad(parent_pad, "catchswitch")
        return self.insert(CatchSwitch(self.types.token, pad, blocks, unwind), name)

    def catchpad(self, parent_pad: CatchSwitch, arguments: Sequence[Value] = (), *, name: str = "") -> CatchPad:
        """Begin a handler of a `catchswitch`; the arguments are for the personality."""
        if not isinstance(parent_pad, CatchSwitch):
            raise wrong("a catchswitch", parent_pad, "catchpad", "parent pad")
        return self.insert(CatchPad(self.types.token, parent_pad, self._check_arguments(arguments, "catchpad")), name)

    def cleanuppad(
        self, parent_pad: Value | None = None, arguments: Sequence[Value] = (), *, name: str = ""
    ) -> CleanupPad:
        """Begin a cleanup; the pad around it is None at the top level, the arguments are for the personality."""
        pad = self._pad(parent_pad, "cleanuppad")
        return self.insert(CleanupPad(self.types.token, pad, self._check_arguments(arguments, "cleanuppad")), name)

    def catchret(self, pad: CatchPad, successor: BasicBlock) -> CatchReturn:
        """Leave a handler, and go on in a block."""
        if not isinstance(pad, CatchPad):
            raise wrong("a catchpad", pad, "catchret", "pad")
        return self.insert(CatchReturn(self.types.void, pad, self._block(successor, "catchret", "successor")))

    def cleanupret(self, pad: CleanupPad, unwind_destination: BasicBlock | None = None) -> CleanupReturn:
        """Leave a cleanup, and go on unwinding, in a block or to the caller."""
        if not isinstance(pad, CleanupPad):
            raise wrong("a cleanuppad", pad, "cleanupret", "pad")
        return self.insert(CleanupReturn(self.types.void, pad, self._unwind(unwind_destination, "cleanupret")))

    def _pad(self, pad: Value | None, what: str) -> Value:
        if pad is None:
            return self.constants.null(self.types.token)
        require(TOKEN, self._value(pad, what, "parent pad").type, what, "parent pad")
        return pad

    def _unwind(self, block: BasicBlock | None, what: str) -> BasicBlock | None:
        return None if block is None else self._block(block, what, "unwind destination")

    def _check_arguments(self, arguments: Sequence[Value], what: str) -> list[Value]:
        values = [self._value(argument, what, f"argument {index}") for index, argument in enumerate(arguments)]
        for index, value in enumerate(values):
            require(PASSED, value.type, what, f"argument {index}")
        return values
