source_filename = "llvm-link"

%0 = type { i32, %1 }
%1 = type { ptr }
%Q = type { i32, %S }
%S = type { ptr }

@a = global %Q zeroinitializer
@b = global %Q zeroinitializer, !own !0
@c = global i32 0

define %S @make.S() {
  unreachable
}

define void @use(ptr %p) !dbg !9 !foo !12 {
  %t = call %S @make.T(), !bar !13
    #dbg_value(%S undef, !15, !DIExpression(), !17)
    #dbg_value(!DIArgList(%Q zeroinitializer, ptr %p, ptr getelementptr (%Q, ptr @c, i32 0, i32 1)), !15, !DIExpression(DW_OP_LLVM_arg, 0), !17)
    #dbg_assign(ptr null, !15, !DIExpression(), !18, ptr getelementptr inbounds ([1 x %Q], ptr @c, i32 0, i32 1), !DIExpression(), !17)
    #dbg_value(ptr getelementptr (%0, ptr null, i32 1), !15, !DIExpression(), !17)
  %1 = call i1 @llvm.type.test(ptr %p, metadata %Q undef)
  %2 = call i1 @llvm.type.test(ptr %p, metadata !19)
  unreachable
}

declare !kinds !1 %S @make.T()

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.type.test(ptr, metadata) #0

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!named = !{!1, !2, !3, !4, !5}
!llvm.dbg.cu = !{!6}
!llvm.module.flags = !{!8}

!0 = !{%Q undef}
!1 = !{%S undef}
!2 = !{[2 x %Q] [%Q zeroinitializer, %Q { i32 1, %S poison }]}
!3 = distinct !{!3, %S poison}
!4 = !{ptr getelementptr (%Q, ptr @c, i32 0, i32 1)}
!5 = !{{ i32, %S } poison, <2 x i32> zeroinitializer}
!6 = distinct !DICompileUnit(language: DW_LANG_C99, file: !7, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!7 = !DIFile(filename: "a.c", directory: "/")
!8 = !{i32 2, !"Debug Info Version", i32 3}
!9 = distinct !DISubprogram(name: "f", scope: null, file: !7, line: 1, type: !10, spFlags: DISPFlagDefinition, unit: !6)
!10 = !DISubroutineType(types: !11)
!11 = !{null}
!12 = !{!"x", %Q poison}
!13 = !{!14, %S zeroinitializer}
!14 = distinct !{%Q zeroinitializer}
!15 = !DILocalVariable(name: "v", scope: !9, file: !7, type: !16)
!16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!17 = !DILocation(line: 1, scope: !9)
!18 = distinct !DIAssignID()
!19 = !{%Q undef, i32 0}
