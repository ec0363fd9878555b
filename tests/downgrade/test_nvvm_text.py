"""Kernels, constructors and bytes for libNVVM, in modules that are given as text."""

from __future__ import annotations

import pytest

import bitcodec
from answers import ask

from .test_nvvm import LAYOUT

HEAD = f'target datalayout = "{LAYOUT}"\ntarget triple = "nvptx64-nvidia-cuda"\n\n'


def test_parameters_that_no_kernel_writes_are_annotated() -> None:
    parameter = 'ptr byval(i32) align 4 "nvvm.grid_constant" %p'
    module = bitcodec.parse_assembly(f"{HEAD}define ptx_kernel void @kernel({parameter}) {{\n  ret void\n}}\n")
    data = bitcodec.dumps(module, profile="nvvm")
    assert b"grid_constant" in data
    assert b"nvvm.grid_constant" not in data
    assert "nvvm.grid_constant" in str(bitcodec.loads(data))


@pytest.mark.parametrize("name", ["llvm.global_ctors", "llvm.global_dtors"])
def test_constructors_are_refused(name: str) -> None:
    module = bitcodec.parse_assembly(f"{HEAD}@{name} = appending global [0 x {{ i32, ptr, ptr }}] zeroinitializer\n")
    with pytest.raises(bitcodec.EncodingError, match=f"^global constructors and destructors in @{name} cannot be"):
        bitcodec.dumps(module, profile="nvvm")


def test_bytes_of_odd_widths_are_swapped() -> None:
    """LLVM 22 finds the order of bytes in what is written."""
    module = bitcodec.parse_assembly(
        f"{HEAD}declare i48 @llvm.bswap.i48(i48)\n"
        "define void @f(ptr %p) {\n  %a = load i48, ptr %p, align 8\n  %b = call i48 @llvm.bswap.i48(i48 %a)\n"
        "  store i48 %b, ptr %p, align 8\n  ret void\n}\n"
    )
    text = str(bitcodec.loads(bitcodec.dumps(module, profile="nvvm")))
    assert "bswap" not in text
    found = ask(["opt-22", "-passes=instcombine", "-S", "-"], input=text, text=True, check=True).stdout
    assert "call i48 @llvm.bswap.i48(i48 %a)" in found
