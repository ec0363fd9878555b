"""A symbol, and the letter by which `nm` gives its kind."""

from __future__ import annotations

from enum import IntFlag, auto
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.ir.globals import GlobalValue

__all__ = ["Symbol", "SymbolFlags"]


class SymbolFlags(IntFlag):
    """Properties of a symbol."""

    UNDEFINED = auto()
    GLOBAL = auto()
    WEAK = auto()
    COMMON = auto()
    FORMAT_SPECIFIC = auto()
    HIDDEN = auto()
    CONST = auto()
    EXECUTABLE = auto()
    INDIRECT = auto()


_LETTERS = (
    (SymbolFlags.UNDEFINED | SymbolFlags.WEAK, "w"),
    (SymbolFlags.UNDEFINED, "U"),
    (SymbolFlags.WEAK, "W"),
    (SymbolFlags.COMMON, "C"),
)
"""Letters that do not indicate whether a symbol is global; the first row counts whose flags are all there."""


class Symbol(NamedTuple):
    """A symbol.

    Attributes:
        name: as the object file has it.
        flags: its properties.
        is_darwin: whether it is for one of Apple's systems, where constants have a special letter.
        value: the global; None if module-level assembly defines or uses it.
    """

    name: str
    flags: SymbolFlags
    is_darwin: bool = False
    value: GlobalValue | None = None

    @property
    def letter(self) -> str:
        """The letter of its kind in `llvm-nm`; lower case if other modules cannot see the symbol."""
        for flags, letter in _LETTERS:
            if self.flags & flags == flags:
                return letter
        if self.flags & SymbolFlags.EXECUTABLE:
            letter = "t"
        else:
            letter = "s" if self.is_darwin and self.flags & SymbolFlags.CONST else "d"
        return letter.upper() if self.is_global else letter

    @property
    def is_defined(self) -> bool:
        """Whether it is here."""
        return not self.flags & SymbolFlags.UNDEFINED

    @property
    def is_global(self) -> bool:
        """Whether other modules can see it."""
        return bool(self.flags & SymbolFlags.GLOBAL)

    @property
    def is_weak(self) -> bool:
        """Whether another of its name may take its place, or none need be there."""
        return bool(self.flags & SymbolFlags.WEAK)

    @property
    def is_alias(self) -> bool:
        """Whether it is another name for a value."""
        return bool(self.flags & SymbolFlags.INDIRECT)

    @property
    def is_constant(self) -> bool:
        """Whether it is data that does not change."""
        return bool(self.flags & SymbolFlags.CONST)

    @property
    def is_executable(self) -> bool:
        """Whether it is code."""
        return bool(self.flags & SymbolFlags.EXECUTABLE)

    @property
    def is_hidden(self) -> bool:
        """Whether only the modules that it is linked with can see it."""
        return bool(self.flags & SymbolFlags.HIDDEN)
