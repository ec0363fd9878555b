"""What the corpus has little of: text that LLVM assembles, written by us, printed by LLVM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bitcodec
from answers import ask, build

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [
    "@i = global i128 -170141183460469231731687303715884105728\n@j = global i65 1\n@k = global i129 -1\n",
    "@b = global i1 true\n@n = global i64 -9223372036854775808\n@m = global i7 -64\n",
    "@x = global x86_fp80 0xK4000C000000000000000\n@q = global fp128 0xL00000000000000013FFF000000000000\n",
    "@p = global ppc_fp128 0xM3FF00000000000000000000000000001\n@h = global bfloat 0xR3F80\n",
    "@v = global <3 x i8> <i8 1, i8 2, i8 poison>\n@w = global <2 x half> splat (half 0xH3C00)\n",
    '@s = global [3 x i8] c"a\\00b"\n@t = global [2 x i8] c"\\FF\\00"\n@u = global [1 x i8] zeroinitializer\n',
    "@g = global i8 0\n@e = global ptr getelementptr inbounds nuw inrange(-1, 4) (i8, ptr @g, i64 1)\n",
    """
@d = global i64 sub (i64 ptrtoint (ptr @d to i64), i64 add nsw (i64 ptrtoint (ptr addrspace(1) @c to i64), i64 1))
@c = addrspace(1) global i64 0
""",
    """
%a = type { %b, i1 }
%b = type <{ i8, [2 x i16] }>
%c = type opaque
%0 = type { ptr }
@o = external global %c
@z = global %0 zeroinitializer
@y = external global %a
""",
    'define void @f(target("spirv.Image", i32, 0, 1) %t, target("x") %u) { ret void }\n',
    "define void @f(ptr byval(i32) align 8 %0, ptr sret({ i8 }) %1) { ret void }\n",
    "define range(i8 1, 0) i8 @f(i129 range(i129 -1, 36893488147419103232) %x) memory(argmem: read) { ret i8 1 }\n",
    'define void @f(ptr initializes((0, 4), (8, 12)) %p) "a"="" "b"="c" alignstack(16) { ret void }\n',
    """
define void @f(i32 %x, i200 %y) {
  switch i32 %x, label %d [ i32 -1, label %a
                            i32 5, label %a ]
a:
  switch i200 %y, label %d [ i200 803469022129495137770981046170581301261101496891396417650688, label %a ]
d:
  ret void
}
""",
    """
define void @f() {
  call void (...) @g(metadata !{i32 1}, metadata !"x", metadata ptr @f)
  ret void
}
declare void @g(...)
""",
    """
define void @f() {
  call void @g() [ "b"(i32 7), "c"(), "deopt"(ptr @f, i64 1) ]
  ret void
}
declare void @g()
""",
    """
define void @f(ptr %p) {
  %a = alloca i8, i64 3, align 4294967296
  store atomic volatile i8 0, ptr %p syncscope("one") release, align 1
  fence syncscope("two") seq_cst
  ret void
}
""",
    """
define i32 @f(<vscale x 4 x i32> %v) {
  %s = shufflevector <vscale x 4 x i32> %v, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
  %e = extractelement <vscale x 4 x i32> %s, i32 0
  ret i32 %e
}
""",
    """
define ptr @f() {
  br label %b
b:
  ret ptr blockaddress(@g, %c)
}
define void @g() {
  br label %c
c:
  ret void
}
""",
    """
@0 = global i32 0
@1 = alias i32, ptr @0
define void @2() { ret void }
@r = ifunc void (), ptr @res
define ptr @res() { ret ptr @2 }
""",
    """
$c = comdat largest
@x = dllexport thread_local(initialexec) unnamed_addr constant i8 1, section "s", partition "p", comdat($c), align 8
""",
    """
target datalayout = "e-A5"
target triple = "amdgcn"
module asm "one"
module asm "two"
define void @f() {
  %a = alloca i8, addrspace(5)
  ret void
}
""",
    'define void @f() gc "statepoint-example" prefix i32 3 prologue i8 4 personality ptr @f { ret void }\n',
    '!a = !{!0, !1}\n!b = !{}\n!0 = distinct !{!0}\n!1 = !{!2, null, !"s", i64 4}\n!2 = !{!1}\n',
    '@g = global i32 0, !x !0, !y !1, !x !1\ndeclare !z !0 void @f()\n!0 = !{}\n!1 = !{!""}\n',
]


ORDERS = "--preserve-ll-uselistorder"


@pytest.mark.parametrize("text", TEXTS)
def test_forms(text: str, tmp_path: Path) -> None:
    commands = ["llvm-as-22 --disable-verify a.ll -o a.bc", f"llvm-dis-22 {ORDERS} a.bc -o printed.ll"]
    made = build(commands, {"a.ll": text}, ["a.bc", "printed.ll"])
    path = tmp_path / "a.bc"
    path.write_bytes(bitcodec.dumps(bitcodec.loads(made["a.bc"]), copies_unchanged=False))
    done = ask(["llvm-dis-22", ORDERS, path.name, "-o", "-"], cwd=tmp_path, check=True, keeps="digest")
    assert done.stdout == made["printed.ll"]
