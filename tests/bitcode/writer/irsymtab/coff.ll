source_filename = "coff.c"
target datalayout = "e-m:x-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:32-n8:16:32-a:0:32-S32"
target triple = "i686-pc-windows-msvc"

$f = comdat any
$local = comdat exactmatch

@exported = dllexport global i32 1
@"?mangled@@3HA" = dllexport global i32 2
@"with space" = dllexport global i32 3
@imported = external dllimport global i32
@local = internal global i32 4, comdat
@beside = global i32 5, comdat($local), section ".x"
@weak = weak alias i32, ptr @exported
@odr = linkonce_odr alias void (i32), ptr @f

define dllexport x86_stdcallcc void @f(i32 %x) comdat {
  ret void
}

define x86_fastcallcc void @fast(i32 %x, i64 %y) {
  ret void
}

define x86_vectorcallcc void @vector(i32 %x) {
  ret void
}

!llvm.linker.options = !{!0, !1}
!0 = !{!"/DEFAULTLIB:libcmt.lib"}
!1 = !{!"/A", !"/B"}
