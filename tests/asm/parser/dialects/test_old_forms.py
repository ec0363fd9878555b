"""Forms that LLVM's release notes changed, one by one: old text on the left, what it becomes on the right."""

from __future__ import annotations

import pytest

import bitcodec


def text_of(old: str, *, dialect: str | None = None) -> str:
    """Return the text of today without the lines that name the file."""
    lines = str(bitcodec.parse_assembly(old, dialect=dialect)).splitlines()
    return "\n".join(line for line in lines if not line.startswith(("; ModuleID", "source_filename"))).strip()


POINTERS = [
    ("load i32* %p", "load i32, ptr %p, align 4"),  # until 3.6
    ("load volatile i32* %p, align 8", "load volatile i32, ptr %p, align 8"),
    ("load i32, i32* %p", "load i32, ptr %p, align 4"),  # 3.7 to 14
    ("volatile load i32* %p", "load volatile i32, ptr %p, align 4"),  # until 2.9; 3.0 still read it
    (
        "load atomic i32* %p singlethread acquire, align 4",
        'load atomic i32, ptr %p syncscope("singlethread") acquire, align 4',
    ),
    ("getelementptr inbounds i32* %p, i64 1", "getelementptr inbounds i32, ptr %p, i64 1"),
    ("getelementptr %T* %t, i64 0, i32 1", "getelementptr %T, ptr %t, i64 0, i32 1"),
    (
        "getelementptr <2 x i32*> %v, <2 x i64> <i64 1, i64 2>",
        "getelementptr i32, <2 x ptr> %v, <2 x i64> <i64 1, i64 2>",
    ),
    ("bitcast i32* %p to i8*", "bitcast ptr %p to ptr"),
    ("call i32 (i8*, ...)* @printf(i8* null)", "call i32 (ptr, ...) @printf(ptr null)"),
    ("call i32 %f(i32 1)", "call i32 %f(i32 1)"),
    (
        "atomicrmw add i32* %p, i32 1 singlethread seq_cst",
        'atomicrmw add ptr %p, i32 1 syncscope("singlethread") seq_cst, align 4',
    ),
    ("bitcast x86_mmx undef to i64", "bitcast <1 x i64> undef to i64"),  # until 19
    ("va_arg i8** %a, i32", "va_arg ptr %a, i32"),
]

HEAD = """%T = type { i32*, i32 }
declare i32 @printf(i8*, ...)
define void @f(i32* %p, %T* %t, <2 x i32*> %v, i8** %a, i32 (i32)* %f) {
  %x = """


@pytest.mark.parametrize(("old", "today"), POINTERS)
def test_instructions(old: str, today: str) -> None:
    module = bitcodec.parse_assembly(f"{HEAD}{old}\n  ret void\n}}\n")
    assert str(module.functions["f"].entry_block.instructions[0]).strip() == f"%x = {today}"


def test_calls_state_the_type_of_the_callee_or_of_the_result() -> None:
    text = "define void @f(i32 (i32)* %f) {\n  %x = call i32 (i32)* %f(i32 1)\n  ret void\n}"
    assert "%x = call i32 %f(i32 1)" in text_of(text, dialect="3.6")
    assert "%x = call ptr %f(i32 1)" in text_of(text, dialect="3.7")


GLOBALS = [
    ("@x = linker_private global i32 0", "@x = private global i32 0"),  # until 3.4
    ("@x = linker_private_weak global i32 0", "@x = private global i32 0"),
    ("@x = linkonce_odr_auto_hide global i32 0", "@x = linkonce_odr global i32 0, comdat"),  # 3.2, 3.3
    ("@x = dllimport global i32", "@x = external dllimport global i32"),  # until 3.4
    ("@x = dllexport global i32 0", "@x = dllexport global i32 0"),
    ("@x = addrspace(1) unnamed_addr constant i32 0", "@x = unnamed_addr addrspace(1) constant i32 0"),  # until 3.9
    ("@x = global i32 0, comdat $x\n$x = comdat any", "@x = global i32 0, comdat"),  # 3.5
    ("@x = global i32 0, comdat\n$x = comdat noduplicates", "@x = global i32 0, comdat"),  # until 12
    ("@x = alias i32* @y\n@y = global i32 0", "@x = alias i32, ptr @y"),  # until 3.7
    ("@x = alias weak i32* @y\n@y = global i32 0", "@x = weak alias i32, ptr @y"),  # until 3.4
    ("@x = hidden alias bitcast (i32* @y to i8*)\n@y = global i32 0", "@x = hidden alias i8, ptr @y"),
    (
        "@x = alias getelementptr inbounds ([2 x i16]* @y, i32 0, i32 1)\n@y = global [2 x i16] zeroinitializer",
        "@x = alias i16, getelementptr inbounds ([2 x i16], ptr @y, i32 0, i32 1)",
    ),
    (
        "@x = constant i8* getelementptr inbounds ([2 x i8]* @y, i32 0, i32 0)\n@y = global [2 x i8] zeroinitializer",
        "@x = constant ptr @y",
    ),
    ('deplibs = ["c", "m"]\n@x = global i32 0', "@x = global i32 0"),  # until 3.2
    ("%fp = type i32 ()*\n@x = global %fp null", "@x = global ptr null"),
]


@pytest.mark.parametrize(("old", "today"), GLOBALS)
def test_globals(old: str, today: str) -> None:
    found = [line for line in str(bitcodec.parse_assembly(old)).splitlines() if line.startswith("@x")]
    assert found == [today]


def test_attributes_get_the_types_that_pointers_had() -> None:
    parameters = "(%T* byval %x, %T* sret %r)"
    old = f"%T = type {{ i32 }}\ndefine void @f{parameters} {{\n  call void @f{parameters}\n  ret void\n}}"
    text = text_of(old)
    assert "define void @f(ptr byval(%T) %x, ptr sret(%T) %r)" in text
    assert "call void @f(ptr byval(%T) %x, ptr sret(%T) %r)" in text


def test_functions_in_comdats_of_llvm_3_5() -> None:
    assert "@x = global i32 0, comdat" in text_of("@x = global i32 0, comdat\n$x = comdat any")
    assert "define void @f() comdat {" in text_of("$f = comdat any\ndefine void @f() comdat $f {\n  ret void\n}")


def test_calling_conventions_that_are_gone() -> None:
    assert text_of("declare webkit_jscc void @f()\ndeclare x86_64_win64cc void @g()") == (
        "declare cc12 void @f()\n\ndeclare win64cc void @g()"
    )


def test_cmpxchg_with_one_ordering_gives_the_value_alone() -> None:
    old = "define i32 @f(i32* %p) {\n  %x = cmpxchg i32* %p, i32 0, i32 1 acq_rel\n  ret i32 %x\n}"
    assert text_of(old).splitlines()[1:4] == [
        "  %1 = cmpxchg ptr %p, i32 0, i32 1 acq_rel acquire, align 4",
        "  %x = extractvalue { i32, i1 } %1, 0",
        "  ret i32 %x",
    ]


LANDING_PAD = """declare i32 @personality(...)
declare void @g()
define void @f() {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %x = landingpad { i8*, i32 } personality i8* bitcast (i32 (...)* @personality to i8*) cleanup catch i8* null
  resume { i8*, i32 } %x
}"""


def test_personalities_of_landing_pads_become_those_of_functions() -> None:
    text = text_of(LANDING_PAD)
    assert "define void @f() personality ptr @personality {" in text
    assert "%x = landingpad { ptr, i32 }\n          cleanup\n          catch ptr null" in text


def test_two_personalities_are_refused() -> None:
    twice = LANDING_PAD.replace("  resume", "  %y = landingpad { i8*, i32 } personality i8* null cleanup\n  resume")
    with pytest.raises(bitcodec.AssemblyError, match="9:32: a function has two personalities"):
        bitcodec.parse_assembly(twice)


def test_metadata_with_types() -> None:
    old = (
        '!n = !{!0}\n!0 = metadata !{i32 5, metadata !"x", metadata !{metadata !1}, null}\n!1 = metadata !{metadata !1}'
    )
    assert text_of(old) == ('!n = !{!0}\n\n!0 = !{i32 5, !"x", !1, null}\n!1 = !{!2}\n!2 = distinct !{!2}')


def test_metadata_of_functions_and_debug_information_of_llvm_3_5() -> None:
    old = (
        "declare void @llvm.dbg.declare(metadata, metadata)\n"
        "define void @f(i32* %p) {\n"
        "  call void @llvm.dbg.declare(metadata !{i32* %p}, metadata !0), !dbg !1\n  ret void\n}\n"
        '!llvm.dbg.cu = !{!0}\n!0 = metadata !{metadata !"0x11\\0012\\00clang"}\n'
        "!1 = metadata !{i32 1, i32 2, metadata !0, null}"
    )
    assert text_of(old) == "define void @f(ptr %p) {\n  ret void\n}"


def test_locations_of_llvm_3_6_are_dropped() -> None:
    old = 'define void @f(i32* %p) {\n  ret void, !dbg !0\n}\n!0 = !MDLocation(line: 1, scope: !1)\n!1 = !{!"0x2e"}'
    assert text_of(old) == "define void @f(ptr %p) {\n  ret void\n}"


FIELDS = [
    ("7", "distinct !DICompileUnit(language: 12, file: !1, gnuPubnames: true)", "nameTableKind: GNU"),
    ("6", 'distinct !DISubprogram(name: "f", variables: !{})', "retainedNodes: !"),
    ("10", "!DISubrange(count: 3)", "!DISubrange(count: 3, lowerBound: 0)"),
    ("4", '!DINamespace(name: "n", scope: null, file: !1, line: 3)', '!DINamespace(name: "n", scope: null)'),
    ("4", "!DIExpression(DW_OP_plus, 8, DW_OP_minus, 2)", "DW_OP_plus_uconst, 8, DW_OP_constu, 2, DW_OP_minus)"),
    ("3.9", "!DIExpression(DW_OP_bit_piece, 0, 8)", "!DIExpression(DW_OP_LLVM_fragment, 0, 8)"),
    ("21", '!DIObjCProperty(setter: "get", getter: "set")', 'setter: "set", getter: "get"'),
    ("8", "!DICompositeType(tag: DW_TAG_class_type, flags: DIFlagTrivial)", "flags: DIFlagNonTrivial"),
]


@pytest.mark.parametrize(("dialect", "old", "today"), FIELDS)
def test_debug_information(dialect: str, old: str, today: str) -> None:
    flags = '!llvm.module.flags = !{!2}\n!2 = !{i32 2, !"Debug Info Version", i32 3}\n'
    node = f'!n = !{{!0}}\n!0 = {old}\n!1 = !DIFile(filename: "a", directory: "b")\n{flags}'
    assert today in text_of(node, dialect=dialect)


EXPRESSIONS = [
    ("i64 mul (i64 ptrtoint (i32* @g to i64), i64 2)", ["mul i64 ptrtoint (ptr @g to i64), 2"]),
    ("i1 icmp eq (i32* @g, i32* null)", ["icmp eq ptr @g, null"]),
    (
        "i32 select (i1 icmp eq (i32* @g, i32* null), i32 1, i32 2)",
        ["icmp eq ptr @g, null", "select i1 %constexpr, i32 1, i32 2"],
    ),
    ("i32 zext (i1 icmp eq (i32* @g, i32* null) to i32)", ["icmp eq ptr @g, null", "zext i1 %constexpr to i32"]),
    ("i64 mul (i64 2, i64 ptrtoint (i32* @g to i64))", ["mul i64 ptrtoint (ptr @g to i64), 2"]),
    (
        "i64 add (i64 udiv exact (i64 ptrtoint (i32* @g to i64), i64 3), i64 1)",
        ["udiv exact i64 ptrtoint (ptr @g to i64), 3", "add i64 %constexpr, 1"],
    ),
]


@pytest.mark.parametrize(("old", "today"), EXPRESSIONS)
def test_expressions_that_are_gone_become_instructions(old: str, today: list[str]) -> None:
    type_ = old.split(maxsplit=1)[0]
    module = bitcodec.parse_assembly(f"@g = external global i32\ndefine {type_} @f() {{\n  ret {old}\n}}")
    instructions = [str(each).partition("= ")[2] for each in module.functions["f"].entry_block.instructions]
    assert instructions[:-1] == today


def test_expressions_that_are_gone_are_refused_as_initializers() -> None:
    with pytest.raises(bitcodec.AssemblyError, match="1:16: icmp constexprs are no longer supported"):
        bitcodec.parse_assembly("@x = global i1 icmp eq (i32* @y, i32* null)\n@y = global i32 0")


REFUSED = [
    ("define void @f(i32* %p) {\n  %x = load i32* \n  ret void\n}", "3:3: expected value token"),
    (
        "define void @f(i32* %p) {\n  unwind\n}",
        "2:3: unwind instructions have no equivalent since LLVM 3.1; use resume",
    ),
    ("!0 = metadata !{metadata}", "1:25: expected metadata operand"),
    ("deplibs = [3]", "1:12: expected string constant"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_broken_old_text(text: str, message: str) -> None:
    with pytest.raises(bitcodec.AssemblyError) as caught:
        bitcodec.parse_assembly(text)
    assert str(caught.value) == message


TODAY = [
    ("!0 = metadata !{}", "1:6: unexpected type in metadata definition"),
    ("@x = linker_private global i32 0", "1:6: expected 'global' or 'constant'"),
    ("define void @f(ptr byval %x) { ret void }", "1:26: expected '('"),
]


@pytest.mark.parametrize(("text", "message"), TODAY)
def test_dialect_22_refuses_what_llvm_22_refuses(text: str, message: str) -> None:
    with pytest.raises(bitcodec.AssemblyError) as caught:
        bitcodec.parse_assembly(text, dialect=22)
    assert str(caught.value) == message


@pytest.mark.parametrize("dialect", ["x", 23, "2.9", 0, "3.10"])
def test_unknown_dialects(dialect: int | str) -> None:
    with pytest.raises(ValueError, match=r"the text of LLVM 3\.0 to 22 can be read"):
        bitcodec.parse_assembly("", dialect=dialect)


def test_data_layouts_of_old_text_are_brought_up_to_date() -> None:
    layout = 'target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"\ntarget triple = "x86_64-unknown-linux-gnu"\n'
    assert "i128:128" in text_of(f"{layout}@p = global i32* null")
    assert "i128:128" not in text_of(f"{layout}@p = global ptr null")


POINTER = "@p = global i8* null\n"
SUBRANGE = "!n = !{!0}\n!0 = !DISubrange(count: 3)\n"
IMPORT = "!n = !{!0}\n!0 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: null, line: 3)\n"


def declaration(name: str, attributes: str) -> str:
    """Return the declaration of an intrinsic with attributes."""
    return f"declare void @{name}(i8*) #0\nattributes #0 = {{ {attributes} }}\n"


SIGNS = [
    # An index is 0 without being printed up to LLVM 10.
    (POINTER + SUBRANGE, "!DISubrange(count: 3)"),
    (f'{POINTER}{SUBRANGE}attributes #0 = {{ "no-frame-pointer-elim"="true" }}', "lowerBound: 0"),
    (f"{POINTER}{SUBRANGE}declare void @f(i8* byval %x)", "lowerBound: 0"),
    # LLVM gives an intrinsic its own attributes, whatever the module had.
    (POINTER + SUBRANGE + declaration("llvm.dbg.value", "nounwind readnone speculatable"), "lowerBound: 0"),
    (POINTER + SUBRANGE + declaration("llvm.memcpy.p0i8.p0i8.i64", "argmemonly nounwind"), "lowerBound: 0"),
    (POINTER + SUBRANGE + declaration("llvm.memcpy.p0i8.p0i8.i64", "argmemonly willreturn"), "!DISubrange(count: 3)"),
    (POINTER + SUBRANGE + declaration("llvm.va_start", "nofree nosync nounwind willreturn"), "!DISubrange(count: 3)"),
    (POINTER + IMPORT + declaration("llvm.dbg.value", "nounwind readnone"), "!DIImportedEntity"),
    # A compiler's attributes do not count against those of an intrinsic.
    (
        POINTER + SUBRANGE + declaration("llvm.fma.f32", "speculatable") + 'attributes #1 = { "frame-pointer"="all" }',
        "lowerBound: 0",
    ),
    (f"{POINTER}{SUBRANGE}declare void @f(i8* byval(i8) %x)", "!DISubrange(count: 3)"),
    (f'{POINTER}{SUBRANGE}!llvm.ident = !{{!1}}\n!1 = !{{!"clang version 6.0.0 (tags)"}}', "lowerBound: 0"),
    (f'{POINTER}{SUBRANGE}!llvm.ident = !{{!1}}\n!1 = !{{!"clang version 14.0.6"}}', "!DISubrange(count: 3)"),
    # The compiler was older than the LLVM that printed the text.
    (
        f'{POINTER}{SUBRANGE}!2 = !DISubrange(count: 1, lowerBound: 0)\n!1 = !{{!"clang version 6.0.0 (tags)"}}',
        "!DISubrange(count: 3)",
    ),
    (
        f'target datalayout = "e-m:e-i64:64-S128"\ntarget triple = "x86_64-linux-gnu"\n{POINTER}{SUBRANGE}',
        "lowerBound: 0",
    ),
    # LLVM 4 has no line of imported entities in its bitcode.
    (f"{POINTER}{IMPORT}declare void @f(metadata)\n!1 = !{{}}", "line: 3"),
    (
        f"{POINTER}{IMPORT}define void @f() {{\n  call void @g(metadata !0)\n  ret void\n}}\ndeclare void @g(metadata)",
        "line: 3",
    ),
    ("!n = !{!0}\n!0 = distinct !DIGlobalVariableExpression(var: !{})\n", "expr: !DIExpression())"),
]


@pytest.mark.parametrize(("text", "wanted"), SIGNS)
def test_versions_are_detected(text: str, wanted: str) -> None:
    assert wanted in str(bitcodec.parse_assembly(text).named_metadata["n"].operands[0])


def test_memory_of_targets_is_not_accessed_up_to_llvm_21() -> None:
    text = "declare void @f() memory(read)"
    assert "memory(read, target_mem0: none, target_mem1: none)" in text_of(text, dialect="21")
    assert "memory(read)" in text_of(text, dialect="22")


ANYWHERE = [
    ("global i32 4\n@x = global i32* @0", "@0 = global i32 4"),  # until 3.9: the next number is its name
    ("internal constant i8 1\n@x = global i8* @0", "@0 = internal constant i8 1"),
    ('@x = global i8* null\ntarget triple = "i386-apple-darwin9"', 'target triple = "i386-apple-darwin9"'),
    ('@x = global i8* null\ntarget datalayout = "e-S32"', 'target datalayout = "e-S32"'),
    ("@x = internal hidden global i8* null", "@x = internal global ptr null"),  # until 3.4
    ("define internal dllexport void @x(i8*) {\n  ret void\n}", "define internal void @x(ptr %0) {"),
]


@pytest.mark.parametrize(("old", "today"), ANYWHERE)
def test_what_could_stand_anywhere(old: str, today: str) -> None:
    assert today in str(bitcodec.parse_assembly(old)).splitlines()


def test_labels_of_digits_were_names_up_to_llvm_8() -> None:
    text = 'define void @f() {\n0:\n  br label %"7"\n7:\n  ret void\n}'
    assert text_of(text, dialect="8").splitlines()[1:] == [
        '"0":',
        '  br label %"7"',
        "",
        '"7":' + " " * 46 + '; preds = %"0"',
        "  ret void",
        "}",
    ]
    with pytest.raises(bitcodec.AssemblyError, match="use of undefined value '%7'"):
        bitcodec.parse_assembly(text, dialect="9")


def test_layouts_that_cannot_be_upgraded_stay() -> None:
    text = 'target datalayout = "E-i64:64:64-n32:64"\ntarget triple = "powerpc64-bgq-linux"\n@x = global i8* null'
    assert '"E-i64:64:64-n32:64"' in text_of(text)


def test_calling_conventions_have_ten_bits() -> None:
    assert "declare cc1023 void @f()" in text_of("declare cc8191 void @f()", dialect="22")


@pytest.mark.parametrize(
    ("expression", "folded"),
    [
        ("i32 sdiv (i32 7, i32 -1)", "i32 -7"),
        ("<2 x i1> icmp slt (<2 x i32> <i32 1, i32 1>, <2 x i32> <i32 1, i32 2>)", "<2 x i1> <i1 false, i1 true>"),
        ("i33 fptosi (float sitofp (i33 8 to float) to i33)", "i33 8"),
        ("double fneg (double 2.0)", "double -2.000000e+00"),
        ("i8 select (i1 true, i8 3, i8 4)", "i8 3"),
        ("i1 fcmp oeq (double 1.0, double 2.0)", "i1 false"),
    ],
)
def test_removed_expressions_of_numbers_are_folded(expression: str, folded: str) -> None:
    module = bitcodec.parse_assembly(f"@a = global {expression}", dialect="3.7")
    assert str(module.global_variables["a"]) == f"@a = global {folded}"


@pytest.mark.parametrize("expression", ["i32 sdiv (i32 1, i32 0)", "i1 icmp eq (i8* @a, i8* null)"])
def test_other_removed_expressions_are_no_initializers(expression: str) -> None:
    with pytest.raises(bitcodec.AssemblyError, match="this expression is no constant any more"):
        bitcodec.parse_assembly(f"@a = global {expression}", dialect="3.7")
