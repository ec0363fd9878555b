target triple = "x86_64-apple-macosx"
target datalayout = "e-m:o-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:32-n8:16:32-a:0:32-S32"
%s = type { i32, i64, i8 }
@0 = private global i32 0
@1 = global i32 0
@2 = external global i32
@3 = external dllimport global i32
@"?cpp@@x" = global i32 0
@"\01raw" = global i32 0
@p = private global i32 0
@"?pp" = private global i32 0
define x86_stdcallcc void @std(i32 %a, i64 %b, i8 %c) { ret void }
define x86_fastcallcc void @fast(i32 %a, i8 %c) { ret void }
define x86_fastcallcc void @"?fast2"(i32 %a, i8 %c) { ret void }
define x86_fastcallcc void @"\01fast3"(i32 %a, i8 %c) { ret void }
define x86_vectorcallcc void @vec(<4 x float> %a, ptr byval(%s) %p) { ret void }
define x86_stdcallcc void @sret(ptr sret(%s) %a, ptr inalloca(%s) %b) { ret void }
define x86_stdcallcc ptr @res() { ret ptr null }
define x86_stdcallcc void @var0(...) { ret void }
define x86_stdcallcc void @var1(i32, ...) { ret void }
define x86_stdcallcc void @var2(ptr sret(%s), ...) { ret void }
define x86_vectorcallcc void @var3(i32, ...) { ret void }
@al = alias void (i32), ptr @fast
declare dllimport x86_stdcallcc void @imp(i32)
@c = common global i32 0
@ac = available_externally global i32 0
@ew = extern_weak global i32
declare extern_weak void @ewf()
@wk = weak hidden global i32 0


@lm = global i32 0, section "llvm.metadata"
@cyc1 = alias i8, getelementptr (i8, ptr @vec, i32 4)
@if = ifunc void (), ptr @res
@aif = alias void (), ptr @if
declare void @llvm.trap()
define internal void @loc() { ret void }
@const = internal constant i32 0
@llvm.used = appending global [1 x ptr] [ptr @c], section "llvm.metadata"
