"""The wrapper: a header that gives the position of the bitstream in a file.

Rules: LLVM Bitcode File Format, "Bitcode Wrapper Format".
"""

from __future__ import annotations

import struct
from typing import ClassVar

from bitcodec.errors import BitstreamError, EncodingError
from bitcodec.frozen import Frozen
from bitcodec.reasons import Reason

__all__ = ["WRAPPER_MAGIC", "WRAPPER_SIZE", "Wrapper", "rewrapped", "wrapped"]

WRAPPER_MAGIC = 0x0B17C0DE
WRAPPER_SIZE = 20
"""Bytes of the header."""
_FILE_ALIGNMENT = 16
"""Bytes; Apple's tools pad a wrapped file to a multiple of this."""

_HEADER = struct.Struct("<5I")


class Wrapper(Frozen):
    """The header's fields; `offset` and `size` are in bytes from the start of the file.

    Attributes:
        size: size of the bitstream.
        offset: its start.
        cpu_type: as Mach-O numbers them, `UNKNOWN_CPU` if it does not matter.
        version: always 0 so far.
    """

    __slots__ = __match_args__ = ("size", "offset", "cpu_type", "version")

    UNKNOWN_CPU: ClassVar[int] = 0xFFFF_FFFF

    size: int
    offset: int
    cpu_type: int
    version: int

    def __init__(self, size: int, offset: int = WRAPPER_SIZE, cpu_type: int = UNKNOWN_CPU, version: int = 0) -> None:
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "offset", offset)
        object.__setattr__(self, "cpu_type", cpu_type)
        object.__setattr__(self, "version", version)

    @classmethod
    def parse(cls, data: memoryview) -> Wrapper | None:
        """Return the header that `data` begins with, None if it begins with something else.

        Raises:
            BitstreamError: the header is cut off, or the bitstream it points to does not lie between it and the end.
        """
        if data[:4] != _HEADER.pack(WRAPPER_MAGIC, 0, 0, 0, 0)[:4]:
            return None
        if len(data) < WRAPPER_SIZE:
            raise BitstreamError(Reason.CUT_WRAPPER(size=len(data), needed=WRAPPER_SIZE), 0)
        _, version, offset, size, cpu_type = _HEADER.unpack_from(data)
        if offset < WRAPPER_SIZE:
            raise BitstreamError(Reason.WRAPPER_OFFSET(offset=offset), 0)
        if offset + size > len(data):
            raise BitstreamError(
                Reason.WRAPPER_SIZE(offset=offset, end=offset + size, size=len(data)),
                0,
            )
        return cls(size, offset, cpu_type, version)

    def encode(self) -> bytes:
        """Return the header's 20 bytes.

        Raises:
            EncodingError: a field does not fit into 32 bits.
        """
        try:
            return _HEADER.pack(WRAPPER_MAGIC, self.version, self.offset, self.size, self.cpu_type)
        except struct.error as error:
            raise EncodingError(f"a field of a wrapper has 32 bits: {self}") from error

    def __str__(self) -> str:
        """Return the header in the format of `llvm-bcanalyzer --dump`."""
        fields = {
            "Magic": WRAPPER_MAGIC,
            "Version": self.version,
            "Offset": self.offset,
            "Size": self.size,
            "CPUType": self.cpu_type,
        }
        return f"<BITCODE_WRAPPER_HEADER {' '.join(f'{name}=0x{value:08x}' for name, value in fields.items())}/>"


def wrapped(payload: bytes, cpu_type: int = Wrapper.UNKNOWN_CPU, version: int = 0) -> bytes:
    """Return a stream in a new wrapper, padded to whole 16 bytes as Apple's tools pad it."""
    data = Wrapper(len(payload), cpu_type=cpu_type, version=version).encode() + payload
    return data + bytes(-len(data) % _FILE_ALIGNMENT)


def rewrapped(payload: bytes, wrapper: Wrapper | None, data: memoryview) -> bytes:
    """Return a payload in a wrapper like the file's, if it had one.

    Args:
        payload: the stream.
        wrapper: the wrapper of the file, None without one.
        data: the file.
    """
    if wrapper is None:
        return payload
    header = Wrapper(len(payload), wrapper.offset, wrapper.cpu_type, wrapper.version).encode()
    rest = bytes(data[wrapper.offset + wrapper.size :])
    if len(rest) < _FILE_ALIGNMENT and not any(rest) and len(data) % _FILE_ALIGNMENT == 0:
        rest = bytes(-(wrapper.offset + len(payload)) % _FILE_ALIGNMENT)
    return header + bytes(data[len(header) : wrapper.offset]) + payload + rest
