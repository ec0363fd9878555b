"""Operands of old nodes: pairs of a type and a value."""

from __future__ import annotations

from bitcodec.bitcode.malformed import Malformed
from bitcodec.reasons import Reason

__all__ = ["check_pairs", "typed_pairs"]


def check_pairs(operands: list[int]) -> None:
    """Refuse operands that are not pairs.

    Raises:
        Malformed: their number is odd.
    """
    if len(operands) % 2:
        raise Malformed(Reason.VALUE_WITHOUT_TYPE())


def typed_pairs(operands: list[int]) -> list[tuple[int, int]]:
    """Return the ids of types and values.

    Raises:
        Malformed: the number of operands is odd.
    """
    check_pairs(operands)
    return list(zip(operands[::2], operands[1::2], strict=True))
