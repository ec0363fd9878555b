; Every kind of debug record that names a value, and metadata that wraps globals.
source_filename = "a.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@g = global i32 0
@h = global i32 1

define i32 @f(i32 %a, ptr %p) !dbg !4 {
  %room = alloca i32, align 4, !DIAssignID !11
    #dbg_declare(ptr %room, !8, !DIExpression(), !9)
    #dbg_assign(i32 %a, !8, !DIExpression(), !11, ptr %room, !DIExpression(), !9)
  %x = mul i32 %a, 3, !dbg !9
    #dbg_value(i32 %x, !8, !DIExpression(), !9)
    #dbg_value(!DIArgList(i32 %x, i32 %a), !8, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus), !9)
    #dbg_value(ptr @g, !8, !DIExpression(), !9)
    #dbg_value(ptr getelementptr (i8, ptr @g, i64 1), !8, !DIExpression(), !9)
  %y = add i32 %x, 1, !dbg !9
    #dbg_value(i32 %y, !8, !DIExpression(), !9)
  ret i32 0, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!named = !{!10}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !6)
!5 = !{null}
!6 = !{!8}
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1, type: !7)
!9 = !DILocation(line: 1, column: 1, scope: !4)
!10 = !{ptr @g, ptr getelementptr (i8, ptr @g, i64 1)}
!11 = distinct !DIAssignID()
