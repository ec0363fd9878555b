"""Archives, compressed sections and large objects that LLVM's own tools write."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers import ask, build
from bitcodec.containers import find, scan

from .builders import BITSTREAM, OTHER_BITSTREAM, elf


@pytest.mark.parametrize("form", ["gnu", "bsd", "darwin", "coff", "thin"])
def test_llvm_ar(form: str, tmp_path: Path) -> None:
    contents = {"a_name_of_more_than_sixteen_bytes.bc": BITSTREAM, "b.bc": OTHER_BITSTREAM + b"...."}
    option = "--thin" if form == "thin" else f"--format={form}"
    made = build([f"llvm-ar-22 {option} rcS lib.a {' '.join(contents)}"], contents, ["lib.a"])
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    found = find(made["lib.a"], path=tmp_path / "lib.a")
    assert {part.path: bytes(part.data) for part in found} == contents


def test_llvm_objcopy_compresses_sections(tmp_path: Path) -> None:
    (tmp_path / "a.o").write_bytes(elf((".llvm.lto", BITSTREAM.ljust(4096, b"."))))
    command = ["llvm-objcopy-22", "--compress-sections=.llvm.lto=zlib", "a.o", "small.o"]
    ask(command, cwd=tmp_path, check=True, writes="small.o")
    (hollow,) = scan((tmp_path / "small.o").read_bytes()).hollow
    advice = hollow.reason.partition("llvm-objcopy ")[2]
    ask(["llvm-objcopy-22", advice, "small.o", "large.o"], cwd=tmp_path, check=True, writes="large.o")
    assert [part.path for part in find((tmp_path / "large.o").read_bytes())] == [".llvm.lto"]


@pytest.mark.live
@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "x86_64-pc-windows-msvc"])
def test_more_sections_than_sixteen_bits_can_count(triple: str, tmp_path: Path) -> None:
    sections = [f'.section .text.f{number},"ax"\nnop\n' for number in range(66_000)]
    source = "".join(sections) + '.section .llvmbc\n.ascii "BC\\300\\336"\n'
    (tmp_path / "many.s").write_text(source, encoding="ascii")
    command = ["llvm-mc-22", "-filetype=obj", f"-triple={triple}", "many.s", "-o", "many.o"]
    ask(command, cwd=tmp_path, check=True)
    (found,) = find((tmp_path / "many.o").read_bytes())
    assert (found.path, bytes(found.data)) == (".llvmbc", b"BC\xc0\xde")
