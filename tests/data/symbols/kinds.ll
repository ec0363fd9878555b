target datalayout = "e-m:o-i64:64-i128:128-n32:64-S128"
target triple = "arm64-apple-macosx"
@c = constant i32 1
@d = global i32 2
@hc = hidden constant i32 1
@hd = hidden global i32 1
@sd = internal global i32 1
@wd = weak global i32 1
@whd = linkonce_odr hidden global i32 1
@cm = common global i32 0
@u = external global i32
@wu = extern_weak global i32
@hu = external hidden global i32
@sc = internal constant i32 4
@al = alias i32, ptr @d
@wal = weak alias void (), ptr @f
define void @f() {
 ret void
}
define hidden void @hf() {
 ret void
}
define internal void @sf() {
 store i32 1, ptr @u
 store i32 1, ptr @wu
 store i32 1, ptr @hu
 store i32 1, ptr @sd
 ret void
}
define weak void @wf() {
 ret void
}
