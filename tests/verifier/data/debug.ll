define void @f(i32 %x) !dbg !2 {
    #dbg_value(i32 %x, !6, !DIExpression(DW_OP_LLVM_fragment, 16, 32), !5)
  ret void, !dbg !7
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = distinct !DISubprogram(name: "g", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILocalVariable(name: "x", scope: !2, type: !8)
!7 = !DILocation(line: 2, scope: !4)
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
