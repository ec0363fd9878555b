"""Old intrinsics of x86.  Rules: auto-upgrade reference, section 10.5.

Each family has a table of rows.  An intrinsic whose name stands in none, or whose declaration looks otherwise, stays.
"""

from __future__ import annotations

from bitcodec.bitcode.upgrade.intrinsics.x86 import (
    arithmetic,
    bitwise,
    compare,
    convert,
    fma,
    mask_registers,
    memory,
    redeclared,
    shift,
    shuffle,
    unmasked,
    xop,
)
from bitcodec.bitcode.upgrade.intrinsics.x86.rows import Table

__all__ = ["TABLE"]

_FAMILIES = (
    arithmetic,
    bitwise,
    compare,
    convert,
    fma,
    mask_registers,
    memory,
    redeclared,
    shift,
    shuffle,
    unmasked,
    xop,
)

TABLE = Table({name: rows for family in _FAMILIES for name, rows in family.ROWS.items()})
