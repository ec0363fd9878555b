"""Rules of calls: callee, arguments, operand bundles, attributes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.ir.attributes import RangeAttribute
from bitcodec.ir.constants import ConstantFP, ConstantInt
from bitcodec.ir.decimals import decimal_text
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Alloca, Call, CallBranch, Invoke
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.type_properties import is_pointer
from bitcodec.ir.types import MetadataType, X86AMXType
from bitcodec.tables.opcodes import TailCallKind
from bitcodec.verifier.attributes import attribute_problems, value_problems
from bitcodec.verifier.bodies import is_eh_pad
from bitcodec.verifier.callees import (
    callee_of,
    calls_assembly,
    calls_intrinsic,
    has_parameter_attribute,
    is_interposable,
)
from bitcodec.verifier.calling_conventions import NOT_CALLABLE
from bitcodec.verifier.convergence import is_convergent
from bitcodec.verifier.frames import shares_frame
from bitcodec.verifier.inline_assembly import ASSEMBLY_RULES
from bitcodec.verifier.instructions.bundles import bundle_problem
from bitcodec.verifier.instructions.call_branches import CALL_BRANCH_RULES, kind_problems
from bitcodec.verifier.instructions.control_flow import IS_LAST
from bitcodec.verifier.instructions.tail_calls import tail_call_problems
from bitcodec.verifier.intrinsic_types import known_intrinsic, signature_problem
from bitcodec.verifier.intrinsics import intrinsic_problem
from bitcodec.verifier.kinds import strip_in_bounds_offsets
from bitcodec.verifier.rules import (
    MAXIMUM_ALIGNMENT,
    LateProblem,
    PassingProblem,
    Problem,
    first_broken,
    with_values,
    without_values,
    worded,
)
from bitcodec.verifier.shapes import Shape, problems_in_turn
from bitcodec.verifier.swift_errors import swift_argument_problem
from bitcodec.verifier.target_types import is_token_like

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.ir.attributes import AttributeSet
    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.shapes import Finder, Remaining
    from bitcodec.verifier.verifier import Verifier

__all__ = ["DEBUG_INFO_PROBLEMS", "PROBLEMS", "SHAPES"]


def _has_arguments(call: CallBase, _: object) -> bool:
    function_type = call.function_type
    return function_type.is_vararg or len(call.arguments) == len(function_type.parameter_types)


def _has_enough_arguments(call: CallBase, _: object) -> bool:
    function_type = call.function_type
    return not function_type.is_vararg or len(call.arguments) >= len(function_type.parameter_types)


def _has_argument_types(call: CallBase, _: object) -> bool:
    parameters = call.function_type.parameter_types
    return all(value.type is type_ for value, type_ in zip(call.arguments, parameters, strict=False))


def _misfit(call: CallBase, _: object) -> tuple[object, ...]:
    """Return the first argument of another type than its parameter, that type, and the call."""
    pairs = zip(call.arguments, call.function_type.parameter_types, strict=False)
    return next(((value, type_, call) for value, type_ in pairs if value.type is not type_), ())


def _has_attributes_of_arguments(call: CallBase, _: object) -> bool:
    indices = call.attributes.parameters
    return not indices or max(indices) < len(call.arguments)


def _is_of_intrinsic_type(call: CallBase, _: object) -> bool:
    callee = callee_of(call)
    return callee is None or not callee.is_intrinsic or callee.value_type is call.function_type


def _is_placed(type_: Type, body: Body) -> bool:
    return body.verifier.is_unsized[type_] or body.layout.abi_alignment(type_) <= MAXIMUM_ALIGNMENT


def _is_speculatable(call: CallBase, _: object) -> bool:
    if "speculatable" not in call.attributes.for_function:
        return True
    callee = callee_of(call)
    return callee is not None and "speculatable" in callee.attributes.for_function


def _may_be_preallocated(call: CallBase, _: object) -> bool:
    return "preallocated" not in call.attributes.for_function or calls_intrinsic(call, "llvm.call.preallocated.arg")


def _is_of(kind: type[Type]) -> Callable[[Type], bool]:
    return lambda type_: isinstance(type_, kind)


def _returns(call: CallBase, is_kind: Callable[[Type], bool]) -> bool:
    return call.called_function is None and is_kind(call.function_type.return_type)


def _passes(call: CallBase, is_kind: Callable[[Type], bool]) -> bool:
    """Return whether a call of anything but an intrinsic passes a value of a kind of type."""
    is_passed = any(map(is_kind, call.function_type.parameter_types))
    return is_passed and not calls_intrinsic(call)


def _is_located(call: CallBase, body: Body) -> bool:
    """Return whether a call that may be inlined has a location, in a function with debug information."""
    callee = call.called_function
    if callee is None or body.subprogram is None or call.debug_location is not None:
        return True
    return not _may_be_inlined(callee, body.verifier)


_CALL: Rules = (
    ("Called function must be a pointer!", lambda call, _: is_pointer(call.callee.type)),
    ("Called function requires more parameters than were provided!", _has_enough_arguments),
    ("Incorrect number of arguments passed to called function!", _has_arguments),
    ("Call parameter type does not match function signature!", _has_argument_types, _misfit),
    ("Attribute after last parameter!", _has_attributes_of_arguments),
    ("Intrinsic called with incompatible signature", _is_of_intrinsic_type),
    (
        "calling convention does not permit calls",
        lambda call, _: call.calling_convention not in NOT_CALLABLE,
    ),
)
_CALL_ATTRIBUTES: Rules = (
    ("speculatable attribute may not apply to call sites", _is_speculatable),
    (
        "preallocated as a call site attribute can only be on llvm.call.preallocated.arg",
        _may_be_preallocated,
        without_values,
    ),
)
_PASSED: Rules = (
    (
        "Function has metadata parameter but isn't an intrinsic",
        lambda call, _: not _passes(call, _is_of(MetadataType)),
    ),
    ("Function has token parameter but isn't an intrinsic", lambda call, _: not _passes(call, is_token_like)),
    (
        "Return type cannot be token for indirect call!",
        lambda call, _: not _returns(call, is_token_like),
        without_values,
    ),
    (
        "Return type cannot be x86_amx for indirect call!",
        lambda call, _: not _returns(call, _is_of(X86AMXType)),
        without_values,
    ),
)
_NOT_LOCATED = "inlinable function call in a function with debug info must have a !dbg location"
_LOCATED: Rules = ((_NOT_LOCATED, _is_located),)
DEBUG_INFO_PROBLEMS = {_NOT_LOCATED}
"""Problems of calls that concern debug information only."""


def _alignment_problems(call: CallBase, body: Body) -> list[str]:
    """Return one problem for each type that cannot be passed because of its alignment."""
    if calls_intrinsic(call):
        return []
    type_ = call.function_type
    passed = [("return type", type_.return_type), *(("argument passed", each) for each in type_.parameter_types)]
    return [
        PassingProblem(worded("Incorrect alignment of {} to called function!", what), call)
        for what, each in passed
        if not _is_placed(each, body)
    ]


def _attribute_problems(call: CallBase, body: Body) -> list[str]:
    problems = attribute_problems(
        call.function_type,
        call.attributes,
        body.verifier,
        is_intrinsic=calls_intrinsic(call),
        is_assembly=calls_assembly(call),
    )
    return [with_values(PassingProblem, problem, call) for problem in problems]


def _room_problem(call: CallBase) -> str | None:
    """Return the problem of the memory that a call passes: an `alloca` has to be made for it."""
    last = len(call.function_type.parameter_types) - 1
    if last < 0 or not has_parameter_attribute(call, call.argument_count - 1, "inalloca"):
        return None
    source = strip_in_bounds_offsets(call.operand_at(last))
    if not isinstance(source, Alloca) or source.is_inalloca:
        return None
    return Problem("inalloca argument for call has mismatched alloca", source, call)


def _arguments_problem(call: CallBase, body: Body) -> str | None:
    """Return the error in arguments that do not satisfy their attributes."""
    callee = callee_of(call)
    count = len(call.function_type.parameter_types)
    problem = _room_problem(call)
    if problem is not None:
        return problem
    for index in _value_dependent_arguments(call, callee, body.verifier):
        if index >= count:
            break
        problem = (
            swift_argument_problem(call, index)
            or _immediate_problem(call, index, callee)
            or _preallocated_problem(call, index)
        )
        if problem:
            return problem
    return _further_arguments_problem(call, count, body) if call.function_type.is_vararg else None


_VALUE_DEPENDENT = ("swifterror", "immarg", "preallocated", "inalloca")
"""Attributes whose rules depend on the argument."""


def _value_dependent_arguments(call: CallBase, callee: Function | None, verifier: Verifier) -> tuple[int, ...]:
    """Return the indices of arguments with attributes whose rules depend on the argument, in order."""
    key = call.attributes, None if callee is None else callee.attributes
    known = verifier.value_dependent_arguments
    found = known.get(key)
    if found is None:
        indices = {
            index
            for attributes in key
            if attributes is not None
            for index, of_argument in attributes.parameters.items()
            if any(name in of_argument for name in _VALUE_DEPENDENT)
        }
        found = known[key] = tuple(sorted(indices))
    return found


def _immediate_problem(call: CallBase, index: int, callee: Function | None) -> str | None:
    if "immarg" in call.attributes.for_parameter(index) and (
        callee is None or "immarg" not in callee.attributes.for_parameter(index)
    ):
        return Problem("immarg may not apply only to call sites", call.operand_at(index), call)
    if not has_parameter_attribute(call, index, "immarg"):
        return None
    argument = call.operand_at(index)
    if not isinstance(argument, (ConstantInt, ConstantFP)):
        return Problem("immarg operand has non-immediate parameter", argument, call)
    allowed = next(filter(None, (found.get("range") for found in _sets(call, index, callee))), None)
    if not isinstance(allowed, RangeAttribute) or not isinstance(argument, ConstantInt):
        return None
    if argument.signed in allowed.range:
        return None
    return Problem(
        worded("immarg value {} out of range [{})", decimal_text(argument.signed), allowed.range.bounds), call
    )


def _sets(call: CallBase, index: int, callee: Function | None) -> Iterator[AttributeSet]:
    """Yield the attributes of a call for an argument, then its callee's."""
    yield call.attributes.for_parameter(index)
    if callee is not None:
        yield callee.attributes.for_parameter(index)


def _preallocated_problem(call: CallBase, index: int) -> str | None:
    if not has_parameter_attribute(call, index, "preallocated"):
        return None
    has_bundle = any(bundle.tag == "preallocated" for bundle in call.bundles)
    if has_bundle is not (isinstance(call, Call) and call.tail_kind is TailCallKind.MUSTTAIL):
        return None
    message = "preallocated operand either requires a preallocated bundle or the call to be musttail (but not both)"
    return Problem(message, call.operand_at(index), call)


def _further_arguments_problem(call: CallBase, count: int, body: Body) -> str | None:
    """Return the error in attributes of the arguments behind the last parameter."""
    further = [(index, found) for index, found in call.attributes.parameters.items() if index >= count]
    if not further:
        return None
    given = [found for index, found in call.attributes.parameters.items() if index < count]
    for name in ("nest", "returned"):
        if _count(given, name) + _count((found for _, found in further), name) > 1:
            return f"More than one parameter has attribute {name}!"
    for index, found in further:
        if index < call.argument_count:
            problems = value_problems(found, call.operand_at(index).type, body.verifier)
            if problems:
                return problems[0]
        if "sret" in found and not calls_intrinsic(call, "llvm.experimental.gc.statepoint"):
            return "Attribute 'sret' cannot be used for vararg call arguments!"
        if "inalloca" in found and index != len(call.arguments) - 1:
            return "inalloca isn't on the last argument!"
    return None


def _count(sets: Iterable[AttributeSet], name: str) -> int:
    return sum(name in found for found in sets)


def _visit_metadata(call: CallBase, body: Body) -> None:
    """Visit the metadata arguments of an intrinsic; metadata of names unknown to LLVM is not checked."""
    if known_intrinsic(call, body) is None:
        return
    for argument in call.arguments:
        if isinstance(argument, MetadataAsValue):
            body.verifier.metadata.visit_argument(argument.metadata, body.function)


def _intrinsic_problems(call: CallBase, body: Body) -> list[str]:
    """Return the errors in a call of an intrinsic as such, at most one."""
    problem = signature_problem(call, body)
    if problem is None:
        _visit_metadata(call, body)
        problem = intrinsic_problem(call, body)
    return [] if problem is None else [with_values(PassingProblem, problem, call)]


def _assembly_problems(call: CallBase, body: Body) -> list[str]:
    problem = first_broken(ASSEMBLY_RULES, call, body) if calls_assembly(call) else None
    return [] if problem is None else [with_values(PassingProblem, problem, call)]


_check_call: Finder = partial(first_broken, _CALL)
_check_call_attributes: Finder = partial(first_broken, _CALL_ATTRIBUTES)
_check_passed: Finder = partial(first_broken, _PASSED)
_check_place: Finder = partial(first_broken, _LOCATED)
_LATER_STEPS: tuple[Finder, ...] = (_intrinsic_problems, bundle_problem, _check_place)
_STEPS: tuple[Finder, ...] = (
    _check_call,
    _alignment_problems,
    _check_call_attributes,
    _attribute_problems,
    _arguments_problem,
    _check_passed,
    *_LATER_STEPS,
    _assembly_problems,
)
"""Checks in LLVM's order."""
_call_problems = partial(problems_in_turn, _STEPS)


def _tail_call_problems(call: Call, body: Body) -> list[str]:
    return [with_values(LateProblem, problem, call) for problem in tail_call_problems(call, body)]


def _invoke_problems(invoke: Invoke, body: Body) -> list[str]:
    problem = first_broken(_INVOKE, invoke, body)
    return [] if problem is None else [with_values(LateProblem, problem, invoke)]


_INVOKE: Rules = (
    (
        "The unwind destination does not have an exception handling instruction!",
        lambda invoke, body: is_eh_pad(body.first_behind_phis(invoke.unwind_destination)),
    ),
    IS_LAST,
)
_LAST: Rules = (IS_LAST,)


def _branch_problems(call: CallBranch, body: Body) -> list[str]:
    return problems_in_turn(_BRANCH_STEPS, call, body)


_BRANCH_STEPS: tuple[Finder, ...] = (
    partial(first_broken, CALL_BRANCH_RULES),
    kind_problems,
    _intrinsic_problems,
    _assembly_problems,
    partial(first_broken, _LAST),
)


def _remaining_of_call(call: Call, body: Body) -> Remaining:
    """Return the rules that depend on more than a call's shape, without rules that hold for all calls of the shape."""
    if call.bundle_count:
        return (partial(problems_in_turn, (_arguments_problem, *_LATER_STEPS)), _tail_call_problems), True
    callee = callee_of(call)
    steps = [step for step, may_fail in _MAY_FAIL.items() if may_fail(call, callee, body)]
    finders: list[Finder] = [partial(problems_in_turn, tuple(steps))] if steps else []
    if call.tail_kind is TailCallKind.MUSTTAIL:
        finders.append(_tail_call_problems)
    return tuple(finders), is_convergent(call) or shares_frame(call)


def _has_arguments_to_check(call: Call, callee: Function | None, body: Body) -> bool:
    return call.function_type.is_vararg or bool(_value_dependent_arguments(call, callee, body.verifier))


def _may_need_place(call: Call, _callee: Function | None, body: Body) -> bool:
    """Return whether a call needs a debug location if its function has debug information."""
    callee = call.called_function
    return callee is not None and _may_be_inlined(callee, body.verifier)


def _may_be_inlined(callee: Function, verifier: Verifier) -> bool:
    """Return whether inlining a function with debug information is possible."""
    if callee.is_declaration or is_interposable(callee, verifier):
        return False
    return verifier.subprogram_of(callee) is not None


def _facts_about_callee(callee: Value, verifier: Verifier) -> object:
    """Return the facts about a callee that the rules of a call depend on: for most functions, not its identity."""
    if not isinstance(callee, Function) or callee.is_intrinsic:
        return callee
    facts = callee.value_type, callee.attributes, _may_be_inlined(callee, verifier)
    return verifier.called_functions.setdefault(facts, callee)


_MAY_FAIL: dict[Finder, Callable[[Call, Function | None, Body], bool]] = {
    _arguments_problem: _has_arguments_to_check,
    _intrinsic_problems: lambda _call, callee, _body: callee is not None and callee.is_intrinsic,
    _check_place: _may_need_place,
}
"""Of calls without bundles: whether there may be a problem in one of the same shape."""

PROBLEMS: dict[type, tuple[Finder, ...]] = {
    Call: (_call_problems, _tail_call_problems),
    Invoke: (_call_problems, _invoke_problems),
    CallBranch: (_branch_problems,),
}
SHAPES: dict[type, Shape] = {
    Call: Shape(
        (
            "function_type",
            "attributes",
            "calling_convention",
            "argument_count",
            "bundle_count",
            "tail_kind",
        ),
        remaining_rules=_remaining_of_call,
        callee_facts=_facts_about_callee,
    )
}
