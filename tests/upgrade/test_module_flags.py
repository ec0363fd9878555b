"""Module flags as readers take them.  Expectations: `opt -S` of LLVM 22."""

from __future__ import annotations

import pytest

import bitcodec
from answers import ask

TEXT = """!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{{i32 2, !"Debug Info Version", {}}}
"""
UNITS = "llvm.dbg.cu"
VERSIONS = {
    "i32 3": True,
    "i32 2": False,
    "i8 3": True,
    "i8 255": False,
    "i64 4294967299": True,
    "i64 4294967298": False,
    "i128 18446744073709551619": True,
    '!"x"': False,
}
"""Values of the flag, and whether LLVM 22 keeps debug information of that version: the lower 32 bits count."""


@pytest.mark.parametrize(("version", "is_kept"), VERSIONS.items())
def test_the_lower_bits_of_the_version_decide_whether_debug_information_is_kept(version: str, is_kept: bool) -> None:
    module = bitcodec.parse_assembly(TEXT.format(version))
    assert (UNITS in module.named_metadata) is is_kept
    again = bitcodec.loads(bitcodec.dumps(module))
    assert (UNITS in again.named_metadata) is is_kept


@pytest.mark.parametrize(("version", "is_kept"), VERSIONS.items())
def test_opt_keeps_the_same_debug_information(version: str, is_kept: bool) -> None:
    command = ["opt-22", "-S", "-disable-verify", "-"]
    done = ask(command, input=TEXT.format(version), text=True, check=True)
    assert (UNITS in done.stdout) is is_kept
