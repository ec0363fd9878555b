"""Categories of things that are compared."""

from __future__ import annotations

from enum import Enum

__all__ = ["Category"]


class Category(Enum):
    """Kinds of parts of a module; the value is the name of one of them."""

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
