; Fields of debug-info nodes that LLVM 23 added.
source_filename = "nodes.ll"
@g = global i32 0, !dbg !9
define void @f() !dbg !5 { ret void }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, dialect: DW_LLVM_LANG_DIALECT_simt, file: !1, producer: "x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !8)
!1 = !DIFile(filename: "a.c", directory: "/tmp")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIBasicType(tag: DW_TAG_base_type, name: "t", scope: !0, file: !1, line: 7, size: 32, align: 8, dataSize: 17, encoding: DW_ATE_signed, num_extra_inhabitants: 3, flags: DIFlagBigEndian)
!4 = !DIFixedPointType(name: "fx", scope: !0, file: !1, line: 9, size: 32, encoding: DW_ATE_signed_fixed, kind: Rational, numerator: 1, denominator: 3)
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{!3, !4}
!8 = !{!9}
!9 = !DIGlobalVariableExpression(var: !10, expr: !DIExpression())
!10 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !1, line: 1, type: !3, isLocal: false, isDefinition: true)
