source_filename = "macho.c"
target datalayout = "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "arm64-apple-macosx14.0.0"

@l_private = private constant i32 1, section "__TEXT,__const"
@"\01_raw" = global i32 2
@common = common global i32 0, align 4

define void @bzero() {
  ret void
}

define void @sincos() {
  ret void
}
