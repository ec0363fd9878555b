"""Text added to modules: `Module.parse`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitcodec
from bitcodec.builder import add_function, add_struct, new_module
from bitcodec.ir import Function, GlobalVariable
from linker.generating import generate_set

DATA = Path(__file__).parent.parent / "data"
BASE = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128"
target triple = "x86_64-unknown-linux-gnu"

%pair = type { i32, ptr }
%later = type opaque

$group = comdat largest

@table = internal global [2 x ptr] [ptr @helper, ptr @outside]
@alias = alias i32, getelementptr (i8, ptr @table, i64 8)
@far = addrspace(1) global i32 0
@llvm.used = appending global [1 x ptr] [ptr @helper], section "llvm.metadata"
@first = global %pair zeroinitializer

define internal i32 @helper(i32 %x) {
entry:
  br label %exit

exit:
  ret i32 %x
}

declare i32 @outside(i32)

define ptr @opaque(ptr %p) {
  %1 = getelementptr ptr, ptr %p, i64 1
  store ptr @outside, ptr %1
  ret ptr %1
}

!llvm.module.flags = !{!0, !1, !2}
!kept = !{!3}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{ptr @outside}
"""


def base() -> bitcodec.Module:
    return bitcodec.parse_assembly(BASE, name="base.ll")


def refused(text: str, module: bitcodec.Module | None = None) -> str:
    """Return the error of a text, after which the module is what it was."""
    module = module or base()
    before = str(module)
    users = [len(value.users) for value in module.globals]
    with pytest.raises(bitcodec.AssemblyError) as caught:
        module.parse(text)
    assert str(module) == before
    assert [len(value.users) for value in module.globals] == users
    return str(caught.value)


def check_text(module: bitcodec.Module) -> str:
    """Check that the text of a module contains all of it, and return it."""
    text = str(module)
    assert str(bitcodec.parse_assembly(text, name=module.identifier)) == text
    return text


def reread(module: bitcodec.Module) -> None:
    """Check that a module is valid, and that its text and its bitcode contain all of it."""
    assert module.verify() == []
    text = check_text(module)
    read = bitcodec.loads(bitcodec.dumps(module))
    read.identifier = module.identifier
    assert str(read) == text


def test_names_of_the_module_need_no_declaration() -> None:
    module = base()
    twice, first, aliased = module.parse("""
        define i32 @twice(i32 %x) comdat($group) {
          %at = alloca %pair
          %1 = call i32 @helper(i32 %x)
          %2 = call i32 @outside(i32 %1)
          store ptr blockaddress(@helper, %exit), ptr @table
          %3 = call i32 @llvm.ctpop.i32(i32 %2)
          ret i32 %3
        }
        @second = global %pair { i32 1, ptr @alias }
        @third = alias i32, ptr @first
    """)
    assert isinstance(twice, Function)
    assert isinstance(first, GlobalVariable)
    assert twice.comdat is module.comdats["group"]
    assert module.functions["helper"].users[-1].function is twice  # type: ignore[attr-defined]
    assert aliased.operands == (module.get("first"),)
    assert first.initializer is not None
    assert first.initializer.operand_at(1) is module.get("alias")
    reread(module)


def test_a_declaration_means_what_the_module_has() -> None:
    module = base()
    helper, printf, caller = module.parse("""
        declare i32 @helper(i32)
        declare i32 @printf(ptr, ...)
        define void @caller() { call i32 @helper(i32 1) call i32 (ptr, ...) @printf(ptr @helper) ret void }
    """)
    assert helper is module.functions["helper"]
    assert helper.linkage.is_local
    assert [printf.parent, caller.parent] == [module, module]
    assert len(helper.users) == 4
    reread(module)


def test_a_declaration_becomes_what_is_defined() -> None:
    module = base()
    old = module.functions["outside"]
    (outside,) = module.parse("""
        $any = comdat any
        define weak hidden i32 @outside(i32 noundef %x) noreturn comdat($any) align 8 !kept !0 {
          %1 = call i32 @outside(i32 1)
          br label %exit
        exit:
          store ptr blockaddress(@outside, %exit), ptr @table
          ret i32 %1
        }
        !0 = !{ptr @outside}
    """)
    assert outside is old is module.functions["outside"]
    assert isinstance(outside, Function)
    text = str(module)
    assert "define weak hidden i32 @outside(i32 noundef %x) #0 comdat($any) align 8 !kept !" in text
    assert text.count("!{ptr @outside}") == 1
    assert len(outside.blocks[1].users) == 2
    assert "declare" not in text
    assert "!{ptr @outside}" in text
    assert "[ptr @helper, ptr @outside]" in text
    reread(module)


def test_a_declaration_may_become_an_alias() -> None:
    module = base()
    module.parse("@outside = internal alias i32 (i32), ptr @helper")
    assert "[ptr @helper, ptr @outside]" in str(module)
    module.parse("@more = external global [0 x i8]\n@array = global ptr @more")
    module.parse("@more = global [2 x i8] zeroinitializer")
    reread(module)


def test_named_types_are_those_of_the_module() -> None:
    module = base()
    module.parse("%pair = type { i32, ptr }\n%later = type { %pair }\n@x = global %later zeroinitializer")
    assert "%later = type { %pair }" in str(module)
    module.parse(
        "%new = type { %later }\n@y = global %new zeroinitializer\n@z = global { %new, %pair } zeroinitializer"
    )
    reread(module)


def test_types_of_other_modules_of_the_context_get_a_number() -> None:
    first = base()
    second = bitcodec.parse_assembly("@x = global i32 0", context=first.context)
    second.parse("%pair = type { i64 }\n@y = global %pair zeroinitializer")
    assert "@y = global %pair.0 zeroinitializer" in str(second)
    second.parse("@z = global %pair zeroinitializer")
    assert "@z = global %pair zeroinitializer" in str(second)


def test_types_that_a_program_has_made_are_known() -> None:
    module = new_module("x")
    add_struct(module, "made", [module.context.types.ptr])
    (made,) = module.parse("@x = global %made zeroinitializer")
    assert str(made) == "@x = global %made zeroinitializer"


def test_numbers_are_those_of_the_text() -> None:
    module = base()
    module.parse("@0 = global i32 7\n@1 = global ptr @0")
    user, used = module.parse("""
        @1 = global ptr @2
        @2 = global i32 8
        !kept = !{!0, !1}
        !0 = !{!"text", ptr @2}
        !1 = !{ptr @outside}
    """)
    assert user.operands == (used,)
    kept = module.named_metadata["kept"].operands
    assert [str(node) for node in kept] == ["!{ptr @outside}", '!{!"text", ptr @3}']
    reread(module)


def test_attribute_groups_are_those_of_the_text() -> None:
    module = base()
    module.parse("define void @f() #0 { ret void }\nattributes #0 = { cold }")
    (function,) = module.parse("define void @g() #0 { ret void }\nattributes #0 = { noreturn }")
    assert isinstance(function, Function)
    assert [attribute.name for attribute in function.attributes.for_function] == ["noreturn"]
    reread(module)


def test_lists_are_joined() -> None:
    module = base()
    used, constructors = module.parse("""
        @llvm.used = appending global [2 x ptr] [ptr @table, ptr @first], section "llvm.metadata"
        @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]
        define internal void @f() { ret void }
    """)[:2]
    assert str(used).endswith('[3 x ptr] [ptr @helper, ptr @table, ptr @first], section "llvm.metadata"')
    (again,) = module.parse(str(constructors))
    assert again is constructors
    assert isinstance(again.value_type.element_types, tuple)
    assert "[2 x { i32, ptr, ptr }]" in str(constructors)
    reread(module)


def test_flags_are_merged() -> None:
    module = base()
    module.parse("""
        !llvm.module.flags = !{!0, !1, !2}
        !0 = !{i32 1, !"wchar_size", i32 4}
        !1 = !{i32 8, !"PIC Level", i32 1}
        !2 = !{i32 7, !"new", i32 1}
    """)
    assert [(key, module.flags.integer(key)) for key in module.flags] == [
        ("wchar_size", 4),
        ("PIC Level", 1),
        ("Debug Info Version", 3),
        ("new", 1),
    ]
    empty = new_module("x")
    empty.parse('!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"wchar_size", i32 4}')
    assert empty.flags.integer("wchar_size") == 4


def test_debug_information_counts_by_the_version_of_the_module() -> None:
    text = """
        define void @f() !dbg !1 { ret void, !dbg !3 }
        !1 = distinct !DISubprogram(name: "f", file: !2, unit: !4, spFlags: DISPFlagDefinition, type: !5)
        !2 = !DIFile(filename: "f.c", directory: "/")
        !3 = !DILocation(line: 1, scope: !1)
        !4 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2)
        !5 = !DISubroutineType(types: !{null})
        !llvm.dbg.cu = !{!4}
    """
    (function,) = base().parse(text)
    assert isinstance(function, Function)
    assert function.subprogram is not None
    (function,) = new_module("x").parse(text)
    assert isinstance(function, Function)
    assert function.subprogram is None


def test_assembly_and_target_are_taken_on() -> None:
    module = new_module("x")
    module.module_asm = ".text\n"
    module.parse('target triple = "aarch64"\ntarget datalayout = "e"\nmodule asm ".globl x"')
    assert (module.target_triple, module.data_layout.text) == ("aarch64", "e")
    assert module.module_asm == ".text\n.globl x\n"
    module.parse('target triple = "aarch64"\ntarget datalayout = "e"\ndefine void @f() { ret void }')


def test_old_text_is_upgraded() -> None:
    module = base()
    copy, *_ = module.parse("""
        define void @copy(i8* %to, i8* %from) {
          call void @llvm.memcpy.p0i8.p0i8.i64(i8* %to, i8* %from, i64 8, i32 4, i1 false)
          ret void
        }
        declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i32, i1)
    """)
    assert isinstance(copy, Function)
    assert "align 4 %to" in str(copy.instructions[0])
    module.parse(
        "define void @again(ptr %p) { call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 1, i1 false) ret void }"
    )
    assert [function.name for function in module.functions].count("llvm.memcpy.p0.p0.i64") == 1
    reread(module)


def test_modules_of_files_are_read_as_far_as_needed() -> None:
    module = bitcodec.loads(bitcodec.dumps(base()))
    (added,) = module.parse("define i32 @added(i32 %x) { %1 = call i32 @helper(i32 %x) ret i32 %1 }")
    assert not module.functions["opaque"].is_materialized
    assert added.instructions[0] in module.functions["helper"].users  # type: ignore[attr-defined]
    module = bitcodec.loads(bitcodec.dumps(base()))
    module.parse(
        "define i32 @outside(i32 %x) { ret i32 %x }\n%later = type { i32 }\n@x = global %later zeroinitializer"
    )
    reread(module)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "define i32 @helper(i32 %x) { ret i32 1 }",
            "1:12: redefinition of '@helper', which the module 'base.ll' defines",
        ),
        ("@table = global i32 1", "1:1: redefinition of '@table', which the module 'base.ll' defines"),
        ("@alias = external global i32\n@first = alias i32, ptr @alias", "2:1: redefinition of '@first', which"),
        ("declare void @table()", "1:14: '@table' of type 'void ()' is of type '[2 x ptr]' in the module"),
        ("@helper = external global i32", "1:1: '@helper' of type 'i32' is of type 'i32 (i32)' in the module"),
        ("@far = external global i32", "1:1: '@far' of type 'ptr' is of type 'ptr addrspace(1)' in the module"),
        ("@x = global ptr @far", "1:17: '@far' defined with type 'ptr addrspace(1)' but expected 'ptr'"),
        ("@x = global ptr @nothing", "1:17: use of undefined value '@nothing'"),
        ("@x = global ptr @0", "1:17: use of undefined value '@0'"),
        ("%pair = type { i64 }", "1:1: redefinition of '%pair = type { i32, ptr }' of the module"),
        ("@x = global %pair zeroinitializer\n%pair = type i32", "2:1: forward references to non-struct type"),
        ("%later = type { %later }", "1:25: identified structure type 'later' is recursive"),
        ("@x = external global %nothing", "1:22: use of undefined type named 'nothing'"),
        ("$group = comdat any", "1:1: comdat '$group' is 'any', but 'largest' in the module"),
        ("define void @f() comdat($nothing) { ret void }", "1:25: use of undefined comdat '$nothing'"),
        ('target triple = "arm"', "1:8: target triple is 'x86_64-unknown-linux-gnu' in the module"),
        (
            'target datalayout = "E"',
            "1:8: target datalayout is 'e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128' in the module",
        ),
        ("@llvm.used = global [1 x ptr] [ptr @first]", "1:1: redefinition of '@llvm.used'"),
        (
            "@llvm.used = appending global [1 x ptr] [ptr @first]",
            "1:1: Appending variables with different section name need to be linked!",
        ),
        (
            '@llvm.used = appending global [1 x i32] [i32 1], section "llvm.metadata"',
            "1:1: Appending variables with different element types!",
        ),
        (
            '@llvm.used = appending global [9999999 x ptr] zeroinitializer, section "llvm.metadata"',
            "1:1: Linking globals named 'llvm.used': an appending variable without elements",
        ),
        (
            '@x = global ptr @table\n!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"wchar_size", i32 2}',
            "2:1: linking module flags 'wchar_size': IDs have conflicting values: 'i32 2' from <string>, and",
        ),
        ("@x = global ptr blockaddress(@helper, %nothing)", "1:39: referenced value is not a basic block"),
        ("@x = global ptr blockaddress(@outside, %x)", "1:30: expected function name in blockaddress"),
        ("@x = global [2 x ptr] [ptr @table, ptr @helper]\n!kept = !{!9}", "2:12: use of undefined metadata '!9'"),
        ("define void @f() { store ptr @table, ptr @first call void @nothing() ret void }", "1:59: use of undefined"),
        ("@x = global ptr @table\nfoo", "2:1: expected top-level entity"),
    ],
)
def test_refused(text: str, message: str) -> None:
    assert message in refused(text)


def test_types_of_a_refused_text_leave_no_trace() -> None:
    module = base()
    refused("%new = type { i32 }\n%later = type { i32 }\n@x = global %new 5", module)
    module.parse("%new = type { i64 }\n%later = type { %new }\n@x = global %later zeroinitializer")
    assert "%later = type { %new }\n%new = type { i64 }" in str(module)


def test_types_of_a_refused_module_leave_their_names() -> None:
    context = base().context
    with pytest.raises(bitcodec.AssemblyError):
        bitcodec.parse_assembly("%t = type { i32 }\n@x = global %t 5", context=context)
    module = bitcodec.parse_assembly("%t = type { i64 }\n@x = global %t zeroinitializer", context=context)
    assert "@x = global %t zeroinitializer" in str(module)


def test_names_of_files_are_in_errors() -> None:
    with pytest.raises(bitcodec.AssemblyError) as caught:
        base().parse("define", name="more.ll")
    assert str(caught.value) == "more.ll:1:7: expected type"


def test_dialects() -> None:
    with pytest.raises(bitcodec.AssemblyError):
        base().parse("define i32 @f(i32* %p) { %1 = load i32* %p ret i32 %1 }", dialect=22)
    (made,) = base().parse("define i32 @f(i32* %p) { %1 = load i32* %p ret i32 %1 }", dialect="3.4")
    assert "load i32, ptr %p, align 4" in str(made)
    with pytest.raises(ValueError, match="LLVM 99"):
        base().parse("", dialect=99)


def test_one_constant_of_many_names_is_rebuilt_once() -> None:
    module = new_module("x")
    type_ = module.context.types.function(module.context.types.void)
    for number in range(2000):
        add_function(module, f"f{number}", type_)
    names = ", ".join(f"ptr @f{number}" for number in range(2000))
    (table,) = module.parse(f"@table = global [2000 x ptr] [{names}]")
    assert len(table.operands[0].operands) == 2000  # type: ignore[attr-defined]


_LONGEST = 100_000
"""Characters of a text that takes a fraction of a second in the interpreted form."""


@cache
def texts() -> list[str]:
    paths = [*DATA.glob("*.bc"), *(DATA / "upgrade").glob("*.bc")]
    found = [str(module) for path in sorted(paths) for module in bitcodec.open_all(path)]
    return [text for text in found if len(text) < _LONGEST]


@pytest.mark.same_in_both
def test_whole_modules_are_what_they_are_alone() -> None:
    count = 0
    for text in texts():
        try:
            alone = bitcodec.parse_assembly(text, name="x")
        except bitcodec.AssemblyError:
            continue
        alone.drop_summaries()
        module = new_module("x")
        module.source_filename = alone.source_filename
        module.parse(text, name="x")
        assert str(module) == str(alone)
        count += 1
    assert count > 10


@given(st.integers(0, 1 << 32))
@settings(max_examples=60, deadline=None)
def test_modules_that_meet_in_every_way(seed: int) -> None:
    first, *others = generate_set(seed)
    try:
        module = bitcodec.parse_assembly(first, name="x")
    except bitcodec.AssemblyError:
        return
    for text in others:
        before = str(module)
        try:
            module.parse(text)
        except bitcodec.AssemblyError:
            assert str(module) == before
        else:
            check_text(module)
