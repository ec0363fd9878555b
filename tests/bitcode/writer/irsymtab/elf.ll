source_filename = "elf.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

$c = comdat any
$d = comdat largest

@llvm.used = appending global [1 x ptr] [ptr @tls], section "llvm.metadata"
@llvm.compiler.used = appending global [2 x ptr] [ptr @hidden, ptr addrspacecast (ptr addrspace(1) @far to ptr)], section "llvm.metadata"
@tls = thread_local global i32 1
@hidden = hidden global i32 2, section "s"
@far = internal addrspace(1) global i32 3
@common = common global [3 x i64] zeroinitializer, align 16
@weak = extern_weak global i32
@private = private unnamed_addr constant i8 0
@0 = internal global i32 4
@omitted = linkonce_odr unnamed_addr global i32 5, comdat($d)
@kept = linkonce_odr local_unnamed_addr global i32 6
@also = linkonce_odr local_unnamed_addr constant i32 7
@available = available_externally constant i32 8
@"\01raw" = external global i32
@__stack_chk_guard = global i64 0
@alias = weak alias i32, ptr @hidden
@function.alias = alias void (), ptr @c
@ifunc = ifunc void (), ptr @resolver

define protected void @c() section "t" comdat {
  ret void
}

define internal ptr @resolver() {
  ret ptr null
}

define linkonce_odr void @template() local_unnamed_addr comdat($c) {
  ret void
}

define void @memcpy() {
  ret void
}

define void @_Unwind_SjLj_Resume() {
  ret void
}

declare void @llvm.donothing()

declare void @used()

!llvm.dependent-libraries = !{!0, !1}
!llvm.module.flags = !{!2}
!0 = !{!"m"}
!1 = !{!"pthread"}
!2 = !{i32 1, !"Code Model", i32 3}
