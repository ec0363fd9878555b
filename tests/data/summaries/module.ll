source_filename = "module.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@local = internal global i32 1
@.str = private constant [2 x i8] c"x\00"
@"odd \22name\FF" = internal global ptr @"odd \22name\FF"
@"\01unmangled" = global i32 5
@vtable = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @caller, ptr @callee] }, !type !0, !type !1, !vcall_visibility !2
@0 = private global i32 7

@aliased = alias i32, ptr @local
@chosen = ifunc i32 (), ptr @resolver

define ptr @resolver() {
  ret ptr @reads
}

define i32 @reads() {
  %a = load i32, ptr @local
  %b = load i32, ptr @0
  %c = add i32 %a, %b
  ret i32 %c
}

define void @writes(i32 %x) sanitize_memtag {
  store i32 %x, ptr @local
  ret void
}

declare void @callee(ptr)
declare i1 @llvm.type.test(ptr, metadata)
declare void @llvm.assume(i1)

define void @uses(ptr %p, ptr %q) sanitize_memtag {
  %second = getelementptr i8, ptr %p, i64 8
  store i32 1, ptr %second
  call void @takes(ptr %q)
  %moved = getelementptr i8, ptr %q, i64 -4
  call void @takes(ptr %moved)
  ret void
}

define internal void @takes(ptr %p) sanitize_memtag {
  store i64 1, ptr %p
  ret void
}

define void @caller(ptr %object, i32 %n) !prof !20 {
  %vtable.of = load ptr, ptr %object
  %is = call i1 @llvm.type.test(ptr %vtable.of, metadata !"_ZTS1A")
  call void @llvm.assume(i1 %is)
  %slot = getelementptr i8, ptr %vtable.of, i64 8
  %method = load ptr, ptr %slot
  call void %method(ptr %object, i32 3)
  %test = icmp eq i32 %n, 0
  br i1 %test, label %hot, label %cold, !prof !21
hot:
  call void @callee(ptr %object)
  tail call void @writes(i32 3)
  ret void
cold:
  call void @uses(ptr %object, ptr null)
  %checked = call i1 @llvm.type.test(ptr %vtable.of, metadata !"_ZTS1B")
  br i1 %checked, label %hot, label %end
end:
  ret void
}

declare ptr @_Znam(i64)

define ptr @allocates() {
  %1 = call ptr @_Znam(i64 10), !memprof !30, !callsite !35
  %2 = call ptr @_Znam(i64 10), !memprof !36, !callsite !39
  call void @writes(i32 1), !callsite !40
  ret ptr %1
}

define ptr @calls() {
  %1 = call ptr @allocates(), !callsite !41
  ret ptr %1
}

!llvm.module.flags = !{!3, !4, !5}
!0 = !{i64 8, !"_ZTS1A"}
!1 = !{i64 8, !"_ZTS1B"}
!2 = !{i64 1}
!3 = !{i32 1, !"EnableSplitLTOUnit", i32 1}
!4 = !{i32 1, !"ThinLTO", i32 1}
!5 = !{i32 1, !"ProfileSummary", !6}
!6 = !{!7, !8, !9, !10, !11, !12, !13, !14}
!7 = !{!"ProfileFormat", !"InstrProf"}
!8 = !{!"TotalCount", i64 10000}
!9 = !{!"MaxCount", i64 1000}
!10 = !{!"MaxInternalCount", i64 1}
!11 = !{!"MaxFunctionCount", i64 1000}
!12 = !{!"NumCounts", i64 3}
!13 = !{!"NumFunctions", i64 3}
!14 = !{!"DetailedSummary", !15}
!15 = !{!16, !17, !18}
!16 = !{i32 10000, i64 100, i32 1}
!17 = !{i32 999000, i64 100, i32 1}
!18 = !{i32 999999, i64 1, i32 2}
!20 = !{!"function_entry_count", i64 400}
!21 = !{!"branch_weights", i32 1000, i32 1}
!30 = !{!31, !33}
!31 = !{!32, !"notcold", !45}
!32 = !{i64 1, i64 2, i64 3, i64 9223372036854775809}
!33 = !{!34, !"cold", !46, !47}
!34 = !{i64 1, i64 2, i64 4}
!35 = !{i64 1}
!36 = !{!37}
!37 = !{!38, !"hot"}
!38 = !{i64 5, i64 2, i64 3}
!39 = !{i64 5}
!40 = !{i64 6, i64 7}
!41 = !{i64 2}
!45 = !{i64 111, i64 1000}
!46 = !{i64 222, i64 2000}
!47 = !{i64 333, i64 3000}
