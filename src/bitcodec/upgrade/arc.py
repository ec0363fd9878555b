"""Objective-C's reference counting: calls of the runtime's functions are calls of intrinsics now.

Rules: docs/reference/upgrades.md, 10.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Call
from bitcodec.upgrade.declarations import declared
from bitcodec.upgrade.intrinsics.rows import Replacement
from bitcodec.upgrade.intrinsics.signatures import function_type_of

if TYPE_CHECKING:
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["arc_replacements"]

_USE = "clang.arc.use"
_RUNTIME = {
    "objc_autorelease": "p0(p0)",
    "objc_autoreleasePoolPop": "void(p0)",
    "objc_autoreleasePoolPush": "p0()",
    "objc_autoreleaseReturnValue": "p0(p0)",
    "objc_copyWeak": "void(p0,p0)",
    "objc_destroyWeak": "void(p0)",
    "objc_initWeak": "p0(p0,p0)",
    "objc_loadWeak": "p0(p0)",
    "objc_loadWeakRetained": "p0(p0)",
    "objc_moveWeak": "void(p0,p0)",
    "objc_release": "void(p0)",
    "objc_retain": "p0(p0)",
    "objc_retainAutorelease": "p0(p0)",
    "objc_retainAutoreleaseReturnValue": "p0(p0)",
    "objc_retainAutoreleasedReturnValue": "p0(p0)",
    "objc_retainBlock": "p0(p0)",
    "objc_storeStrong": "void(p0,p0)",
    "objc_storeWeak": "p0(p0,p0)",
    "objc_unsafeClaimAutoreleasedReturnValue": "p0(p0)",
    "objc_retainedObject": "p0(p0)",
    "objc_unretainedObject": "p0(p0)",
    "objc_unretainedPointer": "p0(p0)",
    "objc_retain_autorelease": "p0(p0)",
    "objc_sync_enter": "i32(p0)",
    "objc_sync_exit": "i32(p0)",
    "objc_arc_annotation_topdown_bbstart": "void(p0,p0)",
    "objc_arc_annotation_topdown_bbend": "void(p0,p0)",
    "objc_arc_annotation_bottomup_bbstart": "void(p0,p0)",
    "objc_arc_annotation_bottomup_bbend": "void(p0,p0)",
}
"""Functions of the runtime, and the types of the intrinsics that replace them."""


def arc_replacements(module: Module, *, has_old_marker: bool) -> dict[Function, Replacement]:
    """Return the replacements of functions whose direct calls become calls of intrinsics, in LLVM's order.

    Args:
        module: the module.
        has_old_marker: whether it gives the marker of returned values as modules did when they called the runtime.
    """
    types = module.context.types
    intrinsics = {_USE: types.function(types.void, is_vararg=True)}
    if has_old_marker:
        intrinsics |= {name: function_type_of(signature, {}, types) for name, signature in _RUNTIME.items()}
    replacements = {}
    for name, function_type in intrinsics.items():
        function = module.get(name)
        if isinstance(function, Function):
            # LLVM declares them whether they are called or not.
            declared(module, _intrinsic(name), function_type)
            replacements[function] = Replacement(None, _call_of(_intrinsic(name), function_type))
    return replacements


def _intrinsic(function: str) -> str:
    return f"llvm.objc.{function.removeprefix('objc_').replace('_', '.')}"


def _call_of(name: str, function_type: FunctionType) -> Expansion:
    def expand(rewriter: CallRewriter) -> Value:
        old = rewriter.call
        if not _can_pass(rewriter, function_type):
            return old
        call = rewriter.intrinsic_of(name, function_type, rewriter.arguments)
        if isinstance(old, Call):
            call.tail_kind = old.tail_kind
        rewriter.take_name(call)
        return call

    return expand


def _can_pass(rewriter: CallRewriter, function_type: FunctionType) -> bool:
    """Return whether the arguments and the result of the old call match the new one."""
    types = tuple(argument.type for argument in rewriter.arguments)
    count = len(function_type.parameter_types)
    return (
        rewriter.call.type is function_type.return_type
        and types[:count] == function_type.parameter_types
        and (len(types) == count or function_type.is_vararg)
    )
