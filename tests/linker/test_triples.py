"""Triples that llvm-link 22 links without a warning, and those that it warns of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from answers import ask
from bitcodec.linker.triples import are_compatible

PAIRS = {
    ("x86_64-unknown-linux-gnu", "x86_64h-unknown-linux-gnu"): True,
    ("x86_64-unknown-linux-gnu", "amd64-foo-linux6.1-gnu"): True,
    ("x86_64-unknown-linux-gnu", "i386-unknown-linux-gnu"): False,
    ("i386-pc-linux-gnu", "i686-pc-linux-gnu"): True,
    ("x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu"): False,
    ("x86_64-pc-windows-gnu", "x86_64-w64-windows-gnu"): True,
    ("aarch64_be-unknown-windows-gnu", "aarch64_be-apple-windows-gnu"): True,
    ("x86_64-pc-linux-gnu-elf", "x86_64-pc-linux-gnu"): True,
    ("x86_64-pc-windows-msvc", "x86_64-pc-windows-msvc-elf"): False,
    ("x86_64-apple-macosx10.9", "x86_64-apple-macos11"): True,
    ("arm64-apple-ios13", "arm64e-apple-ios13"): False,
    ("arm64-apple-xros1", "arm64-apple-visionos2"): True,
    ("armv7-unknown-linux-gnueabi", "thumbv7a-unknown-linux-gnueabi"): True,
    ("armv7-unknown-linux-gnueabi", "armv7-unknown-linux-gnueabihf"): False,
    ("armv6kz-unknown-linux", "armv6k-unknown-linux"): True,
    ("armv8-unknown-linux", "armv8.1a-unknown-linux"): False,
    ("xscale-unknown-linux", "armv5tej-unknown-linux"): True,
    ("mips-unknown-linux-gnu", "mipsisa32r6-unknown-linux-gnu"): False,
    ("mipsr6-unknown-linux-gnu", "mipsisa32r6-unknown-linux-gnu"): True,
    ("spirv64-unknown-unknown", "spirv64v1.2-unknown-unknown"): False,
    ("bpf-unknown-unknown", "bpfel-unknown-unknown"): True,
    ("foo-unknown-linux", "bar-unknown-linux"): True,
}
"""Whether llvm-link 22 links a module of the second triple into one of the first without a warning."""


@pytest.mark.parametrize("triples", PAIRS)
def test_compatible(triples: tuple[str, str]) -> None:
    there, own = triples
    assert are_compatible(own, there) is PAIRS[triples]


@pytest.mark.parametrize("triples", PAIRS)
def test_llvm_link_agrees(triples: tuple[str, str], tmp_path: Path) -> None:
    files = [tmp_path / "a.ll", tmp_path / "b.ll"]
    for file, triple in zip(files, triples, strict=True):
        file.write_text(f'target triple = "{triple}"\n')
    warnings = ask(["llvm-link-22", "-S", *files, "-o", os.devnull]).stderr
    assert (b"different target triples" not in warnings) is PAIRS[triples]
