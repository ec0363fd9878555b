"""Rules of calls of intrinsics for vectors: parts of vectors, splices, and vector predication."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.attribute_values import NoFPClass, VScaleRange
from bitcodec.ir.constants import signed_of, unsigned_of
from bitcodec.ir.metadata import MDString
from bitcodec.ir.type_properties import is_floats, is_integer, is_integers, is_pointers, is_same_shape, scalar_width
from bitcodec.ir.types import IntegerType, VectorType
from bitcodec.tables.opcodes import FCmpPredicate, ICmpPredicate
from bitcodec.verifier.rules import without_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.types import Type
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rule, Rules

__all__ = ["VECTOR_RULES"]

_MIN_STEP_WIDTH = 8


def _type(call: CallBase, index: int) -> Any:
    return call.arguments[index].type


def _index(call: CallBase, index: int) -> int:
    return unsigned_of(call.arguments[index])


# Parts of vectors


def _is_inside(whole: VectorType, part: VectorType, start: int) -> bool:
    """Return whether a part lies inside a vector; unknown for a fixed and a scalable one."""
    return whole.is_scalable is not part.is_scalable or start + part.count <= whole.count


_INSERT: Rules = (
    (
        "vector_insert parameters must have the same element type.",
        lambda call, _: _type(call, 0).scalar_type is _type(call, 1).scalar_type,
    ),
    (
        "vector_insert index must be a constant multiple of the subvector's known minimum vector length.",
        lambda call, _: _index(call, 2) % _type(call, 1).count == 0,
        without_values,
    ),
    (
        "subvector operand of vector_insert would overrun the vector being inserted into.",
        lambda call, _: _is_inside(_type(call, 0), _type(call, 1), _index(call, 2)),
        without_values,
    ),
)
_EXTRACT: Rules = (
    (
        "vector_extract result must have the same element type as the input vector.",
        lambda call, _: call.type.scalar_type is _type(call, 0).scalar_type,
    ),
    (
        "vector_extract index must be a constant multiple of the result type's known minimum vector length.",
        lambda call, _: _index(call, 1) % call.type.count == 0,
        without_values,
    ),
    (
        "vector_extract would overrun.",
        lambda call, _: _is_inside(_type(call, 0), call.type, _index(call, 1)),
        without_values,
    ),
)
_STEPS: Rules = (
    (
        "stepvector only supported for vectors of integers with a bitwidth of at least 8.",
        lambda call, _: isinstance(call.type, VectorType) and _is_step(call.type.scalar_type),
    ),
)


def _is_step(type_: Type) -> bool:
    return isinstance(type_, IntegerType) and type_.bit_width >= _MIN_STEP_WIDTH


# Splices


def _known_elements(call: CallBase, body: Body) -> int:
    """Return the minimum number of elements of a vector, given the range of `vscale` of its function."""
    vector: Any = call.type
    count: int = vector.count
    if vector.is_scalable:
        known = body.function.attributes.for_function.integer("vscale_range")
        if known is not None:
            count *= VScaleRange(known).minimum
    return count


def _splice(limits: str, is_in_range: Callable[[int, int], bool]) -> Rules:
    """Return the rule of the index of a splice, the third argument."""
    message = (
        f"The splice index exceeds the range {limits} where VL is the known minimum number of elements in the vector. "
        "For scalable vectors the minimum number of elements is determined from vscale_range."
    )
    return ((message, lambda call, body: is_in_range(signed_of(call.arguments[2]), _known_elements(call, body))),)


# Vector predication


def _predicate(valid: frozenset[str], kind: str) -> Rules:
    def is_valid(call: CallBase, _: object) -> bool:
        metadata = getattr(call.arguments[2], "metadata", None)
        return isinstance(metadata, MDString) and metadata.text in valid

    return ((f"invalid predicate for VP {kind} comparison intrinsic", is_valid),)


def _cast(
    names: str,
    kinds: str,
    is_source: Callable[[Type], bool],
    is_result: Callable[[Type], bool],
    size: str = "",
) -> Rules:
    """Return the rules of casts.

    Args:
        names: names of the intrinsics, and the word that follows, as in LLVM's message.
        kinds: the required kind of elements, as in the message.
        is_source, is_result: whether a type is of the kind.
        size: `smaller` or `larger`: the required relation of the argument's elements to the result's, if there is one.
    """
    rules: list[Rule] = [
        (
            "VP cast intrinsic first argument and result vector lengths must be equal",
            lambda call, _: is_same_shape(_type(call, 0), call.type),
        ),
        (f"{names} {kinds}", lambda call, _: is_source(_type(call, 0)) and is_result(call.type)),
    ]
    if size:
        sign = -1 if size == "larger" else 1
        rules.append(
            (
                f"{names} the bit size of first argument must be {size} than the bit size of the return type",
                lambda call, _: sign * scalar_width(_type(call, 0)) < sign * scalar_width(call.type),
            )
        )
    return tuple(rules)


_BOTH = "first argument and result element type must be {}"
_EACH = "first argument element type must be {} and result element type must be {}"
_INTEGER, _FLOAT, _POINTER = "integer", "floating-point", "pointer"
_EXTEND = _cast(
    "llvm.vp.zext or llvm.vp.sext intrinsic", _BOTH.format(_INTEGER), is_integers, is_integers, size="smaller"
)
# LLVM's message lacks a space.
_TO_INTEGER = _cast(
    "llvm.vp.fptoui, llvm.vp.fptosi, llvm.vp.lrint or llvm.vp.llrintintrinsic",
    _EACH.format(_FLOAT, _INTEGER),
    is_floats,
    is_integers,
)
_FROM_INTEGER = _cast(
    "llvm.vp.uitofp or llvm.vp.sitofp intrinsic", _EACH.format(_INTEGER, _FLOAT), is_integers, is_floats
)

_FLOATING = frozenset(each.spelling for each in FCmpPredicate) - {"true", "false"}
_INTEGRAL = frozenset(each.spelling for each in ICmpPredicate)

_ACTIVE: Rules = (
    (
        "get_active_lane_mask: element type is not i1",
        lambda call, _: is_integer(call.type.scalar_type, 1),
    ),
)
_LENGTH: Rules = (
    (
        "get_vector_length: VF must be positive",
        lambda call, _: signed_of(call.operand_at(1)) > 0,
    ),
)
_MATCHED: Rules = (
    ("Second operand must be a fixed length vector.", lambda call, _: not _type(call, 1).is_scalable),
    (
        "First operand must be a vector of integers.",
        lambda call, _: isinstance(_type(call, 0).element_type, IntegerType),
    ),
    (
        "First two operands must have the same element type.",
        lambda call, _: _type(call, 0).element_type is _type(call, 1).element_type,
    ),
)


def _is_multiple(call: CallBase, _: object) -> bool:
    total, added = _type(call, 0), _type(call, 1)
    if not isinstance(total, VectorType) or not isinstance(added, VectorType):
        return True
    return added.count % total.count == 0


_PARTIAL: Rules = (
    (
        (
            "Invalid vector widths for partial reduction. The width of the input vector must be a positive integer "
            "multiple of the width of the accumulator vector."
        ),
        _is_multiple,
        without_values,
    ),
)

VECTOR_RULES: dict[str, Rules] = {
    "get.active.lane.mask": _ACTIVE,
    "experimental.get.vector.length": _LENGTH,
    "experimental.vector.match": _MATCHED,
    "vector.partial.reduce.add": _PARTIAL,
    "vector.partial.reduce.fadd": _PARTIAL,
    "vector.insert": _INSERT,
    "vector.extract": _EXTRACT,
    "stepvector": _STEPS,
    "vector.splice.left": _splice("[0, VL-1]", lambda index, count: 0 <= index < count),
    "vector.splice.right": _splice("[0, VL]", lambda index, count: 0 <= index <= count),
    "experimental.vp.splice": _splice("[-VL, VL-1]", lambda index, count: -count <= index < count),
    "vp.trunc": _cast("llvm.vp.trunc intrinsic", _BOTH.format(_INTEGER), is_integers, is_integers, size="larger"),
    "vp.zext": _EXTEND,
    "vp.sext": _EXTEND,
    "vp.fptrunc": _cast("llvm.vp.fptrunc intrinsic", _BOTH.format(_FLOAT), is_floats, is_floats, size="larger"),
    "vp.fpext": _cast("llvm.vp.fpext intrinsic", _BOTH.format(_FLOAT), is_floats, is_floats, size="smaller"),
    "vp.fptoui": _TO_INTEGER,
    "vp.fptosi": _TO_INTEGER,
    "vp.uitofp": _FROM_INTEGER,
    "vp.sitofp": _FROM_INTEGER,
    "vp.ptrtoint": _cast("llvm.vp.ptrtoint intrinsic", _EACH.format(_POINTER, _INTEGER), is_pointers, is_integers),
    "vp.inttoptr": _cast("llvm.vp.inttoptr intrinsic", _EACH.format(_INTEGER, _POINTER), is_integers, is_pointers),
    "vp.fcmp": _predicate(_FLOATING, "FP"),
    "vp.icmp": _predicate(_INTEGRAL, "integer"),
    "vp.is.fpclass": (
        (
            "unsupported bits for llvm.vp.is.fpclass test mask",
            lambda call, _: not _index(call, 1) & ~NoFPClass.ALL,
            without_values,
        ),
    ),
}
"""By name, without `llvm.` and suffixes for types."""
