"""Finds sections of an object file with a bitstream, and describes other contents of sections that could have one."""

from __future__ import annotations

from struct import Struct

from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.parts import Part
from bitcodec.containers.window import cut, unpack
from bitcodec.errors import ContainerError

__all__ = ["BITSTREAM_SECTIONS", "NAME_LIMIT", "hollow", "section"]

_EMBEDDED_BITCODE = frozenset({b".llvmbc", b"__LLVM,__bitcode"})
"""`-fembed-bitcode`, and Rust."""

_REMARKS = frozenset({b".remarks", b"__remarks", b"__LLVM,__remarks"})
"""`-fsave-optimization-record`."""

BITSTREAM_SECTIONS = (
    _EMBEDDED_BITCODE
    | _REMARKS
    | {
        b".llvm.lto",  # -ffat-lto-objects
        b".llvm.offloading",  # offload binaries: OpenMP, CUDA, HIP, SYCL
        b"__clangast",  # precompiled headers and modules in an object file
        b"clangast",  # the same in COFF, where eight letters are cheaper
        b"__CLANG,__clangast",
        b"__LLVM,__bundle",
    }
)
"""The names looked for; Mach-O names are segment and section."""

NAME_LIMIT = max(map(len, BITSTREAM_SECTIONS)) + 1
"""Bytes of a section's name to read: one more than any name looked for."""

_XAR_MAGIC = b"xar!"

_REMARKS_MAGIC = b"REMARKS\0"
_REMARKS_HEADER = Struct("<8sQQ")  # magic, version, size of the string table that follows


def section(data: memoryview, name: bytes, start: int, size: int) -> Part:
    """Return one of BITSTREAM_SECTIONS as a part of the object `data`.

    Raises:
        ContainerError: the section does not lie within the object.
    """
    title = name.decode("ascii")
    content = cut(data, start, size, f"section {title}")
    if name in _REMARKS and content[: len(_REMARKS_MAGIC)] == _REMARKS_MAGIC:
        skipped = _remarks_header_size(content, title)
        start, size, content = start + skipped, size - skipped, content[skipped:]
    if detect(content) is FileKind.UNKNOWN:
        return hollow(name, _why_hollow(name, content))
    return Part(title, start, size)


def hollow(name: bytes, reason: str) -> Part:
    """Return one of BITSTREAM_SECTIONS that holds nothing of use; `reason` continues "section NAME ..."."""
    return Part(name.decode("ascii"), 0, 0, reason)


def _remarks_header_size(content: memoryview, title: str) -> int:
    """Return the size in bytes of the header that LLVM 8 and 9 put before remarks, with its strings."""
    _, _, strings_size = unpack(_REMARKS_HEADER, content, 0, f"header of section {title}")
    size: int = _REMARKS_HEADER.size + strings_size
    if size > len(content):
        raise ContainerError(f"section {title} has {len(content)} bytes, but its header and strings need {size}")
    return size


def _why_hollow(name: bytes, content: memoryview) -> str:
    # Mach-O has no empty sections: clang leaves one byte there.
    if name in _EMBEDDED_BITCODE and len(content) <= 1:
        return "is only a marker (-fembed-bitcode-marker): recompile with -fembed-bitcode"
    if not content:
        return "is empty"
    first = bytes(content[:4])
    if first == _XAR_MAGIC:
        return "is a xar archive: unpack it with xar and give the files in it"
    return f"begins with no bitstream magic, but with the bytes {first.hex(' ')}"
