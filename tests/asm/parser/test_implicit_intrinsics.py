"""Intrinsics that are called without a declaration get one for each type of their calls, as llvm-as 22 gives them."""

from __future__ import annotations

import pytest

import bitcodec


def calls_and_declarations(text: str) -> list[str]:
    """Return what is printed of the calls and declarations of a module, without attributes."""
    lines = str(bitcodec.parse_assembly(text, dialect=22)).splitlines()
    return [line.partition(" #")[0].strip() for line in lines if " call " in line or line.startswith("declare")]


def test_each_call_has_the_declaration_of_its_type() -> None:
    text = """
define i16 @f(i8 %x) {
  %a = call i8 @llvm.umax(i8 %x, i8 %x)
  %b = zext i8 %a to i16
  %c = call i16 @llvm.umax(i16 %b, i16 %b)
  %d = call i16 @llvm.umax.i8(i16 %b, i16 %c)
  ret i16 %d
}
"""
    assert calls_and_declarations(text) == [
        "%a = call i8 @llvm.umax.i8(i8 %x, i8 %x)",
        "%c = call i16 @llvm.umax.i16(i16 %b, i16 %b)",
        "%d = call i16 @llvm.umax.i16(i16 %b, i16 %c)",
        "declare i16 @llvm.umax.i16(i16, i16)",
        "declare i8 @llvm.umax.i8(i8, i8)",
    ]


def test_old_and_new_calls_of_one_name_become_new_ones() -> None:
    text = """
define i32 @f(i32 %x, ptr %p) {
  %a = call i32 @llvm.ctlz.i32(i32 %x)
  %b = call i32 @llvm.ctlz.i32(i32 %a, i1 true)
  call void @llvm.memcpy.p0i8.p0i8.i64(ptr %p, ptr %p, i64 3, i32 1, i1 false)
  call void @llvm.memcpy(ptr %p, ptr %p, i64 3, i1 false)
  ret i32 %b
}
"""
    assert calls_and_declarations(text) == [
        "%a = call i32 @llvm.ctlz.i32(i32 %x, i1 false)",
        "%b = call i32 @llvm.ctlz.i32(i32 %a, i1 true)",
        "call void @llvm.memcpy.p0.p0.i64(ptr align 1 %p, ptr align 1 %p, i64 3, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 3, i1 false)",
        "declare i32 @llvm.ctlz.i32(i32, i1 immarg)",
        (
            "declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), "
            "ptr noalias readonly captures(none), i64, i1 immarg)"
        ),
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("%y = call i8 @llvm.umax.i16(i16 %x, i16 %x)", "3:16: invalid intrinsic signature"),
        ("%y = call i16 @llvm.foo(i16 %x)", "3:17: unknown intrinsic 'llvm.foo'"),
        ("store ptr @llvm.umax, ptr null", "3:13: intrinsic can only be used as callee"),
    ],
)
def test_other_uses_are_refused(call: str, message: str) -> None:
    with pytest.raises(bitcodec.AssemblyError) as caught:
        bitcodec.parse_assembly(f"define void @f(i16 %x) {{\nentry:\n  {call}\n  ret void\n}}", dialect=22)
    assert str(caught.value) == message


def test_functions_that_an_upgrade_adds_precede_the_next_declaration() -> None:
    text = """
define i8 @f() {
  %x = alloca i8, align 4
  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %x)
  call void @llvm.memset.p0.i32(ptr %x, i8 0, i32 1, i1 false)
  call void @llvm.lifetime.end.p0(i64 1, ptr nonnull %x)
  ret i8 0
}
"""
    assert calls_and_declarations(text) == [  # of llvm-as and llvm-dis 22
        "call void @llvm.lifetime.start.p0(ptr %x)",
        "call void @llvm.memset.p0.i32(ptr %x, i8 0, i32 1, i1 false)",
        "call void @llvm.lifetime.end.p0(ptr %x)",
        "declare void @llvm.lifetime.end.i64(i64)",
        "declare void @llvm.lifetime.end.p0(ptr captures(none))",
        "declare void @llvm.lifetime.start.i64(i64)",
        "declare void @llvm.lifetime.start.p0(ptr captures(none))",
        "declare void @llvm.memset.p0.i32(ptr writeonly captures(none), i8, i32, i1 immarg)",
    ]


def test_calls_of_another_type_than_their_declaration_are_upgraded() -> None:
    text = """
declare i32 @llvm.ctlz.i32.p0(i32, i1)
declare <2 x i16> @llvm.amdgcn.ds.fadd.v2bf16(ptr addrspace(3), <2 x i16>)
define i32 @f(i32 %x, ptr addrspace(3) %p, <2 x i16> %v) {
  %a = call i32 @llvm.ctlz.i32.p0(i32 %x)
  %b = call i32 @llvm.ctlz.i32.p0(i32 %a, i1 true)
  %c = call <2 x i16> @llvm.amdgcn.ds.fadd.v2bf16(ptr addrspace(3) %p, <2 x i16> %v, i32 0, i32 0, i1 false)
  ret i32 %b
}
"""
    assert calls_and_declarations(text) == [
        "%a = call i32 @llvm.ctlz.i32(i32 %x, i1 false)",
        "%b = call i32 @llvm.ctlz.i32(i32 %a, i1 true)",
        "declare i32 @llvm.ctlz.i32(i32, i1 immarg)",
    ]


def test_products_of_matrices_get_an_argument() -> None:
    text = """
define <8 x i32> @f(<8 x i32> %A, <8 x i32> %B) {
  %y = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x64.iu8(
    i1 0, <8 x i32> %A, i1 0, <8 x i32> %B, <8 x i32> %A, i1 0, i1 0)
  ret <8 x i32> %y
}
"""
    (call, _) = calls_and_declarations(text)
    assert call == (
        "%1 = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x64.iu8.v8i32.v8i32"
        "(i1 false, <8 x i32> %A, i1 false, <8 x i32> %B, <8 x i32> %A, i1 false, i1 false, i1 false)"
    )
