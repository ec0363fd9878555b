"""Module flags that producers write today, or wrote once: their meaning, and the option that sets them.

One row for each key.  Rules: docs/reference/flags.md, 7 and 9; output of clang 22 and rustc; the proposal of
2012 and the language reference for Objective-C and the widths of C's types.
"""

from __future__ import annotations

from bitcodec.tables.known_flags import code, languages, optimization, protection, targets
from bitcodec.tables.known_flags.rows import FlagMeaning, KnownFlag

__all__ = ["KNOWN_FLAGS", "NEWEST_LLVM", "FlagMeaning", "KnownFlag"]

NEWEST_LLVM = 24
"""The table has every flag that clang writes, up to this version; newer ones may write others."""

KNOWN_FLAGS: dict[str, KnownFlag] = {
    row.key: row for family in (languages, code, protection, optimization, targets) for row in family.ROWS
}
