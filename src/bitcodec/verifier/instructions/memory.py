"""Rules of `alloca`, loads, stores, address arithmetic, and atomic accesses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.ir.instructions import Alloca, AtomicCmpXchg, AtomicRMW, Fence, GetElementPtr, Load, Store
from bitcodec.ir.type_properties import element_count, is_floats, is_integer, is_integers, is_pointer, is_vector
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
)
from bitcodec.tables.opcodes import REFUSED_ORDERINGS, AtomicOrdering, AtomicRMWOperation
from bitcodec.verifier.kinds import splat_integer
from bitcodec.verifier.rules import first_broken, is_aligned
from bitcodec.verifier.shapes import NOTHING_REMAINS, Shape
from bitcodec.verifier.swift_errors import swift_error_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules
    from bitcodec.verifier.shapes import Finder, Remaining

__all__ = ["PROBLEMS", "SHAPES"]

_AMDGPU_STACK = 5

_ALIGNED: Rule = ("huge alignment values are unsupported", is_aligned)


def _bits(type_: Type, body: Body) -> int:
    return body.layout.size_in_bits(type_)


def _atomic_size(accessed: Callable[[Any], Type]) -> Rules:
    """Return the rules for how many bits may be accessed at once."""
    return (
        (
            "atomic memory access' size must be byte-sized",
            lambda found, body: _bits(accessed(found), body) >= 8,
            lambda found, _: (accessed(found), found),
        ),
        (
            "atomic memory access' operand must have a power-of-two size",
            lambda found, body: _bits(accessed(found), body).bit_count() == 1,
            lambda found, _: (accessed(found), found),
        ),
    )


def _is_atomic_type(type_: Type) -> bool:
    return isinstance(type_, (IntegerType, PointerType, FloatingPointType))


def _access(
    name: str, participle: str, accessed: Callable[[Any], Type], orderings: str
) -> Callable[[Any, Body], str | None]:
    """Return a function that returns the error in a load or store.

    Args:
        name, participle: LLVM's name of the instruction, and its participle.
        accessed: returns the type that is read or written.
        orderings: LLVM's words for the orderings that are not allowed.
    """
    lower = name.lower()
    always: Rules = (
        (f"{name} operand must be a pointer.", lambda found, _: is_pointer(found.pointer.type)),
        _ALIGNED,
        (
            f"{participle} unsized types is not allowed",
            lambda found, body: not body.verifier.is_unsized[accessed(found)],
        ),
    )
    plain: Rules = (
        *always,
        (f"Non-atomic {lower} cannot have SynchronizationScope specified", lambda found, _: not found.sync_scope),
    )
    atomic: Rules = (
        *always,
        (f"{name} cannot have {orderings} ordering", lambda found, _: found.ordering not in REFUSED_ORDERINGS[lower]),
        (
            f"atomic {lower} operand must have integer, pointer, floating point, or vector type!",
            lambda found, _: _is_atomic_type(accessed(found).scalar_type),
            lambda found, _: (accessed(found), found),
        ),
        *_atomic_size(accessed),
    )
    return lambda found, body: first_broken(atomic if found.is_atomic else plain, found, body)


_load_problem = _access("Load", "loading", lambda load: load.type, "Release")
_store_problem = _access("Store", "storing", lambda store: store.value.type, "Acquire")

_ALLOCA: Rules = (
    ("Cannot allocate unsized type", lambda alloca, body: not body.verifier.is_unsized[alloca.allocated_type]),
    (
        "Alloca has illegal target extension type",
        lambda alloca, body: not body.verifier.is_not_for_stack[alloca.allocated_type],
    ),
    (
        "Alloca array size must have integer type",
        lambda alloca, _: isinstance(alloca.array_size.type, IntegerType),
    ),
    _ALIGNED,
    (
        "swifterror alloca must have pointer type",
        lambda alloca, _: not alloca.is_swift_error or is_pointer(alloca.allocated_type),
    ),
    (
        "swifterror alloca must not be array allocation",
        lambda alloca, _: not alloca.is_swift_error or splat_integer(alloca.array_size) == 1,
    ),
    (
        "alloca on amdgpu must be in addrspace(5)",
        lambda alloca, body: not _is_amdgpu(body) or alloca.type.address_space == _AMDGPU_STACK,
    ),
)


def _is_amdgpu(body: Body) -> bool:
    return body.verifier.module.target_triple.startswith(("amdgcn", "r600", "amdgpu"))


def _swift_alloca_problems(alloca: Alloca, _body: Body) -> tuple[str, ...]:
    return tuple(swift_error_problems(alloca)) if alloca.is_swift_error else ()


def _remaining_of_alloca(alloca: Alloca, _body: Body) -> Remaining:
    return ((_swift_alloca_problems,), False) if alloca.is_swift_error else NOTHING_REMAINS


_CMPXCHG: Rules = (
    (
        "cmpxchg operand must have integer or pointer type",
        lambda found, _: isinstance(found.compare.type, (IntegerType, PointerType)),
        lambda found, _: (found.compare.type, found),
    ),
    *_atomic_size(lambda found: found.compare.type),
)


def _with_value_type(found: AtomicRMW, _: object) -> tuple[object, ...]:
    return found, found.value.type


def _is_exchanged(found: AtomicRMW, _: object) -> bool:
    return found.operation is not AtomicRMWOperation.XCHG or _is_atomic_type(found.value.type)


def _is_computed(found: AtomicRMW, _: object) -> bool:
    type_ = found.value.type
    is_scalable = isinstance(type_, VectorType) and type_.is_scalable
    return not found.operation.is_floating_point or (is_floats(type_) and not is_scalable)


def _is_counted(found: AtomicRMW, _: object) -> bool:
    is_other = found.operation is AtomicRMWOperation.XCHG or found.operation.is_floating_point
    return is_other or isinstance(found.value.type, IntegerType)


_RMW: Rules = (
    (
        "atomicrmw instructions cannot be unordered.",
        lambda found, _: found.ordering is not AtomicOrdering.UNORDERED,
    ),
    ("atomicrmw {0.operation} operand must have integer or floating point type!", _is_exchanged, _with_value_type),
    (
        "atomicrmw {0.operation} operand must have floating-point or fixed vector of floating-point type!",
        _is_computed,
        _with_value_type,
    ),
    ("atomicrmw {0.operation} operand must have integer type!", _is_counted, _with_value_type),
    *_atomic_size(lambda found: found.value.type),
)
_FENCE: Rules = (
    (
        "fence instructions may only have acquire, release, acq_rel, or seq_cst ordering.",
        lambda fence, _: fence.ordering not in REFUSED_ORDERINGS["fence"],
    ),
)


def _element_type(source: Type, indices: Sequence[Value]) -> Type | None:
    """Return the type that indices lead to, None if they lead nowhere.  The first one counts in units of the whole."""
    current = source
    for index in indices[1:]:
        if isinstance(current, StructType):
            number = _field_number(index, current)
            if number is None:
                return None
            current = current.element_types[number]
        elif isinstance(current, (ArrayType, VectorType)):
            current = current.element_type
        else:
            return None
    return current


def _field_number(index: Value, struct: StructType) -> int | None:
    number = splat_integer(index) if is_integer(index.type.scalar_type, 32) else None
    return number if number is not None and number < len(struct.element_types) else None


def _has_width(found: GetElementPtr, operand: Value) -> bool:
    return not is_vector(operand.type) or element_count(operand.type) == element_count(found.type)


_GEP: Rules = (
    (
        "GEP base pointer is not a vector or a vector of pointers",
        lambda found, _: isinstance(found.pointer.type.scalar_type, PointerType),
    ),
    ("GEP into unsized type!", lambda found, body: not body.verifier.is_unsized[found.source_element_type]),
    (
        "getelementptr cannot target structure that contains scalable vectortype",
        lambda found, body: (
            not isinstance(found.source_element_type, StructType)
            or not body.verifier.is_scalable[found.source_element_type]
        ),
    ),
    ("GEP indexes must be integers", lambda found, _: all(is_integers(index.type) for index in found.indices)),
    (
        "Invalid indices for GEP pointer type!",
        lambda found, _: _element_type(found.source_element_type, found.indices) is not None,
    ),
    (
        "GEP is not of right type for indices!",
        lambda found, _: isinstance(found.type.scalar_type, PointerType),
        lambda found, _: (found, _element_type(found.source_element_type, found.indices)),
    ),
    (
        "Vector GEP result width doesn't match operand's",
        lambda found, _: not is_vector(found.type) or _has_width(found, found.pointer),
    ),
    (
        "Invalid GEP index vector width",
        lambda found, _: not is_vector(found.type) or all(_has_width(found, index) for index in found.indices),
    ),
    (
        "GEP address space doesn't match type",
        lambda found, _: found.pointer.type.scalar_type.address_space == found.type.scalar_type.address_space,
    ),
)

PROBLEMS: dict[type, tuple[Finder, ...]] = {
    Alloca: (partial(first_broken, _ALLOCA), _swift_alloca_problems),
    Load: (_load_problem,),
    Store: (_store_problem,),
    GetElementPtr: (partial(first_broken, _GEP),),
    AtomicCmpXchg: (partial(first_broken, _CMPXCHG),),
    AtomicRMW: (partial(first_broken, _RMW),),
    Fence: (partial(first_broken, _FENCE),),
}
_ACCESS = Shape(("alignment", "ordering", "sync_scope"))
SHAPES: dict[type, Shape] = {
    Alloca: Shape(("alignment", "allocated_type", "flags"), first_constant=0, remaining_rules=_remaining_of_alloca),
    Load: _ACCESS,
    Store: _ACCESS,
    GetElementPtr: Shape(("source_element_type",), first_constant=1),
}
