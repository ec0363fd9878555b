"""The changes of syntax in the release notes of LLVM 3.5 to 3.9, and what LangRef of the same release says of them."""

from __future__ import annotations

from .change import LANDING_PAD, Change, body, old_body

SHARED_DEBUG_INFO = """!llvm.module.flags = !{!2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "/")
"""

CHANGES = [
    # LLVM 3.5
    Change(
        "3.5",
        "loops: llvm.vectorizer becomes llvm.loop.vectorize",
        "3.4",
        "define void @f(i8*) {\n  br label %a\na:\n  br label %a, !llvm.loop !0\n}\n"
        "!0 = metadata !{metadata !0, metadata !1, metadata !2}\n"
        '!1 = metadata !{metadata !"llvm.vectorizer.width", i32 4}\n'
        '!2 = metadata !{metadata !"llvm.vectorizer.unroll", i32 2}',
        # As LLVM upgrades bitcode: the first element is still the old node.
        "define void @f(ptr) {\n  br label %a\na:\n  br label %a, !llvm.loop !0\n}\n"
        '!0 = !{!1, !4, !5}\n!1 = distinct !{!1, !2, !3}\n!2 = !{!"llvm.vectorizer.width", i32 4}\n'
        '!3 = !{!"llvm.vectorizer.unroll", i32 2}\n!4 = !{!"llvm.loop.vectorize.width", i32 4}\n'
        '!5 = !{!"llvm.loop.interleave.count", i32 2}',
    ),
    Change(
        "3.5",
        "cmpxchg has two orderings, weak, and a flag",
        "3.5",
        old_body("%x = cmpxchg weak volatile i32* %p, i32 0, i32 1 acq_rel monotonic"),
        body("%x = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4"),
    ),
    Change(
        "3.5",
        "inalloca",
        "3.5",
        old_body("%x = alloca inalloca i32, align 4"),
        body("%x = alloca inalloca i32, align 4"),
    ),
    Change(
        "3.5",
        "musttail",
        "3.5",
        "define void @f(i32* %p) {\n  musttail call void @f(i32* %p)\n  ret void\n}",
        "define void @f(ptr %p) {\n  musttail call void @f(ptr %p)\n  ret void\n}",
    ),
    Change(
        "3.5",
        "nonnull and dereferenceable",
        "3.5",
        "declare void @f(i8* nonnull dereferenceable(4))",
        "declare void @f(ptr nonnull dereferenceable(4))",
    ),
    Change("3.5", "jumptable", "3.5", "declare void @f(i8*) jumptable", "declare void @f(ptr) jumptable"),
    Change(
        "3.5",
        "preserve_mostcc and preserve_allcc",
        "3.5",
        "declare preserve_mostcc void @f(i8*)\ndeclare preserve_allcc void @g()",
        "declare preserve_mostcc void @f(ptr)\ndeclare preserve_allcc void @g()",
    ),
    Change(
        "3.5",
        "DLL storage classes",
        "3.5",
        "@x = external dllimport global i8*\n@y = dllexport global i8* null",
        "@x = external dllimport global ptr\n@y = dllexport global ptr null",
    ),
    Change(
        "3.5",
        "comdats",
        "3.5",
        "$c = comdat largest\n@x = global i8* null, comdat $c",
        "$c = comdat largest\n@x = global ptr null, comdat($c)",
    ),
    Change(
        "3.5",
        "comdats of functions",
        "3.5",
        "$c = comdat any\ndefine void @f(i8*) comdat $c {\n  ret void\n}",
        "$c = comdat any\ndefine void @f(ptr) comdat($c) {\n  ret void\n}",
    ),
    Change(
        "3.5",
        "structors have data",
        "3.4",
        "define void @f() {\n  ret void\n}\n"
        "@llvm.global_ctors = appending global [1 x { i32, void ()* }] [{ i32, void ()* } { i32 1, void ()* @f }]",
        "define void @f() {\n  ret void\n}\n"
        "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]",
    ),
    # LLVM 3.6
    Change(
        "3.6",
        "comdat names in parentheses",
        "3.6",
        "$c = comdat any\n@x = global i8* null, comdat($c)\n@c = global i32 0, comdat",
        "$c = comdat any\n@x = global ptr null, comdat($c)\n@c = global i32 0, comdat",
    ),
    Change(
        "3.6",
        "the linkage precedes alias",
        "3.5",
        "@a = alias weak i32* @y\n@y = global i32 0",
        "@a = weak alias i32, ptr @y\n@y = global i32 0",
    ),
    Change(
        "3.6",
        "metadata has no type",
        "3.5",
        '!n = !{!0}\n!0 = metadata !{metadata !1, metadata !2, metadata !"some string"}\n'
        '!1 = metadata !{metadata !2, null, metadata !"other", i32* @g, i32 7}\n!2 = metadata !{}\n@g = global i32 0',
        '!n = !{!0}\n!0 = !{!1, !2, !"some string"}\n!1 = !{!2, null, !"other", ptr @g, i32 7}\n!2 = !{}\n'
        "@g = global i32 0",
    ),
    Change(
        "3.6",
        "metadata of functions: one value",
        "3.5",
        "declare void @md(metadata)\n" + old_body("call void @md(metadata !{i32* %p})"),
        "declare void @md(metadata)\n" + body("call void @md(metadata ptr %p)"),
    ),
    Change(
        "3.6",
        "metadata of functions: one constant",
        "3.5",
        "@g = global i32 0\ndeclare void @md(metadata)\n" + old_body("call void @md(metadata !{i32* @g})"),
        "@g = global i32 0\ndeclare void @md(metadata)\n" + body("call void @md(metadata ptr @g)"),
    ),
    Change(
        "3.6",
        "metadata of functions: constants",
        "3.5",
        "declare void @md(metadata)\n" + old_body("call void @md(metadata !{i32 1, i8* null})"),
        "declare void @md(metadata)\n" + body("call void @md(metadata !{i32 1, ptr null})"),
    ),
    Change(
        "3.6",
        "metadata of functions: several values are lost",
        "3.5",
        "declare void @md(metadata)\n" + old_body("call void @md(metadata !{i32* %p, i32 1})"),
        "declare void @md(metadata)\n" + body("call void @md(metadata !{})"),
    ),
    Change(
        "3.6",
        "metadata of functions: nodes around a value are lost",
        "3.5",
        "declare void @md(metadata)\n"
        + old_body('call void @md(metadata !{metadata !{metadata !{i32* %p}, metadata !"s"}})'),
        "declare void @md(metadata)\n" + body("call void @md(metadata !{})"),
    ),
    Change(
        "3.6",
        "metadata of functions: a node",
        "3.5",
        "declare void @md(metadata)\n"
        + old_body('call void @md(metadata !{metadata !{metadata !0, metadata !"s"}})')
        + "!0 = metadata !{}",
        "declare void @md(metadata)\n" + body('call void @md(metadata !{!{!0, !"s"}})') + "!0 = !{}",
    ),
    Change(
        "3.6",
        "distinct nodes",
        "3.6",
        "!n = !{!0, !1}\n!0 = distinct !{}\n!1 = !{!0}\n@x = global i8* null",
        "!n = !{!0, !1}\n!0 = distinct !{}\n!1 = !{!0}\n@x = global ptr null",
    ),
    Change(
        "3.6",
        "nodes that refer to themselves are distinct",
        "3.5",
        "!n = !{!0, !1, !2}\n!0 = metadata !{metadata !0}\n!1 = metadata !{metadata !0}\n!2 = metadata !{metadata !0}",
        "!n = !{!0, !1, !1}\n!0 = distinct !{!0}\n!1 = !{!0}",
    ),
    Change(
        "3.6",
        "MDLocation",
        "3.6",
        "define void @f(i32*) {\n  ret void, !dbg !0\n}\n!0 = !MDLocation(line: 3, column: 7, scope: !1)\n"
        '!1 = !{!"0x2e"}',
        "define void @f(ptr) {\n  ret void\n}",
    ),
    Change(
        "3.6",
        "what was called prefix data is called prologue data",
        "3.5",
        "define void @f(i32*) prefix i32 1 {\n  ret void\n}\n!n = !{!0}\n!0 = metadata !{}",
        "define void @f(ptr) prologue i32 1 {\n  ret void\n}\n!n = !{!0}\n!0 = !{}",
    ),
    Change(
        "3.6",
        "prologue data",
        "3.6",
        "define void @f(i32*) prologue i32 1 {\n  ret void\n}",
        "define void @f(ptr) prologue i32 1 {\n  ret void\n}",
    ),
    Change(
        "3.6",
        "prefix data",
        "3.6",
        "define void @f(i32*) prefix i32 1 {\n  ret void\n}",
        "define void @f(ptr) prefix i32 1 {\n  ret void\n}",
    ),
    Change(
        "3.6",
        "x86_vectorcallcc",
        "3.6",
        "declare x86_vectorcallcc void @f(i8*)",
        "declare x86_vectorcallcc void @f(ptr)",
    ),
    Change(
        "3.6",
        "use-list orders",
        "3.6",
        "@x = global i32 0\n@a = global i32* @x\n@b = global i32* @x\nuselistorder i32* @x, { 1, 0 }",
        "@x = global i32 0\n@a = global ptr @x\n@b = global ptr @x\nuselistorder ptr @x, { 1, 0 }",
    ),
    # LLVM 3.7
    Change(
        "3.7",
        "load has the type of its result",
        "3.6",
        old_body("%x = load i32* %p, align 4"),
        body("%x = load i32, ptr %p, align 4"),
    ),
    Change(
        "3.7",
        "getelementptr has the type of its elements",
        "3.6",
        old_body("%x = getelementptr inbounds i32* %p, i64 1"),
        body("%x = getelementptr inbounds i32, ptr %p, i64 1"),
    ),
    Change(
        "3.7",
        "getelementptr of constants has the type of its elements",
        "3.6",
        "@x = global [2 x i8] zeroinitializer\n@y = global i8* getelementptr inbounds ([2 x i8]* @x, i32 0, i32 1)",
        "@x = global [2 x i8] zeroinitializer\n@y = global ptr getelementptr inbounds ([2 x i8], ptr @x, i32 0, i32 1)",
    ),
    Change(
        "3.7",
        "call has the type of the function",
        "3.6",
        "declare i32 @printf(i8*, ...)\n" + old_body("%x = call i32 (i8*, ...)* @printf(i8* null)"),
        "declare i32 @printf(ptr, ...)\n" + body("%x = call i32 (ptr, ...) @printf(ptr null)"),
    ),
    Change(
        "3.7",
        "functions have the personality",
        "3.7",
        LANDING_PAD.format(own="personality i32 (...)* @personality ", pointer="i8*", clause=""),
        LANDING_PAD.format(own="personality ptr @personality ", pointer="ptr", clause=""),
    ),
    Change(
        "3.7",
        "weak linkages imply no comdat",
        "3.4",
        "@p = linker_private global i8 0\n@x = weak global i8* null\ndefine linkonce_odr void @f() {\n  ret void\n}",
        "$x = comdat any\n$f = comdat any\n@p = private global i8 0\n@x = weak global ptr null, comdat\n"
        "define linkonce_odr void @f() comdat {\n  ret void\n}",
    ),
    Change(
        "3.7",
        "weak linkages that had no implied comdat in bitcode",
        "3.6",
        "@x = weak global i8* null",
        "@x = weak global ptr null",
    ),
    Change(
        "3.7",
        "debug information has classes of its own",
        "3.7",
        "define void @f(i32*) {\n  ret void, !dbg !5\n}\n!llvm.dbg.cu = !{!0}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: 1, subprograms: !3)\n!3 = !{!4}\n"
        '!4 = !DISubprogram(name: "f", scope: !1, file: !1, isDefinition: true, '
        "function: void (i32*)* @f, variables: !6)\n"
        "!5 = !DILocation(line: 1, scope: !4)\n!6 = !{!7}\n"
        '!7 = !DILocalVariable(tag: DW_TAG_arg_variable, name: "x", arg: 1, scope: !4)\n' + SHARED_DEBUG_INFO,
        "define void @f(ptr) !dbg !4 {\n  ret void, !dbg !5\n}\n!llvm.dbg.cu = !{!0}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)\n"
        '!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, spFlags: DISPFlagDefinition, unit: !0, '
        "retainedNodes: !6)\n"
        "!5 = !DILocation(line: 1, scope: !4)\n!6 = !{!7}\n"
        '!7 = !DILocalVariable(name: "x", arg: 1, scope: !4)\n' + SHARED_DEBUG_INFO,
    ),
    Change(
        "3.7", "argmemonly", "3.7", "declare void @f(i8*) argmemonly", "declare void @f(ptr) memory(argmem: readwrite)"
    ),
    Change("3.7", "convergent", "3.7", "declare void @f(i8*) convergent", "declare void @f(ptr) convergent"),
    Change(
        "3.7",
        "dereferenceable_or_null",
        "3.7",
        "declare void @f(i8* dereferenceable_or_null(4))",
        "declare void @f(ptr dereferenceable_or_null(4))",
    ),
    # LLVM 3.8
    Change(
        "3.8",
        "aliases have a type of their own",
        "3.8",
        "@a = alias i32, i32* @y\n@y = global i32 0",
        "@a = alias i32, ptr @y\n@y = global i32 0",
    ),
    Change(
        "3.8",
        "aliases without a type of their own",
        "3.7",
        "@a = hidden alias bitcast (i32* @y to i8*)\n@y = global i32 0",
        "@a = hidden alias i8, ptr @y\n@y = global i32 0",
    ),
    Change(
        "3.8",
        "operand bundles",
        "3.8",
        "declare void @g()\n" + old_body('call void @g() [ "deopt"(i32* %p, i32 1) ]'),
        "declare void @g()\n" + body('call void @g() [ "deopt"(ptr %p, i32 1) ]'),
    ),
    Change(
        "3.8",
        "instructions of exceptions for MSVC",
        "3.8",
        "declare i32 @p(...)\ndeclare void @g()\ndefine void @f(i8* %q) personality i32 (...)* @p {\n"
        "  invoke void @g() to label %a unwind label %b\na:\n  ret void\nb:\n"
        "  %s = catchswitch within none [label %c] unwind label %e\nc:\n"
        "  %d = catchpad within %s [i8* null, i32 64, i8* null]\n  catchret from %d to label %a\ne:\n"
        "  %h = cleanuppad within none []\n  cleanupret from %h unwind to caller\n}",
        "declare i32 @p(...)\ndeclare void @g()\ndefine void @f(ptr %q) personality ptr @p {\n"
        "  invoke void @g() to label %a unwind label %b\na:\n  ret void\nb:\n"
        "  %s = catchswitch within none [label %c] unwind label %e\nc:\n"
        "  %d = catchpad within %s [ptr null, i32 64, ptr null]\n  catchret from %d to label %a\ne:\n"
        "  %h = cleanuppad within none []\n  cleanupret from %h unwind to caller\n}",
    ),
    Change(
        "3.8",
        "inaccessiblememonly",
        "3.8",
        "declare void @f(i8*) inaccessiblememonly",
        "declare void @f(ptr) memory(inaccessiblemem: readwrite)",
    ),
    Change(
        "3.8",
        "inaccessiblemem_or_argmemonly",
        "3.8",
        "declare void @f(i8*) inaccessiblemem_or_argmemonly",
        "declare void @f(ptr) memory(argmem: readwrite, inaccessiblemem: readwrite)",
    ),
    Change("3.8", "norecurse", "3.8", "declare void @f(i8*) norecurse", "declare void @f(ptr) norecurse"),
    # LLVM 3.9
    Change(
        "3.9",
        "notail",
        "3.9",
        "declare void @g()\n" + old_body("notail call void @g()"),
        "declare void @g()\n" + body("notail call void @g()"),
    ),
    Change(
        "3.9",
        "masked loads",
        "3.9",
        "declare <2 x i32> @llvm.masked.load.v2i32(<2 x i32>*, i32, <2 x i1>, <2 x i32>)\n"
        "define <2 x i32> @f(<2 x i32>* %p, <2 x i1> %m) {\n"
        "  %x = call <2 x i32> @llvm.masked.load.v2i32(<2 x i32>* %p, i32 8, <2 x i1> %m, <2 x i32> undef)\n"
        "  ret <2 x i32> %x\n}",
        "define <2 x i32> @f(ptr %p, <2 x i1> %m) {\n"
        "  %x = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 8 %p, <2 x i1> %m, <2 x i32> undef)\n"
        "  ret <2 x i32> %x\n}",
    ),
    Change(
        "3.9",
        "local_unnamed_addr",
        "3.9",
        "@x = local_unnamed_addr global i8* null",
        "@x = local_unnamed_addr global ptr null",
    ),
    Change(
        "3.9",
        "unnamed_addr precedes the address space",
        "3.8",
        "@x = addrspace(1) unnamed_addr global i8* null",
        "@x = unnamed_addr addrspace(1) global ptr null",
    ),
    Change(
        "3.9",
        "ifuncs",
        "3.9",
        "@x = ifunc i32 (), i32 ()* ()* @r\ndefine i32 ()* @r() {\n  ret i32 ()* null\n}",
        "@x = ifunc i32 (), ptr @r\ndefine ptr @r() {\n  ret ptr null\n}",
    ),
    Change(
        "3.9",
        "the calling convention of Swift",
        "3.9",
        "declare swiftcc void @f(i8* swiftself, i8** swifterror)",
        "declare swiftcc void @f(ptr swiftself, ptr swifterror)",
    ),
    Change(
        "3.9",
        "allocsize",
        "3.9",
        "declare i8* @f(i32, i32) allocsize(0, 1)",
        "declare ptr @f(i32, i32) allocsize(0, 1)",
    ),
    Change(
        "3.9",
        "global variables without a name have a number",
        "3.9",
        "global i32 4\n@x = global i32* @0",
        "@0 = global i32 4\n@x = global ptr @0",
    ),
    Change(
        "3.9",
        "debug information: parts of variables",
        "3.9",
        f"{SHARED_DEBUG_INFO}@x = global i8* null\n!n = !{{!0}}\n!0 = !DIExpression(DW_OP_bit_piece, 0, 8)",
        f"{SHARED_DEBUG_INFO}@x = global ptr null\n!n = !{{!0}}\n!0 = !DIExpression(DW_OP_LLVM_fragment, 0, 8)",
    ),
    Change(
        "3.9",
        "debug information: types by their identifiers",
        "3.8",
        f"{SHARED_DEBUG_INFO}@x = global i8* null\n!n = !{{!0, !3}}\n"
        '!0 = !DICompositeType(tag: DW_TAG_class_type, identifier: "T")\n'
        '!3 = !DIDerivedType(tag: DW_TAG_member, scope: !"T", baseType: !"T")',
        f"{SHARED_DEBUG_INFO}@x = global ptr null\n!n = !{{!0, !3}}\n"
        '!0 = !DICompositeType(tag: DW_TAG_class_type, identifier: "T")\n'
        "!3 = !DIDerivedType(tag: DW_TAG_member, scope: !0, baseType: !0)",
    ),
]
