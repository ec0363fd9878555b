"""What stands in modules, and what it says of itself: as LLVM prints it."""

from __future__ import annotations

import pytest

from bitcodec.builder import (
    Builder,
    add_alias,
    add_block,
    add_comdat,
    add_function,
    add_ifunc,
    add_module_flag,
    add_named_metadata,
    add_struct,
    add_variable,
    metadata_node,
    metadata_value,
    new_module,
)
from bitcodec.ir import AttributeList, BasicBlock, Linkage, Module, SelectionKind, Visibility
from bitcodec.ir.attributes import AttributeSet, EnumAttribute
from bitcodec.tables.module_flags import Behavior

from .bench import LAYOUT, assert_llvm_accepts, text_of

X86_64 = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"


def everything() -> Module:
    module = new_module("everything", target_triple="x86_64-unknown-linux-gnu", data_layout=X86_64)
    types, constants = module.context.types, module.context.constants
    i32, i8, ptr = types.integer(32), types.integer(8), types.ptr
    node = add_struct(module, "node")
    node.elements = (i32, types.ptr, types.array(2, types.double))
    any_one = add_comdat(module, "inline")
    largest = add_comdat(module, "largest", "largest")

    number = add_variable(module, "number", i32, 7, alignment=16, section=".data.rel")
    add_variable(module, "", types.array(3, i8), b"hi\0", linkage="private", unnamed_address="unnamed_addr")
    add_variable(module, "outside", node, is_constant=True, linkage="extern_weak", visibility="default")
    add_variable(module, "head", node, [1, number, None], linkage=Linkage.INTERNAL)
    add_variable(module, "mine", types.float, 0.5, thread_local_mode="thread_local(initialexec)", visibility="hidden")
    add_variable(module, "shared", types.vector(2, i8), 3, linkage="linkonce_odr", comdat=any_one, code_model="large")
    add_variable(
        module, "far", ptr, number, address_space=3, is_externally_initialized=True, is_dso_local=True, comdat=largest
    )

    binary = types.function(i32, [i32, ptr])
    personality = add_function(module, "personality", types.function(i32, is_vararg=True))
    function = add_function(
        module,
        "work",
        binary,
        argument_names=["count", "data"],
        attributes=["nounwind", ("uwtable", 2), ("frame-pointer", "all")],
        return_attributes=["noundef", "signext"],
        parameter_attributes={1: ["nonnull", ("align", 8), ("dereferenceable", 16)]},
        linkage="weak_odr",
        visibility=Visibility.PROTECTED,
        unnamed_address="local_unnamed_addr",
        calling_convention="fastcc",
        section=".text.hot",
        alignment=32,
        garbage_collector="statepoint-example",
        personality=personality,
        prefix_data=constants.integer(i32, 5),
    )
    builder = Builder(add_block(function))
    builder.ret(function.arguments[0])
    choose = add_function(module, "choose", types.function(ptr), linkage="internal")
    Builder(add_block(choose, "entry")).ret(function)
    add_alias(module, "other", function, linkage="weak", unnamed_address="unnamed_addr")
    add_alias(module, "part", constants.get_element_ptr(i8, number, [constants.integer(i32, 1)]), type=i8)
    add_ifunc(module, "chosen", binary, choose, visibility="hidden")

    flag = add_module_flag(module, 1, "wchar_size", 4)
    add_module_flag(module, 5, "things", metadata_node(module, number, "text", None, flag))
    add_named_metadata(module, "llvm.ident", metadata_node(module, "bench"))
    add_named_metadata(module, "llvm.ident", metadata_node(module, "bench"))
    add_named_metadata(module, "own", metadata_node(module, distinct=True), metadata_node(module, distinct=True))
    return module


EXPECTED = """\
target triple = "x86_64-unknown-linux-gnu"

%node = type { i32, ptr, [2 x double] }

$inline = comdat any

$largest = comdat largest

@number = global i32 7, section ".data.rel", align 16
@0 = private unnamed_addr global [3 x i8] c"hi\\00"
@outside = extern_weak constant %node
@head = internal global %node { i32 1, ptr @number, [2 x double] zeroinitializer }
@mine = hidden thread_local(initialexec) global float 5.000000e-01
@shared = linkonce_odr global <2 x i8> splat (i8 3), code_model "large", comdat($inline)
@far = dso_local addrspace(3) externally_initialized global ptr @number, comdat($largest)

@other = weak unnamed_addr alias i32 (i32, ptr), ptr @work
@part = alias i8, getelementptr (i8, ptr @number, i32 1)

@chosen = hidden ifunc i32 (i32, ptr), ptr @choose

declare i32 @personality(...)

; Function Attrs: nounwind uwtable
define weak_odr protected fastcc noundef signext i32 @work(i32 %count, ptr nonnull align 8 dereferenceable(16) %data) \
local_unnamed_addr #0 section ".text.hot" align 32 gc "statepoint-example" prefix i32 5 personality ptr @personality {
  ret i32 %count
}

define internal ptr @choose() {
entry:
  ret ptr @work
}

attributes #0 = { nounwind uwtable "frame-pointer"="all" }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!3, !3}
!own = !{!4, !5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 5, !"things", !2}
!2 = !{ptr @number, !"text", null, !0}
!3 = !{!"bench"}
!4 = distinct !{}
!5 = distinct !{}
"""


def test_text():
    module = everything()

    assert text_of(module).partition('S128"\n')[2] == EXPECTED
    assert_llvm_accepts(module)


def test_what_linkers_cannot_see_is_local():
    module = everything()
    local = [value.name for value in module.globals if value.is_dso_local]
    assert local == ["", "head", "mine", "far", "work", "choose", "chosen"]


def test_an_empty_module():
    module = new_module("empty.c")

    assert text_of(module) == "; ModuleID = 'empty.c'\nsource_filename = \"empty.c\"\n"
    assert_llvm_accepts(module)


def test_modules_may_share_a_context():
    one = new_module("one")
    other = new_module("other", context=one.context)
    assert one.context.types.integer(7) is other.context.types.integer(7)
    assert new_module("third").context is not one.context


def test_globals_lie_where_the_data_layout_has_them():
    module = new_module("spaces", data_layout=LAYOUT)
    variable = add_variable(module, "v", module.context.types.integer(8), 0)
    function = add_function(module, "f", module.context.types.function(module.context.types.void))
    assert (variable.address_space, function.address_space) == (1, 0)


def test_blocks_go_where_they_are_asked_to():
    module = new_module("blocks")
    function = add_function(module, "f", module.context.types.function(module.context.types.void))
    last = add_block(function, "b")
    first = add_block(function, "b", before=last)
    assert function.blocks == (first, last)
    assert [block.name for block in function.blocks] == ["b1", "b"]
    with pytest.raises(ValueError, match="not in tuple"):
        add_block(function, before=BasicBlock(module.context.types.label))


def test_struct_names_are_kept_apart():
    module = new_module("structs")
    i8 = module.context.types.integer(8)
    assert [str(add_struct(module, "s", [i8])) for _ in range(2)] == ["%s", "%s.0"]
    assert add_struct(module, "packed", [i8], is_packed=True).body == "<{ i8 }>"
    assert add_struct(module, "open").is_opaque


def test_attributes_of_all_places_may_be_given_at_once():
    module = new_module("attributes")
    listed = AttributeList(AttributeSet([EnumAttribute("cold")]), AttributeSet([EnumAttribute("zeroext")]))
    i8 = module.context.types.integer(8)
    assert add_function(module, "f", module.context.types.function(i8), attributes=listed).attributes is listed


def test_metadata_as_a_value():
    module = new_module("metadata")
    value = metadata_value(module, "round.upward")
    assert (str(value), value.type) == ('metadata !"round.upward"', module.context.types.metadata)


def test_wrong_uses():
    module = everything()
    types = module.context.types
    i32, nothing = types.integer(32), types.function(types.void)
    number, work = module.global_variables["number"], module.functions["work"]
    wrong = {
        "the module has a global @work already": lambda: add_variable(module, "work", i32),
        "the module has a comdat $inline already": lambda: add_comdat(module, "inline"),
        "unknown SelectionKind 'first': expected any, exactmatch, largest, nodeduplicate, samesize": (
            lambda: add_comdat(module, "x", "first")
        ),
        "unknown Visibility 'secret': expected default, hidden, protected": (
            lambda: add_variable(module, "x", i32, visibility="secret")
        ),
        "@x takes 0 arguments, not 1 names": lambda: add_function(module, "x", nothing, argument_names=["a"]),
        "a GlobalAlias has no alignment": lambda: add_alias(module, "x", number, alignment=4),
        "@x takes the type of a function as its type, not i32": lambda: add_function(module, "x", i32),
        "@x takes something that has a size as its type, not void ()": lambda: add_variable(module, "x", nothing),
        "1.5 is not a valid i32": lambda: add_variable(module, "x", i32, 1.5),
        "@x takes a pointer as its address, not i32": lambda: add_alias(module, "x", number.initializer, type=i32),
        "@x: the type at <ConstantPointerNull ptr> is unknown; give `type`": (
            lambda: add_alias(module, "x", module.context.constants.null(types.ptr))
        ),
        "unknown attribute 'nounwnd'; a string attribute is a pair: ('nounwnd', '')": (
            lambda: add_function(module, "x", nothing, attributes=["nounwnd"])
        ),
        "attribute noalias is not for a function": lambda: add_function(module, "x", nothing, attributes=["noalias"]),
        "attribute nounwind is not for a parameter": (
            lambda: add_function(module, "x", work.function_type, parameter_attributes={0: ["nounwind"]})
        ),
        "attribute noalias is not for a parameter of type i32": (
            lambda: add_function(module, "x", work.function_type, parameter_attributes={0: ["noalias"]})
        ),
        "attribute zeroext is not for a return of type void": (
            lambda: add_function(module, "x", nothing, return_attributes=["zeroext"])
        ),
    }
    for message, use in wrong.items():
        with pytest.raises((TypeError, ValueError)) as caught:
            use()
        assert str(caught.value) == message
    assert module.get("x") is None
    assert SelectionKind.ANY is module.comdats["inline"].selection_kind


def test_behaviors_of_flags_by_name() -> None:
    module = new_module("m")
    for name, expected in {"max": Behavior.MAX, "Warning": Behavior.WARNING, "OVERRIDE": Behavior.OVERRIDE}.items():
        add_module_flag(module, name, name, 1)
        assert module.flags[name].behavior is expected
    with pytest.raises(ValueError, match=r"behavior must be one of error, warning, .*; got 'most'"):
        add_module_flag(module, "most", "key", 1)
