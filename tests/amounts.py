"""How much a test does: by default enough to find a mistake soon; with `BITCODEC_WHOLE=1` everything.

With a date, `BITCODEC_WHOLE=2026-11-28` as in CI, the tests of some files do everything: on each day others.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from bitcodec.bitstream import COMPILED

__all__ = ["DAYS", "amount", "is_whole", "some"]

T = TypeVar("T")
DAYS = 7
"""Days in which each file has done everything once."""
FOLDER = Path(__file__).parent


def is_whole(file: str) -> bool:
    """Return whether the tests of this file do everything."""
    chosen = os.environ.get("BITCODEC_WHOLE", "")
    if chosen in ("", "1"):
        return bool(chosen)
    place = Path(file).relative_to(FOLDER).as_posix()
    return zlib.crc32(place.encode()) % DAYS == dt.date.fromisoformat(chosen).toordinal() % DAYS


def amount(usual: int, whole: int) -> int:
    """Return how often a loop of the calling file runs, or how large an input is.

    It is a third of the usual where nothing is compiled.
    """
    return _amount(usual, whole, sys._getframe(1).f_code.co_filename)


def some(rows: Sequence[T], usual: int, *, file: str = "") -> Sequence[T]:
    """Return all rows or, by default, this many of them from the first to the last, for tests of the calling file."""
    number = _amount(usual, len(rows), file or sys._getframe(1).f_code.co_filename)
    if number >= len(rows):
        return rows
    return [rows[index * len(rows) // number] for index in range(number)]


def _amount(usual: int, whole: int, file: str) -> int:
    if is_whole(file):
        return whole
    return usual if COMPILED else max(usual // 3, 1)
