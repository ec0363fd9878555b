target datalayout = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
target triple = "i386-unknown-linux-gnu"
@0 = global i8 0
@appended = appending global [1 x i32] zeroinitializer
@common = common global i32 0
@here_too = available_externally global i32 0
@weak = weak global i32 0
@weak_odr = weak_odr hidden constant i32 0
@once = linkonce global i32 0
@maybe = extern_weak global i32
@local = internal constant i32 0
@private = private global i32 0
@noted = global i32 0, section "llvm.metadata"
@of_code = alias i8, inttoptr (i32 sub (i32 ptrtoint (ptr @code to i32), i32 4) to ptr)
@of_both = alias i8, inttoptr (i32 add (i32 ptrtoint (ptr @code to i32), i32 ptrtoint (ptr @weak to i32)) to ptr)
@of_alias = alias i8, getelementptr (i8, ptr @of_code, i32 1)
@weak_alias = weak alias i32, ptr @weak
@chosen = ifunc void (), ptr @choose
@of_chosen = alias void (), ptr @chosen
define void @code() { ret void }
define internal ptr @choose() { ret ptr @code }
define linkonce_odr void @inline() { ret void }
declare void @needed()
declare extern_weak void @perhaps()
declare void @llvm.trap()
