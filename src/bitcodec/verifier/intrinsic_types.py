"""Rules of the declarations of intrinsics: types and names must be as in LLVM 22.

LLVM checks a declaration at each call; here it is checked once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError
from bitcodec.ir.intrinsic_signatures import Misfit, intrinsic_base, matched
from bitcodec.ir.mangling import intrinsic_name
from bitcodec.verifier.callees import KnownIntrinsic, callee_of
from bitcodec.verifier.rules import Problem, worded

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import CallBase
    from bitcodec.verifier.bodies import Body

__all__ = ["known_intrinsic", "signature_problem"]


def known_intrinsic(call: CallBase, body: Body) -> KnownIntrinsic | None:
    """Return the intrinsic that a call calls, None if LLVM knows no such name."""
    callee = callee_of(call)
    if callee is None or not callee.is_intrinsic:
        return None
    known = body.verifier.intrinsics
    if callee not in known:
        known[callee] = _known(callee)
    return known.get(callee)


def signature_problem(call: CallBase, body: Body) -> str | None:
    """Return the error in the declaration of the intrinsic that a call calls."""
    known = known_intrinsic(call, body)
    return None if known is None or known.problem is None else Problem(known.problem, callee_of(call))


def _known(function: Function) -> KnownIntrinsic | None:
    base = intrinsic_base(function.name)
    return None if base is None else KnownIntrinsic(base, _problem(base, function))


def _problem(base: str, function: Function) -> str | None:
    if not function.is_declaration:
        return "Intrinsic functions should never be defined!"
    found = matched(base, function.value_type)
    if isinstance(found, Misfit):
        return _MISFITS[found]
    try:
        expected = intrinsic_name(base, found)
    except BitcodecError as error:
        return str(error)
    if function.name == expected or _is_numbered(function.name, expected):
        return None
    return worded("Intrinsic name not mangled correctly for type arguments! Should be: {}", expected)


def _is_numbered(name: str, expected: str) -> bool:
    """Return whether a name ends with a number, as the names of intrinsics for unnamed structs do."""
    return "s_s" in expected and name.startswith(f"{expected}.") and name[len(expected) + 1 :].isdecimal()


_MISFITS = {
    Misfit.RESULT: "Intrinsic has incorrect return type!",
    Misfit.PARAMETER: "Intrinsic has incorrect argument type!",
    Misfit.PARAMETERS_OR_VARIABLE: "Callsite was not defined with variable arguments!",
    Misfit.VARIABLE: "Intrinsic was not defined with variable arguments!",
}
"""LLVM's message for each mismatch of a type."""
