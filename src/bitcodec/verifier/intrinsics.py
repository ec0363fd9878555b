"""Rules of calls of certain intrinsics, in addition to the rules of their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.attribute_values import NoFPClass
from bitcodec.ir.constants import Constant, ConstantInt, PoisonValue, signed_of, unsigned_of
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Alloca
from bitcodec.ir.type_properties import is_pointer, is_pointers, is_same_shape, is_vector, scalar_width
from bitcodec.ir.types import IntegerType, X86AMXType
from bitcodec.tables.attributes import ATTRIBUTE_KINDS, AttributeKind, AttributePosition, AttributeValue
from bitcodec.tables.linkage import ThreadLocalMode
from bitcodec.verifier.alias_scopes import note_scope_declaration
from bitcodec.verifier.amdgpu import AMDGPU_RULES
from bitcodec.verifier.constrained import ROUNDINGS, constrained_problem, text_of
from bitcodec.verifier.control_intrinsics import CONTROL_RULES
from bitcodec.verifier.funclets import funclet_token_problem
from bitcodec.verifier.intrinsic_types import known_intrinsic
from bitcodec.verifier.kinds import stripped
from bitcodec.verifier.matrices import MATRIX_RULES
from bitcodec.verifier.number_intrinsics import NUMBER_RULES
from bitcodec.verifier.preallocation import PREALLOCATION_RULES, setup_problem
from bitcodec.verifier.rules import Problem, first_broken, without_values
from bitcodec.verifier.statepoints import COLLECTOR_RULES
from bitcodec.verifier.vector_intrinsics import VECTOR_RULES

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import CallBase, OperandBundle
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["intrinsic_problem"]

_CONSTRAINED = "experimental.constrained."


def intrinsic_problem(call: CallBase, body: Body) -> str | None:
    """Return the error in a call of an intrinsic with a valid declaration."""
    known = known_intrinsic(call, body)
    if known is None:
        return None
    if any(isinstance(argument.type, X86AMXType) and isinstance(argument, Constant) for argument in call.arguments):
        return Problem("const x86_amx is not allowed in argument!")
    if known.base.startswith(_CONSTRAINED):
        return constrained_problem(call, known.base.removeprefix(_CONSTRAINED))
    special = _SPECIAL.get(known.base)
    if special is not None:
        return special(call, body)
    return first_broken(_RULES.get(known.base, ()), call, body) or funclet_token_problem(call, known.base, body)


def _argument(call: CallBase, index: int) -> Any:
    return call.arguments[index]


def _is_below(index: int, limit: int) -> Callable[[Any, Any], bool]:
    return lambda call, _: unsigned_of(call.arguments[index]) < limit


def _has_element_type(index: int, place: str) -> Rules:
    """Return the rule that a pointer has an element type."""
    rule: Rule = (
        f"Intrinsic requires elementtype attribute on {place} argument.",
        lambda call, _: "elementtype" in call.attributes.for_parameter(index),
    )
    return (rule,)


_LOADING, _STORING = _has_element_type(0, "first"), _has_element_type(1, "second")
_ROUNDED: Rules = (
    (
        "invalid value for llvm.fptrunc.round metadata operand (the operand should be a string)",
        lambda call, _: text_of(_argument(call, 1)) is not None,
        lambda call, _: (_argument(call, 1).metadata,),
    ),
    ("unsupported rounding mode argument", lambda call, _: text_of(_argument(call, 1)) in ROUNDINGS - {_DYNAMIC}),
)
_DYNAMIC = "round.dynamic"
_TEST_MASK: Rule = (
    "unsupported bits for llvm.is.fpclass test mask",
    lambda call, _: not unsigned_of(call.arguments[1]) & ~NoFPClass.ALL,
    without_values,
)


def _element_wise(*, has_source: bool) -> Rules:
    """Return the rules of memory operations that are atomic for each element."""

    def is_aligned(index: int) -> Callable[[Any, Any], bool]:
        def holds(call: CallBase, _: object) -> bool:
            alignment = call.attributes.for_parameter(index).integer("align")
            return alignment is not None and unsigned_of(call.arguments[3]) <= alignment

        return holds

    rules: Rules = (
        (
            "element size of the element-wise atomic memory intrinsic must be a power of 2",
            lambda call, _: unsigned_of(call.arguments[3]).bit_count() == 1,
        ),
        ("incorrect alignment of the destination argument", is_aligned(0)),
    )
    return (*rules, ("incorrect alignment of the source argument", is_aligned(1))) if has_source else rules


def _is_index_wide(call: CallBase, body: Body) -> bool:
    pointer = _argument(call, 0).type.scalar_type
    return body.layout.pointer(pointer.address_space).index_width == scalar_width(_argument(call, 1).type)


_ALIVE: Rules = (
    (
        "llvm.lifetime.start/end can only be used on alloca or poison",
        lambda call, _: isinstance(_argument(call, 0), (Alloca, PoisonValue)),
    ),
)

_REGISTERS: Rules = (
    (
        "reg_count argument to nvvm.setmaxnreg must be in multiples of 8",
        lambda call, _: unsigned_of(call.arguments[0]) % 8 == 0,
        without_values,
    ),
)

_RULES: dict[str, Rules] = {
    **AMDGPU_RULES,
    **COLLECTOR_RULES,
    **CONTROL_RULES,
    **MATRIX_RULES,
    **NUMBER_RULES,
    **PREALLOCATION_RULES,
    **VECTOR_RULES,
    "aarch64.ldaxr": _LOADING,
    "aarch64.ldxr": _LOADING,
    "arm.ldaex": _LOADING,
    "arm.ldrex": _LOADING,
    "preserve.array.access.index": _LOADING,
    "preserve.struct.access.index": _LOADING,
    "aarch64.stlxr": _STORING,
    "aarch64.stxr": _STORING,
    "arm.stlex": _STORING,
    "arm.strex": _STORING,
    "fptrunc.round": _ROUNDED,
    "lifetime.start": _ALIVE,
    "lifetime.end": _ALIVE,
    "is.fpclass": (_TEST_MASK,),
    "memcpy.element.unordered.atomic": _element_wise(has_source=True),
    "memmove.element.unordered.atomic": _element_wise(has_source=True),
    "memset.element.unordered.atomic": _element_wise(has_source=False),
    "init.trampoline": (
        (
            "llvm.init_trampoline parameter #2 must resolve to a function.",
            lambda call, _: isinstance(stripped(_argument(call, 1)), Function),
        ),
    ),
    "aarch64.prefetch": (
        ("write argument to llvm.aarch64.prefetch must be 0 or 1", _is_below(1, 2)),
        ("target argument to llvm.aarch64.prefetch must be 0-3", _is_below(2, 4)),
        ("stream argument to llvm.aarch64.prefetch must be 0 or 1", _is_below(3, 2)),
        ("isdata argument to llvm.aarch64.prefetch must be 0 or 1", _is_below(4, 2)),
    ),
    "aarch64.range.prefetch": (
        ("write argument to llvm.aarch64.range.prefetch must be 0 or 1", _is_below(1, 2)),
        ("stream argument to llvm.aarch64.range.prefetch must be 0 or 1", _is_below(2, 2)),
    ),
    "nvvm.setmaxnreg.inc.sync.aligned.u32": _REGISTERS,
    "nvvm.setmaxnreg.dec.sync.aligned.u32": _REGISTERS,
    "reloc.none": (
        (
            "llvm.reloc.none argument must be a metadata string",
            lambda call, _: text_of(_argument(call, 0)) is not None,
        ),
    ),
    "experimental.memset.pattern": (
        (
            "unsized types cannot be used as memset patterns",
            lambda call, body: not body.verifier.is_unsized[_argument(call, 1).type],
        ),
    ),
    "invariant.start": (
        (
            "invariant_start parameter must be -1, 0 or a positive number",
            lambda call, _: signed_of(call.arguments[0]) >= -1,
        ),
    ),
    "thread.pointer": (
        (
            "llvm.thread.pointer intrinsic return type must be for the globals address space",
            lambda call, body: call.type.scalar_type.address_space == body.layout.globals_address_space,
        ),
    ),
    "prefetch": (
        ("rw argument to llvm.prefetch must be 0-1", _is_below(1, 2)),
        ("locality argument to llvm.prefetch must be 0-3", _is_below(2, 4)),
        ("cache type argument to llvm.prefetch must be 0-1", _is_below(3, 2)),
    ),
    "stackprotector": (
        (
            "llvm.stackprotector parameter #2 must resolve to an alloca.",
            lambda call, _: isinstance(stripped(_argument(call, 1)), Alloca),
        ),
    ),
    "ptrmask": (
        (
            "llvm.ptrmask intrinsic first argument must be pointer or vector of pointers",
            lambda call, _: is_pointers(_argument(call, 0).type),
        ),
        (
            "llvm.ptrmask intrinsic arguments must be both scalars or both vectors",
            lambda call, _: is_vector(_argument(call, 0).type) is is_vector(_argument(call, 1).type),
        ),
        (
            "llvm.ptrmask intrinsic arguments must have the same number of elements",
            lambda call, _: is_same_shape(_argument(call, 0).type, _argument(call, 1).type),
        ),
        (
            "llvm.ptrmask intrinsic second argument bitwidth must match pointer index type size of first argument",
            _is_index_wide,
        ),
    ),
    "threadlocal.address": (
        (
            "llvm.threadlocal.address first argument must be a GlobalValue",
            lambda call, _: isinstance(_argument(call, 0), GlobalValue),
            without_values,
        ),
        (
            "llvm.threadlocal.address operand isThreadLocal() must be true",
            lambda call, _: _argument(call, 0).thread_local_mode is not ThreadLocalMode.NOT_THREAD_LOCAL,
            without_values,
        ),
    ),
}
"""By name, without `llvm.` and suffixes for types."""


def _assumptions_problem(call: CallBase, _body: Body) -> str | None:
    """Return the error in bundles; LLVM checks none after the first one that is not an attribute of a value."""
    if call.bundle_count and unsigned_of(call.arguments[0]) != 1:
        return "assume with operand bundles must have i1 true condition"
    for bundle in call.bundles:
        problem = _assumption_problem(bundle)
        if problem is not None or bundle.tag in _OTHER_ASSUMPTIONS:
            return problem
    return None


def _assumption_problem(bundle: OperandBundle) -> str | None:
    """Return the error in a bundle of an assumption."""
    if bundle.tag in _ASSUMPTIONS:
        return first_broken(_ASSUMPTIONS[bundle.tag], bundle.inputs)
    kind = ATTRIBUTE_KINDS.get(bundle.tag)
    if kind is None and bundle.tag not in _OTHER_ASSUMPTIONS:
        return "tags must be valid attribute names"
    if len(bundle.inputs) > 2:
        return "too many arguments"
    return None if kind is None else first_broken(_assumed(kind), bundle.inputs)


def _assumed(kind: AttributeKind) -> Rules:
    """Return the rules for the inputs of an attribute that is assumed."""
    if kind.value is AttributeValue.INTEGER:
        return _WITH_INTEGER
    return _OF_VALUE if kind.positions & AttributePosition.PARAMETER else _OF_FUNCTION


def _is_integer_at(index: int) -> Callable[[Any], bool]:
    return lambda inputs: len(inputs) <= index or isinstance(inputs[index].type, IntegerType)


_OTHER_ASSUMPTIONS = {
    "ignore",
    "less-precise-fpmad",
    "no-infs-fp-math",
    "no-inline-line-tables",
    "no-jump-tables",
    "no-nans-fp-math",
    "no-signed-zeros-fp-math",
    "profile-sample-accurate",
    "use-sample-profile",
}
_WITH_INTEGER: Rules = (
    ("this attribute should have 2 arguments", lambda inputs: len(inputs) == 2),
    (
        "the second argument should be a constant integral value",
        lambda inputs: isinstance(inputs[1], ConstantInt),
    ),
)
_OF_VALUE: Rules = (("this attribute should have one argument", lambda inputs: len(inputs) == 1),)
_OF_FUNCTION: Rules = (("this attribute has no argument", lambda inputs: not inputs),)
_ASSUMPTIONS: dict[str, Rules] = {
    "dereferenceable": (
        ("dereferenceable assumptions should have 2 arguments", lambda inputs: len(inputs) == 2),
        ("first argument should be a pointer", lambda inputs: is_pointer(inputs[0].type)),
        ("second argument should be an integer", _is_integer_at(1)),
    ),
    "separate_storage": (
        ("separate_storage assumptions should have 2 arguments", lambda inputs: len(inputs) == 2),
        (
            "arguments to separate_storage assumptions should be pointers",
            lambda inputs: all(is_pointer(value.type) for value in inputs),
        ),
    ),
    "align": (
        ("alignment assumptions should have 2 or 3 arguments", lambda inputs: len(inputs) in {2, 3}),
        ("first argument should be a pointer", lambda inputs: is_pointer(inputs[0].type)),
        ("second argument should be an integer", _is_integer_at(1)),
        ("third argument should be an integer if present", _is_integer_at(2)),
    ),
}

_SPECIAL: dict[str, Callable[[CallBase, Body], str | None]] = {
    "assume": _assumptions_problem,
    "call.preallocated.setup": setup_problem,
    "experimental.noalias.scope.decl": note_scope_declaration,
}
"""Functions that return the problem of a call, by the name of the intrinsic, where rows are not enough."""
