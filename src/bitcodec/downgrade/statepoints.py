"""Statepoints before LLVM 11, which have no operand bundles: everything is among the arguments.

Those are the fixed ones, the arguments of the call, the number of transition arguments and these, the number of values
for deoptimization and these, then the live pointers.  `llvm.experimental.gc.relocate` counts from the first argument.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction.unlisted import rebuilt_call, with_bundles
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.instructions.calls import statepoint_of

if TYPE_CHECKING:
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["has_live_bundle", "is_statepoint", "live_place", "with_inline_operands"]

_NAME = "llvm.experimental.gc.statepoint."
_TRANSITION, _DEOPTIMIZATION, _LIVE = _TAGS = ("gc-transition", "deopt", "gc-live")
_RELOCATION = 3
"""Number of arguments of a relocation: a token, and the places of two live pointers."""
_FIXED, _COUNT = 5, 3
"""Number of arguments in front of the call's, and the place of the count of the call's arguments."""


def is_statepoint(call: CallBase) -> bool:
    """Return whether a call is a statepoint with bundles that hold its operands."""
    callee = call.callee
    is_one = isinstance(callee, Function) and callee.name.startswith(_NAME)
    return is_one and call.function_type.is_vararg and any(bundle.tag in _TAGS for bundle in call.bundles)


def with_inline_operands(call: CallBase, module: Module) -> CallBase:
    """Return a copy of a statepoint that has the inputs of its bundles among its arguments.

    The copy is in no block and in no list of uses.
    """
    transition, deoptimization, live = (_inputs(call, tag) for tag in _TAGS)
    others = [bundle for bundle in call.bundles if bundle.tag not in _TAGS]
    start = _first_behind(call)
    arguments = (*call.arguments[:start], _number(len(transition), module), *transition)
    arguments = (*arguments, _number(len(deoptimization), module), *deoptimization, *live)
    return rebuilt_call(with_bundles(call, others), call.function_type, arguments)


def has_live_bundle(relocation: CallBase) -> bool:
    """Return whether a call of `llvm.experimental.gc.relocate` counts in the bundle of a statepoint."""
    statepoint = _statepoint(relocation)
    return statepoint is not None and is_statepoint(statepoint)


def live_place(index: int, relocation: CallBase, module: Module) -> Constant:
    """Return the place of a live pointer among the arguments of a statepoint.

    Args:
        index: the argument of the relocation that has the place in the bundle.
        relocation: the call of `llvm.experimental.gc.relocate`.
        module: its module.
    """
    statepoint, place = _statepoint(relocation), relocation.arguments[index]
    if statepoint is None or not isinstance(place, ConstantInt):
        return _number(0, module)
    before = sum(1 + len(_inputs(statepoint, tag)) for tag in (_TRANSITION, _DEOPTIMIZATION))
    return _number(_first_behind(statepoint) + before + place.unsigned, module)


def _first_behind(statepoint: CallBase) -> int:
    """Return the first place behind the arguments of the call."""
    arguments = statepoint.arguments
    count = arguments[_COUNT] if len(arguments) > _COUNT else None
    return min(_FIXED + (count.unsigned if isinstance(count, ConstantInt) else 0), len(arguments))


def _inputs(statepoint: CallBase, tag: str) -> tuple[Value, ...]:
    return next((bundle.inputs for bundle in statepoint.bundles if bundle.tag == tag), ())


def _statepoint(relocation: CallBase) -> CallBase | None:
    """Return the statepoint of a relocation; on the unwind path, the terminator of the predecessor."""
    if len(relocation.arguments) != _RELOCATION:
        return None
    return statepoint_of(relocation.arguments[0])


def _number(value: int, module: Module) -> ConstantInt:
    return module.context.constants.integer(module.context.types.integer(32), value & 0xFFFF_FFFF)
