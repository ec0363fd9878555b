%T = type { ptr }
%R = type { i32, %T }
@b = global %R zeroinitializer, !own !5
@c = global i32 0
declare !kinds !0 %T @make.T()
declare void @llvm.x(metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)

define void @use(ptr %p) !dbg !12 !foo !7 {
  %t = call %T @make.T(), !bar !8
  #dbg_value(%T undef, !15, !DIExpression(), !16)
  #dbg_value(!DIArgList(%R zeroinitializer, ptr %p, ptr getelementptr (%R, ptr @c, i32 0, i32 1)), !15, !DIExpression(DW_OP_LLVM_arg, 0), !16)
  #dbg_assign(ptr null, !15, !DIExpression(), !17, ptr getelementptr inbounds ([1 x %R], ptr @c, i32 0, i32 1), !DIExpression(), !16)
  #dbg_value(ptr getelementptr (%R, ptr null, i32 1), !15, !DIExpression(), !16)
  call i1 @llvm.type.test(ptr %p, metadata %R undef)
  call i1 @llvm.type.test(ptr %p, metadata !{%R undef, i32 0})
  unreachable
}
declare i1 @llvm.type.test(ptr, metadata)
!named = !{!0, !1, !2, !3, !4}
!0 = !{%T undef}
!1 = !{[2 x %R] [%R zeroinitializer, %R {i32 1, %T poison}]}
!2 = distinct !{!2, %T poison}
!3 = !{ptr getelementptr (%R, ptr @c, i32 0, i32 1)}
!4 = !{{i32, %T} poison, <2 x i32> zeroinitializer}
!5 = !{%R undef}
!7 = !{!"x", %R poison}
!8 = !{!9, %T zeroinitializer}
!9 = distinct !{%R zeroinitializer}
!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!18}
!10 = distinct !DICompileUnit(language: DW_LANG_C99, file: !11, emissionKind: FullDebug)
!11 = !DIFile(filename: "a.c", directory: "/")
!12 = distinct !DISubprogram(name: "f", file: !11, line: 1, type: !13, unit: !10, spFlags: DISPFlagDefinition)
!13 = !DISubroutineType(types: !14)
!14 = !{null}
!15 = !DILocalVariable(name: "v", scope: !12, file: !11, type: !19)
!16 = !DILocation(line: 1, scope: !12)
!17 = distinct !DIAssignID()
!18 = !{i32 2, !"Debug Info Version", i32 3}
!19 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
