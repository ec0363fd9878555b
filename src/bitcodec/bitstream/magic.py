"""The first four bytes of a stream, and whose stream they announce."""

from __future__ import annotations

from enum import Enum

__all__ = ["MAGIC_SIZE", "StreamKind"]

MAGIC_SIZE = 4
"""Bytes before the first block."""


class StreamKind(Enum):
    """An application that writes bitstreams; the value is its name in `llvm-bcanalyzer`."""

    LLVM_IR = "LLVM IR"
    CLANG_AST = "Clang Serialized AST"
    CLANG_DIAGNOSTICS = "Clang Serialized Diagnostics"
    LLVM_REMARKS = "LLVM Remarks"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, magic: bytes) -> StreamKind:
        """Return the kind of a stream that begins with the four bytes `magic`."""
        return _BY_MAGIC.get(bytes(magic), cls.UNKNOWN)


_BY_MAGIC = {
    b"BC\xc0\xde": StreamKind.LLVM_IR,
    b"CPCH": StreamKind.CLANG_AST,
    b"DIAG": StreamKind.CLANG_DIAGNOSTICS,
    b"RMRK": StreamKind.LLVM_REMARKS,
}
