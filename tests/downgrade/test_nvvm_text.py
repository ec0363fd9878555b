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


@pytest.mark.parametrize(
    "name",
    [
        "acos",
        "asin",
        "atan",
        "atan2",
        "canonicalize",
        "ceil",
        "cos",
        "cosh",
        "exp",
        "exp10",
        "exp2",
        "floor",
        "fmuladd",
        "log",
        "log10",
        "log2",
        "maxnum",
        "minnum",
        "nearbyint",
        "pow",
        "rint",
        "round",
        "roundeven",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "trunc",
    ],
)
def test_functions_of_halves_are_those_of_floats(name: str) -> None:
    count = {"fmuladd": 3, "atan2": 2, "maxnum": 2, "minnum": 2, "pow": 2}.get(name, 1)
    types, values = ", ".join(["half"] * count), ", ".join(["half %a"] * count)
    module = bitcodec.parse_assembly(
        f"{HEAD}declare half @llvm.{name}.f16({types})\n"
        f"define void @f(ptr %p) {{\n  %a = load half, ptr %p, align 2\n  %b = call half @llvm.{name}.f16({values})\n"
        "  store half %b, ptr %p, align 2\n  ret void\n}\n"
    )
    text = str(bitcodec.loads(bitcodec.dumps(module, profile="nvvm")))
    assert "half" not in text.partition("define")[2]


@pytest.mark.parametrize(
    ("operation", "extension"), [("sdiv", "sext"), ("srem", "sext"), ("udiv", "zext"), ("urem", "zext")]
)
def test_wide_integers_are_extended_by_their_sign(operation: str, extension: str) -> None:
    module = bitcodec.parse_assembly(
        f"{HEAD}define void @f(ptr %p) {{\n  %a = load i100, ptr %p, align 16\n  %b = {operation} i100 %a, %a\n"
        "  store i100 %b, ptr %p, align 16\n  ret void\n}\n"
    )
    text = str(bitcodec.loads(bitcodec.dumps(module, profile="nvvm")))
    assert text.count(f" = {extension} i100 %") == 2
