"""Constants as assembly text has them: `i32 7`, `ptr @table`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm import Printer
from bitcodec.asm.names import global_name
from bitcodec.ir.globals import GlobalValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.constants import Constant
    from bitcodec.ir.module import Module

__all__ = ["speller"]


def speller(module: Module) -> Callable[[Constant], str]:
    """Return a function that spells the constants of a module, each with its type."""
    text_of = Printer(module).text_of
    return lambda value: f"ptr {global_name(value.name)}" if isinstance(value, GlobalValue) else text_of(value)
