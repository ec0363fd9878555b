;;; function !dbg attachment must be a subprogram
define void @f() !dbg !2 {
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!2 = distinct !{}
;;; function declaration may only have a unique !dbg attachment
declare !dbg !2 void @f()
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
;;; DISubprogram attached to more than one function
define void @f() !dbg !2 {
  ret void
}
define void @g() !dbg !2 {
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
;;; subprogram definitions must have a compile unit
define void @f() !dbg !2 {
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, spFlags: DISPFlagDefinition)
;;; DICompileUnit not listed in llvm.dbg.cu
define void @f() !dbg !2 {
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
;;; !dbg attachment points at wrong subprogram for function
define void @f() !dbg !2 {
  ret void, !dbg !5
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = distinct !DISubprogram(name: "g", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 1, scope: !4)
;;; inlinable function call in a function with debug info must have a !dbg location
define void @f() !dbg !2 {
  call void @g()
  ret void
}
define void @g() !dbg !4 {
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = distinct !DISubprogram(name: "g", file: !1, unit: !3, spFlags: DISPFlagDefinition)
;;; location requires a valid scope
define void @f() {
  ret void, !dbg !1
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DILocation(line: 1, scope: !2)
!2 = !{}
;;; scope points into the type hierarchy
define void @f() {
  ret void, !dbg !1
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DILocation(line: 1, scope: !2)
!2 = !DISubprogram(name: "f", spFlags: 0)
;;; inlined-at should be a location
define void @f() {
  ret void, !dbg !5
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!5 = !DILocation(line: 1, scope: !2, inlinedAt: !6)
!6 = !{}
;;; mismatched subprogram between #dbg record variable and DILocation
define void @f(i32 %x) !dbg !2 {
    #dbg_value(i32 %x, !6, !DIExpression(), !5)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = distinct !DISubprogram(name: "g", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILocalVariable(name: "x", scope: !4)
;;; mismatched subprogram between #dbg_label label and !dbg attachment
define void @f(i32 %x) !dbg !2 {
    #dbg_label(!6, !5)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = distinct !DISubprogram(name: "g", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILabel(scope: !4, name: "x", file: !1, line: 1)
;;; location of #dbg_declare must be a pointer or int
define void @f(float %x) !dbg !2 {
    #dbg_declare(float %x, !6, !DIExpression(), !5)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILocalVariable(name: "x", scope: !2)
;;; conflicting debug info for argument
define void @f(i32 %x) !dbg !2 {
    #dbg_value(i32 %x, !6, !DIExpression(), !5)
    #dbg_value(i32 %x, !7, !DIExpression(), !5)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILocalVariable(name: "x", arg: 1, scope: !2)
!7 = !DILocalVariable(name: "y", arg: 1, scope: !2)
;;; fragment covers entire variable
define void @f(i32 %x) !dbg !2 {
    #dbg_value(i32 %x, !6, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !5)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILocalVariable(name: "x", scope: !2, type: !7)
!7 = !DIDerivedType(tag: DW_TAG_typedef, name: "t", baseType: !8)
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
;;; fragment is larger than or outside of variable
define void @f(i32 %x) !dbg !2 {
    #dbg_value(i32 %x, !6, !DIExpression(DW_OP_LLVM_fragment, 16, 32), !5)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILocalVariable(name: "x", scope: !2, type: !7)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
;;; fragment is larger than or outside of variable
@x = global i32 0, !dbg !2
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIGlobalVariableExpression(var: !3, expr: !DIExpression(DW_OP_LLVM_fragment, 16, 32))
!3 = !DIGlobalVariable(name: "x", type: !7)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
;;; Entry values are only allowed in MIR unless they target a swiftasync Argument
define void @f(i32 %x) !dbg !2 {
    #dbg_value(i32 %x, !6, !DIExpression(DW_OP_LLVM_entry_value, 1), !5)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILocalVariable(name: "x", scope: !2)
;;; invalid expression
define void @f(i32 %x) !dbg !2 {
    #dbg_value(i32 %x, !6, !DIExpression(DW_OP_LLVM_fragment, 0, 8, DW_OP_deref), !5)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!5 = !DILocation(line: 1, scope: !2)
!6 = !DILocalVariable(name: "x", scope: !2)
;;; unrecognized named metadata node in the llvm.dbg namespace
!llvm.dbg.other = !{}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
;;; invalid compile unit
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{}
;;; DbgLoc uses atomGroup but DISubprogram doesn't have Key Instructions enabled
define void @f(i32 %x) !dbg !2 {
  ret void, !dbg !5
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!5 = !DILocation(line: 1, scope: !2, atomGroup: 1, atomRank: 1)
;;; !DIAssignID attached to unexpected instruction kind
define i32 @f(i32 %x) {
  %y = add i32 %x, 1, !DIAssignID !1
  ret i32 %y
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DIAssignID()
;;; !DIAssignID should only be used by Assign DVRs.
define void @f(ptr %p) !dbg !5 {
    #dbg_assign(i32 0, !7, !DIExpression(), !9, ptr %p, !DIExpression(), !8)
  store i32 0, ptr %p, !DIAssignID !9
    #dbg_value(!9, !7, !DIExpression(), !8)
    #dbg_assign(i32 0, !7, !DIExpression(), !9, ptr %p, !DIExpression(), !8)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "f", file: !1, unit: !3, type: !4, spFlags: DISPFlagDefinition)
!7 = !DILocalVariable(name: "v", scope: !5, type: !2)
!8 = !DILocation(line: 1, scope: !5)
!9 = distinct !DIAssignID()
;;; DVRAssign not in same function as inst
define void @f(ptr %p) !dbg !5 {
  store i32 0, ptr %p, !DIAssignID !9
    #dbg_assign(i32 0, !7, !DIExpression(), !9, ptr %p, !DIExpression(), !8)
  ret void
}
define void @g(ptr %p) !dbg !6 {
    #dbg_assign(i32 0, !10, !DIExpression(), !9, ptr %p, !DIExpression(), !11)
    #dbg_assign(i32 1, !10, !DIExpression(), !9, ptr %p, !DIExpression(), !11)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "f", file: !1, unit: !3, type: !4, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "g", file: !1, unit: !3, type: !4, spFlags: DISPFlagDefinition)
!7 = !DILocalVariable(name: "v", scope: !5, type: !2)
!8 = !DILocation(line: 1, scope: !5)
!9 = distinct !DIAssignID()
!10 = !DILocalVariable(name: "w", scope: !6, type: !2)
!11 = !DILocation(line: 2, scope: !6)
;;; inst not in same function as #dbg_assign
define void @f(ptr %p) !dbg !5 {
    #dbg_assign(i32 0, !7, !DIExpression(), !9, ptr %p, !DIExpression(), !8)
  ret void
}
define void @g(ptr %p) !dbg !6 {
  store i32 0, ptr %p, !DIAssignID !9
  store i32 1, ptr %p, !DIAssignID !9
    #dbg_assign(i32 0, !10, !DIExpression(), !9, ptr %p, !DIExpression(), !11)
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "f", file: !1, unit: !3, type: !4, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "g", file: !1, unit: !3, type: !4, spFlags: DISPFlagDefinition)
!7 = !DILocalVariable(name: "v", scope: !5, type: !2)
!8 = !DILocation(line: 1, scope: !5)
!9 = distinct !DIAssignID()
!10 = !DILocalVariable(name: "w", scope: !6, type: !2)
!11 = !DILocation(line: 2, scope: !6)
;;; invalid #dbg record DILocation
declare void @llvm.dbg.value(metadata, metadata, metadata)
define void @f(i32 %x) !dbg !5 {
  call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !5
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "f", file: !1, unit: !3, type: !4, spFlags: DISPFlagDefinition)
!7 = !DILocalVariable(name: "v", scope: !5, type: !2)
;;; invalid expression
define void @f(ptr %p) !dbg !5 {
    #dbg_assign(i32 0, !7, !DIExpression(), !9, ptr %p, !DIExpression(DW_OP_stack_value, DW_OP_deref), !8)
    #dbg_value(i32 0, !7, !DIExpression(), !8)
  store i32 0, ptr %p, !DIAssignID !9
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!3}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "f", file: !1, unit: !3, type: !4, spFlags: DISPFlagDefinition)
!7 = !DILocalVariable(name: "v", scope: !5, type: !2)
!8 = !DILocation(line: 1, scope: !5)
!9 = distinct !DIAssignID()
