"""Rules of `llvm.localescape` and `llvm.localrecover`: allocas that one function shares with others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Function
from bitcodec.verifier.callees import callee_of
from bitcodec.verifier.kinds import stripped

if TYPE_CHECKING:
    from bitcodec.ir.instructions import CallBase
    from bitcodec.verifier.reporter import Reporter

__all__ = ["Frames", "shares_frame"]

_TOO_FEW = (
    "all indices passed to llvm.localrecover must be less than the number of arguments passed to llvm.localescape in "
    "the parent function"
)
_ESCAPE, _RECOVER = "llvm.localescape", "llvm.localrecover"
_RECOVER_ARGUMENTS = 3


def shares_frame(call: CallBase) -> bool:
    """Return whether a call is one by which functions share allocas."""
    callee = callee_of(call)
    return callee is not None and callee.name.startswith((_ESCAPE, _RECOVER))


class Frames:
    """Number of allocas that each function shares, and of those that others use."""

    __slots__ = ("_shared", "_used")

    def __init__(self) -> None:
        self._shared: dict[Function, int] = {}
        self._used: dict[Function, int] = {}

    def problem(self, call: CallBase, function: Function) -> str | None:
        """Record the allocas that a call in a function shares or uses; return the error in the call, None if valid."""
        callee = callee_of(call)
        if callee is None:
            return None
        if callee.name == _ESCAPE:
            if function in self._shared:
                return "multiple calls to llvm.localescape in one function"
            self._shared[function] = len(call.arguments)
        elif callee.name.startswith(_RECOVER) and len(call.arguments) == _RECOVER_ARGUMENTS:
            owner, index = stripped(call.arguments[0]), call.arguments[2]
            if isinstance(owner, Function) and not owner.is_declaration and isinstance(index, ConstantInt):
                self._used[owner] = max(self._used.get(owner, 0), index.unsigned + 1)
        return None

    def check(self, reporter: Reporter) -> None:
        """Check, after all functions, that each shares the allocas that others use; report the first failure."""
        for function, count in self._used.items():
            if count > self._shared.get(function, 0):
                reporter.where = function
                reporter.report(_TOO_FEW, function)
                return
