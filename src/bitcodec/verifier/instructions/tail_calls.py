"""Rules of calls that have to take the place of a return (`musttail`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from bitcodec.ir.constants import UndefValue
from bitcodec.ir.instructions import Call, Cast, Return
from bitcodec.tables.opcodes import TailCallKind
from bitcodec.verifier.callees import calls_assembly, calls_intrinsic
from bitcodec.verifier.calling_conventions import TAIL_CONVENTIONS
from bitcodec.verifier.rules import Problem, first_broken, worded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.attributes import Attribute, AttributeSet
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rules

__all__ = ["tail_call_problems"]

_OF_PASSING: tuple[str, ...] = (
    *("sret", "byval", "inalloca", "inreg", "alignstack", "swiftself", "swiftasync", "swifterror", "preallocated"),
    "byref",
)
"""Attributes that decide how an argument is passed."""
_NOT_IN_TAIL_CONVENTIONS = ("inalloca", "inreg", "swifterror", "preallocated", "byref")


def _uses_call(call: Call, body: Body) -> bool:
    following = body.beside(call, 1)
    return not _is_bitcast(following) or call in following.operands


def _is_bitcast(instruction: Any) -> TypeGuard[Cast]:
    return isinstance(instruction, Cast) and instruction.opcode == "bitcast"


def _return_behind(call: Call, body: Body) -> tuple[Instruction, Instruction | None]:
    """Return the value that must be returned, and the instruction in the place of the return."""
    following = body.beside(call, 1)
    return (following, body.beside(call, 2)) if _is_bitcast(following) else (call, following)


def _is_returned(call: Call, body: Body) -> bool:
    value, found = _return_behind(call, body)
    assert isinstance(found, Return), "the rule in front of this one has asked"  # noqa: S101
    return found.value is None or found.value is value or isinstance(found.value, UndefValue)


def _is_tail_convention(call: Call) -> bool:
    return call.calling_convention in TAIL_CONVENTIONS


def _agree_on_parameters(call: Call, body: Body) -> bool:
    if calls_intrinsic(call):
        return True
    return call.function_type.parameter_types == body.function.value_type.parameter_types


def _agree_on_count(call: Call, body: Body) -> bool:
    if calls_intrinsic(call):
        return True
    return len(call.function_type.parameter_types) == len(body.function.value_type.parameter_types)


def _of_passing(attributes: AttributeSet) -> list[Attribute]:
    names = _OF_PASSING
    if "byval" in attributes or "byref" in attributes:
        names = (*names, "align")
    return [attributes[name] for name in names if name in attributes]


def _passed_otherwise(call: Call, body: Body) -> int | None:
    """Return the first parameter that the call passes in another way than the function; None without one."""
    caller = body.function.attributes
    return next(
        (
            index
            for index in range(len(body.function.value_type.parameter_types))
            if _of_passing(caller.for_parameter(index)) != _of_passing(call.attributes.for_parameter(index))
        ),
        None,
    )


_ALWAYS: Rules = (
    ("cannot use musttail call with inline asm", lambda call, _: not calls_assembly(call)),
    (
        "cannot guarantee tail call due to mismatched varargs",
        lambda call, body: call.function_type.is_vararg is body.function.is_vararg,
    ),
    (
        "cannot guarantee tail call due to mismatched return types",
        lambda call, body: call.function_type.return_type is body.function.return_type,
    ),
    (
        "cannot guarantee tail call due to mismatched calling conv",
        lambda call, body: call.calling_convention == body.function.calling_convention,
    ),
    (
        "bitcast following musttail call must use the call",
        _uses_call,
        lambda call, body: (body.beside(call, 1),),
    ),
    (
        "musttail call must precede a ret with an optional bitcast",
        lambda call, body: isinstance(_return_behind(call, body)[1], Return),
    ),
    (
        "musttail call result must be returned",
        _is_returned,
        lambda call, body: (_return_behind(call, body)[1],),
    ),
)
_UNDER_OTHERS: Rules = (
    ("cannot guarantee tail call due to mismatched parameter counts", _agree_on_count),
    ("cannot guarantee tail call due to mismatched parameter types", _agree_on_parameters),
    (
        "cannot guarantee tail call due to mismatched ABI impacting function attributes",
        lambda call, body: _passed_otherwise(call, body) is None,
        # LLVM prints the operand at the index of the parameter, which may be the function called.
        lambda call, body: (call, call.operands[_passed_otherwise(call, body)]),
    ),
)


def tail_call_problems(call: Call, body: Body) -> Iterable[str]:
    """Return the errors in a `musttail` call; empty for other calls."""
    if call.tail_kind is not TailCallKind.MUSTTAIL:
        return ()
    problem = first_broken(_ALWAYS, call, body)
    if problem is None:
        if _is_tail_convention(call):
            return _tail_convention_problems(call, body.function)
        problem = first_broken(_UNDER_OTHERS, call, body)
    return filter(None, (problem,))


def _tail_convention_problems(call: Call, caller: Function) -> Iterator[str]:
    name = TAIL_CONVENTIONS[call.calling_convention]
    for role, attributes in (("caller", caller.attributes), ("callee", call.attributes)):
        for found in attributes.parameters.values():
            refused = next((attribute for attribute in _NOT_IN_TAIL_CONVENTIONS if attribute in found), None)
            if refused is not None:
                yield Problem(worded("{} attribute not allowed in {} musttail {}", refused, name, role))
    if caller.is_vararg:
        yield Problem(worded("cannot guarantee {} tail call for varargs function", name))
