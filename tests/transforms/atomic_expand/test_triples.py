"""Triples are normalized, and imply processors, as `opt` of LLVM 22 does it."""

from __future__ import annotations

import pytest

import bitcodec
from answers import ask
from bitcodec.tables.triples import normalized
from bitcodec.transforms import expand_atomics

# `opt-22 -S -passes= -mtriple=TRIPLE /dev/null`
NORMALIZED = {
    "aarch64-linux-gnu": "aarch64-unknown-linux-gnu",
    "x86_64": "x86_64",
    "linux-gnu-x86_64": "x86_64-unknown-linux-gnu",
    "gnu-x86_64-linux": "x86_64-unknown-linux-gnu",
    "i686-w64-mingw32": "i686-w64-windows-gnu",
    "x86_64-pc-win32": "x86_64-pc-windows-msvc",
    "x86_64-windows-elf": "x86_64-unknown-windows-elf",
    "x86_64-pc-windows-gnu-macho": "x86_64-pc-windows-gnu-macho",
    "thumbv8.1m.main-windows-gnu-elf": "thumbv8.1m.main-unknown-windows-gnu",
    "armv7-none-eabi": "armv7-unknown-none-eabi",
    "armv7-linux-androideabi21": "armv7-unknown-linux-android21",
    "armv7-suse-linux-gnueabi": "armv7-suse-linux-gnueabihf",
    "x86_64--linux": "x86_64-unknown-linux",
    "wasm32-wasi": "wasm32-unknown-wasi",
    "bpfel": "bpfel",
    "thumbv7s-apple-ios7.0": "thumbv7s-apple-ios7.0",
}


@pytest.mark.parametrize("triple", NORMALIZED)
def test_normalized(triple: str) -> None:
    assert normalized(triple) == NORMALIZED[triple]


@pytest.mark.parametrize("triple", NORMALIZED)
def test_normalized_by_opt(triple: str) -> None:
    done = ask(["opt-22", "-S", "-passes=", f"-mtriple={triple}", "/dev/null"], text=True, check=True)
    assert f'target triple = "{NORMALIZED[triple]}"' in done.stdout


@pytest.mark.parametrize(
    ("triple", "processor", "barriers"),
    [
        # What `opt-22 -passes=atomic-expand -codegen-opt-level=1` calls `llvm.arm.dmb` with.
        ("thumbv7s-apple-ios7.0", "", ["i32 10", "i32 11"]),
        ("armv7s-apple-ios", "", ["i32 10", "i32 11"]),
        ("thumbv7s-apple-ios7.0", "generic", ["i32 11", "i32 11"]),
        ("thumbv7k-apple-watchos", "", ["i32 11", "i32 11"]),
        ("thumbv7s-none-eabi", "", ["i32 11", "i32 11"]),
    ],
)
def test_triple_implies_a_processor(triple: str, processor: str, barriers: list[str]) -> None:
    module = bitcodec.parse_assembly("""
        define i1 @f(ptr %p, i32 %v) {
          %r = cmpxchg weak ptr %p, i32 1, i32 %v seq_cst monotonic
          %x = extractvalue { i32, i1 } %r, 1
          ret i1 %x
        }""")
    expand_atomics(module, triple, processor=processor)
    calls = [line for line in str(module).splitlines() if "call void @llvm.arm.dmb" in line]
    assert [call.partition("(")[2].rstrip(")") for call in calls] == barriers
