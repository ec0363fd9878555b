"""Rules of operand bundles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CatchPad, CleanupPad
from bitcodec.ir.type_properties import is_integer, is_pointer
from bitcodec.ir.types import VoidType
from bitcodec.verifier.callees import has_function_attribute
from bitcodec.verifier.preallocation import is_setup
from bitcodec.verifier.rules import first_broken

if TYPE_CHECKING:
    from bitcodec.ir.instructions import CallBase, OperandBundle
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["bundle_problem"]


def _one(words: str) -> Rule:
    return (f"Expected exactly one {words}", lambda bundle, _: len(bundle.inputs) == 1)


def _is_key(value: Any) -> bool:
    return isinstance(value, ConstantInt) and is_integer(value.type, 32)


def _returns_object(_bundle: OperandBundle, call: CallBase) -> bool:
    returned = call.function_type.return_type
    return is_pointer(returned) or (isinstance(returned, VoidType) and has_function_attribute(call, "noreturn"))


def _is_handed_over(bundle: OperandBundle, _: object) -> bool:
    function = bundle.inputs[0]
    name = function.name.removeprefix("llvm.").replace("objc.", "objc_")
    return name in _HAND_OVERS


_HAND_OVERS = {
    "objc_retainAutoreleasedReturnValue",
    "objc_claimAutoreleasedReturnValue",
    "objc_unsafeClaimAutoreleasedReturnValue",
}
_RULES: dict[str, tuple[str, Rules]] = {
    "deopt": ("deopt", ()),
    "gc-transition": ("gc-transition", ()),
    "funclet": (
        "funclet",
        (
            _one("funclet bundle operand"),
            (
                "Funclet bundle operands should correspond to a FuncletPadInst",
                lambda bundle, _: isinstance(bundle.inputs[0], (CatchPad, CleanupPad)),
            ),
        ),
    ),
    "cfguardtarget": ("CFGuardTarget", (_one("cfguardtarget bundle operand"),)),
    "ptrauth": (
        "ptrauth",
        (
            ("Expected exactly two ptrauth bundle operands", lambda bundle, _: len(bundle.inputs) == 2),
            ("Ptrauth bundle key operand must be an i32 constant", lambda bundle, _: _is_key(bundle.inputs[0])),
            (
                "Ptrauth bundle discriminator operand must be an i64",
                lambda bundle, _: is_integer(bundle.inputs[1].type, 64),
            ),
        ),
    ),
    "kcfi": (
        "kcfi",
        (
            _one("kcfi bundle operand"),
            ("Kcfi bundle operand must be an i32 constant", lambda bundle, _: _is_key(bundle.inputs[0])),
        ),
    ),
    "preallocated": (
        "preallocated",
        (
            _one("preallocated bundle operand"),
            (
                '"preallocated" argument must be a token from llvm.call.preallocated.setup',
                lambda bundle, _: is_setup(bundle.inputs[0]),
            ),
        ),
    ),
    "gc-live": ("gc-live", ()),
    "clang.arc.attachedcall": (
        '"clang.arc.attachedcall"',
        (
            (
                (
                    'a call with operand bundle "clang.arc.attachedcall" must call a function returning a pointer or a '
                    "non-returning function that has a void return type"
                ),
                _returns_object,
            ),
            (
                'operand bundle "clang.arc.attachedcall" requires one function as an argument',
                lambda bundle, _: len(bundle.inputs) == 1 and isinstance(bundle.inputs[0], Function),
            ),
            ("invalid function argument", _is_handed_over),
        ),
    ),
}
"""By tag: LLVM's name of the bundles that a call has at most one of, and the rules of their inputs."""


def bundle_problem(call: CallBase, _body: Body) -> str | None:
    """Return the error in the operand bundles of a call."""
    bundles = call.bundles
    if not bundles:
        return None
    seen: set[str] = set()
    for bundle in bundles:
        name, rules = _RULES.get(bundle.tag, ("", ()))
        if name and bundle.tag in seen:
            return f"Multiple {name} operand bundles"
        seen.add(bundle.tag)
        problem = first_broken(rules, bundle, call)
        if problem is not None:
            return problem
    if "ptrauth" in seen and call.called_function is not None:
        return "Direct call cannot have a ptrauth bundle"
    return None
