"""Rules of calls of `llvm.experimental.constrained` intrinsics: the metadata arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.metadata import MDString
from bitcodec.ir.metadata_values import MetadataAsValue

if TYPE_CHECKING:
    from bitcodec.ir.instructions import CallBase

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


def constrained_problem(call: CallBase, operation: str) -> str | None:
    """Return the problem of a call.

    Args:
        call: the call.
        operation: the name of the intrinsic after its prefix, without types.
    """
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
