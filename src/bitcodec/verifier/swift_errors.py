"""Rules of `swifterror` values, which represent Swift's error register."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.functions import Argument
from bitcodec.ir.instructions import Alloca, Call, CallBase, Invoke, Load, Store
from bitcodec.verifier.callees import has_parameter_attribute
from bitcodec.verifier.kinds import strip_in_bounds_offsets
from bitcodec.verifier.rules import PassingProblem, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.values import Value

__all__ = ["swift_argument_problem", "swift_error_problems"]

_NAME = "swifterror"


def swift_error_problems(value: Value) -> Iterator[str]:
    """Yield the errors in the users of such a value: only loads, stores and calls with the attribute may use it."""
    # The use made last is the first one in LLVM's list.
    for user in reversed(value.users):
        if not isinstance(user, (Load, Store, Call, Invoke)):
            message = "swifterror value can only be loaded and stored from, or as a swifterror argument!"
            yield PassingProblem(message, value, user)
            return
        if isinstance(user, Store) and user.pointer is not value:
            message = "swifterror value should be the second operand when used by stores"
            yield PassingProblem(message, value, user)
            return
        if isinstance(user, CallBase) and not all(
            has_parameter_attribute(user, index, _NAME)
            for index, argument in enumerate(user.arguments)
            if argument is value
        ):
            message = "swifterror value when used in a callsite should be marked with swifterror attribute"
            yield PassingProblem(message, value, user)


def swift_argument_problem(call: CallBase, index: int) -> str | None:
    """Return the error in the origin of a `swifterror` argument of a call."""
    if not has_parameter_attribute(call, index, _NAME):
        return None
    argument = call.operand_at(index)
    source = strip_in_bounds_offsets(argument)
    if isinstance(source, Alloca):
        message = "swifterror argument for call has mismatched alloca"
        return None if source.is_swift_error else Problem(message, source, call)
    if not isinstance(argument, Argument):
        return Problem("swifterror argument should come from an alloca or parameter", argument, call)
    if _NAME not in argument.parent.attributes.for_parameter(argument.index):
        return Problem("swifterror argument for call has mismatched parameter", argument, call)
    return None
