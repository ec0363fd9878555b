"""Detects the kind of a file by its first bytes."""

from __future__ import annotations

from enum import Enum

from bitcodec.containers.window import BytesLike, view_of

__all__ = ["HEAD_SIZE", "FileKind", "detect"]

HEAD_SIZE = 4096
"""So many bytes from the start of a file are enough to detect it."""


class FileKind(Enum):
    """The kinds of file that are a bitstream, or may hold one."""

    BITSTREAM = "bitstream"
    WRAPPER = "bitcode wrapper"
    ELF = "ELF object"
    MACHO = "Mach-O object"
    UNIVERSAL = "Mach-O universal file"
    COFF = "COFF object or PE image"
    WASM = "WebAssembly module"
    OFFLOAD = "offload binary"
    ARCHIVE = "archive"
    THIN_ARCHIVE = "thin archive"
    UNKNOWN = "file of unknown kind"

    @property
    def label(self) -> str:
        """Name of the kind in a message."""
        return self.value


_MAGICS: dict[bytes, FileKind] = {
    b"CPCH": FileKind.BITSTREAM,  # Clang AST: precompiled header or module
    b"DIAG": FileKind.BITSTREAM,  # serialized diagnostics
    b"RMRK": FileKind.BITSTREAM,  # optimization remarks
    b"CTXP": FileKind.BITSTREAM,  # contextual profile
    b"\xde\xc0\x17\x0b": FileKind.WRAPPER,
    b"\x7fELF": FileKind.ELF,
    b"\xfe\xed\xfa\xce": FileKind.MACHO,
    b"\xfe\xed\xfa\xcf": FileKind.MACHO,
    b"\xce\xfa\xed\xfe": FileKind.MACHO,
    b"\xcf\xfa\xed\xfe": FileKind.MACHO,
    b"\xca\xfe\xba\xbf": FileKind.UNIVERSAL,
    b"\0asm": FileKind.WASM,
    b"\x10\xff\x10\xad": FileKind.OFFLOAD,
    b"!<arch>\n": FileKind.ARCHIVE,
    b"!<thin>\n": FileKind.THIN_ARCHIVE,
}
"""Magic numbers of four bytes, and of eight."""

_FIRST_JAVA_CLASS_VERSION = 43
"""Java class files share the magic of universal files; where those count their slices (a few), Java has its version."""

_BIGOBJ_ID = bytes.fromhex("c7a1bad1eebaa94baf20faf66aa4dcb8")
"""Class id of a COFF object with more than 65,279 sections (`/bigobj`); import stubs have the same first bytes."""

_COFF_MACHINES = {0x014C, 0x01C4, 0x8664, 0xA641, 0xA64E, 0xAA64}
"""i386, ARM Thumb, x86-64, ARM64EC, ARM64X, ARM64.  A COFF object has no magic but its machine number."""

_COFF_HEADER_SIZE = 20


def detect(data: BytesLike) -> FileKind:
    """Return the kind of file that `data` begins, by its magic alone: the rest may still be malformed."""
    head = bytes(view_of(data)[:HEAD_SIZE])
    kind = _MAGICS.get(head[:4]) or _MAGICS.get(head[:8])
    if kind:
        return kind
    # LLVM's readers and bcanalyzer take `BC` for a bitstream, whatever application id follows.
    if head.startswith(b"BC") and len(head) >= len(b"BC\xc0\xde"):
        return FileKind.BITSTREAM
    if _is_universal(head):
        return FileKind.UNIVERSAL
    return FileKind.COFF if _is_coff(head) or _is_pe(head) else FileKind.UNKNOWN


def _is_universal(head: bytes) -> bool:
    return head.startswith(b"\xca\xfe\xba\xbe") and int.from_bytes(head[4:8], "big") < _FIRST_JAVA_CLASS_VERSION


def _is_coff(head: bytes) -> bool:
    if head.startswith(b"\0\0\xff\xff"):
        return head[12:28] == _BIGOBJ_ID
    return len(head) >= _COFF_HEADER_SIZE and int.from_bytes(head[:2], "little") in _COFF_MACHINES


def _is_pe(head: bytes) -> bool:
    if not head.startswith(b"MZ"):
        return False
    start = int.from_bytes(head[0x3C:0x40], "little")
    return head[start : start + 4] == b"PE\0\0"
