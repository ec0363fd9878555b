"""Entries: a PC, its function or instruction, and the accompanying data."""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple

__all__ = ["AuxValue", "Entry", "ProgramCounter", "Value"]

Value = int | float | str
"""An integer, signed except for one of one bit; a float; `"symbol+8"`, or bytes as hexadecimal digits."""


class ProgramCounter(NamedTuple):
    """A place in the code.

    Attributes:
        symbol: the function that it is in, None if that is not known.
        offset: bytes from the start of the function; of a section, in an object whose function is unknown.
        address: where it is in the running program, None if that is not known, as in a relocatable object.
        section: name of that section, in an object whose function is unknown.
    """

    symbol: str | None
    offset: int | None
    address: int | None
    section: str | None = None

    def __str__(self) -> str:
        if self.symbol is None:
            offset = hex((self.offset or 0) if self.address is None else self.address)
            return f"{self.section}+{offset}" if self.section else offset
        return f"{self.symbol}+{self.offset:#x}" if self.offset else self.symbol


class AuxValue(NamedTuple):
    """A constant that accompanies a PC.

    Attributes:
        type: as assembly text spells it; None if unknown, and all bytes are one value.
        value: a number; `"symbol+8"` for an address that the linker or the loader has yet to fill in;
            hexadecimal digits for aggregates, and for bytes of unknown type.
        name: its name, "" if absent.
    """

    type: str | None
    value: Value
    name: str = ""


class Entry(NamedTuple):
    """A PC in a section.

    Attributes:
        section: the name of the section.
        place: where its field is, in bytes from the start of the section.
        pc: the PC.
        size: of the function in bytes, None if it is not an entry of a function, or if that is unknown.
        aux: the constants; in a run of PCs that share them the last PC has them.
        file, line: of the source, None if debug info does not specify it.
    """

    section: str
    place: int
    pc: ProgramCounter
    size: int | None = None
    aux: tuple[AuxValue, ...] = ()
    file: str | None = None
    line: int | None = None
