"""Rules of calls of intrinsics for garbage collection: statepoints, the values that they relocate, roots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.attribute_values import MemoryEffects
from bitcodec.ir.attributes import TypeAttribute
from bitcodec.ir.constants import Constant, ConstantInt, ConstantPointerNull, UndefValue
from bitcodec.ir.instructions import Alloca, Call, CallBase, LandingPad
from bitcodec.ir.type_properties import address_space_of, is_pointer, is_pointers, is_vector
from bitcodec.ir.types import FunctionType, VoidType
from bitcodec.tables.attributes import MemoryAccess
from bitcodec.verifier.callees import calls_intrinsic, memory_effects
from bitcodec.verifier.kinds import stripped

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["COLLECTOR_RULES"]

_STATEPOINT = "llvm.experimental.gc.statepoint."
_RESULT = "llvm.experimental.gc.result."
_RELOCATE = "llvm.experimental.gc.relocate."
_PATCH_BYTES, _TARGET, _CALL_ARGUMENT_COUNT, _FLAGS, _FIRST_ARGUMENT = range(1, 6)
"""Indices of arguments of a statepoint."""
_FLAG_MASK = 3
_COLLECTORS: dict[str, int | None] = {
    "coreclr": 1,
    "erlang": None,
    "ocaml": None,
    "shadow-stack": None,
    "statepoint-example": 1,
}
"""LLVM's own collectors; the only address space of pointers that each one manages, None if it manages all pointers."""


def _uses_collector(_: object, body: Body) -> bool:
    return bool(body.function.garbage_collector)


_COLLECTED: Rule = ("Enclosing function does not use GC.", _uses_collector)


def _is_root(call: CallBase, _: object) -> bool:
    slot = stripped(call.arguments[0])
    is_typed = not isinstance(call.arguments[1], ConstantPointerNull)
    return is_typed or not isinstance(slot, Alloca) or is_pointer(slot.allocated_type)


_ROOT: Rules = (
    ("llvm.gcroot parameter #1 must be an alloca.", lambda call, _: isinstance(stripped(call.arguments[0]), Alloca)),
    ("llvm.gcroot parameter #2 must be a constant.", lambda call, _: isinstance(call.arguments[1], Constant)),
    (
        "llvm.gcroot parameter #1 must either be a pointer alloca, or argument #2 must be a non-null constant.",
        _is_root,
    ),
    _COLLECTED,
)


# Statepoints


def _operand(call: CallBase, index: int) -> Value | None:
    """Return an argument; behind the last one follow the other operands, in LLVM's order; None behind these."""
    return call.operand_at(index) if index < call.operand_count else None


def _signed(call: CallBase, index: int) -> int:
    """Return a constant argument as an `int` of C."""
    value = _operand(call, index)
    number = value.unsigned & 0xFFFF_FFFF if isinstance(value, ConstantInt) else 0
    return number - (number >> 31 << 32)


def _element_type(call: CallBase) -> Type | None:
    found = call.attributes.for_parameter(_TARGET).get("elementtype")
    return found.type if isinstance(found, TypeAttribute) else None


def _wrapped(call: CallBase) -> Any:
    """Return the type of the function that a statepoint calls; other rules have checked that it is one."""
    return _element_type(call)


def _accesses_all_memory(call: CallBase, _: object) -> bool:
    """Return whether a call may write, and access more than the objects that its arguments point to."""
    effects = memory_effects(call)
    writes = any(effects.raw >> place & MemoryAccess.WRITE for place in range(0, MemoryEffects.ALL.bit_length(), 2))
    return writes and bool(effects.raw & ~MemoryEffects.of(argmem=MemoryAccess.READWRITE).raw)


def _has_enough_arguments(call: CallBase, _: object) -> bool:
    wrapped = _wrapped(call)
    return not wrapped.is_vararg or _signed(call, _CALL_ARGUMENT_COUNT) >= len(wrapped.parameter_types)


def _has_arguments(call: CallBase, _: object) -> bool:
    wrapped = _wrapped(call)
    return wrapped.is_vararg or _signed(call, _CALL_ARGUMENT_COUNT) == len(wrapped.parameter_types)


def _passes_its_types(call: CallBase, _: object) -> bool:
    return all(
        (argument := _operand(call, index)) is not None and argument.type is type_
        for index, type_ in enumerate(_wrapped(call).parameter_types, _FIRST_ARGUMENT)
    )


def _passes_no_struct_further(call: CallBase, _: object) -> bool:
    wrapped = _wrapped(call)
    return not wrapped.is_vararg or not any(
        "sret" in call.attributes.for_parameter(_FIRST_ARGUMENT + index)
        for index in range(len(wrapped.parameter_types))
    )


def _count_index(call: CallBase, place: int) -> int:
    """Return the index of a number behind the arguments of the wrapped call."""
    return _FIRST_ARGUMENT + _signed(call, _CALL_ARGUMENT_COUNT) + place


def _inline(place: int, words: str, deprecated: str) -> Rules:
    """Return the rules of a list of values that LLVM replaced by an operand bundle: it is empty."""
    return (
        (
            f"gc.statepoint number of {words} arguments must be constant integer",
            lambda call, _: isinstance(_operand(call, _count_index(call, place)), ConstantInt),
        ),
        (
            f"gc.statepoint w/inline {deprecated} deprecated",
            lambda call, _: _signed(call, _count_index(call, place)) == 0,
        ),
    )


def _is_call(user: object) -> bool:
    return isinstance(user, Call)


def _is_of_collector(user: object) -> bool:
    return isinstance(user, Call) and (calls_intrinsic(user, _RELOCATE) or calls_intrinsic(user, _RESULT))


def _is_used_by(holds: Callable[[object], bool]) -> Any:
    return lambda call, _: all(map(holds, call.users))


def _other_user(holds: Callable[[object], bool]) -> Any:
    """Return a function that returns the values that LLVM prints: the statepoint and the user that it must not have."""
    return lambda call, _: (call, next(user for user in call.users if not holds(user)))


_WRAPPING: Rules = (
    _COLLECTED,
    (
        (
            "gc.statepoint must read and write all memory to preserve reordering restrictions required by safepoint "
            "semantics"
        ),
        _accesses_all_memory,
    ),
    (
        "gc.statepoint number of patchable bytes must be positive",
        lambda call, _: _signed(call, _PATCH_BYTES) >= 0,
    ),
    (
        "gc.statepoint callee argument must have elementtype attribute",
        lambda call, _: _element_type(call) is not None,
    ),
    (
        "gc.statepoint callee elementtype must be function type",
        lambda call, _: isinstance(_element_type(call), FunctionType),
    ),
    (
        "gc.statepoint number of arguments to underlying call must be positive",
        lambda call, _: _signed(call, _CALL_ARGUMENT_COUNT) >= 0,
    ),
    ("gc.statepoint mismatch in number of vararg call args", _has_enough_arguments),
    (
        "gc.statepoint doesn't support wrapping non-void vararg functions yet",
        lambda call, _: not _wrapped(call).is_vararg or isinstance(_wrapped(call).return_type, VoidType),
    ),
    ("gc.statepoint mismatch in number of call args", _has_arguments),
    (
        "unknown flag used in gc.statepoint flags argument",
        lambda call, _: not _signed(call, _FLAGS) & ~_FLAG_MASK,
    ),
    ("gc.statepoint call argument does not match wrapped function type", _passes_its_types),
    ("Attribute 'sret' cannot be used for vararg call arguments!", _passes_no_struct_further),
    *_inline(0, "transition", "transition bundle is"),
    *_inline(1, "deoptimization", "deopt operands is"),
    (
        "gc.statepoint too many arguments",
        lambda call, _: call.argument_count == _count_index(call, 2),
    ),
    ("illegal use of statepoint token", _is_used_by(_is_call), _other_user(_is_call)),
    (
        "gc.result or gc.relocate are the only value uses of a gc.statepoint",
        _is_used_by(_is_of_collector),
        _other_user(_is_of_collector),
    ),
)


# Results and relocated values


def _is_statepoint(value: object) -> bool:
    return isinstance(value, CallBase) and calls_intrinsic(value, _STATEPOINT)


def _has_result_type(call: CallBase, _: object) -> bool:
    statepoint = call.arguments[0]
    wrapped = _element_type(statepoint) if isinstance(statepoint, CallBase) else None
    return not isinstance(wrapped, FunctionType) or wrapped.return_type is call.type


_RETURNED: Rules = (
    _COLLECTED,
    (
        "gc.result operand #1 must be from a statepoint",
        lambda call, _: isinstance(call.arguments[0], UndefValue) or _is_statepoint(call.arguments[0]),
        lambda call, _: (call, call.arguments[0]),
    ),
    ("gc.result result type does not match wrapped callee", _has_result_type),
)


def _invoking_block(pad: LandingPad, body: Body) -> BasicBlock | None:
    """Return the only block that leads to a landing pad, None if it is not the only one."""
    found = set(body.predecessors.get(pad.parent, ())) if pad.parent is not None else set()
    return found.pop() if len(found) == 1 else None


def _statepoint_of(call: CallBase, body: Body) -> CallBase | None:
    """Return the statepoint at which a value moves, None if the call lacks it."""
    token: Any = call.arguments[0]
    if isinstance(token, LandingPad):
        block = _invoking_block(token, body)
        token = None if block is None else block.terminator
    return token if isinstance(token, CallBase) and _is_statepoint(token) else None


def _lands_alone(call: CallBase, body: Body) -> bool:
    pad = call.arguments[0]
    return not isinstance(pad, LandingPad) or _invoking_block(pad, body) is not None


def _lands_from_statepoint(call: CallBase, body: Body) -> bool:
    return not isinstance(call.arguments[0], LandingPad) or _statepoint_of(call, body) is not None


def _is_tied(call: CallBase, _: object) -> bool:
    token = call.arguments[0]
    return isinstance(token, (LandingPad, UndefValue)) or _is_statepoint(token)


def _live_values(call: CallBase, body: Body) -> tuple[Value, ...] | None:
    """Return the values of the bundle of live values at the statepoint, None without such a bundle."""
    statepoint = _statepoint_of(call, body)
    bundles = () if statepoint is None else statepoint.bundles
    return next((bundle.inputs for bundle in bundles if bundle.tag == "gc-live"), None)


def _is_in_bounds(index: int) -> Any:
    def holds(call: CallBase, body: Body) -> bool:
        values = _live_values(call, body)
        number = call.arguments[index]
        return values is None or (isinstance(number, ConstantInt) and number.unsigned < len(values))

    return holds


def _relocated(call: CallBase, index: int, body: Body) -> Value | None:
    """Return a value that moves: of the bundle, or without one an argument of the statepoint."""
    statepoint, number = _statepoint_of(call, body), call.arguments[index]
    if statepoint is None or not isinstance(number, ConstantInt):
        return None
    values = _live_values(call, body)
    if values is None:
        return _operand(statepoint, number.unsigned)
    return values[number.unsigned] if number.unsigned < len(values) else None


_BASE, _DERIVED = 1, 2


def _on_value(index: int, holds: Any) -> Any:
    """Return a rule for the types of the result and of a value that moves; it holds if LLVM finds no such value."""

    def rule(call: CallBase, body: Body) -> bool:
        value = _relocated(call, index, body)
        return value is None or bool(holds(call.type, value.type, body))

    return rule


def _is_managed(type_: Type, body: Body) -> bool:
    space = _COLLECTORS.get(body.function.garbage_collector or "")
    return space is None or address_space_of(type_) == space


_NO_POINTER = "gc.relocate: relocated value must be a pointer"
_NOT_MANAGED = "gc.relocate: relocated value must be a gc pointer"
_MOVED: Rules = (
    ("gc.relocate must return a pointer or a vector of pointers", lambda call, _: is_pointers(call.type)),
    ("safepoints should have unique landingpads", _lands_alone, lambda call, _: (call.arguments[0].parent,)),
    (
        "gc relocate should be linked to a statepoint",
        _lands_from_statepoint,
        lambda call, body: (_invoking_block(call.arguments[0], body),),
    ),
    (
        "gc relocate is incorrectly tied to the statepoint",
        _is_tied,
        lambda call, _: (call, call.arguments[0]),
    ),
    (
        "gc.relocate operand #2 must be integer offset",
        lambda call, _: isinstance(call.arguments[_BASE], ConstantInt),
    ),
    (
        "gc.relocate operand #3 must be integer offset",
        lambda call, _: isinstance(call.arguments[_DERIVED], ConstantInt),
    ),
    ("gc.relocate: statepoint base index out of bounds", _is_in_bounds(_BASE)),
    ("gc.relocate: statepoint derived index out of bounds", _is_in_bounds(_DERIVED)),
    (_NO_POINTER, _on_value(_BASE, lambda _result, type_, _body: is_pointers(type_))),
    (_NO_POINTER, _on_value(_DERIVED, lambda _result, type_, _body: is_pointers(type_))),
    (
        "gc.relocate: vector relocates to vector and pointer to pointer",
        _on_value(_DERIVED, lambda result, type_, _body: is_vector(result) is is_vector(type_)),
    ),
    (
        "gc.relocate: relocating a pointer shouldn't change its address space",
        _on_value(_DERIVED, lambda result, type_, _body: address_space_of(result) == address_space_of(type_)),
    ),
    ("gc.relocate: must return gc pointer", _on_value(_DERIVED, lambda result, _type, body: _is_managed(result, body))),
    (_NOT_MANAGED, _on_value(_BASE, lambda _result, type_, body: _is_managed(type_, body))),
    (_NOT_MANAGED, _on_value(_DERIVED, lambda _result, type_, body: _is_managed(type_, body))),
)

COLLECTOR_RULES: dict[str, Rules] = {
    "gcroot": _ROOT,
    "gcread": (_COLLECTED,),
    "gcwrite": (_COLLECTED,),
    "experimental.gc.statepoint": _WRAPPING,
    "experimental.gc.result": _RETURNED,
    "experimental.gc.relocate": _MOVED,
}
"""By name, without `llvm.` and suffixes for types."""
