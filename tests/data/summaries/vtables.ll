source_filename = "vtables.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@table = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @first, ptr @second] }, !type !0, !type !1, !vcall_visibility !2
@derived = linkonce_odr constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @first, ptr @pure] }, !type !0
@unseen = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @second] }, !type !1, !vcall_visibility !3

define i32 @first(ptr %this) {
  ret i32 1
}

define internal i32 @second(ptr %this) {
  ret i32 2
}

declare void @pure(ptr)

declare { ptr, i1 } @llvm.type.checked.load(ptr, i32, metadata)

define void @checked(ptr %object, i32 %n) {
  %vtable = load ptr, ptr %object
  %pair = call { ptr, i1 } @llvm.type.checked.load(ptr %vtable, i32 8, metadata !"_ZTS1A")
  %method = extractvalue { ptr, i1 } %pair, 0
  %some = call i32 %method(ptr %object, i32 %n)
  %constant = call { ptr, i1 } @llvm.type.checked.load(ptr %vtable, i32 16, metadata !"_ZTS1A")
  %known = extractvalue { ptr, i1 } %constant, 0
  %same = call i32 %known(ptr %object, i32 7)
  ret void
}

!llvm.module.flags = !{!10, !11}
!0 = !{i64 16, !"_ZTS1A"}
!1 = !{i64 16, !"_ZTS1\C3\89"}
!2 = !{i64 1}
!3 = !{i64 2}
!10 = !{i32 1, !"ThinLTO", i32 1}
!11 = !{i32 1, !"EnableSplitLTOUnit", i32 0}
