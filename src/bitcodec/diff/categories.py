"""Categories of things that are compared."""

from __future__ import annotations

from enum import Enum

__all__ = ["Category"]


class Category(Enum):
    """Kinds of what a module consists of; the value is what to call one of them."""

    SOURCE_FILE = "source file name"
    DATA_LAYOUT = "data layout"
    TARGET_TRIPLE = "target triple"
    ASSEMBLY = "module assembly"
    TYPE = "type"
    COMDAT = "comdat"
    NAMED_METADATA = "named metadata"
    VARIABLE = "variable"
    FUNCTION = "function"
    ALIAS = "alias"
    IFUNC = "ifunc"
    DEBUG_INFO = "debug information"

    def __str__(self) -> str:
        return self.value
