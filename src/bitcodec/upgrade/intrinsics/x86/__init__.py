"""Old intrinsics of x86.  Rules: docs/reference/upgrades.md, 10.5.

Each family has a table of rows.  An intrinsic whose name is in none, or whose declaration looks otherwise, stays.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from bitcodec.upgrade.intrinsics.x86.rows import X86Table

if TYPE_CHECKING:
    from bitcodec.upgrade.intrinsics.x86.rows import Rows

__all__ = ["TABLE"]

_FAMILIES = (
    "arithmetic",
    "bitwise",
    "compare",
    "convert",
    "fma",
    "mask_registers",
    "memory",
    "redeclared",
    "shift",
    "shuffle",
    "unmasked",
    "xop",
)


@cache
def _rows() -> Rows:
    """Return all rows; the families are imported for the first x86 intrinsic that a module declares."""
    families = (import_module(f"{__name__}.{family}") for family in _FAMILIES)
    return {name: rows for family in families for name, rows in family.ROWS.items()}


TABLE = X86Table(_rows)
