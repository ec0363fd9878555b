"""Files that should be bitcode and are not are named, with what to do."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from bitcodec.containers import open_streams
from bitcodec.containers.other_files import explain, explain_stream

DATA = (Path(__file__).parents[2] / "examples/hello.bc").read_bytes()
WRAPPER = b"\xde\xc0\x17\x0b"

pytestmark = pytest.mark.same_in_both


def as_tar(data: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        entry = tarfile.TarInfo("hello.bc")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def as_zip(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("hello.bc", data)
    return file.getvalue()


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "gunzip": gzip.compress,
    "unxz": lzma.compress,
    "bunzip2": bz2.compress,
    "tar -x": as_tar,
    "unzip": as_zip,
    "UTF-8 text": lambda data: data.decode("utf-8", "replace").encode(),
    "iconv -f UTF-8 -t LATIN1": lambda data: data.decode("latin-1").encode(),
    "UTF-16": lambda data: data.decode("latin-1").encode("utf-16"),
    "UTF-16 -t UTF-8": lambda _: "; ModuleID = 'a'\n".encode("utf-16"),
    "llvm-spirv -r": lambda _: (0x07230203).to_bytes(4, "little") + bytes(16),
    "mlir-translate": lambda _: b"ML\xefR\x0dMLIR22.1.8\0",
    "question marks": lambda data: data.decode("ascii", "replace").replace("\N{REPLACEMENT CHARACTER}", "?").encode(),
    "remove the first 3 bytes": lambda data: b"\xef\xbb\xbf" + data,
    "without its first byte": lambda data: data[1:],
    "without its magic number": lambda data: data[4:],
    "in reverse order": lambda data: b"".join(data[place : place + 4][::-1] for place in range(0, len(data), 4)),
    "7 bits of each byte": lambda data: bytes(byte & 0x7F for byte in data),
    "xxd -r -p": lambda data: data.hex().encode(),
    "base64 -d": base64.b64encode,
    "git lfs pull": lambda _: b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    "a web page": lambda _: b"<!DOCTYPE html>\n<html></html>\n",
}


@pytest.mark.parametrize("words", CHANGES)
def test_what_it_is_is_said(words: str) -> None:
    data = CHANGES[words](DATA)
    assert words in explain(data)
    for read in (bitcodec.loads, bitcodec.loads_all, bitcodec.diagnose):
        with pytest.raises(bitcodec.BitcodecError) as caught:
            read(data)
        assert words in str(caught.value) or read is bitcodec.loads


@pytest.mark.parametrize("words", ["UTF-8 text", "iconv"])
def test_wrappers(words: str) -> None:
    change = next(change for name, change in CHANGES.items() if words in name)
    assert words in explain(change(WRAPPER + bytes(16) + DATA))


def test_other_streams_are_named() -> None:
    assert explain(DATA) == explain(WRAPPER) == explain(b"") == ""
    for magic, words in ((b"DIAG", "found Clang Serialized Diagnostics"), (b"BCxy", "another application (b'BCxy')")):
        [found] = open_streams(memoryview(magic + DATA[4:]))
        assert words in explain_stream(found.stream)
        with pytest.raises(bitcodec.BitcodecError, match="expected LLVM IR"):
            bitcodec.diagnose(magic + DATA[4:])
    with pytest.raises(bitcodec.BitcodecError, match="damaged magic number, which should be 42 43 C0 DE"):
        bitcodec.diagnose(b"CC" + DATA[2:])
