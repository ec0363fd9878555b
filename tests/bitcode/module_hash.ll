source_filename = "hash.c"
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm "nop"

$f = comdat any

@g = global i32 5, section "first", partition "part", comdat($f), align 4, !kind !5
@c = internal constant [2 x ptr] [ptr @f, ptr @g]
@a = alias i32, ptr @g
@i = ifunc void (), ptr @resolver

define ptr @resolver() {
  ret ptr null
}

define i32 @f(i32 %x, ptr %p) #0 comdat gc "statepoint-example" personality ptr @resolver !dbg !8 {
entry:
    #dbg_value(i32 %x, !12, !DIExpression(), !11)
  %sum = add nsw i32 %x, 7, !dbg !11
  %loaded = load volatile i32, ptr %p, align 4
  store i32 %sum, ptr %p, align 4, !kind !5
  %test = icmp eq i32 %sum, %loaded
  br i1 %test, label %then, label %end, !prof !13

then:
  %field = getelementptr inbounds i32, ptr %p, i64 1
  %half = fadd fast float 1.0, 2.0
  %cast = zext nneg i32 %sum to i64
  %old = atomicrmw add ptr %field, i32 1 seq_cst, align 4
  %called = tail call i32 @called(i32 %old) [ "bundle"(i32 1) ]
  br label %end

end:
  %phi = phi i32 [ %sum, %entry ], [ %called, %then ]
  ret i32 %phi
}

declare i32 @called(i32)

attributes #0 = { nounwind "key"="value" }

!llvm.dbg.cu = !{!6}
!llvm.module.flags = !{!0, !1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 8, !"PIC Level", i32 2}
!5 = distinct !{!"text", i32 1}
!6 = distinct !DICompileUnit(language: DW_LANG_C, file: !7, producer: "p", emissionKind: FullDebug)
!7 = !DIFile(filename: "hash.c", directory: "/")
!8 = distinct !DISubprogram(name: "f", file: !7, line: 1, type: !9, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !6)
!9 = !DISubroutineType(types: !10)
!10 = !{null, !14}
!11 = !DILocation(line: 2, column: 3, scope: !8)
!12 = !DILocalVariable(name: "x", arg: 1, scope: !8, file: !7, line: 1, type: !14)
!13 = !{!"branch_weights", i32 1, i32 2}
!14 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)

^0 = module: (path: "hash.bc", hash: (1, 2, 3, 4, 5))
^1 = gv: (name: "f", summaries: (function: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition, noRenameOnPromotion: 0), insts: 14)))
^2 = flags: 8
