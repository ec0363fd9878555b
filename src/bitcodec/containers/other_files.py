"""Files that should be bitcode and are not: compressed, copied as text, or only a pointer to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.magic import MAGIC_SIZE, StreamKind
from bitcodec.containers.window import BytesLike, view_of

if TYPE_CHECKING:
    from bitcodec.bitstream.stream import Bitstream

__all__ = ["explain", "explain_stream"]

_COPY = "copy the original again, as a binary file"
_REPLACED = f"bitcode that was copied as UTF-8 text: bytes are replaced (EF BF BD) and lost; {_COPY}"
_RECODED = f"bitcode that was recoded from Latin-1 to UTF-8: {_COPY}, or restore it (iconv -f UTF-8 -t LATIN1)"
_WIDE = f"bitcode that was copied as UTF-16 text, as redirection in PowerShell does: {_COPY}"
_WIDE_TEXT = "text in UTF-16, as redirection in PowerShell writes it: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)"
_SPIR_V = "SPIR-V: translate it to bitcode first (llvm-spirv -r)"
_MASKED = f"bitcode that was copied as text: bytes are replaced by question marks and lost; {_COPY}"
_IDENTIFICATION = b"\x35\x14\0\0"
"""How the block behind the magic number begins in files of LLVM."""
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "compressed with gzip: decompress it first (gunzip)"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd: decompress it first (unzstd)"),
    (b"\xfd7zXZ\0", "compressed with xz: decompress it first (unxz)"),
    (b"BZh", "compressed with bzip2: decompress it first (bunzip2)"),
    (b"\x04\x22\x4d\x18", "compressed with lz4: decompress it first (unlz4)"),
    (b"PK\x03\x04", "a ZIP archive: unpack it first (unzip)"),
    (b"\x03\x02\x23\x07", _SPIR_V),
    (b"\x07\x23\x02\x03", _SPIR_V),
    (b"ML\xefR", "MLIR bytecode: translate it to LLVM IR first (mlir-translate --mlir-to-llvmir)"),
    (
        b"version https://git-lfs.github.com/",
        "a pointer of Git LFS in the place of the file: get the file (git lfs pull)",
    ),
    (b"<!DOCTYPE html", "a web page: the download failed, or needs a login"),
    (b"BC\xef\xbf\xbd", _REPLACED),
    (b"\xef\xbf\xbd\xef\xbf\xbd\x17\x0b", _REPLACED),
    (b"BC\xc3\x80\xc3\x9e", _RECODED),
    (b"\xc3\x9e\xc3\x80\x17\x0b", _RECODED),
    (b"\xff\xfeB\0C\0", _WIDE),
    (b"\xff\xfe", _WIDE_TEXT),
    (b"\xfe\xff", _WIDE_TEXT),
    (b"BC??", _MASKED),
    (b"\xef\xbb\xbfBC\xc0\xde", "bitcode behind a byte order mark: remove the first 3 bytes"),
    (b"\xef\xbb\xbfBC", _REPLACED),
    (b"C\xc0\xde" + _IDENTIFICATION, "bitcode without its first byte: copy the whole original again"),
    (
        _IDENTIFICATION,
        "bitcode without its magic number, 42 43 C0 DE: copy the whole original again",
    ),
    (b"\xde\xc0CB", f"bitcode with the bytes of each 32-bit word in reverse order: {_COPY}"),
    (b"BC@^", f"bitcode that was copied with 7 bits of each byte: {_COPY}"),
    (b"4243c0de", "bitcode in hexadecimal digits: make bytes of them first (xxd -r -p)"),
    (b"4243C0DE", "bitcode in hexadecimal digits: make bytes of them first (xxd -r -p)"),
    (b"QkPA3", "bitcode in Base64: decode it first (base64 -d)"),
)
"""By the first bytes of a file, its kind and advice."""
_TAR_MAGIC, _TAR_PLACE = b"ustar", 257
_TAR = "a tar archive: unpack it first (tar -x)"


def explain(data: BytesLike) -> str:
    """Return the kind of a file other than bitcode, with advice, by its first bytes; "" if unknown."""
    head = bytes(view_of(data)[: _TAR_PLACE + len(_TAR_MAGIC)])
    if head[_TAR_PLACE:] == _TAR_MAGIC:
        return _TAR
    return next((meaning for beginning, meaning in _BEGINNINGS if head.startswith(beginning)), "")


def explain_stream(stream: Bitstream) -> str:
    """Return the kind of a bitstream other than LLVM IR, and advice if it should be."""
    if stream.kind is not StreamKind.UNKNOWN:
        return f"expected LLVM IR, found {stream.kind.value}"
    words = f"expected LLVM IR, found a stream of another application ({stream.magic!r})"
    if stream.payload[MAGIC_SIZE : 2 * MAGIC_SIZE] == _IDENTIFICATION:
        words += ", or bitcode with a damaged magic number, which should be 42 43 C0 DE"
    return explain(stream.payload) or words
