$first = comdat any
$second = comdat any
@variable = global i32 0, comdat($second)
@alias = alias i32, ptr @variable
declare i32 @called(i32)
declare i32 @__gxx_personality_v0(...)
define i32 @caller(i32 %a) personality ptr @__gxx_personality_v0 !dbg !3 {
  %v = alloca i32, !DIAssignID !10
    #dbg_value(!DIArgList(i32 %a, i32 %a), !5, !DIExpression(DW_OP_LLVM_arg, 0), !6)
    #dbg_declare(ptr %v, !5, !DIExpression(), !6)
    #dbg_assign(i32 %a, !5, !DIExpression(), !10, ptr %v, !DIExpression(), !6)
    #dbg_label(!11, !6)
  %c = call i32 @called(i32 %a), !dbg !6
  %d = invoke i32 @called(i32 %c) to label %ok unwind label %bad, !dbg !6
ok:
  ret i32 %d
bad:
  %lp = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, retainedTypes: !12)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "b", file: !1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocalVariable(name: "v", scope: !3, type: !7)
!6 = !DILocation(line: 1, scope: !3)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DISubrange(count: 3)
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 96, elements: !{!8})
!10 = distinct !DIAssignID()
!11 = !DILabel(scope: !3, name: "l", file: !1, line: 1)
!12 = !{!9}
