"""Rules of calls of certain intrinsics, beside those of their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.attribute_values import NoFPClass
from bitcodec.ir.constants import Constant, ConstantInt, ConstantPointerNull, PoisonValue
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Alloca, CatchPad
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.type_properties import is_same_shape, scalar_width
from bitcodec.ir.types import IntegerType, X86AMXType
from bitcodec.tables.attributes import ATTRIBUTE_KINDS, AttributeKind, AttributePosition, AttributeValue
from bitcodec.tables.linkage import ThreadLocalMode
from bitcodec.verifier.constrained import ROUNDINGS, constrained_problem, text_of
from bitcodec.verifier.intrinsic_types import known_intrinsic
from bitcodec.verifier.kinds import is_pointer, is_pointers, is_vector, stripped
from bitcodec.verifier.rules import first_broken
from bitcodec.verifier.vector_intrinsics import VECTOR_RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.ir.instructions import CallBase, Instruction, OperandBundle
    from bitcodec.ir.values import Value
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["intrinsic_problem"]

_CONSTRAINED = "experimental.constrained."


def intrinsic_problem(call: CallBase, body: Body) -> str | None:
    """Return what is wrong with a call of an intrinsic whose declaration is as it should be."""
    known = known_intrinsic(call, body)
    if known is None:
        return None
    if any(isinstance(argument.type, X86AMXType) and isinstance(argument, Constant) for argument in call.arguments):
        return "const x86_amx is not allowed in argument!"
    if known.base.startswith(_CONSTRAINED):
        return constrained_problem(call, known.base.removeprefix(_CONSTRAINED))
    if known.base == "assume":
        return _assumptions_problem(call.bundles)
    return first_broken(_RULES.get(known.base, ()), call, body)


def _argument(call: CallBase, index: int) -> Any:
    return call.arguments[index]


def _number(call: CallBase, index: int) -> int:
    value = _argument(call, index)
    return value.unsigned if isinstance(value, ConstantInt) else 0


def _is_below(index: int, limit: int) -> Callable[[Any, Any], bool]:
    return lambda call, _: _number(call, index) < limit


def _uses_collector(_: object, body: Body) -> bool:
    return bool(body.function.garbage_collector)


def _has_element_type(index: int, place: str) -> Rules:
    """Return the rule that a pointer says what it points to."""
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
    ),
    ("unsupported rounding mode argument", lambda call, _: text_of(_argument(call, 1)) in ROUNDINGS - {_DYNAMIC}),
)
_DYNAMIC = "round.dynamic"
_SCOPED: Rules = (
    ("!id.scope.list must point to an MDNode", lambda call, _: isinstance(_argument(call, 0).metadata, MDNode)),
    (
        "!id.scope.list must point to a list with a single scope",
        lambda call, _: len(_argument(call, 0).metadata.operands) == 1,
    ),
)
_COLLECTED: Rule = ("Enclosing function does not use GC.", _uses_collector)
_TEST_MASK: Rule = (
    "unsupported bits for llvm.is.fpclass test mask",
    lambda call, _: not _number(call, 1) & ~NoFPClass.ALL,
)


def _is_root(call: CallBase, _: object) -> bool:
    slot = stripped(_argument(call, 0))
    is_typed = not isinstance(_argument(call, 1), ConstantPointerNull)
    return is_typed or not isinstance(slot, Alloca) or is_pointer(slot.allocated_type)


def _is_in_entry(found: Instruction, body: Body) -> bool:
    return found.parent is body.blocks[0]


def _is_defined(value: Value) -> bool:
    return isinstance(value, Function) and not value.is_declaration


def _is_static(value: Any, body: Body) -> bool:
    """Return whether it is room in a function's frame whose size is known, or null."""
    found = stripped(value)
    if isinstance(found, Alloca):
        return isinstance(found.array_size, ConstantInt) and _is_in_entry(found, body)
    return isinstance(value, ConstantPointerNull)


_COMPARING: Rules = (
    ("result type must be at least 2 bits wide", lambda call, _: scalar_width(call.type) >= 2),
    (
        "ucmp/scmp argument and result types must both be either vector or scalar types",
        lambda call, _: is_vector(_argument(call, 0).type) is is_vector(call.type),
    ),
    (
        "return type and arguments must have the same number of elements",
        lambda call, _: is_same_shape(_argument(call, 0).type, call.type),
    ),
)


def _element_wise(*, has_source: bool) -> Rules:
    """Return the rules of memory operations that are atomic for each element."""

    def is_aligned(index: int) -> Callable[[Any, Any], bool]:
        def holds(call: CallBase, _: object) -> bool:
            alignment = call.attributes.for_parameter(index).integer("align")
            return alignment is not None and _number(call, 3) <= alignment

        return holds

    rules: Rules = (
        (
            "element size of the element-wise atomic memory intrinsic must be a power of 2",
            lambda call, _: _number(call, 3).bit_count() == 1,
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

_RULES: dict[str, Rules] = {
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
    "experimental.noalias.scope.decl": _SCOPED,
    "lifetime.start": _ALIVE,
    "lifetime.end": _ALIVE,
    "ucmp": _COMPARING,
    "scmp": _COMPARING,
    "is.fpclass": (_TEST_MASK,),
    "memcpy.element.unordered.atomic": _element_wise(has_source=True),
    "memmove.element.unordered.atomic": _element_wise(has_source=True),
    "memset.element.unordered.atomic": _element_wise(has_source=False),
    "gcroot": (
        (
            "llvm.gcroot parameter #1 must be an alloca.",
            lambda call, _: isinstance(stripped(_argument(call, 0)), Alloca),
        ),
        ("llvm.gcroot parameter #2 must be a constant.", lambda call, _: isinstance(_argument(call, 1), Constant)),
        (
            "llvm.gcroot parameter #1 must either be a pointer alloca, or argument #2 must be a non-null constant.",
            _is_root,
        ),
        _COLLECTED,
    ),
    "gcread": (_COLLECTED,),
    "gcwrite": (_COLLECTED,),
    "init.trampoline": (
        (
            "llvm.init_trampoline parameter #2 must resolve to a function.",
            lambda call, _: isinstance(stripped(_argument(call, 1)), Function),
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
    "localescape": (
        ("llvm.localescape used outside of entry block", _is_in_entry),
        (
            "llvm.localescape only accepts static allocas",
            lambda call, body: all(_is_static(value, body) for value in call.arguments),
        ),
    ),
    "localrecover": (
        (
            "llvm.localrecover first argument must be function defined in this module",
            lambda call, _: _is_defined(stripped(_argument(call, 0))),
        ),
    ),
    "eh.exceptionpointer": (
        (
            "eh.exceptionpointer argument must be a catchpad",
            lambda call, _: isinstance(_argument(call, 0), CatchPad),
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
        ),
        (
            "llvm.threadlocal.address operand isThreadLocal() must be true",
            lambda call, _: _argument(call, 0).thread_local_mode is not ThreadLocalMode.NOT_THREAD_LOCAL,
        ),
    ),
    "bswap": (
        (
            "bswap must be an even number of bytes",
            lambda call, _: scalar_width(call.type) % 16 == 0,
        ),
    ),
}
"""By name, without `llvm.` and suffixes for types."""


def _assumptions_problem(bundles: Iterable[OperandBundle]) -> str | None:
    """Return what is wrong with bundles; LLVM looks at none after the first one that is not an attribute of a value."""
    for bundle in bundles:
        problem = _assumption_problem(bundle)
        if problem is not None or bundle.tag in _OTHER_ASSUMPTIONS:
            return problem
    return None


def _assumption_problem(bundle: OperandBundle) -> str | None:
    """Return what is wrong with a bundle that says what may be assumed."""
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
