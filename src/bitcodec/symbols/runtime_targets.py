"""Targets with different runtime library functions, which LLVM's code generators call."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["ARCHITECTURES", "SYSTEMS", "target_numbers"]

ARCHITECTURES = (
    ("x86_64", "x86_64h?|amd64"),
    ("i386", "i[3-9]86"),
    ("aarch64_32", "(aarch64|arm64)_32"),
    ("arm64ec", "arm64ec"),
    ("aarch64", "(aarch64|arm64).*"),
    ("armv7k", "(arm|thumb)v7k"),
    ("armeb", "(arm|thumb)(eb.*|.*eb)"),
    ("arm", "(arm|thumb|xscale).*"),
    ("powerpc64", "powerpc64.*|ppc64.*|ppu"),
    ("powerpc", "powerpc.*|ppc.*"),
    ("riscv32", "riscv32.*"),
    ("riscv64", "riscv64.*"),
    ("s390x", "s390x|systemz"),
    ("mips64", "mips64.*|mipsisa64.*|mipsn32.*|bpf.*|loongarch64"),
    ("mips", "mips.*|m68k|loongarch32|arc|csky|xtensa"),
    ("sparcv9", "sparcv9|sparc64"),
    ("sparc", "sparc.*"),
    ("wasm32", "wasm(32|64)"),
    ("hexagon", "hexagon"),
    ("msp430", "msp430"),
    ("avr", "avr"),
    ("xcore", "xcore"),
    ("lanai", "lanai"),
    ("ve", "ve"),
    ("spirv", "spirv.*"),
    ("unknown", ".*"),
)
"""An architecture and a pattern for those that have the same functions; the first pattern that fits counts."""

SYSTEMS = (
    ("apple-macosx10.9", r"macosx?(1[1-9]|[2-9]\d|10\.(9|\d\d)).*"),
    ("apple-macosx10.8", r"macosx?10\.[678].*|darwin1[0-2].*"),
    ("apple-macosx10.5", r"macosx?10\.5.*|darwin9.*"),
    ("apple-darwin13", r"darwin(1[3-9]|[2-9]\d).*"),
    ("apple-macosx", r"(macos|darwin).*"),
    ("apple-ios7", r"ios([7-9]|\d\d).*|watchos.*|tvos\d.*"),
    ("apple-ios5", r"ios[56].*"),
    ("apple-ios3", r"ios[34].*"),
    ("apple-ios", r"ios.*"),
    ("apple-tvos", r"tvos.*"),
    ("apple-xros", r"(xros|visionos|driverkit|bridgeos).*"),
    ("pc-windows-gnu", r"(windows|win32).*-gnu.*"),
    ("pc-windows-itanium", r"(windows|win32).*-itanium.*"),
    ("pc-windows-cygnus", r"(windows|win32).*-cygnus.*"),
    ("pc-windows-elf", r"(windows|win32).*elf"),
    ("pc-windows-msvc", r"(windows|win32).*"),
    ("unknown-uefi", r"uefi.*"),
    ("unknown-linux-gnueabi", r"linux.*-gnueabi.*"),
    ("unknown-linux-gnu", r"linux.*-gnu.*"),
    ("unknown-linux-musleabihf", r"linux.*-(musleabi|ohos).*"),
    ("unknown-linux-android", r"linux.*-android.*"),
    ("unknown-linux-musl", r"linux.*"),
    ("unknown-netbsd-eabi", r"netbsd.*-eabi.*"),
    ("unknown-openbsd", r"openbsd.*"),
    ("unknown-fuchsia", r"fuchsia.*"),
    ("ibm-aix", r"aix.*"),
    ("ibm-zos", r"zos.*"),
    ("sie-ps5", r"ps[45].*"),
    ("apple-none-macho", r".*-.*macho"),
    ("unknown-unknown", r".*"),
)
"""A vendor with a system and a pattern for systems with environments that have the same functions, as above."""


@cache
def target_numbers(triple: str) -> tuple[int, int]:
    """Return the numbers of the rows of a target's architecture and system."""
    architecture, _, rest = triple.partition("-")
    system = rest.partition("-")[2]
    return _number(ARCHITECTURES, architecture), _number(SYSTEMS, system if "-" in system else f"{system}-")


def _number(rows: tuple[tuple[str, str], ...], name: str) -> int:
    return next(number for number, (_, pattern) in enumerate(rows) if re.fullmatch(pattern, name, re.DOTALL))
