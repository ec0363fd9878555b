"""The changes of syntax in the release notes of LLVM 3.0 to 3.4, and what LangRef of the same release says of them."""

from __future__ import annotations

from .change import LANDING_PAD, Change, body, old_body

CHANGES = [
    # LLVM 3.0
    Change(
        "3.0",
        "landingpad and resume replace the intrinsics of exceptions",
        "3.0",
        LANDING_PAD.format(
            own="",
            pointer="i8*",
            clause="personality i8* bitcast (i32 (...)* @personality to i8*) ",
        ),
        LANDING_PAD.format(own="personality ptr @personality ", pointer="ptr", clause=""),
    ),
    Change(
        "3.0",
        "volatile load becomes load volatile",
        "3.0",
        old_body("%x = volatile load i32* %p, align 4"),
        body("%x = load volatile i32, ptr %p, align 4"),
    ),
    Change(
        "3.0",
        "volatile store becomes store volatile",
        "3.0",
        old_body("volatile store i32 0, i32* %p, align 4"),
        body("store volatile i32 0, ptr %p, align 4"),
    ),
    Change(
        "3.0", "fence", "3.0", old_body("fence singlethread acquire"), body('fence syncscope("singlethread") acquire')
    ),
    Change(
        "3.0",
        "atomic load",
        "3.0",
        old_body("%x = load atomic i32* %p singlethread acquire, align 4"),
        body('%x = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4'),
    ),
    Change(
        "3.0",
        "atomic store",
        "3.0",
        old_body("store atomic volatile i32 0, i32* %p release, align 4"),
        body("store atomic volatile i32 0, ptr %p release, align 4"),
    ),
    Change(
        "3.0",
        "atomicrmw",
        "3.0",
        old_body("%x = atomicrmw volatile nand i32* %p, i32 1 singlethread seq_cst"),
        body('%x = atomicrmw volatile nand ptr %p, i32 1 syncscope("singlethread") seq_cst, align 4'),
    ),
    Change(
        "3.0",
        "cmpxchg",
        "3.0",
        "define i32 @f(i32* %p) {\n  %x = cmpxchg i32* %p, i32 0, i32 1 seq_cst\n  ret i32 %x\n}",
        "define i32 @f(ptr %p) {\n  %1 = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst, align 4\n"
        "  %x = extractvalue { i32, i1 } %1, 0\n  ret i32 %x\n}",
    ),
    Change(
        "3.0",
        "structs with names, and opaque ones",
        "3.0",
        "%list = type { %list*, %0* }\n%0 = type { i32, %opaque* }\n%opaque = type opaque\n"
        "@x = global %list zeroinitializer",
        "%list = type { ptr, ptr }\n@x = global %list zeroinitializer",
    ),
    Change(
        "3.0",
        "unused libraries: deplibs",
        "3.0",
        'deplibs = [ "c", "m" ]\n@x = global i32 0',
        "@x = global i32 0",
    ),
    Change(
        "3.0",
        "linker_private_weak",
        "3.0",
        "@x = linker_private_weak global i8* null",
        "@x = private global ptr null",
    ),
    # LLVM 3.1
    Change(
        "3.1",
        "half",
        "3.1",
        "@x = global half 0xH3C00\n@y = global half* @x",
        "@x = global half 0xH3C00\n@y = global ptr @x",
    ),
    Change(
        "3.1",
        "vectors of pointers",
        "3.1",
        "define <2 x i32*> @f(<2 x i32*> %v) {\n"
        "  %x = getelementptr <2 x i32*> %v, <2 x i64> <i64 1, i64 2>\n  ret <2 x i32*> %x\n}",
        "define <2 x ptr> @f(<2 x ptr> %v) {\n"
        "  %x = getelementptr i32, <2 x ptr> %v, <2 x i64> <i64 1, i64 2>\n  ret <2 x ptr> %x\n}",
    ),
    Change(
        "3.1",
        "module flags",
        "3.1",
        '!llvm.module.flags = !{!0}\n!0 = metadata !{i32 1, metadata !"wchar_size", i32 4}',
        '!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"wchar_size", i32 4}',
    ),
    Change(
        "3.1",
        "ranges of loads",
        "3.1",
        old_body("%x = load i32* %p, align 4, !range !0") + "!0 = metadata !{i32 0, i32 2}",
        body("%x = load i32, ptr %p, align 4, !range !0") + "!0 = !{i32 0, i32 2}",
    ),
    Change(
        "3.1",
        "accuracy of floating point",
        "3.1",
        "define float @f(float %x, i8*) {\n  %y = fdiv float %x, %x, !fpmath !0\n  ret float %y\n}\n"
        "!0 = metadata !{float 2.5}",
        "define float @f(float %x, ptr) {\n  %y = fdiv float %x, %x, !fpmath !0\n  ret float %y\n}\n!0 = !{float 2.5}",
    ),
    Change(
        "3.1",
        "ctlz and cttz say what they give for 0",
        "3.0",
        "declare i32 @llvm.ctlz.i32(i32)\n" + old_body("%x = call i32 @llvm.ctlz.i32(i32 7)"),
        body("%x = call i32 @llvm.ctlz.i32(i32 7, i1 false)"),
    ),
    Change(
        "3.1",
        "returns_twice and nonlazybind",
        "3.1",
        "declare i32 @setjmp(i8*) returns_twice nonlazybind",
        "declare i32 @setjmp(ptr) returns_twice nonlazybind",
    ),
    # LLVM 3.2
    *(
        Change(
            "3.2",
            f"thread-local storage: {model}",
            "3.2",
            f"@x = thread_local({model}) global i8* null",
            f"@x = thread_local({model}) global ptr null",
        )
        for model in ("localdynamic", "initialexec", "localexec")
    ),
    Change(
        "3.2",
        "linkonce_odr_auto_hide",
        "3.3",
        "@x = linkonce_odr_auto_hide global i8* null",
        "$x = comdat any\n@x = linkonce_odr global ptr null, comdat",
    ),
    Change(
        "3.2",
        "dialects of inline assembly",
        "3.2",
        old_body('call void asm inteldialect "nop", "~{dirflag}"() nounwind'),
        body('call void asm inteldialect "nop", "~{dirflag}"() nounwind'),
    ),
    Change(
        "3.2",
        "address_safety",
        "3.2",
        "define void @f(i32*) address_safety {\n  ret void\n}",
        "define void @f(ptr) sanitize_address {\n  ret void\n}",
    ),
    Change(
        "3.2", "intel_ocl_bicc", "3.2", "declare intel_ocl_bicc void @f(i8*)", "declare intel_ocl_bicc void @f(ptr)"
    ),
    # LLVM 3.3
    Change(
        "3.3",
        "attribute groups and string attributes",
        "3.3",
        'declare void @f(i8*) #0\nattributes #0 = { nounwind alignstack=8 "a"="b" "c" }',
        'declare void @f(ptr) nounwind alignstack(8) "a"="b" "c"',
    ),
    Change(
        "3.3",
        "attributes of sanitizers",
        "3.3",
        "declare void @f(i8*) sanitize_address sanitize_thread sanitize_memory",
        "declare void @f(ptr) sanitize_address sanitize_thread sanitize_memory",
    ),
    *(
        Change("3.3", word, "3.3", f"declare void @f(i8*) {word}", f"declare void @f(ptr) {word}")
        for word in ("minsize", "noduplicate", "sspstrong", "cold", "nobuiltin")
    ),
    Change("3.3", "returned", "3.3", "declare i8* @f(i8* returned)", "declare ptr @f(ptr returned)"),
    Change(
        "3.3",
        "fast-math flags",
        "3.3",
        "define float @f(float %x, i8*) {\n  %y = fadd nnan ninf nsz arcp float %x, %x\n"
        "  %z = fmul fast float %y, %x\n  ret float %z\n}",
        "define float @f(float %x, ptr) {\n  %y = fadd nnan ninf nsz arcp float %x, %x\n"
        "  %z = fmul fast float %y, %x\n  ret float %z\n}",
    ),
    Change(
        "3.3",
        "x86_64_sysvcc and x86_64_win64cc",
        "3.3",
        "declare x86_64_sysvcc void @f(i8*)\ndeclare x86_64_win64cc void @g()",
        "declare x86_64_sysvcc void @f(ptr)\ndeclare win64cc void @g()",
    ),
    # LLVM 3.4
    Change(
        "3.4",
        "addrspacecast",
        "3.4",
        old_body("%x = addrspacecast i32* %p to i32 addrspace(1)*"),
        body("%x = addrspacecast ptr %p to ptr addrspace(1)"),
    ),
    Change(
        "3.4",
        "bitcast between address spaces",
        "3.3",
        old_body("%x = bitcast i32* %p to i32 addrspace(1)*"),
        body("%1 = ptrtoint ptr %p to i64\n  %x = inttoptr i64 %1 to ptr addrspace(1)"),
    ),
    Change(
        "3.4",
        "externally_initialized",
        "3.4",
        "@x = externally_initialized global i8* null",
        "@x = externally_initialized global ptr null",
    ),
    Change("3.4", "optnone", "3.4", "declare void @f(i8*) noinline optnone", "declare void @f(ptr) noinline optnone"),
    Change(
        "3.4",
        "builtin",
        "3.4",
        "declare i8* @new(i32) nobuiltin\n" + old_body("%x = call i8* @new(i32 1) builtin"),
        "declare ptr @new(i32) nobuiltin\n" + body("%x = call ptr @new(i32 1) builtin"),
    ),
    Change(
        "3.4",
        "anyregcc and webkit_jscc",
        "3.4",
        "declare anyregcc void @f(i8*)\ndeclare webkit_jscc void @g()",
        "declare anyregcc void @f(ptr)\ndeclare cc 12 void @g()",
    ),
    Change(
        "3.4", "linkages of DLLs: dllimport", "3.4", "@x = dllimport global i8*", "@x = external dllimport global ptr"
    ),
    Change(
        "3.4",
        "linkages of DLLs: dllexport",
        "3.4",
        "define dllexport void @f(i8*) {\n  ret void\n}",
        "define dllexport void @f(ptr) {\n  ret void\n}",
    ),
]
