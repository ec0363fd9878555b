"""Rules of calls of `llvm.call.preallocated` intrinsics, which make room for arguments of one later call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantInt, signed_of, unsigned_of
from bitcodec.ir.instructions import CallBase
from bitcodec.verifier.callees import calls_intrinsic, has_parameter_attribute
from bitcodec.verifier.rules import Problem, first_broken, without_values

if TYPE_CHECKING:
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rules

__all__ = ["PREALLOCATION_RULES", "is_setup", "setup_problem"]

_SETUP = "llvm.call.preallocated.setup"
_ARGUMENT = "llvm.call.preallocated.arg"
_TEARDOWN = "llvm.call.preallocated.teardown"
_NAME = "preallocated"


def is_setup(value: object) -> bool:
    """Return whether a value is the token of a setup."""
    return isinstance(value, CallBase) and calls_intrinsic(value, _SETUP)


def _is_in_range(user: CallBase, setup: CallBase) -> bool:
    return 0 <= signed_of(user.operand_at(1)) < signed_of(setup.operand_at(0))


def _preallocated_count(user: CallBase) -> int:
    return sum(has_parameter_attribute(user, index, _NAME) for index in range(user.argument_count))


def _bundle(user: CallBase) -> Any:
    return next((bundle for bundle in user.bundles if bundle.tag == _NAME), None)


_OF_ARGUMENT: Rules = (
    (
        "llvm.call.preallocated.alloc arg index must be a constant",
        lambda user, _: isinstance(user.operand_at(1), ConstantInt),
        without_values,
    ),
    (
        (
            "llvm.call.preallocated.alloc arg index must be between 0 and corresponding "
            "llvm.call.preallocated.setup's argument count"
        ),
        _is_in_range,
        without_values,
    ),
)
_OF_CALL: Rules = (
    (
        "cannot use preallocated intrinsics on a call without preallocated arguments",
        lambda user, _: _preallocated_count(user) > 0,
        without_values,
    ),
    (
        "llvm.call.preallocated.setup arg size must be equal to number of preallocated arguments at call site",
        lambda user, setup: unsigned_of(setup.operand_at(0)) == _preallocated_count(user),
        lambda user, setup: (setup, user),
    ),
)
_OF_BUNDLE: Rules = (
    (
        'Use of llvm.call.preallocated.setup outside intrinsics must be in "preallocated" operand bundle',
        lambda user, _: _bundle(user) is not None,
        without_values,
    ),
    (
        "preallocated bundle must have token from corresponding llvm.call.preallocated.setup",
        lambda user, setup: not _bundle(user).inputs or _bundle(user).inputs[0] is setup,
        without_values,
    ),
)


def setup_problem(setup: CallBase, _body: Body) -> str | None:
    """Return the problem of the users of a setup: one call of a function, and others that compute addresses."""
    has_call = False
    # The use made last is the first one in LLVM's list.
    for user in reversed(setup.users):
        if not isinstance(user, CallBase):
            return Problem("Uses of llvm.call.preallocated.setup must be calls")
        if calls_intrinsic(user, _ARGUMENT):
            problem = first_broken(_OF_ARGUMENT, user, setup)
        elif calls_intrinsic(user, _TEARDOWN):
            problem = None
        elif has_call:
            return Problem("Can have at most one call corresponding to a llvm.call.preallocated.setup")
        else:
            has_call = True
            problem = first_broken(_OF_CALL, user, setup)
            if problem is None:
                if sum(bundle.tag == _NAME for bundle in user.bundles) > 1:
                    return None  # another rule reports it
                problem = first_broken(_OF_BUNDLE, user, setup)
        if problem is not None:
            return problem
    return None


PREALLOCATION_RULES: dict[str, Rules] = {
    "call.preallocated.arg": (
        (
            "llvm.call.preallocated.arg token argument must be a llvm.call.preallocated.setup",
            lambda call, _: is_setup(call.operand_at(0)),
            without_values,
        ),
        (
            'llvm.call.preallocated.arg must be called with a "preallocated" call site attribute',
            lambda call, _: _NAME in call.attributes.for_function,
            without_values,
        ),
    ),
    "call.preallocated.teardown": (
        (
            "llvm.call.preallocated.teardown token argument must be a llvm.call.preallocated.setup",
            lambda call, _: is_setup(call.operand_at(0)),
            without_values,
        ),
    ),
}
"""By name, without `llvm.` and suffixes for types."""
