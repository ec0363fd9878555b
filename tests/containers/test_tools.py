"""What LLVM's own tools write, where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bitcodec.containers import find, scan

from .builders import BITSTREAM, OTHER_BITSTREAM, elf


def tool(name: str) -> str:
    """Return the path of one of LLVM's tools, of version 22 where there are several."""
    path = shutil.which(f"{name}-22") or shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("form", ["gnu", "bsd", "darwin", "coff", "thin"])
def test_llvm_ar(form: str, tmp_path: Path) -> None:
    contents = {"a_name_of_more_than_sixteen_bytes.bc": BITSTREAM, "b.bc": OTHER_BITSTREAM + b"...."}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    option = "--thin" if form == "thin" else f"--format={form}"
    run(tool("llvm-ar"), option, "rcS", "lib.a", *contents, folder=tmp_path)
    found = find((tmp_path / "lib.a").read_bytes(), path=tmp_path / "lib.a")
    assert {part.path: bytes(part.data) for part in found} == contents


def test_llvm_objcopy_compresses_sections(tmp_path: Path) -> None:
    (tmp_path / "a.o").write_bytes(elf((".llvm.lto", BITSTREAM.ljust(4096, b"."))))
    objcopy = tool("llvm-objcopy")
    run(objcopy, "--compress-sections=.llvm.lto=zlib", "a.o", "small.o", folder=tmp_path)
    (hollow,) = scan((tmp_path / "small.o").read_bytes()).hollow
    advice = hollow.reason.partition("llvm-objcopy ")[2]
    run(objcopy, advice, "small.o", "large.o", folder=tmp_path)
    assert [part.path for part in find((tmp_path / "large.o").read_bytes())] == [".llvm.lto"]


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "x86_64-pc-windows-msvc"])
def test_more_sections_than_sixteen_bits_can_count(triple: str, tmp_path: Path) -> None:
    sections = [f'.section .text.f{number},"ax"\nnop\n' for number in range(66_000)]
    source = "".join(sections) + '.section .llvmbc\n.ascii "BC\\300\\336"\n'
    (tmp_path / "many.s").write_text(source, encoding="ascii")
    run(tool("llvm-mc"), "-filetype=obj", f"-triple={triple}", "many.s", "-o", "many.o", folder=tmp_path)
    (found,) = find((tmp_path / "many.o").read_bytes())
    assert (found.path, bytes(found.data)) == (".llvmbc", b"BC\xc0\xde")
