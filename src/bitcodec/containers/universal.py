"""Slices of Mach-O universal ("fat") files: one per processor, each an object, an archive or a bitstream."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from bitcodec.containers.parts import Part
from bitcodec.containers.window import cut, rows, unpack

__all__ = ["universal_slices"]

_HEADER = Struct(">2I")  # magic, count
_SLICES = {0xCAFEBABE: Struct(">2I2I4x"), 0xCAFEBABF: Struct(">2I2Q8x")}
"""By magic: processor, its variant, offset, size; the alignment that follows is skipped."""

_VARIANT_MASK = 0x00FF_FFFF
"""The top byte of a variant holds flags, such as pointer authentication's version."""

_PROCESSORS = {
    0x0000_0007: "i386",
    0x0100_0007: "x86_64",
    0x0000_000C: "arm",
    0x0100_000C: "arm64",
    0x0200_000C: "arm64_32",
    0x0000_0012: "ppc",
    0x0100_0012: "ppc64",
}

_VARIANTS = {
    (0x0100_0007, 8): "x86_64h",
    (0x0000_000C, 6): "armv6",
    (0x0000_000C, 9): "armv7",
    (0x0000_000C, 11): "armv7s",
    (0x0000_000C, 12): "armv7k",
    (0x0100_000C, 2): "arm64e",
}


def universal_slices(data: memoryview) -> Iterator[Part]:
    """Yield the slices of a universal file, named for their processors."""
    magic, count = unpack(_HEADER, data, 0, "universal header")
    for processor, variant, offset, size in rows(_SLICES[magic], data, _HEADER.size, count, "universal slice table"):
        name = _processor_name(processor, variant & _VARIANT_MASK)
        cut(data, offset, size, f"slice {name}")
        yield Part(name, offset, size)


def _processor_name(processor: int, variant: int) -> str:
    known = _VARIANTS.get((processor, variant)) or _PROCESSORS.get(processor)
    return known or f"cpu-{processor:#x}"
