"""Rules of convergence control: tokens that define which threads execute a convergent call together.

`convergence_regions` has the rules that depend on control flow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import CallBase
from bitcodec.ir.intrinsic_attributes import intrinsic_name
from bitcodec.ir.types import TokenType
from bitcodec.verifier.callees import callee_of, has_function_attribute
from bitcodec.verifier.rules import Problem, first_broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["LOOP", "Convergence", "control_of", "is_convergent"]

_PREFIX = "llvm.experimental.convergence."
_ENTRY, _ANCHOR, LOOP = f"{_PREFIX}entry", f"{_PREFIX}anchor", f"{_PREFIX}loop"
_TAG = "convergencectrl"
_MIXED = "Cannot mix controlled and uncontrolled convergence in the same function."


class Convergence:
    """The convergent calls of a function under inspection, which are visited in order.

    Attributes:
        is_controlled: whether the first convergent call uses or makes a token; None before the first convergent call.
        tokens: for a call that uses a token, the call that makes it.
    """

    __slots__ = ("_convergent_in", "_function", "is_controlled", "tokens")

    def __init__(self, function: Function) -> None:
        self._function = function
        self._convergent_in: BasicBlock | None = None
        self.is_controlled: bool | None = None
        self.tokens: dict[CallBase, CallBase] = {}

    def problems(self, call: CallBase) -> Iterator[str]:
        """Yield the errors in a call."""
        control = control_of(call)
        token, problem = _token_of(call)
        if problem is not None:
            yield problem
        if token is not None:
            self.tokens[call] = token
        follows = self._convergent_in is call.parent
        problem = first_broken(_RULES.get(control or "", ()), call, self._function, follows, token)
        if problem is not None:
            yield problem
            return
        is_convergent = has_function_attribute(call, "convergent")
        if is_convergent:
            self._convergent_in = call.parent
        is_controlled = token is not None or control is not None
        if not (is_controlled or is_convergent):
            return
        if self.is_controlled not in {None, is_controlled}:
            yield _MIXED
        else:
            self.is_controlled = is_controlled


def is_convergent(call: CallBase) -> bool:
    """Return whether a call without bundles is one that the rules of convergence control concern."""
    return control_of(call) is not None or has_function_attribute(call, "convergent")


def control_of(call: CallBase) -> str | None:
    """Return the name of the intrinsic that makes a token, None if a call is of something else."""
    callee = callee_of(call)
    if callee is None or not callee.name.startswith(_PREFIX):
        return None
    name = intrinsic_name(callee.name)
    return name if name in _RULES else None


def _token_of(call: CallBase) -> tuple[CallBase | None, str | None]:
    """Return the call that made the token that a bundle passes to a call, and the error in the bundles."""
    bundles = [bundle for bundle in call.bundles if bundle.tag == _TAG]
    if len(bundles) > 1:
        return None, "The 'convergencectrl' bundle can occur at most once on a call"
    for bundle in bundles:
        if len(bundle.inputs) != 1 or not isinstance(bundle.inputs[0].type, TokenType):
            return None, "The 'convergencectrl' bundle requires exactly one token use."
        token = bundle.inputs[0]
        if not isinstance(token, CallBase) or control_of(token) is None:
            message = "Convergence control tokens can only be produced by calls to the convergence control intrinsics."
            return None, Problem(message, token, call)
        return token, None
    return None, None


_WITHOUT_TOKEN: Rule = (
    "Entry or anchor intrinsic cannot have a convergencectrl token operand.",
    lambda _call, _function, _follows, token: token is None,
)
_RULES: dict[str, Rules] = {
    _ENTRY: (
        (
            "Entry intrinsic can occur only in a convergent function.",
            lambda _call, function, _follows, _token: "convergent" in function.attributes.for_function,
        ),
        (
            "Entry intrinsic can occur only in the entry block.",
            lambda call, function, _follows, _token: call.parent is function.blocks[0],
        ),
        (
            "Entry intrinsic cannot be preceded by a convergent operation in the same basic block.",
            lambda _call, _function, follows, _token: not follows,
        ),
        _WITHOUT_TOKEN,
    ),
    _ANCHOR: (_WITHOUT_TOKEN,),
    LOOP: (
        (
            "Loop intrinsic must have a convergencectrl token operand.",
            lambda _call, _function, _follows, token: token is not None,
        ),
        (
            "Loop intrinsic cannot be preceded by a convergent operation in the same basic block.",
            lambda _call, _function, follows, _token: not follows,
        ),
    ),
}
"""For an intrinsic that makes a token, its function, whether a convergent call precedes it in its block, its token."""
