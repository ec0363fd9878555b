source_filename = "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"
target triple = "x86_64-\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"
module asm "# \1B[31m\9B"
module asm ".globl q"
%"s\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" = type { i32 }
$"c\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" = comdat any
@"v\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" = global %"s\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" zeroinitializer, section "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz", partition "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz", comdat($"c\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz")
@"a\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" = alias i32, ptr @"v\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"
@"i\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" = ifunc void (), ptr @"r\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"
@l = global i32 0
define ptr @"r\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"() { ret ptr null }
declare void @"d\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"(ptr)
define void @"f\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"(ptr %"p\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz") #0 section "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" comdat($"c\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz") gc "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" personality ptr @"d\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" !foo !0 !pcsections !1 {
"b\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz":
  %"x\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" = load atomic i32, ptr %"p\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" syncscope("\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz") seq_cst, align 4, !pcsections !1
  call void @"d\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"(ptr %"p\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz") [ "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"(i32 %"x\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz") ]
  call void asm "nop", ""()
  br label %"k\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"
"k\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz":
  ret void
}
attributes #0 = { "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"="\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz" }
!n\1B\5B31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz = !{!0}
!llvm.module.flags = !{!2, !3}
!llvm.ident = !{!0}
!0 = !{!"\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"}
!1 = !{!"sec\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz!C", !4}
!2 = !{i32 1, !"\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz", !"\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz"}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 7}
!llvm.dbg.cu = !{!5}
!5 = distinct !DICompileUnit(language: DW_LANG_C99, file: !6, producer: "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz", isOptimized: true, flags: "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz", runtimeVersion: 0, emissionKind: FullDebug)
!6 = !DIFile(filename: "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz", directory: "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz", source: "\1B[31m\0A\0D\E2\80\AE\FF\9B\7F\09\0Bz")
