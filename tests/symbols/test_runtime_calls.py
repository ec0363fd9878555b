"""Functions of runtime libraries that LLVM 22 marks as used, for each kind of target and names that mean the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import pytest
from tests.tables.make_runtime_calls import used_among

from answers import recall
from bitcodec.symbols import runtime_calls
from bitcodec.symbols.runtime_calls import is_runtime_call
from bitcodec.symbols.runtime_targets import ARCHITECTURES, SYSTEMS

NAMES = sorted(runtime_calls._masks())
ALIKE = """
    x86_64h amd64 i686 arm64_32 arm64 arm64e aarch64_be thumbv7k armebv7 thumbeb armv7 thumbv8m.main xscale
    ppc64 ppc64le powerpc64le ppu ppc powerpcle riscv64be systemz mips64el mipsisa64r6 mipsn32el bpf bpfeb
    loongarch64 mipsel mipsisa32r6 m68k loongarch32 arc csky xtensa sparc64 sparcel wasm64 spirv32 spirv64v1.5
    nvptx64 amdgcn r600 tce foo
"""
SYSTEMS_ALIKE = """
    apple-macosx10.15 apple-macosx11 apple-macosx10.6 apple-darwin11 apple-darwin9 apple-darwin22 apple-macos
    apple-macos13 apple-darwin apple-ios7.0 apple-ios14 apple-watchos7 apple-tvos13 apple-ios6 apple-ios4.2
    apple-ios2 apple-xros2 apple-visionos1 apple-driverkit19 apple-bridgeos5 w64-windows-gnu w64-win32-gnu
    pc-windows-itanium pc-windows-cygnus pc-windows-elf pc-win32 pc-windows unknown-uefi unknown-linux-gnueabihf
    unknown-linux-gnux32 unknown-linux-ohos unknown-linux-musleabi unknown-linux-android30 unknown-linux
    unknown-linux-muslx32 unknown-netbsd-eabihf unknown-netbsd unknown-openbsd7 unknown-freebsd unknown-fuchsia
    ibm-aix7.2 ibm-zos scei-ps4 sie-ps5 unknown-none-macho unknown-none-elf unknown-unknown
"""


def digest(names: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:12]


@pytest.mark.parametrize("system", ["unknown-linux-gnu", "apple-macosx10.9"])
def test_architectures(system: str) -> None:
    check([f"{name}-{system}" for name in [*(name for name, _ in ARCHITECTURES), *ALIKE.split()]])


@pytest.mark.parametrize("architecture", ["x86_64", "armv7"])
def test_systems(architecture: str) -> None:
    check([f"{architecture}-{name}" for name in [*(name for name, _ in SYSTEMS), *SYSTEMS_ALIKE.split()]])


def check(triples: list[str]) -> None:
    """Check the marked functions of targets."""
    found = recall(
        ["llvm-as-22", digest(NAMES), *triples], lambda: [digest(used_among(NAMES, triple)) for triple in triples]
    )
    ours = {triple: digest(name for name in NAMES if is_runtime_call(name, triple)) for triple in triples}
    assert ours == dict(zip(triples, found, strict=True))
