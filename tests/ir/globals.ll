; Globals of all kinds, and who uses whom; globals.bc is this, assembled by llvm-as 22.
source_filename = "globals.c"
target datalayout = "e-m:e-p:64:64"
target triple = "x86_64-unknown-linux-gnu"

module asm "nop"

$group = comdat largest

@group = linkonce_odr constant [3 x i8] c"ab\00", comdat, align 1, !kind !0
@address = internal global ptr getelementptr inbounds (i8, ptr @group, i64 1)
@outside = external thread_local global i32
@mixed = global { i32, ptr } { i32 undef, ptr undef }
@alias = alias i8, ptr @group
@indirect = ifunc void (), ptr @resolver, !kind !0

define ptr @resolver() {
  ret ptr @reader
}

define void @reader() personality ptr @personality !kind !0 {
  %loaded = load i8, ptr @group
  store ptr @reader, ptr @address
  ret void
}

declare i32 @personality(...)

!named = !{!0}
!0 = !{!"text"}
