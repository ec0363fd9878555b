source_filename = "large.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@data = internal constant [4 x i8] c"abc\00"

define ptr @foo() {
  ret ptr @data
}

!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"Code Model", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
