"""Objects and images with PC sections for many processors, made by llc and linkers."""

from __future__ import annotations

from pathlib import Path

from answers import ask, build

LLC, CLANG, LLD, SYMBOLIZER = "llc-22", "clang-22", "ld.lld-22", "llvm-symbolizer-22"

MODULE = """
$shared = comdat any
@v = global i32 7
@also = alias void (ptr), ptr @store

define i32 @twice(ptr %p) !pcsections !0 {
  %a = load volatile i32, ptr %p, !pcsections !2
  %b = load volatile i32, ptr %p, !pcsections !2
  %c = add i32 %a, %b
  ret i32 %c
}
define weak void @store(ptr %p) !pcsections !0 {
  store volatile i32 1, ptr %p, !pcsections !3
  store volatile i32 2, ptr %p, !pcsections !2
  ret void
}
define internal void @inner(ptr %p) noinline !pcsections !1 {
  store volatile i8 1, ptr %p, !pcsections !2
  ret void
}
define linkonce_odr void @shared(ptr %p) comdat !pcsections !1 {
  store volatile i8 3, ptr %p, !pcsections !3
  ret void
}
define void @other(ptr %p) section ".text.other" !pcsections !1 {
  %1 = load volatile i32, ptr %p
  call void @inner(ptr %p)
  call void @shared(ptr %p)
  store volatile i8 4, ptr %p, !pcsections !2
  ret void
}
define i32 @main() {
  call void @other(ptr @v)
  ret i32 0
}
!0 = !{!"pcs_fc!C", !4}
!1 = !{!"pcs_f", !5}
!2 = !{!"pcs_i"}
!3 = !{!"pcs_ic", !5}
!4 = !{i32 300, ptr @v}
!5 = !{i16 5, i8 1}
"""
"""Functions in `.text`, in a section of its own, in a COMDAT; an alias; each kind of entries in a section of its own.

Entries of `pcs_f` are a PC, 4 bytes of size, 3 bytes of constants; `pcs_i` has nothing but PCs.
"""

TARGETS = (
    "x86_64-linux-gnu",
    "i386-linux-gnu",
    "aarch64-linux-gnu",
    "aarch64_be-linux-gnu",
    "armv7-linux-gnueabihf",
    "armebv7-linux-gnueabi",
    "thumbv7-linux-gnueabihf",
    "riscv32-linux-gnu",
    "riscv64-linux-gnu",
    "riscv64be-linux-gnu",
    "powerpc64-linux-gnu",
    "powerpc64le-linux-gnu",
    "powerpc-linux-gnu",
    "s390x-linux-gnu",
    "loongarch64-linux-gnu",
    "mips-linux-gnu",
    "mipsel-linux-gnu",
    "mips64-linux-gnuabi64",
    "mips64el-linux-gnuabi64",
    "mips64-linux-gnuabin32",
    "sparc-linux-gnu",
    "sparcv9-linux-gnu",
    "m68k-linux-gnu",
    "hexagon-linux",
    "amdgcn-amd-amdhsa",
)
"""Those that have both a small and a large code model, or take the one for the other."""

SMALL_ONLY = ("x86_64-linux-gnux32", "loongarch32-linux-gnu", "ve-linux")

WITHOUT_PC_RELATIVE = ("bpf", "msp430", "lanai", "xtensa")

LINKED = (
    "x86_64-linux-gnu",
    "i386-linux-gnu",
    "aarch64-linux-gnu",
    "aarch64_be-linux-gnu",
    "armv7-linux-gnueabihf",
    "thumbv7-linux-gnueabihf",
    "riscv32-linux-gnu",
    "riscv64-linux-gnu",
    "powerpc64le-linux-gnu",
    "powerpc64-linux-musl",
    "powerpc-linux-gnu",
    "s390x-linux-gnu",
    "loongarch64-linux-gnu",
    "mips-linux-gnu",
    "mipsel-linux-gnu",
    "mips64-linux-gnuabi64",
    "mips64el-linux-gnuabi64",
    "sparcv9-linux-gnu",
    "hexagon-linux",
)
"""Those that lld links."""


def run(*command: object, is_steady: bool = True) -> str:
    done = ask([str(each) for each in command], text=True, is_steady=is_steady)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def built(command: str, path: Path, result: str) -> bytes:
    """Return a file that a program of this system makes of another; its versions make different ones."""
    return build([command], {path.name: path.read_bytes()}, [result], is_steady=False)[result]


def compiled(folder: Path, triple: str, *options: str) -> Path:
    """Return the object that llc makes of MODULE."""
    source, made = folder / "module.ll", folder / "module.o"
    source.write_text(MODULE)
    # The order of PC sections in objects for i386 differs from run to run.
    is_steady = not triple.startswith("i386")
    run(LLC, "-O1", f"-mtriple={triple}", *options, "-filetype=obj", source, "-o", made, is_steady=is_steady)
    return made
