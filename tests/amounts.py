"""How much a test does: by default enough to find a mistake soon; with `BITCODEC_WHOLE=1`, as in CI, everything."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from bitcodec.bitstream import COMPILED

T = TypeVar("T")
WHOLE = bool(os.environ.get("BITCODEC_WHOLE"))
"""Whether everything is done."""


def amount(usual: int, whole: int) -> int:
    """Return how often a loop runs, or how large an input is: a third of the usual where nothing is compiled."""
    if WHOLE:
        return whole
    return usual if COMPILED else max(usual // 3, 1)


def some(rows: Sequence[T], usual: int) -> Sequence[T]:
    """Return all rows or, by default, this many of them from the first to the last."""
    number = amount(usual, len(rows))
    if number >= len(rows):
        return rows
    return [rows[index * len(rows) // number] for index in range(number)]
