"""Debug records: `#dbg_value(...)` and the other kinds.  Rules: assembly text reference, sections 10 and 17.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.debug_records import DebugRecord

__all__ = ["parse_debug_record"]


def parse_debug_record(state: ModuleState) -> DebugRecord:
    """Return a debug record, whose `#` is the current token.

    Raises:
        AssemblyError: it is malformed.
    """
    state.lexer.refuse("expected debug record type here")
