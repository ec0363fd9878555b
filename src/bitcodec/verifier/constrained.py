"""Rules of calls of `llvm.experimental.constrained` intrinsics: the metadata arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.metadata import MDString
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.type_properties import is_same_shape, is_vector, scalar_width
from bitcodec.verifier.rules import first_broken

if TYPE_CHECKING:
    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.types import Type
    from bitcodec.verifier.rules import Rules

__all__ = ["ROUNDINGS", "constrained_problem", "text_of"]

_PREDICATES = frozenset(
    {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une"}
)
_EXCEPTIONS = frozenset({"fpexcept.ignore", "fpexcept.maytrap", "fpexcept.strict"})
ROUNDINGS = frozenset(
    {
        "round.dynamic",
        "round.tonearest",
        "round.tonearestaway",
        "round.downward",
        "round.upward",
        "round.towardzero",
    }
)
_COMPARES = ("fcmp", "fcmps")


def _source(call: CallBase) -> Type:
    return call.operand_at(0).type


_SCALARS: Rules = (
    (
        "Intrinsic does not support vectors",
        lambda call: not is_vector(_source(call)) and not is_vector(call.type),
    ),
)
_SAME_SHAPE: Rules = (
    (
        "Intrinsic first argument and result disagree on vector use",
        lambda call: is_vector(_source(call)) is is_vector(call.type),
    ),
    (
        "Intrinsic first argument and result vector lengths must be equal",
        lambda call: is_same_shape(_source(call), call.type),
    ),
)
_TYPE_RULES: dict[str, Rules] = {
    **dict.fromkeys(("lrint", "llrint", "lround", "llround"), _SCALARS),
    **dict.fromkeys(("fptosi", "fptoui", "sitofp", "uitofp"), _SAME_SHAPE),
    "fptrunc": (
        *_SAME_SHAPE,
        (
            "Intrinsic first argument's type must be larger than result type",
            lambda call: scalar_width(_source(call)) > scalar_width(call.type),
        ),
    ),
    "fpext": (
        *_SAME_SHAPE,
        (
            "Intrinsic first argument's type must be smaller than result type",
            lambda call: scalar_width(_source(call)) < scalar_width(call.type),
        ),
    ),
}
"""By operation."""


def constrained_problem(call: CallBase, operation: str) -> str | None:
    """Return the problem of a call.

    Args:
        call: the call.
        operation: the name of the intrinsic after its prefix, without types.
    """
    problem = first_broken(_TYPE_RULES.get(operation, ()), call)
    if problem is not None:
        return problem
    texts = [text_of(argument) for argument in call.arguments if isinstance(argument, MetadataAsValue)]
    if not texts:
        return None
    if operation in _COMPARES:
        if texts[0] not in _PREDICATES:
            return "invalid predicate for constrained FP comparison intrinsic"
    elif len(texts) > 1 and texts[0] not in ROUNDINGS:
        return "invalid rounding mode argument"
    return None if texts[-1] in _EXCEPTIONS else "invalid exception behavior argument"


def text_of(argument: MetadataAsValue) -> str | None:
    """Return the string that an argument is, None if it is other metadata."""
    metadata = argument.metadata
    return metadata.text if isinstance(metadata, MDString) else None
